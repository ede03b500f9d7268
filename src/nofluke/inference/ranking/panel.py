"""The systems that are compared, all pairs of them: one table of scores, oriented so that higher is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.align.decimals import NOISE, find_grid, rounding_of_sums, to_integers
from nofluke.align.exact_sums import coarse, largest, summable
from nofluke.align.strata import in_blocks, item_multipliers
from nofluke.engine.pairs.binary import BINOMIAL_BOUND, fair_binomial_tails
from nofluke.errors import MethodError
from nofluke.types import MEAN, FloatArray, Grid, IntArray, Items, Note, Runs, Sample, frozen

# Up to so many pairs every p-value is exact: a handful of tails takes no time, whatever the scores.
FEW_PAIRS = 15
# Sums of so few signs are counted out faster than approximated, for any number of pairs.
FEW_UNITS = 22
# Differences of two units, and twice that, must fit 64 bits.
_UNIT_BITS = 59

# The grids of measured scores of one size differ by up to ten times; so many times finer ones are of smaller scores.
_MUCH_FINER = 1_000

# Codes of p-values whose error is bounded, and of those whose bound rests on a search, not on a proof: it is stated as
# at least this much, which no tail counted exactly has exceeded (tests/verbs/test_rank_digits.py).
_BOUNDED = ("exact", "approximate", "gram")
_SEARCHED = ("saddlepoint", "inversion")
_STATED = 1e-3

Progress = Callable[[int, int], None] | None
Exact = Callable[[int, int], tuple[float, float, str]]


@dataclass(frozen=True, slots=True)
class Settings:
    """What tests of all pairs are told: how exact, the seed, the options of the method, and how many claims there are.

    `claims` is the size of the family the p-values go into, `alpha` its level: draws must be able to reach it.
    """

    exact: str
    seed: int
    alpha: float
    claims: int
    options: Mapping[str, Any]
    progress: Progress = None


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """One-sided p-values of all ordered pairs, in logarithms: [i, j] is for "system i is better than system j".

    nan where a test gives none. `computed` says how each number was obtained, `bound` its relative error (an estimate
    where it is not exact). `exact` computes one entry as well as can be: (log p, bound, how). `resamples` is 0 without
    draws. `validity` is a code. `differences` and `sizes` are those of pairs that were tested on items of their own.
    """

    log_p: FloatArray
    computed: npt.NDArray[np.str_]
    bound: FloatArray
    validity: str
    notes: tuple[Note, ...] = ()
    exact: Exact | None = None
    resamples: int = 0
    seed: int | None = None
    differences: FloatArray | None = None
    sizes: FloatArray | None = None


def binomial_table(better: IntArray) -> PairTable:
    """The tests of pairs of which the first is better on so many items: fair coins on those that differ."""
    log_p = fair_binomial_tails(better + better.T, better)
    return PairTable(log_p, np.full(log_p.shape, "exact", "<U11"), np.full(log_p.shape, BINOMIAL_BOUND), "exact")


def stated_errors(table: PairTable, *, two_sided: bool) -> FloatArray:
    """Give how far each p-value may be off, relatively; nan where its code promises no bound (draws, normal laws).

    Two-sided p-values are twice the smaller of a pair, whose error they have.
    """
    stated = np.where(np.isin(table.computed, _SEARCHED), np.maximum(table.bound, _STATED), table.bound)
    errors: FloatArray = np.where(np.isin(table.computed, _BOUNDED + _SEARCHED), stated, np.nan)
    return np.where(table.log_p <= table.log_p.T, errors, errors.T) if two_sided else errors


def exactly(bound: float) -> str:
    """How a tail that was inverted is called: exact only below a bound of 1e-9."""
    return "exact" if bound < 1e-9 else "inversion"


def oriented(sample: Sample) -> IntArray:
    """Give the (n, S) scores as whole multiples of the grid's step, higher = better."""
    _need_linear(sample)
    integers = to_integers(sample.statistics[:, :, 0], sample.grid)
    return integers if sample.higher_is_better else -integers


