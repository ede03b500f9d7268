"""Precision, recall and F1 of labelled brackets."""

from __future__ import annotations

from nofluke.metrics.averages import Of
from nofluke.metrics.constituency import (
    EVALB,
    Counting,
    Failed,
    Labelled,
    Particles,
    Punctuation,
    Words,
    bracket_statistics,
)
from nofluke.metrics.family import register_each
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Texts
from nofluke.registry import METRICS


def _brackets(
    of: Of,
    output: Texts,
    gold: Texts | None = None,
    *,
    punctuation: Punctuation = "skip",
    prt_as_advp: Particles = True,
    labelled: Labelled = True,
    failed: Failed = "skip",
    other_words: Words = "refuse",
) -> ItemStatistics:
    return bracket_statistics(of, output, gold, Counting(punctuation, prt_as_advp, labelled, failed, other_words))


bracket_precision, bracket_recall, bracket_f1 = register_each(
    METRICS.register,
    _brackets,
    {
        "bracket_precision": (
            "precision",
            "Bracket precision",
            """Of the constituents a parser builds, what share is in gold with the same words and label?

            Items are sentences; statistics: matched, test, gold brackets, as evalb with COLLINS.prm counts them: a
            multiset of labelled spans above the tags; TOP, ROOT, S1 and unlabelled brackets, traces and empty
            constituents are removed, labels end at - or =, punctuation does not count as words, unary chains stay.
            Which words are punctuation is read from gold. One tree per line; or give the table evalb printed instead
            of trees (then gold is not read, and the other options have no effect).
            """,
        ),
        "bracket_recall": (
            "recall",
            "Bracket recall",
            """Of the constituents in gold, what share does a parser build with the same words and label?

            Items, statistics and options as for bracket_precision.
            """,
        ),
        "bracket_f1": (
            "f1",
            "Bracket F1",
            """What is the harmonic mean of bracket precision and recall, 2 matched / (test + gold)?

            Items, statistics and options as for bracket_precision: evalb's Bracketing FMeasure, as a share of 1. evalb
            leaves out sentences without a parse, which favours parsers that fail on hard sentences; so several systems
            are scored only on sentences that all of them parse, and failed="wrong" counts the others as wrong.
            """,
        ),
    },
    task="constituency parsing",
    cite=EVALB,
)
