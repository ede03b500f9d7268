"""Why a test fits the data or does not: each reason completes "it ..."."""

from __future__ import annotations

from nofluke.words.notes import Sayings


def _skewed(skewness: float) -> str:
    degree = "slightly" if abs(skewness) < 1 else "highly"
    return f"the differences are {degree} skewed ({skewness:.2f})"


SAYINGS: Sayings = {
    "swaps_on_one_scale": "swaps the scores of both systems on one scale, where it takes them as exchangeable; "
    "formulas for normal scores (steiger, williams) reject too often otherwise",
    "resamples_correlations": "resamples items and computes the correlations again; it rejects too often when scores "
    "have long tails",
    "swaps_outputs": "swaps whole outputs and recomputes the metric; a ratio is divided by its standard error",
    "resamples_outputs": "resamples items and recomputes the metric; it is approximate, and the choice with a margin",
    "needs_item_scores": "works on scores of single items, and this metric is not their mean",
    "swaps_within_datasets": "swaps item by item within every dataset, and is exact for the weighted average",
    "resamples_within_datasets": "resamples the items of every dataset; a close approximation",
    "resamples_tiny_datasets": "resamples within every dataset, and a dataset of fewer than 10 items is too small",
    "no_weights": "lets every item count the same, and this is an average of datasets",
    "swaps_clusters": "swaps whole clusters, so items of one cluster may depend on each other",
    "resamples_clusters": "resamples whole clusters; it is a close approximation from 50 clusters on",
    "few_clusters": "finds differences that are not there when so few clusters are resampled",
    "ignores_clusters": "takes items as independent, and items of one cluster are not",
    "right_and_wrong": "is exact for pairs of right and wrong answers; only items on which the systems differ count",
    "only_zero_one": "is for scores that are 0 or 1",
    "as_mcnemar": "gives the same p-value as McNemar's exact test on 0/1 scores",
    "swaps_items": "tests the mean difference, and assumes only that the two systems could be swapped on each item",
    "for_margins": "is the choice when a margin is given",
    "tango_instead": "is for margins on other scores; on 0/1 scores tango is better",
    "many_items": "tests the mean difference; with this many items the mean is close to normal unless the data are "
    "very skewed",
    "few_items": "tests the mean difference; with few items it is valid only for normal differences",
    "one_item": "needs a standard deviation, and a single difference has none",
    "resamples_items": "tests the mean difference; it is approximate, and too optimistic for very small p-values",
    "resamples_few": "finds differences that are not there when items are few (in 7 of 100 test sets of 10 items, "
    "instead of 5)",
    "asks_symmetry": "asks another question: are the differences symmetric about 0? It does not test the mean",
    "asks_items": "asks another question: which system is better on more items? It ignores by how much",
    "asks_median": "asks another question: is the median of the differences 0? It does not test the mean",
    "median_of_ties": "has nothing to test: the median of the differences is 0 because most items are tied",
    "range_only": "assumes nothing but the range of the scores; it is very cautious",
    "ignores_pairing": "ignores that both systems were scored on the same items, and so loses power or errs",
    "corrects_for_folds": "is the test for folds, which share training data; it has to be told the test share rho",
    "for_folds": "is for scores of overlapping training sets (cross-validation folds), not for test items",
    # The procedure of Zhu et al. (2020).
    "zhu_normal": "has the most power, because the differences pass the normality test",
    "zhu_symmetry_less_power": "assumes only symmetry; it has less power than t on normal data",
    "zhu_free_less_power": "assumes no distribution; it has less power than t on normal data",
    "zhu_least_power": "assumes nothing; it has the least power",
    "zhu_symmetry": "assumes symmetry, but no particular distribution",
    "zhu_free": "assumes no particular distribution",
    "zhu_not_normal": "assumes normal differences, and these fail the normality test",
    "zhu_median": lambda skewness: f"tests the median and assumes nothing; {_skewed(skewness)}",
    "zhu_median_resampled": lambda skewness: f"tests the median by resampling; {_skewed(skewness)}",
    "zhu_skewed_symmetry": lambda skewness: f"assumes symmetry, and {_skewed(skewness)}",
    "zhu_skewed_normal": lambda skewness: f"assumes normal differences, and {_skewed(skewness)}",
    "zhu_skewed_mean": lambda skewness: f"tests the mean, and {_skewed(skewness)}",
    "looked_first": "The zhu2020 rules look at the differences before they choose the test. False alarms can rise from "
    "5% to 7.9% (best of four tests, 30 items); the default rules avoid this.",
}
