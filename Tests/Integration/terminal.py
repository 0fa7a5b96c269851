"""A terminal that tests can look at."""

import re
import subprocess
import time


class Terminal:
    """A tmux session of one program."""

    count = 0

    def __init__(self, folder, command, columns, rows):
        Terminal.count += 1
        self.base = ['tmux', '-S', str(folder / f'tmux{Terminal.count}'), '-f', '/dev/null']
        self.run('new-session', '-d', '-x', str(columns), '-y', str(rows),
                 f'{command}; echo "exit $?"; cat')

    def run(self, *words):
        return subprocess.run([*self.base, *words], capture_output=True, text=True, check=True,
                              timeout=10).stdout

    def screen(self):
        return self.run('capture-pane', '-p').rstrip('\n')

    def wait_for(self, pattern, timeout=20):
        deadline = time.monotonic() + timeout
        while True:
            text = self.screen()
            if re.search(pattern, text):
                return text
            assert time.monotonic() < deadline, f'no {pattern!r} in\n{text}'
            # tmux tells nobody when a screen changes.
            time.sleep(0.1)

    def close(self):
        subprocess.run([*self.base, 'kill-server'], capture_output=True)
