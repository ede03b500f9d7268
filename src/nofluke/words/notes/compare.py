"""What may change how a comparison is read: rounded scores, items left out, margins, other tests, unknown power."""

from __future__ import annotations

from nofluke.types.base import counted
from nofluke.words.notes import RANGE, Sayings
from nofluke.words.numbers import p_text
from nofluke.words.planning import often


def reread(denominator: int) -> str:
    """Say how printed scores were read again to undo their rounding."""
    if denominator:
        return f"scores read as fractions of {denominator}"
    return "differences of one unit of the last printed decimal taken as ties"


def _repeated(method: str, denominator: int, p_value: float | None) -> str:
    found = f": {p_text(p_value)}" if p_value is not None else ""
    return f"As a check on rounded scores, {method} was run again with {reread(denominator)}{found}."


def _rounding_decides(denominator: int, p_value: float, instead_of: float) -> str:
    return (
        f"Rounded scores decide the verdict: with {reread(denominator)} it changes, {p_text(p_value)} instead of "
        f"{p_text(instead_of)}. Give the scores unrounded."
    )


def _left_out(n: int) -> str:
    return f"{counted(n, 'item')} {'was' if n == 1 else 'were'} left out"


def _too_small(n: int, margin: float, needed: int, a: str, b: str) -> str:
    return (
        f"{counted(n, 'item')} {'is' if n == 1 else 'are'} too few for a margin of {margin:g}: {a} would not pass even "
        f"with the outputs of {b}. That takes {needed:,} items, and outputs that differ take more."
    )


def _few_different(a: str, b: str, different: int, clusters: bool, enough: int, ranged: bool = True) -> str:
    unit = "cluster" if clusters else "item"
    stated = f"State the range of possible scores ({RANGE}), or give" if ranged else "Give"
    return (
        f"{a} and {b} differ on only {counted(different, unit)}, too few to tell how large a loss another {unit} can "
        f"bring. {stated} {enough} {unit}s that differ."
    )


def _other_tests(n: int) -> str:
    return (
        f"{counted(n, 'other test')} {'was' if n == 1 else 'were'} run on these data. Report them all, or choose the "
        "test and its side before looking: a p-value picked from several means little. None is corrected for this."
    )


COMPARE: Sayings = {
    "repeated": _repeated,
    "rounding_decides": _rounding_decides,
    "left_out": lambda n: f"{_left_out(n)} because a score is missing.",
    "left_out_unknown_range": lambda n: (
        f"{_left_out(n)} because a score is missing. State the range of scores ({RANGE}) to see the worst case."
    ),
    "left_out_harmless": "The verdict holds whatever the scores of the {n:left-out item} were.",
    "left_out_decides": lambda n, p_value: (
        f"The {counted(n, 'left-out item')} could change the verdict: at their worst, {p_text(p_value)}."
    ),
    "margin_few_different": _few_different,
    "margin_too_small": _too_small,
    "other_tests": _other_tests,
    # Why nobody can say what the test set could have found.
    "one_unit": "a single {unit} has no standard deviation",
    "no_spread": "the differences do not vary",
    "level_out_of_reach": lambda groups, unit, alpha: (
        f"with {counted(groups, unit)} no permutation test can reach the level {alpha:g}"
    ),
    "few_differ": lambda differing, unit: (
        f"only {counted(differing, unit)} {'differs' if differing == 1 else 'differ'}, and none in the direction tested"
    ),
    "gap_out_of_range": lambda groups, unit, power, widest: (
        f"{counted(groups, unit)} are too few: with differences that vary this much, no possible gap (at most "
        f"{widest:g}) is found in {often(power)}"
    ),
}
