"""describe: what do the data look like?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nofluke.align import Differences, as_item_scores, as_sample, differences, to_integers
from nofluke.check import check_level
from nofluke.engine.correlation import pearson_of
from nofluke.errors import MethodError
from nofluke.inference.describe import (
    Column,
    Moments,
    column_of,
    kind_of,
    of_differences,
    of_system,
    skewness,
    summarise,
)
from nofluke.laws.shapiro_wilk import LARGEST_N, SMALLEST_N, shapiro_wilk
from nofluke.options import Missing, NormalityAlpha
from nofluke.types import FloatArray, Normality, Note, Profile, Sample, note


def describe(
    a: Any,
    b: Any = None,
    *,
    normality_alpha: NormalityAlpha = 0.05,
    missing: Missing = "refuse",
) -> Profile:
    """What do the scores of A and B and their differences look like?

    Takes two sequences or one Sample. Differences are oriented: positive means A is better. Gives n, mean, median,
    sd, minimum, maximum and histogram of A, B and A-B; wins, losses and ties (decided on exact decimals); three
    skewness figures; the Shapiro-Wilk test for 3 to 5,000 differences; and the statistic (mean or median) that the
    rule of thumb of Zhu et al. (2020) would choose. For corpus metrics the figures are those of single items.

    >>> import nofluke as nf
    >>> profile = nf.describe([0.3, 0.8, 0.5, 0.9], [0.2, 0.7, 0.6, 0.9])
    >>> profile.wins, profile.losses, profile.ties
    (2, 1, 1)
    """
    check_level(normality_alpha, "normality_alpha")
    sample = as_sample(a, b, missing=missing)
    if not sample.paired:
        raise MethodError("describe looks at scores of the same items.", fix="give two columns of scores.")
    whole = sample.aggregate.whole is not None
    sample = as_item_scores(sample)
    if not sample.n:
        raise MethodError(f"no single item has a defined {sample.metric}.", fix="use nf.test, which needs none.")
    d = differences(sample)
    first, second = sample.scores(0), sample.scores(1)
    of_a, of_b, of_d = of_system(sample, 0), of_system(sample, 1), of_differences(sample)
    a_column, b_column = (column_of(x, to_integers(x, sample.grid), sample.grid) for x in (first, second))
    column = column_of(d.values, d.snapped, sample.grid)
    figures = (math.nan,) * 3 if of_d.constant else skewness(column)
    signs = d.signs
    return Profile(
        n=sample.n,
        kind="shares" if whole else kind_of(sample.statistics[..., 0].ravel()),
        a=summarise(sample.systems[0], a_column, of_a),
        b=summarise(sample.systems[1], b_column, of_b),
        difference=summarise(_difference_name(sample), column, of_d),
        wins=int((signs > 0).sum()),
        losses=int((signs < 0).sum()),
        ties=int((signs == 0).sum()),
        distinct_differences=d.distinct,
        skewness=figures[0],
        skewness_adjusted=figures[1],
        skewness_b1=figures[2],
        normality=_normality(d.values, of_d.constant, normality_alpha),
        recommended_statistic=_statistic_by_skewness(figures[0]),
        clusters=0 if sample.clusters is None else len(np.unique(sample.clusters)),
        correlation=_correlation(sample, a_column, (of_a, of_b, of_d)),
        quantiles=_quantiles(column),
        notes=_notes(sample, d),
    )


def _correlation(sample: Sample, column: Column, moments: tuple[Moments, Moments, Moments]) -> float:
    a, b, d = moments
    if a.constant or b.constant:
        return math.nan
    if column.counts is None:
        return pearson_of(sample.statistics[..., 0])
    # Sums of squares of whole numbers are right to the last digit, so the variance of differences says it all.
    return min(1.0, max(-1.0, (a.variance + b.variance - d.variance) / (2 * a.sd * b.sd)))


def _quantiles(column: Column) -> tuple[float, ...]:
    if column.n < 2:
        return ()
    return tuple(column.quantiles(np.linspace(0, 1, 101), "inverted_cdf").tolist())


def _difference_name(sample: Sample) -> str:
    first, second = sample.systems
    return f"{first} - {second}" if sample.higher_is_better else f"{second} - {first}"


def _normality(values: FloatArray, constant: bool, alpha: float) -> Normality:
    n = len(values)
    if n < SMALLEST_N or n > LARGEST_N:
        return Normality(math.nan, math.nan, alpha, "few" if n < SMALLEST_N else "many")
    if constant:
        return Normality(math.nan, math.nan, alpha, "constant")
    statistic, p_value = shapiro_wilk(values)
    return Normality(statistic, p_value, alpha, "not normal" if p_value <= alpha else "normal")


def _statistic_by_skewness(g1: float) -> str:
    """Bulmer's rule of thumb as Zhu et al. (2020, section 3.1.3) use it: the mean below |skewness| 0.5."""
    return "median" if abs(g1) >= 0.5 else "mean"


def _notes(sample: Sample, d: Differences) -> tuple[Note, ...]:
    notes: list[Note] = list(sample.notes)
    if not sample.grid.exact:
        notes.append(note("describe.close_scores_tie", step=sample.grid.step))
    if not d.signs.any():
        notes.append(note("describe.same_scores", a=sample.systems[0], b=sample.systems[1]))
    return tuple(notes)
