"""Scores that only all items together have: single items are won by nobody."""

from __future__ import annotations

import numpy as np

import nofluke as nf
from nofluke.types import Sample


def correlated(metric: str) -> Sample:
    rng = np.random.default_rng(7)
    gold = rng.normal(size=40)
    outputs = {
        name: [f"{value:.4f}" for value in gold + rng.normal(size=40) * noise] for name, noise in (("A", 0.3), ("B", 2))
    }
    return nf.score(metric, outputs, [f"{value:.4f}" for value in gold]).pair("A", "B")


def test_no_items_are_won_where_items_have_no_score() -> None:
    for metric in ("kendall", "spearman", "pearson"):
        result = nf.compare(correlated(metric))
        told = " ".join(nf.report(result).split())
        assert "is better on" not in told
        assert "Difference: A - B" in nf.report(result, "markdown")
        assert "Scores (" not in told
        assert result.profile.kind == "shares"
        assert "40 pairs of shares in the score of all items: A has more on" in nf.report(
            nf.describe(correlated(metric))
        )


def test_items_with_a_score_of_their_own_are_counted() -> None:
    result = nf.compare([1, 1, 1, 0, 1, 1, 1, 1], [0, 0, 1, 0, 0, 0, 1, 0])
    assert "A is better on 5 items, worse on 0 and tied on 3." in nf.report(result, "text")
    assert [line.split(maxsplit=2)[2] for line in str(result).splitlines()[2:4]] == [
        "better on 5 items",
        "better on 0 items (3 ties)",
    ]
    assert "Scores (" in nf.report(result)
