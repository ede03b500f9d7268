"""Tables of p-values, as they are pasted from a paper: one a line, or with names, scores of both systems or signs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nofluke.errors import InputError, listing
from nofluke.readers.aliases import normal
from nofluke.readers.decode import decode
from nofluke.readers.given import Given
from nofluke.readers.jsonl import read_json, read_jsonl
from nofluke.readers.numbers import parse_number
from nofluke.readers.p_cells import bare, parse_p
from nofluke.readers.p_columns import roles_of, scores_of
from nofluke.readers.p_grid import Grid, grid_of, headed, is_p_name, is_perhaps_p_name, says_two_sided
from nofluke.readers.parquet import read_parquet
from nofluke.readers.sniff import sniff_format
from nofluke.readers.table import Table
from nofluke.types.base import counted
from nofluke.types.bounds import refuse_columns

# Formats that are no text to be pasted: their columns are known.
_WITH_TYPES: dict[str, Callable[[Given], Table]] = {"jsonl": read_jsonl, "json": read_json, "parquet": read_parquet}


@dataclass(frozen=True, slots=True)
class PTable:
    """The cells of a table of p-values; scores and signs are empty where the table has none.

    `unread` names the columns that nothing was made of, `two_sided` the column of p-values where its name says so, and
    `pairs` that a square table was read: then a p-value belongs to a pair of systems.
    """

    name: str
    names: tuple[str, ...]
    cells: tuple[str, ...]
    lines: tuple[int, ...]
    systems: tuple[str, str] | None
    scores: tuple[tuple[str, str], ...]
    signs: tuple[str, ...]
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    two_sided: str = ""
    pairs: bool = False

    def where(self, row: int) -> str:
        """Say where a row stands."""
        return f"{self.name} line {self.lines[row]}"

    def described(self) -> str:
        """Say what was taken from the table, and what was not.

        >>> PTable("p.csv", ("de",), ("0.1",), (2,), ("new", "old"), (("1", "2"),), (), unread=("n",)).described()
        'p.csv: 1 p-value; scores: new (A), old (B); not read: n'
        """
        parts = [counted(len(self.cells), "p-value")]
        if self.scores:
            a, b = self.systems or ("second column", "third column")
            parts.append(f"scores: {a} (A), {b} (B)")
        if self.signs:
            parts.append("signs")
        if self.unread:
            parts.append(f"not read: {listing(self.unread, 8)}")
        return f"{self.name}: {'; '.join(parts)}"


def is_p_table(given: Given) -> bool:
    """Whether a file holds p-values rather than scores: a column called p, one p-value a line, or names with them."""
    head = given.head()
    if sniff_format(head) in _WITH_TYPES:
        try:
            grid = _grid_with_types(given)
        except InputError:
            return False
    else:
        text = head.decode("utf-8-sig", errors="replace")
        grid = grid_of(text.rsplit("\n", 1)[0] if len(head) >= 1 << 16 else text)
    rows = grid.rows
    square = _pairs_of_square(grid)
    if square is not None and all(parse_p(row[1]) for row in square.rows if row[1].strip()):
        return True
    if grid.header is not None:
        # A column called Sig. alone says it only when it holds p-values.
        return any(map(is_p_name, grid.header)) or (bool(rows) and all(_p_below(grid.header, row) for row in rows))
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        return False
    if not all(parse_p(row[-1]) for row in rows):
        return False
    named = all(parse_number(row[0]) is None for row in rows) and len({row[0] for row in rows}) == len(rows)
    return len(rows[0]) == 1 or (named and len(rows[0]) in (2, 4))


def _p_below(header: list[str], row: list[str]) -> bool:
    return any(is_perhaps_p_name(name) and parse_p(cell) for name, cell in zip(header, row, strict=False))


def read_p_table(given: Given, a: str | None = None, b: str | None = None) -> PTable:
    """Read a table of p-values; `a` and `b` name the columns with the systems' scores where there are more than two."""
    if sniff_format(given.head()) in _WITH_TYPES:
        return _table(_grid_with_types(given), given.name, a, b)
    text = decode(given.load(), given.name)
    first, _, others = text.strip().partition("\n")
    if others:  # a single line is a list of p-values, however long
        refuse_columns(1 + max(map(first.count, "\t|;,& ")), given.name)
    grid = grid_of(text)
    square = _pairs_of_square(grid)
    return replace(_table(square or grid, given.name, a, b), pairs=square is not None)


