"""Several metrics of two systems are one family."""

from __future__ import annotations

import pandas as pd
import pytest

import nofluke as nf
from nofluke.types import MetricsComparison
from nofluke.types.load import from_dict


@pytest.fixture(scope="module")
def scores() -> nf.Scores:
    rows = [
        (f"s{i}", 1.0, 0.2 + (i % 5) / 50, (i % 7) / 10, 0.0 if i % 3 else 1.0, 0.3, (i % 7) / 10) for i in range(40)
    ]
    names = ["item", "A_acc", "A_ter", "A_f1", "B_acc", "B_ter", "B_f1"]
    return nf.read(pd.DataFrame(rows, columns=names), columns={"score": ",".join(names[1:])})


def test_metrics_are_corrected_for_their_number(scores: nf.Scores) -> None:
    result = nf.compare(scores, metric="acc,ter,f1")
    assert isinstance(result, MetricsComparison)
    alone = {name: nf.compare(scores, metric=name) for name in ("acc", "ter", "f1")}
    raw = [alone[name].test.p_value for name in alone]
    assert list(result.adjusted.values()) == pytest.approx(nf.correct(raw, "holm").tolist())
    assert result.verdicts == {"acc": "better", "ter": "better", "f1": "inconclusive"}
    assert str(result).startswith("A is better than B by acc and ter; 1 is unclear.")


def test_samples_by_metric_are_a_family_too(scores: nf.Scores) -> None:
    samples = {name: scores.pair(metric=name) for name in ("acc", "f1")}
    assert nf.compare(samples).adjusted == nf.compare(scores, metric="acc,f1").adjusted


def test_words_survive_json_and_the_call_repeats_it(scores: nf.Scores) -> None:
    result = nf.compare(scores, metric="acc,f1", alpha=0.01)
    assert str(from_dict(result.to_dict())) == str(result)
    assert result.call is not None
    assert result.call.options["metric"] == ("acc", "f1")
    assert len(nf.report(result, "csv").splitlines()) == 3


def test_one_metric_stays_one_comparison(scores: nf.Scores) -> None:
    assert nf.compare(scores, metric="acc").metric == "acc"


def test_what_several_metrics_would_not_heed_is_refused(scores: nf.Scores) -> None:
    samples = {name: scores.pair(metric=name) for name in ("acc", "f1")}
    with pytest.raises(nf.InputError, match="the systems of a table are named"):
        nf.compare(scores, "B", "A", metric="acc,f1")
    with pytest.raises(nf.InputError, match="a margin is a loss in the units of one metric"):
        nf.compare(scores, metric="acc,f1", margin=0.1)
    with pytest.raises(nf.InputError, match="the samples are chosen already"):
        nf.compare(samples, weights="items")
    with pytest.raises(nf.InputError, match="the metrics compare different systems"):
        nf.compare({"acc": samples["acc"], "f1": scores.pair("B", "A", metric="f1")})
