"""rank: p-values of all pairs have the digits of the single test, whatever the tails of the scores; skewed pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import nofluke as nf
from nofluke.engine.flips import flip_tail
from nofluke.types import FloatArray

Panel = Callable[[np.random.Generator, tuple[int, int]], FloatArray]


def one_outlier(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    scores = rng.normal(size=shape)
    scores[0] *= 60.0
    return scores


PANELS: dict[str, Panel] = {
    "cauchy": lambda rng, shape: rng.standard_cauchy(shape),
    "one outlier": one_outlier,
    "lognormal": lambda rng, shape: np.exp(1.5 * rng.normal(size=shape)),
    "t2": lambda rng, shape: rng.standard_t(2, shape),
    "normal": lambda rng, shape: rng.normal(size=shape),
}


@pytest.mark.parametrize("kind", PANELS)
@pytest.mark.parametrize("n", [60, 300])
def test_every_pair_has_the_p_value_of_the_single_test(kind: str, n: int) -> None:
    systems = 7
    scores = PANELS[kind](np.random.default_rng(n), (n, systems)) + np.linspace(0, 6 / np.sqrt(n), systems)
    columns = {f"s{i}": scores[:, i] for i in range(systems)}
    ranking = nf.rank(columns)
    for i, first in enumerate(ranking.systems):
        for j, second in enumerate(ranking.systems):
            if i != j:
                alone = nf.test(columns[first], columns[second], method="permutation", alternative="greater")
                assert ranking.p_values[i, j] == pytest.approx(alone.p_value, rel=1e-3), (first, second)


@pytest.mark.parametrize("n", [38, 42, 46])
def test_few_raw_scores_are_counted_out_only_where_a_verdict_hangs_on_it(n: int) -> None:
    rng = np.random.default_rng(n)
    columns = {f"s{i}": rng.normal(0.1 * i, 1, n) for i in range(4)}
    ranking = nf.rank(columns)
    pairs = ~np.eye(4, dtype=bool)
    assert set(ranking.computed[pairs].tolist()) <= {"exact", "inversion"}
    i, j = np.unravel_index(np.nanargmin(ranking.p_values), (4, 4))
    whole = np.rint((columns[ranking.systems[i]] - columns[ranking.systems[j]]) * 1e12).astype(np.int64)
    counted = flip_tail(whole, int(whole.sum()), enough=0.0)
    assert counted.path == "enumeration"
    assert ranking.p_values[i, j] == pytest.approx(np.exp(counted.log_p), rel=1e-4)
    # At this alpha the smallest p-value is on the line: it is counted out.
    near = nf.rank(columns, alpha=min(0.9, 12 * float(ranking.p_values[i, j])))
    assert near.computed[i, j] == "exact"
    assert near.p_values[i, j] == pytest.approx(np.exp(counted.log_p), rel=1e-9)


def test_skewed_pairs_are_named() -> None:
    rng = np.random.default_rng(3)
    half = rng.normal(size=(20, 2))
    even = np.concatenate((half, -half))
    columns = {"plain": even[:, 0], "also": even[:, 1], "long": 20 * rng.exponential(size=40) ** 2}
    (note,) = [note for note in nf.rank(columns).notes if note.code == "rank.skewed"]
    assert (note["pairs"], note["n"], note["unit"]) == (2, 40, "item")
    assert "long" in note["most"]
    assert str(note).startswith("2 pairs are skewed for 40 items (most: ")
    strongest = 0.0
    for name in ("plain", "also"):
        d = columns[name] - columns["long"]
        d = d - d.mean()
        strongest = max(strongest, abs(float((d**3).mean() / (d**2).mean() ** 1.5)))
    assert abs(note["skewness"]) == pytest.approx(strongest, rel=1e-9)
    (against,) = [note for note in nf.rank(columns, baseline="plain").notes if note.code == "rank.skewed"]
    assert against["pairs"] == 1
    assert "plain" in against["most"]


def test_symmetric_and_two_valued_scores_are_not_called_skewed() -> None:
    rng = np.random.default_rng(4)
    half = rng.normal(size=(60, 3))
    symmetric = np.concatenate((half, -half))
    assert not nf.rank({f"s{i}": symmetric[:, i] for i in range(3)}).notes
    # Equal means of 0/1 scores make their differences symmetric, however rare 1 is.
    rare = (rng.random((60, 3)) < [0.02, 0.05, 0.3]).astype(float)
    assert not nf.rank({f"s{i}": rare[:, i] for i in range(3)}).notes


def test_nearly_equal_systems_do_not_cancel_in_the_skewness() -> None:
    rng = np.random.default_rng(5)
    base = rng.normal(size=50)
    columns = {"a": base, "b": base + 1e-7 * (rng.exponential(size=50) - 1), "c": rng.normal(size=50)}
    d = columns["a"] - columns["b"]
    d = d - d.mean()
    skewness = abs(float((d**3).mean() / (d**2).mean() ** 1.5))
    (note,) = [note for note in nf.rank(columns).notes if note.code == "rank.skewed"]
    assert abs(note["skewness"]) == pytest.approx(skewness, rel=1e-4)
