"""Notes of rooms with few: choices, effect sizes, intervals, correlations, all systems at once, ways of computing."""

from __future__ import annotations

from nofluke.errors import Fix, Option, Verb
from nofluke.words.notes import Sayings

# The engine's names of its ways.
_PATHS = {
    "support": "read off the range of possible sums",
    "binomial": "from the binomial distribution",
    "mixture": "from a mixture of binomial distributions",
    "enumeration": "by counting all patterns",
    "counting": "by counting all patterns",
    "dynamic programming": "by counting all patterns",
    "lattice": "by Fourier inversion",
    "inversion": "by Fourier inversion",
    "saddlepoint": "by a saddlepoint approximation",
}


COMPUTED: Sayings = {
    "path": lambda path: _PATHS.get(path, f"by {path}"),
    "normal": "by the normal approximation",
    "normal_ties": "by the normal approximation, corrected for ties",
    "score": "by the score test",
    "unconditional": "unconditionally, over all tables ordered by the score statistic",
    "slides": "by the formula of the slides",
    "few_behind_score": "a score that rests on so few items allows no smaller p-value",
    "exceedances": "{hits:draw} as extreme as the data",
    "linear": "linear part {p:.3g}, corrected by {disagreements:draw} that differ",
}

CORRELATION: Sayings = {
    "for_pearson": Fix(
        "The formula is for Pearson correlations. For rank correlations it is an approximation, and resampling items "
        "is safer: ",
        Verb("compare"),
        ".",
    ),
}

DESCRIBE: Sayings = {
    "close_scores_tie": lambda step: (
        f"Scores have more digits than floating point keeps exactly; differences below {step:.1g} count as ties."
    ),
    "same_scores": "{a} and {b} have the same score on every item.",
}

INTERVAL: Sayings = {
    "contains_rejected": "The p-value rejects a difference of {null} at this level. The {method} interval comes from "
    "another test and still contains it: decide by the p-value.",
    "extended": "The {method} interval alone is {low:.4g} to {high:.4g} and excludes {null}, which the p-value does "
    "not reject. It was extended to {null}, so that both say the same.",
    "too_few": "There are too few items ({n}) for an interval of {level:.0%}: even the whole range of the differences "
    "would reach only {achieved:.1%}.",
}

OMNIBUS: Sayings = {
    "nothing_differs": "All systems have the same score on every dataset: nothing favours any of them, so p = 1.",
    "right_on_same_items": "All systems are right on the same items: nothing favours any of them, so p = 1.",
    "w_undefined": "W is undefined then.",
    "one_dataset": "One dataset has no spread to compare the systems with, so F is undefined.",
    "all_alike": "All datasets order the systems alike, so F is infinite. p is the chance of that under random orders.",
    "few_informative": "The systems differ on only {n:item}, so the chi-square approximation is rough.",
    "few_datasets": "With {datasets:dataset} and {systems:system} the p-value is a rough approximation.",
}


def _skewed(skewness: float) -> str:
    degree = "slightly" if abs(skewness) < 1 else "highly"
    return f"the differences are {degree} skewed ({skewness:.2f})"


