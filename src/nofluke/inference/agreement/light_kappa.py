"""Light's kappa: the mean of the kappas of all pairs of annotators."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from nofluke.errors import MethodError
from nofluke.inference.agreement.bootstrap import refuse_too_wide
from nofluke.inference.agreement.cohen_kappa import measure_pair
from nofluke.inference.agreement.measured import IntervalKind, IntervalOptions, Measured, Resamples, finished
from nofluke.inference.agreement.tally import Tally, tally
from nofluke.inference.p_values import ConfidenceLevel, Progress, Seed
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient, FloatArray, IntArray, Note, Ratings, note

_MOST_ANNOTATORS = 300


@AGREEMENT.register(
    "light_kappa",
    label="Light's kappa",
    beyond_chance=True,
    symbol="kappa",
    needs="two or more",
    bounds=(-1.0, 1.0),
    cite="Light 1971; Conger 1980",
)
def light_kappa(
    ratings: Ratings,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    interval: IntervalKind = "log",
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    progress: Progress = None,
) -> Coefficient:
    """How far do two annotators agree beyond chance, on average over all pairs?

    The mean of Cohen's kappa over the pairs of annotators; every pair counts the same, however many items it shares.
    For two annotators it is Cohen's kappa. Pairs that share no item, or whose kappa is undefined because both used
    one label only, are left out with a note. Assumes independent items; the standard error is that of the mean
    over pairs by the delta method, which keeps the pairs' dependence. Not for crowds, whose pairs share few items.
    Null of the test: each annotator's labels lie on their items at random; rejecting it is no evidence of quality.
    """
    t = tally(ratings)
    if t.m > _MOST_ANNOTATORS:
        raise MethodError(
            f"{t.m:,} annotators make {math.comb(t.m, 2):,} pairs, too many for light_kappa.",
            fix="use fleiss_kappa or krippendorff_alpha, which do not look at pairs of annotators.",
        )
    return finished(measure(t), IntervalOptions(confidence_level, interval, seed, n_resamples, progress))


def measure(t: Tally) -> Measured:
    """Measure all pairs and take means; an item's part in the mean is the mean of its parts in the pairs."""
    codes = np.full((t.n, t.m), -1, dtype=np.int64)
    codes[t.item, t.annotator] = t.label
    influence, found, used = np.zeros(t.n), [], []
    undefined = apart = 0
    for a, b in combinations(range(t.m), 2):
        shared = np.flatnonzero((codes[:, a] >= 0) & (codes[:, b] >= 0))
        if not len(shared):
            apart += 1
            continue
        pair = measure_pair(codes[shared, a], codes[shared, b], t.k, None)
        if math.isnan(pair.value):
            undefined += 1
            continue
        influence[shared] += pair.influence * (t.n / len(shared))
        found.append((pair.value, pair.observed, pair.expected))
        used.append((a, b))
    notes = _notes(apart, undefined, math.comb(t.m, 2))
    if not found:
        return Measured(math.nan, math.nan, math.nan, influence, lambda: influence[:, None], lambda sums: sums[:, 0])
    value, observed, expected = np.mean(np.array(found), axis=0).tolist()
    pairs = np.array(used, dtype=np.int64)
    return Measured(
        value,
        observed,
        expected,
        influence / len(found),
        lambda: _statistics(codes, pairs, t.k),
        lambda sums: _solve(sums.reshape(len(sums), len(pairs), -1), t.k),
        worst=1.0,
        notes=notes,
    )


def _statistics(codes: IntArray, pairs: IntArray, k: int) -> FloatArray:
    """For every pair: whether both rated the item, whether they agree, and the label of each."""
    n, width = len(codes), 2 * k + 2
    refuse_too_wide(n, len(pairs) * width, "light_kappa")
    table = np.zeros((n, len(pairs), width))
    for position, (a, b) in enumerate(pairs.tolist()):
        rows = np.flatnonzero((codes[:, a] >= 0) & (codes[:, b] >= 0))
        table[rows, position, 0] = 1
        table[rows, position, 1] = codes[rows, a] == codes[rows, b]
        table[rows, position, 2 + codes[rows, a]] = 1
        table[rows, position, 2 + k + codes[rows, b]] = 1
    return table.reshape(n, -1)


def _solve(sums: FloatArray, k: int) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        part = sums / sums[:, :, :1]
        expected = (part[:, :, 2 : 2 + k] * part[:, :, 2 + k :]).sum(axis=2)
        kappas = np.where(1 - expected > 1e-14, (part[:, :, 1] - expected) / (1 - expected), np.nan)
    there = np.isfinite(kappas)
    number = there.sum(axis=1)
    sums_of = np.where(there, kappas, 0.0).sum(axis=1)
    means: FloatArray = np.divide(sums_of, number, out=np.full(len(sums), np.nan), where=number > 0)
    return means


def _notes(apart: int, undefined: int, pairs: int) -> tuple[Note, ...]:
    notes = []
    if apart:
        notes.append(note("agree.pairs_apart", pairs=apart, of=pairs))
    if undefined:
        notes.append(note("agree.pairs_one_label", pairs=undefined, of=pairs))
    return tuple(notes)
