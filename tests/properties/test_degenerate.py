"""Tables without anything to tell: every coefficient, omnibus test, correlation and posterior says so in words."""

from __future__ import annotations

import math
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.registry import AGREEMENT, ASSOCIATIONS, COMBINATIONS, CORRECTIONS, OMNIBUS, POSTERIORS, Method
from nofluke.types import Interval

RATINGS: dict[str, Any] = {
    "all the same": [[1, 1]] * 5,
    "one item": [[1, 2]],
    "opposite": [[1, 2], [2, 1]],
    "three annotators": [[1, 1, 2], [2, 2, 2], [3, 3, 1]],
    "mostly missing": [[1, None], [None, 2], [1, 1]],
    "words": [["a", "b"], ["b", "b"], ["a", "a"]],
    "negative": [[-1, -1], [2, 2], [-3, 2]],
    "huge": [[1e300, 1e300], [-1e300, 1e300], [0, 0]],
    "tiny": [[1e-300, 2e-300], [1e-300, 1e-300], [3e-300, 0]],
}
TABLES: dict[str, Any] = {
    "constant": [[1, 1, 1]] * 4,
    "one row": [[1, 2, 3]],
    "two systems": [[1, 2], [2, 1], [3, 1]],
    "0 and 1": [[0, 1, 1], [1, 1, 1], [0, 0, 0]],
    "perfect": [[3, 2, 1]] * 6,
    "huge": [[1e300, 2e300, 0]] * 3,
    "tiny": [[1e-300, 2e-300, 0], [0, 1e-300, 0]],
}
COLUMNS: dict[str, Any] = {
    "constant": ([1, 1, 1, 1], [1, 2, 3, 4]),
    "a line": ([1, 2, 3, 4], [2, 4, 6, 8]),
    "huge": ([1e90, 2e90, -1e90, 5e90], [1, 2, 3, 5]),
    "tiny": ([1e-90, 2e-90, 4e-90, 3e-90], [1, 2, 3, 5]),
    "near constant": ([1e8, 1e8 + 1e-6, 1e8 + 2e-6, 1e8], [1, 2, 3, 5]),
    "one huge score": ([1e12, 0.1, 0.2, 0.3, 0.2], [1, 2, 3, 4, 5]),
    "two items": ([1, 2], [2, 1]),
}
P_VALUES = {"0": [0, 0.5], "1": [1, 1], "tiny": [1e-320, 1e-310], "single": [0.03], "both ends": [0, 1]}
ROPES = (None, 0.0, 0.1, 1e-300, 1e300)


def holds(interval: Interval | None, value: float) -> bool:
    if interval is None or math.isnan(interval.low) or math.isnan(value):
        return True
    return interval.low <= value <= interval.high


@pytest.mark.parametrize("kind", RATINGS)
@pytest.mark.parametrize("method", list(AGREEMENT), ids=lambda method: method.name)
def test_ratings(method: Method, kind: str) -> None:
    low, high = method.facts["bounds"]
    for option in (option for option in method.options if option.choices):
        for choice in option.choices:
            try:
                result = nf.agree(RATINGS[kind], method.name, **{option.name: choice})
            except NoflukeError:
                continue
            assert math.isnan(result.value) or low <= result.value <= high
            assert holds(result.interval, result.value)
            assert nf.report(result, "text")


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("method", list(OMNIBUS), ids=lambda method: method.name)
def test_tables(method: Method, kind: str) -> None:
    try:
        result = nf.omnibus(TABLES[kind], method.name)
    except NoflukeError:
        return
    assert math.isnan(result.p_value) or 0 < result.p_value <= 1
    assert nf.report(result, "text")


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("method", list(ASSOCIATIONS), ids=lambda method: method.name)
def test_columns(method: Method, kind: str) -> None:
    x, y = COLUMNS[kind]
    for side in ("two-sided", "greater", "less"):
        try:
            one, other = (nf.correlation(*pair, method.name, alternative=side) for pair in ((x, y), (y, x)))
        except NoflukeError:
            continue
        assert one.p_value == pytest.approx(other.p_value, rel=1e-9, nan_ok=True)
        assert holds(one.interval, one.estimate)
        assert nf.report(one, "text")


@pytest.mark.parametrize("kind", P_VALUES)
def test_p_values(kind: str) -> None:
    for method in CORRECTIONS:
        try:
            adjusted = nf.correct(P_VALUES[kind], method.name)
        except NoflukeError:
            continue
        assert ((adjusted >= 0) & (adjusted <= 1)).all()
    for method in COMBINATIONS:
        try:
            assert 0 < nf.combine(P_VALUES[kind], method.name) <= 1
        except NoflukeError as refused:
            assert refused.fix  # noqa: PT017 (1 has no place in some sums)
    assert nf.report(nf.replicate(P_VALUES[kind]), "text")


@pytest.mark.parametrize("rope", ROPES)
@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("method", list(POSTERIORS), ids=lambda method: method.name)
def test_posteriors(method: Method, kind: str, rope: float | None) -> None:
    a, b = COLUMNS[kind]
    given = {f"set {i}": ([x], [y]) for i, (x, y) in enumerate(zip(a, b, strict=True))}
    options: dict[str, Any] = {"rope": rope} if "rope" in method.option_names() else {}
    try:
        result = nf.bayes(*((given, None) if method.facts["needs"] == "datasets" else (a, b)), method.name, **options)
    except NoflukeError:
        return
    assert nf.report(result, "text")
    if method.name == "bayes_factor":
        return
    known = [p for p in (result.p_better, result.p_equal, result.p_worse) if not math.isnan(p)]
    assert all(0 <= p <= 1 + 1e-9 for p in known)
    assert len(known) < 3 or sum(known) == pytest.approx(1, abs=1e-6)
    assert holds(result.interval, result.estimate)
