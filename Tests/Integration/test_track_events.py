"""What happened, as the events file and the push log tell it."""

import csv
import json
import signal
import time
import unittest

import track_readers as readers
from track_rig import COURSE, SENTENCES, TrackCase

EVENT_COLUMNS = ['utc', 'mono_s', 'event', 'camera', 'detail', 'at_latitude', 'at_longitude', 'seq']


def rows(folder, kind):
    """Those of all files, in the order in which the files were begun."""
    files = []
    for path in folder.glob(f'{kind}-*.csv'):
        with path.open(newline='') as file:
            files.append(list(csv.DictReader(file)))
    return [row for file in sorted(files, key=lambda f: float(f[0]['mono_s'])) for row in file]


class EventsTest(TrackCase):
    def do(self, line):
        self.assertEqual(self.rig.ask(line)[1], 'OK', line)

    def test_all_that_happens_stands_in_the_events_file(self):
        self.begin(2)
        self.do('record start')
        time.sleep(2)
        self.do('record stop')
        self.do('mode photo cam1')
        self.do('photo cam1')
        self.do('mark a bridge')
        self.cameras.write('press cam2 record\n')
        self.daemon.wait_for('event=record name=cam2 state=started', 10, count=2)
        for rotate in (lambda: self.do('track rotate'),
                       lambda: self.daemon.signal(signal.SIGHUP)):
            since = len(self.daemon.lines)
            rotate()
            self.daemon.wait_for('state=open path=', 10, since=since)
        self.a_camera_goes_and_comes_back()
        self.the_fix_goes_and_comes_back()
        self.the_daemon_stands_still()
        self.end()
        self.judge(rows(self.rig.tracks, 'events'))

    def a_camera_goes_and_comes_back(self):
        since = len(self.daemon.lines)
        self.cameras.write('drop cam1\n')
        self.daemon.wait_for('event=camera name=cam1 state=ready', 30, since=since)

    def the_fix_goes_and_comes_back(self):
        since = len(self.daemon.lines)
        self.feeder.stop()
        self.daemon.wait_for('event=gps state=nodata', 10, since=since)
        self.rig.start_feeder(10, COURSE, sentences=SENTENCES)
        self.daemon.wait_for('event=gps state=fix3d', 20, since=since)
        self.gpsd.stop()
        self.daemon.wait_for('event=gps state=disconnected', 20, since=since)
        self.rig.start_gpsd()
        self.daemon.wait_for('event=gps state=fix3d', 30, since=since, count=2)

    def the_daemon_stands_still(self):
        """Long enough that pushes are late, not so long that the fix is stale."""
        time.sleep(2)
        since = len(self.daemon.lines)
        self.daemon.signal(signal.SIGSTOP)
        time.sleep(0.5)
        self.daemon.signal(signal.SIGCONT)
        self.daemon.wait_for('gap_ms=', 10, since=since)

    def judge(self, events):
        self.assertEqual(list(events[0]), EVENT_COLUMNS)
        told = [(e['event'], e['camera'], e['detail'].split()) for e in events]

        def states(event, name):
            return [detail[0].removeprefix('state=') for kind, camera, detail in told
                    if (kind, camera) == (event, name)]

        # Three instants for each command, in their order.
        recording = states('record', 'cam1')
        self.assertEqual(recording[:6], ['sent', 'acknowledged', 'started'] * 1
                         + ['sent', 'acknowledged', 'stopped'])
        # A hand on the camera is seen, and no command.
        self.assertEqual(states('record', 'cam2')[6:7], ['started'])
        for kind, camera, detail in told:
            if kind == 'record' and detail[0] in ('state=started', 'state=stopped'):
                self.assertTrue(any(word.startswith('record_s=') for word in detail), detail)
        self.assertIn('sent', states('photo', 'cam1'))
        self.assertIn(('mode', 'cam1', ['mode=photo', 'from=video']), told)
        self.assertIn(('mark', '', ['text="a', 'bridge"']), told)
        dropped = states('camera', 'cam1')
        self.assertEqual(dropped.count('ready'), 2, dropped)
        gps = states('gps', '')
        for state in ('fix3d', 'nodata', 'disconnected'):
            self.assertIn(state, gps)
        self.assertEqual(gps[-1], 'fix3d', gps)
        self.assertTrue(any(kind == 'push' for kind, _, _ in told))
        reasons = [detail[1] for kind, _, detail in told
                   if kind == 'track' and detail[0] in ('state=open', 'state=closed')]
        self.assertEqual(reasons, ['reason=start', 'reason=command', 'reason=command',
                                   'reason=command', 'reason=command', 'reason=off'])
        self.assertTrue(any(kind == 'clock' for kind, _, _ in told))
        self.instants_agree(events)

    def instants_agree(self, events):
        """UTC and the monotonic clock tell the same; before time is trusted there is no UTC."""
        known = [e for e in events if e['utc']]
        self.assertGreater(len(known), 30)
        for event in events:
            self.assertRegex(event['mono_s'], r'^\d+\.\d{6}$')
        differences = []
        for event in known:
            self.assertRegex(event['utc'], r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$')
            seconds = readers.moment(event['utc']) / 1000
            differences.append(seconds - float(event['mono_s']))
        self.assertLess(max(differences) - min(differences), 0.25)

    def test_the_push_log_is_what_the_cameras_got(self):
        """To the millisecond, where the cameras themselves keep whole seconds."""
        self.begin(2, extra='pushes = on')
        time.sleep(3)
        self.cameras.write('stall cam2 on\n')
        time.sleep(3)
        self.end()
        log = [row for row in rows(self.rig.tracks, 'pushes') if row['fix'] != 'void']
        self.assertGreater(len(log), 50)
        for row in log:
            self.assertLess(float(row['age_s']), 0.4)
            if row['utc']:
                self.compare(row)
        both = [row for row in log if row['took'] == 'cam1+cam2']
        self.assertGreater(len(both), 20)
        self.assertTrue(any(row['took'] == 'cam1' for row in log), 'nobody missed a push')
        for name in ('cam1', 'cam2'):
            sent = [float(row['mono_s']) for row in log if name in row['took'].split('+')]
            self.arrived(name, sent, 'stalled' if name == 'cam2' else '')

    def compare(self, row):
        # Its UTC is that of the place: it lies on the course then.
        off = self.off(readers.moment(row['utc']), float(row['at_latitude']), float(row['at_longitude']))
        self.assertLess(off, 0.5, json.dumps(row))

    def arrived(self, name, sent, stalled):
        """Each push that the log says was taken came to the camera at that time."""
        came = [float(text.split()[0]) / 1e9 for text in self.cameras.texts('out')
                if text.split()[1:3] == [name, 'gps']]
        for at in sent if not stalled else sent[:20]:
            nearest = min(abs(at - arrival) for arrival in came)
            self.assertLess(nearest, 0.05, f'{name}: sent at {at}, nothing came')


if __name__ == '__main__':
    unittest.main()
