"""How often the gate decides wrongly: equal candidates that are blocked, and candidates that lose the margin and pass.

Through the very functions that the gate calls. Candidates that are blocked or pass wrongly are at most 5 of 100; a
count may exceed that by what chance allows (one in a thousand new seeds). docs/decisions/gate.md has the rates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from nofluke.align import as_sample
from nofluke.align.counts import sample_from_counts
from nofluke.inference.comparison.margin import judge_margin
from nofluke.inference.gate.judging import judge, outcome_of, rows_of
from nofluke.inference.multiplicity.corrections import holm
from nofluke.inference.tests.run import run_test
from nofluke.types import Coverage, Runs, Sample, frozen
from support.strata import average_sample

ALPHA, TASKS = 0.05, 20
ALL = Coverage(1, 1)
Draw = Callable[[np.random.Generator], Sample]


def rare_enough(wrong: int, runs: int, size: float = ALPHA) -> bool:
    return wrong <= binom.ppf(0.999, runs, size)


@cache
def p_of_counts(n: int, lost: int, won: int) -> float:
    return run_test(sample_from_counts(n - lost - won, won, lost, 0), "permutation", alternative="less").p_value


@cache
def margin_p_of_counts(n: int, lost: int, won: int, margin: float) -> float:
    return margin_p(sample_from_counts(n - lost - won, won, lost, 0), margin)


def margin_p(sample: Sample, margin: float, score_range: tuple[float | None, float | None] = (None, None)) -> float:
    found = judge_margin(sample, margin, "", alpha=ALPHA, seed=0, score_range=score_range).test
    return 1.0 if found is None else found.p_value


def blocked(p_values: list[float]) -> bool:
    return bool(holm(np.array(p_values)).min() <= ALPHA)


def loss_p(sample: Sample) -> float:
    method = "permutation" if sample.runs is None else "crossed_runs"
    return run_test(sample, method, alternative="less").p_value


def right_or_wrong(rng: np.random.Generator, n: int, share: float, loss: float = 0.0) -> tuple[int, int]:
    """On how many items only the baseline and only the candidate is right."""
    lost, won, _ = rng.multinomial(n, [(share + loss) / 2, (share - loss) / 2, 1 - share])
    return int(lost), int(won)


def in_clusters(rng: np.random.Generator, clusters: int = 12, size: int = 5, loss: float = 0.0) -> Sample:
    """0/1 scores of items that share what makes them hard for one side: documents with several questions."""
    lean = np.repeat(rng.normal(0, 0.15, clusters), size)
    baseline = (rng.random(clusters * size) < np.clip(0.6 + lean, 0, 1)).astype(float)
    candidate = (
        rng.random(clusters * size) < np.clip(0.6 + np.repeat(rng.normal(0, 0.15, clusters), size), 0, 1)
    ).astype(float)
    lost = rng.random(clusters * size) < loss / 0.6
    candidate = np.where(lost, 0.0, candidate)
    codes = frozen(np.repeat(np.arange(clusters), size), np.int64)
    return replace(as_sample(candidate, baseline), clusters=codes, cluster_labels=tuple(map(str, range(clusters))))


def of_three_runs(rng: np.random.Generator, n: int = 60, loss: float = 0.0) -> Sample:
    """Means over three answers to every item."""
    hard = rng.beta(2, 1, n)
    return as_sample(rng.binomial(3, hard * (1 - loss / (2 / 3)), n) / 3, rng.binomial(3, hard, n) / 3)


def of_training_runs(rng: np.random.Generator, n: int = 150, loss: float = 0.0, sd: float = 0.03) -> Sample:
    """Three trainings of each system, scored on all items: training falls well or badly, and items vary."""
    hard = rng.normal(0.6, 0.2, n)
    sides = []
    for shift in (-loss, 0.0):
        own = hard + rng.normal(0, 0.1, n) + shift
        sides.append(np.stack([own + rng.normal(0, sd) + rng.normal(0, 0.1, n) for _ in range(3)], axis=1))
    base = as_sample(sides[0].mean(axis=1), sides[1].mean(axis=1))
    names = tuple(("1", "2", "3") for _ in sides)
    return replace(base, runs=Runs(names, tuple(frozen(side[:, :, None]) for side in sides)))


def graded(rng: np.random.Generator, n: int = 200, loss: float = 0.0) -> Sample:
    """Scores from 0 to 1 of which most tie; some are lost altogether."""
    baseline = rng.beta(4, 2, n).round(3)
    changed = np.where(rng.random(n) < 0.3, rng.beta(4, 2, n).round(3), baseline)
    # The mean of a lost item is 2/3.
    return as_sample(np.where(rng.random(n) < loss * 1.5, 0.0, changed), baseline)


def average(rng: np.random.Generator, sizes: tuple[int, ...], shares: tuple[float, ...], loss: float) -> Sample:
    """0/1 scores on several tasks whose average loses so much."""
    parts = []
    for n, share in zip(sizes, shares, strict=True):
        lost, won = right_or_wrong(rng, n, share, loss)
        parts.append(sample_from_counts(n - lost - won, won, lost, 0))
    a, b = (np.concatenate([part.scores(index) for part in parts]) for index in (0, 1))
    return average_sample(a, b, np.repeat([f"t{at}" for at in range(len(sizes))], sizes).tolist())


def test_a_gate_of_few_tasks_keeps_its_level() -> None:
    """All of it, words of rows and outcome included, on few draws; the rest runs in make calibrate."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(40):
        judged = []
        for task in "abc":
            lost, won = right_or_wrong(rng, 40, 0.2)
            sample = sample_from_counts(40 - lost - won, won, lost, 0)
            judged.append(judge(task, sample, ALL, None, alpha=ALPHA, seed=0, score_range=(None, None)))
        wrong += outcome_of(rows_of(judged, ALPHA, None, (None, None))) == "worse"
    assert rare_enough(wrong, 40)


