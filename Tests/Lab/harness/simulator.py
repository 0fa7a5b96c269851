"""The connection to `lab-cameras`: the state of each simulated camera, and its buttons."""

import json

from lines import Lines
from scenario import Failure


class Simulator:
    def __init__(self, path):
        self.lines = Lines(path)
        self.addresses = []
        while (line := self.lines.read()) != 'end':
            word, _, *rest = line.split()
            if word == 'camera':
                self.addresses.append(rest[0])

    def ask(self, line, count=1):
        """A command; what the cameras concerned are like after it."""
        self.lines.say(line)
        answers = [json.loads(self.lines.read()) for _ in range(count)]
        if 'error' in answers[0]:
            raise Failure(f'simulator: {answers[0]["error"]}')
        return answers

    def status(self):
        """All cameras, by number."""
        return self.ask('status', len(self.addresses))

    def camera(self, index):
        return self.ask(f'status {index}')[0]

    def set(self, index, key, value):
        self.ask(f'set {index} {key} {value}')

    def close(self):
        self.lines.close()
