"""Figures and chances as a good textbook prints them: p-values, intervals, differences."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from nofluke.types import Estimate, Interval, TestResult

_SMALLEST_PRINTED = 1e-300
_HIGHEST_PRINTED = 0.99
_USUAL_LEVELS = (0.01, 0.05, 0.1)
_MOST_DIGITS, _MOST_DECIMALS = 12, 24
_NEARLY = 0.1  # a p-value from draws that is at most this share too high is printed as it is
_NOISE = 1e-9  # of a standard error: rounding of the computation, no difference
_NARROWEST_SCALE, _WIDEST_SCALE = 1e-9, 1e9


def p_digits(p: float, alpha: float | None = None, *, bound: bool = False) -> str:
    """Print a p-value with two significant digits: never 0, never on the other side of the level or falsely on it.

    `alpha` is the level in use; without it no usual level is crossed or met falsely. A `bound` is rounded up.

    >>> [p_digits(p) for p in (0.02536, 0.1, 3e-7, 4.2e-5, 5e-324, 0.05012, 0.05002, 0.0496, 0.9951, 1)]
    ['0.025', '0.10', '3e-07', '4.2e-05', '< 1e-300', '0.0501', '0.05002', '0.0496', '> 0.99', '1']
    >>> p_digits(0.1002, 0.05), p_digits(0.1002, 0.1), p_digits(0.01252, 0.0125), p_digits(0.0934, bound=True)
    ('0.10', '0.1002', '0.013', '0.094')
    """
    if math.isnan(p):
        return "undefined"
    if p < _SMALLEST_PRINTED:
        return "< 1e-300"
    if p == 1:
        return "1"
    if p > _HIGHEST_PRINTED:
        return f"> {_HIGHEST_PRINTED:g}"
    levels = _USUAL_LEVELS if alpha is None else (alpha,)
    for digits in range(2, _MOST_DIGITS):
        printed = f"{p:#.{digits}g}"
        if bound and float(printed) < p * (1 - 1e-9):
            printed = f"{float(printed) + 10.0 ** (math.floor(math.log10(p)) + 1 - digits):#.{digits}g}"
        if all(_side(float(printed), level) == _side(p, level) for level in levels):
            break
    return printed.replace(".0e", "e")


def _side(value: float, level: float) -> int:
    return int(value > level) - int(value < level)


def given_digits(p: float) -> str:
    """Print a p-value that the user gave: as it was written, not longer.

    >>> given_digits(0.04), given_digits(0.0004), given_digits(0.0312), given_digits(4e-7)
    ('0.04', '0.0004', '0.0312', '4e-07')
    """
    return f"{p:.6g}" if p >= _SMALLEST_PRINTED else p_digits(p)


def p_text(p: float, sign: str = "=", alpha: float | None = None) -> str:
    """Print "p = 0.025".

    >>> p_text(0.025), p_text(math.nan), p_text(5e-324), p_text(0.0021, "<="), p_text(0.995), p_text(0.995, "<=")
    ('p = 0.025', 'p undefined', 'p < 1e-300', 'p <= 0.0021', 'p > 0.99', 'p <= 1')
    """
    digits = p_digits(p, alpha, bound=sign == "<=")
    if digits[0] == ">" and sign == "<=":
        return "p <= 1"
    return f"p {digits}" if digits[0] in "<>u" else f"p {sign} {digits}"


def p_of(result: TestResult) -> str:
    """Print a result's p-value; where it is mostly a bound, or the least that draws allow, as a bound."""
    if result.computed.how == "decision" and not math.isnan(result.p_value):
        return f"p {'<=' if result.p_value < 1 else '>'} {result.details['stop_alpha']:g}"
    return p_text(result.p_value, "<=" if is_bound(result) else "=", result.alpha)


def p_cell(result: TestResult) -> str:
    """A p-value for a column that is headed p."""
    return p_of(result).removeprefix("p = ").removeprefix("p ")


def p_with_side(result: TestResult) -> str:
    """Print a result's p-value; that of a one-sided test says so."""
    one_sided = result.kind != "omnibus" and result.alternative != "two-sided"
    return p_of(result) + (", one-sided" if one_sided else "")


def is_bound(result: TestResult) -> bool:
    """Whether a p-value says little more than that the true one is not larger; one that is nearly it, is no bound."""
    computed, p = result.computed, result.p_value
    far = computed.how == "bound" or (computed.how == "linear+correction" and computed.error > _NEARLY * p)
    return (far and p < 1) or no_draw_was_as_extreme(result)


def no_draw_was_as_extreme(result: TestResult) -> bool:
    """Whether a p-value of random draws is only the least that their number allows, and no rate that was seen."""
    computed = result.computed
    return computed.how == "monte-carlo" and computed.interval is not None and computed.interval.low == 0


