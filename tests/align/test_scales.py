"""Datasets on different scales have no average; those that only look different keep theirs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.errors import InputError

RNG = np.random.default_rng(20)


def table(
    first: list[float] | np.ndarray, second: list[float] | np.ndarray, *, higher_is_better: bool = True
) -> nf.Scores:
    """Two tasks of items whose scores are drawn from these."""
    rows = [
        (task, f"{task}{item}", float(RNG.choice(values)), float(RNG.choice(values)))
        for task, values in (("x", first), ("y", second))
        for item in range(40)
    ]
    return nf.read(pd.DataFrame(rows, columns=["task", "item", "A", "B"]), higher_is_better=higher_is_better)


SHARES, TEN, PERCENT = [0, 1], list(range(1, 11)), [0, 100]
VERBS: list[Callable[..., object]] = [
    lambda scores, **more: nf.compare(scores, a="A", b="B", **more),
    nf.rank,
    lambda scores, **more: nf.estimate(scores, "A", **more),
    lambda scores, **more: nf.test(scores.pair("A", "B", **more)),
]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("other", [TEN, PERCENT, np.linspace(0, 100, 50)], ids=["ten", "right100", "percent"])
def test_unlike_scales_are_refused_by_every_verb(verb: Callable[..., object], other: list[float]) -> None:
    for scores in (table(SHARES, other), table(other, SHARES), table(np.linspace(0, 1, 30), other)):
        for more in ({}, {"weights": "items"}):
            with pytest.raises(InputError, match="different scales means nothing") as refused:
                verb(scores, **more)
        assert "weights=" in str(refused.value)


def test_the_ways_out_lead_out() -> None:
    scores = table(SHARES, TEN)
    weighed = scores.pair("A", "B", weights={"x": 10, "y": 1})
    assert weighed.strata is not None
    assert weighed.strata.weights == pytest.approx((10 / 11, 1 / 11))
    assert scores.pair("A", "B", weights="x=10,y=1").strata is not None
    assert nf.compare(scores, a="A", b="B", dataset="x").n == 40
    assert len(nf.replicate(scores).datasets) == 2
    # Each dataset one observation: signs and ranks may be tested, and the mean is warned of.
    told = [note for note in scores.pair("A", "B", over="datasets").notes if note.code == "align.unlike_scales"]
    assert "y has scores from 1 to 10" in str(told[0])


@pytest.mark.parametrize(
    ("first", "second", "higher"),
    [
        ([0, 1], [0, 0.5, 1], True),
        ([0, 1], [0, 0.9, 1.2], True),
        ([0, 100], list(range(101)), True),
        ([1], [1, 2, 3, 4, 5], True),
        ([0], [0, 100], True),
        ([0, 1], [0, 0, 0, 1, 1, 1, 1, 1, 2], True),
        ([-0.4, 0.3], [-2.0, 2.5], True),
        ([0.2, 0.9], [1.4, 3.0], False),
        ([0, 1], [0, 1, 4], False),
    ],
    ids=["parts", "bonus", "percent", "all 1", "all 0", "counts", "z", "loss", "errors"],
)
def test_honest_data_keep_their_average(first: list[float], second: list[float], higher: bool) -> None:
    assert table(first, second, higher_is_better=higher).pair("A", "B").strata is not None
    assert table(second, first, higher_is_better=higher).pair("A", "B").strata is not None


def test_few_scores_show_no_scale() -> None:
    rows = [("x", "1", 0, 1), ("x", "2", 1, 0), *(("y", str(at), at % 5, at % 4) for at in range(20))]
    scores = nf.read(pd.DataFrame(rows, columns=["task", "item", "A", "B"]))
    assert scores.pair("A", "B").strata is not None
