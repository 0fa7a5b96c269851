"""Two daemons on one machine start to record together, by `record start at=UTC`."""

import datetime
import time
import unittest

from console import Simulated
from rig import fields

CAMERAS = 4
# Between the first and the last frame, seconds: what an editor can cut by without looking.
SPREAD = 0.05


def ahead(seconds):
    instant = datetime.datetime.fromtimestamp(time.time() + seconds, datetime.timezone.utc)
    return instant.strftime('%Y-%m-%dT%H:%M:%S.%fZ')


class TogetherTest(unittest.TestCase):
    def setUp(self):
        self.rigs = [Simulated(), Simulated()]
        for rig in self.rigs:
            self.addCleanup(rig.close)
            rig.start_daemon(CAMERAS)
        self.peers = [rig.wait_ready(CAMERAS) for rig in self.rigs]
        for peer in self.peers:
            self.addCleanup(peer.close)

    def test_two_rigs_start_together(self):
        request = f'record start at={ahead(3)}'
        for peer in self.peers:
            peer.send(request)
        sent = []
        for peer in self.peers:
            lines, last = peer.answer()
            self.assertEqual(last, 'OK', lines)
            self.assertEqual(len(lines), CAMERAS + 1, lines)
            summary = fields(lines[-1])
            self.assertEqual(summary['cameras'], str(CAMERAS))
            self.assertLess(float(summary['spread_ms']), 1000 * SPREAD)
            sent += [float(fields(line)['sent_mono']) for line in lines[:-1]]
            self.assertTrue(all(c['recording'] for c in peer.status()['cameras']))
        spread = max(sent) - min(sent)
        print(f'two rigs of {CAMERAS} cameras: spread {1000 * spread:.0f} ms')
        self.assertLess(spread, SPREAD)

    def test_stop_cancels_and_status_goes_on_meanwhile(self):
        peer = self.peers[0]
        peer.send(f'#start record start at={ahead(30)}')
        self.assertEqual(len(peer.status()['cameras']), CAMERAS)
        peer.send('#stop record stop')
        ends = {}
        while len(ends) < 2:
            tag, rest = peer.line().split(' ', 1)
            if rest == 'OK' or rest.startswith('ERR'):
                ends[tag] = rest
        self.assertEqual(ends['#stop'], 'OK')
        self.assertIn('ERR refused', ends['#start'])
        self.assertFalse(any(c['recording'] for c in peer.status()['cameras']))


if __name__ == '__main__':
    unittest.main()
