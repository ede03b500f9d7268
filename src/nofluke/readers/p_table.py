"""Tables of p-values: which column is p, what it belongs to, the scores of both systems, or a sign."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nofluke.errors import By, Fix, InputError, Option, listing, named_as
from nofluke.readers.aliases import BESIDE_P, is_known_name, is_never_score, matches, normal
from nofluke.readers.columns import inner_names, with_inner
from nofluke.readers.decode import decode_head
from nofluke.readers.formats.jsonl import turned
from nofluke.readers.formats.pasted import (
    PASTED,
    SQUARE,
    grid_of,
    is_p_name,
    is_perhaps_p_name,
    read_pasted,
    says_two_sided,
)
from nofluke.readers.given import Given
from nofluke.readers.numbers import parse_number
from nofluke.readers.p_cells import bare, meant_as_p, parse_p, parse_score, score_cell
from nofluke.readers.roles import Roles, Search
from nofluke.readers.table import Table
from nofluke.readers.unscored import refuse_trees
from nofluke.registry import FORMATS

_NAMED_TWO = Fix(
    "say which two are the scores of A and B: ",
    By("a=NAME, b=NAME", "--columns score=NAME,NAME (in replicate also --a NAME --b NAME)", "System A and System B"),
    ".",
)
_NAMED_P = Fix("; or name it: ", named_as(p_value="NAME"))


@dataclass(frozen=True, slots=True)
class PTable:
    """A table with the roles of its columns: p_value, dataset (what p belongs to), score (of A and B) and sign."""

    table: Table
    roles: Roles

    def cells(self, role: str = "p_value") -> tuple[str, ...]:
        """The cells of a role's column as they are printed; none where it has no column."""
        column = self.roles.one(role)
        return () if column is None else tuple((cell or "").strip() for cell in self.table.texts(column))

    @property
    def names(self) -> tuple[str, ...]:
        """What each p-value belongs to, without the marks of a printed table."""
        columns = ([(cell or "").strip() for cell in self.table.texts(name)] for name in self.roles.all("dataset"))
        rows = zip(*([bare(cell) or cell for cell in column] for column in columns), strict=True)
        return tuple(" / ".join(row) for row in rows)

    @property
    def pairs(self) -> bool:
        """Whether a square table was read: then a p-value belongs to a pair of systems."""
        return self.table.format == SQUARE

    @property
    def systems(self) -> tuple[str, str] | None:
        """The systems whose scores the table has, by the names of their columns."""
        if not self.roles.all("score") or not self.table.headed:
            return None
        plain = {"score_a": "A", "score_b": "B", "a": "A", "b": "B"}
        a, b = (plain.get(normal(name), name) for name in self.roles.all("score"))
        return a, b

    @property
    def two_sided(self) -> str:
        """The column of p-values, where its name says that they are two-sided."""
        column = self.roles.one("p_value") or ""
        return column if self.table.headed and says_two_sided(column) else ""

    def scores(self) -> list[tuple[float, float]] | None:
        """Both scores of every row, nan where one is missing; a cell that is none is named, never passed over."""
        columns = [self.table.texts(name) for name in self.roles.all("score")]
        found = []
        for row, pair in enumerate(zip(*columns, strict=True)):
            first, second = (cell or "" for cell in pair)
            if ("%" in first) != ("%" in second) and first.strip() and second.strip():
                raise self.table.error(
                    f"one score has a percent sign and the other has none: {first!r} and {second!r}.",
                    row=row,
                    fix="write both scores in the same unit.",
                )
            found.append((score_cell(first, self.table.place.of(row)), score_cell(second, self.table.place.of(row))))
        return found if columns else None


def is_p_table(given: Given) -> bool:
    """Whether a file holds p-values rather than scores: a column called p, one p-value a line, or names with them."""
    if (found := given.format("p_values")) != PASTED:
        try:
            table = _with_types(given, found)
        except InputError:
            return False
        if _p_within(table):
            return True
        header = list(table.columns) if table.headed else None
        rows = [[cell or "" for cell in row] for row in zip(*map(table.texts, table.columns), strict=True)]
    else:
        grid = grid_of(decode_head(given.head()))
        header, rows = grid.header, grid.rows
        if grid.format == SQUARE:
            return all(parse_p(row[1]) for row in rows if row[1].strip())
    if header is not None:
        # A column called Sig. alone says it only when it holds p-values.
        return any(map(is_p_name, header)) or (bool(rows) and all(_p_below(header, row) for row in rows))
    if not rows or any(len(row) != len(rows[0]) for row in rows) or not all(parse_p(row[-1]) for row in rows):
        return False
    named = all(parse_number(row[0]) is None for row in rows) and len({row[0] for row in rows}) == len(rows)
    return len(rows[0]) == 1 or (named and len(rows[0]) in (2, 4))


def _p_below(header: list[str], row: list[str]) -> bool:
    return any(is_perhaps_p_name(name) and parse_p(cell) for name, cell in zip(header, row, strict=False))


def _p_within(table: Table) -> list[str]:
    """Name p-values within objects: result.p_value; a p there may as well be a precision."""
    inner = {name: name.partition(".")[2] for name in inner_names(table)}
    return [name for name, key in inner.items() if is_p_name(key) and len(key) > 1]


