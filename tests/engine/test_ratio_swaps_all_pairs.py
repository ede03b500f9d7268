"""Studentised swaps of all pairs: the same counts as pair by pair, though few draws are computed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from nofluke.engine.corrected.draws import exact_table, swap_blocks, swapped_sums
from nofluke.engine.randomness import SWAP, Stream
from nofluke.engine.ratio_swaps.all_pairs import all_pairs_swap_counts
from nofluke.engine.ratio_swaps.draws import ratio_swap_draws, studentized_ratio
from nofluke.engine.ratio_swaps.error_bounds import ErrorBounds

Counts = tuple[np.ndarray, np.ndarray]


def f1_counts(seed: int, n: int, systems: int, *, guesses: int = 2) -> Counts:
    """Twice the matches over guessed + gold, of systems that are a little better one after the other."""
    rng = np.random.default_rng(seed)
    gold = rng.poisson(4, n) + 1
    guessed = np.maximum(0, gold[:, None] + rng.integers(-guesses, guesses + 1, (n, systems)))
    matched = rng.binomial(np.minimum(gold[:, None], guessed), np.linspace(0.7, 0.8, systems))
    return 2 * matched, guessed + gold[:, None]


def precision_counts(seed: int, n: int, systems: int) -> Counts:
    """Matches over guesses; many items without guesses, and one system with hardly any."""
    rng = np.random.default_rng(seed)
    guessed = rng.poisson(np.geomspace(0.05, 3, systems), (n, systems))
    return rng.binomial(guessed, 0.6), guessed


def awkward_counts(seed: int, n: int) -> Counts:
    """Equal systems, nearly equal ones, one without denominators, one that is always right, one huge item."""
    numerators, denominators = f1_counts(seed, n, 4)
    rng = np.random.default_rng(seed)
    near, huge = numerators[:, 0].copy(), numerators[:, 1].copy()
    near[rng.integers(n)] += 1
    huge[0] += 4000
    columns = (near, numerators[:, 0], huge, np.zeros(n, np.int64), denominators[:, 0])
    dens = (denominators[:, 0],) * 2 + (denominators[:, 1] + 4000 * (np.arange(n) == 0), np.zeros(n, np.int64))
    extra = np.stack(columns, axis=1), np.stack((*dens, denominators[:, 0]), axis=1)
    return np.concatenate((numerators, extra[0]), axis=1), np.concatenate((denominators, extra[1]), axis=1)


CASES = {
    "f1": f1_counts(1, 300, 6),
    "f1, few items": f1_counts(2, 17, 5),
    "f1, guesses alike": f1_counts(3, 200, 5, guesses=0),
    "f1, wild guesses": f1_counts(4, 200, 5, guesses=9),
    "f1, more items than a block": f1_counts(5, 2500, 3),
    "precision": precision_counts(6, 120, 6),
    "awkward": awkward_counts(7, 90),
    "large counts": tuple(part * 3001 for part in f1_counts(8, 150, 4)),
    "one item decides": tuple(np.where(np.arange(60)[:, None] == 3, 500 * x + 7, x) for x in f1_counts(9, 60, 5)),
}


@pytest.mark.parametrize("name", CASES)
def test_counts_are_those_of_every_pair_alone(name: str) -> None:
    numerators, denominators = (np.asarray(part, np.int64) for part in CASES[name])
    pairs = np.triu_indices(numerators.shape[1], 1)
    found = all_pairs_swap_counts(numerators, denominators, pairs, resamples=1_000, seed=5)
    for place, (i, j) in enumerate(zip(*pairs, strict=True)):
        alone = ratio_swap_draws(
            *numerators[:, [i, j]].T, *denominators[:, [i, j]].T, resamples=1_000, seed=5, empty=None
        )
        assert found[:, place].tolist() == [alone.at_least, alone.at_most], (i, j)


def settled(counts: Counts) -> tuple[np.ndarray, np.ndarray, np.ndarray, Counts, np.ndarray]:
    """What the bounds say of one chunk: above, below, open ones, the sums they saw and the observed quotients."""
    numerators, denominators = (np.asarray(part, np.int64) for part in counts)
    n, systems = numerators.shape
    c, y = numerators.astype(float), denominators.astype(float)
    table = exact_table(np.stack((c, y, c * c, c * y, y * y), axis=2).reshape(n, -1), n)
    first, second = np.triu_indices(systems, 1)
    observed = np.array([exact_t(numerators[:, [i, j]], denominators[:, [i, j]]) for i, j in zip(first, second)])  # noqa: B905
    sums = swapped_sums(table, 0, 256, seed=5, stage=SWAP).reshape(256, systems, 5)
    bounds = ErrorBounds(c.T.copy(), y.T.copy(), first, second, observed)
    above, below, (_, places) = bounds.settled(sums)
    return above, below, np.bincount(places, minlength=first.size), (first, second), observed


def exact_t(numerators: np.ndarray, denominators: np.ndarray) -> float:
    """The quotient from exact fractions, item by item."""
    totals = [(sum(numerators[:, k].tolist()), sum(denominators[:, k].tolist())) for k in (0, 1)]
    if not totals[0][1] or not totals[1][1]:
        return math.nan
    score = [Fraction(*total) for total in totals]
    residuals = [
        [(c - score[k] * y) / totals[k][1] for c, y in zip(numerators[:, k].tolist(), denominators[:, k].tolist())]  # noqa: B905
        for k in (0, 1)
    ]
    square = sum((a - b) ** 2 for a, b in zip(*residuals, strict=True))
    difference = score[0] - score[1]
    return (
        float(difference) / math.sqrt(square)
        if square
        else (math.copysign(math.inf, difference) if difference else 0.0)
    )


@pytest.mark.parametrize("name", ["f1, few items", "precision", "one item decides"])
def test_what_bounds_settle_is_so_in_exact_fractions(name: str) -> None:
    counts = tuple(np.asarray(part, np.int64)[:, :4] for part in CASES[name])
    above, below, undecided, (first, second), observed = settled(counts)
    numerators, _ = counts
    swapped = np.concatenate([part for _, part in swap_blocks(Stream(5, SWAP, 0), 256, len(numerators))], axis=1)
    for place, (i, j) in enumerate(zip(first, second, strict=True)):
        quotients = []
        for row in swapped.astype(bool)[:256]:
            sides = [np.where(row[:, None], part[:, [j, i]], part[:, [i, j]]) for part in counts]
            quotients.append(exact_t(*sides))
        at = observed[place]
        assert above[place] <= sum(t > at for t in quotients) <= above[place] + undecided[place]
        assert below[place] <= sum(t < at for t in quotients) <= below[place] + undecided[place]


def test_few_draws_are_left_open() -> None:
    *_, undecided, _, _ = settled(f1_counts(11, 2000, 12))
    assert undecided.sum() <= 0.01 * 256 * undecided.size


def test_exact_quotient_is_the_one_in_use() -> None:
    numerators, denominators = f1_counts(12, 40, 2)
    found = studentized_ratio(*numerators.T, *denominators.T).t
    assert found == pytest.approx(exact_t(numerators, denominators), rel=1e-12)
