"""A GPS receiver in the guest: the real gpsd, fed with NMEA over UDP."""

import math
import pathlib

FEEDER = pathlib.Path(__file__).resolve().parents[2] / 'Tools' / 'nmea_feeder.py'
METRES_PER_DEGREE = 111319.4908


class Circle:
    """The feeder's course."""

    latitude, longitude, radius, speed, height = 48.137154, 11.576124, 200.0, 15.0, 520.0

    def at(self, time):
        """(latitude, longitude) in degrees at a time of the guest's clock."""
        angle = self.speed / self.radius * time
        north, east = self.radius * math.sin(angle), self.radius * math.cos(angle)
        return (
            self.latitude + north / METRES_PER_DEGREE,
            self.longitude
            + east / (METRES_PER_DEGREE * math.cos(math.radians(self.latitude))),
        )

    def distance(self, a, b):
        """Metres between two places that are near each other."""
        north = (a[0] - b[0]) * METRES_PER_DEGREE
        east = (a[1] - b[1]) * METRES_PER_DEGREE * math.cos(math.radians(self.latitude))
        return math.hypot(north, east)


class Receiver:
    def __init__(self, lab):
        self.lab = lab
        self.running = []
        self.course = Circle()

    def start(self, rate=10):
        """Start gpsd, and a receiver that it hears so many times a second."""
        guest, folder = self.lab.guest, self.lab.folder.name
        guest.spawn('gpsd', 'gpsd', '-N', '-n', '-b', 'udp://127.0.0.1:4001')
        guest.spawn(
            'feeder', '/usr/bin/python3', str(FEEDER), '--udp', '127.0.0.1:4001',
            '--rate', str(rate), '--log', f'/lab/{folder}/truth.csv',
            '--sentences', 'GGA,GSA,RMC,GSV',
        )
        self.running = ['feeder', 'gpsd']

    def stop(self):
        for name in self.running:
            self.lab.guest.signal(name, 9)
        self.running = []
