"""What was on the air: the radio's log, read while it is written."""

import collections
import dataclasses
import struct

GPS_PUSH = bytes([0x00, 0x17])
FRAME_LENGTH = 66


@dataclasses.dataclass
class Event:
    """One line of the log; `time` is this machine's, in seconds since 1970."""

    time: float
    name: str
    detail: str
    data: bytes


@dataclasses.dataclass
class Push:
    """A GPS push as a camera received it (protocol 3.5)."""

    time: float
    date: int
    clock: int
    longitude: float
    latitude: float
    height: float
    north: float
    east: float
    down: float
    satellites: int

    @classmethod
    def read(cls, event):
        """The push in a write; None if it is something else."""
        data = event.data
        if len(data) != FRAME_LENGTH or data[0] != 0xAA or data[12:14] != GPS_PUSH:
            return None
        date, clock, lon, lat, height, north, east, down = struct.unpack_from('<5i3f', data, 14)
        satellites = struct.unpack_from('<I', data, 58)[0]
        return cls(
            event.time, date, clock, lon / 1e7, lat / 1e7, height / 1e3,
            north / 100, east / 100, down / 100, satellites,
        )


class AirLog:
    """All events by who they happened to: cameras by number, others by their label."""

    def __init__(self, path):
        self.file = open(path, encoding='ascii')
        self.partial = ''
        self.events = collections.defaultdict(list)
        self.pushes = collections.defaultdict(list)

    def read(self):
        """Take in what was written since the last time."""
        *lines, self.partial = (self.partial + self.file.read()).split('\n')
        for line in lines:
            time, who, name, *data = line.split(' ')
            name, _, detail = name.partition('/')
            event = Event(float(time), name, detail, bytes.fromhex(data[0]) if data else b'')
            who = int(who) if who.isdigit() else who
            self.events[who].append(event)
            if name == 'write' and (push := Push.read(event)):
                self.pushes[who].append(push)

    def forget(self):
        """Start anew, for the next scenario."""
        self.read()
        self.events.clear()
        self.pushes.clear()

    def since(self, who, time, *names):
        """Events after a time, of these names or all."""
        return [
            event for event in self.events[who]
            if event.time > time and (not names or event.name in names)
        ]

    def positions(self, camera, since, until=float('inf')):
        """Pushes with a position that a camera got after `since` and up to `until`."""
        return [
            push for push in between(self.pushes[camera], since, until) if push.satellites > 0
        ]

    def gap(self, camera, since, until):
        """The longest time without a position between two instants, in seconds."""
        times = [push.time for push in self.positions(camera, since, until)]
        edges = [since, *times, until]
        return max(after - before for before, after in zip(edges, edges[1:]))


def between(timed, since, until):
    """What of a list in order of time lies after `since` and up to `until`."""
    found = []
    for item in reversed(timed):
        if item.time <= since:
            break
        if item.time <= until:
            found.append(item)
    return found[::-1]
