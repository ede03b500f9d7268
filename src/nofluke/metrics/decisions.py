"""One label per item: the classes of gold, and what a system decided, as numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.errors import Fix, MethodError, Option
from nofluke.metrics.formats.labels import Spellings, label_key, read_labels, require_as_many, spelling_notes
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

    def code_of(self, label: str) -> int | None:
        """Give the number of a class by its name, however a user spells it; None where there is no such class."""
        if label in self.classes:
            return self.classes.index(label)
        alike = [code for code, name in enumerate(self.classes) if label_key(name) == label_key(label)]
        return alike[0] if len(alike) == 1 else None

    def rows(self, values: FloatArray) -> FloatArray:
        """Give the statistics, nan where an item has no output."""
        return frozen(np.where(self.missing[:, None], np.nan, values))


def read_decisions(output: Texts, gold: Texts, *, classes_of_output: bool = False) -> Decisions:
    """Read outputs and gold item by item; the classes are those of gold, or of both."""
    truth, ours = read_labels(gold, "gold"), read_labels(output, "output")
    require_as_many(ours, truth)
    spellings = Spellings(truth.labels)
    truths, guesses = spellings.of(truth.labels), spellings.of(ours.labels)
    # Whether an item without an output is left out or refused is decided where systems are compared.
    predicted = [None if item in ours.source.missing else label for item, label in enumerate(guesses)]
    guessed = {label for label in predicted if label is not None}
    strange = guessed - set(spellings.classes)
    classes = tuple(sorted({*spellings.classes, *(guessed if classes_of_output else ())}))
    codes = {label: code for code, label in enumerate(classes)}
    given = dict(zip((*truth.labels, *ours.labels), (*truths, *guesses), strict=True))
    given.pop("", None)
    notes: tuple[Note, ...] = spelling_notes(given, given.values())
    if strange:
        items = sum(label in strange for label in predicted)
        notes += (note("metric.labels_not_in_gold", labels=sorted(strange), items=items),)
    right = np.array([codes[label] for label in truths], dtype=np.int64)
    decided = np.array([-1 if label is None else codes.get(label, -1) for label in predicted], dtype=np.int64)
    missing = np.array([label is None for label in predicted], dtype=np.bool_)
    return Decisions(classes, right, decided, (right == decided).astype(np.float64), missing, notes)
