"""The lab: the guest, the air around it, and the daemon in it."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from airlog import AirLog
from simulator import Simulator
from daemon import Daemon
from guest import Guest
from lines import Lines, wait_for_socket
from receiver import Receiver
from scenario import Failure

HERE = pathlib.Path(__file__).resolve().parent.parent
ADAPTERS = 2
HID_SETTINGS = '/etc/bluetooth/input.conf'
START_SECONDS = 20
POLL_SECONDS = 0.05


@dataclasses.dataclass
class Settings:
    """Where things are."""

    binaries: pathlib.Path  # geotagd and lab-cameras
    python: pathlib.Path  # the one that has Bumble
    out: pathlib.Path  # logs
    btmon: bool  # record HCI traffic in the guest


class Lab:
    """Boots once; `begin` makes all but the guest's kernel new for each scenario."""

    def __init__(self, settings):
        self.settings = settings
        self.out = self.folder = settings.out
        self.sockets = pathlib.Path(tempfile.mkdtemp(prefix='lab-'))
        self.processes = {}
        self.measured = {}
        self.guest = Guest(self.sockets / 'agent')
        self.daemon = Daemon(self)
        self.receiver = Receiver(self)

    # The machine.

    def boot(self):
        argv = [HERE / 'vm', '-o', self.out, '-p', self.sockets / 'agent']
        for index in range(ADAPTERS):
            argv += ['-s', self.sockets / f'adapter{index}']
        self.start('vm', *argv, '/usr/bin/python3', HERE / 'agent.py', '/dev/vport0p20')
        self.guest.meet(self.processes['vm'])

    def halt(self):
        if self.processes['vm'].poll() is None:
            try:
                self.guest.ask('quit', seconds=5)
                self.processes['vm'].wait(15)
            except (Failure, OSError, subprocess.TimeoutExpired):
                pass
        self.stop('vm')

    def boot_again(self):
        """A new kernel, after one that broke in a scenario; keeps what the old one said."""
        self.halt()
        shutil.copy(self.out / 'kernel.log', self.folder)
        self.boot()

    @property
    def versions(self):
        """Of the guest's kernel and of its bluetoothd."""
        kernel = self.guest.shell('uname -rv').split()
        bluetoothd = self.guest.run('/usr/libexec/bluetooth/bluetoothd', '--version').strip()
        return f'Linux {kernel[0]} ({kernel[-2]}), bluetoothd {bluetoothd}'

    @property
    def oopses(self):
        """How often the guest's kernel broke since it was booted; each takes bluetoothd along."""
        log = (self.out / 'kernel.log').read_text(errors='replace')
        return len(re.findall(r' \[#\d+\] ', log))

    def shut_down(self):
        self.halt()
        for name in list(self.processes):
            self.stop(name)
        for path in self.sockets.iterdir():
            path.unlink()
        self.sockets.rmdir()

    def start(self, name, *argv):
        """Start a program on this machine, its output in NAME.log."""
        with open(self.folder / f'{name}.log', 'ab') as log:
            self.processes[name] = subprocess.Popen(
                [str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def stop(self, name):
        if process := self.processes.pop(name, None):
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    # A scenario's beginning and end.

    def begin(self, name, cameras=10, stock=False):
        """All anew: the air with so many cameras, one adapter, bluetoothd, and no daemon.

        `stock`: without the setting that owners of an Action 5 Pro are told to make.
        """
        self.folder = self.out / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.guest.folder = f'/lab/{name}'
        self.measured = {}
        self.start_air(cameras)
        security = 'true' if stock else 'false'
        self.guest.shell(
            f'echo /lab/{name} >/run/lab/folder; rm -rf /var/lib/bluetooth/* /run/lab/state; '
            f'sed -i "s/^.*LEAutoSecurity=.*/LEAutoSecurity={security}/" {HID_SETTINGS}'
        )
        if self.settings.btmon:
            self.guest.spawn('btmon', 'btmon', '-w', f'/lab/{name}/btmon.snoop')
        self.attach(0)
        self.start_bluetoothd()
        self.began = time.time()
        self.activations = self.count_activations()

    def begin_again(self, **different):
        """For a scenario that needs another beginning than the usual one."""
        self.end()
        self.begin(self.folder.name, **different)

    def end(self):
        """Stop what the scenario left running."""
        self.daemon.kill()
        self.receiver.stop()
        # Nobody may start it while it is being stopped.
        self.guest.shell('touch /run/lab/bluetoothd.stop')
        self.guest.ask('kill', programs=['bluetoothd', 'btattach', 'btmon'])
        self.guest.shell('rm /run/lab/bluetoothd.stop')
        self.stop('radio')
        self.stop('simulator')

    def start_air(self, cameras):
        self.count = cameras
        paths = [self.sockets / f'adapter{index}' for index in range(ADAPTERS)]
        for path in [self.sockets / 'simulator', self.sockets / 'control', *paths]:
            path.unlink(missing_ok=True)
        self.start(
            'simulator', self.settings.binaries / 'lab-cameras',
            '--socket', self.sockets / 'simulator', '--cameras', cameras,
            '--log', self.folder / 'cameras.log',
        )
        self.check(wait_for_socket(self.sockets / 'simulator', self.processes['simulator'], 10), 'simulator')
        events = self.folder / 'air.log'
        events.unlink(missing_ok=True)
        self.start(
            'radio', self.settings.python, HERE / 'radio', '--simulator', self.sockets / 'simulator',
            '--control', self.sockets / 'control', '--log', events, '--strangers',
            *(word for path in paths for word in ('--adapter', path)),
        )
        ready = wait_for_socket(self.sockets / 'control', self.processes['radio'], 10)
        self.check(ready, 'radio')
        self.radio = Lines(self.sockets / 'control')
        self.simulator = Simulator(self.sockets / 'simulator')
        self.air = AirLog(events)
        # The machine's serial lines find their new other ends within a second.
        plugged = lambda: all(
            self.air.since(f'a{index}', 0, 'plugged') for index in range(ADAPTERS)
        )
        self.until(plugged, START_SECONDS, 'the machine did not take the adapters')

    def check(self, ok, name):
        if not ok:
            log = (self.folder / f'{name}.log').read_text(errors='replace')
            raise Failure(f'the {name} did not start: {log[-500:]}')

    # Adapters and bluetoothd.

    def attach(self, index):
        """Plug an adapter in."""
        self.guest.spawn(f'btattach{index}', 'btattach', '-B', f'/dev/hvc{index + 1}',
                         '-P', 'h4', '-N')
        self.guest.shell(
            f'for _ in $(seq 200); do [ -e /sys/class/bluetooth/hci{index} ] && exit;'
            ' busybox usleep 25000; done; exit 1'
        )

    def unplug(self, index):
        """Pull an adapter out."""
        self.guest.signal(f'btattach{index}')
        self.guest.wait(f'btattach{index}', 10)
        self.tell_radio(f'unplug {index}')

    def start_bluetoothd(self):
        self.guest.run(
            'dbus-send', '--system', '--print-reply', '--dest=org.freedesktop.DBus', '/',
            'org.freedesktop.DBus.StartServiceByName', 'string:org.bluez', 'uint32:0',
        )

    def kill_bluetoothd(self):
        self.guest.ask('kill', programs=['bluetoothd'])

    def set_powered(self, index, on):
        self.guest.run(
            'dbus-send', '--system', '--print-reply', '--dest=org.bluez', f'/org/bluez/hci{index}',
            'org.freedesktop.DBus.Properties.Set', 'string:org.bluez.Adapter1',
            'string:Powered', f'variant:boolean:{"true" if on else "false"}',
        )

    def count_activations(self):
        """How often bluetoothd was started so far."""
        log = (self.out / 'dbus.log').read_text(errors='replace')
        return log.count("Successfully activated service 'org.bluez'")

    @property
    def restarts(self):
        """How often bluetoothd had to be started again in this scenario."""
        return self.count_activations() - self.activations

    # The air.

    def tell_radio(self, line):
        answer = self.radio.ask(line)
        if answer.startswith('error'):
            raise Failure(f'radio: {line}: {answer}')
        return answer

    # Waiting and measuring.

    def until(self, condition, seconds, otherwise):
        """Wait for a condition; the seconds that took. Fails with a sentence."""
        start = time.monotonic()
        while True:
            self.air.read()
            if condition():
                return time.monotonic() - start
            if time.monotonic() - start > seconds:
                sentence = otherwise() if callable(otherwise) else otherwise
                raise Failure(f'{sentence} (waited {seconds:g} s)')
            time.sleep(POLL_SECONDS)

    def wait(self, seconds):
        """Let time pass, for things that must not happen."""
        time.sleep(seconds)
        self.air.read()

    def measure(self, what, value, unit='s'):
        """Note a result for the table."""
        shown = f'{value:.1f} {unit}' if isinstance(value, float) else str(value)
        self.measured[what] = shown
        print(f'    {what}: {shown}', file=sys.stderr, flush=True)
