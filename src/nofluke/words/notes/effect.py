"""Notes of the effect sizes: why one is undefined or has no interval, and what it is not."""

from __future__ import annotations

from nofluke.errors import Fix, Option
from nofluke.words.notes import Sayings


def _undefined(reason: str) -> str:
    return f"{reason}, so {{symbol}} is undefined."


SAYINGS: Sayings = {
    "clusters": "Items come in clusters, and the usual standard error and interval treat items as independent: none is "
    "given.",
    "several_datasets": "This is an average over datasets, and the usual standard error and interval are for one "
    "dataset: none is given. The test has its own.",
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
