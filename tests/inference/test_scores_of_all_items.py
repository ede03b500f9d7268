"""Scores that only all items together have: power curves by swaps of drawn test sets; what is not drawn is said."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.inference.power.curves.ask import Ask
from nofluke.inference.power.curves.wholes import _TestSets, whole_pilot
from nofluke.inference.resampling.corpus import corpus_of
from nofluke.registry import TESTS
from nofluke.types import FloatArray, Sample, Scores, frozen
from support.chunk_work import share_right

RNG = np.random.default_rng(4)


def share(outputs: Sequence[str], golds: Sequence[str]) -> float:
    return sum(map(str.__eq__, outputs, golds)) / len(golds)


def black_box() -> Scores:
    outputs = {name: ["x" if right else "y" for right in RNG.random(30) < 0.6] for name in "AB"}
    return nf.score(share, outputs, ["x"] * 30, whole=True)


def correlated(metric: str) -> Scores:
    rows = "".join(f"q{i},{x:.3f},{y:.3f},{z:.3f}\n" for i, (x, y, z) in enumerate(RNG.normal(size=(30, 3))))
    return nf.score(metric, io.StringIO("item,gold,A,B\n" + rows))


ASKING: dict[str, Callable[[Scores], Any]] = {
    "audit": lambda scores: nf.studies.audit(scores.pair("A", "B"), iterations=100),
}


@pytest.mark.parametrize("asked", ASKING)
@pytest.mark.parametrize("metric", ["share", "spearman"])
def test_test_sets_are_not_drawn(asked: str, metric: str) -> None:
    scores = black_box() if metric == "share" else correlated(metric)
    with pytest.raises(MethodError, match=f"{metric} is a score of all items together.* cannot be drawn") as caught:
        ASKING[asked](scores)
    assert "compare" in caught.value.advice()


def test_a_mean_as_a_black_box_is_calibrated_like_the_mean() -> None:
    rng = np.random.default_rng(5)
    right = {f"s{level}": rng.random(300) < 0.5 + level / 20 for level in range(4)}
    outputs = {name: ["x" if one else "y" for one in scores] for name, scores in right.items()}
    dear = nf.score(share_right, outputs, ["x"] * 300, whole=True)
    rows = "".join(f"i{i},{','.join(str(int(one[i])) for one in right.values())}\n" for i in range(300))
    known = nf.read(io.StringIO(f"item,{','.join(right)}\n{rows}"))
    asked: dict[str, Any] = {"size": 60, "test_sets": 12, "near": (0.0, 0.2)}
    found = nf.studies.calibration(dear, **asked)
    same = nf.studies.calibration(known, method="permutation", **asked)
    assert dict(found.settings)["monte_carlo"] == 199
    tables = [one.tables["by p-value"] for one in (found, same)]
    # The same test sets have the same winners; only p-values are those of 199 swaps.
    assert sum(tables[0]["better"]) == sum(tables[1]["better"])
    assert sum(tables[0]["comparisons"]) == sum(tables[1]["comparisons"])
    shares = [one.tables["just significant"]["comparisons"][0] for one in (found, same)]
    assert shares[0] == pytest.approx(shares[1], abs=5)


@pytest.mark.parametrize("metric", ["pearson", "spearman"])
def test_correlations_are_calibrated(metric: str) -> None:
    study = nf.studies.calibration(correlated(metric), size=20, test_sets=6)
    assert sum(study.tables["by p-value"]["comparisons"]) == 6


def right_answers() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(4)
    a = rng.random(60) < 0.75
    return a * 1.0, np.where(rng.random(60) < 0.6, a, rng.random(60) < 0.5) * 1.0


def as_black_box(a: FloatArray, b: FloatArray, workers: int = 1) -> Sample:
    outputs = {name: ["x" if right else "y" for right in scores] for name, scores in (("A", a), ("B", b))}
    return nf.score(share_right, outputs, ["x"] * len(a), whole=True, workers=workers).pair("A", "B")


@pytest.mark.parametrize("difference", ["observed", 0.15])
def test_a_mean_as_a_black_box_has_the_power_of_the_mean(difference: Any) -> None:
    a, b = right_answers()
    asked: dict[str, Any] = {"difference": difference, "sizes": [60], "iterations": 200}
    known = nf.power_curve(a, b, "permutation", **asked)
    found = nf.power_curve(as_black_box(a, b), **asked)
    assert found.standard_error == pytest.approx(known.standard_error)
    assert found.difference == pytest.approx(known.difference)
    # The test sets are the same ones; few swaps and the denominator 199 + 1 make some of them fall on the other side.
    assert np.abs(found.power - known.power).max() < 0.07
    assert found.computed.code == "power.p_swaps"
    assert dict(found.computed.facts)["draws"] == 199


def test_the_weights_show_what_was_stated() -> None:
    """By the function itself, on a large drawn test set."""
    a, b = right_answers()
    pilot = whole_pilot(as_black_box(a, b), asking(0.15))
    assert pilot is not None
    weights = pilot.weights_for(0.15)
    assert weights @ (a - b) == pytest.approx(0.15, abs=1e-3)


def test_swaps_of_test_sets_hold_their_level() -> None:
    """Of two systems that are equal, 5 of 100 test sets may be significant: twins that swap their answers."""
    rng = np.random.default_rng(8)
    a, b = rng.random(40) < 0.7, rng.random(40) < 0.7
    sample = as_black_box(np.concatenate((a, b)) * 1.0, np.concatenate((b, a)) * 1.0)
    curve = nf.power_curve(sample, difference="observed", sizes=[40], iterations=400)
    assert curve.observed == 0.0
    assert curve.power[0] < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_a_rank_correlation_has_a_curve_as_pearson_has() -> None:
    gold, noise, more = np.random.default_rng(3).normal(size=(3, 60))
    rows = "".join(
        f"q{i},{x:.3f},{y:.3f},{z:.3f}\n"
        for i, (x, y, z) in enumerate(zip(gold, gold + noise, gold + 2 * more, strict=True))
    )
    curves = {}
    for metric in ("pearson", "spearman"):
        scores = nf.score(metric, io.StringIO("item,gold,A,B\n" + rows))
        asked: dict[str, Any] = {"difference": 0.2, "sizes": [15, 60], "iterations": 150}
        curves[metric] = nf.power_curve(scores.pair("A", "B"), **asked)
    assert all(curve.power[1] > curve.power[0] + 0.1 for curve in curves.values())
    assert [curve.computed.code for curve in curves.values()] == ["power.p_tangent", "power.p_swaps"]


def test_workers_change_no_byte() -> None:
    asked: dict[str, Any] = {"difference": 0.15, "sizes": [10, 25], "iterations": 6, "monte_carlo": 39}
    alone = nf.power_curve(as_black_box(*right_answers()), **asked)
    shared = nf.power_curve(as_black_box(*right_answers(), workers=2), **asked)
    assert alone.power.tobytes() == shared.power.tobytes()
    assert dict(alone.computed.facts)["draws"] == 39


@pytest.mark.parametrize("metric", ["spearman", "kendall"])
def test_the_spread_of_a_rank_correlation_is_that_of_the_jackknife(metric: str) -> None:
    """The shares of items in a correlation are no pseudo-values: half as wide for Kendall's."""
    sample = ranked_pair(metric)
    pilot = whole_pilot(sample, asking(0.1))
    assert pilot is not None
    error = pilot.spread(pilot.equal_weights) / np.sqrt(pilot.units)
    assert error == pytest.approx(corpus_of(sample).standard_error())


