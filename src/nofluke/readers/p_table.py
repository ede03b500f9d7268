"""Tables of p-values, as they are pasted from a paper: one a line, or with names, scores of both systems or signs."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

from nofluke.errors import InputError, listing, unknown
from nofluke.readers.aliases import normal
from nofluke.readers.decode import decode
from nofluke.readers.given import Given
from nofluke.readers.numbers import parse_number
from nofluke.readers.p_cells import parse_p
from nofluke.readers.sniff import split_line
from nofluke.types.base import counted

P_NAMES = frozenset({"p", "p_value", "pvalue", "p_val", "pval", "p_val.", "p_values", "p_value_one_sided", "_p_value"})
NAME_NAMES = ("name", "dataset", "language", "task", "domain", "test_set", "treebank", "corpus", "hypothesis", "test")
SIGN_NAMES = ("sign", "direction", "better")
_DELIMITERS = ("\t", "|", ";", ",")
_RULE = re.compile(r"[\s|:+=-]*-[\s|:+=-]*")


@dataclass(frozen=True, slots=True)
class PTable:
    """The cells of a table of p-values; scores and signs are empty where the table has none."""

    name: str
    names: tuple[str, ...]
    cells: tuple[str, ...]
    lines: tuple[int, ...]
    systems: tuple[str, str] | None
    scores: tuple[tuple[str, str], ...]
    signs: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def where(self, row: int) -> str:
        """Say where a row stands."""
        return f"{self.name} line {self.lines[row]}"


@dataclass(frozen=True, slots=True)
class _Grid:
    header: list[str] | None
    rows: list[list[str]]
    lines: list[int]


def is_p_table(given: Given) -> bool:
    """Whether a file holds p-values rather than scores: a column called p, one p-value a line, or names with them."""
    head = given.head()
    if head.startswith(b"PAR1") or head.lstrip()[:1] in (b"{", b"["):
        return False
    grid = _grid(head.decode("utf-8-sig", errors="replace").rsplit("\n", 1)[0] if len(head) >= 1 << 16 else _text(head))
    if grid.header is not None:
        return any(_is_p(name) for name in grid.header)
    rows = grid.rows
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        return False
    if not all(parse_p(row[-1]) for row in rows):
        return False
    named = all(parse_number(row[0]) is None for row in rows) and len({row[0] for row in rows}) == len(rows)
    return len(rows[0]) == 1 or (named and len(rows[0]) in (2, 4))


def _text(head: bytes) -> str:
    return head.decode("utf-8-sig", errors="replace")


def read_p_table(given: Given, a: str | None = None, b: str | None = None) -> PTable:
    """Read a table of p-values; `a` and `b` name the columns with the systems' scores where there are more than two."""
    grid = _grid(decode(given.load(), given.name))
    if not grid.rows:
        raise InputError("there are no p-values.", where=given.name, fix="give one p-value a line, or a table.")
    width = len(grid.header) if grid.header is not None else len(grid.rows[0])
    odd = next((at for at, row in enumerate(grid.rows) if len(row) != width), None)
    if odd is not None:
        raise InputError(
            f"{counted(len(grid.rows[odd]), 'field')}, and the first line has {width}.",
            where=f"{given.name} line {grid.lines[odd]}",
            fix="give every row the same fields; separate them with tabs or commas where names have spaces.",
        )
    roles = _roles(grid, given.name, a, b)
    return _table(grid, roles, given.name)


def _table(grid: _Grid, roles: dict[str, int], name: str) -> PTable:
    rows = grid.rows
    own = [row[roles["name"]].strip() for row in rows] if "name" in roles else []
    scored = "a" in roles and "b" in roles
    systems = (grid.header[roles["a"]], grid.header[roles["b"]]) if scored and grid.header is not None else None
    if systems is not None:
        plain = {"score_a": "A", "score_b": "B", "a": "A", "b": "B"}
        systems = (plain.get(normal(systems[0]), systems[0]), plain.get(normal(systems[1]), systems[1]))
    return PTable(
        name=name,
        names=tuple(own),
        cells=tuple(row[roles["p"]] for row in rows),
        lines=tuple(grid.lines),
        systems=systems,
        scores=tuple((row[roles["a"]], row[roles["b"]]) for row in rows) if scored else (),
        signs=tuple(row[roles["sign"]].strip() for row in rows) if "sign" in roles else (),
    )


