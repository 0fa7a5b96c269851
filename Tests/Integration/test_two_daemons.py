"""One daemon serves a bus: what a second one does, with a real bus between them."""

import signal
import time
import unittest

from processes import BINARIES
from rig import Rig, fields

CAMERAS = 2
TAKEN = r'another geotagd \(process {}\) serves this Bluetooth'
# How often the one that waits asks again, and what a busy machine adds.
AGAIN_SECONDS = 10


class TwoDaemonsTest(unittest.TestCase):
    def setUp(self):
        self.rig, self.other = Rig(), Rig()
        for rig in (self.other, self.rig):
            self.addCleanup(rig.close)
            rig.start_gpsd()
            rig.start_feeder(10)

    def states(self, rig):
        return [fields(text).get('state') for text in rig.ask('cameras')[0]]

    def until_ready(self, rig, seconds):
        deadline = time.monotonic() + seconds
        while self.states(rig) != ['ready'] * CAMERAS:
            self.assertLess(time.monotonic(), deadline, self.states(rig))
            time.sleep(0.1)

    def test_a_second_daemon_does_not_start_and_names_the_first(self):
        self.rig.start_bus()
        cameras = self.rig.start_cameras(CAMERAS)
        first = self.rig.start_daemon(self.addresses(cameras))
        first.wait_for('event=start')
        self.until_ready(self.rig, 30)
        self.other.environment = self.rig.environment
        second = self.other.start_daemon(self.addresses(cameras))
        self.assertEqual(second.wait(20), 69)
        self.assertRegex('\n'.join(second.texts()), TAKEN.format(first.child.pid))
        self.assertFalse(self.other.socket_path.exists())
        # The first has not noticed.
        self.assertEqual(self.states(self.rig), ['ready'] * CAMERAS)
        self.assertEqual([fields(text)['reconnects'] for text in self.rig.ask('cameras')[0]],
                         ['0'] * CAMERAS)
        # A simulation has no Bluetooth to share.
        made_up = self.other.start('simulation', *self.simulation(), env=self.other.environment)
        self.assertEqual(made_up.wait(20), 0)

    def test_a_bus_that_another_serves_already_is_taken_over_when_that_one_ends(self):
        self.rig.start_bus()
        cameras = self.rig.start_cameras(CAMERAS)
        serving = self.rig.start_daemon(self.addresses(cameras))
        serving.wait_for('event=start')
        # The other one begins on a bus of its own, which then makes way for the first one's.
        own = self.other.start_bus()
        waiting = self.other.start_daemon(self.addresses(cameras))
        waiting.wait_for('event=start')
        waiting.wait_for('state=no-bluetoothd')
        self.until_ready(self.rig, 30)
        own.stop()
        self.other.bus_path.unlink(missing_ok=True)
        self.other.bus_path.symlink_to(self.rig.bus_path)
        waiting.wait_for(TAKEN.format(serving.child.pid))
        # It asks again, and says so once.
        time.sleep(AGAIN_SECONDS + 2)
        lines = '\n'.join(waiting.texts())
        self.assertEqual(lines.count('serves this Bluetooth'), 1, lines)
        self.assertNotRegex(lines, 'state=(connecting|handshake|ready)')
        self.assertEqual(self.states(self.rig), ['ready'] * CAMERAS)
        serving.signal(signal.SIGTERM)
        self.assertEqual(serving.wait(10), 0)
        self.until_ready(self.other, AGAIN_SECONDS + 40)

    def addresses(self, cameras):
        return [text.split()[2] for text in cameras.texts('out') if text.startswith('camera ')]

    def simulation(self):
        return BINARIES / 'geotagd', '--simulate', 1, '--for', 1


if __name__ == '__main__':
    unittest.main()
