"""geotagctl against a simulated daemon: exit codes, events, and the live table in a terminal."""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import time
import unittest

from console import CONTROL, Simulated
from processes import ROOT
from rig import Rig
from terminal import Terminal


class ControlTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Simulated()
        cls.addClassCleanup(cls.rig.close)
        cls.rig.start_daemon()
        cls.rig.wait_ready().close()

    def ask(self, *words):
        done = self.rig.control(*words)
        return done.returncode, done.stdout, done.stderr

    def test_exit_codes(self):
        self.assertEqual(self.ask('gps')[0], 0)
        status, out, err = self.ask('photo', 'nobody')
        self.assertEqual((status, out), (1, ''))
        self.assertRegex(err, r'^geotagctl: no-camera: .*nobody')
        for words in ([], ['sattus'], ['--nope', 'gps'], ['--timeout', '0', 'gps']):
            status, out, err = self.ask(*words)
            self.assertEqual((status, out), (64, ''), words)
            self.assertRegex(err, r'^geotagctl: ')
        done = subprocess.run([CONTROL, '--socket', '/nowhere/at/all', 'gps'],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn('geotagd is not there', done.stderr)

    def test_a_daemon_that_does_not_answer(self):
        path = self.rig.folder / 'deaf.sock'
        with socket.socket(socket.AF_UNIX) as deaf:
            deaf.bind(str(path))
            deaf.listen()
            began = time.monotonic()
            done = subprocess.run([CONTROL, f'--socket={path}', '--timeout', '1', 'gps'],
                                  capture_output=True, text=True, timeout=20)
        self.assertEqual((done.returncode, done.stdout), (3, ''))
        self.assertEqual(done.stderr, 'geotagctl: no answer within 1 s\n')
        self.assertLess(time.monotonic() - began, 5)

    def test_answers_as_json(self):
        status, out, _ = self.ask('--json', 'cameras')
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(status, 0)
        self.assertEqual([row.get('name') for row in rows[:-1]], [f'cam{n}' for n in range(1, 5)])
        self.assertEqual(rows[0]['number'], 1)
        self.assertEqual(rows[-1], {'ok': True})
        status, out, _ = self.ask('--json', 'photo', 'nobody')
        self.assertEqual(status, 1)
        self.assertEqual(json.loads(out)['code'], 'no-camera')
        self.assertEqual(len(json.loads(self.ask('status', '--json')[1])['cameras']), 4)

    def test_help_with_and_without_a_daemon(self):
        self.assertIn('record start|stop|toggle', self.ask('help')[1])
        self.assertIn('NAME is one of those that modes lists', self.ask('help', 'mode')[1])
        self.assertIn('NAME is one of those that modes lists', self.ask('MODE', '--help')[1])
        self.assertIn('did you mean status?', self.ask('sattus')[2])
        self.assertIn('did you mean cam1? There are: cam1, cam2', self.ask('photo', 'cma1')[2])
        self.assertEqual(self.ask('GPS')[0], 0)
        self.assertIn('--exec PROGRAM', self.ask('--help')[1])

    def test_a_reader_that_has_seen_enough_ends_it(self):
        for words in ('watch', 'events'):
            command = f'{CONTROL} --socket {self.rig.socket_path} {words} | head -c 1'
            child = subprocess.Popen(['sh', '-c', command], stdout=subprocess.PIPE)
            self.addCleanup(child.kill)
            # What comes before it listens is not for it.
            deadline = time.monotonic() + 20
            while child.poll() is None:
                self.assertLess(time.monotonic(), deadline, words)
                self.ask('mark', 'something to read')

    def test_a_program_for_each_event(self):
        program, seen = self.rig.folder / 'program', self.rig.folder / 'seen'
        program.write_text(
            f'#!/bin/sh\nsleep 0.05\n'
            f'echo "$1 $2 $GEOTAG_EVENT $GEOTAG_NAME $GEOTAG_TEXT" >> {seen}\n')
        program.chmod(0o755)
        events = self.rig.start('events', CONTROL, '--socket', self.rig.socket_path, 'events',
                                '--json', '--exec', program)
        for count in range(1, 6):
            while True:
                self.ask('mark', f'number {count}')
                if any(f'number {count}"' in text for text in events.texts('out')):
                    break
        deadline = time.monotonic() + 10
        while 'number 5' not in (seen.read_text() if seen.exists() else ''):
            self.assertLess(time.monotonic(), deadline)
            with events.changed:
                events.changed.wait(0.1)
        lines = seen.read_text().splitlines()
        numbers = [int(line.split()[-1]) for line in lines if line.startswith('mark - mark - ')]
        self.assertEqual(numbers, sorted(numbers))
        self.assertEqual(set(numbers), {1, 2, 3, 4, 5})
        row = json.loads(events.texts('out')[0])
        self.assertEqual((row['event'], row['name']), ('mark', '-'))
        events.stop()


class WatchTest(unittest.TestCase):
    def setUp(self):
        if not shutil.which('tmux'):
            self.fail('tmux is not installed: Tests/Tools/install-packages test')
        self.rig = Simulated()
        self.addCleanup(self.rig.close)

    def terminal(self, columns, rows, environment='', more=''):
        command = (f'LC_ALL=C.UTF-8 {environment} {CONTROL} --socket {self.rig.socket_path} '
                   f'--units metric watch {more}')
        terminal = Terminal(self.rig.folder, command, columns, rows)
        self.addCleanup(terminal.close)
        return terminal

    def test_four_cameras_in_eighty_columns(self):
        self.rig.start_daemon()
        self.rig.wait_ready().close()
        terminal = self.terminal(80, 24)
        text = terminal.wait_for(r'cam4 +ready .* 10\.0 ')
        self.assertRegex(text, r'^READY 4/4 · GPS \d+ sats 10 Hz +\d\d:\d\d:\d\d\n')
        self.assertIn('fix3d', text)
        self.assertIn('\nr record  z sleep  m mark  ? help  q quit', text)
        terminal.run('send-keys', 'r')
        terminal.wait_for(r'record start: done')
        text = terminal.wait_for(r'(?s)RECORDING 4/4 .*(cam\d +ready +0:0[1-9] .*){4}')
        print('\n'.join('         ' + line for line in text.splitlines()), flush=True)
        self.assertEqual(self.shape(self.recorded()), self.shape(text), 'the README shows another')
        # No single key ends a take.
        for key in 'rpzwyx':
            terminal.run('send-keys', key)
        terminal.run('send-keys', 's')
        terminal.wait_for(r'stop recording on all cameras\? s again')
        terminal.run('send-keys', 'x')
        self.assertIn('RECORDING 4/4', terminal.screen())
        # The answer goes after ten seconds, the recordings go on.
        terminal.wait_for(r'(?s)RECORDING 4/4 .*\n\n\ns stop  m mark', 15)
        terminal.run('send-keys', '2')
        terminal.wait_for(r'\n2> cam2 .*(?s:.*)\ncam2: s stop')
        terminal.run('send-keys', 's')
        terminal.wait_for(r'stop recording on cam2\? s again')
        terminal.run('send-keys', 's')
        terminal.wait_for(r'RECORDING 3/4 · cam2 NOT RECORDING')
        terminal.run('send-keys', '0')
        terminal.run('send-keys', 'ss')
        terminal.wait_for(r'READY 4/4')
        terminal.run('send-keys', 'z')
        terminal.wait_for(r'send all cameras to sleep\? y')
        terminal.run('send-keys', 'n')
        terminal.run('send-keys', '?')
        terminal.wait_for(r'command this camera alone')
        terminal.run('send-keys', 'x')
        terminal.run('resize-window', '-x', '40', '-y', '20')
        text = terminal.wait_for(r'#  NAME         STATE      REC     BAT\n')
        self.assertLessEqual(max(len(line) for line in text.splitlines()), 40)
        terminal.run('send-keys', 'q')
        text = terminal.wait_for('exit 0')
        self.assertNotIn('NAME', text, 'the screen was not put back')

    def test_large_letters_and_sentences_on_a_terminal(self):
        self.rig.start_daemon(1)
        self.rig.wait_ready(1).close()
        terminal = self.terminal(80, 24, more='--big')
        terminal.wait_for('█')
        terminal.run('send-keys', 'q')
        terminal.wait_for('exit 0')
        for words, pattern in (('status', r'READY 1/1 · GPS'), ('cameras', r'#  NAME'),
                               ('gps', r'gps: a full fix'), ('photo', r'cam1: unsupported, '),
                               ('mark', r'mark: ok'), ('gps --plain', r'gps - state=fix3d')):
            command = f'{CONTROL} --socket {self.rig.socket_path} {words}'
            terminal = Terminal(self.rig.folder, command, 100, 40)
            self.addCleanup(terminal.close)
            terminal.wait_for(pattern)

    @staticmethod
    def recorded():
        """The screen that the README shows."""
        blocks = (ROOT / 'README.md').read_text().split('```\n')
        return next(block for block in blocks if block.startswith('RECORDING ')).rstrip('\n')

    @staticmethod
    def shape(text):
        """Its lines without what differs from run to run."""
        return [re.sub(r' +', ' ', re.sub(r'\d+', '0', line)).strip()
                for line in text.splitlines()]

    def test_it_waits_for_a_daemon_that_restarts(self):
        self.rig.start_daemon(2)
        self.rig.wait_ready(2).close()
        terminal = self.terminal(80, 24)
        events = self.rig.start('events', CONTROL, '--socket', self.rig.socket_path, 'events')
        terminal.wait_for('cam2 +ready')
        self.rig.daemon.write('quit\n')
        self.rig.daemon.wait(6)
        terminal.wait_for('geotagd is not there; waiting')
        events.wait_for('geotagd went; waiting')
        self.rig.start_daemon(2)
        terminal.wait_for('cam2 +ready', 30)
        events.wait_for('geotagd is back')
        events.wait_for('^camera cam2 state=ready')

    def test_no_colour_where_none_is_wanted(self):
        self.rig.start_daemon(1)
        self.rig.wait_ready(1).close()
        for environment, coloured in (('NO_COLOR=', True), ('NO_COLOR=1', False),
                                      ('TERM=dumb', False)):
            terminal = self.terminal(80, 24, environment)
            terminal.wait_for('cam1 +ready')
            text = terminal.run('capture-pane', '-p', '-e')
            self.assertEqual('\x1b[32m' in text, coloured, environment)
            terminal.close()


class DoctorTest(unittest.TestCase):
    def setUp(self):
        self.rig = Simulated()
        self.addCleanup(self.rig.close)
        self.config = self.rig.folder / 'checked.conf'
        # A port on which nobody listens, and a bus that is none.
        self.config.write_text(f'[gps]\nport = 1\n[track]\ndirectory = {self.rig.folder}\n'
                               f'[state]\ndirectory = {self.rig.folder}\n')
        self.environment = {'DBUS_SYSTEM_BUS_ADDRESS': f'unix:path={self.rig.folder}/nobus'}

    def doctor(self, *words):
        return self.rig.control('doctor', '--config', str(self.config), *words,
                                env={**os.environ, **self.environment})

    def test_without_the_daemon(self):
        done = self.doctor()
        self.assertEqual(done.returncode, 2)
        for pattern in (r'FAIL gpsd +nobody answers .*: apt install gpsd',
                        r'FAIL bus +no system bus: ', r'FAIL geotagd +does not run: '):
            self.assertRegex(done.stdout, pattern)

    def test_beside_the_daemon(self):
        self.rig.start_daemon(2)
        self.rig.wait_ready(2).close()
        done = self.doctor('--json')
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        found = {row['check']: row for row in rows}
        self.assertEqual(found['geotagd']['verdict'], 'OK')
        self.assertEqual(found['camera'],
                         {'check': 'camera', 'verdict': 'OK', 'found': 'cam2 is ready', 'do': None})
        self.assertEqual(found['group']['verdict'], 'OK')
        self.assertEqual(done.returncode, 2, 'gpsd and the bus are missing')

    def test_a_whole_rig(self):
        rig = Rig()
        self.addCleanup(rig.close)
        rig.start_bus()
        rig.start_cameras(1)
        rig.start_feeder()
        rig.start_gpsd()
        config = rig.configuration([])
        (rig.folder / 'state').mkdir()
        rig.tracks.mkdir()
        deadline = time.monotonic() + 60
        while True:
            done = subprocess.run(
                [CONTROL, '--socket', rig.socket_path, '--json', 'doctor', '--config', config],
                capture_output=True, text=True, env={**os.environ, **rig.environment}, timeout=30)
            found = {row['check']: row for row in map(json.loads, done.stdout.splitlines())}
            wanted = ('gpsd', 'receiver', 'rate', 'fix', 'motion', 'bus', 'bluetoothd', 'adapter',
                      'addresses', 'configuration')
            if all(found.get(check, {}).get('verdict') == 'OK' for check in wanted):
                break
            self.assertLess(time.monotonic(), deadline, found)
        self.assertEqual(found['geotagd']['verdict'], 'FAIL')
        self.assertEqual(done.returncode, 2)


class SetupTest(unittest.TestCase):
    def setUp(self):
        self.rig = Simulated()
        self.addCleanup(self.rig.close)
        self.config = self.rig.folder / 'made.conf'
        self.config.write_text('# Mine.\n[push]\nrate = 5\n')

    def test_a_first_camera_from_pairing_to_the_configuration(self):
        rig = Rig()
        self.addCleanup(rig.close)
        rig.start_bus()
        rig.start_cameras(1)
        rig.start_feeder()
        rig.start_gpsd()
        rig.start_daemon([]).wait_for('event=start')
        config = rig.folder / 'geotagd.conf'
        before = config.read_text()
        command = f'{CONTROL} --socket {rig.socket_path} setup --config {config}'
        terminal = Terminal(rig.folder, command, 100, 100)
        self.addCleanup(terminal.close)
        terminal.wait_for(r'A fix', 60)
        terminal.wait_for(r'Adapter hci0')
        self.answer(terminal, r'Pair a camera\?', 'y', 'Enter')
        terminal.wait_for(r'shows a code(?s:.*)██', 60)
        terminal.wait_for(r'What is it to be called\?', 60)
        terminal.run('send-keys', 'all', 'Enter')
        terminal.wait_for(r'not all or force')
        terminal.run('send-keys', 'front', 'Enter')
        terminal.wait_for(r'(?s)force.*Pair a camera\?')
        terminal.run('send-keys', 's', 'Enter')
        self.answer(terminal, r'Record five seconds on all cameras\?', 'y', 'Enter')
        terminal.wait_for(r'front: \d\d positions in five seconds')
        self.answer(terminal, r'Write it\?', 'y', 'Enter')
        terminal.wait_for('Written, and taken over')
        self.assertEqual(config.read_text()[:len(before.rstrip())], before.rstrip())
        self.assertIn('[camera front]\naddress = ', config.read_text())
        lines, last = rig.ask('cameras')
        self.assertEqual(last, 'OK')
        self.assertTrue(lines[0].startswith('camera front number=1 '))

    def start(self):
        # The shell around it is not to end by the same key.
        command = f'trap : INT; {CONTROL} --socket {self.rig.socket_path} setup --config {self.config}'
        terminal = Terminal(self.rig.folder, command, 100, 60)
        self.addCleanup(terminal.close)
        return terminal

    def answer(self, terminal, question, *keys):
        terminal.wait_for(question + r'[^\n]*\] $|' + question + r'[^\n]*\]$')
        terminal.run('send-keys', *keys)

    def test_without_a_terminal_it_says_so(self):
        done = self.rig.control('setup')
        self.assertEqual((done.returncode, done.stdout), (64, ''))
        self.assertIn('needs a terminal', done.stderr)

    def test_from_the_first_question_to_the_configuration(self):
        self.rig.start_daemon(2)
        self.rig.wait_ready(2).close()
        terminal = self.start()
        terminal.wait_for(r'A fix with \d+ satellites\.')
        self.answer(terminal, r'Pair a camera\?', 's', 'Enter')
        self.answer(terminal, r'Record five seconds on all cameras\?', 'y', 'Enter')
        terminal.wait_for(r'cam1: \d+ positions in five seconds')
        self.answer(terminal, r'Write it\?', 'y', 'Enter')
        terminal.wait_for('exit 0')
        text = self.config.read_text()
        self.assertTrue(text.startswith('# Mine.\n[push]\nrate = 5\n\n[camera cam1]\naddress = '))
        self.assertIn('[camera cam2]\n', text)
        with contextlib.closing(self.rig.peer()) as peer:
            self.assertFalse(any(camera['recording'] for camera in peer.status()['cameras']))

    def test_every_step_skipped_leaves_the_file(self):
        self.rig.start_daemon(1)
        self.rig.wait_ready(1).close()
        terminal = self.start()
        for question in (r'Pair a camera\?', r'Record five seconds', r'Write it\?'):
            self.answer(terminal, question, 's', 'Enter')
        terminal.wait_for('exit 0')
        self.assertEqual(self.config.read_text(), '# Mine.\n[push]\nrate = 5\n')

    def test_an_interruption_leaves_nothing_half_done(self):
        self.rig.start_daemon(1)
        self.rig.wait_ready(1).close()
        terminal = self.start()
        self.answer(terminal, r'Pair a camera\?', 's', 'Enter')
        self.answer(terminal, r'Record five seconds', 'y', 'Enter')
        terminal.wait_for(r'cam1: ok, recording yes')
        terminal.run('send-keys', 'C-c')
        self.answer(terminal, r'Write it\?', 'C-c')
        terminal.wait_for('exit 130')
        self.assertEqual(self.config.read_text(), '# Mine.\n[push]\nrate = 5\n')
        with contextlib.closing(self.rig.peer()) as peer:
            self.assertFalse(peer.status()['cameras'][0]['recording'])


if __name__ == '__main__':
    unittest.main()
