"""What lies in contrib does what it says, as far as that can be tried without hardware."""

import os
import shutil
import struct
import subprocess
import time
import unittest

from console import CONTROL, Simulated
from processes import ROOT
from terminal import Terminal

CONTRIB = ROOT / 'contrib'


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=30, **options)


class SyntaxTest(unittest.TestCase):
    def needs(self, program, package):
        if not shutil.which(program):
            self.fail(f'{program} is not installed: Tests/Tools/install-packages test ({package})')

    def test_manual_pages_are_clean(self):
        self.needs('groff', 'groff-base')
        for page in sorted((CONTRIB / 'man').iterdir()):
            done = run('groff', '-t', '-man', '-ww', '-Tutf8', page)
            self.assertEqual((done.returncode, done.stderr), (0, ''), page)

    def test_the_unit_is_understood(self):
        self.needs('systemd-analyze', 'systemd')
        units = [CONTRIB / 'systemd' / name
                 for name in ('geotagd.service', 'geotagd-metrics.service', 'geotagd-metrics.timer')]
        done = run('systemd-analyze', 'verify', *units)
        for line in done.stderr.splitlines():
            # Neither program nor manual is installed here.
            self.assertRegex(line, r'/usr/bin/geotag\w+ is not executable|man geotag', line)

    def test_shell_scripts_parse(self):
        for name in ('gpio-button', 'buzzer'):
            self.assertEqual(run('sh', '-n', CONTRIB / 'examples' / name).stderr, '')
        for name in ('geotagctl.bash', 'geotagd.bash'):
            self.assertEqual(run('bash', '-n', CONTRIB / 'completions' / name).stderr, '')

    def test_zsh_completions_parse(self):
        self.needs('zsh', 'zsh')
        for name in ('_geotagctl', '_geotagd'):
            self.assertEqual(run('zsh', '-n', CONTRIB / 'completions' / name).stderr, '')


class ContribTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Simulated()
        cls.addClassCleanup(cls.rig.close)
        cls.rig.start_daemon(2)
        cls.rig.wait_ready(2).close()
        cls.environment = {**os.environ, 'GEOTAGD_SOCKET': str(cls.rig.socket_path),
                           'GEOTAGD_FIFO': str(cls.rig.fifo_path),
                           'PATH': f'{CONTROL.parent}:{os.environ["PATH"]}'}

    def recording(self, wanted, timeout=10):
        peer = self.rig.peer()
        deadline = time.monotonic() + timeout
        while [c['recording'] for c in peer.status()['cameras']] != [wanted] * 2:
            self.assertLess(time.monotonic(), deadline)
            with self.rig.daemon.changed:
                self.rig.daemon.changed.wait(0.1)
        peer.close()

    def test_a_gpio_button_toggles(self):
        script = CONTRIB / 'examples' / 'gpio-button'
        # One press that bounces, seconds as gpiomon prints them.
        source = self.rig.folder / 'presses'
        source.write_text('#!/bin/sh\nprintf "5 x\\n5 x\\n5 x\\n"\n')
        source.chmod(0o755)
        for wanted in (True, False):
            done = run(script, env={**self.environment, 'BUTTON_SOURCE': str(source)})
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            self.recording(wanted)

    def test_a_gpio_button_speaks_to_both_gpiomons_and_fails_aloud(self):
        folder = self.rig.folder / 'gpio'
        folder.mkdir()
        script, gpiomon = CONTRIB / 'examples' / 'gpio-button', folder / 'gpiomon'
        environment = {**self.environment, 'PATH': f'{folder}:/usr/bin:/bin'}
        for version, options in (
                ('v1.6.3', '--falling-edge --bias=pull-up --format=%s gpiochip4 22'),
                ('v2.1.3', '--edges=falling --bias=pull-up --format=%S --chip=gpiochip4 22')):
            gpiomon.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "gpiomon (libgpiod) '
                               f'{version}" && exit 0\necho "$@" >{folder}/words\nexit 1\n')
            gpiomon.chmod(0o755)
            done = run(script, 'gpiochip4', '22', env=environment)
            self.assertEqual(done.returncode, 74, done.stderr)
            self.assertIn('group gpio', done.stderr)
            self.assertEqual((folder / 'words').read_text().strip(), options)
        gpiomon.unlink()
        done = run(script, env={**environment, 'PATH': str(folder)})
        self.assertEqual(done.returncode, 69)

    def test_a_key_toggles(self):
        event = struct.Struct('llHHi')
        device = self.rig.folder / 'device'
        # Another key, the key going down, repeating and going up, a report.
        presses = [(1, 30, 1), (1, 115, 1), (1, 115, 2), (1, 115, 0), (0, 0, 0)]
        device.write_bytes(b''.join(event.pack(1, 0, *press) for press in presses))
        for wanted in (True, False):
            done = run(CONTRIB / 'examples' / 'keyboard-button', device, env=self.environment)
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            self.recording(wanted)

    def test_the_buzzer_beeps(self):
        beeps = self.rig.folder / 'beeps'
        environment = {**self.environment, 'BUZZER': f'tee -a {beeps}'}
        for words, count in (
                ({'GEOTAG_EVENT': 'record', 'GEOTAG_STATE': 'started'}, 1),
                ({'GEOTAG_EVENT': 'record', 'GEOTAG_STATE': 'stopped', 'GEOTAG_CAUSE': 'command'}, 2),
                ({'GEOTAG_EVENT': 'camera', 'GEOTAG_STATE': 'ready'}, 3),
                ({'GEOTAG_EVENT': 'alarm', 'GEOTAG_REASON': 'hot'}, 1),
                ({'GEOTAG_EVENT': 'gps', 'GEOTAG_STATE': 'fix3d'}, 0)):
            log = self.rig.folder / 'log'
            log.write_text('')
            buzzer = self.rig.folder / 'beep'
            buzzer.write_text(f'#!/bin/sh\necho beep >> {log}\n')
            buzzer.chmod(0o755)
            environment['BUZZER'] = str(buzzer)
            run(CONTRIB / 'examples' / 'buzzer', env={**environment, **words})
            self.assertEqual(log.read_text().count('beep'), count, words)

    def test_cron_lines(self):
        lines = (CONTRIB / 'examples' / 'geotagd.cron').read_text().splitlines()
        jobs = [line.split(None, 6) for line in lines if line[:1].isdigit()]
        self.assertEqual([job[5] for job in jobs], ['geotagd'] * 2)
        sleep, check = (job[6] for job in jobs)
        folder = self.rig.folder / 'night'
        folder.mkdir()

        def cron(command):
            return run('sh', '-c', command.replace('/var/lib/geotagd/tracks', str(folder)),
                       env=self.environment)

        self.assertEqual((cron(check).stdout, cron(check).stderr), ('', ''))
        (folder / 'track-20260701T100000Z.csv').write_text('damaged')
        self.assertIn('track-20260701T100000Z.csv', cron(check).stdout)
        peer = self.rig.peer()
        self.addCleanup(peer.close)
        done = cron(sleep)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, '', ''))
        self.assertEqual([c['state'] for c in peer.status()['cameras']], ['asleep'] * 2)
        self.assertEqual(peer.ask('wake')[1], 'OK')

    def complete(self, *words):
        """What bash offers for the last word."""
        script = (f'source {CONTRIB}/completions/geotagctl.bash; '
                  f'COMP_WORDS=({" ".join(repr(word) for word in words)}); '
                  f'COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _geotagctl; '
                  f'printf "%s\\n" "${{COMPREPLY[@]}}"')
        done = run('bash', '-c', script, env=self.environment)
        self.assertEqual(done.stderr, '')
        return done.stdout.split()

    def test_bash_completes(self):
        self.assertEqual(self.complete('geotagctl', 'rec'), ['record', 'reconnect'])
        self.assertEqual(self.complete('geotagctl', 'record', 'st'), ['start', 'stop'])
        self.assertEqual(self.complete('geotagctl', 'record', 'start', ''), ['all', 'cam1', 'cam2'])
        self.assertEqual(self.complete('geotagctl', 'photo', 'cam1,'), ['cam1,cam1', 'cam1,cam2'])
        # Only what these cameras have.
        self.assertEqual(self.complete('geotagctl', 'mode', 'hyper'), ['hyperlapse'])
        self.assertEqual(self.complete('geotagctl', 'mode', 'pano-v'), [])
        self.assertEqual(self.complete('geotagctl', 'sleep', ''), ['force', 'all', 'cam1', 'cam2'])
        self.assertEqual(self.complete('geotagctl', 'sleep', 'force', 'c'), ['cam1', 'cam2'])
        self.assertEqual(self.complete('geotagctl', 'watch', '--b'), ['--big'])
        self.assertEqual(self.complete('geotagctl', '--units', 'i'), ['imperial'])
        self.assertEqual(self.complete('geotagctl', 'track', 'gpx', '--o'), ['--output'])
        self.assertEqual(self.complete('geotagctl', '--json', 'status', 'j'), ['json'])
        self.assertEqual(self.complete('geotagctl', 'track', 'ro'), ['rotate'])

    def test_zsh_completes(self):
        self.assertTrue(shutil.which('zsh'), 'zsh: Tests/Tools/install-packages test')
        setup = self.rig.folder / 'zshrc'
        setup.write_text(f'fpath=({CONTRIB}/completions $fpath)\nautoload -Uz compinit\n'
                         f'compinit -u -D\nPS1="ready> "\n')
        shell = self.rig.folder / 'shell'
        shell.write_text(
            f'#!/bin/sh\nexport GEOTAGD_SOCKET={self.rig.socket_path} PATH={CONTROL.parent}:$PATH\n'
            f'exec env ZDOTDIR={self.rig.folder} zsh -i\n')
        shell.chmod(0o755)
        setup.rename(self.rig.folder / '.zshrc')
        terminal = Terminal(self.rig.folder, shell, 80, 24)
        self.addCleanup(terminal.close)
        terminal.wait_for('ready>')
        terminal.run('send-keys', 'geotagctl rena', 'Tab')
        terminal.wait_for('geotagctl rename$')
        terminal.run('send-keys', 'Tab')
        terminal.wait_for('cam1')
        terminal.run('send-keys', 'C-c')
        terminal.run('send-keys', 'geotagctl loglevel not', 'Tab')
        terminal.wait_for('geotagctl loglevel notice')


if __name__ == '__main__':
    unittest.main()
