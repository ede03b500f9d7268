"""The short answers of nf.bayes, for every model and situation, as they are printed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.types import Estimate, Posterior, Sample, Value
from nofluke.words import answer, short
from nofluke.words.layout import as_lines
from nofluke.words.posterior import headline, notes, sentences
from support.once import made_once
from support.snapshots import check_snapshot
from support.words import again, every_word

A, B = [0.31, 0.5, 0.75, 0.2, 0.9, 0.6, 0.44, 0.8, 0.3], [0.25, 0.5, 0.5, 0.3, 0.4, 0.3, 0.41, 0.7, 0.1]
RIGHT_A, RIGHT_B = [1, 1, 1, 0, 1, 1, 1, 1], [0, 0, 1, 0, 0, 0, 1, 1]
DATASETS = {
    f"set{number}": ([value + number / 20 for value in A * 3], [value + number % 3 / 20 for value in B * 3])
    for number in range(10)
}


def pair(a: list[float] | list[int], b: list[float] | list[int]) -> Sample:
    return as_sample(a, b, names=("new", "old"))


def skewed() -> Sample:
    return pair([5.0, 0.0, 0.1, 0.0, 0.2, 0.1, 0.0, 0.1], [0.0, 0.1, 0.0, 0.05, 0.1, 0.0, 0.1, 0.05])


def clustered() -> Sample:
    return as_sample(A * 2, B * 2, names=("new", "old"), clusters=[number // 3 for number in range(18)])


RESULTS: dict[str, Callable[[], Value]] = {
    "accuracy": lambda: nf.bayes(pair(RIGHT_A, RIGHT_B), rope=0.05),
    "accuracy_no_region": lambda: nf.bayes(pair(RIGHT_A, RIGHT_B)),
    "accuracy_tied": lambda: nf.bayes(pair(RIGHT_A, RIGHT_A), rope=0.1),
    "mean": lambda: nf.bayes(pair(A, B), rope=(-0.02, 0.05)),
    "mean_skewed": lambda: nf.bayes(skewed()),
    "mean_clusters": lambda: nf.bayes(clustered(), rope=0.05),
    "mean_tied": lambda: nf.bayes(pair(A, A)),
    "mean_silent": lambda: nf.bayes(pair(A, A), rope=0.1),
    "mean_constant": lambda: nf.bayes(pair([0.5, 0.6], [0.4, 0.5])),
    "splits": lambda: nf.bayes(pair(A, B), "correlated_t", rho=0.1),
    "wins": lambda: nf.bayes(pair(A, B), "beta_binomial"),
    "wins_region": lambda: nf.bayes(pair(A, B), "beta_binomial", rope=0.05),
    "unpaired": lambda: nf.bayes([1] * 7 + [0] * 3, [1] * 5 + [0] * 6, "beta_binomial", form="unpaired"),
    "datasets": lambda: nf.bayes(DATASETS, rope=0.05),
    "next_dataset": lambda: nf.bayes(dict(list(DATASETS.items())[:3]), target="next"),
    "sign": lambda: nf.bayes(pair(A, B), "sign", rope=0.05),
    "signed_rank": lambda: nf.bayes({name: ([a[0]], [b[1]]) for name, (a, b) in DATASETS.items()}, draws=1000, seed=3),
    "factor": lambda: nf.bayes(pair(A, B), "bayes_factor"),
    "factor_for_none": lambda: nf.bayes(pair([0.1, 0.5, 0.3, 0.6], [0.2, 0.3, 0.1, 0.2]), "bayes_factor", r=1.0),
    "factor_greater": lambda: nf.bayes(pair(A, B), "bayes_factor", alternative="greater", log=True),
    "factor_less": lambda: nf.bayes(pair(A, B), "bayes_factor", alternative="less"),
    "factor_undefined": lambda: nf.bayes(pair(A, A), "bayes_factor"),
}
RESULTS = made_once(RESULTS)
POSTERIORS = [name for name in RESULTS if not name.startswith("factor")]


@pytest.mark.parametrize("name", RESULTS)
def test_the_answer_reads_as_reviewed(name: str) -> None:
    check_snapshot(f"words/bayes_{name}", short(RESULTS[name]()) + "\n")


@pytest.mark.parametrize("name", RESULTS)
def test_words_are_a_function_of_the_value(name: str) -> None:
    result = RESULTS[name]()
    assert every_word(again(result)) == every_word(result)


@pytest.mark.parametrize("name", RESULTS)
def test_an_answer_is_short_and_names_the_systems(name: str) -> None:
    result = RESULTS[name]()
    made = answer(result)
    assert made is not None
    rows = 0 if made.table is None else len(made.table.rows)
    lines = as_lines(made)
    assert max(map(len, lines)) <= 80
    # Several datasets have two answers, the mean and the next one, and a prior of two parts.
    assert len(lines) - max(0, rows - 1) <= (17 if getattr(result, "datasets", ()) else 15)
    if not isinstance(result, Estimate) and result.systems == ("new", "old"):  # type: ignore[attr-defined]
        said = " ".join(lines) + nf.report(result, "text")
        assert not re.search(r"\b[AB]\b(?! Bayesian)", said)


@pytest.mark.parametrize("name", POSTERIORS)
def test_prior_and_region_are_named(name: str) -> None:
    result = RESULTS[name]()
    assert isinstance(result, Posterior)
    labels = [label for label, _ in answer(result).points]  # type: ignore[union-attr]
    assert "Prior" in labels
    assert ("Region" in labels) == result.known
    if result.known and result.rope is None:
        assert "equivalent" not in headline(result)


def test_a_region_without_width_says_nothing_of_equivalence() -> None:
    found = nf.bayes(pair(A, B), rope=0)
    assert isinstance(found, Posterior)
    assert found.p_equal == 0
    assert "equivalent" not in headline(found)


def test_what_is_said_once_is_no_note_as_well() -> None:
    found = RESULTS["datasets"]()
    assert isinstance(found, Posterior)
    assert {one.code for one in found.notes} >= {"bayes.other_target", "bayes.between_datasets"}
    for sentence in sentences(found):
        assert sentence not in notes(found)
    other = next(one for one in found.notes if one.code == "bayes.other_target")
    assert other["p_better"] != pytest.approx(found.p_better)
    assert math.isclose(other["p_better"] + other["p_equal"] + other["p_worse"], 1)


def test_more_than_eight_datasets_are_told_to_be_left_out() -> None:
    made = answer(RESULTS["datasets"]())
    assert made is not None
    assert made.table is not None
    assert len(made.table.rows) == 8
    assert made.table.caption == "2 more, less sure: nf.report(result)"
