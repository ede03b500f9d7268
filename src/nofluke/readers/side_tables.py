"""Small tables beside the scores: the group of every system, the domain of every item, comparisons made elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from nofluke.errors import By, Fix, InputError, listing
from nofluke.readers.aliases import normal
from nofluke.readers.formats.delimited import read_delimited
from nofluke.readers.formats.pasted import is_p_name
from nofluke.readers.given import given_from, opened
from nofluke.readers.numbers import BLANKS
from nofluke.readers.roles import columns_asked
from nofluke.readers.scores import read_carefully
from nofluke.readers.sniff import header_of
from nofluke.readers.table import Table
from nofluke.types import FloatArray

_NAME_COLUMNS = ("system", "model", "name", "run", "item", "id", "segment")
_GROUP_COLUMNS = ("group", "team", "family", "base", "type", "domain", "dataset", "genre")


def read_groups(path: str, names: Sequence[str], column: str | None = None, *, what: str = "system") -> dict[str, str]:
    """Read the group of every system (or the domain of every item) from a table: a column of names, one of groups.

    Any table will do, also the long file of scores, where a system stands in many rows. The column of names
    is the one that holds most of them; the column of groups is `column`, or one named group, team, family, base, type,
    domain, dataset or genre, or the only other one. A name with an empty cell has no group.
    """
    table = read_carefully(opened(path))
    known = set(names)
    cells = {name: [(cell or "").strip(BLANKS) for cell in table.texts(name)] for name in table.columns}
    hits = {name: len(known.intersection(column)) for name, column in cells.items()}
    at = max(cells, key=lambda name: (hits[name], name.casefold() in _NAME_COLUMNS))
    if not hits[at]:
        raise InputError(
            f"no column holds names of {what}s, such as {listing(names, 3)}.",
            where=path,
            fix=f"give a table with the columns {what} and group.",
        )
    if at in known:
        raise InputError(
            f"the first line is no heading: it holds the {what} {at!r}.",
            where=path,
            fix=f"add a first line with the names of the columns, such as {what},group.",
        )
    groups: dict[str, str] = {}
    chosen = _group_column(table, at, column)
    for row, (name, label) in enumerate(zip(cells[at], cells[chosen], strict=True)):
        if groups.setdefault(name, label) != label:
            raise InputError(
                f"{what} {name!r} is in two groups, {groups[name]!r} and {label!r}.",
                where=table.place.of(row, chosen),
                fix="each belongs to one group; check the column.",
            )
    return {name: label for name, label in groups.items() if name in known and label}


def _group_column(table: Table, at: str, column: str | None) -> str:
    if column is not None:
        return columns_asked(table, "group", column)[0]
    others = [name for name in table.columns if name != at]
    named = [name for name in others if normal(name) in _GROUP_COLUMNS] or others
    if len(named) == 1:
        return named[0]
    if not others:
        fix = "give a column of names and one of groups."
        raise table.error("there is one column only, and no groups.", fix=fix)
    raise table.error(
        f"which column holds the groups? There are {listing(others)}.",
        fix=Fix("name it: ", By("column=NAME", "--group-column NAME (--domain-column for domains)"), "."),
    )


def read_comparisons(path: str) -> tuple[FloatArray, FloatArray] | None:
    """Read gains and their p-values, or give None where the file holds something else.

    A cell that is empty or no number is refused with its line.
    """
    if path == "-":
        # Standard input can be read once only, and scores are what it may hold.
        return None
    try:
        given = given_from(path)[0]
        header = header_of(given.head())
    except InputError:
        # The reader of scores takes the file, and says what is wrong with it.
        return None
    gain, p = ([name for name in header if is_it(name)] for is_it in (lambda name: normal(name) == "gain", is_p_name))
    if not gain or not p:
        return None
    table = read_delimited(given)
    return _filled(table, gain[0]), _filled(table, p[0])


def _filled(table: Table, name: str) -> FloatArray:
    numbers = table.columns[name].numbers()
    empty = [row for row, value in enumerate(numbers.tolist()) if value != value]
    if empty:
        raise InputError(
            "the cell is empty.", where=table.place.of(empty[0], name), fix="give every comparison gain and p-value."
        )
    return numbers
