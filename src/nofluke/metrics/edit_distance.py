"""Edit distances of many pairs of sequences at once, split into substitutions, deletions and insertions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from nofluke.types import IntArray

# Pairs worked on together; sorted by length first, so that little is filled up.
_BATCH = 256


def edits(gold: Sequence[Sequence[Hashable]], output: Sequence[Sequence[Hashable]]) -> IntArray:
    """Give (pairs, 3): substitutions, deletions (only in gold), insertions (only in output) of a shortest edit.

    Their sum is the Levenshtein distance and unique; where shortest edits differ, the one with the fewest deletions
    and insertions is counted.

    >>> edits([["the", "cat", "sat"]], [["a", "cat", "sat", "down"]]).tolist()
    [[1, 0, 1]]
    """
    codes: dict[Hashable, int] = {}
    coded = [
        [np.array([codes.setdefault(token, len(codes)) for token in sequence], dtype=np.int64) for sequence in side]
        for side in (gold, output)
    ]
    lengths = np.array([[len(sequence) for sequence in side] for side in coded], dtype=np.int64)
    counts = np.zeros((len(gold), 3), dtype=np.int64)
    order = np.lexsort((lengths[1], lengths[0]))
    for start in range(0, len(order), _BATCH):
        batch = order[start : start + _BATCH]
        pairs = [(coded[0][index], coded[1][index]) for index in batch]
        counts[batch] = _batch_edits(pairs, lengths[:, batch])
    return counts


def _batch_edits(pairs: list[tuple[IntArray, IntArray]], lengths: IntArray) -> IntArray:
    # One integer per cell holds both goals: edits * weight + gaps, with weight above any number of gaps.
    weight = int(lengths.sum(axis=0).max()) + 1
    total = _costs(_filled(pairs, 0, -1), _filled(pairs, 1, -2), lengths, weight)
    number, gaps = total // weight, total % weight
    longer = lengths[0] - lengths[1]
    deletions = (gaps + longer) // 2
    insertions = gaps - deletions
    return np.stack([number - gaps, deletions, insertions], axis=1)


def _filled(pairs: list[tuple[IntArray, IntArray]], side: int, filler: int) -> IntArray:
    """Give (longest, pairs): one column per sequence, so that each step works along memory."""
    table = np.full((max(len(pair[side]) for pair in pairs), len(pairs)), filler, dtype=np.int64)
    for column, pair in enumerate(pairs):
        table[: len(pair[side]), column] = pair[side]
    return table


def _costs(gold: IntArray, output: IntArray, lengths: IntArray, weight: int) -> IntArray:
    """Run the dynamic programme row by row of gold, for all pairs side by side."""
    gap = weight + 1
    steps = (np.arange(len(output) + 1, dtype=np.int64) * gap)[:, None]
    columns = np.arange(output.shape[1])
    row = np.repeat(steps, output.shape[1], axis=1)
    total: IntArray = row[lengths[1], columns].copy()
    for index in range(len(gold)):
        replaced = row[:-1] + np.where(output == gold[index], 0, weight)
        row = row + gap
        np.minimum(row[1:], replaced, out=row[1:])
        # An insertion chain from j to k costs (k - j) gaps: a running minimum after taking j gaps off.
        row = np.minimum.accumulate(row - steps, axis=0) + steps
        ended = lengths[0] == index + 1
        total[ended] = row[lengths[1][ended], columns[ended]]
    return total
