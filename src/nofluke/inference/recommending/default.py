"""The default rules: the estimand is the mean (or the corpus metric) unless the user says otherwise."""

from __future__ import annotations

from nofluke.inference.recommending.rules import Facts, Rule


def _clustered(facts: Facts) -> bool:
    return facts.clusters > 0


def _always(facts: Facts) -> bool:
    return facts.n > 0


_IGNORES_CLUSTERS = "takes items as independent; items of one cluster are not"
_IGNORES_PAIRING = "ignores that both systems were scored on the same items, and so loses power or errs"

_NOT_A_MEAN = "works on scores of single items, and this metric is not their mean"


def _correlated(facts: Facts) -> bool:
    """Enough units to resample correlations: items are kind to it, clusters are not."""
    return facts.kind == "correlation" and (facts.clusters >= 50 if facts.clusters else facts.n >= 20)


RULES: tuple[Rule, ...] = (
    Rule(
        "correlations with gold",
        lambda facts: facts.kind == "correlation",
        "permutation",
        "preferred",
        "swaps the scores of A and B after putting them on one scale, and assumes that they are exchangeable there; "
        "formulas for normal scores (nf.correlation_test: steiger, williams) reject too often otherwise",
        "Deutsch, Dror and Roth 2021",
    ),
    Rule(
        "correlations of 20 or more items with gold",
        _correlated,
        "bootstrap",
        "allowed",
        "resamples items and correlates each resample anew; rejects too often where scores have long tails",
        "Efron and Tibshirani 1993; Deutsch, Dror and Roth 2021",
    ),
    Rule(
        "corpus metric",
        lambda facts: facts.corpus,
        "permutation",
        "preferred",
        "swaps whole outputs and recomputes the metric from their statistics; ratios divided by their standard error",
        "Yeh 2000; Chung and Romano 2013",
    ),
    Rule(
        "corpus metric, 50 or more units",
        lambda facts: facts.corpus and (facts.clusters or facts.n) >= 50,
        "bootstrap",
        "allowed",
        "resamples items with their statistics; approximate, and the one to take with a margin",
        "Berg-Kirkpatrick et al. 2012",
    ),
    *(
        Rule(
            "corpus metric",
            lambda facts: facts.corpus,
            method,
            "inappropriate",
            _NOT_A_MEAN,
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
        "swaps whole clusters, so items of one cluster may depend on each other",
        "Fisher 1935; Yeh 2000",
    ),
    Rule(
        "50 or more clusters",
        lambda facts: facts.clusters >= 50,
        "bootstrap",
        "allowed",
        "resamples whole clusters; approximate, but for 50 or more clusters close",
        "Efron and Tibshirani 1993",
    ),
    Rule(
        "fewer than 50 clusters",
        _clustered,
        "bootstrap",
        "inappropriate",
        "with so few clusters resampling them finds differences that are not there",
        "Cameron, Gelbach and Miller 2008",
    ),
    *(
        Rule("items in clusters", _clustered, method, "inappropriate", _IGNORES_CLUSTERS, "Miller 2024")
        for method in ("paired_t", "sign", "wilcoxon", "mcnemar", "tango", "bootstrap_median")
    ),
    Rule(
        "scores are 0 or 1",
        lambda facts: facts.binary,
        "mcnemar",
        "preferred",
        "exact for pairs of right and wrong answers; only items on which the systems differ count",
        "McNemar 1947",
    ),
    Rule(
        "scores are not 0 or 1",
        _always,
        "mcnemar",
        "inappropriate",
        "is for scores that are 0 or 1",
        "McNemar 1947",
    ),
    Rule(
        "scores are 0 or 1",
        lambda facts: facts.binary,
        "permutation",
        "allowed",
        "on 0/1 scores it gives the same p-value as McNemar's exact test",
        "Fisher 1935; Yeh 2000",
    ),
    Rule(
        "independent items",
        _always,
        "permutation",
        "preferred",
        "tests the mean difference and assumes only that A and B could be swapped on each item",
        "Fisher 1935; Yeh 2000",
    ),
    Rule(
        "scores are 0 or 1",
        lambda facts: facts.binary,
        "tango",
        "allowed",
        "the test to take when a margin is given (no worse by more than m)",
        "Tango 1998",
    ),
    Rule("scores are not 0 or 1", _always, "tango", "inappropriate", "is for scores that are 0 or 1", "Tango 1998"),
    Rule(
        "30 or more items",
        lambda facts: facts.n >= 30,
        "paired_t",
        "allowed",
        "tests the mean difference; with this many items the mean is close to normal unless the data are very skewed",
        "Student 1908",
    ),
    Rule(
        "2 to 29 items",
        lambda facts: facts.n >= 2,
        "paired_t",
        "allowed",
        "tests the mean difference, but with few items it is only right when differences are normal",
        "Student 1908",
    ),
    Rule("1 item", _always, "paired_t", "inappropriate", "a single difference has no spread", "Student 1908"),
    Rule(
        "50 or more items",
        lambda facts: facts.n >= 50,
        "bootstrap",
        "allowed",
        "tests the mean difference; approximate, in far tails too optimistic",
        "Berg-Kirkpatrick et al. 2012",
    ),
    Rule(
        "fewer than 50 items",
        _always,
        "bootstrap",
        "inappropriate",
        "with few items it finds differences that are not there (size .07 instead of .05 at 10 items)",
        "Berg-Kirkpatrick et al. 2012",
    ),
    Rule(
        "independent items",
        _always,
        "wilcoxon",
        "allowed",
        "answers another question: are differences symmetric about 0? It does not test the mean",
        "Wilcoxon 1945",
    ),
    Rule(
        "independent items",
        _always,
        "sign",
        "allowed",
        "answers another question: on how many items is A better, not by how much",
        "Dixon and Mood 1946",
    ),
    Rule(
        "at most half of the items tied",
        lambda facts: facts.tied_share <= 0.5,
        "bootstrap_median",
        "allowed",
        "answers another question: the median of the differences, not the mean",
        "Efron and Tibshirani 1993",
    ),
    Rule(
        "more than half of the items tied",
        _always,
        "bootstrap_median",
        "inappropriate",
        "the median of the differences is 0 because most items are tied",
        "Efron and Tibshirani 1993",
    ),
    Rule(
        "independent items",
        _always,
        "bounded_mean",
        "allowed",
        "makes no assumption but the range of the scores; very cautious",
        "Waudby-Smith and Ramdas 2024",
    ),
    Rule(
        "scores are 0 or 1, without clusters",
        lambda facts: facts.binary and not facts.clusters,
        "one_lost_item",
        "allowed",
        "for margins on other scores; on 0/1 scores 'tango' is the better one",
        "Student 1908; Cameron and Miller 2015",
    ),
    Rule(
        "other scores, or items in clusters",
        _always,
        "one_lost_item",
        "allowed",
        "the test to take when a margin is given (no worse by more than m)",
        "Student 1908; Cameron and Miller 2015",
    ),
    *(
        Rule("paired scores", _always, method, "inappropriate", _IGNORES_PAIRING, "Dror et al. 2018")
        for method in ("student_t", "welch_t", "mann_whitney", "chi_square")
    ),
    Rule(
        "items are test items",
        _always,
        "corrected_resampled_t",
        "inappropriate",
        "is for scores of overlapping training sets (cross-validation folds), not for test items",
        "Nadeau and Bengio 2003",
    ),
)
