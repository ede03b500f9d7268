"""What ratings themselves warn of: common labels, annotators' habits, rare labels, odd columns, gaps."""

from __future__ import annotations

import numpy as np

from nofluke.errors import listing
from nofluke.inference.agreement.tally import Tally
from nofluke.types import Ratings
from nofluke.types.base import counted

# One label this common makes chance agreement high and kappas low (Feinstein and Cicchetti 1990).
_COMMON = 0.8
# Two annotators whose use of a label differs by this much, and by more than chance explains, have different habits.
_HABIT = 0.1
# With so common a label and fewer items than this outside it, intervals were too short in simulations.
_FEWEST_OTHERS = 30
_FEWEST_ITEMS = 20


def cautions(ratings: Ratings, t: Tally, *, numbers: bool, weighted: bool) -> tuple[str, ...]:
    """Say what a reader of the coefficient has to know; `numbers` are ratings taken as numbers, not as labels."""
    found = [*_gaps(ratings, t), *_strangers(ratings)]
    if not numbers:
        found += [*_common_label(ratings, t), *_habits(ratings, t), *_hardly_labels(ratings)]
    if weighted:
        found += _steps(ratings)
    return tuple(found)


def _hardly_labels(ratings: Ratings) -> list[str]:
    k, total = len(ratings.categories), len(ratings.label)
    if k <= 20 or 2 * k <= total:
        return []
    return [
        f"{total:,} ratings hold {k:,} different labels: are these labels? For numbers take krippendorff_alpha with "
        "level='interval'."
    ]


def _steps(ratings: Ratings) -> list[str]:
    """Weights count places between labels, so a number that nobody gave makes its neighbours adjacent."""
    wide = np.flatnonzero(np.diff(ratings.values) > 1)
    if np.isnan(ratings.values).any() or (ratings.values % 1 != 0).any() or not len(wide):
        return []
    low, high = ratings.categories[wide[0]], ratings.categories[wide[0] + 1]
    return [
        f"weights count places between the labels that occur, so {low} and {high} are neighbours; where numbers "
        "between them were possible, name all labels with categories."
    ]


def _gaps(ratings: Ratings, t: Tally) -> list[str]:
    notes = []
    unrated = len(ratings.items) - t.n
    if unrated:
        notes.append(f"{counted(unrated, 'item')} without any rating left out.")
    single = int((t.ratings == 1).sum())
    if single:
        notes.append(
            f"{counted(single, 'item')} with one rating left out: nobody can agree on "
            f"{'it' if single == 1 else 'them'} (Gwet's, Fleiss' and Conger's chance agreement still counts "
            f"{'its label' if single == 1 else 'their labels'})."
        )
    rated = int((t.ratings > 1).sum())
    if rated < _FEWEST_ITEMS:
        notes.append(f"with {counted(rated, 'item')} the standard error and the interval are rough.")
    return notes


def _strangers(ratings: Ratings) -> list[str]:
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
    return [
        f"{listing(map(repr, strange), 3)} shares no label with any other annotator: is that a column of ratings? "
        "Choose the annotators with annotator= or --columns annotator=A,B."
    ]


def _common_label(ratings: Ratings, t: Tally) -> list[str]:
    counts = np.bincount(t.cell_label, t.cell_count, t.k)
    top = int(np.argmax(counts))
    share = float(counts[top] / counts.sum())
    if share == 1:
        return []
    if share < _COMMON:
        return []
    name = repr(ratings.categories[top])
    notes = [
        f"{share * 100:.0f} of 100 ratings are {name}: where one label is so common, chance agreement is high and "
        "kappas and alpha can be low although annotators nearly always agree. Look at the agreement of each label."
    ]
    others = t.n - int((t.of_items(np.where(t.cell_label == top, t.cell_count, 0.0)) == t.ratings).sum())
    if others < _FEWEST_OTHERS:
        notes.append(
            f"only {counted(others, 'item')} {'has' if others == 1 else 'have'} a label other than {name}: the "
            "interval is likely too short (95% intervals held in 60 to 90 of 100 simulations of such data)."
        )
    return notes


def _habits(ratings: Ratings, t: Tally) -> list[str]:
    """Name the label on which one annotator differs most from all others together."""
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
    other = "the others" if len(names) > 2 else repr(names[1 - int(who)])
    apart = "" if (t.ratings == t.m).all() else " (in part, perhaps, because they rated different items)"
    return [
        f"annotators use labels differently: {names[who]!r} gives {ratings.categories[what]!r} in "
        f"{p[who, what] * 100:.0f} of 100 ratings, {other} in {q[who, what] * 100:.0f}{apart}. "
        "Scott's pi, Fleiss' kappa and alpha count this as disagreement; Cohen's and Conger's kappa expect it."
    ]
