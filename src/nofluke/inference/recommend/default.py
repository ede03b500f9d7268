"""The default rules: the estimand is the mean (or the corpus metric) unless the user says otherwise."""

from __future__ import annotations

from collections.abc import Callable

from nofluke.inference.recommend.rules import Facts, Rule, facts_of, judge
from nofluke.registry import TESTS
from nofluke.types import Choices, Sample

# A condition: how it is called, and whether it holds.
_When = tuple[str, Callable[[Facts], bool]]

_CORRELATION: _When = ("correlations with gold", lambda facts: facts.kind == "correlation")
# Items are kind to resampled correlations, clusters are not.
_MANY_CORRELATED: _When = (
    "correlations of 20 or more items with gold",
    lambda facts: facts.kind == "correlation" and (facts.clusters >= 50 if facts.clusters else facts.n >= 20),
)
_CORPUS: _When = ("corpus metric", lambda facts: facts.corpus)
_CORPUS_OF_MANY: _When = (
    "corpus metric, 50 or more units",
    lambda facts: facts.corpus and (facts.clusters or facts.n) >= 50,
)
_CLUSTERS: _When = ("items in clusters", lambda facts: facts.clusters > 0)
_MANY_CLUSTERS: _When = ("50 or more clusters", lambda facts: facts.clusters >= 50)
_FEW_CLUSTERS: _When = ("fewer than 50 clusters", lambda facts: facts.clusters > 0)
_BINARY: _When = ("scores are 0 or 1", lambda facts: facts.binary)
_BINARY_ITEMS: _When = ("scores are 0 or 1, without clusters", lambda facts: facts.binary and not facts.clusters)
_MANY_ITEMS: _When = ("50 or more items", lambda facts: facts.n >= 50)
_ENOUGH_ITEMS: _When = ("30 or more items", lambda facts: facts.n >= 30)
_SOME_ITEMS: _When = ("2 to 29 items", lambda facts: facts.n >= 2)
_AVERAGE: _When = ("average of several datasets", lambda facts: facts.datasets > 0)
# In smaller datasets resampling knows too little.
_AVERAGE_OF_MANY: _When = (
    "average of datasets of 10 or more items",
    lambda facts: facts.datasets > 0 and facts.smallest_dataset >= 10,
)
_TINY_DATASET: _When = ("a dataset of fewer than 10 items", lambda facts: facts.datasets > 0)
_BINARY_AVERAGE: _When = (
    "average of 0/1 scores, without clusters",
    lambda facts: facts.datasets > 0 and facts.binary and not facts.clusters,
)
_OTHER_AVERAGE: _When = (
    "average of scores that are not 0 or 1",
    lambda facts: facts.datasets > 0 and not facts.binary,
)
_LINEAR_AVERAGE: _When = (
    "average of several datasets, not of a corpus metric",
    lambda facts: facts.datasets > 0 and not facts.corpus,
)
_RUNS: _When = ("training runs on all items", lambda facts: facts.runs)
_FOLDS: _When = ("items are folds", lambda facts: facts.folds > 0)
_FEW_TIES: _When = ("at most half of the items tied", lambda facts: facts.tied_share <= 0.5)


def _else(called: str) -> _When:
    """What is left where no rule above has spoken."""
    return called, lambda facts: facts.n > 0


_INDEPENDENT, _TEST_ITEMS = _else("independent items"), _else("items are test items")
_MANY_TIES = _else("more than half of the items tied")
_SWAPS, _DRAWS, _EFRON = "Fisher 1935; Yeh 2000", "Berg-Kirkpatrick et al. 2012", "Efron and Tibshirani 1993"
_DEUTSCH, _LOST = "Deutsch, Dror and Roth 2021", "Student 1908; Cameron and Miller 2015"
_ZOU = "Zou and Donner 2008; Tango 1998"
# Tests of independent items of one test set, in the order in which they are named.
_OF_ITEMS = ("paired_t", "sign", "wilcoxon", "mcnemar", "tango", "bootstrap_median")

# Tests that say nothing about training: they take the checkpoints at hand.
_OF_CHECKPOINTS = ("permutation", "bootstrap", *_OF_ITEMS, "one_lost_item", "bounded_mean", "mover", "stratified_t")

