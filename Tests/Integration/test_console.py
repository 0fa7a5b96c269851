"""Commands over stdin, FIFO and socket: what they come to, and the life of the three."""

import os
import re
import signal
import stat
import time
import unittest

from console import Simulated
from rig import fields


class VerbTest(unittest.TestCase):
    """One daemon for all: each test leaves the cameras as it found them."""

    @classmethod
    def setUpClass(cls):
        cls.rig = Simulated()
        cls.addClassCleanup(cls.rig.close)
        cls.rig.start_daemon()
        cls.rig.wait_ready().close()

    def setUp(self):
        self.peer = self.rig.peer()
        self.addCleanup(self.peer.close)

    def over_socket(self, request):
        return self.peer.ask(request)

    def over_stdin(self, request):
        since = len(self.rig.daemon.lines)
        self.rig.daemon.write(request + '\n')
        self.rig.daemon.wait_for(r'^(#\S+ )?(OK$|ERR )', since=since)
        lines = self.rig.daemon.texts('out', since)
        return lines[:-1], lines[-1]

    def over_fifo(self, request):
        """The answers stand in the log, quoted, ten lines a second."""
        since = len(self.rig.daemon.lines)
        with open(self.rig.fifo_path, 'w') as fifo:
            fifo.write(request + '\n')
        pattern = r'event=reply (line="?(OK$|ERR )|folded=)'
        found = self.rig.daemon.wait_for(pattern, since=since)
        lines = [text.split(' line=', 1)[1].strip('"') for text in
                 self.rig.daemon.texts('err', since) if 'event=reply line=' in text]
        return lines[:-1], 'folded' if 'folded' in found[0] else lines[-1]

    def test_commands_are_confirmed_with_instants(self):
        for way in (self.over_socket, self.over_stdin, self.over_fifo):
            for request in ('record start', 'record stop'):
                lines, last = way(request)
                self.assertIn(last, ('OK', 'folded'), lines)
                for line in lines:
                    answer = fields(line)
                    self.assertEqual(answer['result'], 'ok', line)
                    self.assertRegex(answer['sent_utc'], r'^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$')
                    self.assertLess(float(answer['sent_mono']), float(answer['confirmed_mono']))
                recording = [c['recording'] for c in self.peer.status()['cameras']]
                self.assertEqual(recording, [request == 'record start'] * 4)

    def test_a_toggle_is_not_doubled(self):
        peer = self.rig.peer()
        self.addCleanup(peer.close)
        self.peer.send('record toggle cam1')
        peer.send('record toggle cam1')
        ends = sorted([self.peer.answer()[1], peer.answer()[1]])
        status = self.peer.status()['cameras'][0]
        if ends[0].startswith('ERR busy'):
            self.assertTrue(status['recording'], 'one toggle was refused, the other holds')
        else:
            self.assertFalse(status['recording'], 'both were done, one after the other')
        self.peer.ask('record stop')

    def test_modes_and_photos(self):
        self.assertEqual(self.peer.ask('mode photo cam1')[1], 'OK')
        self.assertEqual(self.peer.status()['cameras'][0]['mode'], 'photo')
        lines, last = self.peer.ask('photo')
        self.assertTrue(last.startswith('ERR partial '), last)
        self.assertEqual([fields(line)['result'] for line in lines].count('ok'), 1)
        self.assertEqual(self.peer.ask('mode 0x01 cam1')[1], 'OK')

    def test_tags_and_targets(self):
        for target in ('cam2', '2', self.peer.status()['cameras'][1]['address'].lower(),
                       'cam2,2,cam2'):
            self.peer.send(f'#t-1 mode video {target}')
            self.assertTrue(self.peer.line().startswith('#t-1 mode cam2 result=ok '))
            self.assertEqual(self.peer.line(), '#t-1 OK')

    def test_the_longest_line_and_one_byte_more(self):
        head = 'mark '
        self.assertEqual(self.peer.ask(head + 'x' * (1023 - len(head)))[1], 'OK')
        self.assertTrue(
            self.peer.ask(head + 'x' * (1024 - len(head)))[1].startswith('ERR bad-command '))
        self.assertEqual(self.peer.ask('gps')[1], 'OK')

    def test_events_name_what_happens(self):
        watcher = self.rig.peer()
        self.addCleanup(watcher.close)
        watcher.send('events on')
        self.assertEqual(watcher.answer()[1], 'OK')
        self.peer.ask('record start cam3')
        self.peer.ask('mark here it is')
        seen = []
        while not (seen and seen[-1].startswith('! mark ')):
            seen.append(watcher.line())
        self.peer.ask('record stop cam3')
        started = [t for t in seen if t.startswith('! record cam3 state=started ')]
        self.assertEqual(len(started), 1, seen)
        self.assertRegex(started[0], r' utc=\S+ mono=\S+$')
        self.assertIn('text="here it is"', seen[-1])

    def test_status_json_has_its_keys(self):
        status = self.peer.status()
        camera = status['cameras'][0]
        for part, keys in (
                (status, 'version uptime_s gps push cameras track'),
                (status['gps'], 'state device time latitude longitude altitude_m speed_mps '
                 'course_deg satellites quality rate_hz age_s'),
                (status['push'], 'rate_hz target_hz sent dropped void'),
                (status['track'], 'path rows'),
                (camera, 'name number address adapter model state recording record_s mode '
                 'mode_text mode_params resolution fps stabilization battery_pct card_free_mb '
                 'remaining_s temperature gps pushed dropped rssi_dbm product firmware '
                 'reconnects error status confirm_code')):
            self.assertLessEqual(set(keys.split()), set(part), part)
        self.assertTrue(os.path.isabs(status['track']['path']))

    def test_files_have_their_modes(self):
        self.assertEqual(stat.S_IMODE(os.stat(self.rig.socket_path).st_mode), 0o660)
        self.assertEqual(stat.S_IMODE(os.stat(self.rig.fifo_path).st_mode), 0o620)