def read_p_table(
    given: Given, a: str | None = None, b: str | None = None, columns: Mapping[str, Any] | None = None
) -> PTable:
    """Read a table of p-values; `a` and `b` name the columns with the systems' scores where there are more than two."""
    found = given.format("p_values")
    if found == PASTED:
        refuse_trees(given, "p_values")
    table = read_pasted(given, named=bool(columns)) if found == PASTED else _with_types(given, found)
    table = with_inner(table, columns or {})
    return PTable(table, p_roles(table, a, b, columns or {}))


def _with_types(given: Given, format: str) -> Table:
    """Read a table whose columns are known; names with a p-value each are two columns."""
    table: Table = FORMATS[format].function(given)
    return table if any(is_perhaps_p_name(name) or is_known_name(name) for name in table.columns) else turned(table)


def p_roles(table: Table, a: str | None, b: str | None, columns: Mapping[str, Any]) -> Roles:
    """Find the columns of p-values, of what they belong to, of signs and of the scores of both systems."""
    if not table.headed and not columns:
        return _by_width(table)
    asked = dict(columns)
    if a is not None or b is not None:
        if a is None or b is None:
            fix = Fix("name both: ", Option("a", "NAME"), " and ", Option("b", "NAME"), ".")
            raise table.error("one system is named, and two are compared.", fix=fix)
        asked["score"] = [a, b]
    search = Search(table, asked)
    if not search.has("p_value"):
        named = list(filter(is_p_name, search.free)) or list(filter(is_perhaps_p_name, search.free))
        if len(named) != 1:
            raise table.error(
                f"{len(named)} columns are called p: {listing(named)}."
                if named
                else f"no column is called p: {listing(table.columns, 8)}.",
                fix=Fix("name it: ", named_as(p_value=inner[0]), ".")
                if (inner := [] if named else _p_within(table))
                else Fix("call the column with the p-values p (and only that one)", _NAMED_P, "."),
            )
        search.found["p_value"] = named
    search.settle("sign")
    if not search.has("dataset"):
        search.found["dataset"] = _names_of(search)
    if not search.has("score"):
        search.found["score"] = _scores_of_two(search)
    if len(search.found["score"]) not in (0, 2):
        raise table.error("scores are those of two systems, A and B.", fix=_NAMED_TWO)
    return search.roles()


def _names_of(search: Search) -> list[str]:
    """Find what p-values belong to: the column named so, a text that differs in every row, or texts that do together.

    task,language,p has a task in several rows, so each p-value is named by both.
    """
    table = search.table
    texts = [name for name in search.free if not _holds_numbers(table, name)]
    best = (matches("name", search.free) or texts)[:1]
    # A name in print has marks, and a gap is no label: both are left to whoever reads the cells.
    cells = {name: table.texts(name) for name in dict.fromkeys((*best, *texts))}
    for name in cells:
        if len(set(cells[name])) == table.rows:
            return [name]
    for count in range(2, len(cells) + 1):
        several = list(cells)[:count]
        if len(set(zip(*(cells[name] for name in several), strict=True))) == table.rows:
            return several
    return best


def _scores_of_two(search: Search) -> list[str]:
    folded = {normal(name): name for name in search.free}
    if "score_a" in folded and "score_b" in folded:
        return [folded["score_a"], folded["score_b"]]
    numeric = [name for name in search.free if _may_be_scores(name) and _holds_numbers(search.table, name)]
    if len(numeric) > 2:
        message = f"{len(numeric)} columns hold numbers beside p: {listing(numeric)}."
        raise search.table.error(message, fix=_NAMED_TWO)
    if "a" in folded and "b" in folded:
        return [folded["a"], folded["b"]]
    return numeric if len(numeric) == 2 else []


def _may_be_scores(name: str) -> bool:
    folded = normal(name).strip("._").replace(".", "_")
    return folded not in BESIDE_P and not is_never_score(name) and not is_perhaps_p_name(name)


def _holds_numbers(table: Table, name: str) -> bool:
    """Whether at least half of a column's cells are numbers, as printed; the others are then mistakes to be named."""
    cells = [cell for cell in table.texts(name) if cell and cell.strip()]
    found = [number for number in map(parse_score, cells) if number is not None and not math.isnan(number)]
    return bool(cells) and 2 * len(found) >= len(cells)


def _is_figure(cell: str) -> bool:
    """Whether a cell is a number of any kind, right or wrong."""
    return meant_as_p(cell) and bool(cell.strip())


def _by_width(table: Table) -> Roles:
    """Without a header, the number of columns says what they are."""
    names = list(table.columns)
    rows = [[cell or "" for cell in row] for row in zip(*map(table.texts, names), strict=True)]
    if not any(_is_figure(cell) for cell in rows[0]) and all(any(map(_is_figure, row)) for row in rows[1:]):
        raise table.error(
            f"the first line looks like a header ({listing(rows[0], 6)}), and no column in it is called p.",
            row=0,
            fix=Fix("call the column with the p-values p in the first line: name,p, say", _NAMED_P, "."),
        )
    numbered = [parse_score(row[0]) for row in rows]
    if len(names) > 1 and all(value is not None and value != math.floor(value) for value in numbered if value == value):
        raise table.error(
            f"{len(names)} columns of numbers without names.",
            fix="give one p-value a line, or name the columns in a first line: name,p, say.",
        )
    roles = {1: ("p_value",), 2: ("dataset", "p_value"), 4: ("dataset", "score", "score", "p_value")}.get(len(names))
    if roles is None:
        fix = "name the columns in a first line: name,p, say."
        raise table.error(f"{len(names)} columns without a header.", fix=fix)
    pairs = list(zip(roles, names, strict=True))
    return Roles({role: tuple(name for own, name in pairs if own == role) for role in roles})
