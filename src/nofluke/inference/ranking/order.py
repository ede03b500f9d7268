"""Score order, rank ranges, groups: what the separated pairs leave open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nofluke.inference.ranking.panel import oriented
from nofluke.types import Sample

BoolArray = npt.NDArray[np.bool_]


def score_order(sample: Sample) -> list[int]:
    """Give the systems from the best score down; equal scores by name, so that the order of columns does not matter."""
    scores: list[float | int]
    if sample.aggregate.linear and sample.grid.exact and sample.paired:
        scores = [sum(column) for column in oriented(sample).T.tolist()]
    else:
        sign = 1.0 if sample.higher_is_better else -1.0
        scores = [sign * sample.score(index) for index in range(len(sample.systems))]
    return sorted(range(len(scores)), key=lambda index: (-scores[index], sample.systems[index]))


def rank_ranges(better: BoolArray) -> tuple[tuple[int, int], ...]:
    """Give [1 + number shown to be better, S - number shown to be worse] for every system.

    >>> rank_ranges(np.array([[False, False, True], [False, False, True], [False, False, False]]))
    ((1, 2), (1, 2), (3, 3))
    """
    size = len(better)
    above, below = better.sum(axis=0).tolist(), better.sum(axis=1).tolist()
    return tuple((1 + up, size - down) for up, down in zip(above, below, strict=True))


def groups(better: BoolArray, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Give the maximal runs in score order without a separated pair inside; every system is in at least one.

    >>> groups(np.array([[False, False, True], [False, False, False], [False, False, False]]), "abc")
    (('a', 'b'), ('b', 'c'))
    """
    separated = better | better.T
    size, end = len(better), 0
    runs: list[tuple[str, ...]] = []
    for start in range(size):
        stop = max(end, start + 1)
        while stop < size and not separated[start:stop, stop].any():
            stop += 1
        if stop > end:
            runs.append(tuple(names[start:stop]))
            end = stop
    return tuple(runs)


def out_of_order(better: BoolArray, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Give the pairs (better, worse) that are separated against the order of the scores."""
    lower = np.argwhere(np.tril(better, -1)).tolist()
    return tuple((names[i], names[j]) for i, j in lower)
