"""Scenarios: how one is declared, and how it fails."""

import dataclasses
from collections.abc import Callable


class Failure(Exception):
    """What a scenario found wrong, as a sentence."""


def expect(condition, sentence):
    """Fail with this sentence unless the condition holds."""
    if not condition:
        raise Failure(sentence)


@dataclasses.dataclass
class Scenario:
    """One thing that happens to a rig, and what must come of it."""

    name: str
    title: str
    run: Callable
    short: bool


ALL: dict[str, Scenario] = {}


def scenario(title, short=False):
    """Declare a function as a scenario; `short` ones make up the short set."""

    def declare(function):
        name = function.__name__.replace('_', '-')
        ALL[name] = Scenario(name, title, function, short)
        return function

    return declare
