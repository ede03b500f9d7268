"""Who wins on a test set, for all pairs of systems, and with which p-value: the paper's p, on the winner's side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.errors import MethodError
from nofluke.inference.ranking.bulk import bulk_test
from nofluke.inference.ranking.panel import Settings
from nofluke.registry import TESTS, Method
from nofluke.studies.leads import leads, oriented_scores
from nofluke.types import FloatArray, IntArray, Sample, frozen
from nofluke.verbs.ranking.choosing import method_for_all
from nofluke.verbs.ranking.single import single_tests


@dataclass(frozen=True, slots=True, eq=False)
class Winners:
    """All pairs with a winner: who won, who lost, and the p-value; `tied` counts the pairs without."""

    winner: IntArray
    loser: IntArray
    p_value: FloatArray
    tied: int


def method_for(sample: Sample, method: str) -> Method:
    """The named test, or the one that rank would take for all these systems; clusters must be kept together."""
    chosen = TESTS[method_for_all(sample, method)]
    if chosen.facts["needs"] == "unpaired":
        raise MethodError(f"{chosen.name} does not match items.", fix="use a paired test, such as 'permutation'.")
    if sample.clusters is not None and not chosen.facts["clusters"]:
        raise MethodError(
            f"{chosen.name} takes items as independent, and these come in clusters.",
            fix="use method 'permutation' or 'bootstrap', which keep clusters together.",
        )
    return chosen


def winners(sample: Sample, method: Method, options: Mapping[str, Any], *, sides: str, seed: int) -> Winners:
    """Test all pairs; sides "one" is the p-value of "the winner is better", "two" that of "they differ"."""
    # One claim at a time is made here, so a handful of draws would be enough for any of them.
    settings = Settings("near", seed, 0.5, 1, options)
    test = bulk_test(method.name, sample, options)
    table = single_tests(method.name, sample, settings) if test is None else test(sample, settings)
    pairs = leads(oriented_scores(sample))
    log_p = table.log_p[pairs.better, pairs.worse]
    if sides == "two":
        log_p = np.minimum(0.0, math.log(2) + np.minimum(log_p, table.log_p[pairs.worse, pairs.better]))
    kept = (pairs.gain > 0) & ~np.isnan(log_p)
    return Winners(pairs.better[kept], pairs.worse[kept], np.exp(log_p[kept]), int(kept.size - np.count_nonzero(kept)))


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
