"""Recorded p-values of corpus metrics on real outputs: parsing, entities, word alignment, summaries."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rouge_score import rouge_scorer

import nofluke as nf
from nofluke.metrics.formats.conllu import read_treebank

Data = Callable[[str], Path]
Facts = Callable[[str], dict[str, Any]]
SCIPY = {"mode": "normal", "snap": False}
RECORDED = 10_000
OURS = 40_000


def share(sample: nf.Sample, form: str) -> float:
    """The share of resamples that the recorded figure counts, one-sided, by plain draws."""
    return nf.test(sample, "bootstrap", form=form, alternative="greater", monte_carlo=OURS).p_value


def within(recorded: float, ours: float) -> Any:
    """4 standard errors of the difference of two shares of draws; a share of 0 has the error of one draw in N."""
    p = max(recorded, ours, 1 / RECORDED)
    return pytest.approx(recorded, abs=4 * (p / RECORDED + p / OURS) ** 0.5)


def mcnemar(first: np.ndarray, second: np.ndarray) -> tuple[float, int, int]:
    only_a, only_b = int((first & ~second).sum()), int((second & ~first).sum())
    sample = nf.sample_from_counts(int((first & second).sum()), only_a, only_b, int((~first & ~second).sum()))
    return nf.test(sample, "mcnemar").p_value, only_a, only_b


def sentence_scores(sample: nf.Sample) -> tuple[np.ndarray, np.ndarray]:
    ratios = sample.aggregate(np.array(sample.statistics), 1.0)
    return ratios[:, 0], ratios[:, 1]


@pytest.mark.parametrize("pair", [("LATTICE-18", "HIT-SCIR-18"), ("ICS-PAS", "TurkuNLP-18")], ids="_".join)
def test_parsers(pair: tuple[str, str], data: Data, expected: Facts) -> None:
    folder = data("parsing_conll18_en_pud")
    facts = expected("parsing_conll18_en_pud")[f"uas_{pair[0]}_vs_{pair[1]}"]
    files = {name: folder / "systems" / f"{name}.conllu.gz" for name in pair}
    sample = nf.score("uas", files, folder / "gold.conllu.gz").pair(*pair)
    assert sample.score(0) - sample.score(1) == pytest.approx(facts["delta_micro_uas"], rel=1e-9)
    a, b = sentence_scores(sample)
    t = nf.test(a, b, "paired_t")
    assert [t.statistic, t.p_value] == pytest.approx(facts["sentence_uas_ttest_rel"], rel=1e-9)
    ranks = nf.test(a, b, "wilcoxon", **SCIPY)
    mirrored = nf.test(b, a, "wilcoxon", **SCIPY)
    assert min(ranks.statistic, mirrored.statistic) == facts["sentence_uas_wilcoxon_two_sided"][0]
    assert ranks.p_value == pytest.approx(facts["sentence_uas_wilcoxon_two_sided"][1], rel=1e-9)
    # Our default tells ties on one grid, not by binary noise, and has the exact null distribution.
    assert nf.test(a, b, "wilcoxon").p_value == pytest.approx(ranks.p_value, rel=0.1)
    heads = {
        name: [[word.head for word in sentence.words] for sentence in read_treebank(path, name).sentences]
        for name, path in (*files.items(), ("gold", folder / "gold.conllu.gz"))
    }
    right = [np.concatenate([np.equal(x, y) for x, y in zip(heads[name], heads["gold"], strict=True)]) for name in pair]
    assert list(mcnemar(*right)) == pytest.approx(facts["token_mcnemar_exact"], rel=1e-9)
    key = "paired_bootstrap_BK2012_p (delta*>2*delta, 10000 resamples of sentences, numpy default_rng(0), micro UAS)"
    ours = share(sample, "berg_kirkpatrick")
    assert ours == within(facts[key], ours)
    ours = share(sample, "percentile")
    assert ours == within(facts["share_of_resamples_with_delta<=0"], ours)
    # Without draws: one denominator for both systems.
    exact = nf.test(sample, "bootstrap", form="berg_kirkpatrick", alternative="greater")
    assert exact.computed.how == "exact"
    assert exact.p_value == within(facts[key], exact.p_value)


def test_tags_of_words(data: Data, expected: Facts) -> None:
    folder = data("parsing_conll18_en_pud")
    with gzip.open(folder / "per_sentence_counts.tsv.gz", "rt") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    wanted = expected("parsing_conll18_en_pud")["uas_las_upos_percent"]
    tables = {
        name: {"right": [row[f"{name}:upos"] for row in rows], "all": [row["n_tokens"] for row in rows]}
        for name in wanted
    }
    scores = nf.from_statistics(tables, "100*right/all", metric="upos")
    for name, figures in wanted.items():
        other = next(system for system in wanted if system != name)
        assert scores.pair(name, other).score(0) == pytest.approx(figures[2], abs=5.1e-5)


@pytest.fixture
def entities(data: Data, tmp_path: Path) -> tuple[nf.Sample, np.ndarray]:
    rows = [
        line.split("\t")
        for line in gzip.decompress((data("ner_conll03_tags") / "tags.tsv.gz").read_bytes()).decode().splitlines()[1:]
    ]
    for number, name in ((2, "gold"), (3, "elmo"), (4, "flair")):
        lines: list[str] = []
        for row in rows:
            lines += [""] if row[1] == "1" and lines else []
            lines.append(row[number])
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    sample = nf.score("span_f1", {n: tmp_path / n for n in ("flair", "elmo")}, tmp_path / "gold", cache=False).pair()
    return sample, np.array([row[2:5] for row in rows])


def test_entities(entities: tuple[nf.Sample, np.ndarray], expected: Facts) -> None:
    sample, tags = entities
    facts = expected("ner_conll03_tags")
    assert sample.score(0) - sample.score(1) == pytest.approx(facts["entity_f1_delta_second_minus_first"], rel=1e-9)
    tokens = facts["token_mcnemar_exact"]
    assert list(mcnemar(tags[:, 1] == tags[:, 0], tags[:, 2] == tags[:, 0])) == pytest.approx(
        [tokens["p"], tokens["n10 (first right, second wrong)"], tokens["n01"]], rel=1e-9
    )
    key = "bootstrap_BK2012_p (10000 sentence resamples, default_rng(0), delta* beyond 2*delta)"
    ours = share(sample, "berg_kirkpatrick")
    assert ours == within(facts[key], ours)
    ours = share(sample, "percentile")
    assert ours == within(facts["bootstrap_share_wrong_sign"], ours)
    drawn = nf.test(sample, "bootstrap", form="percentile", monte_carlo=OURS)
    assert drawn.interval is not None
    assert [drawn.interval.low, drawn.interval.high] == pytest.approx(
        facts["bootstrap_percentile_95ci_delta"], abs=3e-4
    )
    key = "approx_randomization_two_sided_p ((r+1)/(R+1), R=10000, swap per sentence)"
    swaps = nf.test(sample, "permutation", form="raw")
    assert swaps.computed.how == "exact"
    assert swaps.p_value == within(facts[key], swaps.p_value)


@pytest.mark.parametrize(
    "pair",
    [
        ("giza.grow-diagonal", "giza.grow-diagonal-final"),
        ("awesome-align", "giza.grow-diagonal"),
        ("giza.forward", "giza.reverse"),
    ],
    ids="_".join,
)
def test_alignments(pair: tuple[str, str], data: Data, expected: Facts) -> None:
    folder = data("alignment_enfr")
    facts = expected("alignment_enfr")[f"bootstrap_{pair[0]}_vs_{pair[1]}"]
    files = {name: folder / "systems" / f"{name}.txt" for name in pair}
    sample = nf.score("aer", files, folder / "gold.txt").pair(*pair)
    assert sample.score(1) - sample.score(0) == pytest.approx(facts["aer_b_minus_aer_a"], rel=1e-9)
    ours = share(sample, "berg_kirkpatrick")
    recorded = next(value for key, value in facts.items() if key.startswith("p_BK2012"))
    assert ours == within(recorded, ours)
    ours = share(sample, "percentile")
    assert ours == within(facts["share_delta_wrong_sign_or_zero"], ours)
    # The recorded ranks are those of this formula in doubles, noise in the last bit included.
    sure, possible, links, gold = np.moveaxis(np.array(sample.statistics), 2, 0)
    a, b = (1 - (sure + possible) / (links + gold)).T
    ranks, mirrored = nf.test(a, b, "wilcoxon", **SCIPY), nf.test(b, a, "wilcoxon", **SCIPY)
    assert min(ranks.statistic, mirrored.statistic) == facts["wilcoxon_sentence_aer_two_sided"][0]
    assert ranks.p_value == pytest.approx(facts["wilcoxon_sentence_aer_two_sided"][1], rel=1e-9)
    # With ties told exactly p moves by some per cent; the default's exact null distribution differs in far tails.
    assert nf.test(a, b, "wilcoxon", mode="normal").p_value == pytest.approx(ranks.p_value, rel=0.05)


@pytest.mark.parametrize("name", ["rouge1", "rouge2", "rougeL"])
def test_summaries(name: str, data: Data, expected: Facts) -> None:
    folder, facts = data("sum_compare_mt"), expected("sum_compare_mt")[f"{name}_sys1_vs_sys2"]
    metric = {"rouge1": "rouge_1", "rouge2": "rouge_2", "rougeL": "rouge_l"}[name]
    files = {system: folder / f"{system}.txt.gz" for system in ("sys1", "sys2")}
    sample = nf.score(metric, files, folder / "ref.txt.gz").pair()
    t = nf.test(sample, "paired_t")
    assert [t.statistic, t.p_value] == pytest.approx(facts["ttest_rel"], rel=1e-9)
    # The recorded ranks are those of rouge-score's own doubles, noise in the last bit included.
    scorer = rouge_scorer.RougeScorer([name], use_stemmer=False)
    texts = [
        gzip.decompress(path.read_bytes()).decode().splitlines() for path in (folder / "ref.txt.gz", *files.values())
    ]
    noisy = [
        [scorer.score(gold, line)[name].fmeasure for gold, line in zip(texts[0], lines, strict=True)]
        for lines in texts[1:]
    ]
    for zeros, key in (("drop", "wilcoxon"), ("pratt", "wilcoxon_pratt")):
        ranks = nf.test(*noisy, "wilcoxon", zeros=zeros, **SCIPY)
        mirrored = nf.test(noisy[1], noisy[0], "wilcoxon", zeros=zeros, **SCIPY)
        assert min(ranks.statistic, mirrored.statistic) == facts[key][0]
        assert ranks.p_value == pytest.approx(facts[key][1], rel=1e-9)
        # Differences that are equal tie in ours, where noise breaks them there: p moves by some per cent.
        assert nf.test(sample, "wilcoxon", zeros=zeros, mode="normal").p_value == pytest.approx(facts[key][1], rel=0.06)
    assert nf.describe(sample).ties == facts["zero_differences"]
    assert nf.effect(sample, "cohens_d").value == pytest.approx(facts["cohens_dz"], rel=1e-9)
