"""Summarisation: ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum of every text, as rouge-score defines them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Literal, NamedTuple

import numpy as np

from nofluke.errors import InputError
from nofluke.metrics.family import register_each
from nofluke.metrics.porter import stem as porter_stem
from nofluke.metrics.references import References, read_pairs
from nofluke.metrics.statistics import ItemStatistics, mean_aggregate
from nofluke.metrics.texts import Texts
from nofluke.registry import METRICS
from nofluke.types import note


def _rows(reference: Sequence[str], candidate: Sequence[str]) -> list[int]:
    """Give a bit row per prefix of the reference: bit j is 0 where the length grows at candidate position j + 1."""
    full = (1 << len(candidate)) - 1
    places: dict[str, int] = {}
    for index, token in enumerate(candidate):
        places[token] = places.get(token, 0) | (1 << index)
    row = full
    rows = [row]
    for token in reference:
        hits = row & places.get(token, 0)
        row = ((row + hits) | (row - hits)) & full
        rows.append(row)
    return rows


def common_length(reference: Sequence[str], candidate: Sequence[str]) -> int:
    """Give the length of the longest common subsequence.

    >>> common_length("a b c d".split(), "b x d".split())
    2
    """
    return len(candidate) - _rows(reference, candidate)[-1].bit_count()


def common_places(reference: Sequence[str], candidate: Sequence[str]) -> list[int]:
    """Give the positions in the reference of one longest common subsequence, last first.

    Among several longest ones it reads the table from its end and prefers the shorter reference, as ROUGE does: the
    union over sentences in ROUGE-Lsum depends on that choice.
    """
    rows = _rows(reference, candidate)

    def length(i: int, j: int) -> int:
        return j - (rows[i] & ((1 << j) - 1)).bit_count()

    i, j = len(reference), len(candidate)
    places = []
    while i > 0 and j > 0:
        if reference[i - 1] == candidate[j - 1]:
            places.append(i - 1)
            i, j = i - 1, j - 1
        elif length(i, j - 1) > length(i - 1, j):
            j -= 1
        else:
            i -= 1
    return places


Measure = Literal["fmeasure", "precision", "recall"]
Stem = Annotated[bool, "compare word stems (Porter's, for English)"]
MeasureOption = Annotated[Measure, "what is reported per text"]
ReferenceOption = Annotated[Literal["best", "average"], "several references: the one with the best F, or their mean"]

_TOKEN = re.compile(r"[a-z0-9]+")
_CITE = "Lin 2004"


class Overlap(NamedTuple):
    """Matches, and the sizes of the output and of one reference; the size is 0 where nothing could match."""

    matched: int
    output: int
    gold: int

    def of(self, measure: Measure) -> float:
        """Give one correctly rounded quotient, so that equal scores are equal numbers; 0 / 0 is 0."""
        over, under = {
            "fmeasure": (2 * self.matched, self.output + self.gold),
            "precision": (self.matched, self.output),
            "recall": (self.matched, self.gold),
        }[measure]
        return over / under if self.matched else 0.0


def tokens_of(text: str, stem: bool) -> list[str]:
    """Give runs of a-z and 0-9 of the lower-cased text; words of more than 3 letters are stemmed if asked."""
    tokens = _TOKEN.findall(text.lower())
    if not stem:
        return tokens
    return [short for token in tokens if (short := porter_stem(token) if len(token) > 3 else token)]


def ngram_overlap(gold: Sequence[str], output: Sequence[str], order: int) -> Overlap:
    """Count n-grams that both texts have, each as often as in the text that has fewer."""
    grams = [Counter(zip(*(tokens[i:] for i in range(order)), strict=False)) for tokens in (gold, output)]
    return Overlap((grams[0] & grams[1]).total(), grams[1].total(), grams[0].total())


def sequence_overlap(gold: Sequence[str], output: Sequence[str]) -> Overlap:
    """Give the length of the longest common subsequence."""
    return Overlap(common_length(gold, output), len(output), len(gold))


def summary_overlap(gold: Sequence[Sequence[str]], output: Sequence[Sequence[str]]) -> Overlap:
    """Count the tokens of gold sentences that lie on a common subsequence with any output sentence.

    A token counts at most as often as it occurs in either summary (ROUGE-1.5.5, not in Lin's paper).
    """
    left_gold = Counter(token for sentence in gold for token in sentence)
    left_output = Counter(token for sentence in output for token in sentence)
    sizes = left_output.total(), left_gold.total()
    hits = 0
    for sentence in gold:
        places = {place for other in output for place in common_places(sentence, other)}
        for token in (sentence[place] for place in sorted(places)):
            if left_output[token] > 0 and left_gold[token] > 0:
                hits += 1
                left_output[token] -= 1
                left_gold[token] -= 1
    return Overlap(hits, *sizes)


def _scored(
    name: str,
    output: Texts,
    gold: References,
    prepare: Callable[[str], Sequence[object]],
    overlap: Callable[..., Overlap],
    options: tuple[bool, Measure, str],
) -> ItemStatistics:
    stem, measure, references = options
    lines, golds = read_pairs(output, gold)
    scores = np.empty((len(lines), 1))
    for index, line in enumerate(lines.lines):
        own = prepare(line)
        overlaps = [overlap(prepare(reference.lines[index]), own) for reference in golds]
        if references == "best":
            scores[index] = max(overlaps, key=lambda found: found.of("fmeasure")).of(measure)
        else:
            scores[index] = sum(found.of(measure) for found in overlaps) / len(overlaps)
    parts = [name, f"stem:{'yes' if stem else 'no'}", f"measure:{measure}", f"nrefs:{len(golds)}"]
    parts += [f"references:{references}"] if len(golds) > 1 else []
    return ItemStatistics(scores, (name,), mean_aggregate(), "|".join(parts))


def _texts(
    name: str,
    output: Texts,
    gold: References,
    *,
    stem: Stem = False,
    measure: MeasureOption = "fmeasure",
    references: ReferenceOption = "best",
) -> ItemStatistics:
    overlap = sequence_overlap if name == "rouge_l" else partial(ngram_overlap, order=int(name[-1]))
    return _scored(name, output, gold, lambda text: tokens_of(text, stem), overlap, (stem, measure, references))


rouge_1, rouge_2, rouge_l = register_each(
    METRICS.register,
    _texts,
    {
        "rouge_1": (
            "rouge_1",
            "ROUGE-1",
            """How many words do summaries and references share?

            One score per text, from 0 to 1, and their mean, as the field reports it.
            """,
        ),
        "rouge_2": (
            "rouge_2",
            "ROUGE-2",
            """How many pairs of neighbouring words do summaries and references share?

            One score per text, from 0 to 1, and their mean, as the field reports it.
            """,
        ),
        "rouge_l": (
            "rouge_l",
            "ROUGE-L",
            """How long is the longest sequence of words that summaries and references share?

            Sentences are not told apart (see rouge_lsum). One score per text, from 0 to 1, and their mean.
            """,
        ),
    },
    task="summarisation",
    cite=_CITE,
)


@METRICS.register("rouge_lsum", label="ROUGE-Lsum", cite=_CITE, task="summarisation", higher_is_better=True)
def rouge_lsum(
    output: Texts,
    gold: References,
    *,
    stem: Stem = False,
    measure: MeasureOption = "fmeasure",
    references: ReferenceOption = "best",
    separator: Annotated[str, "what stands between sentences, such as <n>; a line break within a text"] = "\n",
) -> ItemStatistics:
    """How many words of the references lie on word sequences shared with any sentence of the summaries?

    Sentences are split at `separator`; files with one text per line cannot hold line breaks, so name what stands for
    them (often <n>). One score per text, from 0 to 1, and their mean.
    """
    if not separator:
        raise InputError("the separator of sentences is empty.", fix="give what stands between sentences, such as <n>.")
    seen = [False]

    def sentences(text: str) -> list[list[str]]:
        parts = text.split(separator)
        seen[0] = seen[0] or len(parts) > 1
        return [tokens_of(part, stem) for part in parts]

    found = _scored("rouge_lsum", output, gold, sentences, summary_overlap, (stem, measure, references))
    notes = () if seen[0] else (note("metric.no_separator", separator=separator),)
    signature = found.signature + ("" if separator == "\n" else f"|separator:{separator}")
    return ItemStatistics(found.values, found.names, found.aggregate, signature, found.ids, notes)
