"""Light's kappa: the mean of the kappas of all pairs of annotators."""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations

import numpy as np

from nofluke.errors import MethodError
from nofluke.inference.agreement.bootstrap import refuse_too_wide
from nofluke.inference.agreement.cohen_kappa import mean_kappas, measure_pair
from nofluke.inference.agreement.measured import Measured, Shuffled, coefficient
from nofluke.inference.agreement.tally import tally
from nofluke.types import FloatArray, IntArray, Note, Ratings, note

_MOST_ANNOTATORS = 300


@coefficient(
    "light_kappa",
    label="Light's kappa",
    symbol="kappa",
    chance="own",
    cite="Light 1971; Conger 1980",
)
def light_kappa(ratings: Ratings) -> Measured:
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
    shuffled = Shuffled(ratings, t, partial(mean_kappas, t, None), quick=False)
    codes = np.full((t.n, t.m), -1, dtype=np.int64)
    codes[t.item, t.annotator] = t.label
    # An item's part in the mean is the mean of its parts in the pairs.
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
        unknown = (math.nan, math.nan, math.nan)
        return Measured(*unknown, influence, lambda: influence[:, None], lambda sums: sums[:, 0], lambda: shuffled)
    value, observed, expected = np.mean(np.array(found), axis=0).tolist()
    pairs = np.array(used, dtype=np.int64)
    return Measured(
        value,
        observed,
        expected,
        influence / len(found),
        lambda: _statistics(codes, pairs, t.k),
        lambda sums: _solve(sums.reshape(len(sums), len(pairs), -1), t.k),
        lambda: shuffled,
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
