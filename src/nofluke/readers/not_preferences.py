"""Tables of who was preferred, item by item: they hold no scores, but counts that can be tested as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nofluke.errors import By, Fix, InputError
from nofluke.readers.aliases import normal
from nofluke.readers.table import Table

# Names of columns that say which of two systems was preferred, and what they hold where neither was.
_WINNER = frozenset(["winner", "preferred", "preference", "choice", "better", "chosen", "vote"])
_TIE = frozenset(["tie", "tied", "draw", "neither", "both", "none", "equal", "same", "no_preference", "tie_(bothbad)"])


def refuse_preferences(table: Table) -> None:
    """Refuse a table of who won each item: its counts can be tested as they are."""
    name = next((one for one in table.columns if normal(one) in _WINNER), None)
    if name is None:
        return
    winners = [(cell or "").strip() for cell in table.texts(name)]
    often = Counter(cell for cell in winners if cell)
    ties = sum(often.pop(cell) for cell in list(often) if normal(cell) in _TIE)
    sides = [one for one in table.columns if normal(one) in map(normal, often)]
    if len(sides) == 2:
        raise _preferred_in_pairs(table, name, winners, sides)
    if len(often) != 2:
        return
    (a, first), (b, second) = sorted(often.items())
    raise _preferred(table, f"{name!r} says who is preferred", a, b, first, second, ties)


def _preferred_in_pairs(table: Table, name: str, winners: Sequence[str], sides: Sequence[str]) -> InputError:
    """The error of rows that name two systems and which of them won; of many systems, the pair that met most often."""
    first, second = ([(cell or "").strip() for cell in table.texts(side)] for side in sides)
    (a, b), _ = Counter(tuple(sorted(pair)) for pair in zip(first, second, strict=True)).most_common(1)[0]
    won = Counter[str]()
    for left, right, winner in zip(first, second, winners, strict=True):
        if {left, right} == {a, b}:
            chosen = {normal(sides[0]): left, normal(sides[1]): right}.get(normal(winner), winner)
            won[chosen if chosen in (a, b) else ""] += 1
    systems = len({*first, *second})
    among = "" if systems == 2 else f" among {systems} systems; {a} and {b} met most often"
    return _preferred(table, f"{name!r} says who is preferred{among}", a, b, won[a], won[b], won[""])


def _preferred(table: Table, message: str, a: str, b: str, first: int, second: int, ties: int) -> InputError:
    """The error of preferences, with the test of how often each of two systems won."""
    counts = f"0,{first},{second},{ties}"
    command = f"nofluke test --counts {counts} --method mcnemar"
    return table.error(
        f"{message}: {a} {first:,} times, {b} {second:,} times, neither {ties:,} times.",
        fix=Fix(
            f"test these counts, A for {a} and B for {b}: ",
            By(
                f"nf.test(nf.sample_from_counts({counts.replace(',', ', ')}), method='mcnemar')",
                command,
                f"{command} on the command line",
            ),
            "; for scores, give numbers, one column for each system.",
        ),
    )
