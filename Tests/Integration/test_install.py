"""What `make install` puts where, into a folder of its own; the programs aside."""

import os
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

from processes import ROOT


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = Path(tempfile.mkdtemp(prefix='geotagd-test-'))
        cls.addClassCleanup(shutil.rmtree, cls.root)
        cls.install()

    @classmethod
    def install(cls):
        subprocess.run(['make', '--silent', 'install-files', f'DESTDIR={cls.root}'], cwd=ROOT,
                       check=True, timeout=60, env={**os.environ, 'MAKEFLAGS': ''})

    def text(self, path):
        return (self.root / path).read_text()

    def test_everything_lies_where_it_is_looked_for(self):
        share = 'usr/local/share'
        for path, mode in (
                ('etc/geotagd.conf', 0o644), ('lib/systemd/system/geotagd.service', 0o644),
                ('usr/lib/sysusers.d/geotagd.conf', 0o644),
                (f'{share}/man/man1/geotagctl.1', 0o644), (f'{share}/man/man8/geotagd.8', 0o644),
                (f'{share}/man/man5/geotagd.conf.5', 0o644),
                (f'{share}/bash-completion/completions/geotagctl', 0o644),
                (f'{share}/bash-completion/completions/geotagd', 0o644),
                (f'{share}/zsh/site-functions/_geotagctl', 0o644),
                (f'{share}/zsh/site-functions/_geotagd', 0o644),
                (f'{share}/doc/geotagd/99-geotagd.rules', 0o644),
                (f'{share}/doc/geotagd/geotagd-dbus.conf', 0o644),
                (f'{share}/doc/geotagd/geotagd.tmpfiles', 0o644),
                (f'{share}/doc/geotagd/examples/buzzer', 0o755)):
            self.assertEqual(os.stat(self.root / path).st_mode & 0o777, mode, path)
        examples = {path.name for path in (ROOT / 'contrib' / 'examples').iterdir()}
        self.assertEqual(
            {path.name for path in (self.root / share / 'doc/geotagd/examples').iterdir()}, examples)

    def test_a_configuration_that_is_there_stays(self):
        configuration = self.root / 'etc' / 'geotagd.conf'
        configuration.write_text('[push]\nrate = 5\n')
        self.install()
        self.assertEqual(configuration.read_text(), '[push]\nrate = 5\n')

    def test_the_unit_starts_what_was_installed(self):
        unit = self.text('lib/systemd/system/geotagd.service')
        self.assertIn('\nExecStart=/usr/local/bin/geotagd\n', unit)
        self.assertIn('\nType=notify\n', unit)

    def test_users_groups_and_folders_are_made(self):
        self.assertTrue(shutil.which('systemd-sysusers'), 'Tests/Tools/install-packages test')
        subprocess.run(['systemd-sysusers', f'--root={self.root}'], check=True, timeout=20,
                       capture_output=True)
        self.assertRegex(self.text('etc/passwd'), r'(?m)^geotagd:.*:/var/lib/geotagd:')
        self.assertRegex(self.text('etc/group'), r'(?m)^geotagd:')
        self.assertRegex(self.text('etc/group'), r'(?m)^bluetooth:')
        # Others than root cannot give folders away.
        if os.geteuid() == 0:
            subprocess.run(
                ['systemd-tmpfiles', f'--root={self.root}', '--create',
                 str(self.root / 'usr/local/share/doc/geotagd/geotagd.tmpfiles')],
                check=True, timeout=20)
            self.assertTrue((self.root / 'run' / 'geotagd').is_dir())

    def test_the_bus_policy_is_one(self):
        tree = xml.etree.ElementTree.parse(
            self.root / 'usr/local/share/doc/geotagd/geotagd-dbus.conf')
        policy = tree.getroot().find('policy')
        self.assertEqual(policy.get('user'), 'geotagd')
        self.assertEqual(policy.find('allow').get('send_destination'), 'org.bluez')

    def test_udev_rules_are_words_and_operators(self):
        rules = [line for line in self.text(
            'usr/local/share/doc/geotagd/99-geotagd.rules').splitlines()
            if line and not line.startswith('#')]
        self.assertTrue(rules)
        for rule in rules:
            for part in rule.split(', '):
                self.assertRegex(part, r'^[A-Z]+(\{[\w/]+\}|)?(\{\w+\})?(==|\+=|=)"[^"]*"$')


if __name__ == '__main__':
    unittest.main()
