"""How a p-value was obtained and how near it is, in one line; intervals and distributions likewise."""

from __future__ import annotations

import math

from nofluke.types import Computed, Distribution, Interval
from nofluke.words.numbers import interval_text, level_text
from nofluke.words.test_result import rounded_up


def line(value: Computed | Interval | Distribution) -> str:
    """Say it in one line."""
    if isinstance(value, Interval):
        return interval_line(value)
    return distribution_line(value) if isinstance(value, Distribution) else computed_line(value)


def computed_line(computed: Computed) -> str:
    """Say how a p-value was obtained: the way it was computed, or how many draws and what they leave open.

    >>> computed_line(Computed("exact")), computed_line(Computed("approximate", 0.00612))
    ('exact', 'approximate, error at most 0.007')
    """
    detail = f" ({computed.detail})" if computed.detail is not None else ""
    draws = f"{computed.resamples:,} random draws, seed {computed.seed}"
    return {
        "exact": f"exact{detail}",
        "approximate": f"approximate, error at most {rounded_up(computed.error)}{detail}",
        "monte-carlo": f"{draws}; {_open(computed)}{detail}",
        "linear+correction": f"a bound from {computed.resamples:,} resamples, seed {computed.seed}: p is at most the "
        f"value given (95% confidence), and the estimate is {computed.error:.2g} lower",
        "decision": f"{draws}, until it was decided{detail}",
        "bound": f"an upper bound{detail}",
    }[computed.how]


def _open(computed: Computed) -> str:
    """How far the draws leave the p-value open."""
    if computed.interval is None:
        return "no p-value" if math.isnan(computed.error) else f"standard error {computed.error:.2g}"
    low, high = computed.interval.low, computed.interval.high
    return f"{level_text(computed.interval.level)} CI of p {low:.3g} to {high:.3g}"


def interval_line(interval: Interval, scale: float = math.nan) -> str:
    """An interval with the name of its method.

    >>> interval_line(Interval(0.1, 0.25, 0.95, "Tango", extended=True))
    '95% CI 0.1 to 0.25 (Tango, extended to the null value)'
    """
    return f"{interval_text(interval, scale)} ({interval_method(interval)})"


def interval_method(interval: Interval) -> str:
    """How an interval was made."""
    return f"{interval.method}, extended to the null value" if interval.extended else interval.method


def distribution_line(distribution: Distribution) -> str:
    """How the curve of what chance alone would give was made."""
    return {
        "exact": "exact, under random swaps of the two systems",
        "smoothed": "under random swaps of the two systems, smoothed",
        "normal": "normal approximation",
    }.get(distribution.how, distribution.how)
