"""Clients that mean harm: 200 of them, ten thousand lines a second, and nobody behaves."""

import csv
import re
import selectors
import socket
import statistics
import threading
import time
import unittest

from console import Simulated

END = re.compile(rb'^(?:#\S+ )?(?:OK|ERR [^\n]+)$', re.MULTILINE)


class Rude:
    """Writes whatever it likes and counts what comes back."""

    JUNK = (b'gps\n', b'status\n', b'nonsense\n', b'mark x\n', b'#t help mark\n', b'\n', b'   \r\n',
            b'nul\0byte\n', b'\xff\xfe\n', b'half', b'x' * 3000 + b'\n', b'photo nobody\n')

    def __init__(self, path, number):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.socket.setblocking(False)
        self.turn = number
        self.sent = []
        self.rest = b''
        self.tail = b''
        self.answers = self.read_bytes = 0

    def write(self):
        """One more piece of junk, or what is left of the last; how many lines that ended."""
        if not self.rest:
            self.turn += 1
            self.rest = self.JUNK[self.turn % len(self.JUNK)]
        try:
            count = self.socket.send(self.rest)
        except BlockingIOError:
            return 0
        self.sent.append(self.rest[:count])
        self.rest = self.rest[count:]
        return self.sent[-1].count(b'\n')

    def read(self):
        """False at the end."""
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return True
        self.read_bytes += len(data)
        whole, _, self.tail = (self.tail + data).rpartition(b'\n')
        self.answers += len(END.findall(whole))
        return bool(data)

    def finish(self):
        """Ends the line that is under way, and reads to the end."""
        self.socket.settimeout(20)
        self.sent.append(self.rest + b'\n')
        self.socket.sendall(self.sent[-1])
        self.socket.shutdown(socket.SHUT_WR)
        while self.read():
            pass
        self.socket.close()

    def owed(self):
        """Answers to what was written: one for each line but blank ones."""
        lines = b''.join(self.sent).split(b'\n')[:-1]
        return sum(1 for line in lines if len(line) >= 1024 or line.strip(b' \r'))


class FIFOWriter(threading.Thread):
    """Opens the FIFO, writes a line or half of one, closes it, for ever."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.count, self.over = path, 0, threading.Event()

    def run(self):
        while not self.over.wait(0.002):
            with open(self.path, 'wb') as fifo:
                fifo.write((b'gps\n', b'half', b'\xff\n', b'nonsense\n')[self.count % 4])
            self.count += 1


class HarmTest(unittest.TestCase):
    CLIENTS = 200
    LINES = 10_000
    SECONDS = 10

    def setUp(self):
        self.rig = Simulated()
        self.addCleanup(self.rig.close)

    def daemon_figure(self, path, pattern):
        with open(f'/proc/{self.rig.daemon.child.pid}/{path}') as file:
            return re.search(pattern, file.read())

    def memory(self):
        """Resident, kB."""
        return int(self.daemon_figure('status', r'VmRSS:\s+(\d+)')[1])

    def processor(self):
        """Seconds spent."""
        fields = self.daemon_figure('stat', r'\) (.*)')[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def flood(self, clients, seconds):
        """Writes LINES a second over all clients; how many lines went out."""
        poll = selectors.DefaultSelector()
        for client in clients:
            poll.register(client.socket, selectors.EVENT_READ, client)
        written = turn = 0
        began = time.monotonic()
        while (now := time.monotonic()) < began + seconds:
            due = int((now - began) * self.LINES) - written
            for _ in range(min(due, 500)):
                turn += 1
                written += clients[turn % len(clients)].write()
            for key, _ in poll.select(0.001):
                key.data.read()
        return written

    def push_gaps(self, since, until):
        """Gaps between pushes between two monotonic seconds, from the push log."""
        stamps = []
        for path in sorted(self.rig.tracks.glob('pushes-*.csv')):
            with path.open() as file:
                stamps += [float(row['mono_s']) for row in csv.DictReader(file)]
        stamps = [stamp for stamp in stamps if since <= stamp <= until]
        return [b - a for a, b in zip(stamps, stamps[1:])]

    def test_pushes_go_on_and_memory_stays(self):
        daemon = self.rig.start_daemon()
        watcher = self.rig.wait_ready()
        watcher.ask('loglevel warning')
        clients = [Rude(self.rig.socket_path, number) for number in range(self.CLIENTS)]
        writer = FIFOWriter(self.rig.fifo_path)
        writer.start()
        # Once to warm up: buffers reach the size that they keep.
        self.flood(clients, 3)
        before, spent, opened, since = (
            self.memory(), self.processor(), writer.count, time.monotonic())
        written = self.flood(clients, self.SECONDS)
        after, spent, opened, until = (
            self.memory(), self.processor() - spent, writer.count - opened, time.monotonic())
        writer.over.set()
        writer.join()
        for client in clients:
            client.finish()
        self.assertEqual(watcher.ask('gps')[1], 'OK')
        dropped = watcher.status()['push']['dropped']
        watcher.close()
        daemon.write('quit\n')
        self.assertEqual(daemon.wait(6), 0)
        gaps = sorted(self.push_gaps(since, until))
        answers, owed = sum(c.answers for c in clients), sum(c.owed() for c in clients)
        figures = (f'{written / self.SECONDS:.0f} lines/s from {self.CLIENTS} clients beside '
                   f'{opened / self.SECONDS:.0f} openings/s of the FIFO, '
                   f'{answers} answers to {owed} lines; {len(gaps)} push gaps: '
                   f'median {statistics.median(gaps) * 1e3:.1f} ms, '
                   f'p99 {gaps[int(0.99 * len(gaps))] * 1e3:.1f} ms, '
                   f'max {gaps[-1] * 1e3:.1f} ms; {100 * spent / self.SECONDS:.0f} % of a core; '
                   f'RSS {before} -> {after} kB')
        print('         ' + figures, flush=True)
        for client in clients:
            self.assertEqual(client.answers, client.owed(), figures)
        self.assertGreater(written, self.LINES * self.SECONDS / 4, figures)
        # A tick that was missed would be a gap of 200 ms.
        self.assertGreaterEqual(len(gaps), 10 * self.SECONDS - 3, figures)
        self.assertLess(gaps[-1], 0.2, figures)
        self.assertEqual(dropped, 0)
        self.assertLess(after, before * 1.1 + 1000, figures)

    def test_who_does_not_read_is_dropped_and_the_others_go_on(self):
        self.rig.start_daemon(1)
        deaf, good = self.rig.peer(), self.rig.peer()
        for peer in (deaf, good):
            self.assertEqual(peer.ask('events on')[1], 'OK')
        text = 'mark ' + 'x' * 1000
        answers = 0
        for _ in range(800):
            good.send(text)
            self.assertEqual(good.answer()[1], 'OK')
            answers += 1
        self.rig.daemon.wait_for('event=unread client=socket', 10)
        self.assertEqual(good.ask('gps')[1], 'OK')
        received = b''
        deaf.socket.settimeout(5)
        while more := deaf.socket.recv(1 << 20):
            received += more
        self.assertLess(received.count(b'\n'), answers)


if __name__ == '__main__':
    unittest.main()
