"""The whole rig on one machine: a private bus, cameras on it, a real gpsd, and the daemon."""

import math
import socket
import time
from pathlib import Path

from processes import BINARIES, ROOT, Workplace, free_port

BUS = '''<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={path}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>
'''


class Circle:
    """Where the feeder drives: a circle, as a function of UTC (the same as nmea_feeder.py's)."""

    def __init__(self, latitude=48.137154, longitude=11.576124, radius=200, speed=15, height=520):
        self.latitude, self.longitude = latitude, longitude
        self.radius, self.speed, self.height = radius, speed, height

    def at(self, utc):
        angle = self.speed / self.radius * utc
        north, east = self.radius * math.sin(angle), self.radius * math.cos(angle)
        return {
            'latitude': self.latitude + north / 111319.4908,
            'longitude': self.longitude
            + east / (111319.4908 * math.cos(math.radians(self.latitude))),
            'height': self.height + 5 * math.sin(utc / 10),
            'north': self.speed * math.cos(angle), 'east': -self.speed * math.sin(angle)}

    def arguments(self):
        return ['--lat', self.latitude, '--lon', self.longitude, '--radius', self.radius,
                '--speed', self.speed, '--alt', self.height]


def distance(latitude, longitude, truth):
    """Metres between a place and a truth of Circle.at, on the feeder's own flat earth."""
    north = (latitude - truth['latitude']) * 111319.4908
    east = (longitude - truth['longitude']) * 111319.4908 * math.cos(
        math.radians(truth['latitude']))
    return math.hypot(north, east)


class Rig(Workplace):
    """Starts what a test asks for; everything has a port and a folder of its own."""

    def __init__(self):
        super().__init__()
        self.bus_path = self.folder / 'bus'
        self.gpsd_port = free_port()
        self.nmea_port = free_port(socket.SOCK_DGRAM)
        self.socket_path = self.folder / 'control.sock'
        self.fifo_path = self.folder / 'command'
        self.tracks = self.folder / 'tracks'
        self.environment = {'DBUS_SYSTEM_BUS_ADDRESS': f'unix:path={self.bus_path}'}
        # One reading of both clocks: stamps are monotonic, the feeder's course is one of UTC.
        self.utc_ahead = time.time() - time.monotonic()

    def start_bus(self):
        config = self.folder / 'bus.conf'
        config.write_text(BUS.format(path=self.bus_path))
        bus = self.start('dbus-daemon', 'dbus-daemon', f'--config-file={config}', '--nofork',
                         '--nopidfile', '--print-address=1')
        bus.wait_for('unix:')
        return bus

    def start_cameras(self, count=4, *arguments):
        cameras = self.start('cameras', BINARIES / 'geotag-sim', 'bluez', '--cameras', count,
                             *arguments, env=self.environment, stdin=True)
        cameras.wait_for(r'^ready')
        return cameras

    def start_feeder(self, rate=10, course=None, **options):
        words = [word for key, value in options.items()
                 for word in (f'--{key.replace("_", "-")}', value)]
        return self.start('feeder', '/usr/bin/python3', ROOT / 'Tests' / 'Tools' / 'nmea_feeder.py',
                          '--udp', f'127.0.0.1:{self.nmea_port}', '--rate', rate,
                          *(course or Circle()).arguments(), *words)

    def start_gpsd(self):
        return self.start('gpsd', 'gpsd', '-N', '-n', '-b', '-S', self.gpsd_port,
                          f'udp://127.0.0.1:{self.nmea_port}')

    def configuration(self, addresses, extra=''):
        path = self.folder / 'geotagd.conf'
        cameras = ''.join(
            f'[camera cam{number}]\naddress = {address}\nnumber = {number}\n'
            for number, address in enumerate(addresses, 1))
        path.write_text(f'''[gps]
host = 127.0.0.1
port = {self.gpsd_port}
[control]
fifo = {self.fifo_path}
socket = {self.socket_path}
[track]
directory = {self.tracks}
[state]
directory = {self.folder / 'state'}
{extra}
{cameras}''')
        return path

    def start_daemon(self, addresses, *arguments, extra=''):
        path = self.configuration(addresses, extra)
        return self.start('geotagd', BINARIES / 'geotagd', '--config', path, '--stdin', *arguments,
                          env=self.environment, stdin=True)

    def ask(self, line, timeout=15):
        """One command over the control socket: (data lines, last line)."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(timeout)
            client.connect(str(self.socket_path))
            client.sendall(line.encode() + b'\n')
            received = b''
            while True:
                lines = received.split(b'\n')
                for position, text in enumerate(lines[:-1]):
                    if text == b'OK' or text.startswith(b'ERR '):
                        return [row.decode() for row in lines[:position]], text.decode()
                more = client.recv(65536)
                if not more:
                    raise AssertionError(f'{line!r}: the socket closed after {received!r}')
                received += more


def fields(text):
    """The key=value words of a line; quoted values with blanks are not needed here."""
    return dict(word.split('=', 1) for word in text.split() if '=' in word)


def pushes(cameras, name=None, since=0):
    """GPS pushes that the stand-in printed: (seconds, camera, fields); void ones have sats 0."""
    found = []
    for text in cameras.texts('out', since):
        words = text.split()
        if len(words) > 2 and words[2] in ('gps', 'void') and name in (None, words[1]):
            found.append((int(words[0]) / 1e9, words[1], fields(text) | {'kind': words[2]}))
    return found
