"""The version that packages get, and what `make install` and `make uninstall` leave behind."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from processes import ROOT

RELEASED = '## 0.2.0, 2027-01-31\n\n- Something that goes over\n  two lines.\n'


class ChangelogTest(unittest.TestCase):
    """contrib/packaging/changelog.py in a tree of three files."""

    def setUp(self):
        self.tree = Path(tempfile.mkdtemp(prefix='geotagd-test-'))
        self.addCleanup(shutil.rmtree, self.tree)
        for path in ('contrib/packaging', 'Sources/LineProtocol'):
            (self.tree / path).mkdir(parents=True)
        shutil.copy(ROOT / 'contrib/packaging/changelog.py', self.tree / 'contrib/packaging')
        self.write('0.2.0', RELEASED)

    def write(self, version, changelog):
        (self.tree / 'Sources/LineProtocol/Version.swift').write_text(
            f'enum Version {{\n    package static let text = "{version}"\n}}\n')
        path = self.tree / 'CHANGELOG.md'
        path.write_text('# Changelog\n\n' + changelog)
        os.utime(path, (1_800_000_000, 1_800_000_000))

    def ask(self, *arguments):
        return subprocess.run([self.tree / 'contrib/packaging/changelog.py', *arguments],
                              capture_output=True, text=True, timeout=20, check=False)

    def test_a_release_has_its_number_and_its_date(self):
        self.assertEqual(self.ask('--version').stdout, '0.2.0\n')
        said = self.ask().stdout
        self.assertIn('geotagd (0.2.0) unstable; urgency=medium\n\n  * Something that goes over two'
                      ' lines.\n\n -- ', said)
        self.assertIn('>  Sun, 31 Jan 2027 00:00:00 +0000\n', said)

    def test_what_is_not_released_comes_before_the_release(self):
        self.write('0.3.0', '## 0.3.0, not released yet\n\n- More.\n\n' + RELEASED)
        version = self.ask('--version').stdout.strip()
        self.assertRegex(version, r'^0\.3\.0~2027\d{10}$')
        if shutil.which('dpkg'):
            for lower, higher in (('0.2.0', version), (version, '0.3.0')):
                subprocess.run(['dpkg', '--compare-versions', lower, 'lt', higher], check=True)
        self.assertIn('geotagd (0.2.0) unstable', self.ask().stdout)

    def test_two_places_that_disagree_are_an_error(self):
        self.write('0.3.0', RELEASED)
        answer = self.ask('--version')
        self.assertNotEqual(answer.returncode, 0)
        self.assertIn('CHANGELOG.md begins with 0.2.0, Version.swift says 0.3.0', answer.stderr)

    def test_a_heading_that_is_none_is_an_error(self):
        self.write('0.2.0', '## 0.2.0 (soon)\n')
        self.assertIn('0.2.0 (soon)', self.ask('--version').stderr)

    def test_this_tree_has_a_version(self):
        answer = subprocess.run([ROOT / 'contrib/packaging/changelog.py', '--version'],
                                capture_output=True, text=True, timeout=20, check=False)
        self.assertRegex(answer.stdout, re.compile(r'^\d+\.\d+\.\d+(~\d{14})?$', re.M),
                         answer.stderr)


class InstallTest(unittest.TestCase):
    """With programs that are none: what is built is not asked here."""

    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix='geotagd-test-'))
        self.addCleanup(shutil.rmtree, self.root)
        self.built = self.root / 'built'
        self.built.mkdir()

    def make(self, target):
        return subprocess.run(
            ['make', '--silent', target, f'DESTDIR={self.root}/there', f'RELEASE={self.built}'],
            cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
            # As sudo has it: no toolchain's folder.
            env={'PATH': '/usr/sbin:/usr/bin:/sbin:/bin'})

    def files(self):
        there = self.root / 'there'
        return {str(path.relative_to(there)) for path in there.rglob('*') if path.is_file()}

    def test_without_programs_it_says_what_to_do(self):
        answer = self.make('install')
        self.assertNotEqual(answer.returncode, 0)
        self.assertIn('run `make build` first', answer.stderr)

    def test_what_was_installed_is_taken_away_again_but_for_the_configuration(self):
        for name in ('geotagd', 'geotagctl', 'geotag-sim'):
            (self.built / name).write_text('#!/bin/sh\n')
            (self.built / name).chmod(0o755)
        answer = self.make('install')
        self.assertEqual(answer.returncode, 0, answer.stderr)
        installed = self.files()
        self.assertIn('usr/local/bin/geotagctl', installed)
        self.assertGreater(len(installed), 15)
        answer = self.make('uninstall')
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(self.files(), {'etc/geotagd.conf'})


if __name__ == '__main__':
    unittest.main()
