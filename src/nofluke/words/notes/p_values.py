"""What is worth knowing about p-values as they were given, and sentences that an older nofluke stored as text."""

from __future__ import annotations

from nofluke.errors import Option
from nofluke.types.base import counted
from nofluke.words.notes import Sayings

_SAYS_SO = {"stated": "as stated", "printed": "as printed", "others": "as the other p-values show"}

STORED: Sayings = {"text": lambda text: str(text)}


def _state_decimals() -> str:
    return f"state the number of decimals, as in {Option('printed', '4')}."


def _given_as_0(values: int) -> str:
    return f"{counted(values, 'p-value')} {'is' if values == 1 else 'are'} given as 0, which is impossible"


def _printed_zeros(values: int, taken_as: float, decimals: int, by: str) -> str:
    taken = f"taken as {taken_as:g}, the largest number that rounds to 0 at {counted(decimals, 'decimal')}"
    rounded = "" if decimals > 1 or by == "stated" else f" If it was rounded later, {_state_decimals()}"
    return f"{_given_as_0(values)}; {taken} ({_SAYS_SO[by]}).{rounded}"


def _bounds(values: int) -> str:
    are = "is printed as a bound" if values == 1 else "are printed as bounds"
    return f"{counted(values, 'p-value')} {are} (<); the bound is taken as the p-value."


P_VALUES: Sayings = {
    "source": "P-values from {source}.",
    "bounds": _bounds,
    "lower_by_name": "Lower is better, known by the name {word!r} in the columns of scores.",
    "printed_zeros": _printed_zeros,
    "computed_zeros": lambda values, taken_as: (
        f"{_given_as_0(values)}; taken as {taken_as:.1g}. If it was rounded, {_state_decimals()}"
    ),
    "union": lambda whole, parts: f"{whole} is the union of {' and '.join(parts)}.",
    "reused_test_sets": lambda times, setups: f"Every test set serves {times:,} of the {setups:,} setups.",
}
