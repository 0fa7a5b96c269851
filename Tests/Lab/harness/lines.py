"""A client of a Unix socket on which lines are asked and answered."""

import socket
import time


class Lines:
    def __init__(self, path, timeout=10):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.file = self.socket.makefile('rw', newline='\n')

    def ask(self, line):
        """Send a line; the one that answers it."""
        self.say(line)
        return self.read()

    def say(self, line):
        self.file.write(line + '\n')
        self.file.flush()

    def read(self):
        line = self.file.readline()
        if not line:
            raise EOFError('the other end hung up')
        return line.rstrip('\n')

    def close(self):
        self.file.close()
        self.socket.close()


def wait_for_socket(path, process, seconds):
    """Wait until a program listens; False if it ended or took too long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            Lines(path).close()
            return True
        except OSError:
            time.sleep(0.05)
    return False
