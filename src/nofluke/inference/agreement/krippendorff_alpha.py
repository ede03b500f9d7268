"""Krippendorff's alpha: disagreement seen against disagreement by chance, for labels, ranks and numbers."""

from __future__ import annotations

from typing import Annotated, Literal

from nofluke.inference.agreement.disagreement import measure
from nofluke.inference.agreement.measured import IntervalKind, IntervalOptions, Resamples, finished
from nofluke.inference.agreement.tally import tally
from nofluke.inference.p_values import ConfidenceLevel, Progress, Seed
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient, Ratings


@AGREEMENT.register(
    "krippendorff_alpha",
    label="Krippendorff's alpha",
    beyond_chance=True,
    symbol="alpha",
    needs="two or more",
    bounds=(-1.0, 1.0),
    cite="Krippendorff 2004; Krippendorff 2011; Hayes and Krippendorff 2007",
)
def krippendorff_alpha(
    ratings: Ratings,
    *,
    level: Annotated[
        Literal["nominal", "ordinal", "interval", "ratio"],
        "what the labels are: names, ranks, numbers, or numbers with a true zero",
    ] = "nominal",
    confidence_level: ConfidenceLevel = 0.95,
    interval: IntervalKind = "log",
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    progress: Progress = None,
) -> Coefficient:
    """How far do annotators agree beyond chance, whatever the kind of label and the gaps in the table?

    1 - D_o / D_e: the disagreement within items against that of ratings paired at random. Nominal: any two labels
    differ alike; ordinal: by the ranks between them; interval: by the square of their difference; ratio: by the
    square of their difference over their sum (no negative numbers). Any number of annotators; empty cells are no
    problem; items with one rating are left out. For two annotators and no gaps, nominal alpha is Scott's pi with a
    correction for few items. "Ordinal weights" of other coefficients are not this ordinal alpha.
    Null of the test: all ratings paired at random; rejecting it is no evidence of quality.
    Assumes independent items; the standard error is by the delta method over items, bootstrap draws items.
    """
    t = tally(_two_or_more(ratings))
    m = measure(t, ratings, level)
    return finished(m, IntervalOptions(confidence_level, interval, seed, n_resamples, progress))


def _two_or_more(ratings: Ratings) -> Ratings:
    """Leave out items that have a single rating; an error where nothing is left is raised by the tally."""
    import numpy as np

    from nofluke.inference.agreement.tally import with_items

    number = np.bincount(ratings.item, minlength=len(ratings.items))
    return with_items(ratings, number > 1) if (number > 1).any() else ratings