def chance(p: float, noun: str = "test set", *, bound: bool = False) -> str:
    """Say a probability as people do, from the digits that are printed; a `bound` is never said to be smaller.

    >>> chance(0.02536), chance(0.71), chance(0.0042), chance(2e-6), chance(1e-12), chance(0.97), chance(4e-7)
    ('1 test set in 40', '7 test sets in 10', '1 test set in 250', '2 test sets in a million', \
'fewer than 1 test set in a billion', 'nearly every test set', '1 test set in 2.5 million')
    >>> chance(6.7e-7), chance(6.7e-7, bound=True), chance(1.2e-9), chance(1e-9)
    ('1 test set in 1.5 million', '1 test set in 1.4 million', '1 test set in 800 million', '1 test set in a billion')
    >>> chance(0.25), chance(0.21), chance(0.31), chance(0.25, bound=True), chance(0.26, bound=True)
    ('1 test set in 4', '2 test sets in 10', '3 test sets in 10', '1 test set in 4', '3 test sets in 10')
    >>> chance(0.012), chance(0.013), chance(0.0011), chance(0.08), chance(0.013, bound=True)
    ('1 test set in 80', '1 test set in 80', '1 test set in 900', '1 test set in 12', '1 test set in 70')
    """
    if p > 0.95:
        return f"nearly every {noun}"
    if p < 1e-9:
        return f"fewer than 1 {noun} in a billion"
    p = float(f"{p:.2g}")
    up = math.ceil if bound else round
    if 0.22 < p <= (0.25 if bound else 0.28):
        return f"1 {noun} in 4"
    if p > 0.2:
        return f"{up(round(10 * p, 9))} {noun}s in 10"
    if 1e-6 <= p < 1e-5:
        times = up(round(p * 1e6, 9))
        return f"{times} {noun}{'' if times == 1 else 's'} in a million"
    number = _as_people_say(1 / p, math.floor if bound else round)
    if number >= 1e9:
        return f"1 {noun} in a billion"
    return f"1 {noun} in {number / 1e6:g} million" if number >= 1e6 else f"1 {noun} in {number:,.0f}"


def about_chance(p: float, noun: str = "test set", *, bound: bool = False) -> str:
    """Say a probability as people do, and that it is about so, or at most.

    >>> about_chance(0.025), about_chance(0.025, bound=True), about_chance(1e-12)
    ('about 1 test set in 40', 'at most 1 test set in 40', 'fewer than 1 test set in a billion')
    """
    said = chance(p, noun, bound=bound)
    return said if said.startswith(("fewer", "nearly")) else f"{'at most' if bound else 'about'} {said}"


def _as_people_say(number: float, whole: Callable[[float], int]) -> float:
    """Round to 12, 40, 80 or 900: in whole ones up to 20, in fives up to 50, in tens up to 100, and so on."""
    decade = 10.0 ** math.floor(math.log10(number) + 1e-9)
    step = decade if number >= 5 * decade else decade / 2 if number >= 2 * decade else decade / 10
    if number < 10:
        step = 1.0
    return whole(round(number / step, 9)) * step


def figure(value: float, scale: float) -> str:
    """Print a number with the digits that matter at this scale: two of the scale's own.

    >>> figure(0.0041277, 0.0025), figure(72.2222, 1.3), figure(1234.5, 40), figure(-1e-9, 0.1)
    ('0.0041', '72.2', '1234', '0.00')
    """
    if not math.isfinite(value):
        return {math.inf: "infinity", -math.inf: "-infinity"}.get(value, "undefined")
    if not math.isfinite(scale) or not _NARROWEST_SCALE < scale < _WIDEST_SCALE:
        return f"{value:.4g}"
    printed = f"{value:.{decimals_for(scale)}f}"
    return printed.removeprefix("-") if float(printed) == 0 else printed


def two_digits(value: float) -> str:
    """Print a size that is known roughly: two significant digits, all of them before the point from 10 on.

    >>> two_digits(0.2149), two_digits(0.3), two_digits(9.96), two_digits(21.3), two_digits(213)
    ('0.21', '0.30', '10', '21', '213')
    """
    printed = f"{value:#.2g}"
    return printed if float(printed) < 10 else f"{value:.0f}"


def scale_of(result: Estimate) -> float:
    """The standard error by which figures are rounded: its own, or what the interval's width stands for."""
    own, interval = result.standard_error, result.interval
    if own > 0 or interval is None or not all(map(math.isfinite, (interval.low, interval.high))):
        return own
    return (interval.high - interval.low) / 4 if interval.high > interval.low else math.nan


def end_of(value: float, scale: float, null: float = 0.0) -> str:
    """Print the end of an interval, with the digits that show on which side of the null value it lies.

    >>> end_of(-3e-6, 0.01), end_of(0.0, 0.01), end_of(0.0312, 0.01), end_of(1e-18, 0.01), end_of(0.4976, 0.03, 0.5)
    ('-0.000003', '0.000', '0.031', '0.000', '0.498')
    """
    printed = figure(value, scale)
    if not math.isfinite(value) or not _NARROWEST_SCALE < scale < _WIDEST_SCALE or abs(value - null) < _NOISE * scale:
        return printed
    decimals = decimals_for(scale)
    while _side(float(printed), null) != _side(value, null) and decimals < _MOST_DECIMALS:
        decimals += 1
        printed = f"{value:.{decimals}f}"
    return printed


