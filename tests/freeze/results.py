"""A small result of every kind and flavour, to be kept as this version writes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

import nofluke as nf
from freeze.cases.verbs import BINARY, MORE, A, B, clustered, holes, pair, read
from nofluke.align import as_sample
from nofluke.studies import (
    audit,
    by_test_size,
    calibration,
    domain,
    gains,
    multiplicity,
    sample_size_study,
    similarity,
    synthesize,
    synthesized,
)
from nofluke.types import Value
from nofluke.verbs.correct import correct_named
from nofluke.verbs.detectable_effect import detected, detected_in
from nofluke.verbs.power import planned
from nofluke.verbs.score import scored
from support.corpora import F1, corpus_sample, tagging

LABELS = ["yes", "no", "yes", "yes", "no", "maybe", "no", "no", "yes"]
GIVEN = {"de": 0.0004, "fr": 0.026, "it": 0.03, "pl": 0.6}
TEXTS = {"new": ["a b c", "d e f", "g h"], "old": ["a b x", "d e f", "g x"]}
GOLD = ["a b c", "d e f", "g h"]
ACCURACIES: dict[str, Any] = {"accuracy_a": 0.9, "accuracy_b": 0.88, "disagreement": 0.1}


def sample(**options: Any) -> Any:
    return as_sample(A, B, names=("new", "old"), **options)


def _also_run() -> Value:
    """As the app tells it: other tests were tried on the same data."""
    found = nf.compare(sample())
    others = tuple(nf.test(sample(), name) for name in ("sign", "wilcoxon"))
    return dataclasses.replace(found, also_run=others)


class _Majority:
    """The dullest classifier."""

    def fit(self, _x: Any, y: Any) -> None:
        self.answer = max(sorted(set(y.tolist())), key=y.tolist().count)

    def predict(self, x: Any) -> Any:
        return np.full(len(x), self.answer)


def _synthesized() -> Value:
    x, y = np.arange(40.0)[:, None], (np.arange(40) % 3 == 0).astype(int)
    return synthesized(synthesize({"majority": _Majority()}, (x, y), (x[:9], y[:9]), sizes=[10, 40], systems=2))


COMPARISONS: dict[str, Callable[[], Value]] = {
    "comparison": lambda: nf.compare(sample()),
    "comparison_also_run": _also_run,
    "comparison_answers": lambda: nf.compare(*BINARY),
    "comparison_bootstrap": lambda: nf.compare(sample(), method="bootstrap"),
    "comparison_clusters": lambda: nf.compare(clustered()),
    "comparison_corpus": lambda: nf.compare(corpus_sample(tagging(40, 3), F1)),
    "comparison_drawn": lambda: nf.compare(sample(), method="permutation", monte_carlo=199, seed=5),
    "comparison_greater": lambda: nf.compare(sample(), alternative="greater"),
    "comparison_identical": lambda: nf.compare(A, A),
    "comparison_lower_is_better": lambda: nf.compare(sample(higher_is_better=False), margin=0.05),
    "comparison_margin": lambda: nf.compare(sample(), margin=0.05, low=0, high=1),
    "comparison_margin_undecided": lambda: nf.compare(sample(), margin=0.001, low=0, high=1),
    "comparison_not_separated": lambda: nf.compare(B, B[::-1]),
    "comparison_posterior": lambda: nf.compare(sample(), bayes=True, rope=0.05),
    "comparison_sign": lambda: nf.compare(sample(), method="sign"),
    "comparison_translation": lambda: nf.compare(pair()),
    "comparison_undefined": lambda: nf.compare([0.5, 0.6, 0.7], [0.4, 0.5, 0.6], method="paired_t"),
    "comparison_units": lambda: nf.compare(read("translation.csv").pair("new", "baseline", unit=40)),
    "comparison_wilcoxon": lambda: nf.compare(sample(), method="wilcoxon"),
    "comparison_worse": lambda: nf.compare(B, A, rules="zhu2020"),
}
TESTS: dict[str, Callable[[], Value]] = {
    "choices": lambda: nf.recommend(sample()),
    "correlation": lambda: nf.correlation(A, B, "kendall"),
    "correlation_test": lambda: nf.correlation_test(0.6, 0.4, 0.7, 200, "meng"),
    "estimate": lambda: nf.effect(sample(), "cohens_d"),
    "estimate_bayes_factor": lambda: nf.bayes(sample(), method="bayes_factor"),
    "estimate_odds_ratio": lambda: nf.effect(*BINARY, "odds_ratio"),
    "omnibus": lambda: nf.omnibus(np.array(list(MORE.values())).T),
    "profile": lambda: nf.describe(sample()),
    "profile_answers": lambda: nf.describe(*BINARY),
    "test_counts": lambda: nf.test(nf.sample_from_counts(1502, 59, 101, 159), "mcnemar"),
    "test_drawn": lambda: nf.test(sample(), "bootstrap", monte_carlo=199),
    "test_infinite_interval": lambda: nf.test(sample(), "paired_t", alternative="greater"),
    "test_sign": lambda: nf.test(sample(), "sign"),
    "test_unpaired": lambda: nf.test(A, B[:-2], "mann_whitney"),
}
FAMILIES: dict[str, Callable[[], Value]] = {
    "corrected": lambda: correct_named({"de": 0.001, "fr": 0.04, "it": 0.3}, "holm"),
    "metrics_replication": lambda: nf.replicate(
        {"bleu": {"de": 0.001, "fr": 0.03}, "chrf": {"de": 0.002, "fr": 0.2}}, a="new", b="old"
    ),
    "ranking": lambda: nf.rank(MORE),
    "ranking_baseline": lambda: nf.rank(MORE, baseline="B"),
    "ranking_clusters": lambda: nf.rank(read("answers.csv", cluster="document")),
    "ranking_datasets": lambda: nf.rank(
        {name: [0.7 + 0.01 * place, 0.6, 0.8, 0.75, 0.9, 0.66] for place, name in enumerate("ABC")}
    ),
    "ranking_max_t": lambda: nf.rank(MORE, adjust="max_t", n_resamples=199),
    "ranking_of_domains": lambda: nf.rank(read("domains.csv")),
    "ranking_pairs": lambda: nf.rank(MORE, family="pairs", adjust="bh"),
    "ranking_pairwise_missing": lambda: nf.rank(holes(), missing="pairwise"),
    "ranking_unpaired": lambda: nf.rank({"A": A, "B": B[:-2], "C": B[::-1]}, method="mann_whitney"),
    "replication": lambda: nf.replicate(GIVEN),
    "replication_both_ways": lambda: nf.replicate(read("domains.csv")),
    "replication_published": lambda: nf.replicate(nf.example("word-similarity")),
    "replication_subset": lambda: nf.replicate(GIVEN, subset=["fr", "it"], dependence="positive", fdr=True),
}
OTHERS: dict[str, Callable[[], Value]] = {
    "agreement": lambda: nf.agree({"ann": LABELS, "bob": LABELS[::-1]}, "cohen_kappa"),
    "agreement_all_the_same": lambda: nf.agree([["yes", "yes"]] * 8, "cohen_kappa"),
    "agreement_three": lambda: nf.agree(
        {"ann": LABELS, "bob": LABELS[::-1], "eve": [*LABELS[:4], None, *LABELS[5:]]},
        others=["fleiss_kappa"],
        width=0.2,
    ),
    "detectable_effect": lambda: detected("paired_t", n=50, sd=0.2),
    "detectable_effect_in_data": lambda: detected_in(sample()),
    "planned_power": lambda: planned("mcnemar", n=500, **ACCURACIES),
    "planned_power_replicate": lambda: planned("replicate", n=100, difference=0.05, sd=0.2, datasets=5, claim=3),
    "posterior": lambda: nf.bayes(sample(), rope=0.05),
    "posterior_answers": lambda: nf.bayes(*BINARY, rope=0.05),
    "posterior_datasets": lambda: nf.bayes({"x": (A, B), "y": (B, A), "z": (A, B[::-1])}, rope=0.05),
    "posterior_signed_rank": lambda: nf.bayes(A, B, "signed_rank", rope=0.05),
    "power_curve": lambda: nf.power_curve(sample(), sizes=4, iterations=20),
    "power_curve_stated": lambda: nf.power_curve(sample(), difference=0.1, sizes=[12, 30], iterations=20),
    "sample_size": lambda: nf.sample_size(difference=0.05, sd=0.2),
    "sample_size_mcnemar": lambda: nf.sample_size("mcnemar", **ACCURACIES),
    "sample_size_replicate": lambda: nf.sample_size("replicate", difference=0.05, sd=0.2, datasets=5, claim=3),
    "scored": lambda: scored(nf.score("accuracy", {"new": LABELS, "old": LABELS[::-1]}, LABELS, cache=False)),
    "scored_wer": lambda: scored(nf.score("wer", TEXTS, GOLD, cache=False)),
}
STUDIES: dict[str, Callable[[], Value]] = {
    "study_audit": lambda: audit(sample(), ["permutation", "sign"], iterations=100),
    "study_by_test_size": lambda: by_test_size(read("leaderboard.csv"), sizes=(50, 100)),
    "study_calibration": lambda: calibration(read("leaderboard.csv"), size=20, test_sets=5),
    "study_domain": lambda: domain(
        read("leaderboard.csv"), domains={f"p{i}": "first" if i <= 60 else "second" for i in range(1, 121)}
    ),
    "study_gains": lambda: gains(MORE),
    "study_multiplicity": lambda: multiplicity(datasets=6, effects=2, repetitions=50),
    "study_sample_size": lambda: sample_size_study(sizes=[30, 100], iterations=3),
    "study_similarity": lambda: similarity(read("leaderboard.csv"), bins=2),
    "study_synthesized": _synthesized,
}
RESULTS = {**COMPARISONS, **TESTS, **FAMILIES, **OTHERS, **STUDIES}
# Commands in docs/examples: their files tell of the run, too.
COMMANDS = {
    "run_agree": "agree sentiment.csv",
    "run_compare": "compare translation.csv --alpha 0.1",
    "run_power_plan": "power plan --difference 0.01 --sd 0.11",
    "run_rank": "rank leaderboard.csv --baseline cedar",
    "run_replicate": "replicate published.txt --sided two",
    "run_study": "study gains leaderboard.csv",
    "run_test": "test translation.csv --method permutation --monte-carlo 999 --seed 7",
}
# What is part of other values, or is given to verbs: it has no report of its own.
PARTS: dict[str, Callable[[], Value]] = {
    "part_p_values": lambda: nf.example("sentiment"),
    "part_interval": lambda: nf.test(sample(), "paired_t", alternative="greater").interval,  # type: ignore[return-value]
}
