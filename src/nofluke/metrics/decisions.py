"""One label per item: the classes of gold, and what a system decided, as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np

from nofluke.errors import MethodError, listing
from nofluke.metrics.formats.labels import matched_labels, read_labels
from nofluke.metrics.texts import Texts
from nofluke.types import FloatArray, IntArray

Column: TypeAlias = Annotated[str | None, "the outputs' column, by name or by number from 1 (CSV and TSV)"]
GoldColumn: TypeAlias = Annotated[str | None, "the gold file's column, by name or by number from 1 (CSV and TSV)"]

SCIKIT_LEARN = "Pedregosa et al. 2011 (scikit-learn)"
# 800 MB of statistics.
_MOST_VALUES = 100_000_000


@dataclass(frozen=True, slots=True)
class Decisions:
    """The classes, fixed by gold; every item's gold and predicted class as a number; -1 is a label gold never has."""

    classes: tuple[str, ...]
    gold: IntArray
    predicted: IntArray
    correct: FloatArray
    ids: tuple[str, ...] | None
    notes: tuple[str, ...]

    def one_hot(self, codes: IntArray) -> FloatArray:
        """Give an (n, classes) table with a 1 for the class of each item."""
        if len(codes) * len(self.classes) * 3 > _MOST_VALUES:
            raise MethodError(
                f"an average over {len(self.classes):,} classes on {len(codes):,} items needs too large a table.",
                fix="use average='micro' or accuracy, or one label with positive=...",
            )
        table: FloatArray = (codes[:, None] == np.arange(len(self.classes))).astype(np.float64)
        return table


def read_decisions(output: Texts, gold: Texts, column: str | None, gold_column: str | None) -> Decisions:
    """Read outputs and gold and match them item by item; the classes are those of gold."""
    truth = read_labels(gold, gold_column, "gold")
    predicted, ids = matched_labels(read_labels(output, column, "output"), truth)
    classes = tuple(sorted(set(truth.labels)))
    codes = {label: code for code, label in enumerate(classes)}
    strange = sorted(set(predicted) - set(classes))
    notes: tuple[str, ...] = ()
    if strange:
        count = sum(label not in codes for label in predicted)
        notes = (f"labels that gold never has count as wrong: {listing(strange, 5)} (on {count:,} items).",)
    truths = np.array([codes[label] for label in truth.labels], dtype=np.int64)
    guesses = np.array([codes.get(label, -1) for label in predicted], dtype=np.int64)
    return Decisions(classes, truths, guesses, (truths == guesses).astype(np.float64), ids, notes)
