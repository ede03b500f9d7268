"""Word similarity: how well GloVe and WordNet follow human scores on 13 sets, and which follows them better."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import scipy.stats

import nofluke as nf

NAME = "wordsim_glove_wordnet"


@pytest.fixture
def columns(data: Callable[[str], Path]) -> dict[str, dict[str, list[str]]]:
    with gzip.open(data(NAME) / "pairs.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        table = found.setdefault(row["dataset"], {"human": [], "glove100d_cosine": [], "wordnet_path": []})
        for name in table:
            table[name].append(row[name])
    return found


def sample_of(metric: str, table: dict[str, list[str]]) -> nf.Sample:
    outputs = {"glove": table["glove100d_cosine"], "wordnet": table["wordnet_path"]}
    return nf.score(metric, outputs, table["human"]).pair(missing="drop")


def test_every_set(columns: dict[str, dict[str, list[str]]], expected: Callable[[str], dict[str, Any]]) -> None:
    facts = expected(NAME)["per_dataset"]
    assert len(facts) == 13
    for name, wanted in facts.items():
        table = columns[name]
        sample = sample_of("spearman", table)
        assert (len(table["human"]), sample.n) == (wanted["pairs"], wanted["pairs_with_both"])
        glove, wordnet = sample.score(0), sample.score(1)
        rows = sample.statistics
        between = nf.correlation(rows[:, 0, 0], rows[:, 1, 0], "spearman").estimate
        assert [glove, wordnet, between] == pytest.approx(
            [wanted[f"spearman_{pair}"] for pair in ("human_glove", "human_wordnet", "glove_wordnet")], rel=1e-9
        )
        # Recorded from cosines before they were rounded to six decimals; the ones in the file give SciPy's figure.
        linear = sample_of("pearson", table).score(0)
        assert linear == pytest.approx(wanted["pearson_human_glove"], abs=1e-6)
        assert linear == pytest.approx(scipy.stats.pearsonr(rows[:, 0, 0], rows[:, 0, 1])[0], rel=1e-9)
        for method, key in (("williams", "williams_T2_two_sided (t, p; df=n-3)"), ("meng", "meng_z_two_sided")):
            test = nf.correlation_test(glove, wordnet, between, sample.n, method)
            # Recorded from doubles rounded on the way: far tails keep fewer of their digits.
            assert test.statistic == pytest.approx(wanted[key][0], rel=1e-9)
            assert test.p_value == pytest.approx(wanted[key][1], rel=1e-8)


@pytest.mark.parametrize("name", ["RG-65", "MTurk-287"])
def test_resampling_agrees_with_williams(columns: dict[str, dict[str, list[str]]], name: str) -> None:
    sample = sample_of("spearman", columns[name])
    assert nf.recommend(sample).preferred == "permutation"
    result = nf.compare(sample)
    assert result.test.computed.how == "monte-carlo"
    assert result.verdict == {"RG-65": "inconclusive", "MTurk-287": "better"}[name]
    assert result.test.interval is not None
    assert (0 in result.test.interval) == (result.verdict == "inconclusive")


def test_missing_words_are_refused_until_they_are_dropped(columns: dict[str, dict[str, list[str]]]) -> None:
    table = columns["MTurk-287"]
    scores = nf.score("kendall", {"glove": table["glove100d_cosine"], "wordnet": table["wordnet_path"]}, table["human"])
    with pytest.raises(nf.InputError, match="have no score for 'wordnet'"):
        scores.pair()
    assert scores.pair(missing="drop").alignment.dropped == 40