def test_a_difference_that_no_weights_show_is_refused() -> None:
    """Weights that leave one item have no correlation, and a curve of them would be a row of zeros."""
    sample = ranked_pair("spearman")
    pilot = whole_pilot(sample, asking(0.1))
    assert pilot is not None
    assert pilot.shown(pilot.weights_for(-0.1)) == pytest.approx(-0.1, abs=0.005)
    with pytest.raises(InputError, match=r"no reweighting .* shows a difference of -1\.9: spearman jumps over it"):
        nf.power_curve(sample, difference=-1.9, sizes=[20], iterations=2)


def test_the_swaps_are_enough_for_the_level() -> None:
    asked: dict[str, Any] = {"difference": 0.4, "sizes": [40], "iterations": 6}
    strict = nf.power_curve(as_black_box(*right_answers()), tests=12, **asked)
    assert dict(strict.computed.facts)["draws"] == 2_399
    assert strict.power[0] > 0.5
    with pytest.raises(MethodError, match="with 38 swaps no p-value is as small as the level") as told:
        nf.power_curve(as_black_box(*right_answers()), monte_carlo=38, **asked)
    assert "monte_carlo=39" in str(told.value)


def test_few_items_have_the_p_values_of_all_patterns() -> None:
    """Of five items the smallest two-sided p-value is 2 / 32; draws alone go below .05 by chance."""
    sample = as_black_box(np.ones(60), np.arange(60) % 10 == 0)
    asked: dict[str, Any] = {"difference": "observed", "sizes": [5, 6], "iterations": 100}
    assert nf.power_curve(sample, **asked).power.tolist()[0] == 0.0
    assert nf.power_curve(sample, **asked).power.tolist()[1] > 0.3


