"""Processes of a test: each in a group of its own, its lines kept with the instant they came."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARIES = Path(os.environ.get('GEOTAGD_BIN', ROOT / '.build' / 'release'))


class Program:
    """A child whose stdout and stderr are read line by line as they come."""

    def __init__(self, name, *command, env=None, stdin=False):
        self.name = name
        self.lines = []  # (monotonic seconds, stream, text)
        self.changed = threading.Condition()
        self.child = subprocess.Popen(
            [str(word) for word in command], env={**os.environ, **(env or {})},
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        self.readers = [
            threading.Thread(target=self._read, args=(stream, pipe), daemon=True)
            for stream, pipe in (('out', self.child.stdout), ('err', self.child.stderr))]
        for reader in self.readers:
            reader.start()

    def _read(self, stream, pipe):
        for line in pipe:
            with self.changed:
                text = line.decode('utf-8', 'replace').rstrip('\n')
                self.lines.append((time.monotonic(), stream, text))
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def write(self, text):
        self.child.stdin.write(text.encode())
        self.child.stdin.flush()

    def texts(self, stream=None, since=0):
        with self.changed:
            return [text for _, kind, text in self.lines[since:] if stream in (None, kind)]

    def wait_for(self, pattern, timeout=20, since=0, count=1):
        """The match in the count-th line that has the pattern; fails loudly when none comes."""
        expression = re.compile(pattern)
        deadline = time.monotonic() + timeout
        with self.changed:
            while True:
                found = [m for _, _, text in self.lines[since:] if (m := expression.search(text))]
                if len(found) >= count:
                    return found[count - 1]
                left = deadline - time.monotonic()
                if left <= 0 or (self.child.poll() is not None
                                 and not any(r.is_alive() for r in self.readers)):
                    tail = '\n'.join(text for _, _, text in self.lines[-25:])
                    raise AssertionError(
                        f'{self.name}: no line like {pattern!r} in {timeout} s '
                        f'(status {self.child.poll()}); last lines:\n{tail}')
                self.changed.wait(left)

    def signal(self, number):
        os.kill(self.child.pid, number)

    def wait(self, timeout=10):
        """The exit status, after all output was read."""
        status = self.child.wait(timeout)
        for reader in self.readers:
            reader.join(5)
        return status

    def stop(self):
        for number, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
            if self.child.poll() is not None:
                break
            self.signal(number)
            try:
                self.child.wait(patience)
            except subprocess.TimeoutExpired:
                continue
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        for pipe in (self.child.stdin, self.child.stdout, self.child.stderr):
            try:
                if pipe:
                    pipe.close()
            except OSError:
                pass


class Workplace:
    """A temporary folder and all that was started in it; gone at the end."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix='geotagd-test-'))
        self.programs = []

    def start(self, name, *command, **options):
        program = Program(name, *command, **options)
        self.programs.append(program)
        return program

    def close(self):
        for program in reversed(self.programs):
            program.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]
