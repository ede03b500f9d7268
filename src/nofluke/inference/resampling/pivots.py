"""The studentised bootstrap of corpus metrics: every resample is measured by its own standard error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.corrected.draws import drawn_sums, exact_table
from nofluke.engine.randomness import in_chunks
from nofluke.engine.resample import Progress
from nofluke.inference.intervals.bootstrap import rank_of
from nofluke.inference.resampling.corpus import Corpus
from nofluke.inference.resampling.tangents import Tangent
from nofluke.types import FloatArray

_EXACT = 2.0**52


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One dataset: its units, what it weighs in the average, and the stage of its random streams."""

    corpus: Corpus
    weight: float
    stage: int


@dataclass(frozen=True, slots=True, eq=False)
class Pivots:
    """A difference with its standard error, and (d* - d) / se* of resamples; nan where one has no spread."""

    difference: float
    standard_error: float
    pivots: FloatArray

    def counts(self, delta: float) -> tuple[int, int]:
        """How many resamples lie as far above, and below, as the difference does from delta.

        A resample without a score or a spread speaks for neither side: it counts against both claims.
        """
        known = self.pivots[np.isfinite(self.pivots)]
        undefined = len(self.pivots) - len(known)
        t = (self.difference - delta) / self.standard_error if self.standard_error else math.nan
        if math.isnan(t):
            return len(self.pivots), len(self.pivots)
        slack = 1e-9 * max(1.0, abs(t))
        return undefined + int(np.sum(known >= t - slack)), undefined + int(np.sum(known <= t + slack))

    def limits(self, below: float, above: float) -> tuple[float, float]:
        """Give the limits of the studentised bootstrap; infinite where the draws allow no such small error."""
        known = np.sort(self.pivots[np.isfinite(self.pivots)])
        low, high = rank_of(below, len(known)), rank_of(above, len(known))
        return (
            self.difference - float(known[-low]) * self.standard_error if low else -math.inf,
            self.difference - float(known[high - 1]) * self.standard_error if high else math.inf,
        )


def pivots_of(parts: Sequence[Part], resamples: int, *, seed: int, progress: Progress | None = None) -> Pivots:
    """Draw every dataset anew, and divide what the average moves by, by the standard error of each resample.

    Units are put into an order of their own, so that draws depend neither on that of the data nor on who is called A.
    """
    tangents, tables, units = [], [], []
    for part in parts:
        ordered = part.corpus.in_order()
        tangent = Tangent(ordered.statistics, ordered.aggregate)
        n = len(ordered.statistics)
        # Products of long statistics keep the digits that sums can hold.
        largest = np.abs(tangent.columns).max(axis=0, initial=0.0) * n
        unit = 2.0 ** np.ceil(np.log2(np.maximum(largest / _EXACT, 1.0)))
        tangents.append(tangent)
        tables.append(exact_table(np.rint(tangent.columns / unit), n))
        units.append(unit)

    def average(sums: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
        difference, variance = np.zeros(len(sums[0])), np.zeros(len(sums[0]))
        for part, tangent, one in zip(parts, tangents, sums, strict=True):
            n = len(tangent.columns)
            found = tangent.moments(one, float(n))
            difference = difference + part.weight * found.difference
            variance = variance + part.weight**2 * found.centred * (n / (n - 1))
        return difference, np.sqrt(variance)

    (observed,), (error,) = average([tangent.columns.sum(axis=0)[None, :] for tangent in tangents])
    shared = [(part.stage, table, unit) for part, table, unit in zip(parts, tables, units, strict=True)]
    pivots, done = np.empty(resamples), 0
    for sums in in_chunks(partial(_sums, seed), shared, resamples, progress):
        moved, errors = average(sums)
        with np.errstate(all="ignore"):
            pivots[done : done + len(moved)] = np.where(errors > 0, (moved - observed) / errors, np.nan)
        done += len(moved)
    return Pivots(float(observed), float(error), pivots)


def _sums(
    seed: int, tables: Sequence[tuple[int, npt.NDArray[Any], FloatArray]], chunk: tuple[int, int]
) -> list[FloatArray]:
    return [drawn_sums(table, *chunk, seed=seed, stage=stage, size=len(table)) * unit for stage, table, unit in tables]
