"""Several datasets: items side by side, weights, items that occur twice, and what is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.align.strata import multipliers_of, tasks_of, weights_of
from nofluke.errors import InputError, MethodError


def table(sizes: dict[str, int], ids: str = "{d}-{i}", **columns: Any) -> pd.DataFrame:
    """Scores of A and B, one third of the items right, on datasets of these sizes."""
    rows = [(name, ids.format(d=name, i=i), i % 3 == 0, i % 4 == 1) for name, n in sizes.items() for i in range(n)]
    frame = pd.DataFrame(rows, columns=["dataset", "item", "A", "B"]).astype({"A": float, "B": float})
    return frame.assign(**columns)


def test_every_dataset_weighs_the_same_by_default() -> None:
    sample = nf.read(table({"x": 6, "y": 3})).pair()
    strata = sample.strata
    assert strata is not None
    assert strata.names == ("x", "y")
    assert strata.weights == (0.5, 0.5)
    # An item of y counts twice as much as one of x.
    assert strata.multipliers == (1, 2)
    assert strata.exact
    assert sample.score(0) == pytest.approx((2 / 6 + 1 / 3) / 2)
    assert strata.effective_n == pytest.approx(1 / (0.25 / 6 + 0.25 / 3))
    assert strata.shares.sum() == pytest.approx(1)


def test_weights_are_equal_by_item_or_stated() -> None:
    scores = nf.read(table({"x": 6, "y": 3}))
    items = scores.pair(weights="items").strata
    assert items is not None
    assert items.pooled
    assert items.weights == (6 / 9, 3 / 9)
    for stated in ({"x": 1, "y": 3}, "x=1,y=3", "y=0.75, x=0.25"):
        given = scores.pair(weights=stated).strata
        assert given is not None
        assert given.weighting == "given"
        assert given.weights == (0.25, 0.75)
    assert scores.pair(weights={"x": 1, "y": 3}).selected["weights"] == "x=1,y=3"


def test_a_dataset_whose_name_has_a_comma_can_be_weighed() -> None:
    assert weights_of("a, b=1,c=3", ("a, b", "c"), [2, 2]) == {"a, b": Fraction(1, 4), "c": Fraction(3, 4)}


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("x=1", "no weight is stated for y"),
        ("x=1,y=0", "the weight '0' of 'y' is not a positive number"),
        ("x=1,y=-2", "the weight '-2' of 'y' is not a positive number"),
        ({"x": 1, "z": 2}, "there is no dataset 'z'"),
        ("euqal", "there is no weighting 'euqal'"),
        ("x=1,z=2", "there is no dataset 'z'"),
        ("x=1,x=3,y=1", "two weights are stated for 'x'"),
    ],
)
def test_weights_that_mean_nothing_are_refused(weights: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        nf.read(table({"x": 6, "y": 3})).pair(weights=weights)


def test_what_concerns_several_datasets_is_refused_where_there_is_one() -> None:
    scores = nf.read(table({"x": 6}))
    for given in ({"weights": "items"}, {"over": "datasets"}):
        with pytest.raises(InputError, match="there is one dataset"):
            scores.pair(**given)


def test_some_datasets_are_named_with_commas() -> None:
    scores = nf.read(table({"x": 6, "y": 3, "z": 4}))
    chosen = scores.pair(dataset="z,x").strata
    assert chosen is not None
    assert set(chosen.names) == {"x", "z"}
    assert scores.pair(dataset="y").strata is None
    with pytest.raises(InputError, match="there is no dataset 'w'"):
        scores.pair(dataset="x,w")


def test_datasets_as_observations() -> None:
    sample = nf.read(table({"x": 6, "y": 3, "z": 4})).pair(over="datasets")
    assert sample.ids == ("x", "y", "z")
    assert sample.strata is None
    assert sample.scores(0).tolist() == pytest.approx([2 / 6, 1 / 3, 2 / 4])
    with pytest.raises(InputError, match="every dataset is one observation"):
        nf.read(table({"x": 6, "y": 3})).pair(over="datasets", weights="items")


def test_folds_are_no_items() -> None:
    rows = [(d, f, 0.5 + 0.01 * f, 0.5) for d in ("x", "y", "z") for f in range(5)]
    scores = nf.read(pd.DataFrame(rows, columns=["dataset", "fold", "A", "B"]), columns={"item": "fold"})
    assert scores.pair().ids == ("x", "y", "z")


def test_items_that_several_datasets_have_are_swapped_together() -> None:
    scores = nf.read(table({"de": 6, "fr": 6}, ids="sentence {i}"))
    sample = scores.pair()
    assert sample.strata is not None
    assert sample.strata.shared == 6
    assert sample.clusters is not None
    assert len(np.unique(sample.clusters)) == 6
    # Numbers of rows say nothing: sentence 1 of one text is not sentence 1 of another ...
    numbered = nf.read(table({"de": 6, "fr": 6}, ids="{i}")).pair()
    assert numbered.clusters is None
    assert "align.numbered_alike" in [note.code for note in numbered.notes]
    # ... unless the user says that equal ids are one item.
    frame = table({"de": 6, "fr": 6}, ids="{i}")
    said = nf.read(frame.assign(same=frame["item"]), columns={"cluster": "same"}).pair()
    assert said.clusters is not None
    assert len(np.unique(said.clusters)) == 6


def test_clusters_of_one_name_are_one_cluster_in_all_datasets() -> None:
    # A wins items 0 to 5 in each of three tasks: six clusters point the same way, whatever the number of rows.
    rows = [(task, f"{task}{i}", i, float(i < 6), 0.0) for task in "xyz" for i in range(10)]
    frame = pd.DataFrame(rows, columns=["task", "item", "group", "A", "B"])
    named = nf.read(frame, columns={"cluster": "group"})
    assert nf.test(named.pair(), "permutation").p_value == pytest.approx(2 / 2**6)
    numbered = frame.assign(item=frame["group"]).drop(columns="group")
    assert nf.test(nf.read(numbered, columns={"cluster": "item"}).pair(), "permutation").p_value == pytest.approx(
        2 / 2**6
    )


def test_corpus_metrics_of_equally_large_datasets_are_averaged_too() -> None:
    rows = [("x", "a", s, t, 10) for s, t in (("A", 9), ("B", 5))] + [
        ("y", "b", s, t, 1) for s, t in (("A", 0), ("B", 1))
    ]
    table = pd.DataFrame(rows, columns=["task", "item", "system", "hits", "all"])
    scores = nf.from_statistics(pd.concat([table, table.assign(item=table["item"] + "2")]), "hits / all")
    sample = scores.pair("A", "B")
    assert sample.score(0) == pytest.approx(0.45)
    assert sample.score(1) == pytest.approx(0.75)
    assert scores.pair("A", "B", weights="items").score(0) == pytest.approx(18 / 22)


def test_clusters_may_span_datasets_and_join_with_shared_items() -> None:
    frame = pd.DataFrame(
        {
            "dataset": ["x", "x", "x", "y", "y", "y"],
            "item": ["a", "b", "c", "a", "d", "e"],
            "document": ["p", "q", "q", "p", "p", "r"],
            "A": [1.0, 0, 1, 1, 0, 1],
            "B": [0.0, 0, 1, 0, 1, 0],
        }
    )
    sample = nf.read(frame).pair()
    assert sample.clusters is not None
    groups = {tuple(np.flatnonzero(sample.clusters == code).tolist()) for code in np.unique(sample.clusters)}
    assert groups == {(0, 3, 4), (1, 2), (5,)}


def test_a_system_without_a_dataset_is_named() -> None:
    frame = table({"x": 4, "y": 4}).melt(["dataset", "item"], var_name="system", value_name="score")
    scores = nf.read(frame[(frame["dataset"] == "x") | (frame["system"] == "A")])
    with pytest.raises(InputError, match=r"'B' has no score on y \(of 2 datasets\)"):
        scores.pair()
    dropped = scores.pair(missing="drop")
    assert dropped.strata is None
    assert dropped.dataset == "x"
    assert "align.datasets_dropped" in [note.code for note in dropped.notes]


def test_different_metrics_are_averaged_only_if_all_are_shares() -> None:
    frame = table({"x": 4, "y": 4})
    frame["metric"] = np.where(frame["dataset"] == "x", "accuracy", "exact_match")
    sample = nf.read(frame).pair()
    assert sample.metric == "accuracy / exact_match"
    assert "align.metrics_averaged" in [note.code for note in sample.notes]
    frame.loc[frame["dataset"] == "y", ["A", "B"]] *= 30
    frame["metric"] = np.where(frame["dataset"] == "x", "accuracy", "bleu")
    with pytest.raises(InputError, match=r"different metrics \(accuracy, bleu\)"):
        nf.read(frame).pair()


def test_units_and_correlations_are_refused_over_datasets() -> None:
    scores = nf.read(table({"x": 6, "y": 3}))
    with pytest.raises(InputError, match="evaluation units"):
        scores.pair(unit=2)
    with pytest.raises(MethodError, match="wilcoxon knows no weighted average of 2 datasets"):
        nf.test(scores, method="wilcoxon")
    assert math.isfinite(nf.test(scores, method="wilcoxon", weights="items").p_value)


def test_multipliers_are_exact_while_they_are_short() -> None:
    shares = [Fraction(1, 3 * n) for n in (6, 10, 15)]
    assert multipliers_of(shares, 31.0) == ((5, 3, 2), True)
    many = [Fraction(1, 12 * n) for n in (997, 991, 983, 977, 971, 967, 953, 947, 941, 937, 929, 919)]
    rounded, exact = multipliers_of(many, 12_000.0)
    assert not exact
    for one, share in zip(rounded, many, strict=True):
        assert one / sum(rounded) == pytest.approx(float(share / sum(many)), rel=1e-12)


def test_each_dataset_is_a_sample_of_its_own() -> None:
    sample = nf.read(table({"x": 6, "y": 3})).pair()
    tasks = tasks_of(sample)
    assert {name: one.n for name, one in tasks.items()} == {"x": 6, "y": 3}
    assert all(one.strata is None for one in tasks.values())
    alone = nf.read(table({"x": 6, "y": 3})).pair(dataset="y")
    assert nf.test(tasks["y"], "permutation").p_value == nf.test(alone, "permutation").p_value
