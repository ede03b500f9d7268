"""Power curves of averages of datasets that are scored by sums: corpus metrics, and items in clusters."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import MethodError
from nofluke.inference.power.curves.choose import drawn_sample
from nofluke.inference.power.curves.sums_within import sums_pilot
from nofluke.types import Aggregate, Sample, frozen
from support.strata import average_of_corpora, average_sample


def f1(sums: np.ndarray, n: float) -> np.ndarray:
    return np.asarray(2 * sums[..., 0] / (sums[..., 1] + sums[..., 2]))


def corpus(rng: np.random.Generator, n: int, chance: float) -> Sample:
    """Matched, predicted and gold of items, of which B finds fewer."""
    gold = 1 + rng.poisson(2, n)
    rows = []
    for found in (chance, chance - 0.08):
        matched = rng.binomial(gold, found)
        rows.append(np.stack((matched, matched + rng.poisson(0.7, n), gold), axis=1))
    plain = as_sample(np.zeros(n), np.zeros(n))
    return replace(
        plain,
        statistics=frozen(np.stack(rows, axis=1).astype(np.float64)),
        aggregate=Aggregate("f1", f1, linear=False),
        metric="f1",
    )


def averaged_f1() -> Sample:
    rng = np.random.default_rng(2)
    return average_of_corpora([corpus(rng, 40, 0.6), corpus(rng, 70, 0.75)])


def clustered() -> Sample:
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(50), rng.integers(1, 6, 50))
    datasets = np.where(clusters < 15, "x", "y").tolist()
    d = np.round(rng.normal(0.05, 0.3, 50)[clusters] + rng.normal(0, 0.3, len(clusters)), 2)
    return average_sample(d, 0 * d, datasets, clusters=clusters.tolist())


@pytest.mark.parametrize("sample", [averaged_f1(), clustered()], ids=["f1", "clusters"])
def test_the_pilot_shows_what_the_sample_does(sample: Sample) -> None:
    assert sample.strata is not None
    pilot = sums_pilot(sample, sample.strata)
    equal = pilot.equal_weights
    assert pilot.shown(equal) == pytest.approx(sample.score(0) - sample.score(1), rel=1e-9)
    assert pilot.shown(pilot.weights_for(0.1)) == pytest.approx(0.1, abs=1e-9)
    same = drawn_sample(pilot, np.ones(pilot.units, np.int64))
    assert nf.test(same, "permutation").p_value == pytest.approx(nf.test(sample, "permutation").p_value, rel=1e-6)
    # Its spread is that of the difference: by the delta method, within datasets.
    error = pilot.spread(equal) / math.sqrt(pilot.units)
    found = nf.power_curve(sample, sizes=[60], iterations=10, difference=0.1)
    assert found.standard_error == pytest.approx(error)
    assert sum(pilot.sizes_at(60)) == 60


@pytest.mark.parametrize(
    ("sample", "difference", "size"), [(averaged_f1(), 0.08, 110), (clustered(), 0.15, 40)], ids=["f1", "clusters"]
)
def test_powers_are_those_of_the_test_on_every_drawn_test_set(sample: Sample, difference: float, size: int) -> None:
    curve = nf.power_curve(sample, difference=difference, sizes=[size], iterations=400, seed=5)
    assert curve.test == "permutation"
    assert sample.strata is not None
    pilot = sums_pilot(sample, sample.strata)
    draws = pilot.drawn(pilot.weights_for(difference), size, 60, seed=6)
    rows = [row.astype(np.int64) for block in draws for row in block]
    hits = sum(nf.test(drawn_sample(pilot, row), "permutation").p_value <= 0.05 for row in rows)
    assert abs(hits / 60 - curve.power[0]) <= 3.3 * math.sqrt(0.25 / 60 + 0.25 / 400)
    assert 0.3 < curve.power[0] < 0.99


def test_clusters_that_reach_over_datasets_are_refused() -> None:
    d = np.array([0.1, 0.2, -0.1, 0.3, 0.0, 0.4, 0.2, 0.1, -0.2, 0.5, 0.3, 0.2])
    sample = average_sample(d, 0 * d, ["x"] * 5 + ["y"] * 7, clusters=[*range(5), *range(7)])
    with pytest.raises(MethodError, match="in several datasets"):
        nf.power_curve(sample, difference=0.1)


def test_equally_large_datasets_are_drawn_one_by_one_as_well() -> None:
    """Tasks that truly differ, with hardly any spread in each: from one pool, 3 of 10 test sets of 400 miss the gap."""
    differences = np.round(np.repeat([0.45, -0.35], 60) + np.tile([-0.01, 0.0, 0.01], 40), 2)
    sample = average_sample(differences, 0 * differences, ["t0"] * 60 + ["t1"] * 60)
    curve = nf.power_curve(sample, difference=0.05, sizes=[100, 400], iterations=60)
    assert curve.power[1] == 1
    assert "power.within_datasets" in [one.code for one in curve.assumptions]
