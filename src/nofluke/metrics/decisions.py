"""One label per item: the classes of gold, and what a system decided, as numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.errors import Fix, MethodError, Option
from nofluke.metrics.formats.labels import matched_labels, read_labels
from nofluke.metrics.texts import Texts
from nofluke.types import FloatArray, IntArray, Note, frozen, note

SCIKIT_LEARN = "Pedregosa et al. 2011 (scikit-learn)"
# 800 MB of statistics.
_MOST_VALUES = 100_000_000


@dataclass(frozen=True, slots=True)
class Decisions:
    """The classes; every item's gold and predicted class as a number; -1 is a label that is no class.

    `missing` marks items without an output: they get rows of nan.
    """

    classes: tuple[str, ...]
    gold: IntArray
    predicted: IntArray
    correct: FloatArray
    missing: npt.NDArray[np.bool_]
    notes: tuple[Note, ...]

    def one_hot(self, codes: IntArray) -> FloatArray:
        """Give an (n, classes) table with a 1 for the class of each item."""
        if len(codes) * len(self.classes) * 3 > _MOST_VALUES:
            raise MethodError(
                f"an average over {len(self.classes):,} classes on {len(codes):,} items needs too large a table.",
                fix=Fix(
                    "use ",
                    Option("metric_option", "average=micro"),
                    " or accuracy, or one label: ",
                    Option("metric_option", "positive=NAME"),
                    ".",
                ),
            )
        table: FloatArray = (codes[:, None] == np.arange(len(self.classes))).astype(np.float64)
        return table

    def rows(self, values: FloatArray) -> FloatArray:
        """Give the statistics, nan where an item has no output."""
        return frozen(np.where(self.missing[:, None], np.nan, values))


def read_decisions(output: Texts, gold: Texts, *, classes_of_output: bool = False) -> Decisions:
    """Read outputs and gold item by item; the classes are those of gold, or of both."""
    truth, ours = read_labels(gold, "gold"), read_labels(output, "output")
    predicted = matched_labels(ours, truth)
    guessed = {label for label in predicted if label is not None}
    strange = guessed - set(truth.labels)
    classes = tuple(sorted({*truth.labels, *(guessed if classes_of_output else ())}))
    codes = {label: code for code, label in enumerate(classes)}
    notes: tuple[Note, ...] = ()
    if strange:
        items = sum(label in strange for label in predicted)
        notes += (note("metric.labels_not_in_gold", labels=sorted(strange), items=items),)
    truths = np.array([codes[label] for label in truth.labels], dtype=np.int64)
    guesses = np.array([-1 if label is None else codes.get(label, -1) for label in predicted], dtype=np.int64)
    missing = np.array([label is None for label in predicted], dtype=np.bool_)
    return Decisions(classes, truths, guesses, (truths == guesses).astype(np.float64), missing, notes)
