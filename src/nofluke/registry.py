"""Registries: a method is one function, one decorator; its keyword-only parameters are its options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from nofluke.errors import MethodError, did_you_mean, listing
from nofluke.options import PROGRESS, Option, method_options

# "Pratt 1959 (zeros = pratt or zsplit)" is the literature of these values of an option, and of no other.
_ONLY_WITH = re.compile(r" \((\w+) = ([^)]+)\)$")

Function = TypeVar("Function", bound=Callable[..., Any])

# What a fact of a method may be: any value of a type, or one of these words.
Fact = type | tuple[str, ...]

# What a test that rejects speaks about. Every table of words by `about` has just these keys (tests/test_registry.py).
ABOUT = ("mean", "items", "ranks", "median")


def named(template: str, systems: tuple[str, str]) -> str:
    """Put the names of two systems for {a} and {b}.

    >>> named("the mean of {a} exceeds that of {b}", ("new", "{a}"))
    'the mean of new exceeds that of {a}'
    """
    a, b = systems
    return re.sub(r"{([ab])}", lambda place: a if place[1] == "a" else b, template)


@dataclass(frozen=True, slots=True)
class Method:
    """A registered function with all that is known about it."""

    kind: str
    name: str
    label: str
    function: Callable[..., Any]
    options: tuple[Option, ...]
    cite: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The first line of the docstring: the question the method answers."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    def stated(self, fact: str, systems: tuple[str, str] = ("A", "B")) -> str:
        """A fact that speaks of two systems, with their names."""
        return named(str(self.facts[fact]), systems)

    def cited(self, given: Mapping[str, Any] | None = None) -> str:
        """The literature that a run with these options rests on, the others being at their defaults."""
        values = {option.name: option.default for option in self.options} | dict(given or {})
        kept = []
        for part in self.cite.split("; "):
            only = _ONLY_WITH.search(part)
            if only is None:
                kept.append(part)
            elif str(values.get(only[1])) in only[2].split(" or "):
                kept.append(part[: only.start()])
        return "; ".join(kept)

    @property
    def reports_progress(self) -> bool:
        """Whether the function takes a progress callback."""
        return PROGRESS in inspect.signature(self.function).parameters

    def option_names(self) -> frozenset[str]:
        """The names of all options, the shared ones included."""
        return frozenset(option.name for option in self.options)

    def check_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Validate options by name and type, in the order of their declaration; unknown ones are refused."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                choices = listing(sorted(known), 20) or "none"
                raise MethodError(
                    f"{self.name} has no option {name!r}.",
                    fix=f"{did_you_mean(name, known)}options of {self.name}: {choices}.",
                )
        return {name: option.check(given[name], self.name) for name, option in known.items() if name in given}


class Registry:
    """Methods of one kind by name."""

    def __init__(self, kind: str, facts: Mapping[str, Fact], room: str, usual: Mapping[str, Any] | None = None) -> None:
        """`facts` are the metadata every method of this kind states; `room` is the package that registers them.

        Facts that are as in most methods, the `usual` ones, need not be stated.
        """
        self.kind = kind
        self.facts = facts
        self.usual = dict(usual or {})
        self.room = room
        self._methods: dict[str, Method] = {}
        self._aliases: dict[str, str] = {}

    def register(
        self, name: str, *, label: str, cite: str, aliases: tuple[str, ...] = (), **facts: Any
    ) -> Callable[[Function], Function]:
        """Register the decorated function under its textbook name."""
        facts = self.usual | facts
        missing = [fact for fact in self.facts if fact not in facts]
        unexpected = [fact for fact in facts if fact not in self.facts]
        taken = [known for known in (name, *aliases) if known in self._methods or known in self._aliases]
        if missing or unexpected or taken:
            raise TypeError(f"{self.kind} {name!r}: missing {missing}, unexpected {unexpected}, taken {taken}")
        facts = {fact: facts[fact] for fact in self.facts}
        for fact, value in facts.items():
            self._check_fact(name, fact, value)

        def enter(function: Function) -> Function:
            options = method_options(function)
            self._methods[name] = Method(self.kind, name, label, function, options, cite, facts)
            self._aliases.update(dict.fromkeys(aliases, name))
            return function

        return enter

    def _check_fact(self, name: str, fact: str, value: Any) -> None:
        """Refuse a value that code elsewhere could not read: it would fail later, and on some data only."""
        expected = self.facts[fact]
        if isinstance(expected, tuple):
            if value not in expected:
                raise MethodError(
                    f"{self.kind} {name!r}: {fact} = {value!r} is not known.",
                    fix=f"{did_you_mean(str(value), expected)}choose one of: {', '.join(map(repr, expected))}.",
                )
        elif not isinstance(value, expected):
            raise MethodError(
                f"{self.kind} {name!r}: {fact} = {value!r} is of type {type(value).__name__}.",
                fix=f"give a value of type {expected.__name__}.",
            )

    def _load(self) -> None:
        import importlib

        importlib.import_module(self.room)

    def __getitem__(self, name: str) -> Method:
        self._load()
        name = self._aliases.get(name, name)
        if name not in self._methods:
            raise MethodError(
                f"there is no {self.kind} {name!r}.",
                fix=f"{did_you_mean(str(name), self._methods)}choose one of: {', '.join(sorted(self._methods))}.",
            )
        return self._methods[name]

    def __iter__(self) -> Iterator[Method]:
        self._load()
        return iter(self._methods.values())

    def __contains__(self, name: str) -> bool:
        self._load()
        return name in self._methods or name in self._aliases

    def names(self) -> tuple[str, ...]:
        """All names in the order of registration."""
        self._load()
        return tuple(self._methods)


# `about`: what it speaks about; `clusters`, `strata`, `runs`: it keeps clusters together, tests the average of
# datasets, counts training runs; `delta_instead` names a test that takes a difference other than 0, where this one
# takes none. `swaps`: its p-value is a tail of the mean difference under random swaps; `least_p_by_signs`: its
# smallest p-value is that of items which all point the same way; `hangs_on_ties`: its p-value hangs on which
# differences tie; `of_splits`: its items are training sets that overlap; `within_datasets`: of several datasets, each
# is drawn on its own also where all items count the same; `where_silent` names the test that answers where this one
# has no p-value.
TESTS = Registry(
    "test",
    {
        "needs": ("paired", "unpaired", "binary"),
        "null": str,
        "estimand": str,
        "about": ABOUT,
        "clusters": bool,
        "strata": bool,
        "runs": bool,
        "delta_instead": str,
        "swaps": bool,
        "least_p_by_signs": bool,
        "hangs_on_ties": bool,
        "of_splits": bool,
        "within_datasets": bool,
        "where_silent": str,
    },
    room="nofluke.inference.tests",
    usual={
        "strata": False,
        "runs": False,
        "swaps": False,
        "least_p_by_signs": False,
        "hangs_on_ties": False,
        "of_splits": False,
        "within_datasets": False,
        "where_silent": "",
    },
)

# `rules` name the tables of words for its size (inference/effects/interpret.py).
EFFECTS = Registry(
    "effect",
    {"symbol": str, "needs": ("paired", "unpaired", "binary"), "bounds": tuple, "null": float, "rules": tuple},
    room="nofluke.inference.effects",
    usual={"rules": ()},
)

METRICS = Registry(
    "metric",
    {"task": str, "higher_is_better": bool, "extra": ("", "metrics")},
    room="nofluke.metrics",
    usual={"extra": ""},
)

CORRELATIONS = Registry("correlation", {}, room="nofluke.inference.correlation")

ASSOCIATIONS = Registry("association", {"symbol": str}, room="nofluke.inference.correlation")

# `controls` is the error rate, `under` the dependence under which it is controlled.
CORRECTIONS = Registry(
    "correction",
    {"controls": ("family-wise error", "false discovery rate"), "under": str},
    room="nofluke.inference.multiplicity",
)

COMBINATIONS = Registry("combination", {"null": str, "under": str}, room="nofluke.inference.multiplicity")

OMNIBUS = Registry("omnibus", {"needs": str, "null": str, "estimand": str}, room="nofluke.inference.omnibus")

# `chance` is the model whose agreement has been taken off: the labels of all annotators together, each one's own, all
# labels equally likely, or none. `plain` is its name for labels without an order, where that is another.
AGREEMENT = Registry(
    "agreement",
    {
        "symbol": str,
        "needs": ("two annotators", "two or more"),
        "bounds": tuple,
        "chance": ("pooled", "own", "even", "none"),
        "plain": str,
    },
    room="nofluke.inference.agreement",
)

POSTERIORS = Registry(
    "posterior", {"needs": ("paired", "binary", "datasets"), "about": str}, room="nofluke.inference.bayes"
)

# Charts draw results and compute nothing, so they stand beside the methods: `takes` names the types of results,
# `applies` says of one result whether it has what the chart shows; a study names its charts itself.
CHARTS = Registry(
    "chart", {"takes": tuple, "applies": object}, room="nofluke.charts", usual={"applies": lambda _result: True}
)

# Formats of files stand beside the methods too: their functions make a table of what was given, of single scores by
# readers/long_table.py. The `source` is a file, or a folder as a whole. `sniff` says of the first bytes of a file, or
# of the path of a folder, whether it is one; None where only the user can say so; it is asked of files that begin
# with one of `begins` (all, where there are none), and whose name `names` finds something in (where lines could be
# any table's). `told_by` is how sure that is, in the order in which formats are tried. `holds` are the questions that
# can be asked of it (readers/sniff.py). `fast` reads large files, and `measure` refuses one that declares to be
# larger than the bounds, where there are such functions. What `gives` logs makes no table: its function gives the
# records of every system and dataset in a file (readers/logs/record.py); `as_logs` does so for a format of tables
# where it lies among logs. `poorer_than` names the format whose writer writes this one beside it, with less in it.
# `zero_in` names the leaderboard on which items of these logs that have no score count 0. `asks` names the field of
# logs that says what an item asks, "" where none does. Files with this `ending` are of this format alone: one that
# does not begin so is damaged.
FORMATS = Registry(
    "format",
    {
        "sniff": object,
        "begins": tuple,
        "told_by": ("mark", "layout", "syntax", "text"),
        "source": ("file", "folder"),
        "holds": tuple,
        "fast": object,
        "measure": object,
        "gives": ("table", "logs"),
        "poorer_than": str,
        "zero_in": str,
        "asks": str,
        "as_logs": object,
        "names": object,
        "ending": str,
    },
    room="nofluke.readers.formats",
    usual={
        "source": "file",
        "begins": (),
        "fast": None,
        "measure": None,
        "gives": "table",
        "poorer_than": "",
        "zero_in": "",
        "asks": "",
        "as_logs": None,
        "names": None,
        "ending": "",
    },
)

REGISTRIES: Mapping[str, Registry] = {
    "test": TESTS,
    "effect": EFFECTS,
    "metric": METRICS,
    "correlation": CORRELATIONS,
    "association": ASSOCIATIONS,
    "correction": CORRECTIONS,
    "combination": COMBINATIONS,
    "omnibus": OMNIBUS,
    "agreement": AGREEMENT,
    "posterior": POSTERIORS,
}


def help_of(option: Option, written: Callable[[str], str] = str) -> str:
    """Give an option's help as a surface writes it, and the names it takes where these are registered."""
    kind, _, question = option.opt.registry.partition(":")
    if not kind:
        return option.help_as(written)
    if kind == FORMATS.kind:
        known = [one for one in FORMATS if question in one.facts["holds"]]
        known.sort(key=lambda one: one.facts["gives"] == "logs")
        names = [one.name if one.label.casefold() == one.name else f"{one.name} ({one.label})" for one in known]
    else:
        names = list(REGISTRIES[kind].names())
    return f"{option.help_as(written)} One of {', '.join(names)}."
