"""One description of an option, read from the signature of a verb or a method.

Flags of the command line, models of the API, fields of forms, keys of TOML files and the docs are all made from it:
nothing restates a signature by hand. A parameter that is not `Annotated` with an `Opt` (or a plain text, its help) and
has no place in a registry belongs to Python alone.
"""

from __future__ import annotations

import functools
import inspect
import math
import re
import types
import typing
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeVar

from nofluke.errors import InputError, did_you_mean

# A keyword of this name is no option: it takes a callback (done, total) while draws are made.
PROGRESS = "progress"
EXECUTOR = "executor"
# The most that any option that is a whole number may be: draws beyond it would take days, and their list all memory. A
# seed is only a name.
MOST_WHOLE = 10**9
SEED = "seed"
# Groups in the order in which help and forms show them, what most people need first.
INPUT, TEST, OUTPUT, ADVANCED, SINGLE_METHODS = "Input", "Test", "Output", "Advanced", "Options of single methods"
GROUPS = (INPUT, TEST, OUTPUT, ADVANCED, SINGLE_METHODS)
# Scipy's words; "greater" claims that A is better.
Sides = Literal["two-sided", "greater", "less"]
Function = TypeVar("Function", bound=Callable[..., Any])
Group = TypeVar("Group")
_NAMED = re.compile(r"`(\w+)`")
_EXPECTED = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between what a number lies: strictly (`above`, `below`) or not."""

    above: float | None = None
    at_least: float | None = None
    below: float | None = None
    at_most: float | None = None


ANY = Bounds()
LEVEL = Bounds(above=0, below=1)
SHARE = Bounds(at_least=0, at_most=1)
POSITIVE = Bounds(above=0)
COUNT = Bounds(at_least=1, at_most=10**6)
NAME_OF_DRAWS = Bounds(at_least=0, below=2**63)


@dataclass(frozen=True, slots=True, repr=False)
class Opt:
    """What a signature says of an option beside its type and default.

    `help` names other options in backquotes, which every surface writes in its own way. `bounds` are those of the
    library, which a request is held to as well; `web` those of a server that strangers may ask. `label` is the option's
    name on a form; `flag` is its name in a shell, and in TOML files, where that is another, and `off` what switches it
    off there. `several` says that a list may be given where the type says one value: one for each dataset; no list
    is longer than `most`. `registry` is the kind of methods whose names are its values; formats also say of what.
    """

    help: str
    group: str = TEST
    bounds: Bounds = ANY
    web: Bounds | None = None
    label: str = ""
    several: bool = False
    most: int = 10_000
    registry: str = ""
    flag: str = ""
    off: str = ""

    def __repr__(self) -> str:
        """Give the help alone: help() of a verb shows it beside the type."""
        return repr(self.help)


@dataclass(frozen=True, slots=True)
class Option:
    """One option, read from a signature.

    `several` says whether it takes one value ("never"), one or more ("also"), a list of them ("only") or values by name
    ("named"); `words` are texts that may stand instead of a number.
    """

    name: str
    type: type
    default: Any
    choices: tuple[str, ...] = ()
    optional: bool = False
    help: str = ""
    several: Literal["never", "also", "only", "named"] = "never"
    words: tuple[str, ...] = ()
    opt: Opt = Opt("")

    def help_as(self, written: Callable[[str], str] = str) -> str:
        """Give the help with the names of options as a surface writes them.

        >>> Option("rope", float, None, help="With `bayes`: a region.").help_as(lambda name: f"--{name}")
        'With --bayes: a region.'
        """
        return _NAMED.sub(lambda found: written(found[1]), self.help)

    @property
    def flag(self) -> str:
        """What a shell and TOML files call it, without its dashes."""
        return self.opt.flag or self.name

    @property
    def label(self) -> str:
        """What a form calls it."""
        name = self.name.replace("_", " ")
        return self.opt.label or (f"number of {name[2:]}" if name.startswith("n ") else name)

    def check(self, value: Any, method: str) -> Any:
        """Give the value in the option's type, or say what was expected."""
        if value is None and self.optional:
            return None
        if self.several != "never" and isinstance(value, list | tuple):
            return [replace(self, several="never").check(one, method) for one in value]
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                raise InputError(
                    f"{self.name} = {value!r} is not known to {method}.",
                    fix=f"{did_you_mean(str(value), self.choices)}choose one of: {', '.join(self.choices)}.",
                )
            return value
        return self._convert(value, method)

    def read(self, text: str, called: str = "") -> Any:
        """Read what was typed, with commas between several values; `called` is the option's name on the surface.

        >>> Option("sizes", int, 20, several="also").read("100, 200")
        (100, 200)
        """
        if self.several == "never":
            return self._read_one(text, text, called)
        values = tuple(self._read_one(part.strip(), text, called) for part in text.split(","))
        return values[0] if self.several == "also" and len(values) == 1 else values

    def _read_one(self, text: str, whole: str, called: str) -> Any:
        if text in self.words or self.type is str:
            return text
        try:
            value = self.type(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            example = "20" if self.type is int else "0.01"
            example += f", or several such as {example},{2 * float(example):g}" if self.several != "never" else ""
            raise InputError(
                f"{called or self.name} {whole!r} is not {_EXPECTED[self.type]}.",
                fix=f"give a number such as {example}.",
            )
        return value

    def _convert(self, value: Any, method: str) -> Any:
        expected = _EXPECTED[self.type]
        wrong = InputError(f"{self.name} = {value!r} of {method} is not {expected}.", fix=f"give {expected}.")
        if isinstance(value, bool) != (self.type is bool):
            raise wrong
        try:
            converted = self.type(value)
        except (TypeError, ValueError, OverflowError):
            raise wrong from None
        if self.type is int and converted != value:
            raise wrong
        if self.type is int and self.name != SEED and abs(converted) > MOST_WHOLE:
            raise InputError(
                f"{self.name} = {value!r} of {method} is more than {MOST_WHOLE:,}.", fix=f"give at most {MOST_WHOLE:,}."
            )
        return converted


def stating(*groups: Callable[..., Any]) -> Callable[[Function], Function]:
    """Let the keywords of a function be the fields of these dataclasses, or the options of another function.

    A function that takes them as `**stated` knows no others, and they are refused; one that takes `**options` gets them
    among the options of a method, and parts them again (`parted`).
    """
    described = {
        name: hint for group in groups for name, hint in typing.get_type_hints(group, include_extras=True).items()
    }
    fields = {
        name: parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for group in groups
        for name, parameter in inspect.signature(group).parameters.items()
    }

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        *first, rest = signature.parameters.values()
        more = [field for name, field in fields.items() if name not in signature.parameters]
        known = [parameter.name for parameter in (*first, *more)]
        further = [] if rest.name == "stated" else [rest]

        @functools.wraps(function)
        def checked(*given: Any, **stated: Any) -> Any:
            for name in () if further else stated:
                if name not in known:
                    raise TypeError(
                        f"{function.__name__}() has no argument {name!r}. {did_you_mean(name, known)}".strip()
                    )
            return function(*given, **stated)

        hints = described | typing.get_type_hints(function, include_extras=True)
        # help() shows the bare types; what is described stands in the annotations.
        shown = [p.replace(annotation=_bare(hints[p.name])) for p in (*first, *more, *further)]
        checked.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
        described_here = {name: hints[name] for name in (*known, *(p.name for p in further), "return")}
        checked.__annotations__ = described_here
        # From Python 3.14 on, a decorator around this one takes over this function instead of the dictionary.
        checked.__annotate__ = lambda _format: dict(described_here)  # type: ignore[attr-defined]
        return checked  # type: ignore[return-value]

    return decorate


def parted(group: type[Group], given: Mapping[str, Any]) -> tuple[Group, dict[str, Any]]:
    """Make the value of a group from its own among the options given, and give the others."""
    own = inspect.signature(group).parameters
    rest = {name: value for name, value in given.items() if name not in own}
    return group(**{name: value for name, value in given.items() if name in own}), rest


def _bare(hint: Any) -> Any:
    return typing.get_args(hint)[0] if typing.get_origin(hint) is Annotated else hint


def listed(names: str | Sequence[Any], known: Collection[Any] = ()) -> list[Any]:
    """Give names one by one. A text holds several with commas between them, unless the whole is a known name.

    In a list a name is one name; it is taken apart only where all its parts are known, and it is not.

    >>> listed("a, b"), listed(["Doe, J.", "B"]), listed(["a,b", "x,y"], known={"a", "b", "x,y"})
    (['a', 'b'], ['Doe, J.', 'B'], ['a', 'b', 'x,y'])
    """
    if isinstance(names, str):
        return [names] if names in known else _apart(names)
    parts = ((one, _apart(one) if isinstance(one, str) and one not in known else [one]) for one in names)
    return [name for one, several in parts for name in (several if set(several) <= set(known) else [one])]


def _apart(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def options_of(function: Callable[..., Any]) -> tuple[Option, ...]:
    """Give the options of a verb or of a group: the parameters (or fields) that are annotated with an `Opt`."""
    return tuple(option for option in _options(function) if option.opt.help)


def method_options(function: Callable[..., Any]) -> tuple[Option, ...]:
    """Give the options of a method: all its keywords but the callback for progress."""
    keywords = [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and parameter.name != PROGRESS
    ]
    return tuple(option for option in _options(function) if option.name in keywords)


def _options(function: Callable[..., Any]) -> Iterator[Option]:
    hints = typing.get_type_hints(function, include_extras=True)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in hints:
            yield _option(parameter, hints[parameter.name])


def _option(parameter: inspect.Parameter, hint: Any) -> Option:
    opt = Opt("")
    if typing.get_origin(hint) is Annotated:
        hint, said = typing.get_args(hint)[:2]
        opt = said if isinstance(said, Opt) else Opt(said if isinstance(said, str) else "")
    union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    parts = [part for part in (typing.get_args(hint) if union else (hint,)) if part is not type(None)]
    words = tuple(word for part in parts if typing.get_origin(part) is Literal for word in typing.get_args(part))
    lists = [part for part in parts if typing.get_origin(part) in (Sequence, list, tuple)]
    texts = any(typing.get_args(part)[0] is str for part in lists)
    # Where a text may stand for the values by name, that is what is typed.
    named = not texts and str not in parts and any(typing.get_origin(part) is Mapping for part in parts)
    alone = [part for part in parts if part not in lists and typing.get_origin(part) is not Literal]
    # What may be a number, texts or values by name is typed as texts.
    alone = [] if texts and str not in alone else alone
    kind = alone[0] if alone else typing.get_args(lists[0])[0] if lists else str
    return Option(
        parameter.name,
        kind if kind in _EXPECTED else str,
        parameter.default,
        () if alone else words,
        union and type(None) in typing.get_args(hint),
        opt.help,
        "named" if named else "only" if lists and not alone else "also" if lists or opt.several else "never",
        words if alone else (),
        opt,
    )


# What several verbs take alike: which part of the scores is looked at, and how its items are matched.
Dataset = Annotated[
    str | None,
    Opt("The dataset to look at, where there are several, or some of them: A,B. Default: the average of all.", INPUT),
]
Weights = Annotated[
    str | Mapping[str, float],
    Opt("Weights of datasets in their average: equal, items (all items count the same) or NAME=WEIGHT,...", INPUT),
]
Metric = Annotated[str | None, Opt("The metric to look at, where there are several.", INPUT)]
Run = Annotated[str | None, Opt("The run to look at. Default: the mean over an item's runs.", ADVANCED)]
Runs = Annotated[
    Literal["nested", "crossed"],
    Opt(
        "Several runs of a system: nested (an item's runs are averaged; the claim is about these checkpoints) or "
        "crossed (training seeds, each on all items; the claim is about training).",
        INPUT,
    ),
]
Missing = Annotated[
    Literal["refuse", "drop"],
    Opt("Items that not all systems have: refuse or drop (for all systems).", INPUT, label="items without both scores"),
]
Clusters = Annotated[bool, Opt("Keep items of a cluster together, where clusters are known.", ADVANCED)]
SystemA = Annotated[str | None, Opt("The system that is A. Default: the first named.", INPUT, label="system A")]
SystemB = Annotated[str | None, Opt("The system that is B. Default: the second named.", INPUT, label="system B")]
# And how they test.
Alternative = Annotated[Sides, Opt("two-sided, greater (A is better) or less.", label="question")]
Delta = Annotated[float, Opt("Difference under the null hypothesis, in score units.", ADVANCED)]
Seed = Annotated[int, Opt("Seed of random draws, if any are made.", ADVANCED, NAME_OF_DRAWS)]
SeedOfDraws = Annotated[int, Opt("Seed of the draws.", ADVANCED, NAME_OF_DRAWS)]
ConfidenceLevel = Annotated[float, Opt("Level of the interval.", bounds=LEVEL)]
RULE_SETS = ("default", "zhu2020")
Rules = Annotated[str, Opt(f"Rules that recommend a test: {' or '.join(RULE_SETS)}.", ADVANCED)]
NormalityAlpha = Annotated[float, Opt("Level of the normality test.", ADVANCED, LEVEL)]
LowestScore = Annotated[
    float | None, Opt("Smallest possible score (for margins).", ADVANCED, label="smallest possible score")
]
HighestScore = Annotated[
    float | None, Opt("Largest possible score (for margins).", ADVANCED, label="largest possible score")
]
Rope = Annotated[
    float | Sequence[float] | None,
    Opt("Differences too small to matter: one number (both sides) or LOW,HIGH.", ADVANCED, most=2),
]
# How files are read.
Format = Annotated[
    str,
    Opt(
        "Format of the files; auto recognises it by their content, whatever their names; lines takes every line of "
        "outputs as it is.",
        ADVANCED,
        registry="format:scores",
        flag="input_format",
    ),
]
RatingFormat = Annotated[
    str,
    Opt(
        "Format of the file; auto recognises it by its content, whatever its name.",
        ADVANCED,
        registry="format:ratings",
        flag="input_format",
    ),
]
Columns = Annotated[
    Mapping[str, Any] | None,
    Opt(
        "Say which column is which: item=NAME, system=NAME, score, gold, output, dataset, metric, run or cluster; "
        "ignore=NAME skips a column; several columns as dataset=task,language.",
        INPUT,
    ),
]
HigherIsBetter = Annotated[
    bool | None,
    Opt(
        "Direction of the scores. Default: known from the metric's name, otherwise higher is better.",
        INPUT,
        label="direction",
        off="lower_is_better",
    ),
]
Printed = Annotated[
    int | None,
    Opt(
        "Decimals of p-values printed as 0. Default: as the others show.",
        bounds=Bounds(at_least=0, at_most=300),
        label="decimals of p-values printed as 0",
    ),
]
