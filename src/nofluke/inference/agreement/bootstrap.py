"""The bootstrap over items: whole items are drawn with all their ratings, and the coefficient is computed again."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from nofluke.engine.randomness import RATED_ITEMS, Stream, filled, in_chunks
from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.inference.intervals.bootstrap import bca_acceleration, bca_bias, bca_limits, percentile_limits
from nofluke.types import FloatArray, Interval, Note, note

if TYPE_CHECKING:
    from nofluke.inference.agreement.measured import IntervalOptions, Measured

# Numbers held at a time; they change no result, for a stream gives the same however it is asked.
_BLOCK = 1 << 21
_MOST_NUMBERS = 1 << 27
_FEWEST_DRAWS = 199


def bootstrap_interval(m: Measured, options: IntervalOptions) -> tuple[Interval | None, tuple[Note, ...]]:
    """Give Efron's BCa interval, or the percentile interval where its corrections leave their range."""
    values = replicates(m, options)
    defined = values[np.isfinite(values)]
    notes: tuple[Note, ...] = ()
    if len(defined) < len(values):
        notes = (note("agree.draws_left_out", left=len(values) - len(defined), draws=len(values)),)
    if len(defined) < _FEWEST_DRAWS:
        return None, (*notes, note("agree.too_few_draws"))
    error = (1 - options.confidence_level) / 2
    near = 1e-12 * max(1.0, abs(m.value))
    below, at = int((defined < m.value - near).sum()), int((np.abs(defined - m.value) <= near).sum())
    bias = bca_bias(below, at, len(defined))
    low, high = bca_limits(defined, bias, bca_acceleration(m.influence), error, error)
    method = "BCa bootstrap over items"
    if not math.isfinite(low) or not math.isfinite(high):
        low, high = percentile_limits(defined, error, error)
        method = "percentile bootstrap over items"
    return Interval(float(low), float(high), options.confidence_level, method), notes


def replicates(m: Measured, options: IntervalOptions) -> FloatArray:
    """Give the coefficient of every draw of n items from n, nan where it is undefined."""
    if options.n_resamples < _FEWEST_DRAWS:
        raise InputError(
            f"n_resamples = {options.n_resamples} is too few for an interval.",
            fix=f"give at least {_FEWEST_DRAWS}, say 9999.",
        )
    table = _exact_sums(m.statistics())
    drawn = in_chunks(partial(_chunk_sums, options.seed), table, options.n_resamples, options.progress)
    return filled(np.empty(options.n_resamples), map(m.solve, drawn))


def _chunk_sums(seed: int, table: FloatArray, chunk: tuple[int, int]) -> FloatArray:
    stream, number = Stream(seed, RATED_ITEMS, chunk[0]), chunk[1]
    n, columns = table.shape
    sums = np.empty((number, columns))
    rows = max(1, _BLOCK // n)
    for first in range(0, number, rows):
        last = min(number, first + rows)
        drawn = stream.indices((last - first) * n, n).reshape(last - first, n)
        drawn += np.arange(last - first)[:, None] * n
        times = np.bincount(drawn.ravel(), minlength=(last - first) * n).reshape(last - first, n)
        sums[first:last] = times.astype(np.float64) @ table
    return sums


def _exact_sums(table: FloatArray) -> FloatArray:
    """Round columns to a step so coarse that no sum of n items rounds: then no order of adding changes a bit."""
    largest = np.abs(table).max(axis=0, initial=0.0) * len(table)
    with np.errstate(divide="ignore"):
        exponent = np.where(largest > 0, np.ceil(np.log2(np.where(largest > 0, largest, 1.0))) - 52, 0.0)
    step = np.exp2(exponent)
    rounded: FloatArray = np.rint(table / step) * step
    return rounded


def refuse_too_wide(n: int, columns: int, name: str) -> None:
    """Refuse a bootstrap that would not fit into memory."""
    if n * columns > _MOST_NUMBERS:
        raise MethodError(
            f"the bootstrap of {name} would need {n:,} x {columns:,} numbers.",
            fix=Fix("use an interval that needs no draws: ", Option("interval", "log"), "."),
        )
