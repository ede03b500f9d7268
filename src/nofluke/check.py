"""The guards that everyone needs: numbers in their range, a level, a seed, and a test that gives a p-value."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import TypeGuard

from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.types import FloatArray, TestResult


def is_whole(value: object, least: float = -math.inf, most: float = math.inf) -> TypeGuard[int]:
    """Whether a value is a whole number in its range; True and False are none.

    >>> is_whole(3, least=1), is_whole(True), is_whole(3.0)
    (True, False, False)
    """
    return not isinstance(value, bool) and isinstance(value, Integral) and least <= int(value) <= most


def is_number(value: object, above: float = -math.inf, below: float = math.inf) -> TypeGuard[float]:
    """Whether a value is a finite number strictly inside its range; True and False are none."""
    return not isinstance(value, bool) and isinstance(value, Real) and above < float(value) < below


def check_count(value: object, name: str, least: int, most: float = math.inf) -> int:
    """Give a whole number inside its range, or say what was expected."""
    if not is_whole(value, least, most):
        expected = f"of at least {least:,}" if math.isinf(most) else f"from {least:,} to {most:,}"
        raise InputError(f"{name} = {value!r} is not a whole number {expected}.", fix="give such a number.")
    return int(value)


def check_number(
    value: object, name: str, low: float = -math.inf, high: float = math.inf, *, closed: bool = False
) -> float:
    """Give a number strictly inside (or, closed, on) the limits, or say what is wrong with it."""
    if is_number(value) and (low <= value <= high if closed else low < value < high):
        return float(value)
    if math.isinf(low):
        expected = "a finite number"
    elif math.isinf(high):
        expected = f"a finite number {'of at least' if closed else 'above'} {low:g}"
    else:
        expected = f"a number {'from' if closed else 'between'} {low:g} {'to' if closed else 'and'} {high:g}"
    raise InputError(f"{name} = {value!r} is not {expected}.", fix=f"give {expected}.")


def check_level(value: object, name: str) -> None:
    """Refuse a level outside (0, 1)."""
    if not is_number(value, 0, 1):
        raise InputError(f"{name} = {value!r} is not between 0 and 1.", fix="give a number such as 0.05 or 0.95.")
    if 1.0 - float(value) == 1.0:
        raise InputError(f"{name} = {value!r} is too near to 0 to be told from it.", fix="give at least 1e-15.")


def check_range(scores: FloatArray, low: float | None, high: float | None) -> tuple[float, float]:
    """Give both ends of the range of possible scores; refuse what is none, and one that scores lie beyond."""
    if low is None or high is None or not math.isfinite(low) or not math.isfinite(high) or low >= high:
        raise InputError(
            f"low = {low} and high = {high} are no range of scores.",
            fix=Fix("state both ends: ", Option("low", "1"), " and ", Option("high", "5"), ", say."),
        )
    if low > scores.min() or high < scores.max():
        raise InputError(
            f"scores run from {scores.min():g} to {scores.max():g}, beyond the stated range {low:g} to {high:g}.",
            fix="state the smallest and largest score that is possible.",
        )
    return low, high


def check_seed(seed: object, name: str = "seed") -> None:
    """Refuse what is no whole number of at least 0."""
    if not is_whole(seed, least=0):
        raise InputError(f"{name} = {seed!r} is not a whole number of at least 0.", fix="give a number such as 0.")


def no_p_value(where: str = "") -> MethodError:
    """Say that draws which only decide about one level give no p-value."""
    return MethodError(
        "draws that stop at a yes or no give no p-value, and there is none to combine or to correct.",
        where=where,
        fix=Fix("leave ", Option("stop"), " out, or use ", Option("stop", "p_value"), "."),
    )


def refuse_decision(result: TestResult, where: str) -> None:
    """Refuse a test that was stopped at a yes or no: it has no p-value, only a side of one level."""
    if result.computed.how == "decision":
        raise no_p_value(where)
