"""A verb notes how it was called, and a signature says so in one line."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from nofluke import __version__
from nofluke.executors import using
from nofluke.option_groups import SELECTING
from nofluke.options import EXECUTOR, PROGRESS
from nofluke.progress import notebook_bar
from nofluke.registry import Method, Registry
from nofluke.types import Call, Sample, Scores, Stored, Strata

Function = TypeVar("Function", bound=Callable[..., Any])
Options = Mapping[str, Any]
_UNNAMED = ("A", "B")


def called(
    verb: str,
    data: str | Callable[[Any], str] = "",
    *holding: str,
    like: Callable[..., Any] | None = None,
    further: Callable[..., Any] | None = None,
    methods: Registry | None = None,
    tables: bool = False,
    from_disk: bool = False,
    settled: Callable[[Any], Options] = lambda _result: {},
) -> Callable[[Function], Function]:
    """Let a verb note in its result how it was called: all it was told that is not its default.

    `holding` names the parameters that hold the data. `like` is the function whose signature has the defaults, where
    it is not the decorated one; `further` and the `methods` take its further options. `tables` says that the verb looks
    at tables of scores itself; others get the sample of two systems that is chosen from one. `from_disk` says that it
    works with scores that stay on disk; others get those they ask about in memory. `settled` gives what the result
    decided itself, such as the method that was taken: a call names it, so that it stays the same one.
    """

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def noted(*given: Any, **options: Any) -> Any:
            if data == "pair" and not tables:
                given, options = _paired(given, options)
            if not from_disk:
                given = tuple(_in_memory(one, options) if isinstance(one, Stored) else one for one in given)
            with using(options.pop(EXECUTOR, None) if chunked else None), notebook_bar() as bar:
                shown = {PROGRESS: bar} if chunked and bar is not None and options.get(PROGRESS) is None else {}
                result = function(*given, **(options | shown))
            bound = _signature(function).bind(*given, **options).arguments
            taken = settled(result)
            told = changed(like or function, _all_given(function, bound, holding))
            told = {**taken, **(told if further is None else changed(further, told)), **taken}
            method = None if methods is None else _method(function, told, methods)
            first = bound.get(holding[0]) if holding else None
            kind, selection = _looked_at(data(first) if callable(data) else data, first, method, told)
            told = {name: value for name, value in told.items() if name not in selection}
            told = told if method is None else _unless_usual(told, method)
            plain = {name: value for name, value in told.items() if _is_plain(value)}
            odd = tuple(name for name, value in told.items() if name not in plain and not _is_empty(value))
            return replace(result, call=Call(verb, plain, kind, selection, unwritten=odd))

        chunked = _takes_executor(function, noted)
        return noted  # type: ignore[return-value]

    return decorate


def _takes_executor(function: Callable[..., Any], noted: Callable[..., Any]) -> bool:
    """What reports its progress works in chunks, and says in its signature that anybody may run them."""
    signature = _signature(function)
    if PROGRESS not in signature.parameters:
        return False
    *first, last = signature.parameters.values()
    own = inspect.Parameter(EXECUTOR, inspect.Parameter.KEYWORD_ONLY, default=None)
    shown = (*first, own, last) if last.kind is inspect.Parameter.VAR_KEYWORD else (*first, last, own)
    noted.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    return True


def _in_memory(scores: Stored, options: Options) -> Scores:
    """Read the scores of the systems that are asked about, or of all."""
    both = tuple(str(options[name]) for name in ("a", "b") if options.get(name) is not None)
    return scores.of(both if len(both) == 2 else options.get("systems"), options)


def _paired(given: tuple[Any, ...], options: Options) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Choose the two systems from a table of scores: a verb looks at the sample, its options say which."""
    if not given or not isinstance(given[0], Scores | Stored):
        return given, dict(options)
    selecting = {name: value for name, value in options.items() if name in SELECTING}
    rest = {name: value for name, value in options.items() if name not in SELECTING}
    return (given[0].pair(**selecting), *given[1:]), rest


def changed(function: Callable[..., Any], told: Options) -> dict[str, Any]:
    """Give what is told a function but for what it would take anyway.

    >>> changed(lambda a, *, unit=1, missing="refuse": None, {"unit": 5, "missing": "refuse"})
    {'unit': 5}
    """
    defaults = {name: one.default for name, one in _signature(function).parameters.items()}
    found = {name: _plain(value) for name, value in told.items()}
    return {name: value for name, value in found.items() if name not in defaults or value != _plain(defaults[name])}


# Taking a function apart takes longer than some tests.
_signature = functools.cache(inspect.signature)


