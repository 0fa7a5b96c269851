"""What a newcomer types first."""

import re
import subprocess
import unittest

from processes import BINARIES, ROOT


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=20)


class HelpTest(unittest.TestCase):
    def test_each_program_and_each_part_of_it_explains_itself(self):
        for words in (['geotagd'], ['geotagctl'], ['geotagctl', 'track'], ['geotag-sim'],
                      ['geotagctl', 'match'], ['geotagctl', 'clip'],
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
        for status, *words in ((64, 'geotagd', '--nonsense'), (2, 'geotagctl', '--nonsense'),
                               (64, 'geotagctl', 'track', 'nonsense'), (64, 'geotag-sim', 'nonsense')):
            with self.subTest(words):
                done = run(BINARIES / words[0], *words[1:])
                self.assertEqual((done.returncode, done.stdout), (status, ''))
                self.assertTrue(done.stderr)

    def test_the_readme_names_every_verb_and_every_make_target_that_it_uses(self):
        readme = (ROOT / 'README.md').read_text()
        commands = readme[readme.index('## Commands'):readme.index('## The track')]
        swift = (ROOT / 'Sources/LineProtocol/Verb.swift').read_text()
        verbs = re.findall(r'^    case ((?:[a-z]+(?:, )?)+)$', swift, re.MULTILINE)
        verbs = [verb for line in verbs for verb in line.split(', ')]
        self.assertGreater(len(verbs), 20)
        for verb in verbs:
            self.assertRegex(commands, rf'`{verb}[ `]', verb)
        makefile = (ROOT / 'Makefile').read_text()
        pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
        for page in [ROOT / page for page in pages] + sorted((ROOT / 'docs').glob('*.md')):
            for target in re.findall(r'`(?:sudo )?make ([a-z-]+)', page.read_text()):
                self.assertRegex(makefile, rf'(?m)^{target}:', f'{page}: make {target}')


if __name__ == '__main__':
    unittest.main()