@pytest.mark.parametrize("n", [45, 120])
def test_a_lost_margin_seldom_passes(n: int) -> None:
    rng = np.random.default_rng(n)
    draws = (right_or_wrong(rng, n, 0.25, 0.1) for _ in range(400))
    assert rare_enough(sum(margin_p_of_counts(n, lost, won, 0.1) <= ALPHA for lost, won in draws), 400, 0.06)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "share"), [((100,) * TASKS, 0.2), ((30,) * TASKS, 0.3), ((20, 50, 100, 400, 1000) * 4, 0.1)]
)
def test_equal_candidates_over_twenty_tasks(sizes: tuple[int, ...], share: float) -> None:
    rng = np.random.default_rng(len(sizes) + int(100 * share))
    runs = 3000
    wrong = sum(blocked([p_of_counts(n, *right_or_wrong(rng, n, share)) for n in sizes]) for _ in range(runs))
    print(f"forbid, 0/1, {sizes[:5]}..., discordance {share}: blocked {wrong / runs:.4f} of {runs}")  # noqa: T201
    assert rare_enough(wrong, runs)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [in_clusters, of_three_runs, of_training_runs, graded], ids=lambda one: one.__name__)
def test_equal_candidates_over_twenty_tasks_of_other_kinds(draw: Draw) -> None:
    rng = np.random.default_rng(17)
    runs = 400
    wrong = sum(blocked([loss_p(draw(rng)) for _ in range(TASKS)]) for _ in range(runs))
    print(f"forbid, {draw.__name__}: blocked {wrong / runs:.4f} of {runs}")  # noqa: T201
    assert rare_enough(wrong, runs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "share", "margin"), [(45, 0.25, 0.1), (100, 0.2, 0.05), (400, 0.1, 0.02), (1000, 0.05, 0.01)]
)
def test_a_lost_margin_on_right_and_wrong_answers(n: int, share: float, margin: float) -> None:
    rng = np.random.default_rng(n)
    runs = 6000
    draws = (right_or_wrong(rng, n, share, margin) for _ in range(runs))
    wrong = sum(margin_p_of_counts(n, lost, won, margin) <= ALPHA for lost, won in draws)
    print(f"require, 0/1 (tango), n {n}, discordance {share}, margin {margin}: passed {wrong / runs:.4f}")  # noqa: T201
    assert rare_enough(wrong, runs, 0.055)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "margin", "score_range"),
    [(graded, 0.05, (0.0, 1.0)), (of_three_runs, 0.08, (0.0, 1.0)), (of_training_runs, 0.05, (None, None))],
    ids=["graded", "of_three_runs", "of_training_runs"],
)
def test_a_lost_margin_on_means(
    draw: Callable[..., Sample], margin: float, score_range: tuple[float | None, float | None]
) -> None:
    rng = np.random.default_rng(23)
    runs = 2000
    wrong = sum(margin_p(draw(rng, loss=margin), margin, score_range) <= ALPHA for _ in range(runs))
    print(f"require, {draw.__name__}: passed {wrong / runs:.4f} of {runs}")  # noqa: T201
    assert rare_enough(wrong, runs, 0.055)


@pytest.mark.slow
def test_a_lost_margin_with_clusters() -> None:
    rng = np.random.default_rng(29)
    runs, margin = 2000, 0.1
    wrong = sum(margin_p(in_clusters(rng, 60, 5, margin), margin, (0.0, 1.0)) <= ALPHA for _ in range(runs))
    print(f"require, clusters (one lost item): passed {wrong / runs:.4f} of {runs}")  # noqa: T201
    assert rare_enough(wrong, runs, 0.06)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "shares"),
    [((50,) * 10, (0.2,) * 10), ((20, 60, 200, 600), (0.3, 0.2, 0.1, 0.05)), ((30,) * 20, (0.15,) * 20)],
)
def test_a_lost_margin_on_the_average(sizes: tuple[int, ...], shares: tuple[float, ...]) -> None:
    rng = np.random.default_rng(sum(sizes))
    runs, margin = 1000, 0.04
    wrong = sum(margin_p(average(rng, sizes, shares, margin), margin) <= ALPHA for _ in range(runs))
    print(f"require, average (mover), {sizes[:4]}...: passed {wrong / runs:.4f} of {runs}")  # noqa: T201
    assert rare_enough(wrong, runs, 0.055)


@pytest.mark.slow
def test_one_lost_margin_among_five_tasks() -> None:
    """Intersection-union: that the other four are fine does not help the one that is not."""
    rng = np.random.default_rng(31)
    runs, n, margin = 3000, 300, 0.05
    wrong = 0
    for _ in range(runs):
        losses = (margin, 0.0, 0.0, 0.0, 0.0)
        counts = [right_or_wrong(rng, n, 0.1, loss) for loss in losses]
        wrong += all(margin_p_of_counts(n, lost, won, margin) <= ALPHA for lost, won in counts)
    print(f"require, five tasks of which one loses the margin: passed {wrong / runs:.4f} of {runs}")  # noqa: T201
    assert rare_enough(wrong, runs)
