"""All comparisons of a calibration study: their p-values, and whether the winner is better where it counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.randomness import CALIBRATION, Stream
from nofluke.inference.ranking.panel import units_of
from nofluke.registry import Method
from nofluke.studies.calibration_winners import bootstrap_winners, drawn_sample, has_bootstrap_rule, members_of, winners
from nofluke.studies.leads import lead, oriented_scores
from nofluke.types import FloatArray, Sample

Progress = Callable[[int, int], None] | None

TRULY = "truly better"


@dataclass(frozen=True, slots=True)
class Test:
    """How every pair is tested: the test, its options, one or two sides, and the seed."""

    method: Method
    options: Mapping[str, Any]
    sides: str
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Comparisons: the p-value, which pair, and for each target whether the winner is better there (1, 0, nan = tie).

    `gap` is the true lead of the pair's better system, where the truth is known; `undecided` counts comparisons without
    a winner or a p-value. `by_rule` says that p-values were approximated for whole blocks of test sets; `from_draws`
    counts those that were drawn.
    """

    p_value: FloatArray
    pair: npt.NDArray[np.int64]
    better: dict[str, FloatArray]
    gap: FloatArray
    undecided: int
    by_rule: bool = False
    from_draws: int = 0


def from_population(sample: Sample, test: Test, size: int, test_sets: int, progress: Progress) -> Compared:
    """Draw test sets from the sample, test all pairs on each, and look the winners up in the whole sample."""
    units, count = members_of(sample), len(sample.systems)
    chosen = np.stack(
        [Stream(test.seed, CALIBRATION, index).indices(size, units_of(sample)) for index in range(test_sets)]
    )
    by_rule = has_bootstrap_rule(sample, test.method, test.options)
    if by_rule:
        found = list(bootstrap_winners(sample, chosen, test.method, test.options, sides=test.sides, progress=progress))
    else:
        found = []
        for index, row in enumerate(chosen):
            one = drawn_sample(sample, row, units)
            found.append(winners(one, test.method, test.options, sides=test.sides, seed=test.seed, test_set=index))
            if progress is not None:
                progress(index + 1, test_sets)
    winner, loser = (np.concatenate([getattr(part, side) for part in found]) for side in ("winner", "loser"))
    truth = oriented_scores(sample)
    difference = truth[winner] - truth[loser]
    return Compared(
        np.concatenate([part.p_value for part in found]),
        np.minimum(winner, loser) * count + np.maximum(winner, loser),
        {TRULY: _signs(difference, truth)},
        np.abs(difference),
        sum(part.tied for part in found),
        by_rule,
        sum(part.from_draws for part in found),
    )


def elsewhere(sample: Sample, others: Mapping[str, Sample], test: Test) -> Compared:
    """Test all pairs on one dataset and look the winners up on the others."""
    found = winners(sample, test.method, test.options, sides=test.sides, seed=test.seed)
    better = {}
    for name, other in others.items():
        values = oriented_scores(other)
        better[name] = _signs(values[found.winner] - values[found.loser], values)
    pair = found.winner * len(sample.systems) + found.loser
    return Compared(
        found.p_value, pair, better, np.full(len(found.p_value), np.nan), found.tied, False, found.from_draws
    )


def _signs(difference: FloatArray, scores: FloatArray) -> FloatArray:
    """1 where the winner leads, 0 where it trails, nan where both score the same."""
    found = lead(difference, scores)
    return np.where(found == 0, np.nan, (found > 0).astype(np.float64))
