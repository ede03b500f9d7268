"""Training runs x items: what the test and the table of noise say, what is refused, and that the level holds."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.inference.tests.crossed_runs import items_in_runs, noise_of
from nofluke.types import Noise
from nofluke.types.load import from_dict
from nofluke.words.comparison_report import noise_table
from support.notes import codes
from support.runs import crossed, made_runs, scores_of, with_runs

RNG = np.random.default_rng(20)


def trained(n: int, runs: int, mean: float, seed_sd: float, rng: np.random.Generator = RNG) -> np.ndarray:
    """Scores of items in runs that differ by their seeds, by items and by single answers."""
    noise = rng.normal(0, seed_sd, runs)[None, :] + rng.normal(0, 0.1, (n, runs))
    return np.round(mean + rng.normal(0, 0.2, n)[:, None] + noise, 4)


TABLES = {"new": trained(80, 4, 0.7, 0.02), "old": trained(80, 3, 0.5, 0.02)}


def test_a_comparison_about_training_takes_the_test_of_runs() -> None:
    found = nf.compare(scores_of(TABLES), a="new", b="old", runs="crossed")
    assert (found.test.method, found.verdict) == ("crossed_runs", "better")
    assert found.test.estimate == pytest.approx(TABLES["new"].mean() - TABLES["old"].mean(), rel=1e-12)
    assert (found.test.details["runs_a"], found.test.details["runs_b"]) == (4, 3)
    assert found.effects.keys() == {"mean_difference"}
    assert "|runs:4,3|" in found.signature
    assert "align.runs" not in codes(found)
    assert from_dict(json.loads(nf.report(found, "json"))).noise == found.noise
    assert "Where the noise comes from" in nf.report(found, "text")


def test_without_it_the_claim_is_about_these_checkpoints() -> None:
    found = nf.compare(scores_of(TABLES), a="new", b="old")
    assert found.test.method == "permutation"
    assert found.noise is None
    assert "noise" not in found.to_dict()
    told = next(str(one) for one in found.notes if one.code == "align.runs")
    assert told.startswith("Each item was run 3 to 4 times; its score is the mean. The claim is about these check")


def test_seeds_are_no_evidence() -> None:
    """A difference that only seeds make is found by a test of the checkpoints, and not by the one about training."""
    level = np.round(RNG.random(400), 3)
    tables = {"a": made_runs(level + 0.02, 3, 0.02), "b": made_runs(level, 3, 0.02)}
    scores = scores_of(tables)
    assert nf.compare(scores, a="a", b="b").test.p_value < 0.001
    assert nf.compare(scores, a="a", b="b", runs="crossed").test.p_value > 0.2


def test_the_p_value_is_the_larger_one() -> None:
    """With runs all alike the items decide, with items all alike the runs."""
    level = np.round(RNG.random(30), 3)
    noisy = np.round(level + RNG.normal(0.05, 0.1, 30), 3)
    alike = crossed({"a": made_runs(noisy, 3, 0.0), "b": made_runs(level, 3, 0.0)})
    assert nf.test(alike, "crossed_runs").p_value == pytest.approx(nf.test(noisy, level, "paired_t").p_value, rel=1e-9)
    runs = crossed({"a": made_runs(level + 0.01, 3, 0.02), "b": made_runs(level, 4, 0.02)})
    averages = [level.mean() + 0.01 + 0.02 * np.arange(-1, 2), level.mean() + 0.02 * (np.arange(4) - 1.5)]
    expected = nf.test(*averages, "student_t").p_value
    assert nf.test(runs, "crossed_runs").p_value >= expected * (1 - 1e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_interval_and_p_value_agree(alternative: str) -> None:
    sample = crossed(TABLES)
    found = nf.test(sample, "crossed_runs", alternative=alternative)
    assert found.interval is not None
    for end in (found.interval.low, found.interval.high):
        if math.isfinite(end):
            again = nf.test(sample, "crossed_runs", alternative=alternative, delta=end)
            assert again.p_value == pytest.approx(0.05, rel=1e-6)


def test_lower_is_better_mirrors_it() -> None:
    up, down = (crossed(TABLES, higher_is_better=way) for way in (True, False))
    first, second = nf.test(up, "crossed_runs"), nf.test(down, "crossed_runs")
    assert first.estimate == -second.estimate
    assert first.p_value == pytest.approx(second.p_value, rel=1e-12)


def test_two_runs_are_indicative_and_no_gate(tmp_path: Path) -> None:
    from nofluke.inference.tests.claims import judge_claim

    found = nf.compare(scores_of({"new": TABLES["new"][:, :2], "old": TABLES["old"]}), a="new", b="old", runs="crossed")
    assert "There are 2 runs of new: this is indicative only." in str(found)
    with pytest.raises(MethodError, match="too few for a claim about training"):
        judge_claim(found, "better")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"new": TABLES["new"][:, :1]}, "there is one run of new: the claim is then about this checkpoint"),
        ({"old": np.where(np.arange(80)[:, None] == 7, [[0.5, 0.5, math.nan]], TABLES["old"])}, "1 item was not sc"),
    ],
)
def test_runs_that_say_nothing_about_training_are_refused(change: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        scores_of({**TABLES, **change}).pair(runs="crossed")
    assert "runs='nested'" in caught.value.advice()


def test_items_that_a_run_lacks_can_be_left_out() -> None:
    gaps = {**TABLES, "old": np.where(np.arange(80)[:, None] == 7, [[0.5, 0.5, math.nan]], TABLES["old"])}
    kept = scores_of(gaps).pair(runs="crossed", missing="drop")
    assert kept.n == 79
    assert kept.runs is not None
    assert [table.shape[:2] for table in kept.runs.statistics] == [(79, 4), (79, 3)]
    told = str(nf.compare(kept))
    assert "1 item was left out" in " ".join(told.split())
    # Where runs are averaged, the other runs of the item stand for it.
    assert scores_of(gaps).pair().n == 80
    assert scores_of(gaps).pair().scores(1)[7] == 0.5


@pytest.mark.parametrize("method", ["permutation", "paired_t", "bootstrap"])
def test_tests_of_checkpoints_are_refused(method: str) -> None:
    with pytest.raises(MethodError, match="takes these checkpoints as given"):
        nf.test(crossed(TABLES), method)


def test_what_knows_no_runs_says_so() -> None:
    sample = crossed(TABLES)
    for ask in (lambda: nf.bayes(sample), lambda: nf.power_curve(sample, "permutation", difference=0.1)):
        with pytest.raises(MethodError, match="takes these checkpoints as given"):
            ask()
    with pytest.raises(MethodError, match="needs the scores of every training run"):
        nf.test([1, 0, 1], [0, 0, 1], "crossed_runs")
    with pytest.raises(InputError, match="no runs are known"):
        nf.read(io.StringIO("item,A,B\n1,2,3\n2,3,4\n")).pair(runs="crossed")
    with pytest.raises(InputError, match="one run is looked at"):
        scores_of(TABLES).pair(runs="crossed", run="s1")


def test_the_subtracted_form_takes_ten_runs() -> None:
    with pytest.raises(MethodError, match="rejects too often below 10 runs"):
        nf.test(crossed(TABLES), "crossed_runs", form="subtracted")


def test_noise_is_split_as_it_was_made() -> None:
    rng = np.random.default_rng(5)
    wide = {"a": trained(3_000, 40, 0.5, 0.03, rng), "b": trained(3_000, 40, 0.5, 0.01, rng)}
    sample = crossed(wide)
    noise = noise_of(sample)
    assert noise is not None
    assert math.sqrt(noise.runs[0]) == pytest.approx(0.03, rel=0.3)
    assert math.sqrt(noise.runs[1]) == pytest.approx(0.01, rel=0.3)
    assert noise.items == pytest.approx(2 * (0.2**2 + 0.1**2 / 40) / 3_000, rel=0.1)
    assert items_in_runs(sample, 0) == pytest.approx(0.1**2 / 3_000, rel=0.1)
    of_runs = sum(noise.runs) / 40
    assert noise.standard_error == pytest.approx(math.sqrt(noise.items + of_runs), rel=1e-12)
    assert noise.twice_items == pytest.approx(math.sqrt(noise.items / 2 + of_runs), rel=1e-12)
    # Twice as many runs average away half of the single answers' noise too.
    answers = (items_in_runs(sample, 0) + items_in_runs(sample, 1)) / 80
    assert noise.twice_runs == pytest.approx(math.sqrt(noise.items - answers + of_runs / 2), rel=1e-12)


def test_datasets_are_compared_with_their_runs() -> None:
    datasets = ["x"] * 30 + ["y"] * 50
    found = nf.compare(scores_of(TABLES, datasets=datasets), a="new", b="old", runs="crossed")
    assert [task.method for task in found.tasks] == ["crossed_runs", "crossed_runs"]
    single = nf.test(crossed({name: table[:30] for name, table in TABLES.items()}), "crossed_runs")
    assert found.tasks[0].p_value == pytest.approx(single.p_value, rel=1e-9)
    assert found.scores[0] == pytest.approx((TABLES["new"][:30].mean() + TABLES["new"][30:].mean()) / 2, rel=1e-12)


def test_corpus_metrics_have_runs_too() -> None:
    rng = np.random.default_rng(8)
    rows = {}
    for name, rate in (("new", 0.7), ("old", 0.5)):
        tp = rng.binomial(5, rate, 300)
        rows[name] = {
            "item": [f"q{i}" for i in range(100)] * 3,
            "run": [f"s{r}" for r in range(3) for _ in range(100)],
            "tp": tp.tolist(),
            "pred": [5] * 300,
            "gold": [5] * 300,
        }
    found = nf.compare(nf.from_statistics(rows, "2*tp/(pred+gold)").pair(runs="crossed"))
    assert (found.test.method, found.verdict) == ("crossed_runs", "better")
    assert found.scores[0] - found.scores[1] == pytest.approx(found.test.estimate, rel=1e-12)
    # Constant denominators make the ratio a mean: the same items as scores give the same test.
    means = {name: np.array(table["tp"]).reshape(3, 100).T / 5 for name, table in rows.items()}
    assert found.test.p_value == pytest.approx(nf.test(crossed(means), "crossed_runs").p_value, rel=1e-6)


def test_a_margin_is_judged_over_runs() -> None:
    found = nf.compare(crossed({"a": TABLES["new"], "b": TABLES["new"][:, ::-1] + 0.001}), margin=0.2)
    assert found.margin_test is not None
    assert found.margin_test.method == "crossed_runs"
    assert found.margin_verdict == "equivalent"


def test_equal_systems_are_seldom_told_apart() -> None:
    """The size at .05 with 3 runs, 200 items and seeds of 2 points; tests/calibration has the whole table."""
    rng = np.random.default_rng(1)
    false = sum(
        nf.test(with_runs(*(trained(200, 3, 0.5, 0.02, rng) for _ in "ab")), "crossed_runs").p_value <= 0.05
        for _ in range(400)
    )
    assert false <= 31  # .05 of 400 and two standard errors and a half


def test_a_dataset_that_lacks_a_run_is_told_as_such() -> None:
    """Every system has scores of it, but one run of a system does not."""
    rng = np.random.default_rng(8)
    rows = [
        (task, f"{task}{item}", name, seed, float(rng.random() < 0.6))
        for task in ("x", "y")
        for item in range(30)
        for name in "AB"
        for seed in range(3)
        if (task, name, seed) != ("y", "B", 2)
    ]
    scores = nf.read(pd.DataFrame(rows, columns=["task", "item", "system", "seed", "score"]))
    told = next(
        one for one in scores.pair(runs="crossed", missing="drop").notes if one.code == "align.datasets_dropped"
    )
    assert str(told) == "y was left out of the average: none of its items has a score for every run of every system."


@pytest.mark.parametrize(("sd", "run_sd"), [(0.3, 0.01), (0.0, 0.01), (0.3, 0.0), (0.0, 0.0)])
def test_what_a_plan_is_told_to_take_it_takes(sd: float, run_sd: float) -> None:
    """Zeros are normal where one kind of noise hides another; a plan takes those of items alone."""
    noise = Noise(1e-4, (1e-4, 1e-4), (3, 3), 0.02, 0.015, 0.014, sd=sd, run_sd=run_sd, answer_sd=0.0)
    said = noise_table(noise, ("A", "B"), "60").caption
    assert (f"takes sd = {sd:.2g}, run_sd = 0.01." in said) == (run_sd > 0)
    assert ("nothing is left of run_sd" in said) == (not run_sd)
