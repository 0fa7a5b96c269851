"""How the daemon behaves towards systemd, journald, shells and terminals."""

import fcntl
import os
import pathlib
import pty
import re
import signal
import socket
import subprocess
import time
import unittest

from console import Simulated
from processes import BINARIES

PROGRAM = BINARIES / 'geotagd'


class Manager:
    """What systemd is to a service: the socket that NOTIFY_SOCKET names."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.told = []  # (monotonic seconds, text)

    def hear(self, seconds):
        """Takes what comes within that time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                text = self.socket.recv(65536).decode()
            except TimeoutError:
                return
            self.told.append((time.monotonic(), text))

    def wait_for(self, start, timeout=15):
        """The first datagram from now on that begins so."""
        seen = len(self.told)
        end = time.monotonic() + timeout
        while not any(text.startswith(start) for _, text in self.told[seen:]):
            assert time.monotonic() < end, f'no {start} in {self.told}'
            self.hear(0.1)
        return next(text for _, text in self.told[seen:] if text.startswith(start))

    def of(self, start):
        return [(at, text) for at, text in self.told if text.startswith(start)]


class ManagerTest(unittest.TestCase):
    def setUp(self):
        self.rig = Simulated()
        self.addCleanup(self.rig.close)

    def test_a_notify_service_from_ready_to_stopping(self):
        # systemd has abstract sockets too.
        for address in (str(self.rig.folder / 'notify'), f'\0geotagd-test-{os.getpid()}'):
            manager = Manager(address)
            self.addCleanup(manager.socket.close)
            daemon = self.rig.start_daemon(2, env={
                'NOTIFY_SOCKET': address.replace('\0', '@'), 'WATCHDOG_USEC': '1000000'})
            manager.wait_for('READY=1')
            manager.hear(6)
            self.assertEqual(len(manager.of('READY=1')), 1)
            signs = [at for at, _ in manager.of('WATCHDOG=1')]
            self.assertGreaterEqual(len(signs), 9, 'one in half of the interval')
            self.assertLess(max(b - a for a, b in zip(signs, signs[1:])), 1)
            states = manager.of('STATUS=')
            self.assertTrue(states)
            for (before, _), (after, _) in zip(states, states[1:]):
                self.assertGreater(after - before, 0.9, 'at most one a second')
            self.assertTrue(all(a[1] != b[1] for a, b in zip(states, states[1:])), states)
            self.assertTrue(all('\n' not in text for _, text in states))
            self.assertRegex(states[-1][1], r'3-D fix 12 satellites 10\.0 Hz; cameras 2/2')
            # A reload: with the monotonic clock, as Type=notify-reload wants it.
            before = time.monotonic_ns() // 1000
            daemon.signal(signal.SIGHUP)
            reloading = manager.wait_for('RELOADING=1')
            stamp = int(re.search(r'MONOTONIC_USEC=(\d+)', reloading)[1])
            self.assertTrue(before <= stamp <= time.monotonic_ns() // 1000)
            manager.hear(0.5)
            self.assertEqual(len(manager.of('READY=1')), 2)
            daemon.signal(signal.SIGTERM)
            manager.wait_for('STOPPING=1')
            self.assertEqual(daemon.wait(6), 0)
            manager.hear(0.2)
            self.assertLess(manager.told.index(manager.of('STOPPING=1')[0]), len(manager.told))
            self.assertFalse(any(
                at > manager.of('STOPPING=1')[0][0] for at, _ in manager.of('WATCHDOG=1')))

    def test_a_loop_that_stands_still_gives_no_sign_of_life(self):
        manager = Manager(str(self.rig.folder / 'notify'))
        self.addCleanup(manager.socket.close)
        daemon = self.rig.start_daemon(1, env={
            'NOTIFY_SOCKET': str(self.rig.folder / 'notify'), 'WATCHDOG_USEC': '400000'})
        manager.wait_for('WATCHDOG=1')
        daemon.signal(signal.SIGSTOP)
        manager.hear(0.3)
        seen = len(manager.told)
        manager.hear(1)
        self.assertEqual(manager.told[seen:], [])
        daemon.signal(signal.SIGCONT)
        manager.wait_for('WATCHDOG=1')

    def test_levels_for_the_journal(self):
        """journald names its stream by device and inode of the descriptor."""
        reading, writing = os.pipe()
        status = os.fstat(writing)
        environment = {**os.environ, 'JOURNAL_STREAM': f'{status.st_dev}:{status.st_ino}'}
        child = subprocess.Popen([PROGRAM, '--simulate', '1', '--for', '2', '--stdin'],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=writing, env=environment)
        os.close(writing)
        with open(reading, errors='replace') as log:
            lines = log.read().splitlines()
        self.assertEqual(child.wait(10), 0)
        self.assertTrue(lines)
        for line in lines:
            self.assertRegex(line, r'^<[3-7]>(gps|bluez|camera|push|control|track|daemon) event=')


class EndTest(unittest.TestCase):
    def setUp(self):
        self.rig = Simulated()
        self.addCleanup(self.rig.close)

    def run_program(self, *words, **options):
        return subprocess.run([PROGRAM, *(str(word) for word in words)], capture_output=True,
                              text=True, timeout=20, stdin=subprocess.DEVNULL, **options)

    def test_exit_statuses_with_a_sentence_each(self):
        folder = self.rig.folder
        wrong, taken, odd = folder / 'wrong.conf', folder / 'taken.conf', folder / 'odd.conf'
        wrong.write_text('[push]\nrate = 11\n')
        taken.write_text(f'[control]\nsocket = {folder}/file\n')
        odd.write_text('[control]\nfifo = /nowhere/at/all/command\n')
        (folder / 'file').write_text('precious')
        for status, words in (
                (0, ['--version']), (0, ['--help']), (64, ['--nonsense']), (64, ['--for', '1']),
                (66, ['--config', folder / 'missing.conf']),
                (78, ['--check-config', taken]),
                (73, ['--simulate', '1', '--config', odd]),
                (78, ['--config', wrong]), (78, ['--check-config', wrong]),
                (78, ['--check-config', odd]), (66, ['--check-config', folder / 'missing.conf'])):
            done = self.run_program(*words)
            self.assertEqual(done.returncode, status, (words, done.stderr))
            if status:
                self.assertRegex(done.stderr, r'^geotagd: .{10,}\n$', words)
        self.assertIn(f'{wrong}:2: [push] rate: ', self.run_program('--config', wrong).stderr)
        self.assertEqual((folder / 'file').read_text(), 'precious')

    def test_without_permission(self):
        locked = self.rig.folder / 'locked'
        locked.mkdir(mode=0)
        config = self.rig.folder / 'config'
        config.write_text(f'[control]\nfifo = {locked}/command\n')
        self.rig.folder.chmod(0o755)
        # Nothing is locked for root.
        other = {'user': 'nobody'} if os.geteuid() == 0 else {}
        done = self.run_program('--simulate', 1, '--config', config, **other)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn('Permission denied', done.stderr)

    def test_a_start_that_fails_leaves_nothing_behind(self):
        folder = self.rig.folder
        for wrong in ('[control]\nfifo = {f}/missing/command\n',
                      '[control]\ngroup = no-such-group\n', '[state]\ncapture = {f}/file\n'):
            place = folder / 'place'
            place.mkdir()
            (place / 'file').write_text('precious')
            config = folder / 'start.conf'
            parts = {'control': 'socket = {f}/control.sock\n', 'state': 'directory = {f}/state\n',
                     'track': 'directory = {f}/tracks\n'}
            section, line = wrong.split('\n')[:2]
            parts[section[1:-1]] += line
            text = '\n'.join(f'[{name}]\n{lines}' for name, lines in parts.items()) + '\n'
            config.write_text(text.replace('{f}', str(place)))
            done = self.run_program('--simulate', '1', '--config', config)
            self.assertIn(done.returncode, (73, 77, 78), done.stderr)
            self.assertEqual([path.name for path in place.iterdir()], ['file'], line)
            (place / 'file').unlink()
            place.rmdir()

    def test_a_stderr_that_nobody_reads_holds_up_nothing(self):
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        config = self.rig.folder / 'geotagd.conf'
        config.write_text(f'[control]\nsocket = {self.rig.socket_path}\n')
        before = fcntl.fcntl(writing, fcntl.F_GETFL)
        os.set_blocking(writing, False)
        try:
            while True:
                os.write(writing, b'x' * 4096)
        except BlockingIOError:
            pass
        os.set_blocking(writing, True)
        child = subprocess.Popen([PROGRAM, '--simulate', '4', '--config', config],
                                 stdin=subprocess.DEVNULL, stdout=writing, stderr=writing)
        self.addCleanup(child.kill)
        time.sleep(3)
        self.rig.daemon = self.rig.start('nothing', 'true')
        peer = self.rig.peer()
        self.addCleanup(peer.close)
        self.assertEqual(peer.ask('gps')[1], 'OK')
        self.assertEqual(fcntl.fcntl(writing, fcntl.F_GETFL), before, 'a shell may share it')
        began = time.monotonic()
        child.terminate()
        self.assertEqual(child.wait(6), 0)
        self.assertLess(time.monotonic() - began, 5)
        os.close(writing)

    def test_endless_input_keeps_nobody_busy(self):
        child = subprocess.Popen(
            ['sh', '-c', f'exec {PROGRAM} --simulate 1 --stdin </dev/zero'],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(child.kill)
        time.sleep(3)
        fields = pathlib.Path(f'/proc/{child.pid}/stat').read_text().split(') ')[1].split()
        self.assertLess((int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK'), 1.5)
        child.terminate()
        self.assertEqual(child.wait(6), 0)

    def test_a_file_in_place_of_the_fifo_is_complained_of_and_no_more(self):
        config, fifo = self.rig.folder / 'file.conf', self.rig.folder / 'precious'
        config.write_text(f'[control]\nfifo = {fifo}\n')
        fifo.write_text('precious')
        done = self.run_program('--simulate', '1', '--for', '2', '--config', config)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f'rm {fifo}', done.stderr)
        self.assertEqual(fifo.read_text(), 'precious')

    def test_nothing_on_stdin_and_a_closed_stdout(self):
        """A service's stdin is /dev/null; a closed descriptor is nobody's business either."""
        for redirection in ('</dev/null >/dev/null', '<&- >&-', '</dev/null | true'):
            done = subprocess.run(
                ['sh', '-c', f'{PROGRAM} --simulate 1 --stdin --for 2 {redirection}'],
                capture_output=True, text=True, timeout=20)
            self.assertEqual(done.returncode, 0, redirection)
            self.assertIn('event=end status=0', done.stderr, redirection)

    def test_a_terminal_that_is_closed_ends_nothing(self):
        config = self.rig.folder / 'geotagd.conf'
        config.write_text(f'[control]\nsocket = {self.rig.socket_path}\n')
        ours, theirs = pty.openpty()
        child = subprocess.Popen(
            [PROGRAM, '--simulate', '1', '--config', config], stdin=theirs, stdout=theirs,
            stderr=theirs, start_new_session=True)
        self.addCleanup(child.kill)
        os.close(theirs)
        seen = b''
        os.write(ours, b'#typed gps\n')
        deadline = time.monotonic() + 10
        while b'#typed OK' not in seen:
            self.assertLess(time.monotonic(), deadline, seen)
            seen += os.read(ours, 65536)
        os.close(ours)
        self.rig.daemon = self.rig.start('nothing', 'true')
        for _ in range(3):
            peer = self.rig.peer()
            self.assertEqual(peer.ask('gps')[1], 'OK')
            peer.close()
            time.sleep(0.5)
        self.assertIsNone(child.poll())
        spent = sum(os.times()[2:4])
        child.terminate()
        self.assertEqual(child.wait(6), 0)
        self.assertLess(sum(os.times()[2:4]) - spent, 1.5, 'it span on the dead terminal')


class ReloadTest(unittest.TestCase):
    def setUp(self):
        self.rig = Simulated()
        self.addCleanup(self.rig.close)

    def test_rate_and_track_folder_change_while_cameras_stream(self):
        daemon = self.rig.start_daemon(2)
        peer = self.rig.wait_ready(2)
        self.addCleanup(peer.close)
        text = self.rig.config.read_text()
        elsewhere = self.rig.folder / 'elsewhere'
        changed = text.replace(str(self.rig.tracks), str(elsewhere))
        self.rig.config.write_text(changed + '[push]\nrate = 2\n[state]\ncapture = /never\n')
        lines, last = peer.ask('reload')
        self.assertEqual(last, 'OK')
        self.assertEqual(sorted(lines), [
            'reload push.rate applied=now old=default new=2',
            'reload state.capture applied=restart old=default new=/never',
            f'reload track.directory applied=now old={self.rig.tracks} new={elsewhere}'])
        daemon.wait_for('warning control event=reload key=state.capture applied=restart')
        before = peer.status()
        time.sleep(5)
        after = peer.status()
        self.assertEqual(after['push']['target_hz'], 2)
        for one, other in zip(before['cameras'], after['cameras']):
            self.assertIn(other['pushed'] - one['pushed'], range(9, 13))
            self.assertEqual((other['state'], other['reconnects']), ('ready', one['reconnects']))
        self.assertEqual(os.path.dirname(after['track']['path']), str(elsewhere))
        peer.ask('quit')
        self.assertEqual(daemon.wait(6), 0)
        rows = [self.rows(folder) for folder in (self.rig.tracks, elsewhere)]
        self.assertTrue(rows[0] and rows[1])
        numbers = rows[0] + rows[1]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))),
                         'no row is lost or doubled on the way')

    @staticmethod
    def rows(folder):
        """`seq` of each row of the tracks of a folder."""
        lines = [line for path in sorted(folder.glob('track-*.csv'))
                 for line in path.read_text().splitlines()[1:]]
        return [int(line.split(',')[15]) for line in lines]


if __name__ == '__main__':
    unittest.main()