def test_threads_that_draw_other_sizes_do_not_change_a_test_set() -> None:
    """One thread stops after it has looked which size is held, while another takes the next size."""
    pilot = whole_pilot(as_black_box(*right_answers()), asking(0.15))
    assert pilot is not None
    test_sets = _TestSets(pilot, pilot.equal_weights, asking(0.15))
    expected = test_sets.of(10, 3).statistics

    class Interrupted(int):
        def __ne__(self, held: object) -> bool:
            test_sets.of(20, 0)
            return int(self) != held

        __hash__ = int.__hash__

    assert test_sets.of(Interrupted(10), 3).statistics.tolist() == expected.tolist()


def ranked_pair(metric: str) -> Sample:
    gold, noise, more = np.random.default_rng(1).normal(size=(3, 60))
    outputs = {name: [f"{x:.4f}" for x in found] for name, found in (("A", gold + noise / 2), ("B", gold + more))}
    return nf.score(metric, outputs, [f"{x:.4f}" for x in gold]).pair("A", "B")


def test_clusters_are_drawn_whole() -> None:
    a, b = right_answers()
    twins = as_black_box(np.repeat(a, 2), np.repeat(b, 2))
    clusters = frozen(np.repeat(np.arange(60), 2), np.int64)
    curve = nf.power_curve(
        replace(twins, clusters=clusters, cluster_labels=tuple(map(str, range(60)))), sizes=[30], iterations=20
    )
    assert (curve.pilot, curve.unit) == (60, "clusters")
    assert curve.standard_error == pytest.approx(nf.power_curve(a, b, sizes=[30]).standard_error)


def test_other_tests_and_margins_are_refused() -> None:
    sample = as_black_box(*right_answers())
    for asked in ({"method": "bootstrap"}, {"margin": 0.05}):
        with pytest.raises(MethodError, match="drawn by swaps of outputs"):
            nf.power_curve(sample, sizes=2, iterations=2, **asked)


def asking(difference: float) -> Ask:
    return Ask(
        TESTS["permutation"], {}, difference, False, "pilot", None, 2, None, 10, 0, 0.05, 1, "two-sided", None, 0.8
    )


def test_an_option_that_a_curve_does_not_use_is_refused() -> None:
    with pytest.raises(InputError, match="stop would change nothing here: every drawn test set is swapped"):
        nf.power_curve(as_black_box(*right_answers()), sizes=2, iterations=2, stop="p_value")
