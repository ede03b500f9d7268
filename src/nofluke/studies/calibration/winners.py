"""Who wins on a test set, for all pairs of systems, and with which p-value: the paper's p, on the winner's side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.errors import MethodError
from nofluke.inference.describing.summary import kind_of
from nofluke.inference.ranking.bulk import bulk_test
from nofluke.inference.ranking.panel import Settings, units_of
from nofluke.inference.recommending.default import RULES
from nofluke.inference.recommending.rules import Facts, judge
from nofluke.registry import TESTS, Method
from nofluke.types import FloatArray, IntArray, Sample, frozen
from nofluke.verbs.ranking.single import single_tests


@dataclass(frozen=True, slots=True, eq=False)
class Winners:
    """All pairs with a winner: who won, who lost, by how much, and the p-value."""

    winner: IntArray
    loser: IntArray
    gain: FloatArray
    p_value: FloatArray
    tied: int


def method_for(sample: Sample, method: str) -> Method:
    """The named test, or the one that rank would take for all these systems; clusters must be kept together."""
    if method == "auto":
        linear = sample.aggregate.linear
        kind = kind_of(sample.statistics[..., 0].ravel()) if linear else "corpus"
        grouped = 0 if sample.clusters is None else units_of(sample)
        facts = Facts(n=sample.n, kind=kind, clusters=grouped, tied_share=0.0, corpus=not linear)
        method = judge("default", tuple(rule for rule in RULES if rule.method in TESTS), facts).preferred
    chosen = TESTS[method]
    if chosen.facts["needs"] == "unpaired":
        raise MethodError(f"{chosen.name} does not match items.", fix="use a paired test, such as 'permutation'.")
    if sample.clusters is not None and not chosen.facts["clusters"]:
        raise MethodError(
            f"{chosen.name} takes items as independent, and these come in clusters.",
            fix="use method 'permutation' or 'bootstrap', which keep clusters together.",
        )
    return chosen


def oriented_scores(sample: Sample) -> FloatArray:
    """The score of every system, higher = better."""
    values = np.array([sample.score(index) for index in range(len(sample.systems))])
    return values if sample.higher_is_better else -values


def winners(sample: Sample, method: Method, options: Mapping[str, Any], *, sides: str, seed: int) -> Winners:
    """Test all pairs; sides "one" is the p-value of "the winner is better", "two" that of "they differ"."""
    # One claim at a time is made here, so a handful of draws would be enough for any of them.
    settings = Settings("near", seed, 0.5, 1, options)
    test = bulk_test(method.name, sample, options)
    table = single_tests(method.name, sample, settings) if test is None else test(sample, settings)
    scores = oriented_scores(sample)
    first, second = np.triu_indices(len(scores), 1)
    gain = scores[first] - scores[second]
    ahead, behind = np.where(gain > 0, first, second), np.where(gain > 0, second, first)
    log_p = table.log_p[ahead, behind]
    if sides == "two":
        log_p = np.minimum(0.0, math.log(2) + np.minimum(log_p, table.log_p[behind, ahead]))
    # A shared computation may round equal systems apart in the last bits.
    decided = np.abs(gain) > 1e-12 * np.maximum(np.abs(scores[first]), np.abs(scores[second]))
    kept = decided & ~np.isnan(log_p)
    return Winners(
        ahead[kept], behind[kept], np.abs(gain[kept]), np.exp(log_p[kept]), int(kept.size - np.count_nonzero(kept))
    )


def members_of(sample: Sample) -> list[npt.NDArray[np.intp]] | None:
    """The items of every cluster; None where items are units of their own."""
    if sample.clusters is None:
        return None
    return [np.flatnonzero(sample.clusters == label) for label in np.unique(sample.clusters)]


def drawn(sample: Sample, units: IntArray, members: list[npt.NDArray[np.intp]] | None) -> Sample:
    """The sample that holds these units, each as often as it is named; a cluster drawn twice counts as two."""
    if members is None:
        items: npt.NDArray[Any] = units
        labels = None
    else:
        items = np.concatenate([members[unit] for unit in units.tolist()])
        labels = np.repeat(np.arange(len(units)), [len(members[unit]) for unit in units.tolist()])
    return replace(
        sample,
        statistics=frozen(sample.statistics[items]),
        ids=None,
        lengths=(len(items),) * len(sample.systems),
        clusters=None if labels is None else frozen(labels, np.int64),
        cluster_labels=() if labels is None else tuple(str(unit) for unit in range(len(units))),
        incomplete=frozen(np.empty((0, len(sample.systems), sample.statistics.shape[2]))),
    )
