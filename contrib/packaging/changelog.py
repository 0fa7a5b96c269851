#!/usr/bin/python3
"""Print Debian's changelog, or the version alone, from what the source tree says of itself.

    changelog.py [--version]

The version stands in Sources/LineProtocol/Version.swift and nowhere else; CHANGELOG.md says what is in it
and when it was released. What is not released yet gets the last commit's time behind a tilde, so
that each later build, and the release itself, replaces it.
"""

import re
import subprocess
import sys
import time
from email.utils import formatdate
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
AUTHORS = 'The geotagd authors <geotagd@example.org>'
NOT_RELEASED = 'not released yet'


def fail(problem):
    sys.exit(f'changelog.py: {problem}')


def swift_version():
    text = (ROOT / 'Sources/LineProtocol/Version.swift').read_text()
    found = re.search(r'static let text = "(\d+\.\d+\.\d+)"', text)
    return found[1] if found else fail('Sources/LineProtocol/Version.swift has no version')


def releases():
    """(version, date or NOT_RELEASED, [what changed]) for each section of CHANGELOG.md."""
    found = []
    for line in (ROOT / 'CHANGELOG.md').read_text().splitlines():
        heading = re.fullmatch(r'## (\d+\.\d+\.\d+), (not released yet|\d{4}-\d\d-\d\d)', line)
        if heading:
            found.append((heading[1], heading[2], []))
        elif line.startswith('## '):
            fail(f'CHANGELOG.md: not "## VERSION, DATE" or "## VERSION, {NOT_RELEASED}": {line}')
        elif found and line.startswith('- '):
            found[-1][2].append(line[2:])
        elif found and found[-1][2] and line.startswith('  '):
            found[-1][2][-1] += ' ' + line.strip()
    return found or fail('CHANGELOG.md has no version')


def committed():
    """The last commit's time, in seconds of Unix time; the file's own in a tree without git."""
    asked = subprocess.run(['git', 'log', '-1', '--format=%ct'], cwd=ROOT, capture_output=True,
                           text=True, check=False)
    if asked.returncode == 0 and asked.stdout.strip() and (ROOT / '.git').exists():
        return int(asked.stdout)
    return int((ROOT / 'CHANGELOG.md').stat().st_mtime)


def stamped(version, date):
    """A release's Debian version, and its time as RFC 2822 has it."""
    if date == NOT_RELEASED:
        seconds = committed()
        return f'{version}~{time.strftime("%Y%m%d%H%M%S", time.gmtime(seconds))}', seconds
    return version, int(time.mktime(time.strptime(date + ' UTC', '%Y-%m-%d %Z')) - time.timezone)


def main():
    found = releases()
    if found[0][0] != swift_version():
        fail(f'CHANGELOG.md begins with {found[0][0]}, Version.swift says {swift_version()}')
    if any(date == NOT_RELEASED for _, date, _ in found[1:]):
        fail('CHANGELOG.md: only the first version may be not released yet')
    if sys.argv[1:] == ['--version']:
        print(stamped(*found[0][:2])[0])
        return
    for version, date, changes in found:
        name, seconds = stamped(version, date)
        print(f'geotagd ({name}) unstable; urgency=medium\n')
        for change in changes:
            print(wrapped(change))
        print(f'\n -- {AUTHORS}  {formatdate(seconds)[:-5]}+0000\n')


def wrapped(change):
    lines, line = [], '  *'
    for word in change.split():
        if len(line) + 1 + len(word) > 80:
            lines.append(line)
            line = '   '
        line += ' ' + word
    return '\n'.join(lines + [line])


if __name__ == '__main__':
    main()
