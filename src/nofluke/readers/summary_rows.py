"""Rows that sum up the others, such as a last row called Average: they are no items, and would count twice."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from nofluke.types import Axis, FloatArray, IntArray, Note, frozen, note

_WORDS = frozenset(["average", "avg", "mean", "overall", "total", "totals", "sum", "all", "macro", "micro"])
# What stands with a mean at the end of a table, and sums up nothing itself.
_SPREADS = frozenset(["std", "sd", "stdev", "std dev", "stderr", "sem", "var", "min", "max", "median", "count"])
# A mean that is printed too roughly agrees with anything: its rounding must be small beside how far scores differ.
_TELLING = 0.1
# Without such a name, numbers must agree that do so by chance in one table of so many, in columns of some rows.
_BY_CHANCE, _FEWEST_ABOVE = 2e-4, 5
_FLOAT_ERROR = 1e-9
_LOOKED_AT = 1_000


def without_summaries(
    values: FloatArray, axes: Mapping[str, Axis], name: str
) -> tuple[npt.NDArray[np.bool_] | None, list[Note]]:
    """Say which rows are kept (None: all) and what there is to tell; `name` is the role that names a row.

    A row is left out when its name says that it sums up, it comes after what it sums up, and its numbers are the means
    or the sums of the others, as far as they are printed.
    """
    named = axes[name]
    last = list(dict.fromkeys(reversed(named.codes[-_LOOKED_AT:].tolist())))
    spreads = list(itertools.takewhile(lambda code: named.labels[code].casefold() in _SPREADS, last))
    if len(spreads) == len(last) or not sums_up(named.labels[last[len(spreads)]]):
        return None, []
    summaries = [code for code, label in enumerate(named.labels) if sums_up(label)] + spreads
    others = [axis.codes for role, axis in axes.items() if role != name and len(axis.labels) > 1 and role != "item"]
    groups = np.unique(np.column_stack(others), axis=0, return_inverse=True)[1].ravel() if others else None
    plain = ~np.isin(named.codes, summaries)
    keep, notes = np.ones(len(values), bool), []
    for code in summaries:
        rows = np.flatnonzero(named.codes == code)
        if _agree(list(_beside(values, rows, plain, groups))) or (code in spreads and not keep.all()):
            keep[rows] = False
            notes.append(note("read.summary_left_out", name=named.labels[code]))
        else:
            notes.append(note("read.perhaps_summary", name=named.labels[code]))
    return (None if keep.all() else keep), notes


def last_row_sums_up(table: FloatArray) -> str:
    """Say whether the last row of items x systems holds the "mean" or the "sum" of each column, surely; else nothing.

    >>> scores = [[1, 0], [0, 1], [1, 1], [0, 0], [1, 1], [1, 0], [0, 0]]
    >>> [last_row_sums_up(np.array([*scores, last], dtype=float)) for last in ([0.5714, 0.4286], [4, 3], [1, 0])]
    ['mean', 'sum', '']
    """
    if len(table) <= _FEWEST_ABOVE or table.shape[1] < 2 or np.isnan(table).any():
        return ""
    pairs = [(float(column[-1]), column[:-1]) for column in table.T]
    # A column that never changes agrees with its mean whatever the last row is, and says nothing for it.
    varied = [pair for pair in pairs if np.ptp(pair[1]) > _FLOAT_ERROR * np.abs(pair[1]).max()]
    chances = [min(1.0, 2 * _rounding(pair, total=False) / float(np.ptp(pair[1]))) for pair in varied]
    if math.prod(chances) <= _BY_CHANCE and all(_is_mean(pair, total=False) for pair in pairs):
        return "mean"
    beyond = all(value > 1.5 * float(above.max()) > 0 for value, above in pairs)
    return "sum" if beyond and all(_is_mean(pair, total=True) for pair in pairs) else ""


def sums_up(label: str) -> bool:
    """Whether a name says that its row sums up others, and says nothing else.

    >>> [sums_up(label) for label in ("Average", "macro avg.", "TOTAL", "average_speed", "de")]
    [True, True, True, False, False]
    """
    words = re.findall(r"[^\W_]+", label.casefold())
    return bool(words) and _WORDS.issuperset(words)


def all_sum_up(labels: Sequence[str]) -> bool:
    """Whether names of rows are those of figures only, as pandas describes a table.

    >>> all_sum_up(["count", "mean", "std", "min", "25%", "max"]), all_sum_up(["all", "total"]), all_sum_up(["mean"])
    (True, False, False)
    """
    found = {label.strip().casefold() for label in labels[:_LOOKED_AT]}
    figures = {label for label in found if label in _SPREADS or re.fullmatch(r"\d+(\.\d+)?%", label)}
    return len(figures) > 1 and all(map(sums_up, found - figures))


def axis_of_rows(axis: Axis, keep: npt.NDArray[np.bool_]) -> Axis:
    """Give an axis of the rows that are kept, without the labels that no row has any more."""
    used, codes = np.unique(axis.codes[keep], return_inverse=True)
    return Axis(tuple(axis.labels[int(code)] for code in used), frozen(codes.ravel(), np.int64))


def _beside(
    values: FloatArray, rows: IntArray, plain: npt.NDArray[np.bool_], groups: npt.NDArray[np.int64] | None
) -> Iterator[tuple[float, FloatArray]]:
    """Give every number of a summary with the numbers above it, of the same system, metric, dataset and run."""
    for row in rows.tolist():
        mine = plain if groups is None else plain & (groups == groups[row])
        # What comes before the row only: a row with others below it sums up nothing, or only a part of them.
        above = values[mine] if not mine[row:].any() else values[:0]
        yield float(values[row]), above[~np.isnan(above)]


def _agree(pairs: list[tuple[float, FloatArray]]) -> bool:
    return any(all(_is_mean(pair, total=total) for pair in pairs) and _tells(pairs, total) for total in (False, True))


def _is_mean(pair: tuple[float, FloatArray], *, total: bool) -> bool:
    value, above = pair
    if len(above) < 2:
        return False
    found = value / len(above) if total else value
    return abs(found - float(above.mean())) <= _rounding(pair, total) + _FLOAT_ERROR * float(np.abs(above).max())


def _tells(pairs: list[tuple[float, FloatArray]], total: bool) -> bool:
    return any(0 < _rounding(pair, total) <= _TELLING * float(np.ptp(pair[1])) for pair in pairs)


def _rounding(pair: tuple[float, FloatArray], total: bool) -> float:
    """How far a mean may be off because it, and scores that are no whole numbers, are printed with so many decimals."""
    value, above = pair
    decimals = max(map(decimals_of, above[:_LOOKED_AT].tolist()))
    own = 0.5 * 10.0 ** -decimals_of(value) / (len(above) if total else 1)
    return own + (0.5 * 10.0**-decimals if decimals else 0.0)


def decimals_of(value: float) -> int:
    """Count the decimals that a number is printed with."""
    exponent = Decimal(repr(value)).as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) and not value.is_integer() else 0
