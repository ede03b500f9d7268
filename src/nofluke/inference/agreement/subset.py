"""Parts of ratings: some items, some annotators, one label against all others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nofluke.errors import InputError, unknown
from nofluke.types import FloatArray, IntArray, Ratings, frozen


def with_items(ratings: Ratings, kept: np.ndarray) -> Ratings:
    """Keep the ratings of some items; the items themselves stay in the list."""
    mask = kept[ratings.item]
    return _masked(ratings, mask)


def with_annotators(ratings: Ratings, names: tuple[str, ...]) -> Ratings:
    """Keep some annotators, in the order named."""
    for name in names:
        if name not in ratings.annotators:
            raise unknown("annotator", name, ratings.annotators)
    if len(set(names)) < len(names):
        raise InputError("an annotator is named twice.", fix="name every annotator once.")
    position = np.full(len(ratings.annotators), -1, dtype=np.int64)
    position[[ratings.annotators.index(name) for name in names]] = np.arange(len(names))
    chosen = _masked(ratings, position[ratings.annotator] >= 0)
    return replace(chosen, annotators=names, annotator=frozen(position[chosen.annotator], np.int64))


def one_against_others(ratings: Ratings, code: int) -> Ratings:
    """Turn one label into 1 and all others into 0."""
    names = ("any other label", ratings.categories[code])
    values: FloatArray = frozen([0.0, 1.0])
    label: IntArray = frozen((ratings.label == code).astype(np.int64), np.int64)
    return replace(ratings, categories=names, values=values, ordered=True, label=label)


def _masked(ratings: Ratings, mask: np.ndarray) -> Ratings:
    return replace(
        ratings,
        item=frozen(ratings.item[mask], np.int64),
        annotator=frozen(ratings.annotator[mask], np.int64),
        label=frozen(ratings.label[mask], np.int64),
    )
