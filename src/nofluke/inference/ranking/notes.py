"""What is worth knowing about a ranking: identical systems, too few units, skewed differences."""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.pairs.binary import two_valued
from nofluke.inference.ranking.family import FAMILYWISE, Claims, limits_discoveries
from nofluke.inference.ranking.panel import by_cluster, flipped_units, oriented_floats, units_of
from nofluke.inference.tests.crossed_runs import notes_on_few_runs
from nofluke.registry import TESTS
from nofluke.types import FloatArray, Note, Sample, note

# |skewness| / sqrt(n) from which on one side of a test of equal means is noticeably too often wrong.
_SKEWED = 0.1
# Columns whose differences have less than this share of their variance are subtracted one by one.
_ALIKE = 1e-4


def notes_on(sample: Sample, method: str, claims: Claims, adjust: str, alpha: float, *, unit: str) -> tuple[Note, ...]:
    """Collect the notes that do not depend on the p-values."""
    return (
        *_identical(sample, unit),
        *_too_few(sample, method, claims, adjust, alpha, unit),
        *_skewed(sample, method, claims, unit),
        *notes_on_family(claims, adjust),
        *_runs(sample),
    )


def _runs(sample: Sample) -> tuple[Note, ...]:
    """How often systems were trained, and which of them so seldom that the claims are indicative."""
    if sample.runs is None:
        return ()
    numbers = [len(names) for names in sample.runs.names]
    return (*notes_on_few_runs(sample), note("rank.runs", low=min(numbers), high=max(numbers)))


def _identical(sample: Sample, unit: str) -> tuple[Note, ...]:
    if not sample.paired:
        return ()
    names: dict[bytes, list[str]] = {}
    for index, name in enumerate(sample.systems):
        names.setdefault(np.ascontiguousarray(sample.statistics[:, index]).tobytes(), []).append(name)
    same = [group for group in names.values() if len(group) > 1]
    return (note("rank.identical", unit=unit, groups=same),) if same else ()


def _too_few(sample: Sample, method: str, claims: Claims, adjust: str, alpha: float, unit: str) -> tuple[Note, ...]:
    if not TESTS[method].facts["least_p_by_signs"] or not sample.paired or adjust not in FAMILYWISE:
        return ()
    units = units_of(sample)
    if claims.one_sided_size * 2.0**-units <= alpha:
        return ()
    needed = math.ceil(math.log2(claims.one_sided_size / alpha))
    what = "cluster" if sample.clusters is not None else unit
    return (note("rank.too_few", n=units, unit=what, smallest=2.0**-units, needed=needed),)


def _skewed(sample: Sample, method: str, claims: Claims, unit: str) -> tuple[Note, ...]:
    """Flips of skewed differences hold for systems that can be swapped; for equal means they are only approximate.

    Every claim has a direction, and one side of a skewed test errs more often than the level says [differences
    exponential - 1, 20 items, each side at .05: .022 and .109]. Scores of two values are never skewed with equal means.
    """
    if not TESTS[method].facts["swaps"] or not sample.aggregate.linear:
        return ()
    values = _residuals(sample)
    if values is None:
        return ()
    what = "cluster" if sample.clusters is not None else unit
    told = skewed_pairs(_skewness_of_pairs(values), len(values), what, sample.systems, claims)
    # An audit draws test sets of one dataset: it cannot check an average.
    return told if sample.strata is None else tuple(note(one.code, **dict(one.facts), averaged=True) for one in told)


def skewed_pairs(skewness: FloatArray, n: int, unit: str, systems: tuple[str, ...], claims: Claims) -> tuple[Note, ...]:
    """Name the pair whose differences are skewed most, where that is noticeable."""
    skewness = np.where(claims.mask() | claims.mask().T, skewness, 0.0)
    strength = np.abs(np.triu(skewness)) / math.sqrt(n)
    skewed = int(np.count_nonzero(strength > _SKEWED))
    if not skewed:
        return ()
    i, j = divmod(int(np.argmax(strength)), len(strength))
    return (
        note(
            "rank.skewed",
            pairs=skewed,
            n=n,
            unit=unit,
            most=(systems[i], systems[j]),
            skewness=skewness[i, j],
        ),
    )


def _residuals(sample: Sample) -> FloatArray | None:
    """What is flipped, about its mean; in an average of datasets about that of its dataset. None for two values."""
    strata = sample.strata
    if strata is None or strata.pooled:
        values = flipped_units(sample)
        return None if two_valued(values) else values.astype(np.float64)
    table = oriented_floats(sample)
    means = by_cluster(table, strata.codes) / np.array(strata.sizes)[:, None]
    weighed: FloatArray = strata.shares[:, None] * (table - means[strata.codes])
    return by_cluster(weighed, sample.clusters)


def _skewness_of_pairs(values: FloatArray) -> FloatArray:
    """Give m3 / m2^1.5 of the differences of all pairs of columns, by products of matrices; 0 where nothing varies.

    sum (x - y)^3 = sum x^3 - 3 x^2 y + 3 x y^2 - y^3. Columns that are nearly the same cancel; they are subtracted.
    """
    x = values - values.mean(axis=0)
    x /= max(float(np.abs(x).max()), 1e-300)
    squares, products = x * x, x.T @ x
    own = products.diagonal()
    second = own[:, None] + own - 2.0 * products
    mixed, cubes = squares.T @ x, (squares * x).sum(axis=0)
    third = cubes[:, None] - cubes + 3.0 * (mixed.T - mixed)
    for i, j in np.argwhere(np.triu(second < _ALIKE * (own[:, None] + own), 1)).tolist():
        d = x[:, i] - x[:, j]
        d -= d.mean()
        second[i, j] = second[j, i] = float(d @ d)
        third[i, j] = float((d * d) @ d)
        third[j, i] = -third[i, j]
    with np.errstate(divide="ignore", invalid="ignore"):
        skewness: FloatArray = math.sqrt(len(x)) * third / second**1.5
    return np.where(np.isfinite(skewness), skewness, 0.0)


def notes_on_family(claims: Claims, adjust: str) -> tuple[Note, ...]:
    """What the family of claims means for its reader."""
    notes: list[Note] = []
    if claims.baseline >= 0:
        notes.append(note("rank.baseline_only"))
        if claims.alternative != "two-sided":
            notes.append(note("rank.one_side_tested", alternative=claims.alternative))
    elif claims.alternative == "greater":
        notes.append(note("rank.side_from_scores"))
    if limits_discoveries(adjust) and claims.systems > 2:
        notes.append(note("rank.bh") if adjust == "bh" else note("rank.by"))
    return tuple(notes)