def oriented_floats(sample: Sample) -> FloatArray:
    """Give the (n, S) scores as they are, higher = better."""
    _need_linear(sample)
    values: FloatArray = sample.statistics[:, :, 0]
    return values if sample.higher_is_better else -values


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What random signs are given to, (units, S): items or totals of clusters, times what they count in an average.

    Sums of differences that are at most `slack` apart may be equal, because scores were rounded (or cut, where they
    are too wide for 64 bits); `doubt` is the same for rounded weights of datasets, under which equal sums stay equal.
    """

    values: IntArray
    slack: int = 0
    doubt: int = 0


def units_to_flip(sample: Sample) -> Units:
    """Give what random signs are given to, in 64 bits, and what may be a tie."""
    table = oriented(sample)
    multipliers = item_multipliers(sample)
    slack = rounding_of_sums(sample)
    doubt = 0
    if multipliers is not None:
        slack = slack * sum(multipliers.tolist()) // sample.n
        if sample.strata is not None and not sample.strata.exact:
            doubt = sum((table.max(axis=1) - table.min(axis=1)).tolist())
        table = _multiplied(table, multipliers)
    if sample.clusters is not None:
        wide = largest(table) * _most_together(sample) >= 1 << _UNIT_BITS
        table = by_cluster(summable(table) if wide else table, sample.clusters)
    values, shift, _ = coarse(table, _UNIT_BITS)
    if shift:
        # Each score is off by half a step at most, a difference by a step, and a flip moves it twice.
        slack, doubt = -(-slack >> shift) + 2 * sample.n, -(-doubt >> shift)
    return Units(values, slack, doubt)


def _multiplied(table: IntArray, multipliers: IntArray) -> IntArray:
    """Multiply the rows of items; each number by itself fits where no sum of all has to."""
    factors = multipliers[:, None]
    if table.dtype != object and multipliers.dtype != object and largest(table) * largest(multipliers) < 1 << 62:
        return table * factors
    products: IntArray = table.astype(object) * factors.astype(object)
    return products


def flipped_units(sample: Sample) -> IntArray:
    """Give what random signs are given to, for draws: (units, S)."""
    return units_to_flip(sample).values


def _most_together(sample: Sample) -> int:
    """The number of items of the largest cluster."""
    return 1 if sample.clusters is None else int(np.unique(sample.clusters, return_counts=True)[1].max())


def is_wide(sample: Sample) -> bool:
    """Whether scores, or their totals by cluster, may need more than 64 bits on their grid: tests go pair by pair."""
    widest = float(np.max(np.abs(sample.statistics), initial=0.0)) * sample.grid.per_unit
    return widest * _most_together(sample) >= 2.0**_UNIT_BITS


def by_cluster(table: npt.NDArray[Any], clusters: IntArray | None) -> npt.NDArray[Any]:
    """Add up the rows of every cluster; without clusters the table stays as it is."""
    if clusters is None:
        return table
    _, codes = np.unique(clusters, return_inverse=True)
    totals = np.zeros((int(codes.max()) + 1, *table.shape[1:]), dtype=table.dtype)
    np.add.at(totals, codes, table)
    return totals


def units_of(sample: Sample) -> int:
    """How many independent units there are: items, or clusters."""
    return sample.n if sample.clusters is None else len(np.unique(sample.clusters))


def all_exact(settings: Settings, units: int, systems: int) -> bool:
    """Whether all p-values are computed exactly, because that was asked for or costs nothing."""
    return settings.exact == "all" or systems * (systems - 1) // 2 <= FEW_PAIRS or units <= FEW_UNITS


def from_disk(items: Items, *places: int) -> Sample:
    """Read the scores of some systems whose items lie on disk."""
    parts = [np.load(path, mmap_mode="r")[[items.rows[place] for place in places]].T for path in items.files]
    return Sample(
        statistics=frozen(np.concatenate(parts))[:, :, None],
        systems=tuple(items.systems[place] for place in places),
        ids=None,
        clusters=None,
        cluster_labels=(),
        aggregate=MEAN,
        higher_is_better=items.higher_is_better,
        metric=items.metric,
        dataset=items.dataset,
        unit_size=1,
        unit_statistic="mean",
        grid=items.grid,
        alignment=items.alignment,
        lengths=(items.n,) * len(places),
        notes=items.notes,
    )


def pair_of(sample: Sample | Items, i: int, j: int) -> Sample:
    """Give the sample of two systems, in this order, on a grid that tells their scores apart."""
    if isinstance(sample, Items):
        return from_disk(sample, i, j)
    pair = reordered(sample, (i, j))
    return in_blocks(replace(pair, grid=_telling_grid(pair), notes=()))


def merged_pairs(sample: Sample) -> list[tuple[int, int]]:
    """Give the pairs with scores so fine that the grid of all, made for others, may take different sums for ties."""
    if _tells_all(sample):
        return []
    few = units_of(sample) <= FEW_UNITS
    own = [find_grid(sample.statistics[:, system]) for system in range(len(sample.systems))]
    # Sums of many measured scores are dense: a coarser grid hardly moves their tails.
    fine = [(grid.exact or few) and _is_finer(grid, sample) for grid in own]
    pairs = [(i, j) for i in range(len(own)) for j in range(i + 1, len(own)) if fine[i] or fine[j]]
    return [(i, j) for i, j in pairs if (few or _hangs_on_little(sample, i, j)) and _has_own_grid(sample, i, j)]


def _tells_all(sample: Sample) -> bool:
    """Whether scores are told apart on the grid of all; on one of thirds, say, 1e-18 counts as what rounding left."""
    grid = sample.grid
    if not sample.aggregate.linear or (grid.exact and grid.divisor == 1):
        return True
    sizes = np.abs(sample.statistics)
    return grid.exact and not np.any((sizes > 0) & (sizes < grid.step / 2))


def _hangs_on_little(sample: Sample, i: int, j: int) -> bool:
    """Sums of many items are told apart by items that add next to nothing, where there are such."""
    apart = np.abs(sample.statistics[:, i, 0] - sample.statistics[:, j, 0])
    return bool(np.any((apart > 0) & (apart <= float(_reach(sample)))))


def _has_own_grid(sample: Sample, i: int, j: int) -> bool:
    return _telling_grid(reordered(sample, (i, j))) != sample.grid


def _telling_grid(pair: Sample) -> Grid:
    """Give two systems' own grid where that of all systems is too coarse for them."""
    if _tells_all(pair):
        return pair.grid
    own = find_grid(pair.statistics)
    return own if _is_finer(own, pair) else pair.grid


