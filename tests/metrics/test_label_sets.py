"""labels="both": macro averages over the labels of gold and of a system's outputs are scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import nofluke as nf
from nofluke.errors import MethodError
from nofluke.metrics.classification_f1 import f1, precision, recall
from nofluke.metrics.statistics import ItemStatistics

METRICS: dict[str, Callable[..., ItemStatistics]] = {"precision": precision, "recall": recall, "f1": f1}
ORACLES = {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score}
stable = settings(deadline=None, derandomize=True, max_examples=60)
decisions = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("abcdyz"), st.sampled_from("abcdxz")), min_size=1, max_size=30
)


def score(statistics: ItemStatistics, rows: slice = slice(None)) -> float:
    values = statistics.values[rows]
    return float(statistics.aggregate(values.sum(axis=0), float(len(values))))


@stable
@given(decisions, st.sampled_from(list(METRICS)), st.sampled_from(["macro", "weighted"]))
def test_averages_are_scikit_learns(items: list[tuple[str, str, str]], name: str, average: str) -> None:
    gold, output, _ = map(list, zip(*items, strict=True))
    found = METRICS[name](output, gold, average=average, labels="both")
    wanted = ORACLES[name](gold, output, average=average, zero_division=0)
    assert score(found) == pytest.approx(wanted, rel=1e-13, abs=1e-15)
    # A part of the items, as a resample is one, is averaged over the labels that are there.
    half = slice(0, (len(gold) + 1) // 2)
    wanted = ORACLES[name](gold[half], output[half], average=average, zero_division=0)
    assert score(found, half) == pytest.approx(wanted, rel=1e-13, abs=1e-15)


@stable
@given(decisions, st.sampled_from(list(METRICS)))
def test_systems_with_labels_of_their_own(items: list[tuple[str, str, str]], name: str) -> None:
    gold, first, second = map(list, zip(*items, strict=True))
    sample = nf.score(name, {"A": first, "B": second}, gold, labels="both", cache=False).pair()
    for index, output in enumerate((first, second)):
        wanted = ORACLES[name](gold, output, average="macro", zero_division=0)
        assert sample.score(index) == pytest.approx(wanted, rel=1e-13, abs=1e-15)


def test_empty_classes_can_be_left_out() -> None:
    output, gold = ["a", "z", "a", "b"], ["a", "b", "b", "c"]
    for name, metric in METRICS.items():
        wanted = ORACLES[name](gold, output, average="macro", zero_division=np.nan)
        assert score(metric(output, gold, labels="both", zero="nan")) == pytest.approx(wanted)


def test_the_signature_and_notes_say_which_labels() -> None:
    output, gold = ["a", "z", "a"], ["a", "b", "b"]
    assert f1(output, gold).signature == "f1|average:macro|labels:gold|zero:0"
    both = f1(output, gold, labels="both")
    assert both.signature == "f1|average:macro|labels:both|zero:0"
    assert str(both.notes[-1]) == (
        "The mean runs over 3 labels, 1 of them in the outputs only. Other systems may have other labels; "
        "labels='gold' takes those of gold for all."
    )
    assert f1(output, gold, average="weighted", labels="both").signature == "f1|average:weighted|zero:0"
    with pytest.raises(MethodError, match="positive = 'a' scores one label, and labels = 'both' all of them"):
        f1(output, gold, positive="a", labels="both")
