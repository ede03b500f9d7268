"""recommend: which test fits these data, and why?

The default rules look only at what stays the same when A and B are swapped on any items (n, sizes of differences,
ties, kind of scores, clusters), so choosing by them costs nothing under the null hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.align import as_sample, differences
from nofluke.errors import unknown
from nofluke.types import Choice, Sample


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rules may look at."""

    n: int
    clusters: int
    untied: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the rule table: when it applies, what it says of a method, and why."""

    when: str
    applies: Callable[[Facts], bool]
    method: str
    verdict: str
    reason: str
    citation: str


RULES: tuple[Rule, ...] = (
    Rule(
        "items in clusters",
        lambda f: f.clusters > 0,
        "permutation",
        "preferred",
        "swaps whole clusters, so items of one cluster may depend on each other",
        "Fisher 1935; Yeh 2000",
    ),
    Rule(
        "items in clusters",
        lambda f: f.clusters > 0,
        "paired_t",
        "inappropriate",
        "takes items as independent; items of one cluster are not",
        "Miller 2024",
    ),
    Rule(
        "items in clusters",
        lambda f: f.clusters > 0,
        "sign",
        "inappropriate",
        "takes items as independent; items of one cluster are not",
        "Miller 2024",
    ),
    Rule(
        "independent items",
        lambda f: f.clusters == 0,
        "permutation",
        "preferred",
        "tests the mean difference and assumes only that A and B could be swapped on each item",
        "Fisher 1935; Yeh 2000",
    ),
    Rule(
        "independent items, 30 or more",
        lambda f: f.clusters == 0 and f.n >= 30,
        "paired_t",
        "allowed",
        "tests the mean difference; with this many items the mean is close to normal unless the data are very skewed",
        "Student 1908",
    ),
    Rule(
        "independent items, fewer than 30",
        lambda f: f.clusters == 0 and 2 <= f.n < 30,
        "paired_t",
        "allowed",
        "tests the mean difference, but with few items it is only right when differences are normal",
        "Student 1908",
    ),
    Rule(
        "independent items, 1 only",
        lambda f: f.clusters == 0 and f.n < 2,
        "paired_t",
        "inappropriate",
        "a single difference has no spread",
        "Student 1908",
    ),
    Rule(
        "independent items",
        lambda f: f.clusters == 0,
        "sign",
        "allowed",
        "answers another question: on how many items is A better, not by how much",
        "Dixon and Mood 1946",
    ),
)


def recommend(a: Any, b: Any = None, rules: str = "default") -> tuple[Choice, ...]:
    """Which tests fit these data, which do not, and why?

    Takes two sequences or one Sample; the preferred method comes first.

    >>> import nofluke as nf
    >>> nf.recommend([1, 0, 1, 1], [0, 0, 1, 0])[0].method
    'permutation'
    """
    if rules != "default":
        raise unknown("set of rules", rules, ("default",))
    facts = _facts(as_sample(a, b))
    rank = {"preferred": 0, "allowed": 1, "inappropriate": 2}
    choices = [Choice(rule.method, rule.verdict, rule.reason, rule.citation) for rule in RULES if rule.applies(facts)]
    return tuple(sorted(choices, key=lambda choice: rank[choice.verdict]))


def preferred(sample: Sample) -> str:
    """Give the name of the method the default rules prefer."""
    return recommend(sample)[0].method


def _facts(sample: Sample) -> Facts:
    signs = differences(sample).signs
    clusters = 0 if sample.clusters is None else len(np.unique(sample.clusters))
    return Facts(n=sample.n, clusters=clusters, untied=int(np.count_nonzero(signs)))