def _grid_with_types(given: Given) -> Grid:
    """The cells of a format that knows columns and types."""
    table = _WITH_TYPES[sniff_format(given.head())](given)
    texts = [table.texts(name) for name in table.columns]
    rows = [[cell or "" for cell in row] for row in zip(*texts, strict=True)]
    lines = list(range(1, table.rows + 1)) if table.place.lines is None else table.place.lines.tolist()
    return headed([list(table.columns), *rows], [0, *lines])


def _pairs_of_square(grid: Grid) -> Grid | None:
    """Read a square table, whose rows and columns are the same systems, as one p-value for each pair of them.

    A cell and its mirror image are two claims, named row / column, unless the table is symmetric or holds one of them;
    the diagonal says nothing.
    """
    if grid.header is not None or len(grid.rows) < 3:
        return None
    names, body = [bare(cell) or cell.strip() for cell in grid.rows[0]], grid.rows[1:]
    if len(names) == len(body):
        names = ["", *names]
    own = [bare(row[0]) or row[0].strip() for row in body]
    if own != names[1:] or len(set(own)) < len(own) or any(len(row) != len(names) for row in body):
        return None
    cells = [row[1:] for row in body]
    mirrored = [(cells[i][j].strip(), cells[j][i].strip()) for i in range(len(own)) for j in range(i)]
    symmetric = all(one == other for one, other in mirrored)
    word = "/" if any(one and other and one != other for one, other in mirrored) else "and"
    rows, lines = [], []
    for i, j in ((i, j) for i in range(len(own)) for j in range(len(own)) if i != j):
        if (symmetric and j < i) or (not cells[i][j].strip() and cells[j][i].strip()):
            continue
        rows.append([f"{own[i]} {word} {own[j]}", cells[i][j]])
        lines.append(grid.lines[i + 1])
    return Grid(["name", "p"], rows, lines)


def p_table_of_rows(
    header: Sequence[Any], rows: Sequence[Sequence[str]], a: str | None = None, b: str | None = None
) -> PTable:
    """Read a table of p-values whose cells are known, such as a data frame's."""
    names = [str(name) for name in header]
    grid = headed([names, *map(list, rows)], list(range(len(rows) + 1)))
    if grid.header is None:
        raise InputError(
            f"no column of the frame is called p: {listing(names, 8)}.", fix="call the column with the p-values p."
        )
    return _table(grid, "frame", a, b)


def _table(grid: Grid, name: str, a: str | None, b: str | None) -> PTable:
    if not grid.rows:
        raise InputError(
            "there are no p-values.",
            where=name,
            fix="give p-values: one a line, all of them in one line, or a table with a column called p.",
        )
    width = len(grid.header) if grid.header is not None else len(grid.rows[0])
    odd = next((at for at, row in enumerate(grid.rows) if len(row) != width), None)
    if odd is not None:
        raise InputError(
            f"{counted(len(grid.rows[odd]), 'field')}, and the first line has {width}.",
            where=f"{name} line {grid.lines[odd]}",
            fix="give every row the same fields; separate them with tabs or commas where names have spaces.",
        )
    roles = roles_of(grid, name, a, b)
    rows, header = grid.rows, grid.header
    scored = "a" in roles and "b" in roles
    return PTable(
        name=name,
        names=tuple(bare(row[roles["name"]]) or row[roles["name"]].strip() for row in rows) if "name" in roles else (),
        cells=tuple(row[roles["p"]] for row in rows),
        lines=tuple(grid.lines),
        systems=_systems(header[roles["a"]], header[roles["b"]]) if scored and header is not None else None,
        scores=scores_of(grid, roles, name) if scored else (),
        signs=tuple(row[roles["sign"]].strip() for row in rows) if "sign" in roles else (),
        unread=tuple(column for at, column in enumerate(header or ()) if at not in roles.values()),
        two_sided=header[roles["p"]] if header is not None and says_two_sided(header[roles["p"]]) else "",
    )


def _systems(a: str, b: str) -> tuple[str, str]:
    plain = {"score_a": "A", "score_b": "B", "a": "A", "b": "B"}
    return plain.get(normal(a), a), plain.get(normal(b), b)
