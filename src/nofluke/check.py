"""The guards that everyone needs: a level, a seed, and a test that gives a p-value."""

from __future__ import annotations

from numbers import Integral, Real

from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.types import TestResult


def check_level(value: object, name: str) -> None:
    """Refuse a level outside (0, 1)."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < 1:
        raise InputError(f"{name} = {value!r} is not between 0 and 1.", fix="give a number such as 0.05 or 0.95.")


def check_seed(seed: object) -> None:
    """Refuse what is no whole number of at least 0."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"seed = {seed!r} is not a whole number of at least 0.", fix="give a number such as 0.")


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
