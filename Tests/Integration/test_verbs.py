"""Each verb over each transport with good, bad and boundary input (the table of verbs.py)."""

import concurrent.futures
import re
import time
import unittest

from console import Simulated
from verbs import BAD, BOUND, GOOD, ROWS

# Addresses of four cameras of the roster and of one that leaves it.
ADDRESSES = [f'60:60:1F:AA:00:0{number}' for number in range(1, 6)]
# The log takes so many lines of answers to the FIFO in a second.
MOST_LOGGED = 10


class Transport:
    """A rig of its own, asked in one way."""

    # What this transport answers otherwise.
    differing = {}

    def __init__(self):
        self.rig = Simulated()
        sections = [f'[camera {"spare" if number == 5 else f"cam{number}"}]\n'
                    f'address = {address}\nnumber = {number}\n'
                    for number, address in enumerate(ADDRESSES, 1)]
        self.rig.start_daemon(5, f'[state]\ndirectory = {self.rig.folder}/state\n'
                              + ''.join(sections))
        self.watcher = self.rig.wait_ready(5)
        # The spare one's section goes: it is a stranger from now on, and the simulation's own cam5
        # is a camera that is not there.
        text = self.rig.config.read_text()
        self.rig.config.write_text(text.replace(sections[4], ''))
        self.watcher.ask('reload')
        self.until(lambda cameras: {'absent', 'listed'} <= {c['state'] for c in cameras})

    def until(self, holds):
        deadline = time.monotonic() + 30
        while not holds(cameras := self.watcher.status()['cameras']):
            assert time.monotonic() < deadline, cameras
            time.sleep(0.1)

    def play(self):
        """Runs the table; returns how many requests there were and what was answered wrongly."""
        wrong, count = [], 0
        for verb, rows in ROWS.items():
            for row in rows:
                self.wait_for_cameras(row.request)
                count += 1
                lines, last = self.ask(self.tagged(row, count), row.count)
                complaint = self.complaint(row, lines, last)
                if complaint:
                    wrong.append(f'{self.name}: {verb} {row.kind}: {row.request!r}: {complaint}: '
                                 f'{lines} {last!r}')
        if self.rig.daemon.wait(6) != 0:
            wrong.append(f'{self.name}: quit did not end it')
        return count, wrong

    @staticmethod
    def tagged(row, number):
        """With a tag of its own, where the line has room for one and can be read."""
        if isinstance(row.request, bytes) or row.end == 'bad-command' or len(row.request) > 900 \
                or row.request.lstrip().startswith('#'):
            return row.request
        return f'#r{number} {row.request}'

    def wait_for_cameras(self, request):
        """What a row before has set in motion (a reconnection, a restart) is waited for."""
        words = request.split() if isinstance(request, str) else []
        named = {name for word in words[1:] for name in word.split(',')} - {'cam5'}
        self.until(lambda cameras: not any(
            c['name'] in named and c['state'] in ('connecting', 'handshake', 'absent')
            for c in cameras))

    def complaint(self, row, lines, last):
        expected = self.differing.get(row.request, row.end)
        if last == 'folded':
            return '' if len(lines) == MOST_LOGGED else 'folded too early'
        if not re.match('OK$' if expected == 'OK' else rf'ERR {expected} \S', last):
            return f'not {expected}'
        if row.count >= 0 and len(lines) != row.count:
            return f'not {row.count} lines'
        for line in lines:
            if row.line and not re.search(row.line, line):
                return f'no {row.line!r} in {line!r}'
        return ''


def untagged(text):
    return re.sub(r'^#\S+ ', '', text)


def encoded(request):
    return (request if isinstance(request, bytes) else request.encode()) + b'\n'


class Socket(Transport):
    name = 'socket'

    def ask(self, request, _):
        if not hasattr(self, 'peer'):
            self.peer = self.rig.peer(timeout=70)
        self.peer.send(encoded(request))
        return self.peer.answer()


class StandardInput(Transport):
    name = 'stdin'

    def ask(self, request, _):
        daemon = self.rig.daemon
        since = len(daemon.lines)
        daemon.child.stdin.write(encoded(request))
        daemon.child.stdin.flush()
        daemon.wait_for(r'^(#\S+ )?(OK$|ERR )', since=since, timeout=70)
        lines = [untagged(text) for text in daemon.texts('out', since)
                 if not text.startswith('! ')]
        return lines[:-1], lines[-1]


class FIFO(Transport):
    """Answers stand in the log, ten lines a second."""

    name = 'FIFO'
    differing = {'events on': 'unsupported', 'events off': 'unsupported'}

    def ask(self, request, count):
        room = count if 0 <= count < MOST_LOGGED else MOST_LOGGED - 1
        while self.logged_lately() + room + 1 > MOST_LOGGED:
            time.sleep(0.02)
        daemon = self.rig.daemon
        since = len(daemon.lines)
        with open(self.rig.fifo_path, 'wb') as fifo:
            fifo.write(encoded(request))
        pattern = r'event=reply (line="?(#\S+ )?(OK"?$|ERR )|folded=)'
        found = daemon.wait_for(pattern, since=since, timeout=70)
        lines = [self.unquoted(text.split(' line=', 1)[1])
                 for text in daemon.texts('err', since) if 'event=reply line=' in text]
        return (lines, 'folded') if 'folded' in found[0] else (lines[:-1], lines[-1])

    def logged_lately(self):
        daemon = self.rig.daemon
        with daemon.changed:
            return sum(1 for at, _, text in daemon.lines
                       if at > time.monotonic() - 1.1 and 'event=reply line=' in text)

    @staticmethod
    def unquoted(text):
        if text.startswith('"'):
            text = re.sub(r'\\(.)', r'\1', text[1:-1])
        return untagged(text)


class VerbTableTest(unittest.TestCase):
    def test_each_verb_over_each_transport(self):
        """All three at once: mostly they wait."""
        transports = [kind() for kind in (Socket, StandardInput, FIFO)]
        for transport in transports:
            self.addCleanup(transport.rig.close)
            self.addCleanup(transport.watcher.close)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            outcomes = list(pool.map(Transport.play, transports))
        wrong = [line for _, lines in outcomes for line in lines]
        self.assertEqual(wrong, [], '\n' + '\n'.join(wrong))
        counts = ', '.join(f'{transport.name} {count}'
                           for transport, (count, _) in zip(transports, outcomes))
        print(f'         requests of {len(ROWS)} verbs: {counts}', flush=True)

    def test_every_verb_has_good_bad_and_boundary_rows(self):
        rig = Simulated()
        self.addCleanup(rig.close)
        rig.start_daemon(1)
        peer = rig.peer()
        self.addCleanup(peer.close)
        lines, _ = peer.ask('help')
        verbs = {line.split()[0] for line in lines if not line.startswith(('TARGET', 'numbers'))}
        self.assertEqual(verbs, set(ROWS))
        for verb, rows in ROWS.items():
            self.assertEqual({row.kind for row in rows}, {GOOD, BAD, BOUND}, verb)


if __name__ == '__main__':
    unittest.main()
