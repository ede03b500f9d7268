"""Items that are folds of a cross-validation: every command warns, and names the test that is for them."""

from __future__ import annotations

import pandas as pd
import pytest

import nofluke as nf
from nofluke.words import short

GAINS = [0.03, 0.02, 0.04, 0.01, 0.05, 0.02, 0.03, -0.01, 0.02, 0.04]


def table(column: str = "fold", *, runs: int = 1) -> nf.Scores:
    rows = [(fold, run, 0.7 + gain + run / 100, 0.7) for fold, gain in enumerate(GAINS, start=1) for run in range(runs)]
    frame = pd.DataFrame(rows, columns=[column, "run", "A", "B"])
    return nf.read(frame if runs > 1 else frame.drop(columns="run"), columns={"item": column})


@pytest.mark.parametrize("column", ["fold", "Fold", "fold_id", "Fold ID"])
def test_compare_and_rank_warn_of_folds(column: str) -> None:
    scores = table(column)
    for said in (short(nf.compare(scores, a="A", b="B")), short(nf.rank(scores))):
        assert "folds, which share training data" in said
        assert "corrected_resampled_t" in said
        assert "0.1" in said


def test_the_test_for_folds_is_not_called_inappropriate() -> None:
    choices = nf.recommend(table().pair("A", "B"))
    row = next(row for row in choices.rows if row.method == "corrected_resampled_t")
    assert row.verdict == "allowed"
    assert "the test for folds" in str(row.reason)
    items = nf.recommend(table("segment").pair("A", "B"))
    assert next(row for row in items.rows if row.method == "corrected_resampled_t").verdict == "inappropriate"


def test_who_took_that_test_is_not_warned() -> None:
    scores = table()
    asked = {"method": "corrected_resampled_t", "rho": 0.1}
    assert "folds" not in str(nf.compare(scores, a="A", b="B", **asked).notes)
    assert "folds" not in str(nf.rank(scores, **asked).notes)


def test_folds_averaged_over_repetitions_are_no_splits() -> None:
    """The note names both columns, and stays when the means over repetitions are taken as splits."""
    found = nf.compare(table(runs=2), a="A", b="B", method="corrected_resampled_t", rho=0.1)
    told = next(one for one in found.notes if one.code == "align.folds")
    assert told["columns"] == ("fold", "run")


def test_items_are_not_folds() -> None:
    assert "folds" not in short(nf.compare(table("segment"), a="A", b="B"))
    assert "folds" not in short(nf.compare([0.7 + gain for gain in GAINS], [0.7] * 10))


@pytest.mark.parametrize("folds", [(10, 10), (5, 10, 20)])
def test_the_test_share_is_that_of_a_dataset(folds: tuple[int, ...]) -> None:
    """Folds are counted within a dataset; of unequal numbers the fewest, whose test share is the most cautious."""
    rows = [
        (f"d{at}", fold, 0.7 + GAINS[fold % 10], 0.7)
        for at, number in enumerate(folds)
        for fold in range(1, number + 1)
    ]
    scores = nf.read(pd.DataFrame(rows, columns=["dataset", "fold", "A", "B"]), columns={"item": "fold"})
    for sample in (scores.pair("A", "B", over="items"), scores.pair("A", "B", dataset="d0")):
        told = next(one for one in sample.notes if one.code == "align.folds")
        assert told["folds"] == min(folds)
