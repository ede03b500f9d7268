"""Two systems on several datasets: the average, each dataset beside it, and what is said of them."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.types.load import from_dict
from nofluke.verbs.score import scored


@pytest.fixture(scope="module")
def benchmark() -> pd.DataFrame:
    """Three tasks: clearly better, nothing, a little worse."""
    rng = np.random.default_rng(7)
    rows = []
    for task, n, gain in (("large", 400, 0.3), ("middle", 120, 0.0), ("small", 40, -0.1)):
        base = rng.normal(0.5, 0.2, n)
        tuned = base + gain * rng.random(n) + rng.normal(0, 0.15, n)
        rows += [
            (task, f"{task}{i}", round(x, 3), round(y, 3)) for i, (x, y) in enumerate(zip(base, tuned, strict=True))
        ]
    return pd.DataFrame(rows, columns=["task", "item", "base", "tuned"])


def test_the_p_value_is_that_of_all_swaps() -> None:
    frame = pd.DataFrame(
        {
            "dataset": ["x"] * 3 + ["y"] * 5,
            "item": list("abcdefgh"),
            "A": [0.3, 0.9, 0.6, 0.5, 0.7, 0.8, 0.9, 0.4],
            "B": [0.2, 0.4, 0.7, 0.1, 0.6, 0.8, 0.3, 0.2],
        }
    )
    sizes = frame["dataset"].value_counts()
    units = [
        Fraction(1, 2 * int(sizes[d])) * (Fraction(str(a)) - Fraction(str(b)))
        for d, a, b in zip(frame["dataset"], frame["A"], frame["B"], strict=True)
    ]
    observed = sum(units)
    sums = [sum(s * u for s, u in zip(signs, units, strict=True)) for signs in itertools.product((1, -1), repeat=8)]
    expected = sum(abs(one) >= abs(observed) for one in sums) / len(sums)
    result = nf.compare(nf.read(frame))
    assert result.test.p_value == pytest.approx(expected, rel=1e-12)
    assert result.effects["mean_difference"].value == pytest.approx(float(observed))
    assert result.test.computed.how == "exact"


def test_each_task_stands_beside_the_average(benchmark: pd.DataFrame) -> None:
    scores = nf.read(benchmark)
    result = nf.compare(scores, a="tuned", b="base")
    assert [task.dataset for task in result.tasks] == ["large", "middle", "small"]
    assert result.tasks[0].verdict == "better"
    assert result.average is not None
    assert result.average.noun == "task"
    assert result.average.better == sum(task.verdict == "better" for task in result.tasks)
    replicated = nf.replicate(scores, a="tuned", b="base")
    assert result.average.better == replicated.count
    for task, p in zip(result.tasks, replicated.adjusted["holm"], strict=True):
        if task.verdict == "better":
            assert task.adjusted == pytest.approx(2 * float(p))
    alone = nf.compare(scores, a="tuned", b="base", dataset="large")
    assert result.tasks[0].p_value == pytest.approx(alone.test.p_value)
    assert result.tasks[0].interval is not None
    assert alone.test.interval is not None
    assert result.tasks[0].interval.low == pytest.approx(alone.test.interval.low)
    assert result.tasks[0].scores == pytest.approx(alone.scores)


def test_swapping_the_systems_mirrors_everything(benchmark: pd.DataFrame) -> None:
    scores = nf.read(benchmark)
    one, other = nf.compare(scores, a="tuned", b="base"), nf.compare(scores, a="base", b="tuned")
    assert one.test.p_value == other.test.p_value
    assert one.average is not None
    assert other.average is not None
    assert (one.average.better, one.average.worse) == (other.average.worse, other.average.better)
    for first, second in zip(one.tasks, other.tasks, strict=True):
        assert first.adjusted == pytest.approx(second.adjusted)
        assert first.difference == -second.difference


def test_the_order_of_rows_does_not_matter(benchmark: pd.DataFrame) -> None:
    shuffled = benchmark.sample(frac=1, random_state=3)
    one, other = (nf.compare(nf.read(frame), a="tuned", b="base") for frame in (benchmark, shuffled))
    assert one.test.p_value == other.test.p_value
    assert one.test.interval is not None
    assert other.test.interval is not None
    assert one.test.interval.low == pytest.approx(other.test.interval.low)
    assert {task.dataset: task.adjusted for task in one.tasks} == {task.dataset: task.adjusted for task in other.tasks}


def test_tasks_are_judged_after_the_average_where_asked() -> None:
    rng = np.random.default_rng(2)
    rows = []
    for task, gain in (("up", 0.1), ("down", -0.1)):
        b = rng.normal(0.5, 0.1, 60).round(3)
        rows += [(task, f"{task}{i}", x, y) for i, (x, y) in enumerate(zip((b + gain).round(3), b, strict=True))]
    scores = nf.read(pd.DataFrame(rows, columns=["task", "item", "A", "B"]))
    free, joint = nf.compare(scores), nf.compare(scores, joint=True)
    assert free.verdict == joint.verdict == "inconclusive"
    assert [task.verdict for task in free.tasks] == ["better", "worse"]
    assert [task.verdict for task in joint.tasks] == ["inconclusive", "inconclusive"]
    assert "Single tasks were not judged" in str(joint)
    with pytest.raises(nf.InputError, match="joint"):
        nf.compare(scores, dataset="up", joint=True)


def test_the_other_weighting_is_told_and_never_the_verdict(benchmark: pd.DataFrame) -> None:
    scores = nf.read(benchmark)
    equal, pooled = (nf.compare(scores, a="tuned", b="base", weights=weights) for weights in ("equal", "items"))
    assert equal.average is not None
    assert pooled.average is not None
    assert equal.average.other_weighting == "items"
    assert equal.average.other_p_value == pytest.approx(pooled.test.p_value)
    assert equal.average.other_scores == pytest.approx(pooled.scores)
    together = nf.compare(nf.read(benchmark.drop(columns="task")), a="tuned", b="base")
    assert pooled.test.p_value == pytest.approx(together.test.p_value)


def test_corpus_metrics_are_averaged_over_datasets() -> None:
    rng = np.random.default_rng(4)
    rows = []
    for name, n in (("x", 30), ("y", 60)):
        for i in range(n):
            gold = int(rng.integers(1, 6))
            rows += [
                (name, f"{name}{i}", system, int(rng.binomial(gold, p)), gold, gold)
                for system, p in (("A", 0.85), ("B", 0.5))
            ]
    frame = pd.DataFrame(rows, columns=["dataset", "item", "system", "tp", "guessed", "gold"])
    scores = nf.from_statistics(frame, "2 * tp / (guessed + gold)")
    result = nf.compare(scores)
    by_hand = [
        2 * part["tp"].sum() / (part["guessed"].sum() + part["gold"].sum())
        for _, part in frame[frame["system"] == "A"].groupby("dataset")
    ]
    assert result.scores[0] == pytest.approx(np.mean(by_hand))
    assert result.tasks[0].scores[0] == pytest.approx(by_hand[0])
    assert result.verdict == "better"
    assert result.test.p_value < 0.01


def test_results_survive_json_with_their_words(benchmark: pd.DataFrame) -> None:
    result = nf.compare(nf.read(benchmark), a="tuned", b="base", weights="large=3,middle=2,small=1")
    again = from_dict(result.to_dict())
    assert str(again) == str(result)
    assert nf.report(again, "text") == nf.report(result, "text")
    assert "on the weighted average of 3 tasks" in str(result)
    assert "datasets:3|weights:large=0.5,middle=0.333333,small=0.166667" in result.signature


def test_the_answer_in_words(benchmark: pd.DataFrame) -> None:
    said = str(nf.compare(nf.read(benchmark), a="base", b="tuned"))
    lines = said.splitlines()
    assert " ".join(lines[:3]).startswith("tuned is better than base on the average of 3 tasks: +0.0")
    assert "Better on at least 1 task; worse on at least 1 task." in " ".join(lines)
    head = lines.index("") + 1
    assert lines[head].split() == ["task", "items", "base", "tuned", "tuned-base", "verdict", "p", "(Holm)"]
    assert lines[head + 1].split()[:2] == ["large", "400"]
    assert lines[head + 4].split()[0] == "average"
    assert "Each task counts the same" in said.replace("\n           ", " ")
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 20


def test_long_lists_of_tasks_are_cut_to_eight_rows() -> None:
    rng = np.random.default_rng(5)
    rows = [(f"t{j}", f"t{j}-{i}", x > 0.4, x > 0.5) for j in range(30) for i, x in enumerate(rng.random(20))]
    result = nf.compare(nf.read(pd.DataFrame(rows, columns=["task", "item", "A", "B"]).astype({"A": int, "B": int})))
    said = str(result)
    assert "22 more, all unclear" in said
    assert len(said.splitlines()) <= 22
    assert len(nf.report(result, "csv").splitlines()) == 32


@pytest.mark.parametrize(
    "options",
    [
        {"method": "bootstrap", "form": "percentile"},
        {"method": "one_lost_item", "low": -2, "high": 3},
        {"method": "stratified_t", "delta": 0.01},
        {"method": "stratified_t"},
    ],
    ids=lambda options: "-".join(map(str, options.values())),
)
def test_options_of_the_average_s_test_stay_with_it(benchmark: pd.DataFrame, options: dict[str, Any]) -> None:
    result = nf.compare(nf.read(benchmark), a="tuned", b="base", **options)
    plain = nf.compare(nf.read(benchmark), a="tuned", b="base")
    assert result.test.method == options["method"]
    assert [task.adjusted for task in result.tasks] == pytest.approx([task.adjusted for task in plain.tasks])


def test_equal_differences_have_no_interval_and_say_so() -> None:
    rows = [(task, f"{task}{i}", 0.5 + i / 100, 0.4 + i / 100) for task, n in (("x", 8), ("y", 5)) for i in range(n)]
    result = nf.test(nf.read(pd.DataFrame(rows, columns=["task", "item", "A", "B"])))
    assert result.interval is None
    assert "test.equal_differences_no_interval" in [note.code for note in result.notes]


def test_scores_say_that_they_are_averages(benchmark: pd.DataFrame) -> None:
    scores = nf.read(benchmark)
    equal, pooled = scored(scores), scored(scores, weights="items")
    assert "(average of 3 datasets, 560 items)" in str(equal)
    assert "(560 items of 3 datasets)" in str(pooled)
    assert equal.scores["base"] == pytest.approx(scores.pair("base", "tuned").score(0))
    assert from_dict(pooled.to_dict()) == pooled


def noted(lacking: bool) -> nf.Comparison:
    """Three tasks of unequal size, of which the smallest differs on few items; or of which one lacks a system."""
    rng = np.random.default_rng(20)
    rows = [
        (task, f"{task}{item}", name, int(rng.random() < 0.7))
        for task, size in (("a", 30), ("b", 40), ("c", 12))
        for item in range(size)
        for name in "AB"
        if not lacking or (task, name) != ("c", "B")
    ]
    scores = nf.read(pd.DataFrame(rows, columns=["task", "item", "system", "score"]))
    return nf.compare(scores, a="A", b="B", missing="drop")


@pytest.mark.parametrize("lacking", [False, True])
def test_notes_do_not_displace_the_other_weighting(lacking: bool) -> None:
    result = noted(lacking)
    said = " ".join(str(result).split())
    assert "Note" in said
    assert "Weights Each task counts the same; if each item did: " in said
    assert ("Note c was left out of the average" in said) == lacking