CHOICE: Sayings = {
    "swaps_on_one_scale": "swaps the scores of both systems on one scale, where it takes them as exchangeable; "
    "formulas for normal scores (steiger, williams) reject too often otherwise",
    "resamples_correlations": "resamples items and computes the correlations again; it rejects too often when scores "
    "have long tails",
    "swaps_outputs": "swaps whole outputs and recomputes the metric; a ratio is divided by its standard error",
    "resamples_outputs": "resamples items and recomputes the metric; it is approximate, and the choice with a margin",
    "needs_item_scores": "works on scores of single items, and this metric is not their mean",
    "swaps_within_datasets": "swaps the systems item by item, each item with its share in the average; it is exact at "
    "any number of items",
    "resamples_within_datasets": "resamples items within each dataset; it is approximate, and finds differences that "
    "are not there where a dataset of few items weighs much",
    "resamples_tiny_datasets": "would resample a dataset of fewer than 10 items, too few to stand for others",
    "no_weights": "is for one dataset, and knows no weighted average of several",
    "mover_instead": "is for margins on other scores; on averages of 0/1 scores mover is better",
    "never_after_looking": "is valid if it was chosen before the data were seen; it is less cautious than swaps where "
    "datasets differ, and unreliable where one has few items that differ",
    "items_and_runs": "allows for both: other items, and other training runs of the same systems",
    "ignores_runs": "takes these checkpoints as given, and the claim is about training",
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
    "ignores_pairing": "ignores that both systems were scored on the same items, which costs power or validity",
    "corrects_for_folds": "is the test for folds, which share training data; it needs the test share rho",
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


def _undefined(reason: str) -> str:
    return f"{reason}, so {{symbol}} is undefined."


EFFECT: Sayings = {
    "several_datasets": "This is an average over datasets, and the usual standard error and interval are for one "
    "dataset: none is given. The test has its own.",
    "clusters": "Items come in clusters, and the usual standard error and interval treat items as independent: none is "
    "given.",
    "equal_differences": "All differences are equal, so there is no spread to make an interval from.",
    "single_item": "A single item has no spread, so there is no standard error or interval.",
    "single_score": "A single score has no spread, so there is no standard error or interval.",
    "every_pair_ties": "Every pair of scores ties, so there is no spread to make an interval from.",
    "one_way": "Every difference favours the same system, so there is no spread to make an interval from.",
    "few_against": "Very few differences favour the weaker system; the interval is too narrow to rely on.",
    "wins_every_pair": "One system wins every pair of scores. The spread gives no limit then, so the limit is "
    "Newcombe's (2006, method 5).",
    "pairing_ignored": lambda systems: (
        f"{' and '.join(systems)} were scored on the same items; this index and its interval ignore that."
    ),
    "one_item_undefined": _undefined("A single item has no standard deviation"),
    "identical_undefined": lambda symbol, systems: (
        f"{' and '.join(systems)} have the same score on every item. There is no difference to standardise, so "
        f"{symbol} is undefined."
    ),
    "equal_differences_undefined": "All differences are equal, so their standard deviation is 0 and {symbol} is "
    "undefined. Use mean_difference.",
    "correlation_undefined": lambda symbol, systems: (
        f"Form rm removes the correlation of {' and '.join(systems)}, which is 1 or undefined here: {symbol} is "
        "undefined."
    ),
    "constant_scores_undefined": lambda symbol, systems: (
        f"The scores of {' and '.join(systems)} do not vary, so {symbol} is undefined."
    ),
    "two_items_undefined": "For 2 items the mean of d does not exist and its bias cannot be corrected, so g is "
    "undefined.",
    "rule_for_groups": "The rule {rules} was made for two independent groups; {symbol} of paired differences is "
    "another number.",
    "grows_with_unit": "d of form z grows with the size of a unit, here {size:item}.",
    "zhu2020": "Form zhu2020 applies the factor for two groups, 1 - 3/(4 n - 9), to n pairs, as printed in Zhu et al. "
    "2020, eq. 3. The factor for pairs is form exact; form zhu2020 has no interval.",
    "no_other_item": Fix(
        "There is no second item to average with. ", Option("pairs", "walsh"), " gives the difference of the one item."
    ),
    "nothing_to_rank": "No item shows a difference, so there is nothing to rank and the value is undefined (0 / 0).",
    "odds_same_items": lambda systems: (
        f"{' and '.join(systems)} are right on exactly the same items: their odds ratio is 0 / 0."
    ),
    "odds_no_spread": lambda systems: (
        f"{' and '.join(systems)} are right on exactly the same items: the odds ratio shows no spread."
    ),
    "odds_always_alike": lambda systems: (
        f"{' and '.join(systems)} are both always right, or both always wrong: their odds ratio is 0 / 0."
    ),
    "odds_infinite": "{system} is never the only one that is right: the odds ratio is infinite, and its interval has "
    "no upper end.",
    "odds_zero": "{system} is never the only one that is right: the odds ratio is 0, as is the lower end of its "
    "interval.",
    "odds_no_error": "One system is always right or always wrong, so the odds ratio has no standard error.",
}

ESTIMATE: Sayings = {
    "one_unit": "There is no interval: a single {unit} has no spread, and the score or a part of it rests on one.",
    "no_spread": "There is no interval: every {unit} has the same score, so nothing says how far it may be off.",
}
