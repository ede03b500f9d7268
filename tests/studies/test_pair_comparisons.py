"""All pairs at once give what single tests give: means, clusters, corpus metrics, ties and identical systems."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import select
from nofluke.errors import MethodError
from nofluke.inference.ranking.panel import pair_of
from nofluke.inference.ranking.systems import Selection
from nofluke.studies.pairs.comparisons import compare_all, methods
from nofluke.studies.pairs.looking import sample_of
from nofluke.words import studies as words
from support.systems import teams


@pytest.fixture(scope="module")
def made() -> dict[str, np.ndarray]:
    return teams()


@pytest.mark.parametrize("method", [name for name in methods() if name not in ("bootstrap", "mcnemar")])
def test_other_tests_give_their_one_sided_p(made: dict[str, np.ndarray], method: str) -> None:
    points = nf.studies.gains(made, method=method).series["comparisons"]
    for place in (3, 60):
        better, worse = made[points.labels["better"][place]], made[points.labels["worse"][place]]
        single = nf.test(better, worse, method, alternative="greater")
        assert points.columns["p_value"][place] == pytest.approx(single.p_value, rel=1e-3)


def test_identical_systems_are_left_out_and_counted(made: dict[str, np.ndarray]) -> None:
    twins = {**made, "twin": made["oak-0"]}
    study = nf.studies.gains(twins)
    assert len(study.series["comparisons"].columns["gain"]) == 21 * 20 // 2 - 1
    assert any("same scores on every item" in note for note in words.notes(study))


def test_a_lead_beyond_all_resamples_takes_the_sign_flips() -> None:
    rng = np.random.default_rng(5)
    made = {"good": 3 + rng.integers(0, 2, 30), "bad": rng.integers(0, 2, 30), "fair": 2 + rng.integers(0, 3, 30)}
    study = nf.studies.gains({name: values.astype(float) for name, values in made.items()})
    points = study.series["comparisons"]
    place = next(k for k in range(3) if {points.labels["better"][k], points.labels["worse"][k]} == {"good", "bad"})
    single = nf.test(made["good"], made["bad"], "permutation", alternative="greater")
    assert points.columns["p_value"][place] == pytest.approx(single.p_value, rel=1e-6)
    assert any("sign-flip" in note for note in words.notes(study))


def test_nearly_discrete_scores_are_tested_exactly() -> None:
    """Scores that crowd at 0 and 1 defeat the saddlepoint; what it may miss is computed exactly."""
    rng = np.random.default_rng(6)
    table = np.where(rng.random((60, 8)) < np.linspace(0.3, 0.6, 8), 1.0, 0.0) + rng.normal(0, 0.01, (60, 8))
    crowded = {f"s{i}": np.round(table[:, i], 4) for i in range(8)}
    found = compare_all(sample_of(crowded, Selection()), "permutation")
    for better, worse, p in zip(found.better, found.worse, found.p_value, strict=True):
        pair = crowded[found.systems[better]], crowded[found.systems[worse]]
        single = nf.test(*pair, "permutation", alternative="greater").p_value
        # Far below any level of interest an approximation is good enough.
        assert p == pytest.approx(single, rel=2e-3 if single > 1e-3 else 1.0)


def test_sign_flips_beyond_all_resamples_are_exact() -> None:
    rng = np.random.default_rng(7)
    base = rng.integers(0, 2, 12).astype(float)
    ahead = base + np.where(np.arange(12) < 2, -0.5, 1.0) + np.round(rng.normal(0, 0.003, 12), 3)
    made = {"good": ahead, "base": base, "other": rng.permutation(base)}
    found = compare_all(sample_of(made, Selection()))
    place = next(k for k in range(found.size) if {found.better[k], found.worse[k]} == {0, 1})
    assert found.by_flips >= 1
    single = nf.test(ahead, base, "permutation", alternative="greater").p_value
    assert found.p_value[place] == pytest.approx(single, rel=1e-6)


def test_scale_changes_nothing(made: dict[str, np.ndarray]) -> None:
    plain = compare_all(sample_of(made, Selection()))
    scaled = compare_all(sample_of({name: 100 * values for name, values in made.items()}, Selection()))
    assert scaled.gain == pytest.approx(100 * plain.gain)
    assert scaled.p_value == pytest.approx(plain.p_value, abs=1e-9)
    assert scaled.standard_error == pytest.approx(100 * plain.standard_error)


def test_lower_is_better_turns_the_order_and_nothing_else(made: dict[str, np.ndarray]) -> None:
    plain = compare_all(sample_of(made, Selection()))
    errors = compare_all(sample_of({name: -values for name, values in made.items()}, Selection(higher_is_better=False)))
    assert errors.better.tolist() == plain.better.tolist()
    assert errors.gain == pytest.approx(plain.gain)
    assert errors.p_value == pytest.approx(plain.p_value, abs=1e-9)
    turned = compare_all(sample_of(made, Selection(higher_is_better=False)))
    assert turned.better.tolist() == plain.worse.tolist()
    assert turned.gain == pytest.approx(plain.gain)


def test_what_does_not_vary_has_no_spread_and_no_correlation() -> None:
    rng = np.random.default_rng(4)
    base = np.round(rng.normal(size=50), 2)
    found = compare_all(sample_of({"x": base, "y": base + 0.1, "flat": np.full(50, 0.3)}, Selection()))
    pairs = {
        frozenset((found.systems[i], found.systems[j])): (error, likeness)
        for i, j, error, likeness in zip(
            found.better, found.worse, found.standard_error, found.correlation, strict=True
        )
    }
    assert pairs[frozenset("xy")] == (0.0, pytest.approx(1.0))
    assert math.isnan(pairs[frozenset(("x", "flat"))][1])
    assert pairs[frozenset(("x", "flat"))][0] > 0
    assert found.varies


def of_clusters(*, clusters: bool = True) -> nf.Sample:
    scores = nf.studies.simulate_scores(
        {f"s{i}": i / 20 for i in range(5)}, n=200, kind="continuous", clusters=40, seed=2
    )
    return select(scores, scores.systems, clusters=clusters)


def test_clusters_are_drawn_together() -> None:
    sample = of_clusters()
    found, apart = compare_all(sample), compare_all(of_clusters(clusters=False))
    assert (found.units, found.unit) == (40, "cluster")
    assert (apart.units, apart.unit) == (200, "item")
    assert found.resamples == 9_999
    pair = pair_of(sample, int(found.better[0]), int(found.worse[0]))
    single = nf.test(pair, "bootstrap", form="shift", alternative="greater")
    assert found.p_value[0] == pytest.approx(single.p_value, abs=0.01)
    assert np.median(found.standard_error) > np.median(apart.standard_error)
    with pytest.raises(MethodError, match="clusters"):
        compare_all(sample, "wilcoxon")


def tagged(sentences: list[list[str]]) -> list[str]:
    return [line for tags in sentences for line in (*(f"word {tag}" for tag in tags), "")]


def test_corpus_metrics_agree_with_the_single_test() -> None:
    rng = np.random.default_rng(8)
    gold = [["B-X" if value < 0.3 else "O" for value in rng.random(9)] for _ in range(150)]
    outputs = {}
    for number, noise in enumerate((0.05, 0.07, 0.1)):
        lines = [[("O" if tag != "O" else "B-X") if rng.random() < noise else tag for tag in line] for line in gold]
        outputs[f"s{number}"] = tagged(lines)
    scores = nf.score("span_f1", outputs, tagged(gold))
    sample = select(scores, scores.systems)
    found, plain = compare_all(sample, draws=20_000), compare_all(sample, draws=0)
    again = compare_all(sample, draws=20_000)
    assert found.p_value.tolist() == again.p_value.tolist()
    assert (found.corrected, found.resamples) == (True, 20_000)
    assert (plain.corrected, plain.resamples) == (True, 0)
    for place in range(found.size):
        pair = scores.pair(found.systems[found.better[place]], found.systems[found.worse[place]])
        single = nf.test(pair, "bootstrap", form="berg_kirkpatrick", alternative="greater", monte_carlo=40_000)
        error = 4 * math.sqrt(single.p_value / 20_000) + 1e-4
        assert found.p_value[place] == pytest.approx(single.p_value, abs=error)
