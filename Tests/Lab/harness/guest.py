"""The guest, as the scenarios on the host see it: requests to the agent in it."""

import json
import signal
import socket
import time

from scenario import Failure

BOOT_SECONDS = 90
# A virtio port holds 64 messages that nobody has read.
MAX_QUESTIONS = 60


class Guest:
    """Listens for the guest's agent, and asks it to do things."""

    def __init__(self, path):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(1)
        self.folder = '/lab'
        self.number = 0
        self.answers = {}

    def meet(self, machine, boot_seconds=BOOT_SECONDS):
        """Wait until the agent answers in a machine that was just started."""
        self.listener.settimeout(10)
        self.connection, _ = self.listener.accept()
        self.connection.settimeout(1)
        self.pending = b''
        # What is said before the agent has opened its end may be lost: ask again, but no more often
        # than the port keeps.
        end = time.monotonic() + boot_seconds
        while time.monotonic() < end and machine.poll() is None:
            try:
                return self.ask('clock', seconds=boot_seconds / MAX_QUESTIONS)
            except Failure:
                pass
        raise Failure('the guest did not start')

    def post(self, do, **arguments):
        """Send a request; its number, for `answer`."""
        self.number += 1
        request = {'id': self.number, 'do': do} | arguments
        self.connection.sendall(json.dumps(request).encode() + b'\n')
        return self.number

    def answer(self, number, seconds):
        """The answer to a request that was posted."""
        end = time.monotonic() + seconds
        while number not in self.answers:
            self.connection.settimeout(max(0.001, end - time.monotonic()))
            try:
                data = self.connection.recv(65536)
            except TimeoutError:
                raise Failure(f'no answer from the guest in {seconds:g} s') from None
            if not data:
                raise Failure('the guest is gone')
            *lines, self.pending = (self.pending + data).split(b'\n')
            for line in lines:
                answer = json.loads(line)
                self.answers[answer.pop('id')] = answer
        answer = self.answers.pop(number)
        if 'error' in answer:
            raise Failure(f'in the guest: {answer["error"]}')
        return answer

    def ask(self, do, seconds=30, **arguments):
        return self.answer(self.post(do, **arguments), seconds)

    def run(self, *argv, seconds=30, check=True):
        """Run a command in the guest to its end; its output."""
        answer = self.ask('run', seconds + 5, argv=argv, timeout=seconds)
        if check and answer['status']:
            raise Failure(f'{argv} ended with status {answer["status"]}: {answer["output"]}')
        return answer['output']

    def shell(self, script, seconds=30, check=True):
        return self.run('/bin/bash', '-c', script, seconds=seconds, check=check)

    def spawn(self, name, *argv, env=None):
        """Start a program that goes on running, its output in the scenario's NAME.log."""
        output = f'{self.folder}/{name}.log'
        return self.ask('spawn', name=name, argv=argv, output=output, env=env or {})

    def signal(self, name, number=signal.SIGTERM):
        self.ask('signal', name=name, number=int(number))

    def wait(self, name, seconds):
        """Wait for a program to end: its status, and how long that took."""
        answer = self.ask('wait', seconds + 5, name=name, timeout=seconds)
        if answer['status'] is None:
            raise Failure(f'{name} did not end in {seconds:g} s')
        return answer['status'], answer['seconds']

    def clock_offset(self):
        """Seconds that the guest's clock is ahead of this machine's."""
        best = None
        for _ in range(5):
            before = time.time()
            there = self.ask('clock')['real']
            after = time.time()
            if best is None or after - before < best[0]:
                best = after - before, there - (before + after) / 2
        return best[1]
