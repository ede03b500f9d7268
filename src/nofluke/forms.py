"""The forms of tests: each test is one function of a sample, and some have the same law fed by other data."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nofluke.registry import Function


@dataclass(frozen=True, slots=True)
class Form:
    """The law of a registered test, fed by other data than a sample of two systems.

    `knows` are the options it can do, each with the values it can do, or None for all of them.
    """

    function: Callable[..., Any]
    knows: Mapping[str, tuple[Any, ...] | None]
    facts: Mapping[str, Any]

    def does(self, options: Mapping[str, Any]) -> bool:
        """Whether it can do what the test is asked for; else the test itself is run."""
        stated = {name: value for name, value in options.items() if value is not None}
        return all(name in self.knows and self._does(name, value) for name, value in stated.items())

    def _does(self, name: str, value: Any) -> bool:
        values = self.knows[name]
        return values is None or value in values


class Forms:
    """The forms of one kind, by the test they are of; a test without one is run on every sample instead."""

    def __init__(self, *rooms: str, usual: Mapping[str, Any] | None = None) -> None:
        """`rooms` are the modules that register them; all facts are among the `usual` ones."""
        self.rooms = rooms
        self.usual = dict(usual or {})
        self._forms: dict[str, Form] = {}

    def register(
        self, name: str, *, knows: Mapping[str, tuple[Any, ...] | None] | None = None, **facts: Any
    ) -> Callable[[Function], Function]:
        """Register the decorated function as the form of a test; tests/test_forms.py checks that there is one."""
        if name in self._forms or facts.keys() - self.usual.keys():
            raise TypeError(f"form of {name!r}: registered already, or with unknown facts: {sorted(facts)}")

        def enter(function: Function) -> Function:
            self._forms[name] = Form(function, knows or {}, self.usual | facts)
            return function

        return enter

    def of(self, name: str) -> Form | None:
        """The form of a test, if it has one."""
        self._load()
        return self._forms.get(name)

    def names(self) -> tuple[str, ...]:
        """The tests that have one, in the order of registration."""
        self._load()
        return tuple(self._forms)

    def _load(self) -> None:
        for room in self.rooms:
            importlib.import_module(room)


# All pairs of many systems at once (inference/ranking/): of item scores, of a corpus metric, and of tallies of items
# that lie on disk. `averages` are those of datasets; `groups` takes systems that share no items.
OF_ALL_PAIRS = Forms(
    "nofluke.inference.ranking.means",
    "nofluke.inference.ranking.ranks",
    usual={"clusters": False, "averages": False, "groups": False},
)
OF_CORPUS_PAIRS = Forms("nofluke.inference.ranking.corpus", usual={"clusters": False, "averages": False})
OF_TALLIES = Forms("nofluke.inference.ranking.stored")

# Whole blocks of test sets drawn for a power curve (inference/power/curves/): as counts of the pilot's units (also of
# corpus metrics, also within datasets, only of 0/1 scores), and as normal differences.
OF_COUNTS = Forms(
    "nofluke.inference.power.curves.mean_rules",
    usual={"corpus": False, "averages": False, "zero_one": False},
)
OF_NORMALS = Forms("nofluke.inference.power.curves.normal_rules", usual={"how": "", "formula": False})

# With a margin: how many items B's own outputs need to pass, and how often a system just as good passes.
ITEMS_TO_PASS = Forms("nofluke.inference.tests")
CHANCES_TO_PASS = Forms("nofluke.inference.gate.chances")
