"""The metrics, by prometheus's own tools."""

import json
import re
import shutil
import subprocess
import unittest

from console import CONTROL, Simulated
from processes import ROOT

MONITORING = ROOT / 'contrib' / 'monitoring'


def promtool(*words, text=None, folder=MONITORING):
    if not shutil.which('promtool'):
        raise AssertionError('promtool is missing: Tests/Tools/install-packages test (prometheus)')
    return subprocess.run(['promtool', *words], input=text, capture_output=True, text=True,
                          timeout=60, cwd=folder)


class MetricsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Simulated()
        cls.addClassCleanup(cls.rig.close)
        cls.rig.start_daemon(2)
        cls.rig.wait_ready(2).close()

    def metrics(self, *words):
        return self.rig.control('metrics', *words)

    def test_promtool_finds_nothing_wrong(self):
        done = self.metrics()
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        checked = promtool('check', 'metrics', text=done.stdout)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ''))
        self.assertIn('geotagd_up 1\n', done.stdout)
        self.assertIn('geotagd_camera_up{camera="cam1"} 1\n', done.stdout)
        position = self.rig.peer().status()['gps']
        for key in ('latitude', 'longitude'):
            self.assertNotIn(f'{position[key]:.3f}', done.stdout)

    def test_a_file_takes_its_place_at_once(self):
        path = self.rig.folder / 'geotagd.prom'
        for _ in range(2):
            done = self.metrics('--output', str(path))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, '', ''))
        self.assertIn('geotagd_up 1\n', path.read_text())
        self.assertEqual(path.stat().st_mode & 0o777, 0o644)
        self.assertEqual([p.name for p in self.rig.folder.glob('geotagd.prom*')], ['geotagd.prom'])
        done = self.metrics('--output', '/nowhere/at/all.prom')
        self.assertEqual(done.returncode, 74)

    def test_without_a_daemon_that_is_what_they_say(self):
        path = self.rig.folder / 'down.prom'
        done = subprocess.run(
            [CONTROL, '--socket', self.rig.folder / 'no.sock', 'metrics', '--output', path],
            capture_output=True, text=True, timeout=10)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(path.read_text(), r'(?m)^geotagd_up 0$')

    def test_the_alerts_fire_when_they_should(self):
        checked = promtool('check', 'rules', 'geotagd.rules.yml')
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn('5 rules found', checked.stdout)
        done = promtool('test', 'rules', 'geotagd.rules.test.yml')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_rules_and_dashboard_name_only_metrics_that_are_there(self):
        known = set(re.findall(r'^# TYPE (\w+)', self.metrics().stdout, re.M))
        board = json.loads((MONITORING / 'geotagd-dashboard.json').read_text())
        asked = ' '.join(t['expr'] for p in board['panels'] for t in p['targets'])
        asked += (MONITORING / 'geotagd.rules.yml').read_text()
        names = set(re.findall(r'\bgeotagd_\w+', asked))
        self.assertGreater(len(names), 10)
        self.assertLessEqual(names, known)


if __name__ == '__main__':
    unittest.main()
