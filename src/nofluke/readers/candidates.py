"""What a column holds, as far as it may be taken for scores: numbers, ids, sizes, another scale, or groups of items."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nofluke.readers.aliases import is_alias, is_never_score, is_size, normal
from nofluke.readers.columns import ArrayColumn, TextColumn, ValueColumn
from nofluke.readers.numbers import parse_number
from nofluke.readers.roles import Search
from nofluke.readers.table import Table
from nofluke.types import FloatArray, Note, note

_LOOKED_AT = 1_000
# Beside scores from -1 to 1, a column whose usual number is this large is on another scale; scores without a limit,
# such as perplexities, may well be as far apart.
_ANOTHER_SCALE = 20.0
# Fewer whole numbers in a row than this may well be scores.
FEWEST_NUMBERED = 5
_FEWEST_GOING_UP = 10
# Advice on columns that nothing was made of is not worth reading a large file once more.
MOST_LOOKED_AT, _MOST_ROWS_LOOKED_AT = 50, 200_000


def numeric_columns(search: Search) -> list[str]:
    """The free columns of numbers that can be scores; a column without a name in a header is an index."""
    nameless = search.table.unnamed if search.table.headed else frozenset()
    able = [name for name in search.free if not is_never_score(name) and name not in nameless]
    return [name for name in able if search.is_numeric(name)]


def set_aside(table: Table, candidates: Sequence[str]) -> dict[str, Note]:
    """Give the columns among the candidates that are no scores, with the reason."""
    sizes = [name for name in candidates if is_size(name)]
    if len(candidates) < 3 and not sizes:
        return {}
    # Of a table with very many columns the first tell what is usual.
    values = {name: first_numbers(table, name) for name in candidates[:_LOOKED_AT]}
    found: dict[str, Note] = {}
    for name in values:
        if name in sizes and are_sizes(values[name]):
            found[name] = note("read.is_size")
        elif len(candidates) > 2 and counts_rows(values[name]):
            found[name] = note("read.counts_rows")
        elif len(candidates) > 2 and _only_goes_up(values[name]):
            found[name] = note("read.only_goes_up")
    found |= _on_another_scale({name: numbers for name, numbers in values.items() if name not in found})
    return found


def first_numbers(table: Table, name: str) -> FloatArray:
    """Give the numbers among the first cells; cells that are none are left to whoever reads the column."""
    column = table.columns[name]
    if isinstance(column, TextColumn):
        parsed = [parse_number(cell) for cell in column.cells[:_LOOKED_AT]]
        return np.array([number for number in parsed if number is not None], dtype=np.float64)
    if isinstance(column, ValueColumn):
        cells = [cell for cell in column.values[:_LOOKED_AT] if isinstance(cell, int | float)]
        return np.array(cells, dtype=np.float64)
    if isinstance(column, ArrayColumn):
        return column.array[:_LOOKED_AT].astype(np.float64)
    return column.numbers()[:_LOOKED_AT]


def are_sizes(numbers: FloatArray) -> bool:
    """Whether numbers are counts: all of them whole, and not only 0 and 1."""
    known = numbers[~np.isnan(numbers)]
    return bool(known.size) and bool((known == np.floor(known)).all()) and float(known.max()) > 1


def counts_rows(numbers: FloatArray) -> bool:
    """Whether numbers go 0, 1, 2, ... or 1, 2, 3, ..., for long enough that they can hardly be anything else."""
    if len(numbers) < FEWEST_NUMBERED or numbers[0] not in (0, 1):
        return False
    return bool((numbers == numbers[0] + np.arange(len(numbers))).all())


def _only_goes_up(numbers: FloatArray) -> bool:
    """Whether whole numbers grow from row to row, for long enough that they must be ids or dates."""
    whole = len(numbers) >= _FEWEST_GOING_UP and bool((numbers == np.floor(numbers)).all())
    return whole and bool((np.diff(numbers) > 0).all())


def _on_another_scale(values: dict[str, FloatArray]) -> dict[str, Note]:
    """Find one column far larger than all others, where these lie between -1 and 1."""
    largest = {
        name: float(np.nanmax(np.abs(numbers))) if numbers.size and not np.isnan(numbers).all() else 0.0
        for name, numbers in values.items()
    }
    if len(largest) < 3:
        return {}
    top, *others = sorted(largest, key=lambda name: -largest[name])
    usual = max(largest[name] for name in others)
    typical = float(np.nanmedian(np.abs(values[top]))) if values[top].size else 0.0
    if not 0 < usual <= 1 or typical <= _ANOTHER_SCALE:
        return {}
    return {top: note("read.other_scale", highest=largest[top], usual=usual)}


def groups_items(search: Search, name: str) -> bool:
    """Whether a column of texts without a role has few values, each in several rows."""
    table = search.table
    if table.rows > _MOST_ROWS_LOOKED_AT or is_alias("gold", name) or normal(name) == "split":
        return False
    tally = search.tally(name)
    if tally.filled < table.rows or tally.is_numeric or not search.holds_labels(name):
        return False
    return 1 < len(set(table.texts(name))) <= table.rows / 2