class LifeTest(unittest.TestCase):
    def setUp(self):
        self.rig = Simulated()
        self.addCleanup(self.rig.close)

    def test_the_end_of_stdin_and_of_its_terminal_ends_nothing(self):
        daemon = self.rig.start_daemon(2)
        daemon.write('#last gps')
        daemon.child.stdin.close()
        daemon.wait_for('^#last OK$')
        daemon.signal(signal.SIGHUP)
        daemon.wait_for('event=track state=rotated')
        peer = self.rig.peer()
        self.assertEqual(peer.ask('gps')[1], 'OK')
        peer.close()

    def test_quit_over_each_transport(self):
        for way in ('stdin', 'fifo', 'socket'):
            with self.subTest(way=way):
                daemon = self.rig.start_daemon(1)
                peer = self.rig.peer()
                if way == 'stdin':
                    daemon.write('quit\n')
                elif way == 'fifo':
                    self.rig.fifo_path.write_text('quit\n')
                else:
                    self.assertEqual(peer.ask('quit')[1], 'OK')
                self.assertEqual(daemon.wait(6), 0)
                peer.close()
                self.assertFalse(self.rig.socket_path.exists())
                self.assertFalse(self.rig.fifo_path.exists())

    def test_a_second_instance_is_refused_with_a_sentence(self):
        self.rig.start_daemon(1)
        self.rig.peer().close()
        second = self.rig.start('second', self.rig.daemon.child.args[0], '--simulate', '1',
                                '--config', self.rig.config)
        self.assertEqual(second.wait(5), 69)
        self.assertIn('another geotagd runs here', second.texts('err')[-1])
        self.assertEqual(self.rig.peer().ask('gps')[1], 'OK')

    def test_what_a_killed_daemon_left_is_taken_over(self):
        daemon = self.rig.start_daemon(1)
        self.rig.peer().close()
        daemon.signal(signal.SIGKILL)
        daemon.wait(5)
        self.assertTrue(self.rig.socket_path.exists())
        self.rig.start_daemon(1)
        self.assertEqual(self.rig.peer().ask('gps')[1], 'OK')

    def test_sigusr1_logs_the_status(self):
        daemon = self.rig.start_daemon(1)
        daemon.signal(signal.SIGUSR1)
        daemon.wait_for(r'event=status line="push - ')


if __name__ == '__main__':
    unittest.main()