def signed(value: float, scale: float) -> str:
    """Print a difference with its sign.

    >>> signed(0.0241, 0.01), signed(-3.2, 1.0), signed(0.0, 0.01)
    ('+0.024', '-3.2', '0.000')
    """
    printed = figure(value, scale)
    return f"+{printed}" if value > 0 and math.isfinite(value) and float(printed) else printed


def decimals_for(scale: float) -> int:
    """Give the number of decimals that show two significant digits of a scale such as a standard error."""
    return min(12, max(0, 1 - math.floor(math.log10(scale))))


def level_text(level: float) -> str:
    """Print a level of confidence: 95%."""
    return f"{round(level * 100, 10):g}%"


def interval_text(interval: Interval, scale: float, null: float = 0.0) -> str:
    """Print "95% CI 0.003 to 0.045"; a one-sided interval says where it ends.

    >>> interval_text(Interval(0.0031, 0.0449, 0.95, "t"), 0.01), interval_text(Interval(0.1, math.inf, 0.9, "t"), 0.1)
    ('95% CI 0.003 to 0.045', '90% CI from 0.10 up')
    """
    return f"{level_text(interval.level)} CI {ends_text(interval, scale, null)}"


def ends_text(interval: Interval, scale: float, null: float = 0.0) -> str:
    """Print both ends of an interval; an open side says so."""
    if math.isnan(interval.low) or math.isnan(interval.high):
        return "undefined"
    low, high = (end_of(end, scale, null) for end in (interval.low, interval.high))
    if math.isinf(interval.low):
        return "unbounded" if math.isinf(interval.high) else f"up to {high}"
    return f"from {low} up" if math.isinf(interval.high) else f"{low} to {high}"


def opened(interval: Interval, alternative: str, least: float = -1.0, most: float = 1.0) -> Interval:
    """Open the side of a one-sided interval that ends only where no value can be.

    >>> interval_text(opened(Interval(0.014, 1.0, 0.95, "Tango"), "greater"), 0.01)
    '95% CI from 0.014 up'
    """
    if alternative == "greater" and interval.high == most:
        return replace(interval, high=math.inf)
    if alternative == "less" and interval.low == least:
        return replace(interval, low=-math.inf)
    return interval


_SPELLED = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def spelled(number: int) -> str:
    """Write a number at the beginning of a sentence.

    >>> spelled(10), spelled(0), spelled(1234)
    ('Ten', 'None', '1,234')
    """
    return _SPELLED[number].capitalize() if number < len(_SPELLED) else f"{number:,}"


def percent(share: float) -> str:
    """Print a share in per cent, with decimals where it is near an end; never 0% or 100% where it is not.

    >>> percent(0.634), percent(0.9991), percent(1.0), percent(0.0), percent(1e-9), percent(1 - 1e-9)
    ('63%', '99.91%', '100%', '0%', '< 0.01%', '> 99.99%')
    """
    if share in (0.0, 1.0):
        return f"{share * 100:.0f}%"
    if 0.01 <= share <= 0.99:
        return f"{share * 100:.0f}%"
    if not 0.0001 <= share <= 0.9999:
        return "< 0.01%" if share < 0.5 else "> 99.99%"
    return f"{share * 100:.2f}%"


def with_article(label: str) -> str:
    """Put "the" before a test, unless it belongs to somebody.

    >>> with_article("sign test"), with_article("McNemar's test")
    ('the sign test', "McNemar's test")
    """
    return label if label[:1].isupper() and "'s " in label else f"the {label}"


def share_text(share: float) -> str:
    """Print a share as a percentage of four digits.

    >>> share_text(0.06), share_text(0.642857)
    ('6%', '64.29%')
    """
    return f"{share * 100:.4g}%"


def hundredths(share: float, digits: int = 0) -> str:
    """Print a share as so many of 100. Only a share of 0 or 1 prints as 0 or 100: all others get the digits they need.

    >>> hundredths(0.9981), hundredths(1.0), hundredths(0.0004, 1), hundredths(0.925, 1)
    ('99.8', '100', '0.04', '92.5')
    """
    if share in (0.0, 1.0):
        digits = 0
    text = f"{100 * share:.{digits}f}"
    while 0.0 < share < 1.0 and float(text) in (0.0, 100.0) and digits < _MOST_DIGITS:
        digits += 1
        text = f"{100 * share:.{digits}f}"
    return text


def rounded_up(bound: float) -> str:
    """Print a bound with one digit, never below itself.

    >>> rounded_up(0.00612), rounded_up(0.005), rounded_up(0.0)
    ('0.007', '0.005', '0')
    """
    printed = f"{bound:.1g}"
    if not math.isfinite(bound) or float(printed) >= bound:
        return printed
    return f"{bound + 0.5 * 10.0 ** math.floor(math.log10(bound)):.1g}"
