"""Tables that are laid out otherwise than they are read: what names systems and items is not to be taken for scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nofluke.errors import Fix, InputError, listing, named_as
from nofluke.readers.aliases import is_size, says_only_score
from nofluke.readers.candidates import MOST_LOOKED_AT, MOST_ROWS_LOOKED_AT, first_numbers, groups_items
from nofluke.readers.direction import is_metric_name
from nofluke.readers.roles import Search

# Fewer numbers than this may well be the scores of each group by chance.
_FEWEST_CROSSED = 3
# Of all pairs of a name and a number, this share has a row: a few may have got lost.
_CROSSED = 0.9
_MOST_NAMED = 8


def refuse_crossed(search: Search, numeric: Sequence[str]) -> None:
    """Refuse a long table that no name tells: every name of one column with every whole number of another, once."""
    if "item" in search.asked:
        return
    able = [name for name in numeric[:MOST_LOOKED_AT] if not is_size(name) and not is_metric_name(name)]
    able = [name for name in able if not says_only_score(name)]
    owners = [name for name in search.free[:MOST_LOOKED_AT] if groups_items(search, name)]
    for owner in (*search.those("dataset", "cluster"), *owners):
        for number in able if len(numeric) > 1 else ():
            if _are_crossed(search, owner, number):
                raise _crossed(search, owner, number, [name for name in numeric if name != number])


def _are_crossed(search: Search, owner: str, number: str) -> bool:
    """Whether a column of whole numbers has nearly all of them once for each label of another column."""
    table, numbers = search.table, first_numbers(search.table, number)
    if search.tally(number).filled < table.rows or not bool((numbers == np.floor(numbers)).all()):
        return False
    owners, items = (len(table.columns[name].labels().labels) for name in (owner, number))
    if owners < 2 or items < _FEWEST_CROSSED or not _CROSSED * owners * items <= table.rows <= owners * items:
        return False
    return table.differ([owner, number])


def _crossed(search: Search, owner: str, number: str, scores: Sequence[str]) -> InputError:
    """The error of such a table: `number` names items, and `owner` their systems or groups."""
    named = ",".join((number, *scores[:_MOST_NAMED], *["..."][: len(scores) > _MOST_NAMED]))
    scored = Fix("; if all are scores, name them: ", named_as(score=named), ".")
    message = f"each {number!r} comes once with each {owner!r}, so it seems to name items, and to be no system."
    if owner in search.those("dataset", "cluster"):
        return search.table.error(message, fix=Fix("if so, say so: ", named_as(item=number), scored))
    long = Fix(f"if {owner!r} names systems, say so: ", named_as(system=owner, item=number, score=scores[0]))
    if len(scores) == 1:
        return search.table.error(message, fix=Fix(long, scored))
    wide = Fix(f"; if {listing(map(repr, scores), 3)} are systems: ", named_as(dataset=owner, item=number))
    return search.table.error(message, fix=Fix(long, wide, scored))


def refuse_crossed_names(search: Search, scores: Sequence[str] = ()) -> None:
    """Refuse names of items and systems that no heading tells: every label of one column once with all of another."""
    table = search.table
    if "item" in search.asked or search.has("system") or table.rows > MOST_ROWS_LOOKED_AT:
        return
    able = [*search.those("item"), *search.free[:MOST_LOOKED_AT]]
    names = [name for name in able if search.tally(name).filled == table.rows and _repeats(search, name)]
    for item in names:
        for owner in names:
            items, owners = (len(table.columns[name].labels().labels) for name in (item, owner))
            if 2 <= owners < items and table.rows == owners * items and table.differ([item, owner]):
                more = {"score": scores[0]} if scores else {}
                raise table.error(
                    f"each {item!r} comes once with each {owner!r}: these seem to name items and systems.",
                    fix=Fix(
                        "if so, say so: ",
                        named_as(item=item, system=owner, **more),
                        "; else leave one out: ",
                        named_as(ignore=item),
                        ".",
                    ),
                )


def _repeats(search: Search, name: str) -> bool:
    """Whether a column holds names, and not one for every row."""
    return not search.is_numeric(name) and search.holds_labels(name) and not search.table.differ([name])
