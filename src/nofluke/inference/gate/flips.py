"""Items on which the candidate's score is not the baseline's: those that differ most."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from nofluke.align import differences
from nofluke.types import Flip, Sample

# As many as a reader may want to see; the rest is counted.
MOST = 100


def flips_of(
    samples: Sequence[tuple[str, Sample]], failed: Collection[tuple[str, str]] = (), most: int = MOST
) -> tuple[tuple[Flip, ...], int]:
    """Give the items that differ most over all tasks, losses before gains, and how many differ at all.

    Only where items have a score of their own. Of items that differ as much, those of tasks that `failed` come first.
    """
    found: list[Flip] = []
    number = 0
    for task, sample in samples:
        if not sample.aggregate.linear or sample.ids is None or sample.unit_size > 1:
            continue
        d = differences(sample).values
        number += int(np.count_nonzero(d))
        order = np.lexsort((d > 0, -np.abs(d)))[:most]
        candidate, baseline = sample.scores(0), sample.scores(1)
        found += [
            Flip(task, sample.metric, sample.ids[at], float(baseline[at]), float(candidate[at]), float(d[at]))
            for at in order.tolist()
            if d[at]
        ]
    found.sort(key=lambda one: (-abs(one.difference), one.difference > 0, (one.task, one.metric) not in failed))
    return tuple(found[:most]), number
