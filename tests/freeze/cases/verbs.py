"""The verbs in all their flavours, on the example files of the docs and on data at the edges."""

from __future__ import annotations

import io
import math
from functools import partial
from pathlib import Path
from typing import Any

import nofluke as nf
from freeze.cases import Cases
from nofluke.align import as_sample
from nofluke.studies import audit, by_test_size, calibration, domain, gains, multiplicity, sample_size_study, similarity
from nofluke.verbs.detectable_effect import detected, detected_in
from nofluke.verbs.power import planned
from nofluke.web.examples import example_scores, pair_in
from support.corpora import F1, GEOMETRIC, corpus_sample, tagging

EXAMPLES = Path(__file__).parent.parent.parent.parent / "docs" / "examples"
A = [0.31, 0.5, 0.75, 0.2, 0.9, 0.6, 0.44, 0.8, 0.3, 0.62, 0.55, 0.71]
B = [0.25, 0.5, 0.5, 0.3, 0.4, 0.3, 0.41, 0.7, 0.1, 0.6, 0.5, 0.7]
MORE = {"A": A, "B": B, "C": B[::-1], "D": A[::-1]}
BINARY = ([1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1] * 3, [0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1] * 3)
HOLES = {
    "A": [*A[:-1], math.nan],
    "B": [math.nan, *B[1:]],
    "C": [*B[:5], math.nan, *B[6:]],
}


def read(name: str, **columns: Any) -> Any:
    return nf.read(EXAMPLES / name, **columns)


def pair() -> Any:
    return read("translation.csv").pair("new", "baseline")


def clustered() -> Any:
    return read("answers.csv", cluster="document").pair("large", "small")


def holes() -> Any:
    """A table in which every system lacks another item."""
    rows = [
        f"i{place},{name},{score}"
        for name, column in HOLES.items()
        for place, score in enumerate(column)
        if not math.isnan(score)
    ]
    return nf.read(io.StringIO("\n".join(["item,system,score", *rows]) + "\n"))


def cases() -> Cases:
    return {
        **_compare(),
        **_rank(),
        **_replicate(),
        **_agree(),
        **_bayes(),
        **_power(),
        **_studies(),
        **_score(),
        **_built_in(),
    }


