"""Correlations with gold scores as metrics: files, resampling against SciPy, recommendations, and refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import nofluke as nf
from nofluke.engine.black_box import Corpora, resampled_wholes, swapped_chunks
from nofluke.engine.randomness import RESAMPLE, Stream
from nofluke.errors import InputError, MethodError
from nofluke.inference.resampling.corpus import corpus_of

# Oracle: SciPy.
SCIPY = {"pearson": scipy.stats.pearsonr, "spearman": scipy.stats.spearmanr, "kendall": scipy.stats.kendalltau}
NAMES = tuple(SCIPY)


def scored(name: str, n: int = 60, seed: int = 0, scale: float = 100.0) -> tuple[nf.Sample, np.ndarray]:
    rng = np.random.default_rng(seed)
    gold = np.round(rng.normal(size=n), 1)
    a, b = np.round(gold + rng.normal(size=n), 1), np.round(gold + 1.5 * rng.normal(size=n), 2) * scale
    return nf.score(name, {"A": a, "B": list(b)}, gold).pair(), np.column_stack((a, b, gold))


@pytest.mark.parametrize("name", NAMES)
def test_resampled_correlations_are_scipys(name: str) -> None:
    sample, columns = scored(name)
    assert [sample.score(0), sample.score(1)] == pytest.approx(
        [SCIPY[name](columns[:, system], columns[:, 2])[0] for system in (0, 1)], rel=1e-12
    )
    whole = sample.aggregate.whole
    assert whole is not None
    found = resampled_wholes(Corpora(sample.statistics, whole), 5, seed=3)
    stream = Stream(3, RESAMPLE, 0)
    for row in found:
        drawn = columns[stream.indices(60, 60)]
        assert row == pytest.approx([SCIPY[name](drawn[:, system], drawn[:, 2])[0] for system in (0, 1)], rel=1e-12)
    # An item's shares average to the score.
    for system in (0, 1):
        assert whole.shares(sample.of(system)).mean() == pytest.approx(sample.score(system), rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_swapping_the_systems_mirrors(name: str, method: str) -> None:
    sample, columns = scored(name, 40, 1)
    other = nf.score(name, {"B": columns[:, 1], "A": columns[:, 0]}, columns[:, 2]).pair()
    forward, backward = nf.test(sample, method, monte_carlo=999), nf.test(other, method, monte_carlo=999)
    assert forward.p_value == pytest.approx(backward.p_value)
    assert forward.estimate == pytest.approx(-backward.estimate)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_a_scale_of_the_scores_changes_nothing(name: str, method: str) -> None:
    """Swapping raw scores of 0..1 with scores of 0..100 would test the scale, not the correlation."""
    results = [nf.test(scored(name, 40, 2, scale)[0], method, monte_carlo=999) for scale in (1.0, 1000.0)]
    assert results[0].p_value == pytest.approx(results[1].p_value)
    assert results[0].estimate == pytest.approx(results[1].estimate, rel=1e-9)


def test_all_swaps_of_few_items_are_what_draws_tend_to() -> None:
    sample, _ = scored("spearman", 10, 4)
    corpus = corpus_of(sample)
    assert corpus.corpora is not None
    pooled = np.concatenate((corpus.statistics[:, 0], corpus.statistics[:, 1]))
    stars = []
    for code in range(2**10):
        moved = np.array([code >> item & 1 for item in range(10)], dtype=float)
        parts = [np.concatenate((1 - moved, moved)), np.concatenate((moved, 1 - moved))]
        ranked = [scipy.stats.spearmanr(*pooled[part > 0].T)[0] for part in parts]
        stars.append(ranked[0] - ranked[1])
    exact = np.mean(np.abs(stars) >= abs(corpus.difference) - 1e-12)
    drawn = nf.test(sample, "permutation", monte_carlo=20_000)
    assert drawn.p_value == pytest.approx(exact, abs=4 * drawn.computed.error)
    assert len(np.unique(np.round(np.concatenate([*swapped_chunks(corpus.corpora, 3_000, seed=1)]), 9))) > 100


@pytest.mark.parametrize("name", NAMES)
def test_identical_systems(name: str) -> None:
    rng = np.random.default_rng(5)
    gold = rng.normal(size=30)
    same = nf.score(name, {"A": gold * 2, "B": gold * 2}, gold).pair()
    assert nf.test(same, "bootstrap").p_value == 1
    assert nf.test(same, "permutation").p_value == 1


@pytest.mark.parametrize("name", NAMES)
def test_what_is_recommended_and_what_is_not(name: str) -> None:
    choices = nf.recommend(scored(name)[0])
    assert choices.preferred == "permutation"
    verdicts = {choice.method: choice for choice in choices.rows}
    assert verdicts["permutation"].reason.code == "choice.swaps_on_one_scale"
    assert verdicts["bootstrap"].verdict == "allowed"
    for method in ("paired_t", "wilcoxon", "sign", "mcnemar"):
        assert verdicts[method].verdict == "inappropriate"
        with pytest.raises(MethodError):
            nf.test(scored(name)[0], method)
    assert nf.recommend(scored(name, 12)[0]).preferred == "permutation"
    with pytest.raises(MethodError, match="cannot test a difference of"):
        nf.test(scored(name)[0], "permutation", delta=0.1)
    with pytest.raises(InputError, match=f"a unit of 5 items has no {name}"):
        nf.score(name, {"A": range(20), "B": range(20)}, range(20)).pair(unit=5)


def test_files_columns_and_ids(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1\n2\n4\n3\n")
    (tmp_path / "gold.tsv").write_text("index\tprediction\thuman\n0\tx\t0.5\n1\tx\t0.7\n2\tx\t0.9\n3\tx\t0.8\n")
    (tmp_path / "b.tsv").write_text("index\tprediction\n3\t1.5\n2\t9\n1\t4\n0\t2\n")
    gold = tmp_path / "gold.tsv"
    one = nf.score("spearman", {"A": tmp_path / "a.txt"}, gold, gold_column="human")
    assert one.statistics[:, 0].tolist() == [1, 2, 4, 3]
    two = nf.score("spearman", {"B": tmp_path / "b.tsv"}, gold, gold_column="human")
    assert two.statistics[:, 0].tolist() == [2, 4, 9, 1.5]
    (tmp_path / "bad.txt").write_text("1\n2\nfour\n3\n")
    with pytest.raises(InputError, match=r"bad\.txt line 3: 'four' is not a number"):
        nf.score("spearman", {"A": tmp_path / "bad.txt"}, gold, gold_column="human")
    with pytest.raises(InputError, match="3 labels, and gold has 4"):
        nf.score("pearson", {"A": [1, 2, 3]}, [1, 2, 3, 4])
    with pytest.raises(MethodError, match="A has no pearson: its scores, or those of gold, do not vary"):
        nf.test(nf.score("pearson", {"A": [1, 1, 1], "B": [1, 2, 3]}, [1, 2, 3]).pair())
