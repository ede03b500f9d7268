"""Sequence labelling: token accuracy, and precision, recall and F1 of spans such as named entities."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal, TypeAlias

import numpy as np

from nofluke.errors import Fix, InputError, MethodError, Option, unknown
from nofluke.metrics.averages import COUNTS, Of, Zero, averaged_aggregate, class_names, pooled_aggregate
from nofluke.metrics.family import register_each
from nofluke.metrics.formats.conll_tags import TaggedFile, read_tagged, require_same_tokens
from nofluke.metrics.spans import SentenceSpans, Span, file_spans
from nofluke.metrics.statistics import ItemStatistics, ratio_aggregate
from nofluke.metrics.texts import Texts
from nofluke.registry import METRICS
from nofluke.types import Note, frozen, note

Column: TypeAlias = Annotated[int, "the outputs' tag column, counted from 1, or back from -1 for the last"]
GoldColumn: TypeAlias = Annotated[int, "the gold file's tag column, counted from 1, or back from -1 for the last"]
Mode: TypeAlias = Annotated[
    Literal["lenient", "strict"],
    "lenient: any tags make spans (conlleval, seqeval's default); strict: only valid spans of the scheme",
]
Scheme: TypeAlias = Annotated[
    Literal["iob2", "iob1", "iobes", "bilou"], "how the tags are written (mode strict; lenient reads all of them)"
]
Average: TypeAlias = Annotated[
    Literal["micro", "macro", "weighted"],
    "all spans pooled, the mean over the types of gold, or that mean weighted by the types' gold counts",
]
Type: TypeAlias = Annotated[str | None, "score the spans of this type alone"]
Invalid: TypeAlias = Annotated[
    Literal["refuse", "drop"],
    "mode strict: outputs' tags that make no valid span are an error, or count as no span (as in seqeval)",
]

_SEQEVAL = "Tjong Kim Sang and De Meulder 2003 (conlleval); Nakayama 2018 (seqeval)"

_LENIENT = Option("metric_option", "mode=lenient")


@METRICS.register(
    "token_accuracy",
    label="Token accuracy",
    task="sequence labelling",
    higher_is_better=True,
    cite=_SEQEVAL,
)
def token_accuracy(output: Texts, gold: Texts, *, column: Column = -1, gold_column: GoldColumn = -1) -> ItemStatistics:
    """What share of the tokens has the right tag?

    Items are sentences; statistics: correct, tokens. Every tag counts, O included: with many O a poor system scores
    high, so use span_f1 for names and chunks.
    """
    ours, truth = read_tagged(output, column, "output"), read_tagged(gold, gold_column, "gold")
    require_same_tokens(ours, truth)
    values = [
        (sum(a == b for a, b in zip(mine.tags, theirs.tags, strict=True)), len(theirs.tags))
        for mine, theirs in zip(ours.sentences, truth.sentences, strict=True)
    ]
    return ItemStatistics(
        frozen(values),
        ("correct", "tokens"),
        ratio_aggregate("token_accuracy", (1, 0), (0, 1)),
        "token_accuracy",
        clusters=truth.documents(),
    )


def _strays(sentences: tuple[SentenceSpans, ...]) -> list[tuple[int, int]]:
    return [(number, found.stray) for number, found in enumerate(sentences) if found.stray is not None]


def _refused(file: TaggedFile, place: tuple[int, int], scheme: str, fix: Fix) -> InputError:
    tag = file.sentences[place[0]].tags[place[1]]
    return InputError(f"{tag!r} makes no valid {scheme} span here.", where=file.where(*place), fix=fix)


def _read_spans(
    output: Texts, gold: Texts, columns: tuple[int, int], scheme: str, invalid: str
) -> tuple[list[tuple[frozenset[Span], frozenset[Span]]], tuple[str, ...] | None, tuple[Note, ...]]:
    """Give (output, gold) spans by sentence, documents and notes; `scheme` is "lenient" or that of mode strict."""
    ours, truth = read_tagged(output, columns[0], "output"), read_tagged(gold, columns[1], "gold")
    require_same_tokens(ours, truth)
    mine, theirs = file_spans(ours, scheme), file_spans(truth, scheme)
    notes: tuple[Note, ...] = ()
    if strays := _strays(theirs):
        raise _refused(
            truth, strays[0], scheme, Fix("gold must be valid: give the scheme it is written in, or ", _LENIENT, ".")
        )
    if strays := _strays(mine):
        if invalid == "refuse":
            raise _refused(
                ours,
                strays[0],
                scheme,
                Fix("mend the tags, or give ", Option("metric_option", "invalid=drop"), " or ", _LENIENT, "."),
            )
        place = ours.where(*strays[0])
        notes = (note("metric.invalid_tags", sentences=len(strays), scheme=scheme, place=place),)
    return [(a.spans, b.spans) for a, b in zip(mine, theirs, strict=True)], truth.documents(), notes


def _counts(ours: frozenset[Span], gold: frozenset[Span], kind: str | None) -> tuple[int, int, int]:
    if kind is not None:
        ours = frozenset(span for span in ours if span[0] == kind)
        gold = frozenset(span for span in gold if span[0] == kind)
    return len(ours & gold), len(ours), len(gold)


def _spans(
    of: Of,
    output: Texts,
    gold: Texts,
    *,
    mode: Mode = "lenient",
    scheme: Scheme = "iob2",
    average: Average = "micro",
    type: Type = None,
    invalid: Invalid = "refuse",
    zero: Zero = "0",
    column: Column = -1,
    gold_column: GoldColumn = -1,
) -> ItemStatistics:
    """Count matched, predicted and gold spans of every sentence: pooled, of one type, or by type."""
    read_as = scheme if mode == "strict" else "lenient"
    sentences, documents, notes = _read_spans(output, gold, (column, gold_column), read_as, invalid)
    name = f"span_{of}"
    signature = f"{name}|" + ("mode:lenient" if mode == "lenient" else f"scheme:{scheme}|mode:strict")
    types = tuple(sorted({span[0] for _, theirs in sentences for span in theirs}))
    if type is not None and average != "micro":
        raise MethodError(
            f"type = {type!r} scores one type, and average = {average!r} all of them.", fix="give one of the two."
        )
    if type is not None and type not in types:
        raise unknown("span type in gold", type, types)
    if average == "micro":
        values = frozen([_counts(mine, theirs, type) for mine, theirs in sentences])
        signature += f"|type:{type}" if type is not None else ""
        return ItemStatistics(values, COUNTS, pooled_aggregate(of, name), signature, None, notes, documents)
    strange = Counter(span[0] for mine, _ in sentences for span in mine if span[0] not in types)
    if strange:
        notes += (note("metric.types_not_in_gold", types=sorted(strange)),)
    table = np.array([[_counts(mine, theirs, each) for each in types] for mine, theirs in sentences], dtype=np.float64)
    values = frozen(table.transpose(0, 2, 1).reshape(len(sentences), -1))
    aggregate = averaged_aggregate(of, "weighted" if average == "weighted" else "macro", zero, name)
    signature += f"|average:{average}|zero:{zero}"
    return ItemStatistics(values, class_names(types), aggregate, signature, None, notes, documents)


span_precision, span_recall, span_f1 = register_each(
    METRICS.register,
    _spans,
    {
        "span_precision": (
            "precision",
            "Span precision",
            """Of the spans a system marks, what share is in gold with the same words and type?

            Items are sentences; statistics: matched, predicted, gold (by type for averages). In mode lenient any tags
            make spans, so that a tagger's slips cost little; in mode strict tags that do not fit the scheme make none.
            A corpus without predicted spans has precision nan.
            """,
        ),
        "span_recall": (
            "recall",
            "Span recall",
            """Of the spans in gold, what share does a system mark with the same words and type?

            Items are sentences; statistics and modes as for span_precision.
            """,
        ),
        "span_f1": (
            "f1",
            "Span F1",
            """What is the harmonic mean of span precision and span recall, 2 matched / (predicted + gold)?

            Items are sentences; statistics and modes as for span_precision. The CoNLL figure is micro and lenient. Not
            for nested or overlapping spans, which tags cannot write.
            """,
        ),
    },
    task="sequence labelling",
    cite=_SEQEVAL,
)
