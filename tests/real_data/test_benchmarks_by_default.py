"""What rank takes several datasets for, when nobody says: items of an average, or observations where there are none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nofluke as nf

Folder = Callable[[str], Path]


def test_two_models_on_nine_test_sets_are_compared_on_the_average(data: Folder) -> None:
    path = data("multi_marc_xnli_two_systems") / "predictions.csv.gz"
    ranking = nf.rank(nf.score("accuracy", path, columns={"dataset": ["dataset", "language"]}))
    assert (ranking.n, len(ranking.datasets), ranking.weighting) == (39_030, 9, "equal")
    assert ranking.systems == ("mlpp", "mt5base")
    assert ranking.separated == 1


def test_folds_and_single_scores_leave_datasets_as_observations(data: Folder) -> None:
    folder = data("multi_uci_54x5")
    folds, means = (nf.rank(nf.read(folder / name)) for name in ("accuracies.csv.gz", "mean_accuracy.csv"))
    assert folds.over_datasets
    assert means.over_datasets
    assert (folds.n, means.n, folds.separated, means.separated) == (54, 54, 2, 2)
    assert nf.rank(nf.read(folder / "mean_accuracy.csv"), method="wilcoxon").separated == 3


def test_treebanks_are_items(data: Folder) -> None:
    ranking = nf.rank(nf.read(data("multi_conll17_treebanks") / "las.csv"))
    assert (ranking.n, ranking.pairs, ranking.separated) == (81, 528, 400)
