"""Which column of a table of p-values is the name, p, the sign, and the scores of both systems."""

from __future__ import annotations

import math

from nofluke.errors import InputError, listing, unknown
from nofluke.readers.aliases import is_never_score, normal
from nofluke.readers.p_cells import parse_p, parse_score, score_cell
from nofluke.readers.p_grid import Grid, is_p_name, is_perhaps_p_name

NAME_NAMES = ("name", "dataset", "language", "task", "domain", "test_set", "treebank", "corpus", "hypothesis", "test")
SIGN_NAMES = ("sign", "direction", "better")
# Numbers that papers print beside p-values, and that are no system's scores unless the user says so.
_NO_SCORES = (
    "n t z f w u v d r df dof year statistic stat test_statistic t_statistic t_value z_value chi2 chisq effect "
    "effect_size cohen_d cohens_d g se sd std stderr std_error standard_error sem ci ci_low ci_high ci_lower ci_upper "
    "lower upper low high delta diff difference gain improvement size items count sentences tokens instances samples "
    "n_items n_sentences num no nr # rank alpha power weight q q_value p_adj padj p_adjusted adjusted_p adj_p holm bh "
    "bonferroni"
)
NO_SCORES = frozenset(_NO_SCORES.split())


def roles_of(grid: Grid, where: str, a: str | None, b: str | None) -> dict[str, int]:
    """Say which column is the name, p, the sign and the two scores."""
    if grid.header is None:
        return _by_width(grid, where)
    header = grid.header
    p_columns = [at for at, name in enumerate(header) if is_p_name(name)]
    p_columns = p_columns or [at for at, name in enumerate(header) if is_perhaps_p_name(name)]
    if len(p_columns) != 1:
        raise InputError(
            f"{len(p_columns)} columns are called p: {listing([header[at] for at in p_columns])}.",
            where=where,
            fix="call the column with the p-values p (and only that one).",
        )
    roles = {"p": p_columns[0]}
    folded = [normal(name) for name in header]
    roles |= _first("sign", SIGN_NAMES, folded, roles) | _first("name", NAME_NAMES, folded, roles)
    free = [at for at in range(len(header)) if at not in roles.values()]
    if "name" not in roles:
        texts = [at for at in free if not _holds_numbers(grid, at)]
        if texts:
            roles["name"] = texts[0]
            free.remove(texts[0])
    return roles | _score_columns(grid, header, free, where, a, b)


def _by_width(grid: Grid, where: str) -> dict[str, int]:
    rows = grid.rows
    width = len(rows[0])
    if len(rows) > 1 and not any(map(parse_p, rows[0])) and all(any(map(parse_p, row)) for row in rows[1:]):
        raise InputError(
            f"the first line looks like a header ({listing(rows[0], 6)}), and no column in it is called p.",
            where=f"{where} line {grid.lines[0]}",
            fix="call the column with the p-values p in the first line: name,p, say.",
        )
    by_width = {1: {"p": 0}, 2: {"name": 0, "p": 1}, 4: {"name": 0, "a": 1, "b": 2, "p": 3}}
    numbered = [parse_score(row[0]) for row in rows]
    if width > 1 and all(value is not None and value != math.floor(value) for value in numbered if value == value):
        raise InputError(
            f"{width} columns of numbers without names.",
            where=where,
            fix="give one p-value a line, or name the columns in a first line: name,p, say.",
        )
    if width not in by_width:
        raise InputError(
            f"{width} columns without a header.", where=where, fix="name the columns in a first line: name,p, say."
        )
    return by_width[width]


def _first(role: str, known: tuple[str, ...], folded: list[str], taken: dict[str, int]) -> dict[str, int]:
    for name in known:
        if name in folded and folded.index(name) not in taken.values():
            return {role: folded.index(name)}
    return {}


def _holds_numbers(grid: Grid, at: int) -> bool:
    """Whether at least half of a column's cells are numbers, as printed; the others are then mistakes to be named."""
    cells = [row[at] for row in grid.rows if row[at].strip()]
    found = [number for number in map(parse_score, cells) if number is not None and not math.isnan(number)]
    return bool(cells) and 2 * len(found) >= len(cells)


def _score_columns(
    grid: Grid, header: list[str], free: list[int], where: str, a: str | None, b: str | None
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
    numeric = [at for at in free if _may_be_scores(header[at]) and _holds_numbers(grid, at)]
    if len(numeric) > 2:
        names = listing([header[at] for at in numeric])
        raise InputError(
            f"{len(numeric)} columns hold numbers beside p: {names}.",
            where=where,
            fix="say which two are the scores of A and B: --a NAME --b NAME.",
        )
    return {"a": numeric[0], "b": numeric[1]} if len(numeric) == 2 else {}


def _may_be_scores(name: str) -> bool:
    folded = normal(name).strip("._").replace(".", "_")
    return folded not in NO_SCORES and not is_never_score(name) and not is_perhaps_p_name(name)


def scores_of(grid: Grid, roles: dict[str, int], where: str) -> tuple[tuple[str, str], ...]:
    """Give both scores of every row as plain numbers; a cell that is none is named, never passed over."""
    found = []
    for row, line in zip(grid.rows, grid.lines, strict=True):
        cells = (row[roles["a"]], row[roles["b"]])
        place = f"{where} line {line}"
        if sum("%" in cell for cell in cells) == 1 and all(cell.strip() for cell in cells):
            raise InputError(
                f"one score has a percent sign and the other has none: {cells[0]!r} and {cells[1]!r}.",
                where=place,
                fix="write both scores in the same unit.",
            )
        a, b = ("" if math.isnan(number := score_cell(cell, place)) else repr(number) for cell in cells)
        found.append((a, b))
    return tuple(found)
