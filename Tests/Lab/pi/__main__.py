"""Play the virtual Pi's scenarios and print a table of what came of them; called by `run`."""

import argparse
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / 'harness'), str(HERE)]

import scenario
import scenarios  # noqa: F401 (declares them)
from machine import VirtualPi
from table import Outcome, print_table


def options():
    parser = argparse.ArgumentParser(prog='run')
    parser.add_argument('--list', action='store_true', help='name the scenarios')
    parser.add_argument('--again', action='store_true', help='play once more what failed')
    parser.add_argument('--binaries', type=pathlib.Path)
    parser.add_argument('--python', type=pathlib.Path)
    parser.add_argument('--folder', type=pathlib.Path)
    parser.add_argument('--arch')
    parser.add_argument('scenarios', nargs='*')
    return parser.parse_args()


def play(pi, one):
    print(f'{one.name}: {one.title}', file=sys.stderr, flush=True)
    start = time.monotonic()
    pi.measured = {}
    failure = None
    try:
        pi.begin()
        one.run(pi)
    except scenario.Failure as error:
        failure = str(error)
        print(f'    FAILED: {failure}', file=sys.stderr, flush=True)
        pi.keep_journal(one.name)
    return Outcome(one, failure, time.monotonic() - start, pi.measured, None)


def main():
    wanted = options()
    if wanted.list:
        for one in scenario.ALL.values():
            print(f'{one.name:28} {one.title}')
        return 0
    unknown = set(wanted.scenarios) - set(scenario.ALL)
    if unknown:
        sys.exit(f'run: no such scenario: {", ".join(sorted(unknown))}')
    pi = VirtualPi(wanted.binaries.resolve(), wanted.python, wanted.folder, wanted.arch)
    outcomes = []
    try:
        versions = pi.first_boot()
        for name in wanted.scenarios or scenario.ALL:
            outcome = play(pi, scenario.ALL[name])
            if outcome.failure and wanted.again:
                first = outcome.failure
                outcome = play(pi, scenario.ALL[name])
                outcome.measured['AT THE SECOND TRY, the first'] = first
            outcomes.append(outcome)
    finally:
        pi.shut_down()
    return print_table(outcomes, versions)


if __name__ == '__main__':
    sys.exit(main())
