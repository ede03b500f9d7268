"""Resampling an average of datasets: as many items (or clusters) of every dataset as it has, drawn from it alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.align import cluster_totals
from nofluke.align.strata import averaged, unblocked
from nofluke.engine.corrected.draws import drawn_sums, exact_table
from nofluke.engine.randomness import RESAMPLE_WITHIN, filled, in_chunks
from nofluke.engine.resample import Progress
from nofluke.errors import Fix, MethodError, Option, listing
from nofluke.inference.resampling.corpus import Corpus, in_whole_numbers
from nofluke.inference.resampling.pivots import Part, Pivots, pivots_of
from nofluke.types import Aggregate, FloatArray, IntArray, Sample, Strata, frozen
from nofluke.types.base import counted

# With fewer items in a dataset, resampling it knows too little of it.
FEWEST = 10
_PERMUTATION = Option("method", "permutation")


def refuse_within(sample: Sample, strata: Strata, form: str, resample_size: int | None) -> None:
    """Refuse what cannot be resampled within datasets, and name what can."""
    if resample_size is not None:
        raise MethodError(
            "resample_size is for one dataset: of several, each is drawn at its own size.", fix="leave it out."
        )
    if form == "studentized" and sample.aggregate.linear:
        raise MethodError(
            "form 'studentized' is not defined for an average of datasets.",
            fix=Fix("use form 'shift' or 'percentile', or ", _PERMUTATION, "."),
        )
    refuse_units(
        sample,
        strata,
        Fix("use ", _PERMUTATION, ", which swaps them as a whole."),
        Fix("use ", _PERMUTATION, ", which is exact at any number of items."),
    )


def refuse_units(sample: Sample, strata: Strata, if_shared: Fix, if_few: Fix) -> None:
    """Refuse clusters that are in several datasets, and datasets too small to be resampled."""
    units = _units_of_datasets(sample, strata)
    if sample.clusters is not None and units.sum() > len(np.unique(sample.clusters)):
        raise MethodError(
            "some clusters (or items with one id) are in several datasets, and cannot be drawn within one.",
            fix=if_shared,
        )
    small = [strata.names[place] for place in np.flatnonzero(units < FEWEST).tolist()]
    if small:
        has = "has" if len(small) == 1 else "have"
        raise MethodError(
            f"{listing(small)} {has} fewer than {counted(FEWEST, sample.unit)}, and resampling so few "
            "says too little about others like them.",
            fix=if_few,
        )


def _units_of_datasets(sample: Sample, strata: Strata) -> FloatArray:
    """How many items, or clusters, every dataset has."""
    if sample.clusters is None:
        return np.array(strata.sizes, dtype=np.float64)
    pairs = np.unique(np.stack((strata.codes, sample.clusters), axis=1), axis=0)
    return np.bincount(pairs[:, 0], minlength=len(strata.names)).astype(np.float64)


def _mean_of_sums(sums: FloatArray, n: float) -> FloatArray:  # noqa: ARG001 (the number of items is itself drawn)
    return np.asarray(sums[..., 0] / sums[..., 1])


def with_cluster_sizes(sample: Sample, strata: Strata) -> Sample:
    """Give scores with the number of items beside them: with clusters drawn, a mean is a ratio of the two."""
    ones = np.ones_like(sample.statistics)
    plain = replace(
        sample,
        statistics=frozen(np.concatenate((sample.statistics, ones), axis=2)),
        aggregate=Aggregate(sample.metric, _mean_of_sums, linear=False),
        strata=None,
    )
    weights = dict(zip(strata.names, strata.weights, strict=True))
    return averaged(plain, strata.names, strata.codes, weights, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Within:
    """Items, or clusters, of an average: their `statistics` (units, 2, k), A better first, and the dataset of each.

    `each` scores a dataset by sums of these; `units` says which of them every item belongs to.
    """

    statistics: FloatArray
    home: IntArray
    units: IntArray
    each: Aggregate


def units_within(sample: Sample, strata: Strata) -> Within | None:
    """Give what is drawn within datasets; None where a cluster, or an item with one id, is in several.

    The mean of items in clusters is a ratio of sums, because the number of items is itself drawn.
    """
    scored = with_cluster_sizes(sample, strata) if sample.aggregate.linear else sample
    plain = unblocked(scored)
    rows = plain.statistics if sample.higher_is_better else plain.statistics[:, ::-1]
    statistics, each = in_whole_numbers(rows, plain.aggregate)
    n, _, k = statistics.shape
    units = np.arange(n) if sample.clusters is None else np.unique(sample.clusters, return_inverse=True)[1].ravel()
    home = np.full(int(units.max()) + 1, -1)
    home[units] = strata.codes
    if not np.array_equal(home[units], strata.codes):
        return None
    columns = [cluster_totals(np.ascontiguousarray(one), units)[0] for one in statistics.reshape(n, -1).T]
    return Within(np.stack(columns, axis=1).reshape(-1, 2, k), home, units, each)


def pivots_within(
    sample: Sample, strata: Strata, resamples: int, *, seed: int, progress: Progress | None = None
) -> Pivots | None:
    """Draw every dataset anew and divide what the average moves by, by the standard error of each resample.

    None where nothing can be drawn within datasets: too few units in one, or units in several.
    """
    within = units_within(sample, strata)
    if within is None or np.bincount(within.home).min() < FEWEST:
        return None
    # Streams go by name, so that the order of the datasets changes nothing.
    stages = {name: RESAMPLE_WITHIN + rank for rank, name in enumerate(sorted(strata.names))}
    parts = [
        Part(Corpus(within.statistics[within.home == place], within.each, math.nan), weight, stages[name])
        for place, (name, weight) in enumerate(zip(strata.names, strata.weights, strict=True))
    ]
    return pivots_of(parts, resamples, seed=seed, progress=progress)


def scores_within(
    corpus: Corpus, strata: Strata, resamples: int, *, seed: int, progress: Progress | None = None
) -> FloatArray:
    """What would both systems score on average if every dataset were drawn anew? One row per resample."""
    if corpus.homes is None:
        raise TypeError("the units of an average have their datasets")
    units, _, width = corpus.statistics.shape
    own, number = width // len(strata.names), len(strata.names)
    blocks = corpus.statistics.reshape(units, 2, number, own)
    tables = []
    for place in range(number):
        mine = blocks[corpus.homes[:, place] > 0][:, :, place]
        tables.append(exact_table(mine.reshape(len(mine), -1), len(mine)))
    # Streams go by name, so that the order of the datasets changes nothing.
    stages = {name: RESAMPLE_WITHIN + rank for rank, name in enumerate(sorted(strata.names))}
    shared = ([(stages[name], table) for name, table in zip(strata.names, tables, strict=True)], corpus.aggregate)
    drawn = in_chunks(partial(_scores, seed=seed, units=units, own=own), shared, resamples, progress)
    return filled(np.empty((resamples, 2)), drawn)


def _scores(
    shared: tuple[Sequence[tuple[int, npt.NDArray[Any]]], Aggregate],
    chunk: tuple[int, int],
    *,
    seed: int,
    units: int,
    own: int,
) -> FloatArray:
    (tables, aggregate), drawn = shared, chunk[1]
    sums = np.empty((drawn, 2, len(tables), own))
    for place, (stage, table) in enumerate(tables):
        sums[:, :, place] = drawn_sums(table, *chunk, seed=seed, stage=stage, size=len(table)).reshape(drawn, 2, own)
    with np.errstate(all="ignore"):
        return np.asarray(aggregate(sums.reshape(drawn, 2, -1), float(units)))
