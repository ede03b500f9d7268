"""What a rule is, and what the default rules may look at.

The facts stay the same when A and B are swapped on any items, so that under the null hypothesis choosing by them is
independent of the outcome and costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.align import differences, has_folds
from nofluke.inference.describe import kind_of
from nofluke.types import Choice, Choices, Sample, note

RANK = {"preferred": 0, "allowed": 1, "inappropriate": 2}


@dataclass(frozen=True, slots=True)
class Facts:
    """What the default rules may look at."""

    n: int
    kind: str
    clusters: int
    tied_share: float
    corpus: bool = False
    datasets: int = 0
    smallest_dataset: int = 0
    runs: bool = False
    folds: int = 0

    @property
    def binary(self) -> bool:
        """Whether all scores are 0 or 1."""
        return self.kind == "binary"


def datasets_of(sample: Sample) -> dict[str, Any]:
    """Count the datasets that are averaged, and the items of the smallest; none where every item counts the same."""
    strata = sample.strata
    if strata is None or strata.pooled:
        return {}
    return {"datasets": len(strata.names), "smallest_dataset": min(strata.sizes)}


def facts_of(sample: Sample) -> Facts:
    """Collect the facts of a paired sample."""
    known: dict[str, Any] = {**datasets_of(sample), "runs": sample.runs is not None}
    if not sample.aggregate.linear:
        groups = 0 if sample.clusters is None else len(np.unique(sample.clusters))
        same = (sample.statistics[:, 0] == sample.statistics[:, 1]).all(axis=1)
        kind = "corpus" if sample.aggregate.whole is None else sample.aggregate.whole.kind
        return Facts(n=sample.n, kind=kind, clusters=groups, tied_share=float(np.mean(same)), corpus=True, **known)
    values = sample.statistics[:, :2, 0].ravel()
    clusters = 0 if sample.clusters is None else len(np.unique(sample.clusters))
    tied = 1 - np.count_nonzero(differences(sample).signs) / sample.n
    known["folds"] = sample.n if has_folds(sample) else 0
    return Facts(n=sample.n, kind=kind_of(values), clusters=clusters, tied_share=float(tied), **known)


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of a rule table: when it applies, what it says of a method, why (a code of words/notes/methods.py), and who
    says so.
    """

    when: str
    applies: Callable[[Facts], bool]
    method: str
    verdict: str
    reason: str
    citation: str


def judge(name: str, rules: tuple[Rule, ...], facts: Facts) -> Choices:
    """Apply a table: the first rule that applies to a method speaks for it; the preferred come first."""
    rows: dict[str, Choice] = {}
    for rule in rules:
        if rule.method not in rows and rule.applies(facts):
            rows[rule.method] = Choice(rule.method, rule.verdict, note(rule.reason), rule.citation)
    return Choices(name, tuple(sorted(rows.values(), key=lambda row: RANK[row.verdict])))
