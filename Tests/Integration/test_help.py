"""What a newcomer types first."""

import re
import subprocess
import unittest

from processes import BINARIES, ROOT


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=20)


def verbs():
    """The verbs of the line protocol, by their declarations."""
    return [verb for name in ('CameraVerbs', 'DaemonVerbs') for verb in re.findall(
        r'Verb\(\s*"([a-z]+)"', (ROOT / f'Sources/LineProtocol/{name}.swift').read_text())]


class HelpTest(unittest.TestCase):
    def test_each_program_and_each_part_of_it_explains_itself(self):
        for words in (['geotagd'], ['geotagctl'], ['geotagctl', 'track'], ['geotag-sim'],
                      *(['geotagctl', verb] for verb in ('watch', 'events', 'doctor', 'setup', 'metrics')),
                      *(['geotagctl', verb] for verb in verbs()),
                      ['geotagctl', 'match'], ['geotagctl', 'clip'], ['geotagctl', 'evening'],
                      *(['geotag-sim', verb] for verb in
                        ('run', 'bluez', 'film', 'motion', 'replay', 'bench'))):
            with self.subTest(words):
                done = run(BINARIES / words[0], *words[1:], '--help')
                self.assertEqual((done.returncode, done.stderr), (0, ''))
                self.assertIn('usage: ' + ' '.join(words[:2 if words[1:] == ['track'] else 1]),
                              done.stdout)
                # As wide as a terminal may be expected to be.
                self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)

    def test_what_is_no_command_is_one_line_and_a_status(self):
        for status, *words in ((64, 'geotagd', '--nonsense'), (64, 'geotagctl', '--nonsense'),
                               (64, 'geotagctl', 'sattus'), (64, 'geotagctl'),
                               (64, 'geotagctl', 'track', 'nonsense'), (64, 'geotag-sim', 'nonsense')):
            with self.subTest(words):
                done = run(BINARIES / words[0], *words[1:])
                self.assertEqual((done.returncode, done.stdout), (status, ''))
                self.assertTrue(done.stderr)

    def test_a_slip_of_the_pen_is_named_with_what_was_meant(self):
        for words, meant in ((['geotagd', '--confg', 'x'], 'did you mean --config?'),
                             (['geotagctl', 'statsu'], 'did you mean status?'),
                             (['geotagctl', '--sockt', 'x'], 'did you mean --socket?'),
                             (['geotagctl', 'track', 'inof'], 'did you mean info?'),
                             (['geotag-sim', 'rnu'], 'did you mean run?'),
                             (['geotag-sim', 'run', '--sedes', '1'], 'did you mean --seeds?'),
                             (['geotag-sim', 'run', '--seeds', 'x'], '--seeds: "x" is not allowed'),
                             (['geotag-sim', 'run', '--hours', '0'], 'allowed: 0.001 to 100000\n'),
                             (['geotag-sim', 'film', 'x', '--speed', '101'], 'allowed: 0 to 100'),
                             (['geotag-sim', 'motion', 'x', '--rate', '0'], 'allowed: 0.2 to 40')):
            with self.subTest(words):
                done = run(BINARIES / words[0], *words[1:])
                self.assertEqual((done.returncode, done.stdout), (64, ''))
                self.assertIn(meant, done.stderr)

    def test_where_no_daemon_is_the_way_to_one_is_told(self):
        done = run(BINARIES / 'geotagctl', '--socket', '/nowhere', 'status')
        self.assertEqual(done.returncode, 3)
        self.assertIn('nothing at /nowhere: systemctl start geotagd', done.stderr)

    def test_commands_without_a_daemon_need_no_place_among_its_options(self):
        for words in (['match'], ['MATCH'], ['--socket', '/nowhere', 'match'],
                      ['-t', '1', '--socket=/nowhere', 'Clip'], ['-s', '/nowhere', 'evening'],
                      ['--socket', '/nowhere', 'Track', 'info']):
            with self.subTest(words):
                done = run(BINARIES / 'geotagctl', *words)
                self.assertEqual(done.returncode, 64, done.stderr)
                self.assertNotIn('is no verb', done.stderr)

    def test_every_program_has_its_version(self):
        for program in ('geotagd', 'geotagctl', 'geotag-sim'):
            done = run(BINARIES / program, '--version')
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            self.assertRegex(done.stdout, rf'^{program} \d+\.\d+\.\d+\n$')

    def test_the_faults_of_the_stand_in_are_all_explained(self):
        text = run(BINARIES / 'geotag-sim', 'bluez', '--help').stdout
        source = (ROOT / 'Sources/FakeBlueZ/World/Faults.swift').read_text()
        keys = re.findall(r'^/// \| `([a-z_]+)`', source, re.MULTILINE)
        self.assertGreater(len(keys), 20)
        for key in keys:
            self.assertRegex(text, rf'\b{key}\b')

    def test_the_guide_names_every_verb_and_every_make_target_that_it_uses(self):
        guide = (ROOT / 'docs/guide.md').read_text()
        commands = guide[guide.index('## Commands'):guide.index('## The track')]
        self.assertGreater(len(verbs()), 20)
        for verb in verbs():
            self.assertRegex(commands, rf'`{verb}[ `]', verb)
        makefile = (ROOT / 'Makefile').read_text()
        pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
        for page in [ROOT / page for page in pages] + sorted((ROOT / 'docs').glob('*.md')):
            for target in re.findall(r'`(?:sudo )?make ([a-z0-9-]+)', page.read_text()):
                self.assertRegex(makefile, rf'(?m)^{target}:', f'{page}: make {target}')


if __name__ == '__main__':
    unittest.main()
