"""Answers about several datasets name the average, count datasets, and say first where no verdict was possible."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.types import Scores
from nofluke.verbs.detectable_effect import detected_in
from nofluke.words.at_a_glance import at_a_glance


def tasks(number: int, items: int = 12, system: str = "new") -> Scores:
    """A lead of one system on every task."""
    rng = np.random.default_rng(number)
    rows = [
        (f"t{j}", f"t{j}-{i}", name, round(float(rng.random()) + 0.5 * (name == system), 3))
        for j in range(number)
        for i in range(items)
        for name in ("new", "old")
    ]
    return nf.read(pd.DataFrame(rows, columns=["task", "item", "system", "score"]))


def said(result: Any) -> str:
    return " ".join(str(result).split())


@pytest.mark.parametrize(("weights", "over"), [("equal", "on the average of"), ("items", "over all items of")])
def test_the_headline_of_a_test_names_what_is_averaged(weights: str, over: str) -> None:
    sample = tasks(3).pair("new", "old", weights=weights)
    assert said(nf.test(sample)).startswith(f"new is better than old {over} 3 tasks: mean difference")
    assert said(nf.test(sample, alternative="less")).startswith(
        f"new is not shown to be worse than old {over} 3 tasks:"
    )
    assert f"{over} 3 tasks is not shown to be above 5:" in said(nf.test(sample, alternative="greater", delta=5.0))


def test_plans_and_curves_name_the_average() -> None:
    sample = tasks(3).pair("new", "old")
    assert "between new and old on the average of 3 tasks in 8 of 10 test sets" in said(detected_in(sample))
    assert "is not worse than old by more than 0.1 on the average of 3 tasks in" in said(
        detected_in(sample, margin=0.1)
    )
    curve = nf.power_curve(sample, difference=0.5, sizes=4, iterations=20)
    assert "reveal a true gap of 0.5 on the average of 3 tasks in 8 of 10 test sets" in said(curve)


@pytest.mark.parametrize(("number", "alternative", "needed"), [(5, "two-sided", 6), (4, "greater", 5)])
def test_where_no_verdict_was_possible_every_answer_begins_so(number: int, alternative: str, needed: int) -> None:
    sample = tasks(number).pair("new", "old", over="datasets")
    first = (
        f"No verdict is possible: {number} datasets are too few to show any difference (at least {needed} are needed;"
    )
    for method in ("permutation", "wilcoxon"):
        assert said(nf.test(sample, method, alternative=alternative)).startswith(first)
        compared = nf.compare(sample, method=method, alternative=alternative)
        assert said(compared).startswith(first)
        assert at_a_glance(compared)[0] == "No verdict is possible"
    # One dataset more, and it is possible.
    enough = tasks(needed).pair("new", "old", over="datasets")
    assert said(nf.test(enough, "permutation", alternative=alternative)).startswith("new is better than old")


def test_a_bayesian_answer_says_what_it_counts() -> None:
    one_score_each = {f"t{i}": ([0.5 + i % 3 / 10], [0.4 + i % 2 / 10]) for i in range(12)}
    assert at_a_glance(nf.bayes(one_score_each, method="signed_rank"))[1].endswith(" · 12 datasets")
    sample = tasks(1, items=30).pair("new", "old")
    assert at_a_glance(nf.bayes(sample))[1].endswith(" · 30 items")


def test_what_datasets_reveal_is_counted_in_datasets() -> None:
    sample = tasks(8).pair("new", "old", over="datasets")
    found = detected_in(sample)
    assert said(found).startswith("8 datasets reveal a true gap of ")
    assert "The standard deviation is that of these datasets" in said(found)
    assert "With fewer than ten datasets everything depends" in said(found)
    curve = nf.power_curve(sample, difference=0.5, sizes=4, iterations=20)
    assert curve.unit == "datasets"


def test_significance_begins_nowhere_where_no_pattern_of_signs_reaches_the_level() -> None:
    found = detected_in(tasks(5).pair("new", "old", over="datasets"))
    assert math.isnan(found.threshold)
    text = said(found)
    assert "With 5 datasets no p-value is below 0.0625." in text
    assert "Significance begins" not in text
    assert "may stay hidden" not in text
    # Of t it does, however few.
    assert math.isfinite(detected_in(tasks(3).pair("new", "old", over="datasets"), alpha=0.5).threshold)


def test_lacking_weights_name_the_datasets_that_have_one() -> None:
    with pytest.raises(InputError, match=r"no weight is stated for t2, t3") as caught:
        tasks(4).pair("new", "old", weights="t0=1,t1=2")
    assert 'dataset="t0,t1"' in caught.value.advice() or "dataset='t0,t1'" in caught.value.advice()


def test_a_ranking_over_runs_counts_them() -> None:
    rng = np.random.default_rng(2)
    rows = [
        (f"q{i}", name, f"s{run}", round(float(rng.random()), 3))
        for i in range(30)
        for name, runs in (("a", 3), ("b", 4))
        for run in range(runs)
    ]
    scores = nf.read(pd.DataFrame(rows, columns=["item", "system", "seed", "score"]))
    assert "30 items and 3 to 4 runs each cannot tell" in said(nf.rank(scores, runs="crossed"))
