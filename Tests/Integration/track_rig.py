"""What tests of the track have in common: a rig that drives in a circle, and disks to be harmed."""

import os
import signal
import subprocess
import time
import unittest

import track_readers as readers
from rig import Circle, Rig, distance, fields, pushes

COURSE = Circle(radius=60, speed=15)
SENTENCES = 'GGA,GSA,RMC,GSV,GST'
# A push that is missing leaves 200 ms between two others; the rest is left to a busy machine.
LONGEST_PAUSE = 0.19  # seconds


class TrackCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        readers.set_up()

    def setUp(self):
        self.rig = Rig()
        self.addCleanup(self.rig.close)

    def begin(self, cameras=1, extra='', feeder=True):
        rig = self.rig
        rig.start_bus()
        self.cameras = rig.start_cameras(cameras)
        self.gpsd = rig.start_gpsd()
        self.feeder = rig.start_feeder(10, COURSE, sentences=SENTENCES)
        addresses = [t.split()[2] for t in self.cameras.texts('out') if t.startswith('camera ')]
        self.daemon = rig.start_daemon(addresses, extra='[track]\n' + extra)
        self.daemon.wait_for('event=start', 30)
        self.daemon.wait_for('state=open path=', 30)
        deadline = time.monotonic() + 30
        while [fields(t).get('state') for t in rig.ask('cameras')[0]] != ['ready'] * cameras:
            self.assertLess(time.monotonic(), deadline, 'the cameras are not ready')
            time.sleep(0.2)

    def tracks(self):
        return sorted(self.rig.tracks.glob('track-*.csv'))

    def end(self):
        self.daemon.signal(signal.SIGTERM)
        self.assertEqual(self.daemon.wait(8), 0)

    def rows_go_on(self, rows):
        """Every epoch has its row: none was lost, none is there twice."""
        numbers = [int(row['seq']) for row in rows]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))))

    def no_push_is_missed(self, seconds):
        """Pushes come for so long, none is missing, while whatever happens happens."""
        since = len(self.cameras.lines)
        self.cameras.wait_for(' gps .*sats=[1-9]', seconds + 10, since=since,
                              count=round(seconds * 10))
        found = [p for p in pushes(self.cameras, since=since) if p[2]['kind'] == 'gps']
        for name in {camera for _, camera, _ in found}:
            times = [at for at, camera, _ in found if camera == name]
            pauses = [later - sooner for sooner, later in zip(times, times[1:])]
            self.assertLess(max(pauses), LONGEST_PAUSE, f'{name}: {pauses}')
        voids = [p for p in pushes(self.cameras, since=since) if p[2]['kind'] == 'void']
        self.assertEqual(voids, [])

    def off(self, milliseconds, latitude, longitude):
        """Metres between a place and where the rig was then."""
        return distance(latitude, longitude, COURSE.at(milliseconds / 1000))

    def mount(self, *words, place=None):
        place = place or self.rig.tracks
        place.mkdir()
        try:
            mount(*words, place)
        except (OSError, subprocess.CalledProcessError) as error:
            self.skipTest(f'nothing can be mounted here: {error}')
        self.addCleanup(subprocess.run, ['umount', '--lazy', str(place)], capture_output=True)


def mount(*words):
    subprocess.run(['mount', *map(str, words)], check=True, capture_output=True)


def can_mount_tmpfs():
    return os.geteuid() == 0


def make_disk(path):
    """An ext4 of 16 MiB in a file."""
    with path.open('wb') as file:
        file.truncate(16 << 20)
    subprocess.run(['mkfs.ext4', '-q', '-F', path], check=True)
    return path


def copy_disk(daemon, disk, copy):
    """The disk's blocks as a power cut would leave them now; when that was, by the monotonic clock.

    The daemon stands still meanwhile, or the copy would be of two moments.
    """
    daemon.signal(signal.SIGSTOP)
    cut = time.monotonic()
    try:
        subprocess.run(['cp', '--sparse=always', disk, copy], check=True)
    finally:
        daemon.signal(signal.SIGCONT)
    return cut
