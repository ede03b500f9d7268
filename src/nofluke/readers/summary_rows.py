"""Rows that sum up the others, such as a last row called Average: they are no items, and would count twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from nofluke.types import Axis, FloatArray, IntArray, Note, frozen, note

_WORDS = frozenset(["average", "avg", "mean", "overall", "total", "totals", "sum", "all", "macro", "micro"])
# A mean that is printed too roughly agrees with anything: its rounding must be small beside how far scores differ.
_TELLING = 0.1
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
    if not len(named.codes) or not sums_up(named.labels[int(named.codes[-1])]):
        return None, []
    summaries = [code for code, label in enumerate(named.labels) if sums_up(label)]
    others = [axis.codes for role, axis in axes.items() if role != name and len(axis.labels) > 1 and role != "item"]
    groups = np.unique(np.column_stack(others), axis=0, return_inverse=True)[1].ravel() if others else None
    plain = ~np.isin(named.codes, summaries)
    keep, notes = np.ones(len(values), bool), []
    for code in summaries:
        rows = np.flatnonzero(named.codes == code)
        if _agree(list(_beside(values, rows, plain, groups))):
            keep[rows] = False
            notes.append(note("read.summary_left_out", name=named.labels[code]))
        else:
            notes.append(note("read.perhaps_summary", name=named.labels[code]))
    return (None if keep.all() else keep), notes


def sums_up(label: str) -> bool:
    """Whether a name says that its row sums up others, and says nothing else.

    >>> [sums_up(label) for label in ("Average", "macro avg.", "TOTAL", "average_speed", "de")]
    [True, True, True, False, False]
    """
    words = re.findall(r"[^\W_]+", label.casefold())
    return bool(words) and _WORDS.issuperset(words)


def kept(axis: Axis, keep: npt.NDArray[np.bool_]) -> Axis:
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
