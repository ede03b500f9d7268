"""The table evalb prints: one row per sentence with matched, gold and test brackets."""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.errors import InputError
from nofluke.metrics.texts import Lines

_HEADER = ("ID", "Len.", "Stat.")
_FIELDS = 12
_STATUS, _MATCHED, _GOLD, _TEST = 2, 5, 6, 7


@dataclass(frozen=True, slots=True)
class EvalbRow:
    """The brackets of one sentence; all 0 where evalb left it out (status 1 error, 2 skip)."""

    identity: str
    status: int
    matched: int
    gold: int
    test: int


def is_evalb_table(lines: Lines) -> bool:
    """Tell evalb's printed table from trees by its header."""
    return any(tuple(line.split()[:3]) == _HEADER for line in lines.lines[:50])


def read_evalb(lines: Lines) -> tuple[EvalbRow, ...]:
    """Read the rows between the two lines of = signs; the summary below is not needed."""
    rules = [index for index, line in enumerate(lines.lines) if line.startswith("====")]
    if len(rules) < 2:
        raise InputError(
            "the table has no second line of = signs, so it is not whole.",
            where=lines.where(len(lines) - 1),
            fix="give all that evalb printed.",
        )
    rows = [_row(lines, index) for index in range(rules[0] + 1, rules[1]) if lines.lines[index].strip()]
    if not rows:
        raise InputError("the table has no rows.", where=lines.where(rules[0]), fix="give all that evalb printed.")
    return tuple(rows)


def _row(lines: Lines, index: int) -> EvalbRow:
    fields = lines.lines[index].split()
    try:
        numbers = [float(field) for field in fields]
    except ValueError:
        numbers = []
    if len(numbers) != _FIELDS:
        raise InputError(
            f"this is not a row of evalb's table, which has {_FIELDS} numbers.",
            where=lines.where(index),
            fix="run evalb without its debug output (-d), and give all that it printed.",
        )
    status, matched, gold, test = (int(numbers[column]) for column in (_STATUS, _MATCHED, _GOLD, _TEST))
    if matched > min(gold, test):
        raise InputError(
            f"{matched} matched brackets are more than gold ({gold}) or test ({test}) has.",
            where=lines.where(index),
            fix="give the table as evalb printed it.",
        )
    if status:
        # evalb prints counts of some error sentences but leaves them out of its totals.
        matched = gold = test = 0
    return EvalbRow(fields[0], status, matched, gold, test)
