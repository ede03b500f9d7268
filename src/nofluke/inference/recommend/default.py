"""The default rules: the estimand is the mean (or the corpus metric) unless the user says otherwise."""

from __future__ import annotations

from nofluke.inference.recommend.rules import Facts, Rule, facts_of, judge
from nofluke.registry import TESTS
from nofluke.types import Choices, Sample


def _clustered(facts: Facts) -> bool:
    return facts.clusters > 0


def _always(facts: Facts) -> bool:
    return facts.n > 0


def _correlated(facts: Facts) -> bool:
    """Enough units to resample correlations: items are kind to it, clusters are not."""
    return facts.kind == "correlation" and (facts.clusters >= 50 if facts.clusters else facts.n >= 20)


def _averaged(facts: Facts) -> bool:
    return facts.datasets > 0


# Below, resampling within a dataset knows too little of it.
_FEW_IN_A_DATASET = 10

RULES: tuple[Rule, ...] = (
    Rule(
        "average of several datasets",
        _averaged,
        "permutation",
        "preferred",
        "choice.swaps_within_datasets",
        "Fisher 1935; Yeh 2000",
    ),
    Rule(
        "average of datasets of 10 or more items",
        lambda facts: _averaged(facts) and facts.smallest_dataset >= _FEW_IN_A_DATASET,
        "bootstrap",
        "allowed",
        "choice.resamples_within_datasets",
        "Efron and Tibshirani 1993",
    ),
    Rule(
        "a dataset of fewer than 10 items",
        _averaged,
        "bootstrap",
        "inappropriate",
        "choice.resamples_tiny_datasets",
        "Efron and Tibshirani 1993",
    ),
    *(
        Rule(
            "average of several datasets",
            _averaged,
            method,
            "inappropriate",
            "choice.no_weights",
            "Dror et al. 2017",
        )
        for method in ("paired_t", "sign", "wilcoxon", "mcnemar", "tango", "bootstrap_median", "bounded_mean")
    ),
    Rule(
        "correlations with gold",
        lambda facts: facts.kind == "correlation",
        "permutation",
        "preferred",
        "choice.swaps_on_one_scale",
        "Deutsch, Dror and Roth 2021",
    ),
    Rule(
        "correlations of 20 or more items with gold",
        _correlated,
        "bootstrap",
        "allowed",
        "choice.resamples_correlations",
        "Efron and Tibshirani 1993; Deutsch, Dror and Roth 2021",
    ),
    Rule(
        "corpus metric",
        lambda facts: facts.corpus,
        "permutation",
        "preferred",
        "choice.swaps_outputs",
        "Yeh 2000; Chung and Romano 2013",
    ),
    Rule(
        "corpus metric, 50 or more units",
        lambda facts: facts.corpus and (facts.clusters or facts.n) >= 50,
        "bootstrap",
        "allowed",
        "choice.resamples_outputs",
        "Berg-Kirkpatrick et al. 2012",
    ),
    *(
        Rule(
            "corpus metric",
            lambda facts: facts.corpus,
            method,
            "inappropriate",
            "choice.needs_item_scores",
            "Berg-Kirkpatrick et al. 2012",
        )
        for method in (
            "paired_t",
            "sign",
            "wilcoxon",
            "mcnemar",
            "tango",
            "bootstrap_median",
            "one_lost_item",
            "bounded_mean",
        )
    ),
    Rule(
        "items in clusters",
        _clustered,
        "permutation",
        "preferred",
        "choice.swaps_clusters",
        "Fisher 1935; Yeh 2000",
    ),
    Rule(
        "50 or more clusters",
        lambda facts: facts.clusters >= 50,
        "bootstrap",
        "allowed",
        "choice.resamples_clusters",
        "Efron and Tibshirani 1993",
    ),
    Rule(
        "fewer than 50 clusters",
        _clustered,
        "bootstrap",
        "inappropriate",
        "choice.few_clusters",
        "Cameron, Gelbach and Miller 2008",
    ),
    *(
        Rule("items in clusters", _clustered, method, "inappropriate", "choice.ignores_clusters", "Miller 2024")
        for method in ("paired_t", "sign", "wilcoxon", "mcnemar", "tango", "bootstrap_median")
    ),
    Rule(
        "scores are 0 or 1",
        lambda facts: facts.binary,
        "mcnemar",
        "preferred",
        "choice.right_and_wrong",
        "McNemar 1947",
    ),
    Rule(
        "scores are not 0 or 1",
        _always,
        "mcnemar",
        "inappropriate",
        "choice.only_zero_one",
        "McNemar 1947",
    ),
    Rule(
        "scores are 0 or 1",
        lambda facts: facts.binary,
        "permutation",
        "allowed",
        "choice.as_mcnemar",
        "Fisher 1935; Yeh 2000",
    ),
    Rule(
        "independent items",
        _always,
        "permutation",
        "preferred",
        "choice.swaps_items",
        "Fisher 1935; Yeh 2000",
    ),
    Rule(
        "scores are 0 or 1",
        lambda facts: facts.binary,
        "tango",
        "allowed",
        "choice.for_margins",
        "Tango 1998",
    ),
    Rule("scores are not 0 or 1", _always, "tango", "inappropriate", "choice.only_zero_one", "Tango 1998"),
    Rule(
        "30 or more items",
        lambda facts: facts.n >= 30,
        "paired_t",
        "allowed",
        "choice.many_items",
        "Student 1908",
    ),
    Rule(
        "2 to 29 items",
        lambda facts: facts.n >= 2,
        "paired_t",
        "allowed",
        "choice.few_items",
        "Student 1908",
    ),
    Rule("1 item", _always, "paired_t", "inappropriate", "choice.one_item", "Student 1908"),
    Rule(
        "50 or more items",
        lambda facts: facts.n >= 50,
        "bootstrap",
        "allowed",
        "choice.resamples_items",
        "Berg-Kirkpatrick et al. 2012",
    ),
    Rule(
        "fewer than 50 items",
        _always,
        "bootstrap",
        "inappropriate",
        "choice.resamples_few",
        "Berg-Kirkpatrick et al. 2012",
    ),
    Rule(
        "independent items",
        _always,
        "wilcoxon",
        "allowed",
        "choice.asks_symmetry",
        "Wilcoxon 1945",
    ),
    Rule(
        "independent items",
        _always,
        "sign",
        "allowed",
        "choice.asks_items",
        "Dixon and Mood 1946",
    ),
    Rule(
        "at most half of the items tied",
        lambda facts: facts.tied_share <= 0.5,
        "bootstrap_median",
        "allowed",
        "choice.asks_median",
        "Efron and Tibshirani 1993",
    ),
    Rule(
        "more than half of the items tied",
        _always,
        "bootstrap_median",
        "inappropriate",
        "choice.median_of_ties",
        "Efron and Tibshirani 1993",
    ),
    Rule(
        "independent items",
        _always,
        "bounded_mean",
        "allowed",
        "choice.range_only",
        "Waudby-Smith and Ramdas 2024",
    ),
    Rule(
        "scores are 0 or 1, without clusters",
        lambda facts: facts.binary and not facts.clusters,
        "one_lost_item",
        "allowed",
        "choice.tango_instead",
        "Student 1908; Cameron and Miller 2015",
    ),
    Rule(
        "other scores, or items in clusters",
        _always,
        "one_lost_item",
        "allowed",
        "choice.for_margins",
        "Student 1908; Cameron and Miller 2015",
    ),
    *(
        Rule("paired scores", _always, method, "inappropriate", "choice.ignores_pairing", "Dror et al. 2018")
        for method in ("student_t", "welch_t", "mann_whitney", "chi_square")
    ),
    Rule(
        "items are folds",
        lambda facts: facts.folds > 0,
        "corrected_resampled_t",
        "allowed",
        "choice.corrects_for_folds",
        "Nadeau and Bengio 2003",
    ),
    Rule(
        "items are test items",
        _always,
        "corrected_resampled_t",
        "inappropriate",
        "choice.for_folds",
        "Nadeau and Bengio 2003",
    ),
)


def judge_by_default(facts: Facts) -> Choices:
    """Judge every test by the default rules; the preferred one comes first."""
    return judge("default", tuple(rule for rule in RULES if rule.method in TESTS), facts)


def preferred(sample: Sample) -> str:
    """Give the name of the test that the default rules prefer."""
    return judge_by_default(facts_of(sample)).preferred
