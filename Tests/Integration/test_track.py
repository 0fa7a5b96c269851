"""The track of the real daemon: read by ExifTool, GPSBabel and pandas, and kept through trouble."""

import csv
import json
import os
import random
import shutil
import subprocess
import time
import unittest
from pathlib import Path

import track_readers as readers
from chaos_track import Kills, PowerCuts
from track_rig import COURSE, TrackCase, copy_disk, make_disk


class TrackTest(TrackCase):
    def test_people_find_their_footage(self):
        self.begin(2, extra='pushes = on')
        for verb in ('record start', 'mark a tree, to the left'):
            self.assertEqual(self.rig.ask(verb)[1], 'OK')
        time.sleep(8)
        self.assertEqual(self.rig.ask('record stop')[1], 'OK')
        time.sleep(1)
        self.end()
        (path,) = self.tracks()
        rows = readers.strict(path)
        self.assertGreater(len(rows), 90)
        self.rows_go_on(rows)
        for row in rows:
            self.assertLess(self.off(row['ms'], float(row['latitude']), float(row['longitude'])),
                            0.02)
        readers.agree(path, rows)
        for other in [*self.rig.tracks.glob('events-*'), *self.rig.tracks.glob('pushes-*')]:
            self.assertEqual(readers.exiftool_count(other), 0, 'taken for a track')
        self.pictures_are_geotagged(path, rows)
        self.formats_are_right(path, rows)
        self.clips_are_found(path)

    def pictures_are_geotagged(self, path, rows):
        """Within half a metre at instants between the rows."""
        numbers = random.Random(1)
        moments = [numbers.randint(rows[0]['ms'], rows[-1]['ms']) for _ in range(8)]
        places, count = readers.with_exiftool(path, moments, self.rig.folder / 'pictures')
        self.assertEqual(count, len(rows))
        for at, place in zip(moments, places):
            self.assertLess(self.off(at, place[0], place[1]), 0.5, at)
            self.assertAlmostEqual(place[2], COURSE.at(at / 1000)['height'], delta=0.5)

    def formats_are_right(self, path, rows):
        gpx = self.rig.folder / 'track.gpx'
        readers.geotagctl('gpx', path, '--output', gpx)
        readers.run('xmllint', '--noout', '--schema', readers.TOOLS / 'gpx.xsd', gpx)
        self.assertIn('<name>a tree, to the left</name>', gpx.read_text())
        self.assertIn('<gpxtpx:speed>15.0', gpx.read_text())
        ours = readers.points(gpx.read_text())
        babel = readers.with_gpsbabel(path)
        self.assertEqual(len(ours), len(rows))
        for mine, other in zip(ours, babel, strict=True):
            self.assertEqual(mine[0], other[0])
            for left, right in zip(mine[1:3], other[1:3]):
                self.assertAlmostEqual(left, right, delta=1e-8)
            self.assertAlmostEqual(mine[3], other[3], delta=0.006)
        # Other programs read these as they were meant.
        kml = readers.points(readers.run(
            'gpsbabel', '-t', '-i', 'kml', '-f', self.converted('kml', path), '-o',
            'gpx,gpxver=1.1', '-F', '-'))
        self.assertEqual([p[:3] for p in kml], [p[:3] for p in ours])
        *_, line = json.loads(self.converted('geojson', path).read_text())['features']
        places = [(p[1], p[0]) for p in line['geometry']['coordinates']]
        self.assertEqual(places, [p[1:3] for p in ours])
        times = [readers.moment(text) for text in line['properties']['coordTimes']]
        self.assertEqual(times, [p[0] for p in ours])
        self.assertIn('rate      10.00 Hz', readers.geotagctl('info', path))

    def test_the_ends_of_the_earth_are_read_alike(self):
        """The date line and a pole, in a file as the daemon writes it."""
        line = ('2026-07-01 10:00:00.{0}00Z,{1:.8f},{2:.8f},,,,2d,,,,,,,1782900000.{0}00,1.000000,'
                '{0},,0,\n')
        places = [(0, 179.99999), (0, 180), (0, -180), (0, -179.99999), (90, 0), (-90, 180)]
        path = self.rig.folder / 'track-20260701T100000Z.csv'
        path.write_text(readers.HEADER + '\n' + ''.join(
            line.format(number, *place) for number, place in enumerate(places)))
        readers.agree(path, readers.strict(path))
        gpx = self.converted('gpx', path)
        readers.run('xmllint', '--noout', '--schema', readers.TOOLS / 'gpx.xsd', gpx)
        for point, place in zip(readers.points(gpx.read_text()), places, strict=True):
            self.assertEqual(point[1], place[0])
            self.assertIn(abs(point[2] - place[1]), (0, 360))

    def converted(self, form, path):
        output = self.rig.folder / f'track.{form}'
        readers.geotagctl(form, path, '--output', output)
        return output

    def clips_are_found(self, path):
        folder = self.rig.folder / 'clips'
        clips = list(csv.DictReader(readers.geotagctl('clips', path, '--gpx', folder).splitlines()))
        self.assertEqual({clip['camera'] for clip in clips}, {'cam1', 'cam2'})
        for clip in clips:
            self.assertAlmostEqual(float(clip['duration_s']), 8, delta=1.5)
            self.assertAlmostEqual(float(clip['distance_m']), float(clip['duration_s']) * 15,
                                   delta=2)
            for end in ('start', 'stop'):
                at = readers.moment(clip[f'{end}_utc'])
                self.assertLess(self.off(at, float(clip[f'{end}_latitude']),
                                         float(clip[f'{end}_longitude'])), 0.3)
        self.assertEqual(len(list(folder.glob('cam?-*.gpx'))), 2)
        for gpx in folder.glob('*.gpx'):
            readers.run('xmllint', '--noout', '--schema', readers.TOOLS / 'gpx.xsd', gpx)
        self.assertIn(' 0 bad', readers.geotagctl('check', self.rig.tracks))

    def test_a_folder_that_is_taken_away_is_made_again(self):
        self.begin()
        self.no_push_is_missed(2)
        before = readers.strict(self.tracks()[0])
        shutil.rmtree(self.rig.tracks)
        since = len(self.daemon.lines)
        self.no_push_is_missed(5)
        self.daemon.wait_for('state=open path=', 5, since=since)
        self.end()
        errors = [t for t in self.daemon.texts(since=since) if 'state=error' in t]
        self.assertEqual(len(errors), 1, errors)
        rows = readers.strict(self.tracks()[0])
        self.rows_go_on(rows)
        self.assertLess(int(rows[0]['seq']) - int(before[-1]['seq']), 12)
        readers.agree(self.tracks()[0], rows)

    def test_a_full_disk_stops_no_push_and_loses_no_row(self):
        self.mount('-t', 'tmpfs', '-o', 'size=512k', 'tmpfs')
        self.begin(extra='min_free = 0')
        filler = self.rig.tracks / 'filler'
        size = shutil.disk_usage(self.rig.tracks).free - 8192
        filler.write_bytes(b'x' * size)
        self.daemon.wait_for('state=error reason="?No space left', 30)
        self.no_push_is_missed(5)
        self.assertIn('No space left', ' '.join(self.rig.ask('status')[0]))
        for path in self.tracks():
            readers.strict(path)
        filler.unlink()
        self.daemon.wait_for('state=ok unwritten=0', 40)
        self.no_push_is_missed(2)
        self.end()
        errors = [t for t in self.daemon.texts() if "state=error" in t]
        self.assertEqual(len(errors), 1, errors)
        (path,) = self.tracks()
        rows = readers.strict(path)
        self.assertGreater(len(rows), 80)
        self.rows_go_on(rows)
        readers.agree(path, rows)

    def test_a_disk_that_hangs_stops_no_push_and_loses_no_row(self):
        self.mount('-o', 'loop', make_disk(self.rig.folder / 'image'))
        self.begin(extra='min_free = 0\nsync = 1')
        self.no_push_is_missed(2)
        subprocess.run(['fsfreeze', '-f', self.rig.tracks], check=True)
        try:
            self.no_push_is_missed(6)
            self.assertEqual(self.rig.ask('mark while it hangs')[1], 'OK')
        finally:
            subprocess.run(['fsfreeze', '-u', self.rig.tracks], check=True)
        self.no_push_is_missed(2)
        self.end()
        (path,) = self.tracks()
        rows = readers.strict(path)
        self.assertGreater(len(rows), 100)
        self.rows_go_on(rows)

    def test_a_disk_that_became_read_only_stops_no_push(self):
        """As ext4 does when a card answers with errors."""
        image = make_disk(self.rig.folder / 'image')
        self.mount('-o', 'loop,errors=remount-ro', image)
        self.begin(extra='min_free = 0\nsync = 1')
        self.no_push_is_missed(2)
        device = subprocess.run(['findmnt', '-n', '-o', 'SOURCE', self.rig.tracks], check=True,
                                capture_output=True, text=True).stdout.strip()
        trigger = Path('/sys/fs/ext4', Path(device).name, 'trigger_fs_error')
        if not trigger.exists():
            self.skipTest('this kernel cannot be told to find an error')
        trigger.write_text('test')
        self.daemon.wait_for('state=error reason=.*Read-only file system', 10)
        self.no_push_is_missed(5)
        subprocess.run(['umount', '--lazy', self.rig.tracks], check=True)
        before = self.tracks()
        self.assertEqual(before, [])
        self.daemon.wait_for('state=ok unwritten=0', 40)
        self.end()
        errors = [t for t in self.daemon.texts() if 'state=error' in t]
        self.assertEqual(len(errors), 1, errors)
        (path,) = self.tracks()
        rows = readers.strict(path)
        self.rows_go_on(rows)
        self.assertGreater(len(rows), 250, 'rows did not wait for the disk')

    def test_a_record_event_is_on_the_disk_at_once(self):
        """Footage is found by it: it does not wait for the next interval of `sync`."""
        disk = make_disk(self.rig.folder / 'image')
        self.mount('-o', 'loop', disk)
        self.begin(extra='min_free = 0\nsync = 300')
        self.no_push_is_missed(2)
        since = len(self.daemon.lines)
        self.assertEqual(self.rig.ask('record start')[1], 'OK')
        self.daemon.wait_for('event=record name=cam1 state=started', 10, since=since)
        time.sleep(0.7)
        copy_disk(self.daemon, disk, self.rig.folder / 'copy')
        after = self.rig.folder / 'after'
        self.mount('-o', 'loop', self.rig.folder / 'copy', place=after)
        (events,) = after.glob('events-*.csv')
        rows = list(csv.DictReader(events.read_text().splitlines()))
        states = [row['detail'].split()[0] for row in rows if row['event'] == 'record']
        self.assertEqual(states, ['state=sent', 'state=acknowledged', 'state=started'])
        started = float([row for row in rows if row['event'] == 'record'][-1]['mono_s'])
        (track,) = after.glob('track-*.csv')
        self.assertGreater(float(readers.strict(track)[-1]['mono']), started - 0.3)
        self.end()

    def test_twenty_kills_harm_no_file(self):
        """Some of them on a full disk, some after the folder was taken away."""
        files, _ = Kills(20, random.randrange(1 << 32)).run()
        self.assertGreater(files, 10)

    def test_three_power_cuts_harm_no_file(self):
        if os.geteuid() != 0 or not os.path.exists('/dev/loop-control'):
            self.skipTest('no disk of its own can be mounted here')
        files, _ = PowerCuts(3, random.randrange(1 << 32)).run()
        self.assertEqual(files, 3)


if __name__ == '__main__':
    unittest.main()
