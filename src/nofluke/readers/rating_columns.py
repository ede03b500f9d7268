"""Which columns hold the items, the annotators and their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nofluke.errors import Fix, InputError, Option, listing, named_as
from nofluke.readers.aliases import is_alias, is_size, matches, normal
from nofluke.readers.candidates import counts_rows
from nofluke.readers.columns import TextColumn
from nofluke.readers.not_scores import refuse_objects
from nofluke.readers.roles import Roles, Search
from nofluke.readers.sql import TextInSql
from nofluke.readers.table import Table
from nofluke.types import note

# Columns that hold the right answer; an annotator only if the user says so.
_ANSWER = frozenset({"gold", "reference", "source"})


# Fewer rows may well have a label each, or labels that count up.
_FEWEST_IDS, _FEWEST_NUMBERED = 5, 20


def rating_roles(table: Table, layout: str, asked: Mapping[str, Any], keep: Sequence[str] = ()) -> Roles:
    """Settle the roles; without a label column the annotators are the columns of a wide table.

    `keep` are annotators whatever their names.
    """
    search = Search(table, asked)
    wanted = search.found.get("annotator", [])
    people = wanted or [name for name in search.free if is_alias("annotator", name)]
    long = bool(people) and bool(matches("label", search.free)) and len(wanted) < 2 and layout != "wide"
    if not (long or layout == "long" or search.has("label")):
        if layout == "auto" and not wanted:
            _refuse_counts(table)
        _find_wide(search, keep)
        return search.roles()
    for role in ("annotator", "label"):
        search.settle(role)
        if len(search.found.get(role, ())) != 1:
            raise search.lacking(
                role, f"a long table of ratings has one {role} column, and here it is not clear which."
            )
    search.settle_item()
    if not search.has("item"):
        raise search.lacking("item", "a long table of ratings needs a column that names the item.")
    _note_left(search)
    return search.roles()


def _find_wide(search: Search, keep: Sequence[str]) -> None:
    search.settle_item()
    if not search.has("item"):
        first = [name for name in search.free[:1] if name not in keep]
        search.found["item"] = [name for name in first if _names_items(search, name, search.free)]
    if "annotator" in search.asked:
        _note_left(search)
    else:
        search.found["annotator"] = _people(search, keep)
        if search.free:
            search.notes.append(note("read.not_annotators", columns=search.free))
        _note_long(search)
    if not any(map(search.holds_labels, search.found["annotator"])):
        refuse_objects(search.table, "labels", (str, int, float))
    if search.table.headed and len(search.found["annotator"]) > 1:
        _refuse_labels_as_names(search.table, search.found["annotator"])


def _note_long(search: Search) -> None:
    """Say how to read three columns as item, annotator and label where the first two together name every row."""
    table, people = search.table, search.found["annotator"]
    if not table.headed or len(people) != 3 or search.found["item"] or not table.differ(people[:2]):
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
    others = [name for name in people if name in keep or normal(name) not in _ANSWER]
    return next((found for found in (others, people) if len(found) > 1), names)


def _describes(name: str) -> bool:
    """Whether a column says what an item is, how large, or where it belongs."""
    if normal(name) in _ANSWER:
        return False
    return is_size(name) or any(is_alias(role, name) for role in ("item", "dataset", "run", "cluster"))


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


def _refuse_counts(table: Table) -> None:
    """Refuse a table whose rows and columns have the same names and whose cells are whole numbers."""
    names = list(table.columns)
    if not table.headed or not 3 <= len(names) <= 101 or not table.rows <= 101:
        return
    cells = {name: [str(cell).strip() for cell in table.columns[name].values_as_given()] for name in names}
    rows = cells.pop(names[0])
    # Margins may add one row and one column of their own names.
    if len(set(rows) & set(names[1:])) < max(2, len(rows) - 1, len(names) - 2):
        return
    if all(cell.removesuffix(".0").isdecimal() for column in cells.values() for cell in column):
        raise table.error(
            "this looks like a table of counts: its rows and columns have the same names.",
            fix=Fix(
                "say so: ",
                Option("layout", "matrix"),
                "; if the columns are annotators: ",
                Option("layout", "wide"),
                " or ",
                named_as(annotator="A,B"),
                ".",
            ),
        )


def _refuse_labels_as_names(table: Table, annotators: Sequence[str]) -> None:
    """Refuse a first line that holds labels: it is probably the first item of a file without a header."""
    columns = [table.columns[name] for name in annotators]
    if not all(isinstance(column, TextColumn | TextInSql) for column in columns):
        return
    used = {cell.strip() for column in columns for cell in set(column.texts()) if cell}
    if all(name.strip() in used for name in annotators):
        raise InputError(
            f"the first line ({listing(annotators, 4)}) holds labels, not the names of annotators.",
            where=f"{table.name} line 1",
            fix="put a line with the names of the annotators on top.",
        )
