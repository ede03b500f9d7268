"""What ratings themselves warn of: scales, common labels, annotators' habits, rare labels, odd columns, gaps."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from nofluke.inference.agreement.tally import Tally
from nofluke.types import Note, Ratings, note

# One label this common makes chance agreement high and kappas low (Feinstein and Cicchetti 1990).
_COMMON = 0.8
# Two annotators whose use of a label differs by this much, and by more than chance explains, have different habits.
_HABIT = 0.1
# With so common a label and fewer items than this outside it, intervals were too short in simulations.
_FEWEST_OTHERS = 30
_FEWEST_ITEMS = 20
# From so many different numbers on, labels are probably a scale.
_SCALE = 4


def hint_of_a_scale(
    categories: Sequence[object], defaults: Mapping[str, object], given: Collection[str]
) -> tuple[Note, ...]:
    """Note where labels look like a scale and every difference counts the same, unless that was asked for."""
    numbers = [number for number in map(_number, categories) if number is not None]
    flat = {"level": "nominal", "weights": "none"}
    option = next((name for name, value in flat.items() if defaults.get(name) == value), None)
    if option is None or option in given or len(numbers) < max(_SCALE, len(categories)):
        return ()
    return (note("agree.scale", option=option, labels=len(numbers), low=min(numbers), high=max(numbers)),)


def _number(label: object) -> float | None:
    try:
        value = float(str(label))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def cautions(ratings: Ratings, t: Tally, *, numbers: bool, weighted: bool) -> tuple[Note, ...]:
    """Note what a reader of the coefficient has to know; `numbers` are ratings taken as numbers, not as labels."""
    found = [*_gaps(ratings, t), *_strangers(ratings)]
    if not numbers:
        found += [*_common_label(ratings, t), *_habits(ratings, t), *_hardly_labels(ratings)]
    if weighted:
        found += _steps(ratings)
    return tuple(found)


def _hardly_labels(ratings: Ratings) -> list[Note]:
    k, total = len(ratings.categories), len(ratings.label)
    if k <= 20 or 2 * k <= total:
        return []
    return [note("agree.many_labels", ratings=total, labels=k)]


def _steps(ratings: Ratings) -> list[Note]:
    """Weights count places between labels, so a number that nobody gave makes its neighbours adjacent."""
    wide = np.flatnonzero(np.diff(ratings.values) > 1)
    if np.isnan(ratings.values).any() or (ratings.values % 1 != 0).any() or not len(wide):
        return []
    low, high = ratings.categories[wide[0]], ratings.categories[wide[0] + 1]
    return [note("agree.neighbours", low=low, high=high)]


def _gaps(ratings: Ratings, t: Tally) -> list[Note]:
    notes = []
    unrated = len(ratings.items) - t.n
    if unrated:
        notes.append(note("agree.unrated", items=unrated))
    single = int((t.ratings == 1).sum())
    if single:
        notes.append(note("agree.single_ratings", items=single))
    rated = int((t.ratings > 1).sum())
    if 1 < rated < _FEWEST_ITEMS:
        notes.append(note("agree.few_items", items=rated))
    return notes


def _strangers(ratings: Ratings) -> list[Note]:
    """Columns that share no label with anyone are probably no ratings."""
    if not 2 < len(ratings.annotators) <= 200:
        return []
    m, k = len(ratings.annotators), len(ratings.categories)
    if m * k > 10_000_000:
        return []
    used = np.zeros((m, k), bool)
    used[ratings.annotator, ratings.label] = True
    by = used.sum(axis=0)
    strange = [
        name for name, own in zip(ratings.annotators, used, strict=True) if own.any() and not (by[own] > 1).any()
    ]
    if not strange:
        return []
    return [note("agree.strangers", annotators=strange)]


def _common_label(ratings: Ratings, t: Tally) -> list[Note]:
    counts = np.bincount(t.cell_label, t.cell_count, t.k)
    top = int(np.argmax(counts))
    share = float(counts[top] / counts.sum())
    if share == 1:
        return []
    if share < _COMMON:
        return []
    name = ratings.categories[top]
    notes = [note("agree.common_label", label=name, share=share)]
    others = t.n - int((t.of_items(np.where(t.cell_label == top, t.cell_count, 0.0)) == t.ratings).sum())
    if others < _FEWEST_OTHERS:
        notes.append(note("agree.few_others", label=name, items=others))
    return notes


def _habits(ratings: Ratings, t: Tally) -> list[Note]:
    """Find the label on which one annotator differs most from all others together."""
    if t.m * t.k > 1_000_000:
        return []
    counts = np.bincount(t.annotator * t.k + t.label, minlength=t.m * t.k).reshape(t.m, t.k).astype(np.float64)
    own, rest = counts.sum(axis=1, keepdims=True), counts.sum() - counts.sum(axis=1, keepdims=True)
    there = (own[:, 0] > 0) & (rest[:, 0] > 0)
    counts, own, rest = counts[there], own[there], rest[there]
    if len(counts) < 2:
        return []
    p, q = counts / own, (counts.sum(axis=0) - counts) / rest
    pooled = counts.sum(axis=0) / counts.sum()
    error = np.sqrt(pooled * (1 - pooled) * (1 / own + 1 / rest))
    gap = np.abs(p - q)
    # 4 standard errors: many annotators and labels are looked at, and the largest is shown.
    gap = np.where((gap >= _HABIT) & (gap > 4 * error), gap, 0.0)
    if not gap.any():
        return []
    who, what = np.unravel_index(int(np.argmax(gap)), gap.shape)
    names = [name for name, kept in zip(ratings.annotators, there, strict=True) if kept]
    return [
        note(
            "agree.habit",
            annotator=names[who],
            other=names[1 - int(who)] if len(names) == 2 else None,
            label=ratings.categories[what],
            share=p[who, what],
            other_share=q[who, what],
            same_items=bool((t.ratings == t.m).all()),
        )
    ]