def _is_finer(own: Grid, sample: Sample) -> bool:
    """Whether sums that differ on a grid may be ties on that of all systems; measured grids differ a little anyway."""
    return own.exact_step <= (_reach(sample) if own.exact else sample.grid.exact_step / _MUCH_FINER)


def _reach(sample: Sample) -> Fraction:
    """Give how near to each other sums may be ties on the grid of all, also within the noise of the largest score."""
    if sample.grid.exact:
        return sample.grid.exact_step / 2
    multipliers = item_multipliers(sample)
    most = 1 if multipliers is None else int(multipliers.max())
    noise = Fraction(float(np.nanmax(np.abs(sample.statistics)))) * Fraction(NOISE)
    return 2 * rounding_of_sums(sample) * most * max(sample.grid.exact_step, noise)


def reordered(sample: Sample, order: Sequence[int]) -> Sample:
    """Give the sample with its systems in another order."""
    chosen, runs = list(order), sample.runs
    return replace(
        sample,
        statistics=frozen(sample.statistics[:, chosen]),
        systems=tuple(sample.systems[i] for i in chosen),
        lengths=tuple(sample.lengths[i] for i in chosen),
        incomplete=frozen(np.empty((0, len(chosen), sample.statistics.shape[2]))),
        runs=None
        if runs is None
        else Runs(tuple(runs.names[i] for i in chosen), tuple(runs.statistics[i] for i in chosen)),
    )


def _need_linear(sample: Sample) -> None:
    if not sample.aggregate.linear:
        raise MethodError(
            f"{sample.aggregate.name} is not a mean over items, so single items have no difference.",
            fix="use method 'permutation' or 'bootstrap', which work on the metric itself.",
        )
