"""geotagctl against a simulated daemon: exit codes, events, and the live table in a terminal."""

import json
import re
import shutil
import socket
import subprocess
import time
import unittest

from console import CONTROL, Simulated
from processes import ROOT
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
            self.assertEqual((status, out), (2, ''), words)
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
        self.assertIn('--exec PROGRAM', self.ask('--help')[1])

    def test_a_reader_that_has_seen_enough_ends_it(self):
        for words in ('watch', 'events'):
            command = f'{CONTROL} --socket {self.rig.socket_path} {words} | head -c 1'
            child = subprocess.Popen(['sh', '-c', command], stdout=subprocess.PIPE)
            self.addCleanup(child.kill)
            for _ in range(3):
                self.ask('mark', 'something to read')
            child.wait(10)

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

    def terminal(self, columns, rows, environment=''):
        command = f'{environment} {CONTROL} --socket {self.rig.socket_path} watch'
        terminal = Terminal(self.rig.folder, command, columns, rows)
        self.addCleanup(terminal.close)
        return terminal

    def test_four_cameras_in_eighty_columns(self):
        self.rig.start_daemon()
        self.rig.wait_ready().close()
        terminal = self.terminal(80, 24)
        text = terminal.wait_for(r'cam4 +ready .* 10\.0 ')
        self.assertRegex(text, r'^geotagd \d')
        self.assertIn('fix3d', text)
        self.assertIn('r record  p photo  s sleep  w wake  q quit', text)
        terminal.run('send-keys', 'r')
        terminal.wait_for(r'record toggle: ok')
        text = terminal.wait_for(r'(?s)(cam\d +ready +0:0[1-9] .*){4}')
        print('\n'.join('         ' + line for line in text.splitlines()), flush=True)
        self.assertEqual(self.shape(self.recorded()), self.shape(text), 'the README shows another')
        terminal.run('send-keys', 'p')
        terminal.wait_for(r'photo: busy: ')
        terminal.run('send-keys', 'r')
        terminal.wait_for(r'cam1 +ready +- ')
        terminal.run('resize-window', '-x', '40', '-y', '20')
        text = terminal.wait_for(r'#  NAME         STATE      REC     BAT\n')
        self.assertLessEqual(max(len(line) for line in text.splitlines()), 40)
        terminal.run('send-keys', 'q')
        text = terminal.wait_for('exit 0')
        self.assertNotIn('NAME', text, 'the screen was not put back')

    @staticmethod
    def recorded():
        """The screen that the README shows."""
        blocks = (ROOT / 'README.md').read_text().split('```\n')
        return next(block for block in blocks if block.startswith('geotagd ')).rstrip('\n')

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


if __name__ == '__main__':
    unittest.main()
