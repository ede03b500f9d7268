"""Concordant pairs by merging, against looking at every pair."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.engine import concordance
from nofluke.engine.concordance import PairCounter
from nofluke.engine.correlation import kendall_scorer


def by_looking(rows: np.ndarray, counts: np.ndarray) -> tuple[int, int, int]:
    """Ordered pairs untied in x, untied in y, concordant less discordant, of all items written out."""
    x, y = (np.repeat(column, counts.astype(int)) for column in rows.T)
    signs_x, signs_y = (np.sign(column[:, None] - column[None, :]).astype(int) for column in (x, y))
    return int(np.abs(signs_x).sum()), int(np.abs(signs_y).sum()), int((signs_x * signs_y).sum())


def some_rows(n: int, values: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.random((n, 2)) if not values else rng.integers(0, values, (n, 2)) / 7


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 70), st.integers(0, 9), st.integers(0, 10**6), st.sampled_from([1, 2, 4, 256]))
def test_pairs_are_those_of_looking_at_each(n: int, values: int, seed: int, block: int) -> None:
    rows, rng = some_rows(n, values, seed), np.random.default_rng(seed)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=3).astype(np.float64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(concordance, "_BLOCK", block)
        found, shares = np.stack(PairCounter(rows).untied(counts), axis=1), PairCounter(rows).shares()
    assert found.tolist() == [list(by_looking(rows, one)) for one in counts]
    signs = np.sign(rows[:, None, :] - rows[None, :, :]).prod(axis=2)
    assert shares.tolist() == signs.sum(axis=1).tolist()


@pytest.mark.parametrize("n", [255, 256, 257, 513, 1100])
@pytest.mark.parametrize("values", [0, 1, 5, 300])
def test_blocks_of_the_usual_length(n: int, values: int) -> None:
    rows = some_rows(n, values, n)
    counts = np.random.default_rng(n).multinomial(n, np.full(n, 1 / n), size=2).astype(np.float64)
    found = np.stack(PairCounter(rows).untied(counts), axis=1)
    assert found.tolist() == [list(by_looking(rows, one)) for one in counts]
    assert PairCounter(rows).shares().sum() == by_looking(rows, np.ones(n))[2]


def test_corpora_one_by_one_and_together_are_the_same() -> None:
    rows = some_rows(700, 40, 1)
    counts = np.random.default_rng(2).multinomial(700, np.full(700, 1 / 700), size=9).astype(np.float64)
    scorer = kendall_scorer(rows)
    assert scorer(counts).tolist() == [float(scorer(one[None])[0]) for one in counts]


def test_twenty_thousand_items_take_no_time() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=20_000)
    y = np.round(x + rng.normal(size=20_000), 2)
    start = time.process_time()
    tau = nf.correlation(x, y, "kendall").estimate
    # Looking at all 200 million pairs took half a minute; n log n takes a tenth of a second.
    assert time.process_time() - start < 5
    from scipy.stats import kendalltau

    assert tau == pytest.approx(kendalltau(x, y).statistic, rel=1e-12)
