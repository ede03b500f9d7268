"""The region of practical equivalence: differences too small to matter, stated by the user or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from nofluke.check import is_number
from nofluke.errors import By, Fix, InputError

Region = tuple[float, float]
Rope = Annotated[
    tuple[float, float] | None,
    "region of practical equivalence: one number for both sides of no difference, or the two limits; none by default",
]
Draws = Annotated[int, "number of random draws"]
CredibleLevel = Annotated[float, "probability that the interval holds"]


def as_region(rope: Any, null: float) -> Region | None:
    """Read a rope: one number is a distance to both sides of `null` (no difference), two are the limits themselves.

    >>> as_region(0.01, 0.0), as_region((-0.02, 0.01), 0.0), as_region("-0.02,0.01", 0.0), as_region(0.05, 0.5)
    ((-0.01, 0.01), (-0.02, 0.01), (-0.02, 0.01), (0.45, 0.55))
    """
    if rope is None:
        return None
    parts = _parts(rope)
    if len(parts) == 1:
        distance = _number(parts[0], rope)
        if distance < 0:
            raise _wrong(rope, "is negative")
        return null - distance, null + distance
    if len(parts) != 2:
        raise _wrong(rope, f"has {len(parts)} numbers")
    low, high = (_number(part, rope) for part in parts)
    if isinstance(rope, str) and (low == 0) != (high == 0) and low <= high:
        digits = str(parts[1]).lstrip("+-") if low == 0 else ""
        raise InputError(
            f"rope = {rope!r} would be a region from {low:g} to {high:g}, with 0 at its edge.",
            fix=Fix(
                f"did you mean 0.{digits} (write a decimal point)?",
                By(f" A region from 0 on is written (0, {high:g})."),
            )
            if digits.isdecimal()
            else "give two limits with 0 between them, such as -0.01,0.01.",
        )
    if low > high:
        raise InputError(f"rope = {rope!r} has its limits swapped.", fix=f"give the lower one first: {high:g},{low:g}.")
    if not low <= null <= high:
        raise _wrong(rope, f"does not hold {null:g}, which is no difference")
    return low, high


def _parts(rope: Any) -> list[Any]:
    if isinstance(rope, str):
        return [part.strip() for part in rope.split(",")]
    return list(rope) if isinstance(rope, Iterable) else [rope]


def _number(part: Any, rope: Any) -> float:
    if isinstance(part, str):
        try:
            part = float(part)
        except ValueError:
            raise _wrong(rope, "is not made of numbers") from None
    if not is_number(part):
        raise _wrong(rope, "is not made of finite numbers")
    return float(part)


def _wrong(rope: Any, what: str) -> InputError:
    return InputError(
        f"rope = {rope!r} {what}.",
        fix="give one number such as 0.01 (both sides), or two limits such as -0.01,0.01, with no difference between.",
    )


def check_share(value: float, name: str) -> float:
    """Refuse a correlation outside [0, 1)."""
    if not 0 <= value < 1:
        raise InputError(f"{name} = {value!r} is not a share of at least 0 and below 1.", fix=f"give, say, {name}=0.1.")
    return value


def check_positive(value: float, name: str, most: float = 1e100) -> float:
    """Refuse a prior weight or scale that is not positive, or so far from 1 that it is no prior anybody holds."""
    if not 1 / most <= value <= most:
        what = "a positive number" if not value > 0 else f"between {1 / most:g} and {most:g}"
        raise InputError(f"{name} = {value!r} is not {what}.", fix=f"give, say, {name}=0.5.")
    return value
