"""Precision, recall and F1 of spans such as named entities and chunks."""

from __future__ import annotations

from nofluke.metrics.averages import Zero
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


@METRICS.register(
    "span_precision",
    label="Span precision",
    task="sequence labelling",
    higher_is_better=True,
    extra="",
    cite=SEQEVAL,
)
def span_precision(
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
    """Of the spans a system marks, what share is in gold with the same words and type?

    Items are sentences; statistics: matched, predicted, gold (by type for averages). In mode lenient any tags make
    spans, so that a tagger's slips cost little; in mode strict tags that do not fit the scheme make none. A corpus
    without predicted spans has precision nan.
    """
    read_as = scheme if mode == "strict" else "lenient"
    return span_statistics("precision", output, gold, (column, gold_column), read_as, invalid, average, type, zero)


@METRICS.register(
    "span_recall",
    label="Span recall",
    task="sequence labelling",
    higher_is_better=True,
    extra="",
    cite=SEQEVAL,
)
def span_recall(
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
    """Of the spans in gold, what share does a system mark with the same words and type?

    Items are sentences; statistics and modes as for span_precision.
    """
    read_as = scheme if mode == "strict" else "lenient"
    return span_statistics("recall", output, gold, (column, gold_column), read_as, invalid, average, type, zero)


@METRICS.register(
    "span_f1",
    label="Span F1",
    task="sequence labelling",
    higher_is_better=True,
    extra="",
    cite=SEQEVAL,
)
def span_f1(
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
    """What is the harmonic mean of span precision and span recall, 2 matched / (predicted + gold)?

    Items are sentences; statistics and modes as for span_precision. The CoNLL figure is micro and lenient. Not for
    nested or overlapping spans, which tags cannot write.
    """
    read_as = scheme if mode == "strict" else "lenient"
    return span_statistics("f1", output, gold, (column, gold_column), read_as, invalid, average, type, zero)
