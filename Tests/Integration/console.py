"""A simulated daemon and somebody at its control socket."""

import contextlib
import json
import socket
import subprocess
import time

from processes import BINARIES, Workplace

CONTROL = BINARIES / 'geotagctl'


class Peer:
    """A client of the control socket."""

    def __init__(self, path, timeout=15):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.received = b''

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode() + b'\n')

    def line(self):
        """The next line; None at the end."""
        while b'\n' not in self.received:
            more = self.socket.recv(65536)
            if not more:
                return None
            self.received += more
        text, self.received = self.received.split(b'\n', 1)
        return text.decode()

    def answer(self):
        """(data lines, last line) of the next answer; tags and events aside."""
        lines = []
        while True:
            text = self.line()
            assert text is not None, f'the socket closed after {lines}'
            bare = text.split(' ', 1)[1] if text.startswith('#') else text
            if bare == 'OK' or bare.startswith('ERR '):
                return lines, bare
            if not text.startswith('! '):
                lines.append(bare)

    def ask(self, request):
        self.send(request)
        return self.answer()

    def status(self):
        lines, last = self.ask('status json')
        assert last == 'OK', last
        return json.loads(lines[0])

    def close(self):
        self.socket.close()


class Simulated(Workplace):
    """geotagd --simulate with FIFO, socket and track of its own."""

    def __init__(self):
        super().__init__()
        self.socket_path = self.folder / 'control.sock'
        self.fifo_path = self.folder / 'command'
        self.tracks = self.folder / 'tracks'
        self.config = self.folder / 'geotagd.conf'

    def start_daemon(self, cameras=4, extra='', *arguments, **options):
        self.config.write_text(f'''[control]
fifo = {self.fifo_path}
socket = {self.socket_path}
[track]
directory = {self.tracks}
pushes = on
{extra}
''')
        daemon = self.start('geotagd', BINARIES / 'geotagd', '--simulate', cameras, '--config',
                            self.config, '--stdin', *arguments, stdin=True, **options)
        daemon.wait_for('event=start')
        self.daemon = daemon
        return daemon

    def peer(self, **options):
        deadline = time.monotonic() + 10
        while True:
            with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
                return Peer(self.socket_path, **options)
            assert time.monotonic() < deadline, 'nobody listens'
            self.daemon.changed.acquire()
            self.daemon.changed.wait(0.05)
            self.daemon.changed.release()

    def wait_ready(self, cameras=4, timeout=30):
        """A peer, once all cameras stream."""
        peer = self.peer()
        deadline = time.monotonic() + timeout
        peer.send('events on')
        peer.answer()
        while True:
            status = peer.status()
            gps = [camera['gps'] for camera in status['cameras']]
            if gps == ['pushing'] * cameras:
                peer.ask('events off')
                return peer
            assert time.monotonic() < deadline, status
            with self.daemon.changed:
                self.daemon.changed.wait(0.2)

    def control(self, *words, timeout=20, **options):
        """One call of geotagctl."""
        return subprocess.run(
            [str(CONTROL), '--socket', str(self.socket_path), *words], capture_output=True,
            text=True, timeout=timeout, **options)
