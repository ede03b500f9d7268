"""Classification: precision, recall and F1, of one label, pooled, or averaged over the classes of gold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np

from nofluke.errors import MethodError, unknown
from nofluke.metrics.averages import COUNTS, Of, Zero, averaged_aggregate, class_names, pooled_aggregate
from nofluke.metrics.decisions import SCIKIT_LEARN, Decisions, read_decisions
from nofluke.metrics.family import register_each
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Texts
from nofluke.registry import METRICS
from nofluke.types import Note, note

Average: TypeAlias = Annotated[
    Literal["macro", "micro", "weighted"],
    "mean over classes, all decisions pooled (equal to accuracy), or mean weighted by the classes' gold counts",
]
LabelSet: TypeAlias = Annotated[
    Literal["gold", "both"],
    "average over the labels of gold, the same for every system, or of gold and the system's own outputs, as "
    "scikit-learn does: a label that gold never has then counts as a class with score 0",
]
Positive: TypeAlias = Annotated[str | None, "score this label alone, as in binary tasks, instead of an average"]


@dataclass(frozen=True, slots=True)
class Averaging:
    """How the classes are put together."""

    average: str
    labels: str
    positive: str | None
    zero: str


def _prf(of: Of, files: tuple[Texts, Texts], how: Averaging) -> ItemStatistics:
    both = how.labels == "both" and how.average == "macro" and how.positive is None
    items = read_decisions(*files, classes_of_output=both)
    if how.positive is not None:
        return _of_one_label(of, items, how)
    if how.average == "micro":
        # Every item has one gold and one predicted label, so all three equal accuracy.
        ones = np.ones_like(items.correct)
        values = items.rows(np.column_stack([items.correct, ones, ones]))
        return ItemStatistics(values, COUNTS, pooled_aggregate(of, of), f"{of}|average:micro", notes=items.notes)
    truth, guess = items.one_hot(items.gold), items.one_hot(items.predicted)
    average: Literal["macro", "weighted"] = "weighted" if how.average == "weighted" else "macro"
    # Labels that gold never has weigh nothing in a weighted mean: there both sets give the same.
    named = f"|labels:{how.labels}" if average == "macro" else ""
    return ItemStatistics(
        items.rows(np.hstack([truth * guess, guess, truth])),
        class_names(items.classes),
        averaged_aggregate(of, average, how.zero, of, present_only=both),
        f"{of}|average:{average}{named}|zero:{how.zero}",
        notes=items.notes + _notes(of, items, how, both),
    )


def _notes(of: Of, items: Decisions, how: Averaging, both: bool) -> tuple[Note, ...]:
    notes: tuple[Note, ...] = ()
    predicted = set(items.predicted.tolist())
    missed = [label for code, label in enumerate(items.classes) if code not in predicted]
    if of == "precision" and missed:
        notes += (note("metric.never_predicted", labels=missed, zero=how.zero),)
    strange = len(items.classes) - len(set(items.gold.tolist()))
    if both and strange:
        notes += (note("metric.labels_of_both", labels=len(items.classes), strange=strange),)
    return notes


def _of_one_label(of: Of, items: Decisions, how: Averaging) -> ItemStatistics:
    positive = str(how.positive)
    code = items.code_of(positive)
    if code is None:
        raise unknown("label in gold", positive, items.classes)
    if how.average != "macro" or how.labels != "gold":
        other = f"average = {how.average!r}" if how.average != "macro" else f"labels = {how.labels!r}"
        raise MethodError(
            f"positive = {positive!r} scores one label, and {other} all of them.",
            fix="give one of the two.",
        )
    truth, guess = items.gold == code, items.predicted == code
    values = items.rows(np.column_stack([truth & guess, guess, truth]).astype(np.float64))
    notes = items.notes
    if of == "precision" and not guess.any():
        notes += (note("metric.positive_never_predicted", label=positive),)
    signature = f"{of}|positive:{positive}"
    return ItemStatistics(values, COUNTS, pooled_aggregate(of, of), signature, notes=notes)


def _classes(
    of: Of,
    output: Texts,
    gold: Texts,
    *,
    average: Average = "macro",
    labels: LabelSet = "gold",
    positive: Positive = None,
    zero: Zero = "0",
) -> ItemStatistics:
    return _prf(of, (output, gold), Averaging(average, labels, positive, zero))


precision, recall, f1 = register_each(
    METRICS.register,
    _classes,
    {
        "precision": (
            "precision",
            "Precision",
            """Of the items given a label, what share has it in gold?

            Statistics: matched, predicted, gold (of the positive label, or pooled), or these three by class. macro
            averages over the labels of gold, the same for every system: a label that gold never has counts as wrong
            and is no class of its own. scikit-learn averages over the labels of gold and outputs: so does
            labels="both", for each system and each resample over those it has. A class never predicted has precision
            0 / 0: see zero.
            """,
        ),
        "recall": (
            "recall",
            "Recall",
            """Of the items that have a label in gold, what share is found?

            Statistics and classes as for precision. On the whole test set no class of gold has recall 0 / 0; a
            resample may miss a rare class, and zero says what it is worth there.
            """,
        ),
        "f1": (
            "f1",
            "F1",
            """What is the harmonic mean of precision and recall, 2 matched / (predicted + gold)?

            Statistics and classes as for precision. macro is the mean of the classes' F1, not the F1 of mean precision
            and mean recall. With average="micro" it equals accuracy.
            """,
        ),
    },
    task="classification",
    cite="van Rijsbergen 1979; " + SCIKIT_LEARN,
)
