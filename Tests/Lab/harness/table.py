"""The table of scenarios at the end of a run."""

import dataclasses

from scenario import Scenario


@dataclasses.dataclass
class Outcome:
    """What came of a scenario."""

    scenario: Scenario
    failure: str | None
    seconds: float
    measured: dict
    used: dict | None  # what the daemon used of the guest

    @property
    def cost(self):
        """The daemon's share of a guest's processor, and its memory."""
        if not self.used:
            return ''
        share = 100 * self.used['cpu'] / self.used['seconds']
        return f'{share:.1f} % {self.used["rss"] / 1024:.1f} MiB'


def print_table(outcomes, versions):
    """Print it; the exit status that it means."""
    head = ('scenario', 'result', 'took', 'CPU, RSS', 'measured')
    rows = [
        (
            outcome.scenario.name,
            'FAILED' if outcome.failure else 'passed',
            f'{outcome.seconds:.0f} s',
            outcome.cost,
            outcome.failure or ', '.join(f'{k} {v}' for k, v in outcome.measured.items()),
        )
        for outcome in outcomes
    ]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(4)]
    print(f'\n{versions}')
    for row in [head, *rows]:
        print('  '.join(cell.ljust(width) for cell, width in zip(row, widths)) + '  ' + row[4])
    failed = sum(1 for outcome in outcomes if outcome.failure)
    print(f'\nlab: {len(outcomes) - failed} passed, {failed} failed')
    return 1 if failed or not outcomes else 0
