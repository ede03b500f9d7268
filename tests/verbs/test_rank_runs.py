"""Rankings and replications of systems that were trained several times: every pair over items and runs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import nofluke as nf
from support.runs import scores_of


def trained(seed: int = 0, n: int = 60, runs: tuple[int, ...] = (3, 4, 3)) -> dict[str, np.ndarray]:
    """Systems a, b, c of which the first is the best."""
    rng = np.random.default_rng(seed)
    chances = rng.choice([0.2, 0.5, 0.8], n)[:, None]
    return {
        name: (rng.random((n, number)) < chances + gap + rng.normal(0, 0.02, number)).astype(np.float64)
        for name, gap, number in zip("abc", (0.2, 0.0, -0.05), runs, strict=True)
    }


DATASETS = ["x"] * 25 + ["y"] * 35


@pytest.mark.parametrize("more", [{}, {"datasets": DATASETS}, {"clusters": [i // 3 for i in range(60)]}])
def test_pairs_are_those_of_the_test_corrected_by_holm(more: dict[str, list[object]]) -> None:
    scores = scores_of(trained(), **more)  # type: ignore[arg-type]
    ranking = nf.rank(scores, runs="crossed")
    assert ranking.method == "crossed_runs"
    names = ranking.systems
    pairs = [(i, j) for i, j in permutations(range(3), 2)]
    singles = [
        nf.test(scores.pair(names[i], names[j], runs="crossed"), "crossed_runs", alternative="greater").p_value
        for i, j in pairs
    ]
    assert [ranking.p_values[pair] for pair in pairs] == pytest.approx(singles, rel=1e-12)
    assert [ranking.adjusted[pair] for pair in pairs] == pytest.approx(nf.correct(singles, "holm"), rel=1e-12)
    for name, interval in zip(names, ranking.intervals, strict=True):
        own = nf.estimate(scores, name, runs="crossed", interval="t").interval
        assert own is not None
        assert (interval.low, interval.high) == pytest.approx((own.low, own.high))


def test_seeds_widen_what_is_left_open() -> None:
    """Checkpoints of one seed each look decided where training them again would not."""
    rng = np.random.default_rng(4)
    tables = {
        name: (rng.random((2_000, 3)) < 0.5 + rng.normal(gap, 0.03, 3)).astype(np.float64)
        for name, gap in (("a", 0.03), ("b", 0.0), ("c", 0.0))
    }
    scores = scores_of(tables)
    assert nf.rank(scores).separated > nf.rank(scores, runs="crossed").separated
    assert "trained 3 times" in str(nf.rank(scores, runs="crossed"))


def test_two_runs_are_indicative() -> None:
    ranking = nf.rank(scores_of(trained(runs=(2, 3, 3))), runs="crossed")
    assert any(one.code == "test.two_runs" and one["systems"] == ("a",) for one in ranking.notes)
    # It is the last note to give way to a short answer.
    averaged = nf.rank(scores_of(trained(runs=(2, 3, 3)), datasets=DATASETS), runs="crossed", systems=("a", "b"))
    assert "There are 2 runs of a: this is indicative only." in " ".join(str(averaged).split())


def test_what_takes_checkpoints_is_refused() -> None:
    scores = scores_of(trained())
    with pytest.raises(nf.MethodError, match="takes these checkpoints as given"):
        nf.rank(scores, runs="crossed", method="permutation")
    with pytest.raises(nf.MethodError, match="max_t"):
        nf.rank(scores, runs="crossed", adjust="max_t")
    with pytest.raises(nf.InputError, match="one run of c"):
        nf.rank(scores_of(trained(runs=(3, 3, 1))), runs="crossed")
    with pytest.raises(nf.InputError, match="no column of them"):
        nf.rank({"a": [1, 2], "b": [2, 1]}, runs="crossed")


def test_datasets_are_tested_over_items_and_runs() -> None:
    scores = scores_of(trained(), datasets=DATASETS)
    found = nf.replicate(scores, a="a", b="b", runs="crossed")
    for name, p in zip(found.datasets, found.p_values, strict=True):
        sample = scores.pair("a", "b", dataset=name, runs="crossed")
        assert p == pytest.approx(nf.test(sample, "crossed_runs", alternative="greater").p_value)
    with pytest.raises(nf.InputError, match="same training runs"):
        nf.replicate(scores, a="a", b="b", runs="crossed", dependence="independent")
