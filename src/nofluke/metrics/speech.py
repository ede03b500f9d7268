"""Speech recognition and text restoration: word and character error rate."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Annotated

import numpy as np

from nofluke.metrics.statistics import ItemStatistics, ratio_aggregate
from nofluke.metrics.texts import Texts, read_lines, require_same_length
from nofluke.registry import METRICS
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


Lowercase = Annotated[bool, "ignore case"]
RemovePunctuation = Annotated[bool, "remove punctuation (Unicode categories P*) first"]


@lru_cache(maxsize=1)
def _punctuation() -> dict[int, None]:
    return {code: None for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)).startswith("P")}


def _rate(
    name: str,
    texts: tuple[Texts, Texts],
    units: Callable[[str], Sequence[str]],
    unit: str,
    options: dict[str, bool],
) -> ItemStatistics:
    output, gold = read_lines(texts[0], "output"), read_lines(texts[1], "gold")
    require_same_length(output, gold)

    def prepared(line: str) -> Sequence[str]:
        line = line.lower() if options["lowercase"] else line
        return units(line.translate(_punctuation()) if options["remove_punctuation"] else line)

    wanted = [prepared(line) for line in gold.lines]
    counts = edits(wanted, [prepared(line) for line in output.lines])
    lengths = np.array([len(line) for line in wanted], dtype=np.int64)
    return ItemStatistics(
        values=np.column_stack([counts, lengths]).astype(np.float64),
        names=("substitutions", "deletions", "insertions", f"reference {unit}"),
        aggregate=ratio_aggregate(name, (1, 1, 1, 0), (0, 0, 0, 1)),
        signature="|".join([name, *(f"{key}:{'yes' if value else 'no'}" for key, value in options.items())]),
    )


@METRICS.register("wer", label="word error rate", cite="Morris et al. 2004", task="speech", higher_is_better=False)
def wer(
    output: Texts,
    gold: Texts,
    *,
    lowercase: Lowercase = False,
    remove_punctuation: RemovePunctuation = False,
) -> ItemStatistics:
    """How many words must be changed, removed or added per word of the reference?

    Words are what stands between blanks. Statistics: substitutions, deletions, insertions, reference words; the rate is
    (S + D + I) / words of the whole corpus, not the mean of sentence rates, and can exceed 1. An empty reference adds
    its insertions.
    """
    options = {"lowercase": lowercase, "remove_punctuation": remove_punctuation}
    return _rate("wer", (output, gold), str.split, "words", options)


@METRICS.register("cer", label="character error rate", cite="Morris et al. 2004", task="speech", higher_is_better=False)
def cer(
    output: Texts,
    gold: Texts,
    *,
    lowercase: Lowercase = False,
    remove_punctuation: RemovePunctuation = False,
    blanks: Annotated[bool, "count blanks between words as characters"] = True,
) -> ItemStatistics:
    """How many characters must be changed, removed or added per character of the reference?

    Characters are Unicode code points; blanks at both ends never count. Statistics: substitutions, deletions,
    insertions, reference characters; the rate is that of the whole corpus and can exceed 1.
    """
    options = {"lowercase": lowercase, "remove_punctuation": remove_punctuation, "blanks": blanks}
    return _rate("cer", (output, gold), str.strip if blanks else _without_blanks, "characters", options)


def _without_blanks(line: str) -> str:
    return "".join(line.split())
