"""Evaluation units of m adjacent items."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.align import as_sample, differences, group_into_units
from nofluke.errors import InputError
from nofluke.types import Grid


def test_units_average_adjacent_items_and_report_the_rest() -> None:
    sample = group_into_units(as_sample([0.1, 0.3, 0.5, 0.7, 0.9], [0, 0, 0, 0, 0]), 2)
    assert sample.scores(0).tolist() == [0.2, 0.6]
    assert sample.alignment.leftover == 1
    assert "1 item at the end did not fill a unit" in str(sample.alignment)
    assert sample.grid == Grid(1, 2, exact=True)


def test_means_over_units_keep_exact_ties() -> None:
    # 0.1 + 0.2 + 0.4 and 0.3 + 0.3 + 0.1 are both 0.7, but not in binary.
    a, b = [0.1, 0.2, 0.4], [0.3, 0.3, 0.1]
    sample = group_into_units(as_sample(a, b), 3)
    assert differences(sample).signs.tolist() == [0]


@pytest.mark.parametrize(("size", "expected"), [(3, [0.2]), (4, [0.25])])
def test_median_of_odd_and_even_units(size: int, expected: list[float]) -> None:
    sample = group_into_units(as_sample([0.1, 0.9, 0.2, 0.3], [0, 0, 0, 0]), size, "median")
    assert sample.scores(0).tolist() == expected


@settings(deadline=None, derandomize=True)
@given(st.lists(st.integers(0, 100), min_size=4, max_size=40), st.integers(1, 4), st.sampled_from(["mean", "median"]))
def test_units_agree_with_numpy(values: list[int], size: int, statistic: str) -> None:
    scores = np.array(values) / 100
    statistic = statistic if size > 1 else "mean"
    sample = group_into_units(as_sample(scores, scores * 0), size, statistic)  # type: ignore[arg-type]
    whole = len(values) // size
    blocks = scores[: whole * size].reshape(whole, size)
    expected = blocks.mean(axis=1) if statistic == "mean" else np.median(blocks, axis=1)
    np.testing.assert_allclose(sample.scores(0), expected, rtol=1e-14, atol=1e-15)


def test_a_seeded_shuffle_is_the_same_every_time_and_keeps_pairs() -> None:
    a = np.arange(20.0)
    first = group_into_units(as_sample(a, a + 1), 2, shuffle_seed=7)
    again = group_into_units(as_sample(a, a + 1), 2, shuffle_seed=7)
    other = group_into_units(as_sample(a, a + 1), 2, shuffle_seed=8)
    assert first.scores(0).tolist() == again.scores(0).tolist() != other.scores(0).tolist()
    assert first.scores(0).sum() * 2 == a.sum()
    assert (first.scores(1) - first.scores(0) == 1).all()
    # The order is part of the promise "same seed, same bytes", also over versions of NumPy.
    assert first.scores(0)[:3].tolist() == [(4 + 15) / 2, (13 + 18) / 2, (1 + 6) / 2]


@pytest.mark.parametrize(
    ("size", "statistic", "message"),
    [
        (0, "mean", "unit = 0 is not a whole number of at least 1."),
        (2.5, "mean", "unit = 2.5 is not a whole number of at least 1."),
        (9, "mean", "a unit of 9 items cannot be made of 4 items."),
        (2, "mode", "there is no unit statistic 'mode'."),
    ],
)
def test_impossible_units_are_refused(size: int, statistic: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        group_into_units(as_sample([1, 2, 3, 4], [1, 2, 3, 4]), size, statistic)  # type: ignore[arg-type]
    assert caught.value.message == message


def test_units_and_clusters_exclude_each_other() -> None:
    sample = as_sample([1, 2, 3, 4], [1, 2, 3, 4], clusters=["x", "x", "y", "y"])
    with pytest.raises(InputError, match="units and clusters"):
        group_into_units(sample, 2)
