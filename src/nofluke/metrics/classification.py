"""Classification: accuracy, balanced accuracy and the Matthews correlation of one label per item."""

from __future__ import annotations

import numpy as np

from nofluke.metrics.averages import weighted_mean
from nofluke.metrics.decisions import SCIKIT_LEARN, read_decisions
from nofluke.metrics.statistics import ItemStatistics, mean_aggregate, smooth_aggregate
from nofluke.metrics.texts import Texts
from nofluke.registry import METRICS
from nofluke.types import FloatArray, note


@METRICS.register(
    "accuracy",
    label="Accuracy",
    task="classification",
    higher_is_better=True,
    cite=SCIKIT_LEARN,
)
def accuracy(output: Texts, gold: Texts) -> ItemStatistics:
    """On what share of the items is the label right?

    Statistics: correct (0 or 1); the score is their mean. Not for rare classes: a system that never finds them can
    score high.
    """
    items = read_decisions(output, gold)
    return ItemStatistics(
        items.rows(items.correct[:, None]), ("correct",), mean_aggregate(), "accuracy", notes=items.notes
    )


@METRICS.register(
    "balanced_accuracy",
    label="Balanced accuracy",
    task="classification",
    higher_is_better=True,
    cite="Brodersen et al. 2010; " + SCIKIT_LEARN,
)
def balanced_accuracy(output: Texts, gold: Texts) -> ItemStatistics:
    """What share of a class's items is right, averaged over the classes of gold?

    Statistics by class: matched, gold. A class without items (which can happen in a resample) is left out of the mean,
    as scikit-learn's balanced_accuracy_score does.
    """
    items = read_decisions(output, gold)
    truth = items.one_hot(items.gold)
    size = len(items.classes)

    def function(sums: FloatArray, _n: float) -> FloatArray:
        matched, total = sums[..., :size], sums[..., size:]
        present = (total > 0).astype(np.float64)
        return weighted_mean(matched / np.where(total > 0, total, 1.0), present)

    return ItemStatistics(
        items.rows(np.hstack([truth * items.correct[:, None], truth])),
        tuple(f"{count}:{label}" for count in ("matched", "gold") for label in items.classes),
        smooth_aggregate("balanced_accuracy", function),
        "balanced_accuracy",
        notes=items.notes,
    )


@METRICS.register(
    "mcc",
    label="Matthews correlation",
    task="classification",
    higher_is_better=True,
    cite="Matthews 1975; Gorodkin 2004",
)
def mcc(output: Texts, gold: Texts) -> ItemStatistics:
    """How strongly do predicted and gold labels correlate, from -1 to 1?

    Gorodkin's correlation for any number of classes, (c n - sum p_k t_k) / sqrt((n^2 - sum p_k^2)(n^2 - sum t_k^2)).
    Statistics: correct, and predicted and gold by class. Labels that gold never has count as one label, so that every
    system has the same columns; scikit-learn tells them apart, which differs where there are several. Where all items
    have one label the correlation is 0 / 0 and counts as 0, as in scikit-learn.
    """
    items = read_decisions(output, gold)
    guess, truth = items.one_hot(items.predicted), items.one_hot(items.gold)
    other = 1.0 - guess.sum(axis=1, keepdims=True)
    size = len(items.classes)

    def function(sums: FloatArray, _n: float) -> FloatArray:
        correct, guesses, truths = sums[..., 0], sums[..., 1 : size + 2], sums[..., size + 2 :]
        n = truths.sum(axis=-1)
        top = correct * n - (guesses[..., :size] * truths).sum(axis=-1)
        spread = (n * n - (guesses * guesses).sum(axis=-1)) * (n * n - (truths * truths).sum(axis=-1))
        score: FloatArray = np.where(spread > 0, top / np.sqrt(np.where(spread > 0, spread, 1.0)), 0.0)
        return score

    names = ("correct", *(f"predicted:{label}" for label in (*items.classes, "(other)")))
    notes = items.notes
    if len(set(items.predicted.tolist())) == 1 or size == 1:
        notes += (note("metric.one_label"),)
    return ItemStatistics(
        items.rows(np.hstack([items.correct[:, None], guess, other, truth])),
        (*names, *(f"gold:{label}" for label in items.classes)),
        smooth_aggregate("mcc", function),
        "mcc",
        notes=notes,
    )
