"""Evaluation units: the mean or median of m adjacent items becomes one observation (Zhu et al. 2020, definition 1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from nofluke.align.decimals import find_grid, to_integers
from nofluke.check import check_count, check_seed
from nofluke.errors import Fix, InputError, Option, unknown, without_effect
from nofluke.types import FloatArray, Grid, IntArray, Sample, frozen, note


def group_into_units(
    sample: Sample,
    size: int,
    statistic: Literal["mean", "median"] = "mean",
    shuffle_seed: int | None = None,
) -> Sample:
    """Make evaluation units of `size` adjacent items; an incomplete last unit is left out and counted.

    The shuffle sorts by a raw random stream, which NumPy keeps the same over versions.
    """
    if statistic not in ("mean", "median"):
        raise unknown("unit statistic", str(statistic), ("mean", "median"))
    check_count(size, "unit", least=1)
    refuse_units_of_one(size, statistic, shuffle_seed)
    if shuffle_seed is not None:
        sample = _shuffled(sample, shuffle_seed)
    if size == 1:
        return sample
    _refuse_what_units_cannot_do(sample, size, statistic)
    units, leftover = divmod(sample.n, size)
    shape = (units, size, *sample.statistics.shape[1:])
    blocks = sample.statistics[: units * size].reshape(shape)
    values, grid = _grouped(blocks, size, statistic, sample)
    return replace(
        sample,
        statistics=frozen(values),
        ids=tuple(f"{i + 1}" for i in range(units)),
        unit_size=size,
        unit_statistic=statistic,
        grid=grid,
        alignment=replace(sample.alignment, leftover=leftover),
        lengths=(units,) * len(sample.systems),
    )


def refuse_units_of_one(size: int, statistic: str, shuffle_seed: int | None) -> None:
    """Refuse what says how units are made where none are."""
    given = {"unit_statistic": statistic != "mean", "shuffle_seed": shuffle_seed is not None}
    if size == 1 and any(given.values()):
        raise without_effect(
            [name for name, said in given.items() if said],
            "every unit is a single item",
            Fix("give ", Option("unit", "N"), " as well, or leave it out."),
        )


def _refuse_what_units_cannot_do(sample: Sample, size: int, statistic: str) -> None:
    if not sample.paired:
        raise InputError("evaluation units need paired scores.", fix="leave the unit size at 1.")
    if sample.clusters is not None:
        raise InputError(
            "evaluation units and clusters were both asked for.",
            fix="leave the unit size at 1: with clusters, the cluster is already the unit.",
        )
    if size > sample.n:
        raise InputError(
            f"a unit of {size:,} items cannot be made of {sample.n:,} items.",
            fix=f"choose a unit size of at most {sample.n // 2:,}, which gives two units; more are better."
            if sample.n > 1
            else "leave the unit size at 1.",
        )
    if sample.aggregate.whole is not None:
        raise InputError(
            f"a unit of {size:,} items has no {sample.metric} that could be averaged.",
            fix="leave the unit size at 1: all items together have one score.",
        )
    if not sample.aggregate.linear and statistic == "median":
        raise InputError(
            f"the median of {sample.aggregate.name} over a unit is not defined.",
            fix="use the mean: a unit's score is the metric of its summed statistics.",
        )


def _grouped(blocks: FloatArray, size: int, statistic: str, sample: Sample) -> tuple[FloatArray, Grid]:
    if not sample.aggregate.linear:
        return blocks.sum(axis=1), sample.grid
    grid = sample.grid
    divisor = size if statistic == "mean" else 2 - size % 2
    if not grid.exact or divisor * float(np.abs(blocks).max(initial=0)) * grid.per_unit >= 2.0**52:
        values = blocks.mean(axis=1) if statistic == "mean" else np.median(blocks, axis=1)
        return values, find_grid(values, digits=0) if values.any() else grid
    integers = to_integers(blocks, grid)
    grouped = _sum(integers) if statistic == "mean" else _doubled_median(integers, divisor)
    finer = Grid(grid.decimals, grid.divisor * divisor, exact=True)
    return grouped / finer.per_unit, finer


def _sum(integers: IntArray) -> IntArray:
    total: IntArray = integers.sum(axis=1)
    return total


def _doubled_median(integers: IntArray, divisor: int) -> IntArray:
    """The median of an odd number of values, or the sum of the middle two of an even number."""
    ordered = np.sort(integers, axis=1)
    middle = integers.shape[1] // 2
    result: IntArray = ordered[:, middle] if divisor == 1 else ordered[:, middle - 1] + ordered[:, middle]
    return result


def _shuffled(sample: Sample, seed: int) -> Sample:
    check_seed(seed, "shuffle_seed")
    stream = np.random.SFC64(np.random.SeedSequence((int(seed), 0x5355)))
    order = np.argsort(stream.random_raw(sample.n), kind="stable")
    return replace(
        sample,
        statistics=frozen(sample.statistics[order]),
        ids=None if sample.ids is None else tuple(sample.ids[i] for i in order),
        clusters=None if sample.clusters is None else frozen(sample.clusters[order], np.int64),
        shuffle_seed=int(seed),
        notes=(*sample.notes, note("align.shuffled", seed=int(seed))),
    )