def _roles(grid: _Grid, where: str, a: str | None, b: str | None) -> dict[str, int]:
    """Say which column is the name, p, the sign and the two scores."""
    if grid.header is None:
        width = len(grid.rows[0])
        by_width = {1: {"p": 0}, 2: {"name": 0, "p": 1}, 4: {"name": 0, "a": 1, "b": 2, "p": 3}}
        if width not in by_width:
            raise InputError(
                f"{width} columns without a header.", where=where, fix="name the columns in a first line: name,p, say."
            )
        return by_width[width]
    header = grid.header
    p_columns = [at for at, name in enumerate(header) if _is_p(name)]
    if len(p_columns) != 1:
        what = "no column is" if not p_columns else f"{len(p_columns)} columns are"
        raise InputError(
            f"{what} called p.", where=where, fix="call the column with the p-values p (and only that one)."
        )
    roles = {"p": p_columns[0]}
    folded = [normal(name) for name in header]
    roles |= _first("sign", SIGN_NAMES, folded, roles) | _first("name", NAME_NAMES, folded, roles)
    free = [at for at in range(len(header)) if at not in roles.values()]
    if "name" not in roles:
        texts = [at for at in free if any(parse_number(row[at]) is None for row in grid.rows)]
        if texts:
            roles["name"] = texts[0]
            free.remove(texts[0])
    return roles | _score_columns(grid, header, free, where, a, b)


def _first(role: str, known: tuple[str, ...], folded: list[str], taken: dict[str, int]) -> dict[str, int]:
    for name in known:
        if name in folded and folded.index(name) not in taken.values():
            return {role: folded.index(name)}
    return {}


def _score_columns(
    grid: _Grid, header: list[str], free: list[int], where: str, a: str | None, b: str | None
) -> dict[str, int]:
    if a is not None or b is not None:
        for given in (a, b):
            if given is not None and given not in header:
                raise unknown("column", given, header, where=where)
        if a is None or b is None:
            raise InputError(
                "one system is named, and two are compared.", where=where, fix="name both, as --a and --b."
            )
        return {"a": header.index(a), "b": header.index(b)}
    folded = [normal(name) for name in header]
    for pair in (("score_a", "score_b"), ("a", "b")):
        if all(name in folded for name in pair):
            return {"a": folded.index(pair[0]), "b": folded.index(pair[1])}
    numeric = [at for at in free if all(parse_number(row[at]) is not None for row in grid.rows)]
    if len(numeric) > 2:
        names = listing([header[at] for at in numeric])
        raise InputError(
            f"{len(numeric)} columns hold numbers beside p: {names}.",
            where=where,
            fix="say which two are the scores of A and B: --a NAME --b NAME.",
        )
    return {"a": numeric[0], "b": numeric[1]} if len(numeric) == 2 else {}


def _is_p(name: str) -> bool:
    return normal(name.strip(" *_$()")).rstrip(".") in P_NAMES


def _grid(text: str) -> _Grid:
    """Split a text into cells, by the first delimiter that most lines have; rules of Markdown tables are left out."""
    kept = [
        (number, line.strip("\r\n"))
        for number, line in enumerate(io.StringIO(text), 1)
        if line.strip() and not _RULE.fullmatch(line.strip())
    ]
    lines = [line for _, line in kept]
    delimiter = next((one for one in _DELIMITERS if lines and one in lines[0] and _usual(one, lines)), None)
    rows = [_cells(line, delimiter) for line in lines]
    numbers = [number for number, _ in kept]
    headed = bool(rows) and not any(parse_p(cell) for cell in rows[0]) and any(_is_p(cell) for cell in rows[0])
    if delimiter is None:
        rows = _joined_names(rows, len(rows[0]) if headed else None)
    return _Grid([cell.strip() for cell in rows[0]], rows[1:], numbers[1:]) if headed else _Grid(None, rows, numbers)


def _usual(delimiter: str, lines: list[str]) -> bool:
    """Whether most lines have a delimiter; one that lacks it is a mistake to be named."""
    return 2 * sum(delimiter in line for line in lines) > len(lines)


def _cells(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.split()
    if delimiter == "|":
        return [cell.strip() for cell in line.strip().strip("|").split("|")]
    return [cell.strip() for cell in split_line(line, delimiter)]


def _joined_names(rows: list[list[str]], width: int | None) -> list[list[str]]:
    """Between spaces, a name may have several words: what is left of the numbers at the end of a line is one name."""
    if width is None:
        width = 1 + min((_numbers_at_end(row) for row in rows), default=0)
        if all(len(row) < width for row in rows):
            return rows
    joined = []
    for row in rows:
        extra = len(row) - width
        joined.append([" ".join(row[: extra + 1]), *row[extra + 1 :]] if extra > 0 else row)
    return joined


def _numbers_at_end(row: list[str]) -> int:
    count = 0
    for cell in reversed(row[1:]):
        if parse_number(cell) is None and parse_p(cell) is None:
            break
        count += 1
    return count
