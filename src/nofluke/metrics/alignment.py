"""Word alignment: alignment error rate, precision and recall against sure and possible links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeAlias

from nofluke.errors import InputError
from nofluke.metrics.family import register_each
from nofluke.metrics.formats.alignments import Alignments, Link, read_alignments, read_lengths
from nofluke.metrics.statistics import ItemStatistics, ratio_aggregate
from nofluke.metrics.texts import Texts
from nofluke.registry import METRICS
from nofluke.types import Aggregate, frozen
from nofluke.types.base import counted

Base: TypeAlias = Annotated[int | None, "the outputs' first position; by default 0 (Pharaoh) or 1 (NAACL rows)"]
GoldBase: TypeAlias = Annotated[int | None, "the gold file's first position; by default 0 (Pharaoh) or 1 (NAACL rows)"]
Reverse: TypeAlias = Annotated[bool, "the outputs' links are target-source"]
Sentences: TypeAlias = Annotated[str | None, "a file of 'source ||| target' lines: links beyond a sentence are refused"]

_NAMES = ("sure_hits", "possible_hits", "links", "sure")
# Metric -> the sums above and below its line; 1 - (a + b) / (c + d) = (c + d - a - b) / (c + d), a ratio of sums.
_RATIOS = {
    "aer": ((-1, -1, 1, 1), (0, 0, 1, 1)),
    "alignment_precision": ((0, 1, 0, 0), (0, 0, 1, 0)),
    "alignment_recall": ((1, 0, 0, 0), (0, 0, 0, 1)),
}
_CITE = "Och and Ney 2003; Mihalcea and Pedersen 2003"


def _items(output: Alignments, gold: Alignments) -> Iterable[int]:
    """Give the sentences to score: those of gold, or all lines where a file has one line per sentence."""
    if output.count is not None and gold.count is not None and output.count != gold.count:
        raise InputError(
            f"{counted(output.count, 'line')}, and {gold.source.name} has {gold.count:,}.",
            where=output.source.name,
            fix="give one line per sentence, empty where nothing is aligned.",
        )
    count = gold.count if gold.count is not None else output.count
    items = range(1, count + 1) if count is not None else sorted(gold.links)
    known = frozenset(items)
    for file, other in ((output, gold), (gold, output)):
        for sentence, links in file.links.items():
            if sentence not in known:
                line = min(links.lines.values(), default=0)
                raise InputError(
                    f"sentence {sentence:,} is not in {other.source.name}.",
                    where=file.source.where(line),
                    fix="give outputs and gold of the same sentences.",
                )
    return items


def _check_ranges(file: Alignments, lengths: list[Link], texts: str) -> None:
    for sentence, links in file.links.items():
        if sentence > len(lengths):
            raise InputError(
                f"there is a sentence {sentence:,}, and {texts} has {len(lengths):,} lines.",
                where=file.source.name,
                fix="give the texts of these sentences.",
            )
        rows, columns = lengths[sentence - 1]
        for link, line in links.lines.items():
            if link[0] >= rows or link[1] >= columns:
                raise InputError(
                    f"link {link[0]}-{link[1]} (from 0) is out of range: sentence {sentence:,} has {rows} source and "
                    f"{columns} target words.",
                    where=file.source.where(line),
                    fix="check whether positions begin at 0 or 1 (base, gold_base), and the direction (reverse).",
                )


def alignment_statistics(
    name: str,
    aggregate: Aggregate,
    files: tuple[Texts, Texts],
    bases: tuple[int | None, int | None],
    reverse: bool,
    sentences: str | None,
) -> ItemStatistics:
    """Count hits among sure and possible links, links, and sure links of every sentence."""
    output = read_alignments(files[0], bases[0], reverse, "output")
    gold = read_alignments(files[1], bases[1], False, "gold")
    items = _items(output, gold)
    if sentences is not None:
        lengths = read_lengths(sentences, "sentences")
        for file in (gold, output):
            _check_ranges(file, lengths, sentences)
    values = []
    for sentence in items:
        links, truth = output.of(sentence).possible, gold.of(sentence)
        values.append((len(links & truth.sure), len(links & truth.possible), len(links), len(truth.sure)))
    notes = output.notes + gold.notes
    ids = tuple(str(sentence) for sentence in items)
    return ItemStatistics(frozen(values), _NAMES, aggregate, _signature(name, bases, reverse), ids, notes)


def _signature(name: str, bases: tuple[int | None, int | None], reverse: bool) -> str:
    """Say how links were read; auto is the format's own first position, which may differ from file to file."""
    base, gold_base = ("auto" if one is None else one for one in bases)
    return f"{name}|base:{base}|gold_base:{gold_base}|reverse:{str(reverse).lower()}"


def _links(
    of: str,
    output: Texts,
    gold: Texts,
    *,
    base: Base = None,
    gold_base: GoldBase = None,
    reverse: Reverse = False,
    sentences: Sentences = None,
) -> ItemStatistics:
    aggregate = ratio_aggregate(of, *_RATIOS[of])
    return alignment_statistics(of, aggregate, (output, gold), (base, gold_base), reverse, sentences)


(aer,) = register_each(
    METRICS.register,
    _links,
    {
        "aer": (
            "aer",
            "Alignment error rate",
            """How far are the links from gold: 1 - (|A and S| + |A and P|) / (|A| + |S|)?

            A are the system's links, S the sure links of gold, and P its possible ones, which include S. Items are
            sentences; statistics: sure_hits, possible_hits, links, sure. Lower is better. Links given twice count
            once. With few possible links it is 1 - F1; with many it rewards precision, so look at alignment_precision
            and alignment_recall too.
            """,
        ),
    },
    higher_is_better=False,
    task="word alignment",
    cite=_CITE,
)
alignment_precision, alignment_recall = register_each(
    METRICS.register,
    _links,
    {
        "alignment_precision": (
            "alignment_precision",
            "Alignment precision",
            """What share of the system's links is at least possible in gold, |A and P| / |A|?

            Items, statistics and options as for aer.
            """,
        ),
        "alignment_recall": (
            "alignment_recall",
            "Alignment recall",
            """What share of gold's sure links does the system have, |A and S| / |S|?

            Items, statistics and options as for aer.
            """,
        ),
    },
    task="word alignment",
    cite=_CITE,
)