def _compare() -> Cases:
    ask = nf.compare
    corpus, smooth = corpus_sample(tagging(120, 3), F1), corpus_sample(tagging(80, 5), GEOMETRIC)
    return {
        "compare": lambda: ask(pair()),
        "compare, greater": lambda: ask(pair(), alternative="greater"),
        "compare, less": lambda: ask(pair(), alternative="less"),
        "compare, delta": lambda: ask(pair(), delta=0.01),
        "compare, margin": lambda: ask(pair(), margin=0.01),
        "compare, margin in a range": lambda: ask(pair(), margin=0.05, low=0, high=1),
        "compare, margin one-sided": lambda: ask(pair(), margin=0.02, alternative="greater"),
        "compare, margin of lists": lambda: ask(A, B, margin=0.05, low=0, high=1),
        "compare, clusters": lambda: ask(clustered()),
        "compare, clusters, margin": lambda: ask(clustered(), margin=0.05),
        "compare, clusters left out": lambda: ask(read("answers.csv").pair("large", "small")),
        "compare, bayes": lambda: ask(pair(), bayes=True, rope=0.01),
        "compare, bayes of answers": lambda: ask(*BINARY, bayes=True, rope=0.05),
        "compare, lower is better": lambda: ask(as_sample(A, B, higher_is_better=False)),
        "compare, lower is better, margin": lambda: ask(as_sample(A, B, higher_is_better=False), margin=0.05),
        "compare, identical": lambda: ask(A, A),
        "compare, identical answers, margin": lambda: ask(BINARY[0], BINARY[0], margin=0.05),
        "compare, one item": lambda: ask([0.5], [0.25]),
        "compare, two items": lambda: ask([0.5, 0.7], [0.25, 0.1]),
        "compare, constant difference": lambda: ask([0.5, 0.6, 0.7], [0.4, 0.5, 0.6]),
        "compare, undefined": lambda: ask([0.5, 0.6, 0.7], [0.4, 0.5, 0.6], method="paired_t"),
        "compare, alpha": lambda: ask(pair(), alpha=0.01),
        "compare, answers": lambda: ask(*BINARY),
        "compare, wilcoxon": lambda: ask(pair(), method="wilcoxon"),
        "compare, sign": lambda: ask(pair(), method="sign"),
        "compare, drawn": lambda: ask(pair(), method="permutation", monte_carlo=999, seed=5),
        "compare, bootstrap drawn": lambda: ask(pair(), method="bootstrap", monte_carlo=999, seed=5),
        "compare, paper's rules": lambda: ask(A, B, rules="zhu2020"),
        "compare, units": lambda: ask(read("translation.csv").pair("new", "baseline", unit=15)),
        "compare, corpus ratio": lambda: ask(corpus),
        "compare, corpus ratio, margin": lambda: ask(corpus, margin=0.05),
        "compare, corpus ratio by bootstrap": lambda: ask(corpus, method="bootstrap"),
        "compare, corpus smooth": lambda: ask(smooth, monte_carlo=999),
        "compare, corpus, lower is better": lambda: ask(corpus_sample(tagging(60, 8), F1, higher=False)),
        "compare, corpus, clusters": lambda: ask(
            corpus_sample(tagging(60, 9), F1, clusters=[number // 3 for number in range(60)])
        ),
        "describe": lambda: nf.describe(pair()),
        "describe answers": lambda: nf.describe(*BINARY),
        "recommend": lambda: nf.recommend(pair()),
        "recommend answers": lambda: nf.recommend(*BINARY),
        "recommend corpus": lambda: nf.recommend(corpus),
        "test corpus, raw": lambda: nf.test(corpus, "permutation", form="raw"),
        "test corpus, stopped": lambda: nf.test(smooth, "permutation", stop="decision", monte_carlo=9_999),
        "test corpus, stopped for its p": lambda: nf.test(smooth, "permutation", stop="p_value", monte_carlo=9_999),
        "test of counts": lambda: nf.test(nf.sample_from_counts(1502, 59, 101, 159), "mcnemar"),
        "test of units": lambda: nf.test(read("translation.csv").pair("new", "baseline", unit=15), "paired_t"),
    }


def _rank() -> Cases:
    board = partial(read, "leaderboard.csv")
    return {
        "rank": lambda: nf.rank(board()),
        **{
            f"rank, {adjust}": partial(_ranked, "leaderboard.csv", adjust=adjust)
            for adjust in ("bonferroni", "none", "bh", "by")
        },
        "rank, max_t": lambda: nf.rank(board(), adjust="max_t", n_resamples=1_999),
        "rank, pairs": lambda: nf.rank(board(), family="pairs"),
        "rank, baseline": lambda: nf.rank(board(), baseline="cedar"),
        "rank, all exact": lambda: nf.rank(board(), exact="all"),
        "rank, three": lambda: nf.rank(board(), systems=["ember", "atlas", "delta"]),
        "rank, units": lambda: nf.rank(board(), unit=10),
        "rank, bootstrap": lambda: nf.rank(board(), method="bootstrap"),
        "rank, datasets": lambda: nf.rank(read("domains.csv")),
        "rank, one dataset": lambda: nf.rank(read("domains.csv"), dataset="news"),
        "rank, shared task": lambda: nf.rank(read("shared-task.csv")),
        "rank, shared task, max_t": lambda: nf.rank(read("shared-task.csv"), adjust="max_t", n_resamples=999),
        "rank, clusters": lambda: nf.rank(read("answers.csv", cluster="document")),
        "rank, lists": lambda: nf.rank(MORE),
        "rank, lower is better": lambda: nf.rank(MORE, higher_is_better=False),
        "rank, identical": lambda: nf.rank({"A": A, "B": A, "C": B}),
        "rank, missing dropped": lambda: nf.rank(holes(), missing="drop"),
        "rank, missing pairwise": lambda: nf.rank(holes(), missing="pairwise"),
        "rank, missing pairwise, paired_t": lambda: nf.rank(holes(), missing="pairwise", method="paired_t"),
        "rank, not the same items": lambda: nf.rank({"A": A, "B": B[:-2], "C": B[::-1]}, method="mann_whitney"),
    }


def _ranked(name: str, **options: Any) -> Any:
    return nf.rank(read(name), **options)


def _replicate() -> Cases:
    given = {"de": 0.0004, "fr": 0.026, "it": 0.03, "pl": 0.6}
    found: Cases = {
        "replicate scores": lambda: nf.replicate(read("domains.csv")),
        "replicate scores, greater": lambda: nf.replicate(read("domains.csv"), alternative="greater"),
        "replicate scores by sign": lambda: nf.replicate(read("domains.csv"), method="sign"),
        "replicate two-sided p-values": lambda: nf.replicate(
            nf.read_p_values(EXAMPLES / "published.txt"), sided="two", alternative="two-sided"
        ),
        "replicate subset": lambda: nf.replicate(given, subset=["fr", "it"]),
        "replicate, false discovery rate": lambda: nf.replicate(given, fdr=True),
        "replicate metrics": lambda: nf.replicate(
            {"bleu": {"de": 0.001, "fr": 0.03}, "chrf": {"de": 0.002, "fr": 0.2}}
        ),
        "true discoveries": lambda: nf.true_discoveries(nf.replicate(given, dependence="positive"), ["fr", "it"]),
        "read p-values": lambda: nf.read_p_values(EXAMPLES / "published.txt"),
    }
    for dependence in ("unknown", "positive", "independent"):
        found[f"replicate p-values, {dependence}"] = partial(nf.replicate, given, dependence=dependence)
    for name in ("parsing-spacy", "parsing-redshift", "pos-tagging", "sentiment", "word-similarity"):
        found[f"example {name}"] = partial(_published, name)
    return found


def _published(name: str) -> Any:
    table = nf.example(name)
    return {
        "table": table,
        "replicate": nf.replicate(table),
        "both": nf.replicate(table, sided="two"),
        "holm": nf.correct(table, "holm"),
        "fisher": nf.combine(table, "fisher"),
    }


def _agree() -> Cases:
    def ratings() -> Any:
        return nf.read_ratings(EXAMPLES / "sentiment.csv")

    return {
        "agree": lambda: nf.agree(ratings()),
        "agree, width": lambda: nf.agree(ratings(), width=0.1),
        "agree, others": lambda: nf.agree(ratings(), "fleiss_kappa", others=["gwet_ac1", "conger_kappa"]),
        "agree, two": lambda: nf.agree(ratings(), "cohen_kappa", annotators=["ann", "bob"]),
        "agree, ordered": lambda: nf.agree(
            ratings(), "krippendorff_alpha", level="ordinal", categories=["negative", "neutral", "positive"]
        ),
        "agree, krippendorff's words": lambda: nf.agree(ratings(), rules="krippendorff"),
        "agree, numbers": lambda: nf.agree([[1, 2, 2], [3, 3, 4], [2, 2, 2], [5, 4, 5], [1, 1, 2], [4, 4, 4]]),
        "agree, all the same": lambda: nf.agree([["yes", "yes"]] * 8, "cohen_kappa"),
        "agree, counts": lambda: nf.agree(nf.ratings_from_matrix([[20, 5], [10, 15]], ["no", "yes"]), "cohen_kappa"),
    }


def _bayes() -> Cases:
    return {
        "bayes": lambda: nf.bayes(pair()),
        "bayes, rope": lambda: nf.bayes(pair(), rope=0.01),
        "bayes answers": lambda: nf.bayes(*BINARY, rope=0.05),
        "bayes datasets": lambda: nf.bayes(read("domains.csv"), rope=0.01),
        "bayes factor": lambda: nf.bayes(pair(), method="bayes_factor"),
    }


def _power() -> Cases:
    curve = nf.power_curve
    accuracies = {"accuracy_a": 0.9, "accuracy_b": 0.88, "disagreement": 0.1}
    return {
        "sample size": lambda: nf.sample_size(difference=0.01, sd=0.11),
        "sample size, one-sided": lambda: nf.sample_size(difference=0.01, sd=0.11, alternative="greater", power=0.9),
        "sample size, mcnemar": lambda: nf.sample_size("mcnemar", **accuracies),
        "sample size, tango": lambda: nf.sample_size("tango", margin=0.02, **accuracies),
        "sample size, welch": lambda: nf.sample_size("welch_t", difference=0.05, sd=0.2, sd_b=0.3),
        "sample size, sign": lambda: nf.sample_size("sign", prob_a_better=0.6),
        "sample size, many tests": lambda: nf.sample_size(difference=0.05, sd=0.2, tests=10),
        "sample size, clusters": lambda: nf.sample_size(difference=0.05, sd=0.2, design_effect=1.5),
        "sample size, datasets": lambda: nf.sample_size("replicate", difference=0.05, sd=0.2, datasets=5, claim=3),
        "power": lambda: nf.power(n=500, difference=0.01, sd=0.11),
        "power, planned": lambda: planned("mcnemar", n=500, **accuracies),
        "power, sign": lambda: planned("sign", n_untied=100, prob_a_better=0.6),
        "power, p10": lambda: nf.power("mcnemar", n=300, p10=0.1, p01=0.05),
        "power, datasets": lambda: planned("replicate", n=100, difference=0.05, sd=0.2, datasets=5, claim=3),
        "detectable effect": lambda: nf.detectable_effect(n=500, sd=0.11),
        "detectable effect, in full": lambda: detected("paired_t", n=50, sd=0.2),
        "detectable effect, sign": lambda: detected("sign", n_untied=80),
        "detectable effect, in data": lambda: detected_in(pair()),
        "detectable effect, in clusters": lambda: detected_in(clustered()),
        "power curve": lambda: curve(pair(), difference=0.01, sizes=[100, 400], iterations=60),
        "power curve, no effect stated": lambda: curve(pair(), sizes=3, iterations=40),
        "power curve, observed": lambda: curve(pair(), difference="observed", sizes=[200], iterations=40),
        "power curve, answers": lambda: curve(*BINARY, "mcnemar", difference=0.2, sizes=[30, 60], iterations=60),
        "power curve, margin": lambda: curve(pair(), margin=0.02, difference=0.0, sizes=[200], iterations=40),
        "power curve, normal": lambda: curve(pair(), form="normal", difference=0.01, sizes=[100, 400]),
        "power curve, wilcoxon": lambda: curve(A, B, "wilcoxon", difference=0.1, sizes=[10, 20], iterations=40),
        "power curve, corpus": lambda: curve(
            corpus_sample(tagging(60, 2), F1), difference=0.05, sizes=[60, 120], iterations=20
        ),
    }


def _studies() -> Cases:
    task = partial(read, "shared-task.csv")
    some = ["alder-1", "alder-2", "beech-1", "clover-3", "dahlia-4", "fern-2"]

    def board() -> Any:
        return read("leaderboard.csv")

    return {
        "study gains": lambda: gains(board()),
        "study gains, all": lambda: gains(task()),
        "study test size": lambda: by_test_size(board(), sizes=(50, 100)),
        "study similarity": lambda: similarity(board(), bins=2),
        "study domain": lambda: domain(
            task(), domains={f"i{item}": "first" if item <= 150 else "second" for item in range(1, 301)}
        ),
        "study calibration": lambda: calibration(board(), size=50, test_sets=20),
        "study calibration, bootstrap": lambda: calibration(board(), size=50, test_sets=5, method="bootstrap"),
        "study audit": lambda: audit(pair(), ["permutation", "wilcoxon", "sign"], iterations=200),
        "study multiplicity": lambda: multiplicity(datasets=20, effects=5, repetitions=300),
        "study multiplicity, dependent": lambda: multiplicity("dror", repetitions=100),
        "study sample size": lambda: sample_size_study(sizes=[30, 100], iterations=5),
        "study rank": lambda: nf.rank(task(), systems=some),
    }


def _built_in() -> Cases:
    """The simulated data that the app offers."""
    compared = {
        f"built-in {name}": partial(_compared, name, **pair_in(name))
        for name in ("questions", "documents", "close-call", "shared-task")
    }
    return {**compared, "built-in shared-task, ranked": lambda: nf.rank(example_scores("shared-task"))}


def _compared(name: str, **systems: str) -> Any:
    return nf.compare(example_scores(name).pair(**systems))


def _score() -> Cases:
    words = ["a b c", "d e f", "g h", "i j k l"]
    outputs = {"A": ["a b c", "d e f", "g h", "i j k"], "B": ["a b x", "d e f", "g x", "i j"]}
    parts = {"A": {"hits": [1, 1, 0], "all": [1, 2, 2]}, "B": {"hits": [1, 0, 0], "all": [1, 2, 2]}}
    return {
        "score and compare wer": lambda: nf.compare(nf.score("wer", outputs, words, cache=False).pair("A", "B")),
        "score and compare bleu": lambda: nf.compare(nf.score("bleu", outputs, words, cache=False).pair("A", "B")),
        "score own formula": lambda: nf.compare(nf.from_statistics(parts, "hits/all").pair()),
        "score own function": lambda: nf.compare(
            nf.score(_length, outputs, words, higher_is_better=False, cache=False).pair()
        ),
    }


def _length(output: str, gold: str) -> float:
    return abs(len(output) - len(gold))
