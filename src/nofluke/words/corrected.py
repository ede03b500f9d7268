"""What corrected p-values say: which are still significant, and what that promises."""

from __future__ import annotations

from nofluke.errors import listing
from nofluke.inference.multiplicity.partial_conjunction import at_most
from nofluke.types import Answer, Corrected, Table
from nofluke.types.base import counted
from nofluke.words.fixes import DETAILS
from nofluke.words.layout import first_that_fits
from nofluke.words.notes.replicate import false_claims
from nofluke.words.numbers import given_digits, level_text, p_digits, spelled

_MOST_NOTES = 3
_MOST_NAMES = 10
# How many names the verdict lists and how many rows are shown: the first that fits, from the most to the fewest.
_SIZES = tuple((names, rows) for names in (_MOST_NAMES, 3, 0) for rows in (6, 5, 4, 3))
_FOR_DETAILS = ("p_values.source", "p_values.printed_zeros", "p_values.bounds")


def answer(result: Corrected) -> Answer:
    """Which p-values are still significant, the table of them, and what the correction promises."""
    points = tuple(point for point in (("Promise", promise(result)), ("Alone", _alone(result))) if point[1])
    notes = tuple(str(note) for note in result.notes if note.code not in _FOR_DETAILS)[:_MOST_NOTES]
    tone = "settled" if result.standing else "open"
    return first_that_fits(
        Answer(headline(result, names), _table(result, rows), points, notes, tone=tone) for names, rows in _SIZES
    )


def _table(result: Corrected, most: int) -> Table:
    """So many p-values, those that are still significant first where not all have room."""
    order = sorted(range(len(result.names)), key=lambda place: result.names[place] not in result.standing)
    shown = list(range(len(order))) if len(order) <= most else order[:most]
    left = len(order) - len(shown)
    rest = any(result.names[place] in result.standing for place in order[most:])
    return Table(
        columns=("name", "p", f"p ({result.label})", "significant"),
        rows=tuple(_row(result, place) for place in shown),
        caption=f"{left:,} more{'' if rest else ', none significant'}: {DETAILS}." if left else "",
        figures=("p", f"p ({result.label})"),
    )


def _row(result: Corrected, place: int) -> tuple[str, ...]:
    name = result.names[place]
    p, adjusted = float(result.p_values[place]), float(result.adjusted[place])
    return name, given_digits(p), p_digits(adjusted, result.alpha), "yes" if name in result.standing else "no"


def headline(result: Corrected, most: int = _MOST_NAMES) -> str:
    """Which p-values are still significant, by name if there are few or the first so many; without names for 0."""
    size, standing = len(result.names), len(result.standing)
    how = f"at {result.alpha:g} after the correction ({result.label})"
    if size == 1:
        return f"The one p-value is {'still' if standing else 'not'} significant {how}."
    if not standing:
        return f"None of {size:,} p-values is significant {how}."
    is_ = "is" if standing == 1 else "are"
    number = "All" if standing == size else spelled(standing)
    which = "" if standing == size or not most else f": {_listed(result.standing, most)}"
    return f"{number} of {size:,} p-values {is_} still significant {how}{which}.".replace("All of", "All")


def _listed(names: tuple[str, ...], most: int = _MOST_NAMES) -> str:
    """Name a few.

    >>> _listed(("x",)), _listed(("x", "y")), _listed(("x", "y", "z"))
    ('x', 'x and y', 'x, y and z')
    """
    if len(names) > most or len(names) < 2:
        return listing(names, most)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def promise(result: Corrected) -> str:
    """What the correction promises, and under which dependence."""
    among = "a false claim" if len(result.names) == 1 else "even one false claim among them"
    kept = {
        "family-wise error": f"The chance of {among} is at most {level_text(result.alpha)}",
        "false discovery rate": f"On average at most {level_text(result.alpha)} of these claims are false",
    }[result.controls]
    return f"{kept} ({result.controls}; needs {result.under}).".replace("needs any", "valid under any")


def _alone(result: Corrected) -> str:
    alone = int(at_most(result.p_values, result.alpha).sum())
    if len(result.names) == 1 or (alone and alone == len(result.standing)):
        return ""
    if not alone:
        return "Without a correction none would be significant either."
    risk = false_claims(len(result.names), result.alpha, "test")
    return f"Without a correction {alone:,} would be significant, but {risk}."


def sentences(result: Corrected) -> tuple[str, ...]:
    """The promise, and why the uncorrected p-values do not give it."""
    return tuple(sentence for sentence in (promise(result), _alone(result)) if sentence)


def title(result: Corrected) -> str:
    """What the report is about."""
    size = len(result.names)
    return f"{counted(size, 'p-value')} corrected{' for their number' if size > 1 else ''}"


def _controls(result: Corrected) -> str:
    return f"the {result.controls} at {result.alpha:g} under {result.under}"


def caption(result: Corrected) -> str:
    """What stands below the table."""
    return f"P-values adjusted by {result.label}: controls {_controls(result)}."


def explanations(result: Corrected) -> dict[str, str]:
    """What the columns are."""
    return {"significant": f"whether the adjusted p-value is at most {result.alpha:g}"}


def paper_sentence(result: Corrected) -> str:
    """The correction in one sentence for a paper."""
    return f"P-values were corrected by {result.label} ({_controls(result).removeprefix('the ')})."


def paper_paragraph(result: Corrected) -> str:
    """The correction and its outcome for a paper."""
    size, standing = len(result.names), len(result.standing)
    if size == 1:
        ends = "it is significant" if standing else "it is not significant"
        return f"The p-value was corrected by {result.label}, which controls {_controls(result)}; {ends}."
    are = "is" if standing == 1 else "are"
    return (
        f"The {size:,} p-values were corrected for their number by {result.label}, which controls {_controls(result)}; "
        f"{standing or 'none'} of them {are if standing else 'is'} significant."
    )
