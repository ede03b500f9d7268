"""Precision, recall and F1 from (matched, predicted, gold) counts: of one class or pooled, or averaged over classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, TypeAlias

import numpy as np

from nofluke.metrics.statistics import ItemStatistics, ratio_aggregate, smooth_aggregate
from nofluke.types import Aggregate, FloatArray, frozen

Zero: TypeAlias = Annotated[
    Literal["0", "nan"],
    "what 0 / 0 is worth in an average over classes: 0 (scikit-learn's zero_division=0), or nan: left out of the mean",
]
Of: TypeAlias = Literal["precision", "recall", "f1"]

COUNTS = ("matched", "predicted", "gold")
# Weights on (matched, predicted, gold): F1 = 2 matched / (predicted + gold).
_WEIGHTS: dict[Of, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "precision": ((1, 0, 0), (0, 1, 0)),
    "recall": ((1, 0, 0), (0, 0, 1)),
    "f1": ((2, 0, 0), (0, 1, 1)),
}


def pooled_aggregate(of: Of, name: str) -> Aggregate:
    """Precision, recall or F1 of one set of counts (matched, predicted, gold), summed over items first."""
    return ratio_aggregate(name, *_WEIGHTS[of])


def class_names(classes: tuple[str, ...]) -> tuple[str, ...]:
    """Name the columns of statistics by class: all matched, then all predicted, then all gold."""
    return tuple(f"{count}:{label}" for count in COUNTS for label in classes)


def averaged_aggregate(
    of: Of, average: Literal["macro", "weighted"], zero: str, name: str, *, present_only: bool = False
) -> Aggregate:
    """The mean over classes of precision, recall or F1; the columns are those of class_names.

    macro gives every class the same weight, weighted its share of the gold items. `present_only` leaves out classes
    that neither gold nor the outputs have.

    >>> import numpy as np
    >>> macro = averaged_aggregate("f1", "macro", "0", "f1")  # classes x and y
    >>> float(macro(np.array([3.0, 0.0, 4.0, 0.0, 2.0, 4.0]), 6.0))  # 2 * 3 / (4 + 2) = 1 and 0 / 4 = 0
    0.5
    """
    over, under = (np.array(weights, dtype=np.float64) for weights in _WEIGHTS[of])

    def function(sums: FloatArray, _n: float) -> FloatArray:
        counts = sums.reshape(*sums.shape[:-1], 3, -1)
        top, bottom = np.einsum("...kc,k->...c", counts, over), np.einsum("...kc,k->...c", counts, under)
        empty = bottom == 0
        scores = np.where(empty, 0.0, top / np.where(empty, 1.0, bottom))
        weights = counts[..., 2, :] if average == "weighted" else np.ones_like(scores)
        if present_only:
            weights = np.where(counts[..., 1, :] + counts[..., 2, :] == 0, 0.0, weights)
        if zero == "nan":
            weights = np.where(empty, 0.0, weights)
        return weighted_mean(scores, weights)

    return smooth_aggregate(name, function)


def weighted_mean(scores: FloatArray, weights: FloatArray) -> FloatArray:
    """The weighted mean over the last axis; nan where all weights are 0."""
    total = weights.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: FloatArray = np.where(total == 0, np.nan, (scores * weights).sum(axis=-1) / total)
    return mean


def with_all_classes(statistics: Mapping[str, ItemStatistics]) -> dict[str, ItemStatistics]:
    """Give every system columns for the classes that any of them has, 0 where it lacks one: the score stays the same.

    Only averages over classes have such columns; their formula takes any number of classes.
    """
    reference = next(iter(statistics.values()))
    different = any(found.names != reference.names for found in statistics.values())
    if not different or not all(_by_class(found.names) for found in statistics.values()):
        return dict(statistics)
    classes = {name.partition(":")[2] for found in statistics.values() for name in found.names}
    names = class_names(tuple(sorted(classes)))
    return {system: _padded(found, names) for system, found in statistics.items()}


def _by_class(names: tuple[str, ...]) -> bool:
    return {name.partition(":")[0] for name in names} == set(COUNTS) and all(":" in name for name in names)


def _padded(found: ItemStatistics, names: tuple[str, ...]) -> ItemStatistics:
    values = np.zeros((len(found.values), len(names)))
    place = {name: index for index, name in enumerate(names)}
    values[:, [place[name] for name in found.names]] = found.values
    return replace(found, values=frozen(values), names=names)
