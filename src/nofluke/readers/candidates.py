"""What a column holds, as far as it may be taken for scores: numbers, ids, sizes, another scale, or groups of items."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from nofluke.readers.aliases import is_alias, is_never_score, is_size, normal
from nofluke.readers.columns import ArrayColumn, TextColumn, ValueColumn
from nofluke.readers.direction import is_metric_name
from nofluke.readers.numbers import parse_number
from nofluke.readers.roles import Search
from nofluke.readers.summary_rows import decimals_of, sums_up
from nofluke.readers.table import Table
from nofluke.types import FloatArray, Note, note

_LOOKED_AT = 1_000
# Beside scores from -1 to 1, a column whose usual number is this large is on another scale; scores without a limit,
# such as perplexities, may well be as far apart.
_ANOTHER_SCALE = 20.0
# Fewer whole numbers in a row than this may well be scores.
FEWEST_NUMBERED = 5
_FEWEST_GOING_UP = 10
# What is measured beside a score, and how far that is off: system_time, stderr_system.
_BESIDE = (
    "time|latency|runtime|seconds|cost|tokens|length|standard_error|std_error|stderr|stdev|std|sem|variance"
    "|ci_lower|ci_upper|ci_low|ci_high|ci|lower|upper"
)
# What is measured of every item, and is no score of systems that stand beside it.
_MEASURED = re.compile(
    rf"(?:(?:\w+_)?(?:time|latency|runtime|seconds|cost|duration|price|confidence|prob|probability)|{_BESIDE}|elapsed)"
    r"(?:_(?:s|sec|ms|min|usd|eur))?"
)
# What is noted of every item too, and may as well be the name of a baseline: then its numbers are like the others'.
_NOTED = frozenset(
    [
        *("age", "votes", "difficulty", "position", "frequency", "freq", "count", "weight", "version", "step", "steps"),
        *("n", "num", "support", "samples"),
    ]
)
_BESIDE_FIRST, _BESIDE_LAST = re.compile(rf"(?:{_BESIDE})_(.+)"), re.compile(rf"(.+?)_(?:{_BESIDE})")
_DIFFERENCES = frozenset(["diff", "difference", "delta", "gap", "gain", "improvement", "change"])
_MOST_SUMMED = 20
# Advice on columns that nothing was made of is not worth reading a large file once more.
MOST_LOOKED_AT, MOST_ROWS_LOOKED_AT = 50, 200_000


def numeric_columns(search: Search) -> list[str]:
    """The free columns of numbers that can be scores; a column without a name in a header is an index."""
    nameless = search.table.unnamed if search.table.headed else frozenset()
    able = [name for name in search.free if not is_never_score(name) and name not in nameless]
    return [name for name in able if search.is_numeric(name)]


def set_aside(table: Table, candidates: Sequence[str]) -> dict[str, Note]:
    """Give the columns among the candidates that are no scores, with the reason."""
    sizes = [name for name in candidates if is_size(name)]
    first = candidates[:_LOOKED_AT]
    beside = _measured_beside([name for name in first if name not in sizes]) | _beside_others(first)
    if len(candidates) < 3 and not sizes:
        return beside
    # Of a table with very many columns the first tell what is usual.
    values = {name: first_numbers(table, name) for name in candidates[:_LOOKED_AT]}
    found = beside | _computed_of_others({name: numbers for name, numbers in values.items() if name not in beside})
    for name in values:
        if name in found:
            continue
        if name in sizes and are_sizes(values[name]):
            found[name] = note("read.is_size")
        elif len(candidates) > 2 and normal(name) in _NOTED and _is_unlike(name, values):
            found[name] = note("read.is_measured")
        elif len(candidates) > 2 and counts_rows(values[name]):
            found[name] = note("read.counts_rows")
        elif len(candidates) > 2 and _only_goes_up(values[name]):
            found[name] = note("read.only_goes_up")
    found |= _on_another_scale({name: numbers for name, numbers in values.items() if name not in found})
    return found


def measured(names: Sequence[str]) -> list[str]:
    """Give the columns named like what is measured beside scores: latency, confidence."""
    return [name for name in names if _MEASURED.fullmatch(normal(name))]


def _measured_beside(names: Sequence[str]) -> dict[str, Note]:
    """Find what was measured of the items, such as latency and difficulty, by its name, beside systems."""
    found = measured(names)
    systems = [name for name in names if name not in found and not is_metric_name(name)] if found else []
    return dict.fromkeys(found, note("read.is_measured")) if len(systems) > 1 else {}


def _beside_others(names: Sequence[str]) -> dict[str, Note]:
    """Find what was measured beside scores: old_time where there is old, new_stderr where there is new."""
    folded = {normal(name): name for name in names}
    found: dict[str, Note] = {}
    for written, name in folded.items():
        begins, ends = _BESIDE_FIRST.fullmatch(written), _BESIDE_LAST.fullmatch(written)
        able = [one[1] + more for one in (begins, ends) if one for more in ("", "_mean", "_score", "_avg")]
        of = next((folded[one] for one in able if one in folded), None) or next(
            (other for one in (begins, ends) if one for other in names if _is_score_of(one[1], normal(other))), None
        )
        if of is not None:
            found[name] = note("read.beside", of=of)
    return found


def _computed_of_others(values: Mapping[str, FloatArray]) -> dict[str, Note]:
    """Find columns that are the mean, the sum or a difference of others, by their names and their numbers."""
    named = {name: numbers for name, numbers in values.items() if sums_up(name) or _is_difference(name, values)}
    others = {name: numbers for name, numbers in values.items() if name not in named}
    if not named or not 2 <= len(others) <= _MOST_SUMMED or len({len(numbers) for numbers in values.values()}) > 1:
        return {}
    parts = np.column_stack(list(others.values()))
    found: dict[str, Note] = {}
    for name, numbers in named.items():
        able = {"mean": [parts.mean(axis=1)], "sum": [parts.sum(axis=1)]}
        if not sums_up(name):
            gaps = parts[:, :, None] - parts[:, None, :]
            able = {"difference": [gaps[:, i, j] for i in range(len(others)) for j in range(len(others)) if i != j]}
        # The numbers may be printed with fewer digits than those they were computed from.
        close = 0.51 * 10.0 ** -max(map(decimals_of, numbers[~np.isnan(numbers)].tolist()), default=0)
        of = next((what for what, made in able.items() if any(_agree(one, numbers, close) for one in made)), None)
        if of is not None and float(np.nanmax(numbers) - np.nanmin(numbers)) > 2 * close:
            found[name] = note("read.computed", of=of)
    return found


def _is_score_of(system: str, name: str) -> bool:
    """Whether a name is that of a system with a metric: acc_new, new_bleu."""
    metric = name.removeprefix(f"{system}_") if name.startswith(f"{system}_") else name.removesuffix(f"_{system}")
    return metric != name and is_metric_name(metric) and _MEASURED.fullmatch(metric) is None


def _is_difference(name: str, others: Collection[str]) -> bool:
    """Whether a column is named like a difference: delta, new-old."""
    return normal(name) in _DIFFERENCES or (
        len(others) <= _MOST_SUMMED and sum(other != name and other in name for other in others) > 1
    )


def _agree(made: FloatArray, numbers: FloatArray, close: float) -> bool:
    off = np.abs(made - numbers)
    known = off[~np.isnan(off)]
    return len(known) > 1 and bool((known <= close).all())


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


def _is_unlike(name: str, values: Mapping[str, FloatArray]) -> bool:
    """Whether numbers are counts where others are none, or larger than all others."""
    plain = [one for one in values if normal(one) not in _NOTED]
    if len(plain) < 2:
        return False
    own, *others = (np.nan_to_num(values[one]) for one in (name, *plain))
    return float(own.max(initial=0.0)) > max(float(other.max(initial=0.0)) for other in others) or (
        are_sizes(own) and not any(map(are_sizes, others))
    )


def _only_goes_up(numbers: FloatArray) -> bool:
    """Whether whole numbers grow from row to row, for long enough that they must be ids or dates."""
    whole = len(numbers) >= _FEWEST_GOING_UP and bool((numbers == np.floor(numbers)).all())
    return whole and bool((np.diff(numbers) > 0).all())


def _on_another_scale(values: dict[str, FloatArray]) -> dict[str, Note]:
    """Find columns far larger than the others, where two of these at least lie between -1 and 1."""
    largest = {
        name: float(np.nanmax(np.abs(numbers))) if numbers.size and not np.isnan(numbers).all() else 0.0
        for name, numbers in values.items()
    }
    if len(largest) < 3:
        return {}
    usual = max((value for value in largest.values() if value <= 1), default=0.0)
    above = [name for name, value in largest.items() if value > 1]
    if not usual > 0 or len(above) > len(largest) - 2 or not all(_is_far(values[name]) for name in above):
        return {}
    return {name: note("read.other_scale", highest=largest[name], usual=usual) for name in above}


def _is_far(numbers: FloatArray) -> bool:
    """Whether numbers beside scores from -1 to 1 are on another scale: far from them, or whole ones from 1 up."""
    known = numbers[~np.isnan(numbers)]
    counted = len(known) >= FEWEST_NUMBERED and float(known.min()) >= 1 and bool((known == np.floor(known)).all())
    return counted or float(np.median(np.abs(known))) > _ANOTHER_SCALE


def groups_items(search: Search, name: str) -> bool:
    """Whether a column of texts without a role has few values, each in several rows."""
    table = search.table
    if table.rows > MOST_ROWS_LOOKED_AT or is_alias("gold", name) or normal(name) == "split":
        return False
    tally = search.tally(name)
    if tally.filled < table.rows or tally.is_numeric or not search.holds_labels(name):
        return False
    return 1 < len(set(table.texts(name))) <= table.rows / 2
