"""Numbers in figures and words that a person would say and a statistician would sign."""

from __future__ import annotations

import math

from nofluke.types import Interval, Sample, TestResult

_SMALLEST_PRINTED = 1e-300
_USUAL_LEVELS = (0.01, 0.05, 0.1)


def p_in_figures(p: float) -> str:
    """Print a p-value; never 0, and never rounded onto a usual level it does not have.

    >>> p_in_figures(0.02636), p_in_figures(3e-9), p_in_figures(5e-324), p_in_figures(0.05002)
    ('p = 0.0264', 'p = 3.0e-09', 'p < 1e-300', 'p = 0.05002')
    """
    if math.isnan(p):
        return "p undefined"
    if p < _SMALLEST_PRINTED:
        return "p < 1e-300"
    if p == 1:
        return "p = 1"
    if p < 0.001:
        return f"p = {p:.1e}"
    rounded = f"{p:.4f}"
    return f"p = {p:.4g}" if float(rounded) in _USUAL_LEVELS and p != float(rounded) else f"p = {rounded}"


def p_of_result(result: TestResult) -> str:
    """Print a result's p-value; where it is mostly a bound, or the least that draws allow, as a bound."""
    printed = p_in_figures(result.p_value)
    if result.computed.how == "decision" and not math.isnan(result.p_value):
        return f"p {'<=' if result.p_value < 1 else '>'} {result.details['stop_alpha']:g}"
    corrected = result.computed.how == "linear+correction" and result.p_value < 10 / result.computed.resamples
    bounded = corrected or (result.computed.how == "bound" and result.p_value < 1) or no_draw_was_as_extreme(result)
    return printed.replace("p =", "p <=") if bounded else printed


def no_draw_was_as_extreme(result: TestResult) -> bool:
    """Whether a p-value of random draws is only the least that their number allows, and no rate that was seen."""
    computed = result.computed
    return computed.how == "monte-carlo" and computed.interval is not None and computed.interval.low == 0


def frequency(result: TestResult) -> str:
    """Say a result's p-value as a frequency, and as a bound where it is one."""
    at_most = "at most " if "<=" in p_of_result(result) and result.p_value >= 1e-6 else ""
    seen = f", as far as {result.computed.resamples:,} draws can tell" if no_draw_was_as_extreme(result) else ""
    return f"{at_most}{chance(result.p_value)} such test sets{seen}"


def chance(p: float) -> str:
    """Say a probability as a frequency.

    >>> chance(0.026), chance(0.00042), chance(1e-9)
    ('2.6 of 100', '4.2 of 10,000', 'fewer than 1 of a million')
    """
    if p < 1e-6:
        return "fewer than 1 of a million"
    base = 100
    while p * base < 1:
        base *= 10
    return f"{p * base:.2g} of {base:,}" if p * base < 99.5 else f"{p * base:.0f} of {base:,}"


def with_article(label: str) -> str:
    """Put "the" before a test, unless it belongs to somebody.

    >>> with_article("sign test"), with_article("McNemar's test")
    ('the sign test', "McNemar's test")
    """
    return label if label[:1].isupper() and "'s " in label else f"the {label}"


def unit_name(sample: Sample) -> str:
    """Name what a test swaps or draws as a whole: an item, a unit of several items, or a cluster."""
    if sample.clusters is not None:
        return "cluster"
    return "unit" if sample.unit_size > 1 else "item"


def figure(value: float, scale: float) -> str:
    """Print a number with the digits that matter at this scale: two of the scale's own.

    >>> figure(0.0041277, 0.0025), figure(72.2222, 1.3), figure(1234.5, 40), figure(-1e-9, 0.1)
    ('0.0041', '72.2', '1234', '0.00')
    """
    if not math.isfinite(value):
        return {math.inf: "infinity", -math.inf: "-infinity"}.get(value, "undefined")
    if not math.isfinite(scale) or not 1e-9 < scale < 1e9:
        return f"{value:.4g}"
    printed = f"{value:.{decimals_for(scale)}f}"
    return printed.removeprefix("-") if float(printed) == 0 else printed


def decimals_for(scale: float) -> int:
    """Give the number of decimals that show two significant digits of a scale such as a standard error."""
    return min(12, max(0, 1 - math.floor(math.log10(scale))))


def interval_in_figures(interval: Interval, scale: float) -> str:
    """Print an interval; a one-sided one says which side is open."""
    level = f"{interval.level * 100:g}% interval"
    if math.isinf(interval.low) and math.isinf(interval.high):
        return f"{level} unbounded: too few items to exclude any difference"
    if math.isinf(interval.low):
        return f"{level} up to {figure(interval.high, scale)}"
    if math.isinf(interval.high):
        return f"{level} from {figure(interval.low, scale)} up"
    return f"{level} {figure(interval.low, scale)} to {figure(interval.high, scale)}"


# The kind of figures that items have where only all of them together have a score.
SHARES = "shares"
_KINDS = {
    SHARES: "shares in the score of all items",
    "binary": "0/1 scores",
    "ratings": "ratings",
    "counts": "counts",
    "whole numbers": "whole-number scores",
}


def kind_in_words(kind: str) -> str:
    """Name the kind of scores in a sentence."""
    return _KINDS.get(kind, f"{kind} scores")