def selection_of(sample: Sample) -> dict[str, Any]:
    """Give what chose a sample from its scores; of scores that were given as they are, what is known of it."""
    named = {} if sample.systems[:2] == _UNNAMED else dict(zip(("a", "b"), sample.systems[:2], strict=True))
    known = {
        "missing": "drop" if sample.alignment.dropped else None,
        "unit": sample.unit_size if sample.unit_size > 1 else None,
        "unit_statistic": sample.unit_statistic if sample.unit_statistic != "mean" else None,
        "shuffle_seed": sample.shuffle_seed,
    }
    return {**named, **{name: value for name, value in known.items() if value is not None}, **sample.selected}


def _all_given(function: Callable[..., Any], bound: Options, holding: tuple[str, ...]) -> dict[str, Any]:
    """All that a verb was told but its data, options of its method among it."""
    parameters = _signature(function).parameters
    further = [name for name, one in parameters.items() if one.kind is inspect.Parameter.VAR_KEYWORD]
    told = {name: value for name, value in bound.items() if name not in (*holding, *further, PROGRESS)}
    if "b" in holding and isinstance(bound.get("b"), str):
        # After one sample the method may stand in the place of the second.
        told[list(parameters)[len(holding)]] = bound["b"]
    return told | {key: value for name in further for key, value in bound.get(name, {}).items()}


def _method(function: Callable[..., Any], told: Options, methods: Registry) -> Method | None:
    parameters = _signature(function).parameters
    keyword = "method" if "method" in parameters else "name"
    name = told.get(keyword, parameters[keyword].default)
    return methods[name] if name in methods else None  # noqa: SIM401 (a registry has no get)


def _unless_usual(told: Options, method: Method) -> dict[str, Any]:
    """Leave out options of the method that are at its defaults."""
    usual = {option.name: _plain(option.default) for option in method.options}
    return {name: value for name, value in told.items() if name not in usual or value != usual[name]}


def _looked_at(data: str, given: Any, method: Method | None, told: Options) -> tuple[str, dict[str, Any]]:
    """What kind of data a verb was given, and what selected it."""
    if data != "pair" or isinstance(given, Scores | Mapping):
        return "scores" if data == "pair" else data, {}
    if isinstance(given, Sample):
        return "pair" if given.paired else "unpaired", selection_of(given)
    alone = told.get("form") == "unpaired" or (method is not None and method.facts["needs"] == "unpaired")
    # Of two lists the verb itself makes the sample; of a table, what reads it does.
    return "unpaired" if alone else "pair", {name: value for name, value in told.items() if name in SELECTING}


def _plain(value: Any) -> Any:
    """Numbers are Python's own, and lists are tuples."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, str | int | float)


def _is_empty(value: Any) -> bool:
    return isinstance(value, Mapping) and not value


def signature(kind: str, method: str, *fields: Options) -> str:
    """Say in one line how to get a number again: the method, what it was told, and the facts of the sample.

    >>> signature("test", "sign", {"alternative": "less", "seed": None}, {"n": 9}).partition("|")[2]
    'test:sign|alternative:less|n:9'
    """
    return with_facts(f"nofluke:{__version__}|{kind}:{method}", *fields)


def with_facts(signed: str, *fields: Options) -> str:
    """Give a signature with more fields; what is None was not there, and says nothing."""
    told = [(name, value) for group in fields for name, value in group.items() if value is not None]
    return "|".join([signed, *(f"{name}:{_field(value)}" for name, value in told)])


def _field(value: Any) -> str:
    return ",".join(map(_field, value)) if isinstance(value, list | tuple) else str(value)


def _weights(strata: Strata) -> str:
    if strata.weighting != "given":
        return strata.weighting
    return ",".join(f"{name}={weight:.6g}" for name, weight in zip(strata.names, strata.weights, strict=True))


def sample_facts(sample: Sample) -> dict[str, Any]:
    """Give what a signature says of a sample beside its size."""
    return {
        "unit": f"{sample.unit_size}:{sample.unit_statistic}" if sample.unit_size > 1 else None,
        "shuffle_seed": sample.shuffle_seed,
        "datasets": None if sample.strata is None else len(sample.strata.names),
        "weights": None if sample.strata is None else _weights(sample.strata),
        "missing": "drop" if sample.alignment.dropped else None,
        "clusters": None if sample.clusters is None else "yes",
        "runs": None if sample.runs is None else [len(names) for names in sample.runs.names],
        # | divides the fields: BLEU|nrefs:1|tok:13a becomes scored_by:BLEU;nrefs:1;tok:13a.
        "scored_by": sample.scored_by.replace("|", ";") or None,
    }