RULES: tuple[Rule, ...] = (
    Rule(*_RUNS, "crossed_runs", "preferred", "choice.items_and_runs", "Satterthwaite 1946; Miller 2024"),
    *(Rule(*_RUNS, method, "inappropriate", "choice.ignores_runs", "Miller 2024") for method in _OF_CHECKPOINTS),
    Rule(*_AVERAGE, "permutation", "preferred", "choice.swaps_within_datasets", _SWAPS),
    Rule(*_AVERAGE_OF_MANY, "bootstrap", "allowed", "choice.resamples_within_datasets", _EFRON),
    Rule(*_TINY_DATASET, "bootstrap", "inappropriate", "choice.resamples_tiny_datasets", _EFRON),
    Rule(*_BINARY_AVERAGE, "mover", "allowed", "choice.for_margins", _ZOU),
    Rule(*_OTHER_AVERAGE, "mover", "inappropriate", "choice.only_zero_one", _ZOU),
    Rule(*_AVERAGE, "mover", "inappropriate", "choice.ignores_clusters", "Miller 2024"),
    Rule(*_BINARY_AVERAGE, "one_lost_item", "allowed", "choice.mover_instead", _LOST),
    Rule(*_LINEAR_AVERAGE, "stratified_t", "allowed", "choice.never_after_looking", "Satterthwaite 1946"),
    *(
        Rule(*_AVERAGE, method, "inappropriate", "choice.no_weights", "Dror et al. 2017")
        for method in (*_OF_ITEMS, "bounded_mean")
    ),
    Rule(*_CORRELATION, "permutation", "preferred", "choice.swaps_on_one_scale", _DEUTSCH),
    Rule(*_MANY_CORRELATED, "bootstrap", "allowed", "choice.resamples_correlations", f"{_EFRON}; {_DEUTSCH}"),
    Rule(*_CORPUS, "permutation", "preferred", "choice.swaps_outputs", "Yeh 2000; Chung and Romano 2013"),
    Rule(*_CORPUS_OF_MANY, "bootstrap", "allowed", "choice.resamples_outputs", _DRAWS),
    *(
        Rule(*_CORPUS, method, "inappropriate", "choice.needs_item_scores", _DRAWS)
        for method in (*_OF_ITEMS, "one_lost_item", "bounded_mean")
    ),
    Rule(*_CLUSTERS, "permutation", "preferred", "choice.swaps_clusters", _SWAPS),
    Rule(*_MANY_CLUSTERS, "bootstrap", "allowed", "choice.resamples_clusters", _EFRON),
    Rule(*_FEW_CLUSTERS, "bootstrap", "inappropriate", "choice.few_clusters", "Cameron, Gelbach and Miller 2008"),
    *(Rule(*_CLUSTERS, method, "inappropriate", "choice.ignores_clusters", "Miller 2024") for method in _OF_ITEMS),
    Rule(*_BINARY, "mcnemar", "preferred", "choice.right_and_wrong", "McNemar 1947"),
    Rule(*_else("scores are not 0 or 1"), "mcnemar", "inappropriate", "choice.only_zero_one", "McNemar 1947"),
    Rule(*_BINARY, "permutation", "allowed", "choice.as_mcnemar", _SWAPS),
    Rule(*_INDEPENDENT, "permutation", "preferred", "choice.swaps_items", _SWAPS),
    Rule(*_BINARY, "tango", "allowed", "choice.for_margins", "Tango 1998"),
    Rule(*_else("scores are not 0 or 1"), "tango", "inappropriate", "choice.only_zero_one", "Tango 1998"),
    Rule(*_ENOUGH_ITEMS, "paired_t", "allowed", "choice.many_items", "Student 1908"),
    Rule(*_SOME_ITEMS, "paired_t", "allowed", "choice.few_items", "Student 1908"),
    Rule(*_else("1 item"), "paired_t", "inappropriate", "choice.one_item", "Student 1908"),
    Rule(*_MANY_ITEMS, "bootstrap", "allowed", "choice.resamples_items", _DRAWS),
    Rule(*_else("fewer than 50 items"), "bootstrap", "inappropriate", "choice.resamples_few", _DRAWS),
    Rule(*_INDEPENDENT, "wilcoxon", "allowed", "choice.asks_symmetry", "Wilcoxon 1945"),
    Rule(*_INDEPENDENT, "sign", "allowed", "choice.asks_items", "Dixon and Mood 1946"),
    Rule(*_FEW_TIES, "bootstrap_median", "allowed", "choice.asks_median", _EFRON),
    Rule(*_MANY_TIES, "bootstrap_median", "inappropriate", "choice.median_of_ties", _EFRON),
    Rule(*_INDEPENDENT, "bounded_mean", "allowed", "choice.range_only", "Waudby-Smith and Ramdas 2024"),
    Rule(*_BINARY_ITEMS, "one_lost_item", "allowed", "choice.tango_instead", _LOST),
    Rule(*_else("other scores, or items in clusters"), "one_lost_item", "allowed", "choice.for_margins", _LOST),
    *(
        Rule(*_else("paired scores"), method, "inappropriate", "choice.ignores_pairing", "Dror et al. 2018")
        for method in ("student_t", "welch_t", "mann_whitney", "chi_square")
    ),
    Rule(*_FOLDS, "corrected_resampled_t", "allowed", "choice.corrects_for_folds", "Nadeau and Bengio 2003"),
    Rule(*_TEST_ITEMS, "corrected_resampled_t", "inappropriate", "choice.for_folds", "Nadeau and Bengio 2003"),
)


def judge_by_default(facts: Facts) -> Choices:
    """Judge every test by the default rules; the preferred one comes first."""
    return judge("default", tuple(rule for rule in RULES if rule.method in TESTS), facts)


def preferred(sample: Sample) -> str:
    """Give the name of the test that the default rules prefer."""
    return judge_by_default(facts_of(sample)).preferred
