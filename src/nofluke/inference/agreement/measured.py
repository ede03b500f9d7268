"""From a coefficient and what each item adds to it to its error, interval, test, and the items it would need.

A coefficient is one function from ratings and options of its own to what it measured; `coefficient` registers it
with the options, the interval and the test that all of them share.
"""

from __future__ import annotations

import functools
import inspect
import math
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from nofluke.check import is_number
from nofluke.errors import InputError
from nofluke.inference.agreement.bootstrap import bootstrap_interval
from nofluke.inference.agreement.tally import Pairs, Tally, Values
from nofluke.inference.p_values import ConfidenceLevel, Progress, Seed, p_of
from nofluke.laws.tails import log_normal_tail, log_t_tail, t_quantile
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient, FloatArray, Interval, Note, Ratings, note

IntervalKind = Annotated[
    Literal["log", "normal", "bootstrap"],
    "how the interval is made: on the log of 1 - coefficient with Student's t, as value +- z standard errors, "
    "or by resampling items (BCa)",
]
NormalFirst = Annotated[
    Literal["normal", "log", "bootstrap"],
    "how the interval is made: as value +- z standard errors (Fleiss, Cohen and Everitt 1969), on the log of "
    "1 - coefficient with Student's t, or by resampling items (BCa)",
]
Resamples = Annotated[int, "draws of the bootstrap over items"]

# 1 - coefficient below this is agreement without exception; rounding leaves a few units of 1e-16.
_PERFECT = 1e-13

# (draws, columns) of sums over items -> the coefficient of each draw.
Solve = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Shuffled:
    """The ratings that a coefficient compares, and how it comes from pairs of them where labels have been shuffled.

    `quick` says whether computing one table by itself is quick even where the pairs are many.
    """

    ratings: Ratings
    tally: Tally
    values: Callable[[Pairs], Values]
    quick: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A coefficient with the derivative in each item's weight, times n: its mean square over n is the variance.

    `statistics` gives, when asked, the (n, d) columns whose sums over drawn items `solve` turns into the coefficient.
    `shuffled` gives what the test of agreement by chance needs; None for a coefficient that has none.
    `value` is nan where all labels are one: chance alone would give complete agreement too. `divisor` is n (n - 1), or
    n^2 where the published variance has that.
    """

    value: float
    observed: float
    expected: float
    influence: FloatArray
    statistics: Callable[[], FloatArray]
    solve: Solve
    shuffled: Callable[[], Shuffled | None] = lambda: None
    null_error: float = math.nan
    divisor: float = math.nan
    notes: tuple[Note, ...] = ()

    @property
    def n(self) -> int:
        """The items that count."""
        return len(self.influence)


@dataclass(frozen=True, slots=True)
class IntervalOptions:
    """What the user wants of interval and test: the options that all coefficients share. `low` is the least value."""

    confidence_level: ConfidenceLevel = 0.95
    interval: str = "log"
    n_resamples: Resamples = 9999
    seed: Seed = 0
    progress: Progress = None
    low: float = -1.0


Measure = Callable[..., Measured]


@dataclass(frozen=True, slots=True)
class Halves:
    """The two halves of a coefficient: from ratings and its own options to what it measured, and on from there."""

    measure: Measure
    finish: Callable[..., Coefficient]


# By name; `coefficient` fills it.
HALVES: dict[str, Halves] = {}
_SHARED = ("confidence_level", "interval", "n_resamples", "seed", "progress")


def coefficient(
    name: str,
    *,
    label: str,
    symbol: str,
    chance: str,
    cite: str,
    needs: str = "two or more",
    bounds: tuple[float, float] = (-1.0, 1.0),
    plain: str = "",
    intervals: Any = IntervalKind,
    finish: Callable[[Measured, IntervalOptions], Coefficient] | None = None,
    aliases: tuple[str, ...] = (),
) -> Callable[[Measure], Measure]:
    """Register a function from ratings and its own options to what it measured, with the options that all share.

    `chance` is the model behind its chance agreement (chance_test.arrangements), `plain` the coefficient that it is for
    labels without an order, `intervals` the kinds of interval, the default first, `finish` what it takes in place of
    `finished`.
    """
    usual = {"interval": typing.get_args(typing.get_args(intervals)[0])[0], "low": bounds[0]}

    def enter(measure: Measure) -> Measure:
        def finishing(m: Measured, **shared: Any) -> Coefficient:
            return (finish or finished)(m, IntervalOptions(**usual | shared))

        @functools.wraps(measure)
        def compute(ratings: Ratings, **options: Any) -> Coefficient:
            own, shared = own_and_shared(options)
            return finishing(measure(ratings, **own), **shared)

        compute.__annotations__, compute.__signature__ = _with_shared(measure, intervals, usual)  # type: ignore[attr-defined]
        HALVES[name] = Halves(measure, finishing)
        facts = {"symbol": symbol, "chance": chance, "needs": needs, "bounds": bounds, "plain": plain}
        register = AGREEMENT.register(name, label=label, cite=cite, aliases=aliases, **facts)
        register(compute)
        return measure

    return enter


def own_and_shared(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Tell the options that make a coefficient another one from those of interval and test."""
    return (
        {name: value for name, value in options.items() if name not in _SHARED},
        {name: value for name, value in options.items() if name in _SHARED},
    )


