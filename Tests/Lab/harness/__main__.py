"""Run the lab's scenarios and print a table of what came of them.

    run [--short|--but-short] [--again] [--list] [--btmon] [--command COMMAND] [SCENARIO…]

Exits with 0 only if all that was asked for passed.
"""

import argparse
import importlib
import pathlib
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'scenarios'))

import scenario
from lab import HERE, Lab, Settings
from table import Outcome, print_table

ROOT = HERE.parent.parent


def options():
    parser = argparse.ArgumentParser(prog='run', description=__doc__.partition('\n')[0])
    parser.add_argument('--short', action='store_true', help='only the short set')
    parser.add_argument('--but-short', action='store_true', help='all but the short set')
    parser.add_argument('--again', action='store_true', help='play once more what failed')
    parser.add_argument('--list', action='store_true', help='name the scenarios')
    parser.add_argument('--btmon', action='store_true', help="record the guest's HCI traffic")
    parser.add_argument('--command', help='run this in the guest instead, with ten cameras')
    parser.add_argument('--out', type=pathlib.Path, default=ROOT / '.cache/lab/out')
    parser.add_argument('--binaries', type=pathlib.Path, required=True)
    parser.add_argument('--python', type=pathlib.Path, required=True)
    parser.add_argument('scenarios', nargs='*', metavar='SCENARIO')
    return parser.parse_args()


def chosen(wanted):
    """The scenarios that were asked for, in their order."""
    unknown = set(wanted.scenarios) - set(scenario.ALL)
    if unknown:
        sys.exit(f'run: no such scenario: {", ".join(sorted(unknown))}')
    if wanted.scenarios:
        return [scenario.ALL[name] for name in wanted.scenarios]
    return [one for one in scenario.ALL.values()
            if not (wanted.but_short if one.short else wanted.short)]


def play(lab, one):
    """Run a scenario from a clean beginning to a clean end; its outcome."""
    print(f'{one.name}: {one.title}', file=sys.stderr, flush=True)
    start = time.monotonic()
    failure = None
    try:
        lab.begin(one.name)
        one.run(lab)
        untouched(lab)
    except scenario.Failure as error:
        failure = str(error)
    try:
        lab.end()
    except scenario.Failure as error:
        failure = failure or str(error)
    if lab.oopses:
        lab.measure('oopses of the kernel', lab.oopses)
        lab.boot_again()
    if failure:
        print(f'    FAILED: {failure}', file=sys.stderr, flush=True)
    return Outcome(one, failure, time.monotonic() - start, lab.measured, lab.daemon.used)


def play_again(lab, one, first):
    """A second try; the table says that it was one, and why."""
    shutil.copytree(lab.folder, lab.out / f'{one.name}-failed', dirs_exist_ok=True)
    second = play(lab, one)
    second.measured['AT THE SECOND TRY, the first'] = first.failure
    return second


def untouched(lab):
    """In no scenario may anything be done to a stranger."""
    lab.air.read()
    for who in [who for who in lab.air.events if str(who).startswith('s')]:
        events = lab.air.since(who, 0, 'connected')
        scenario.expect(not events, f'stranger {who} was connected to')


def command(lab, line):
    """Ten cameras in the air, an adapter, bluetoothd, and somebody's own command."""
    lab.begin('command')
    powered = lambda: 'Powered: yes' in lab.guest.run('bluetoothctl', 'show', check=False)
    lab.until(powered, 20, 'the adapter did not come on')
    print(lab.guest.shell(line, seconds=600, check=False), end='')
    lab.end()


def main():
    wanted = options()
    for path in sorted((HERE / 'scenarios').glob('*.py')):
        importlib.import_module(path.stem)
    if wanted.list:
        for one in scenario.ALL.values():
            print(f'{one.name:28} {"short" if one.short else "":6} {one.title}')
        return 0
    scenarios = chosen(wanted)
    out = wanted.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    lab = Lab(Settings(wanted.binaries.resolve(), wanted.python, out, wanted.btmon))
    try:
        lab.boot()
        if wanted.command:
            command(lab, wanted.command)
            return 0
        versions = lab.versions
        outcomes = []
        for one in scenarios:
            outcome = play(lab, one)
            if outcome.failure and wanted.again:
                outcome = play_again(lab, one, outcome)
            outcomes.append(outcome)
    finally:
        lab.shut_down()
    return print_table(outcomes, versions)


if __name__ == '__main__':
    sys.exit(main())
