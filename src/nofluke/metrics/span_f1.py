"""Precision, recall and F1 of spans such as named entities and chunks."""

from __future__ import annotations

from nofluke.metrics.averages import Of, Zero
from nofluke.metrics.family import register_each
from nofluke.metrics.sequence_labelling import (
    SEQEVAL,
    Average,
    Column,
    GoldColumn,
    Invalid,
    Mode,
    Scheme,
    Type,
    span_statistics,
)
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Texts
from nofluke.registry import METRICS


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
    read_as = scheme if mode == "strict" else "lenient"
    return span_statistics(of, output, gold, (column, gold_column), read_as, invalid, average, type, zero)


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
    cite=SEQEVAL,
)
