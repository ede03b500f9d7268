"""How a p-value was obtained, how near it is and what it promises; intervals and distributions in one line."""

from __future__ import annotations

import math

from nofluke.types import Computed, Distribution, Interval
from nofluke.words.numbers import interval_text, level_text, rounded_up

# From so many items or clusters on the approximations hold their level well (tests/calibration).
_MANY = 50
# After "the p-value is" or "the test is".
_PROMISES = {
    "exact": "exact under the null hypothesis",
    "exact_if_swappable": "exact if the two systems are exchangeable; approximate if only their means are equal",
    "exact_if_swappable_metric": "exact if the outputs are exchangeable; approximate if only the two scores are equal",
    "nearly_exact_if_swappable_metric": "exact if the outputs are exchangeable, but for what a linear approximation "
    "leaves out; approximate if only the two scores are equal",
    "swappable_on_one_scale": "approximate, for systems that are exchangeable once they are on one scale",
    "bounded_scores": "valid for any independent scores within the stated range",
    "normal_differences": "exact for normal differences, approximate for others",
    "normal_equal_variances": "exact for normal scores with equal variances, approximate for others",
    "normal_columns": "exact for normal numbers, approximate for others",
    "welch": "approximate, and close for normal scores",
    "mid_p": "approximate: close to the level at any n, but without a guarantee",
    "split_correlation": "approximate: it assumes that the differences of two splits correlate by rho",
    "normal_correlations": "approximate, for Pearson correlations of normal scores",
    "asymptotic": "approximate in small samples",
}
EXACT = ("exact", "exact_if_swappable", "exact_if_swappable_metric")
_SHORT = {
    **dict.fromkeys(EXACT, "exact"),
    "bounded_scores": "valid in samples of any size",
    "normal_differences": "exact for normal differences",
    "normal_equal_variances": "exact for normal scores with equal variances",
    "normal_columns": "exact for normal numbers",
    "split_correlation": "approximate",
    "normal_correlations": "approximate",
    "swappable_on_one_scale": "approximate",
}


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


# Ways to an interval that have another name in a sentence; those of the user's formulas keep their own.
_INTERVALS = {
    "t": "Student's t",
    "delta method, t": "Student's t by the delta method",
    "Hodges-Lehmann (Walsh order statistics)": "Hodges-Lehmann, Walsh order statistics",
    "sign-flip inversion": "inversion of the permutation test",
}


def interval_method(interval: Interval) -> str:
    """How an interval was made."""
    made = _INTERVALS.get(interval.method, interval.method)
    return f"{made}, extended to the null value" if interval.extended else made


def distribution_line(distribution: Distribution) -> str:
    """How the curve of what chance alone would give was made."""
    return {
        "exact": "exact, under random swaps of the two systems",
        "smoothed": "under random swaps of the two systems, smoothed",
        "normal": "normal approximation",
    }.get(distribution.how, distribution.how)


def promise(validity: str) -> str:
    """Say what the p-value promises, after "the p-value is" or "the test is"; an older nofluke stored a text here.

    >>> promise("exact")
    'exact under the null hypothesis'
    """
    return _PROMISES.get(validity, validity)


def promise_in_short(validity: str, units: int) -> str:
    """The same in a word or two; that few items or clusters make an approximation rough is said where they are few.

    >>> promise_in_short("exact_if_swappable", 20), promise_in_short("asymptotic", 20)
    ('exact', 'approximate, rough for so few')
    >>> promise_in_short("asymptotic", 400)
    'approximate'
    """
    return _SHORT.get(validity, "approximate" if units >= _MANY else "approximate, rough for so few")
