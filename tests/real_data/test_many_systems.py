"""Many systems on real scores: the figures of SciPy, statsmodels, scikit-posthocs and the organisers of WMT21."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.types import Note

Folder = Callable[[str], Path]
Facts = Callable[[str], dict[str, Any]]
SCIPY = {"method": "wilcoxon", "mode": "normal", "snap": False}


def test_wmt21_heat_map_as_published_procedures_make_it(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("mt_wmt21_zhen") / "sentence_bleu.csv.gz")
    facts = expected("mt_wmt21_zhen")["wilcoxon_one_sided_EU15"]
    paper = {"unit": 15, "method": "wilcoxon", "mode": "normal", "family": "pairs", "alternative": "greater"}
    ranking = nf.rank(scores, adjust="bonferroni", **paper)
    assert (ranking.n, ranking.pairs) == (129, 253)
    assert ranking.separated == facts["n_sig_bonferroni_0.05"] == 175
    assert nf.rank(scores, adjust="none", **paper).separated == facts["n_sig_uncorrected_0.05"] == 213
    two_sided = nf.rank(scores, unit=15, method="wilcoxon", mode="normal", family="pairs", adjust="bonferroni")
    assert two_sided.separated == 174
    # Units as SciPy's user made them, of binary means; summed as whole numbers, as above, some of their ties differ.
    items = scores.statistics[:, 0].reshape(-1, len(scores.systems))[: 129 * 15]
    units = {name: items[:, i].reshape(129, 15).mean(axis=1).tolist() for i, name in enumerate(scores.systems)}
    raw = nf.rank(units, family="pairs", alternative="greater", **SCIPY)
    reversed_pairs = 0
    for pair, p in facts["p"].items():
        a, b = pair.split("|")
        if np.isnan(raw.p_value(a, b, adjusted=False)):
            # Ordered there by the mean of all segments, here by that of the whole units.
            reversed_pairs += 1
            continue
        assert raw.p_value(a, b, adjusted=False) == pytest.approx(p, rel=1e-9), pair
        assert ranking.p_value(a, b, adjusted=False) == pytest.approx(p, rel=0.02), pair
    assert reversed_pairs == 1


def test_wmt21_by_default(data: Folder) -> None:
    ranking = nf.rank(nf.read(data("mt_wmt21_zhen") / "sentence_bleu.csv.gz"))
    assert (ranking.method, ranking.adjust, ranking.separated) == ("permutation", "holm", 184)
    assert ranking.systems[0] == "Borderline"
    assert ranking.rank_range("Borderline") == (1, 6)


def test_wmt21_official_rank_sum_cells(data: Folder, expected: Facts) -> None:
    scores = nf.read(data("mt_wmt21_zhen") / "human_da_segments.csv.gz", score="z")
    ranking = nf.rank(scores, method="mann_whitney", mode="normal", continuity=True, snap=False)
    with (data("mt_wmt21_zhen") / "human_official_ranksum_p.csv").open(encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    cells = 0
    for name, *values in rows:
        for other, value in zip(head[1:], values, strict=True):
            # 0.12 marks "not significant" there, it is no p-value.
            if name != other and float(value) != 0.12:
                assert ranking.p_value(name, other, adjusted=False) == pytest.approx(float(value), rel=1e-9)
                cells += 1
    assert cells == expected("mt_wmt21_zhen")["human_ranksum"]["cells_checked"] == 145
    means = expected("mt_wmt21_zhen")["human_mean_z"]
    for name, score in zip(ranking.systems, ranking.scores, strict=True):
        assert score == pytest.approx(means[name], abs=5e-7)


def alpaca(data: Folder, expected: Facts) -> nf.Scores:
    models = list(expected("llm_alpaca_eval2")["published_leaderboard"])
    return nf.read(data("llm_alpaca_eval2") / "preferences.csv.gz", cluster="dataset", score=models)


def test_alpaca_eval_all_pairs(data: Folder, expected: Facts) -> None:
    scores, facts = alpaca(data, expected), expected("llm_alpaca_eval2")["all_pairs_ttest_rel"]
    names = {"uncorrected_0.05": "none", "bonferroni": "bonferroni", "holm": "holm", "bh": "bh", "by": "by"}
    for name, adjust in names.items():
        ranking = nf.rank(scores, method="paired_t", adjust=adjust, family="pairs", clusters=False)
        assert (ranking.pairs, ranking.separated) == (facts["n_pairs"], facts[name])
    facts = expected("llm_alpaca_eval2")
    pair = facts["vicuna-13b_vs_vicuna-7b"]["ttest_rel"][1]
    ranking = nf.rank(scores, method="paired_t", family="pairs", clusters=False)
    assert ranking.p_value("vicuna-13b", "vicuna-7b", adjusted=False) == pytest.approx(pair, rel=1e-9)
    assert ranking.systems[:5] == tuple(facts["top5"])


def test_alpaca_eval_by_default_and_by_cluster(data: Folder, expected: Facts) -> None:
    scores = alpaca(data, expected)
    ranking = nf.rank(scores, clusters=False)
    assert (ranking.method, ranking.separated) == ("permutation", 821)
    assert ranking.rank_range("NullModel") == (1, 1)
    # Five sources of instructions are too few clusters for 1,275 pairs, and the note says so.
    clustered = nf.rank(scores)
    assert (clustered.clusters, clustered.separated) == (5, 0)
    (few,) = [note for note in clustered.notes if isinstance(note, Note) and note.code == "rank.too_few"]
    assert (few["n"], few["unit"], few["needed"]) == (5, "cluster", 16)


TREC = ("adhoc8_ap", "adhoc8_p10", "adhoc8_rr")


@pytest.mark.parametrize("name", TREC)
def test_trec_all_pairs(name: str, data: Folder, expected: Facts) -> None:
    scores = nf.read(data("ir_trec_adhoc8") / f"{name}.csv")
    facts = expected("ir_trec_adhoc8")["files"][name]
    friedman = nf.omnibus(scores)
    assert friedman.statistic == pytest.approx(facts["friedman_chi2_p"][0], rel=1e-9)
    assert friedman.log_p_value < -700
    t = nf.rank(scores, method="paired_t")
    assert (len(t.systems), t.pairs) == (129, 8_256)
    for run, mean in itertools.islice(facts["best5"].items(), 5):
        assert t.scores[t.systems.index(run)] == pytest.approx(mean, rel=1e-9)
    assert t.systems[-1] == next(iter(facts["worst"]))
    pair = facts["run126_vs_run125"]["ttest_rel_greater_p"]
    assert t.p_value("run126", "run125", adjusted=False) == pytest.approx(pair, rel=1e-9)
    like_r = nf.rank(scores, method="wilcoxon", mode="normal", snap=False, continuity=True)
    pair = facts["run126_vs_run125"]["wilcoxon_asymptotic_continuity_greater_p (R wilcox.test default with ties/zeros)"]
    assert like_r.p_value("run126", "run125", adjusted=False) == pytest.approx(pair, rel=1e-9)


# Half a minute each but for the second; the numbers of the first are frozen as well.
@pytest.mark.parametrize(
    "name", ["adhoc8_p10", *(pytest.param(name, marks=pytest.mark.slow) for name in TREC if name != "adhoc8_p10")]
)
def test_trec_by_default(name: str, data: Folder) -> None:
    scores = nf.read(data("ir_trec_adhoc8") / f"{name}.csv")
    ranking = nf.rank(scores)
    assert (ranking.method, ranking.pairs, len(ranking.systems)) == ("permutation", 8_256, 129)
    one, other = ranking.systems[0], ranking.systems[40]
    single = nf.test(scores.pair(one, other), "permutation", alternative="greater")
    assert ranking.p_value(one, other, adjusted=False) == pytest.approx(single.p_value, rel=1e-3)


@pytest.mark.parametrize("name", ["las", "uas", "upos"])
def test_conll17_treebanks(name: str, data: Folder, expected: Facts) -> None:
    facts = expected("multi_conll17_treebanks")[name]
    scores = nf.read(data("multi_conll17_treebanks") / f"{name}.csv", dataset="treebank")
    ranking = nf.rank(scores)
    assert (ranking.n, len(ranking.systems)) == (81, 33)
    for system, score in facts["published_macro_average"].items():
        assert ranking.scores[ranking.systems.index(system)] == pytest.approx(score, abs=0.015)
    top = facts["top10_by_LAS"]["friedman"]
    ranks = top["average_ranks (1=best)"]
    columns = [scores.systems.index(system) for system in ranks]
    table = scores.statistics[:, 0].reshape(81, 33)[:, columns]
    friedman, iman = nf.omnibus(table), nf.omnibus(table, "iman_davenport")
    assert [friedman.statistic, friedman.p_value] == pytest.approx([top["chi2"], top["p"]], rel=1e-9)
    assert iman.statistic == pytest.approx(top["iman_davenport_F"], rel=1e-9)
    assert iman.p_value == pytest.approx(top["iman_davenport_p"], rel=1e-9)
    assert nf.critical_difference(10, 81) == pytest.approx(top["nemenyi_CD_0.05"], rel=1e-9)
    few = nf.rank({system: table[:, i].tolist() for i, system in enumerate(ranks)}, family="pairs", **SCIPY)
    for pair, (_, p) in facts["wilcoxon"].items():
        # SciPy gives none where two systems have identical scores; here nothing separates them.
        expected_p = 1.0 if p is None else p
        assert few.p_value(*pair.split("|"), adjusted=False) == pytest.approx(expected_p, rel=1e-9)


def test_conll17_identical_taggers_are_named(data: Folder) -> None:
    ranking = nf.rank(nf.read(data("multi_conll17_treebanks") / "upos.csv", dataset="treebank"))
    (note,) = [note for note in ranking.notes if isinstance(note, Note) and note.code == "rank.identical"]
    assert "C2L2 = CLCL" in str(note)
    assert "ECNU = Uppsala" in str(note)
    assert ranking.p_value("C2L2", "CLCL") == 1
    assert ranking.rank_range("C2L2") == ranking.rank_range("CLCL")


def test_uci_classifiers(data: Folder, expected: Facts) -> None:
    facts = expected("multi_uci_54x5")
    scores = nf.read(data("multi_uci_54x5") / "mean_accuracy.csv")
    ranking = nf.rank(scores)
    friedman, iman = ranking.omnibus
    top = facts["friedman"]
    assert [friedman.statistic, friedman.p_value] == pytest.approx([top["chi2"], top["p"]], rel=1e-9)
    assert [iman.statistic, iman.p_value] == pytest.approx([top["iman_davenport_F"], top["iman_davenport_p"]], rel=1e-9)
    assert ranking.critical_difference == pytest.approx(top["nemenyi_CD_0.05"], rel=1e-9)
    for name, rank in top["average_ranks (1=best)"].items():
        assert ranking.mean_ranks[ranking.systems.index(name)] == pytest.approx(rank, rel=1e-9)
    raw = nf.rank(scores, family="pairs", **SCIPY)
    nemenyi = nf.nemenyi(scores)
    for pair, (_, p) in facts["wilcoxon_two_sided"].items():
        a, b = pair.split("|")
        assert raw.p_value(a, b, adjusted=False) == pytest.approx(p, rel=1e-9)
        assert raw.p_value(a, b) == pytest.approx(facts["wilcoxon_holm"][pair], rel=1e-9)
        cell = nemenyi[scores.systems.index(a), scores.systems.index(b)]
        assert cell == pytest.approx(facts["nemenyi_p"][pair], rel=1e-6)
    # Swaps of the mean show two of the three pairs that ranks do.
    assert (ranking.separated, raw.separated) == (2, 3)
    # The same from the 5,400 folds: a dataset's score is the mean over its folds.
    folds = nf.rank(nf.read(data("multi_uci_54x5") / "accuracies.csv.gz"))
    assert folds.scores == pytest.approx(ranking.scores, abs=1e-4)
    assert folds.n == 54


def test_wmt17_bleu_of_sixteen_systems(data: Folder, expected: Facts) -> None:
    folder, facts = data("mt_wmt17_ende"), expected("mt_wmt17_ende")
    outputs = {path.name.removesuffix(".de.gz"): path for path in sorted((folder / "systems").iterdir())}
    scores = nf.score("bleu", outputs, folder / "ref.de.gz")
    ranking = nf.rank(scores)
    assert (ranking.pairs, ranking.separated, ranking.systems[0]) == (120, 87, "uedin-nmt.4722")
    for name, score in facts["corpus_bleu_13a"].items():
        assert ranking.scores[ranking.systems.index(name)] == pytest.approx(score, abs=5e-5)
    # sacrebleu's approximate randomisation swaps the outputs 10,000 times; its p is two-sided.
    for name, row in facts["paired_ar_n10000_seed12345_tok_13a"]["rows"].items():
        drawn = row["p_value"]
        if drawn is None:
            continue
        pair = (name, "LIUM-NMT.4900")
        two_sided = 2 * min(ranking.p_value(*order, adjusted=False) for order in (pair, pair[::-1]))
        error = (drawn * (1 - drawn) / 10_000) ** 0.5
        assert two_sided == pytest.approx(drawn, abs=4 * error + 2e-4), name
    single = nf.test(scores.pair("LIUM-NMT.4900", "KIT.4950"), alternative="greater")
    bulk = ranking.p_value("LIUM-NMT.4900", "KIT.4950", adjusted=False)
    assert bulk == pytest.approx(single.p_value, rel=0.02)
