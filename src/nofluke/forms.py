"""What a test may have beside its function of a sample: its law fed by other data, and what a margin asks of it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nofluke.registry import Function


@dataclass(frozen=True, slots=True)
class Form:
    """A registered test in bulk: its law, fed by other data than a sample of two systems.

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

    def of(self, name: str, options: Mapping[str, Any] | None = None) -> Form | None:
        """The form of a test, if it has one, and one that can do what these options ask."""
        self._load()
        form = self._forms.get(name)
        return form if form is not None and form.does(options or {}) else None

    def names(self) -> tuple[str, ...]:
        """The tests that have one, in the order of registration."""
        self._load()
        return tuple(self._forms)

    def _load(self) -> None:
        for room in self.rooms:
            importlib.import_module(room)


_OF_PAIRS = {"clusters": False, "averages": False, "groups": False, "approximates": False}

# All pairs of many systems at once (inference/ranking/): of item scores, and of a corpus metric, (sample, settings) ->
# PairTable; of tallies of items that lie on disk, (items, tallies, settings) -> PairTable. `averages` are those of
# datasets; `groups` takes systems that share no items; `approximates` far from the verdict, unless told not to.
OF_ALL_PAIRS = Forms(
    "nofluke.inference.ranking.means",
    "nofluke.inference.ranking.ranks",
    usual=_OF_PAIRS,
)
OF_CORPUS_PAIRS = Forms("nofluke.inference.ranking.corpus", usual=_OF_PAIRS)
OF_TALLIES = Forms("nofluke.inference.ranking.tallied")

# Whole blocks of test sets drawn for a power curve (inference/power/curves/): as counts of the pilot's units, also of
# corpus metrics, also within datasets, only of 0/1 scores: (pilot, setting) -> Rule; and as normal differences:
# (values, setting) -> log p-values, `how` near; where there is a `formula`, nothing is drawn.
OF_COUNTS = Forms(
    "nofluke.inference.power.curves.count_rules",
    usual={"corpus": False, "averages": False, "zero_one": False},
)
OF_NORMALS = Forms("nofluke.inference.power.curves.normal_rules", usual={"how": "", "formula": False})

# With a margin: how many items B's own outputs need to pass, (result, margin, alpha, strata) -> number; and how often a
# system just as good passes, (sample, result, margin, alpha, range) -> probability.
ITEMS_TO_PASS = Forms("nofluke.inference.tests")
CHANCES_TO_PASS = Forms("nofluke.inference.gate.chances")
