"""Weights that give partial credit to labels that lie close together."""

from __future__ import annotations

import numpy as np

from nofluke.errors import By, Fix, MethodError, Option
from nofluke.types import FloatArray, Ratings

# More labels than this make a table of weights that no longer fits comfortably into memory.
_MOST_LABELS = 4_000


def agreement_weights(ratings: Ratings, kind: str, name: str) -> FloatArray | None:
    """Give 1 for equal labels down to 0 for the two ends, by the position of labels; None for no weights.

    linear: 1 - d / (q - 1); quadratic: 1 - d^2 / (q - 1)^2; ordinal: 1 - C(d + 1, 2) / C(q, 2), for labels d places
    apart (Cohen 1968; Gwet 2014, chapter 3). Positions count the labels that are there, not their numbers.
    """
    if kind == "none":
        return None
    q = len(ratings.categories)
    refuse_unordered(ratings, f"{name} with {kind} weights")
    if q > _MOST_LABELS:
        raise MethodError(
            f"{name} with {kind} weights is for labels, and there are {q:,} different ones.",
            fix=Fix("for numbers use krippendorff_alpha: ", Option("level", "interval"), "."),
        )
    if q < 2:
        return np.ones((q, q))
    d = np.abs(np.subtract.outer(np.arange(q), np.arange(q))).astype(np.float64)
    if kind == "linear":
        return 1 - d / (q - 1)
    if kind == "quadratic":
        return 1 - (d / (q - 1)) ** 2
    return 1 - d * (d + 1) / (q * (q - 1))


def refuse_unordered(ratings: Ratings, what: str) -> None:
    """Refuse words whose order only the user can know."""
    if not ratings.ordered and len(ratings.categories) > 2:
        raise MethodError(
            f"{what} needs labels in an order, and these are words ({', '.join(ratings.categories[:3])}, ...).",
            fix=Fix(
                "give all labels from lowest to highest: ",
                By("categories=('low', 'medium', 'high')", "--categories low,medium,high", "low, medium, high"),
                ".",
            ),
        )
