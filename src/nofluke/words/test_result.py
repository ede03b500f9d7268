"""What a TestResult says of how its p-value was obtained."""

from __future__ import annotations

import math

from nofluke.types import TestResult


def how_computed(result: TestResult) -> str:
    """Say in half a sentence how the p-value was computed, and how near it is."""
    computed = result.computed
    if computed.how == "monte-carlo":
        return f"{computed.resamples:,} random draws, seed {computed.seed}"
    if computed.how == "linear+correction":
        return f"p is at most the value given (bound from {computed.resamples:,} resamples, seed {computed.seed})"
    if computed.how == "decision":
        return f"{computed.resamples:,} random draws until it was decided, seed {computed.seed}"
    if computed.how == "bound":
        return "p is an upper bound"
    if computed.how == "approximate":
        return f"p is correct to within {rounded_up(computed.error)}"
    return "exact" if result.validity.startswith("exact under the null") else "approximate in small samples"


def rounded_up(bound: float) -> str:
    """Print a bound with one digit, never below itself.

    >>> rounded_up(0.00612), rounded_up(0.005), rounded_up(0.0)
    ('0.007', '0.005', '0')
    """
    printed = f"{bound:.1g}"
    if not math.isfinite(bound) or float(printed) >= bound:
        return printed
    return f"{bound + 0.5 * 10.0 ** math.floor(math.log10(bound)):.1g}"
