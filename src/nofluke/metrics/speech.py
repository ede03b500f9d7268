"""Speech recognition and text restoration: word and character error rate."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Annotated

import numpy as np

from nofluke.metrics.edit_distance import edits
from nofluke.metrics.statistics import ItemStatistics, ratio_aggregate
from nofluke.metrics.texts import Texts, read_lines, require_same_length
from nofluke.registry import METRICS

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
