"""Which columns hold the items, the annotators and their labels."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from nofluke.readers.aliases import is_alias, is_other_id, is_size, matches, normal
from nofluke.readers.candidates import MOST_LOOKED_AT, MOST_ROWS_LOOKED_AT, counts_rows, measured
from nofluke.readers.not_ratings import (
    OFTEN,
    refuse_counts,
    refuse_how_often,
    refuse_labels_as_names,
    refuse_lists,
    refuse_nothing_shared,
    refuse_p_values,
)
from nofluke.readers.not_scores import refuse_objects
from nofluke.readers.roles import Roles, Search
from nofluke.readers.summary_rows import sums_up
from nofluke.readers.table import Table
from nofluke.types import note

# Columns that hold the right answer, or what others said in sum; an annotator only if the user says so.
# On fewer items two annotators may have no label in common by chance.
_FEWEST_TOLD_APART = 10
_ANSWER = frozenset(
    ["source", "adjudicated", "adjudication", "consensus", "majority", "majority_vote", "final", "resolved"]
)
# What an annotator wrote, or was measured, beside a label: anna_comment, annotator_1_time.
_BESIDE_LABEL = re.compile(
    r".+_(?:comments?|notes?|reason|rationale|explanation|justification|time|seconds|confidence)"
)


# Fewer rows may well have a label each, or labels that count up.
_FEWEST_IDS, _FEWEST_NUMBERED = 5, 20


def rating_roles(table: Table, layout: str, asked: Mapping[str, Any], keep: Sequence[str] = ()) -> Roles:
    """Settle the roles; without a label column the annotators are the columns of a wide table.

    `keep` are annotators whatever their names.
    """
    search = Search(table, asked)
    wanted = search.found.get("annotator", [])
    people = wanted or [name for name in search.free if is_alias("annotator", name)]
    long = bool(people) and len(wanted) < 2 and layout != "wide"
    long = long and (bool(matches("label", search.free)) or _is_long(search, people))
    if not (long or layout == "long" or search.has("label")):
        if layout == "auto" and not wanted:
            refuse_counts(table)
        _find_wide(search, keep)
        return search.roles()
    for role in ("annotator", "label"):
        search.settle(role)
        if role == "label" and not search.has("label"):
            search.settle_item()
            search.found["label"] = _differ_within_items(search)
        if len(search.found.get(role, ())) != 1:
            raise search.lacking(
                role, f"a long table of ratings has one {role} column, and here it is not clear which."
            )
    search.settle_item()
    if not search.has("item"):
        raise search.lacking("item", "a long table of ratings needs a column that names the item.")
    _note_left(search)
    return search.roles()


def _is_long(search: Search, people: Sequence[str]) -> bool:
    """Whether one column names who rated, and another the items, each of which comes once for every annotator."""
    table, others = search.table, [name for name in search.free if is_alias("item", name) or is_other_id(name)]
    named = [name for name in (*people, *others) if search.holds_labels(name)]
    if not table.headed or len(people) != 1 or any(search.tally(name).filled < table.rows for name in named):
        return False
    return any(not table.differ([name]) and table.differ([name, *people]) for name in others if name in named)


def _differ_within_items(search: Search) -> list[str]:
    """The free columns that annotators filled differently: what is the same in all rows of an item describes it."""
    table, item = search.table, search.found.get("item", [])
    if not item:
        return []
    items = set(table.labels(*item))
    cells = {name: table.texts(name) for name in search.free if _may_rate(search, name)}
    return [
        name for name, found in cells.items() if len(set(zip(table.labels(*item), found, strict=True))) > len(items)
    ]


def _may_rate(search: Search, name: str) -> bool:
    return search.holds_labels(name) and not is_other_id(name) and not _describes(name)


def _find_wide(search: Search, keep: Sequence[str]) -> None:
    search.settle_item()
    if not search.has("item"):
        first = [name for name in search.free[:1] if name not in keep]
        search.found["item"] = [name for name in first if _names_items(search, name, search.free)]
    if "annotator" in search.asked:
        _note_left(search)
    else:
        refuse_p_values(search, keep)
        search.found["annotator"] = _people(search, keep)
        if search.free:
            search.notes.append(note("read.not_annotators", columns=search.free))
        _note_long(search)
    if not search.found["annotator"]:
        raise search.lacking("annotator", "there is no column of ratings beside the items.")
    refuse_lists(search)
    if not any(map(search.holds_labels, search.found["annotator"])):
        refuse_objects(search.table, "annotator", list(search.table.columns))
    if len(search.found["annotator"]) == 2 and "annotator" not in search.asked:
        refuse_nothing_shared(search)
    if search.table.headed and len(search.found["annotator"]) > 1:
        refuse_labels_as_names(search.table, search.found["annotator"])
        if "annotator" not in search.asked:
            refuse_how_often(search)


def _note_long(search: Search) -> None:
    """Say how to read three columns as item, annotator and label where the first two together name every row."""
    table, people = search.table, search.found["annotator"]
    if not table.headed or len(people) != 3 or search.found["item"]:
        return
    # Where a cell is empty, a column holds ratings: names are written out.
    if any(search.tally(name).filled < table.rows for name in people[:2]) or not table.differ(people[:2]):
        return
    if all(len(set(table.texts(name))) < table.rows for name in people[:2]):
        item, annotator, label = people
        search.notes.append(note("read.three_columns", item=item, annotator=annotator, label=label))


def _note_left(search: Search) -> None:
    if search.free:
        search.notes.append(note("read.columns_unused", columns=search.free))


def _people(search: Search, keep: Sequence[str]) -> list[str]:
    """Leave out columns that describe items, and those with the right answer where two others are left."""
    names = search.free
    named = [name for name in names if name in keep or (not _describes(name) and search.holds_labels(name))]
    people = [name for name in named if name in keep or not _names_items(search, name, named)]
    people = [name for name in people if name in keep or not _is_stranger(search, name, people)]
    others = [name for name in people if name in keep or not _is_answer(name)]
    return next((found for found in (others, people) if len(found) > 1), names)


def _is_stranger(search: Search, name: str, people: Sequence[str]) -> bool:
    """Whether a column of words shares no label with any other, while two others share some: it holds no ratings."""
    rows = search.table.rows
    if len(people) < 3 or search.is_numeric(name) or not _FEWEST_TOLD_APART <= rows <= MOST_ROWS_LOOKED_AT:
        return False
    used = {one: {cell for cell in search.table.texts(one) if cell} for one in people[:MOST_LOOKED_AT]}
    own = used.pop(name, set())
    # One label in all rows may be all that an annotator gave.
    if (len(own) < 2 and search.tally(name).filled == rows) or any(own & labels for labels in used.values()):
        return False
    return any(one & other for one, other in itertools.combinations(used.values(), 2))


def _is_answer(name: str) -> bool:
    gold = is_alias("gold", name) and normal(name) != "human"
    return gold or normal(name).removesuffix("_label") in _ANSWER or sums_up(name)


def _describes(name: str) -> bool:
    """Whether a column says what an item is, how large, or where it belongs."""
    if _is_answer(name):
        return False
    beside = _BESIDE_LABEL.fullmatch(normal(name)) or (measured([name]) and normal(name) not in OFTEN)
    return bool(beside) or is_size(name) or any(is_alias(role, name) for role in ("item", "dataset", "run", "cluster"))


def _names_items(search: Search, name: str, beside: Sequence[str]) -> bool:
    """Whether a column names or numbers the items: it differs in every row, and holds no label of two others."""
    table, others = search.table, [other for other in beside if other != name]
    cells = table.texts(name)
    if len(others) < 2 or table.rows < _FEWEST_IDS or len(set(cells)) < table.rows or None in cells:
        return False
    if search.is_numeric(name) and counts_rows(table.columns[name].numbers() - table.columns[name].numbers()[0]):
        return name in table.unnamed or table.rows >= _FEWEST_NUMBERED
    labels = [set(table.texts(other)) for other in others]
    # Numbers without end, such as judgements between 0 and 1, differ in every row of every annotator.
    repeat = all(len(used) < table.rows for used in labels)
    return table.headed and repeat and not any(used.intersection(cells) for used in labels)
