"""Winners and bootstrap p-values of many test sets at once, pair by pair, without resampling any of them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from nofluke.inference.power.curves.choose import has_rule, rule_of
from nofluke.inference.power.curves.pilot import pilot_of
from nofluke.inference.power.curves.rule import Setting
from nofluke.inference.ranking.panel import by_cluster, pair_of
from nofluke.registry import Method
from nofluke.studies.block_p_values import block_p_values
from nofluke.studies.calibration.winners import Winners
from nofluke.studies.leads import lead
from nofluke.types import FloatArray, IntArray, Sample

# Where the tails are most precise: by the saddlepoint, elsewhere by Edgeworth's series.
_LEVEL = 0.05


def suits(sample: Sample, method: Method, options: Mapping[str, Any]) -> bool:
    """Whether this is a bootstrap whose p-values have a rule for whole blocks of test sets."""
    setting = Setting("two-sided", 2 * _LEVEL, 0.0, options)
    return method.name == "bootstrap" and has_rule(pair_of(sample, 0, 1), method, setting)


def bootstrap_winners(
    sample: Sample,
    drawn: IntArray,
    method: Method,
    options: Mapping[str, Any],
    *,
    sides: str,
    progress: Callable[[int, int], None] | None,
) -> Iterator[Winners]:
    """Give the winners of every pair over all test sets; `drawn` holds the units of each, (test sets, size)."""
    units = len(by_cluster(sample.statistics, sample.clusters))
    counts = np.stack([np.bincount(row, minlength=units) for row in drawn]).astype(np.float64)
    scores = _scores(sample, counts)
    pairs = [(i, j) for i in range(len(sample.systems)) for j in range(i + 1, len(sample.systems))]
    setting = Setting("two-sided", 2 * _LEVEL, 0.0, options)
    for done, (i, j) in enumerate(pairs, start=1):
        pilot = pilot_of(pair_of(sample, i, j), grouped=False)
        rule = rule_of(pilot, method, setting, 0)
        two_sided = block_p_values(rule, counts, pilot, method, options)
        gain = lead(scores[:, i] - scores[:, j], scores)
        kept = (gain != 0) & ~np.isnan(two_sided)
        first = gain[kept] > 0
        yield Winners(
            np.where(first, i, j),
            np.where(first, j, i),
            two_sided[kept] if sides == "two" else two_sided[kept] / 2,
            int(np.count_nonzero(~kept)),
        )
        if progress is not None:
            progress(done, len(pairs))


def _scores(sample: Sample, counts: FloatArray) -> FloatArray:
    """The score of every system on every test set, higher = better."""
    sums = np.tensordot(counts, by_cluster(sample.statistics, sample.clusters), axes=1)
    sizes = counts @ by_cluster(np.ones((sample.n, 1)), sample.clusters)
    values = np.stack([sample.aggregate(sums[row], float(size)) for row, size in enumerate(sizes[:, 0].tolist())])
    return values if sample.higher_is_better else -values
