"""The virtual Pi: a machine with a disk, its power, and the air around it."""

import json
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import time

from airlog import AirLog
from guest import Guest
from lab import Lab
from lines import Lines, wait_for_socket
from scenario import Failure
from simulator import Simulator

CAMERAS = 4
SOCKET = '/run/geotagd/control.sock'
FEEDER = '/opt/lab/nmea_feeder.py'
# Under emulation an arm64 machine takes minutes.
BOOT_SECONDS = {'amd64': 180, 'arm64': 600}
QEMU = {
    'amd64': ['qemu-system-x86_64', '-machine', 'q35', '-cpu', 'max'],
    # What a Pi 4 has.
    'arm64': ['qemu-system-aarch64', '-machine', 'virt', '-cpu', 'cortex-a72'],
}
CONSOLE = {'amd64': 'ttyS0', 'arm64': 'ttyAMA0'}


class VirtualPi:
    """Boots from a disk of its own, which outlives a power cut and no run.

    Waiting, measuring and the air are the lab's.
    """

    until, wait, measure, check = Lab.until, Lab.wait, Lab.measure, Lab.check
    tell_radio, start, stop = Lab.tell_radio, Lab.start, Lab.stop

    def __init__(self, binaries, python, folder, arch):
        self.binaries, self.python, self.folder, self.arch = binaries, python, folder, arch
        self.sockets = pathlib.Path(tempfile.mkdtemp(prefix='pi-'))
        self.processes, self.measured = {}, {}
        self.guest = Guest(self.sockets / 'agent')
        # Room for a slow machine in each limit.
        self.patience = 1 if arch == 'amd64' else 4
        self.up = False

    # Power.

    def first_boot(self):
        """What this machine is, after its first boot with a new disk; in a sentence."""
        subprocess.run(['cp', '--sparse=always', self.folder / 'disk', self.disk], check=True)
        self.start_air()
        self.boot()
        kernel = self.guest.shell('uname -rm').strip()
        versions = self.guest.shell(
            "dpkg-query -W -f '${Package} ${Version}, ' geotagd bluez gpsd systemd")
        return f'virtual Pi, Linux {kernel} (emulated), {versions.rstrip(", ")}'

    @property
    def disk(self):
        return self.folder / 'disk.running'

    def boot(self, clock='utc', seconds_ahead=0):
        """Switch it on: the seconds until it can be talked to. Its clock may be wrong.

        `seconds_ahead`: what the receiver's time is ahead of that clock.
        """
        since = time.monotonic()
        self.seconds_ahead = seconds_ahead
        console = self.folder / 'console.log'
        console.unlink(missing_ok=True)
        self.start(
            'machine', *QEMU[self.arch], '-accel', 'tcg', '-nodefaults', '-no-user-config',
            '-display', 'none', '-no-reboot', '-smp', '2', '-m', '1024', '-rtc', f'base={clock}',
            '-kernel', self.folder / 'vmlinuz', '-initrd', self.folder / 'initrd',
            '-append', f'console={CONSOLE[self.arch]} quiet loglevel=4 panic=-1 mitigations=off',
            '-serial', f'file:{console}',
            '-drive', f'file={self.disk},if=none,id=disk,format=raw,cache=writethrough',
            '-device', 'virtio-blk-pci,drive=disk', '-device', 'virtio-serial-pci',
            '-chardev', f'socket,id=line,path={self.sockets / "adapter"},reconnect=1',
            '-device', 'virtconsole,chardev=line',
            '-chardev', f'socket,id=agent,path={self.sockets / "agent"}',
            '-device', 'virtserialport,chardev=agent,name=agent',
        )
        self.guest.meet(self.processes['machine'], BOOT_SECONDS[self.arch])
        self.up = True
        return time.monotonic() - since

    def cut_power(self):
        """What was not on the disk is gone."""
        self.up = False
        process = self.processes.pop('machine')
        process.kill()
        process.wait()

    def power_off(self):
        """In good order; the seconds that took."""
        since = time.monotonic()
        self.up = False
        # The machine may be off before it could answer.
        self.guest.post('run', argv=['systemctl', 'poweroff'], timeout=30)
        try:
            self.processes['machine'].wait(90 * self.patience)
        except subprocess.TimeoutExpired:
            raise Failure('the machine did not switch off') from None
        self.stop('machine')
        return time.monotonic() - since

    def shut_down(self):
        for name in list(self.processes):
            self.stop(name)
        self.disk.unlink(missing_ok=True)
        shutil.rmtree(self.sockets)

    # The air.

    def start_air(self):
        cameras, control, adapter = (
            self.sockets / name for name in ('cameras', 'control', 'adapter'))
        self.start(
            'simulator', self.binaries / 'lab-cameras', '--socket', cameras,
            '--cameras', CAMERAS, '--log', self.folder / 'cameras.log')
        self.check(wait_for_socket(cameras, self.processes['simulator'], 10), 'simulator')
        events = self.folder / 'air.log'
        events.unlink(missing_ok=True)
        self.start(
            'radio', self.python, pathlib.Path(__file__).parent.parent / 'radio',
            '--simulator', cameras, '--control', control, '--log', events, '--strangers', '--adapter', adapter)
        self.check(wait_for_socket(control, self.processes['radio'], 20), 'radio')
        self.radio = Lines(control)
        self.simulator = Simulator(cameras)
        self.air = AirLog(events)

    # The machine's owner.

    def begin(self):
        """Between scenarios: switched on, its services as at boot, and no error behind."""
        if not self.up:
            self.boot()
        self.guest.shell('systemctl reset-failed; systemctl start bluetooth geotagd')

    def drive(self):
        """A receiver sends ten positions a second, until the machine is switched off."""
        self.guest.shell('systemctl stop --quiet lab-receiver 2>/dev/null; '
                         'systemctl reset-failed lab-receiver 2>/dev/null; '
                         'systemd-run --quiet --collect --unit lab-receiver /usr/bin/python3 '
                         f'{FEEDER} --udp 127.0.0.1:4001 --rate 10 '
                         f'--time-offset {self.seconds_ahead} --sentences GGA,GSA,RMC,GSV',
                         seconds=60 * self.patience)

    def name_cameras(self):
        """The owner writes the cameras into the configuration, and has it read."""
        sections = ''.join(
            f'\n[camera cam{index}]\naddress = {address}\nnumber = {index + 1}\n'
            for index, address in enumerate(self.simulator.addresses))
        self.guest.shell(
            'grep -q "^.camera cam" /etc/geotagd.conf || '
            f'printf %s {shlex.quote(sections)} >>/etc/geotagd.conf')

    def show(self, unit, *properties):
        """Properties of a unit, by name."""
        lines = self.guest.run(
            'systemctl', 'show', unit, '--property', ','.join(properties)).splitlines()
        return dict(line.split('=', 1) for line in lines)

    def status(self):
        """`status json`, as Python has it."""
        answer = self.guest.ask('command', 40, socket=SOCKET, line='status json', timeout=30)
        return json.loads(answer['lines'][0])

    def active(self, *units):
        return all(self.show(unit, 'ActiveState')['ActiveState'] == 'active' for unit in units)

    def keep_journal(self, name):
        if self.up:
            try:
                text = self.guest.run('journalctl', '--no-pager', '-b', '-n', '500',
                                      seconds=60 * self.patience)
                (self.folder / f'{name}.journal').write_text(text)
                (self.folder / f'{name}.status').write_text(json.dumps(self.status(), indent=1))
            except (Failure, OSError):
                pass
