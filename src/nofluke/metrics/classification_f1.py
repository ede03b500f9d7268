"""Classification: precision, recall and F1, of one label, pooled, or averaged over the classes of gold."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import numpy as np

from nofluke.errors import MethodError, listing, unknown
from nofluke.metrics.averages import COUNTS, Of, Zero, averaged_aggregate, class_names, pooled_aggregate
from nofluke.metrics.decisions import SCIKIT_LEARN, Column, Decisions, GoldColumn, read_decisions
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Texts
from nofluke.registry import METRICS
from nofluke.types import frozen

Average: TypeAlias = Annotated[
    Literal["macro", "micro", "weighted"],
    "mean over classes, all decisions pooled (equal to accuracy), or mean weighted by the classes' gold counts",
]
Positive: TypeAlias = Annotated[str | None, "score this label alone, as in binary tasks, instead of an average"]


def _prf(of: Of, items: Decisions, average: str, positive: str | None, zero: str) -> ItemStatistics:
    if positive is not None:
        return _of_one_label(of, items, average, positive)
    if average == "micro":
        # Every item has one gold and one predicted label, so all three equal accuracy.
        ones = np.ones_like(items.correct)
        values = np.column_stack([items.correct, ones, ones])
        names: tuple[str, ...] = COUNTS
        aggregate = pooled_aggregate(of, of)
        signature = f"{of}|average:micro"
    else:
        truth, guess = items.one_hot(items.gold), items.one_hot(items.predicted)
        values, names = np.hstack([truth * guess, guess, truth]), class_names(items.classes)
        aggregate = averaged_aggregate(of, "weighted" if average == "weighted" else "macro", zero, of)
        signature = f"{of}|average:{average}|zero:{zero}"
    notes = items.notes
    missed = [label for code, label in enumerate(items.classes) if code not in set(items.predicted.tolist())]
    if of == "precision" and average != "micro" and missed:
        how = "counts as 0" if zero == "0" else "is left out of the mean"
        notes += (f"never predicted, so that its precision 0 / 0 {how}: {listing(missed, 5)}.",)
    return ItemStatistics(frozen(values), names, aggregate, signature, items.ids, notes)


def _of_one_label(of: Of, items: Decisions, average: str, positive: str) -> ItemStatistics:
    if positive not in items.classes:
        raise unknown("label in gold", positive, items.classes)
    if average != "macro":
        raise MethodError(
            f"positive = {positive!r} scores one label, and average = {average!r} all of them.",
            fix="give one of the two.",
        )
    code = items.classes.index(positive)
    truth, guess = items.gold == code, items.predicted == code
    values = np.column_stack([truth & guess, guess, truth]).astype(np.float64)
    notes = items.notes
    if of == "precision" and not guess.any():
        notes += (f"{positive} is never predicted: its precision is 0 / 0, not a number.",)
    signature = f"{of}|positive:{positive}"
    return ItemStatistics(frozen(values), COUNTS, pooled_aggregate(of, of), signature, items.ids, notes)


@METRICS.register(
    "precision",
    label="Precision",
    task="classification",
    higher_is_better=True,
    extra="",
    cite="van Rijsbergen 1979; " + SCIKIT_LEARN,
)
def precision(
    output: Texts,
    gold: Texts,
    *,
    average: Average = "macro",
    positive: Positive = None,
    zero: Zero = "0",
    column: Column = None,
    gold_column: GoldColumn = None,
) -> ItemStatistics:
    """Of the items given a label, what share has it in gold?

    Statistics: matched, predicted, gold (of the positive label, or pooled), or these three by class. Averages run over
    the classes of gold, the same for every system; a label that gold never has counts as wrong and is no class of its
    own (scikit-learn with labels=sorted(set(gold))). A class never predicted has precision 0 / 0: see zero.
    """
    return _prf("precision", read_decisions(output, gold, column, gold_column), average, positive, zero)


@METRICS.register(
    "recall",
    label="Recall",
    task="classification",
    higher_is_better=True,
    extra="",
    cite="van Rijsbergen 1979; " + SCIKIT_LEARN,
)
def recall(
    output: Texts,
    gold: Texts,
    *,
    average: Average = "macro",
    positive: Positive = None,
    zero: Zero = "0",
    column: Column = None,
    gold_column: GoldColumn = None,
) -> ItemStatistics:
    """Of the items that have a label in gold, what share is found?

    Statistics and classes as for precision. On the whole test set no class of gold has recall 0 / 0; a resample may
    miss a rare class, and zero says what it is worth there.
    """
    return _prf("recall", read_decisions(output, gold, column, gold_column), average, positive, zero)


@METRICS.register(
    "f1",
    label="F1",
    task="classification",
    higher_is_better=True,
    extra="",
    cite="van Rijsbergen 1979; " + SCIKIT_LEARN,
)
def f1(
    output: Texts,
    gold: Texts,
    *,
    average: Average = "macro",
    positive: Positive = None,
    zero: Zero = "0",
    column: Column = None,
    gold_column: GoldColumn = None,
) -> ItemStatistics:
    """What is the harmonic mean of precision and recall, 2 matched / (predicted + gold)?

    Statistics and classes as for precision. macro is the mean of the classes' F1, not the F1 of mean precision and
    mean recall. With average="micro" it equals accuracy.
    """
    return _prf("f1", read_decisions(output, gold, column, gold_column), average, positive, zero)
