"""Lists of numbers on the command line of a study."""

from __future__ import annotations

from nofluke.errors import InputError


def whole_numbers(text: str, option: str) -> list[int]:
    """Read whole numbers with commas between them.

    >>> whole_numbers("100, 200", "sizes")
    [100, 200]
    """
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"--{option} {text!r} is not a list of whole numbers.", fix="write, say, 100,200,400."
        ) from None


def two_numbers(text: str, option: str) -> tuple[float, float]:
    """Read a range, two numbers with a comma between them.

    >>> two_numbers("0.04,0.06", "near")
    (0.04, 0.06)
    """
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--{option} {text!r} is not two numbers.", fix="write, say, 0.04,0.06.") from None
    return low, high
