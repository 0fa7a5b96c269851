#!/usr/bin/env python3
"""Run the integration tests and end with one line: N passed, N failed[, N skipped].

    run.py [PATTERN]      only tests whose id contains PATTERN
"""

import sys
import time
import unittest
from pathlib import Path


class Result(unittest.TestResult):
    """Prints a line a test as it ends; a skipped one loudly."""

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def say(self, word, test, detail=''):
        print(f'{word:8} {test.id():70} {time.monotonic() - self.began:6.1f} s {detail}', flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.say('passed', test)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.say('FAILED', test)
        print(self.failures[-1][1], flush=True)

    def addError(self, test, error):
        super().addError(test, error)
        self.say('FAILED', test)
        print(self.errors[-1][1], flush=True)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error:
            self.say('FAILED', subtest)
            print((self.failures + self.errors)[-1][1], flush=True)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say('SKIPPED', test, reason)


def flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


def main():
    here = Path(__file__).resolve().parent
    sys.path.insert(0, str(here))
    wanted = sys.argv[1] if len(sys.argv) > 1 else ''
    tests = [t for t in flatten(unittest.defaultTestLoader.discover(str(here))) if wanted in t.id()]
    result = Result()
    unittest.TestSuite(tests).run(result)
    failed = len(result.failures) + len(result.errors)
    passed = result.testsRun - failed - len(result.skipped)
    print(f'{passed} passed, {failed} failed'
          + (f', {len(result.skipped)} skipped' if result.skipped else ''))
    return 0 if passed and not failed else 1


if __name__ == '__main__':
    sys.exit(main())