def _with_shared(
    measure: Measure, intervals: Any, usual: Mapping[str, Any]
) -> tuple[dict[str, Any], inspect.Signature]:
    """Give the annotations and the signature of a coefficient: its own options, then those that all share."""
    own, shared = inspect.signature(measure), inspect.signature(IntervalOptions).parameters
    keywords = [
        shared[name].replace(kind=inspect.Parameter.KEYWORD_ONLY, default=usual.get(name, shared[name].default))
        for name in _SHARED
    ]
    hints = typing.get_type_hints(IntervalOptions, include_extras=True) | {"interval": intervals}
    hints |= typing.get_type_hints(measure, include_extras=True) | {"return": Coefficient}
    return hints, own.replace(parameters=[*own.parameters.values(), *keywords], return_annotation=Coefficient)


def finished(m: Measured, options: IntervalOptions) -> Coefficient:
    """Add standard error, interval and the test of 0."""
    if math.isnan(m.value):
        # Chance alone would give complete agreement too.
        return Coefficient(math.nan, m.observed, m.expected, m.n, notes=(note("agree.one_label"), *m.notes))
    if m.n < 2:
        return Coefficient(m.value, m.observed, m.expected, m.n, notes=(note("agree.single_item"), *m.notes))
    if 1 - m.value < _PERFECT:
        return _perfect(m, options)
    divisor = m.n * (m.n - 1) if math.isnan(m.divisor) else m.divisor
    error = math.sqrt(float(np.sum(m.influence**2)) / divisor)
    if error < _PERFECT:
        notes = (note("agree.no_spread"), *m.notes)
        z, log_p = _test(m, math.nan)
        return Coefficient(
            m.value, m.observed, m.expected, m.n, None, math.nan, m.null_error, z, p_of(log_p), log_p, notes
        )
    interval, notes = _interval(m, error, options)
    z, log_p = _test(m, error)
    notes = (*notes, *m.notes)
    return Coefficient(
        m.value, m.observed, m.expected, m.n, interval, error, m.null_error, z, p_of(log_p), log_p, notes
    )


def _test(m: Measured, error: float) -> tuple[float, float]:
    """Test a coefficient of 0, two-sided."""
    if math.isfinite(m.null_error) and m.null_error > 0:
        z = m.value / m.null_error
        return z, min(0.0, math.log(2) + log_normal_tail(abs(z)))
    if math.isnan(error):
        return math.nan, math.nan
    z = m.value / error
    return z, min(0.0, math.log(2) + log_t_tail(abs(z), m.n - 1))


def _interval(m: Measured, error: float, options: IntervalOptions) -> tuple[Interval | None, tuple[Note, ...]]:
    if options.interval == "bootstrap":
        return bootstrap_interval(m, options)
    if options.interval != "log":
        half = quantile(options.confidence_level) * error
        low, high = m.value - half, min(1.0, m.value + half)
    else:
        # 1 - coefficient is a ratio of two disagreements, and the log of a ratio is nearer to normal than the ratio.
        gap = 1 - m.value
        half = -t_quantile((1 - options.confidence_level) / 2, m.n - 1) * error / gap
        low, high = 1 - gap * math.exp(min(half, 700.0)), 1 - gap * math.exp(-half)
    return Interval(max(low, options.low), high, options.confidence_level, options.interval), ()


def _perfect(m: Measured, options: IntervalOptions) -> Coefficient:
    """Agreement without exception: no spread, but a bound for the share of items that would show a disagreement."""
    missed = -math.expm1(math.log((1 - options.confidence_level) / 2) / m.n)
    low = max(options.low, 1 - missed / (1 - m.expected))
    interval = Interval(low, 1.0, options.confidence_level, "Clopper-Pearson")
    z, log_p = _test(m, math.nan)
    notes = (note("agree.perfect", items=m.n), *m.notes)
    return Coefficient(1.0, m.observed, m.expected, m.n, interval, math.nan, m.null_error, z, p_of(log_p), log_p, notes)


def quantile(level: float) -> float:
    """Give the normal quantile of a two-sided level."""
    from scipy.special import ndtri

    return -float(ndtri((1 - level) / 2))


def items_for_width(found: Coefficient, width: float, level: float) -> int | None:
    """Give how many items like these, with as many annotators, make the interval so narrow; None where unknown.

    The standard error falls with the square root of the items. On the log scale the width is
    2 (1 - value) sinh(h), with h the half width there; without disagreement the width is that of the bound.
    """
    if not is_number(width, 0, 2):
        raise InputError(f"width = {width!r} is not between 0 and 2.", fix="give the whole width, such as 0.1.")
    interval = found.interval
    if interval is None or math.isnan(found.value):
        return None
    if interval.method == "Clopper-Pearson":
        expected = 0.0 if math.isnan(found.expected) else found.expected
        return _without_disagreement(width * (1 - expected), level)
    half = quantile(level) * found.standard_error * math.sqrt(found.items)
    wanted = width / 2
    if interval.method == "log":
        gap = 1 - found.value
        half, wanted = half / gap, math.asinh(width / (2 * gap))
    return max(2, math.ceil((half / wanted) ** 2 - 1e-9))


def items_for_half(found: Coefficient, level: float) -> int | None:
    """Give how many items like these would halve the interval; None where it has no width, or no limit is known."""
    width = math.nan if found.interval is None else found.interval.high - found.interval.low
    return items_for_width(found, width / 2, level) if width > 0 else None


def _without_disagreement(share: float, level: float) -> int:
    """Solve 1 - (error / 2)^(1 / n) = share."""
    if share >= 1:
        return 2
    return max(2, math.ceil(math.log((1 - level) / 2) / math.log1p(-share)))
