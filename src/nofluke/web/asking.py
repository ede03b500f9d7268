"""The smaller verbs of the library, each one call, for programs that ask over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nofluke.types import Sample, Value
from nofluke.web.data import Files, Progress, own_options, sample_of, scores_of
from nofluke.web.safety import Limits

_TEST = ("alternative", "delta", "confidence_level", "seed")


@dataclass(frozen=True, slots=True)
class Number(Value):
    """An answer that is one number."""

    value: float


@dataclass(frozen=True, slots=True)
class Numbers(Value):
    """An answer of several numbers, in the order of the question."""

    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Scored(Value):
    """What each system scores, over how many items."""

    metric: str
    higher_is_better: bool
    scores: Mapping[str, float]
    items: int


def _sample(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Sample:
    return sample_of(request, scores_of(request["data"], files, progress, limits))


def describe(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    """Look at the data."""
    import nofluke as nf

    return nf.describe(_sample(request, files, progress, limits), normality_alpha=request["normality_alpha"])


def recommend(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    """Say which tests fit."""
    import nofluke as nf

    sample = _sample(request, files, progress, limits)
    return nf.recommend(sample, rules=request["rules"], normality_alpha=request["normality_alpha"])


def test(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    """Run one test."""
    import nofluke as nf
    from nofluke.align import select_unpaired
    from nofluke.registry import TESTS

    options = own_options(request["options"], nf.test)
    settings = {name: request[name] for name in _TEST}
    method = request["method"]
    if method == "auto" or TESTS[method].facts["needs"] != "unpaired":
        sample = _sample(request, files, progress, limits)
    else:
        scores = scores_of(request["data"], files, progress, limits)
        chosen = {name: request[name] for name in ("dataset", "metric", "run", "missing", "clusters")}
        sample = select_unpaired(scores, request["a"], request["b"], **chosen)
    return nf.test(sample, method, progress=progress, **settings, **options)


def effect(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    """Measure one effect."""
    import nofluke as nf

    options = own_options(request["options"], nf.effect)
    return nf.effect(_sample(request, files, progress, limits), name=request["name"], **options)


def score(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    """Score outputs, or read what they scored."""
    scores = scores_of(request["data"], files, progress, limits)
    found: dict[str, float] = {}
    metric, first = "", scores.systems[0]
    higher, items = True, 0
    for system in scores.systems:
        sample = scores.pair(system, first if system != first else scores.systems[-1], missing="drop", clusters=False)
        found[system], metric = sample.score(0), sample.metric
        higher, items = sample.higher_is_better, sample.n
    return Scored(metric, higher, found, items)


def power(request: Mapping[str, Any], _files: Files, _progress: Progress, _limits: Limits) -> Value:
    """How often would it be found?"""
    import nofluke as nf

    return Number(nf.power(**_given(request)))


def detectable_effect(request: Mapping[str, Any], _files: Files, _progress: Progress, _limits: Limits) -> Value:
    """Which difference would be found?"""
    import nofluke as nf

    return Number(nf.detectable_effect(**_given(request)))


def correct(request: Mapping[str, Any], _files: Files, _progress: Progress, _limits: Limits) -> Value:
    """Correct p-values for their number."""
    import nofluke as nf

    options = own_options(request["options"], nf.correct)
    found = nf.correct(request["p_values"], request["method"], alpha=request["alpha"], **options)
    return Numbers(tuple(float(one) for one in found))


def combine(request: Mapping[str, Any], _files: Files, _progress: Progress, _limits: Limits) -> Value:
    """Make one p-value of several."""
    import nofluke as nf

    options = own_options(request["options"], nf.combine)
    return Number(nf.combine(request["p_values"], request["method"], weights=request["weights"], **options))


def omnibus(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    """Test many systems at once."""
    import nofluke as nf

    options = own_options(request["options"], nf.omnibus)
    chosen = {name: request[name] for name in ("metric", "run", "missing")}
    return nf.omnibus(scores_of(request["data"], files, progress, limits), request["method"], **chosen, **options)


def _given(request: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in request.items() if value is not None}
