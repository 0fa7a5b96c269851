"""The daemon in the guest: its configuration, its life and its answers."""

import json
import shlex
import signal
import time

from scenario import Failure

SOCKET = '/run/lab/geotagd.sock'
END_SECONDS = 10


class Daemon:
    def __init__(self, lab):
        self.lab = lab
        self.running = False
        self.used = None

    def start(self, cameras=None, **sections):
        """Start it with these cameras on the roster (all by default).

        `sections` are more keys of the configuration: fleet={'adapters': 'auto'}.
        """
        cameras = range(self.lab.count) if cameras is None else cameras
        folder = self.lab.folder.name
        (self.lab.folder / 'geotagd.conf').write_text(self.configuration(cameras, sections))
        self.run(folder)

    def run(self, folder=None):
        """Start it with the configuration that it had."""
        folder = folder or self.lab.folder.name
        self.lab.guest.spawn(
            'geotagd', str(self.lab.settings.binaries / 'geotagd'),
            '--config', f'/lab/{folder}/geotagd.conf', '--log-level', 'debug',
        )
        self.running = True
        self.started = time.time()

    def configuration(self, cameras, sections):
        folder = self.lab.folder.name
        whole = {
            'control': {'socket': SOCKET, 'fifo': 'none'},
            'track': {'directory': f'/lab/{folder}/tracks'},
            'state': {'directory': '/run/lab/state'},
        }
        for name, keys in sections.items():
            whole.setdefault(name, {}).update(keys)
        for index in cameras:
            address = self.lab.simulator.addresses[index]
            whole[f'camera {name_of(index)}'] = {'address': address, 'number': index + 1}
        return ''.join(
            f'[{name}]\n' + ''.join(f'{key} = {value}\n' for key, value in keys.items()) + '\n'
            for name, keys in whole.items()
        )

    def command(self, line, seconds=30):
        """One request: (data lines, the line that ends the reply)."""
        answer = self.lab.guest.ask(
            'command', seconds + 5, socket=SOCKET, line=line, timeout=seconds
        )
        *data, end = answer['lines'] or ['']
        if not end.startswith(('OK', 'ERR')):
            raise Failure(f'"{line}" was not answered to its end: {answer["lines"]}')
        return data, end

    def status(self):
        """`status json`, as Python has it."""
        data, _ = self.command('status json')
        return json.loads(data[0])

    def states(self):
        """States of the cameras on the roster, by name."""
        return {
            camera['name']: camera['state']
            for camera in self.status()['cameras'] if camera['number'] is not None
        }

    def usage(self):
        return self.lab.guest.ask('usage', name='geotagd') | {
            'seconds': time.time() - self.started
        }

    def stop(self):
        """End it in an orderly way; the seconds that took. Fails unless it exits with 0."""
        self.used = self.usage()
        self.lab.guest.signal('geotagd', signal.SIGTERM)
        self.running = False
        status, seconds = self.lab.guest.wait('geotagd', END_SECONDS)
        if status != 0:
            raise Failure(f'geotagd ended with status {status}')
        return seconds

    def crash(self):
        """End it as a power cut of its own would."""
        self.lab.guest.signal('geotagd', signal.SIGKILL)
        self.lab.guest.wait('geotagd', END_SECONDS)
        self.running = False

    def kill(self):
        """Whatever its state, it is gone after this."""
        if self.running:
            try:
                self.used = self.usage()
            except Failure:
                pass  # It is gone already.
            self.crash()


def name_of(index):
    """How a camera is called on the roster."""
    return f'cam{index:02d}'


def fields(line):
    """A data line's KIND, NAME and key=value pairs."""
    kind, name, *pairs = shlex.split(line)
    return kind, name, dict(pair.split('=', 1) for pair in pairs)
