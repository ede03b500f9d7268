"""Corrections for many tests: adjusted p-values along the last axis, in the order given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np

from nofluke.errors import Fix, MethodError, Option
from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray


def in_order(p_values: FloatArray, adjust: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Sort, adjust, cap at 1 and put the values back where they came from."""
    order = np.argsort(p_values, axis=-1, kind="stable")
    adjusted = np.minimum(adjust(np.take_along_axis(p_values, order, axis=-1)), 1.0)
    result = np.empty_like(adjusted)
    np.put_along_axis(result, order, adjusted, axis=-1)
    return result


def step_down(ascending: FloatArray) -> FloatArray:
    """Make values monotone from the smallest p-value upwards: running maximum."""
    result: FloatArray = np.maximum.accumulate(ascending, axis=-1)
    return result


def step_up(ascending: FloatArray) -> FloatArray:
    """Make values monotone from the largest p-value downwards: running minimum."""
    result: FloatArray = np.minimum.accumulate(ascending[..., ::-1], axis=-1)[..., ::-1]
    return result


def ranks(size: int) -> FloatArray:
    """Give 1, 2, ..., size."""
    return np.arange(1, size + 1, dtype=np.float64)


def still_in_play(size: int) -> FloatArray:
    """Give how many hypotheses are still in play at each step down: size, ..., 2, 1."""
    return np.arange(size, 0, -1, dtype=np.float64)


@CORRECTIONS.register(
    "bh",
    label="Benjamini-Hochberg",
    controls="false discovery rate",
    under="independence or positive dependence",
    cite="Benjamini and Hochberg 1995",
)
def bh(p_values: FloatArray) -> FloatArray:
    """Which claims stand if a share alpha of the claims made may be false, on average?

    A weaker promise than holm's: it bounds the expected share of false claims, not the chance of making one. For
    screening many candidates; not for a list of which every entry must hold.
    """
    return in_order(p_values, lambda p: step_up(p * p.shape[-1] / ranks(p.shape[-1])))


@CORRECTIONS.register(
    "bky",
    label="Benjamini-Krieger-Yekutieli, two stages",
    controls="false discovery rate",
    under="independence",
    cite="Benjamini, Krieger and Yekutieli 2006",
)
def bky(
    p_values: FloatArray,
    *,
    alpha: Annotated[float, "the level at which the adjusted p-values are read; they hold for no other"] = 0.05,
) -> FloatArray:
    """Which claims stand if a share alpha may be false, with the number of true nulls estimated first?

    Stage one counts r rejections of bh at alpha / (1 + alpha); stage two runs bh as if only N - r nulls were true. The
    adjusted p-values belong to the alpha given: compare them with that alpha only. They can be below the p-values.
    """
    first = bh(p_values)
    size = p_values.shape[-1]
    rejected = (first <= alpha / (1 + alpha) * (1 + 1e-12)).sum(axis=-1, keepdims=True)
    nulls = np.where(rejected < size, size - rejected, size)
    adjusted: FloatArray = np.minimum(first * (nulls / size) * (1 + alpha), 1.0)
    return adjusted


@CORRECTIONS.register(
    "bonferroni",
    label="Bonferroni",
    controls="family-wise error",
    under="any dependence",
    cite="Bonferroni 1936; Dunn 1961",
)
def bonferroni(p_values: FloatArray) -> FloatArray:
    """Which claims stand if each is held to alpha divided by their number?

    Multiplies every p-value by the number of claims. Holds whatever the claims have to do with each other; holm holds
    under the same conditions and never finds less, so this one is for comparison with papers that used it.
    """
    adjusted: FloatArray = np.minimum(p_values * p_values.shape[-1], 1.0)
    return adjusted


@CORRECTIONS.register(
    "by",
    label="Benjamini-Yekutieli",
    controls="false discovery rate",
    under="any dependence",
    cite="Benjamini and Yekutieli 2001",
)
def by(p_values: FloatArray) -> FloatArray:
    """Which claims stand if a share alpha of them may be false on average, whatever their dependence?

    bh with p-values multiplied by 1 + 1/2 + ... + 1/N: the price of assuming nothing.
    """
    counts = ranks(p_values.shape[-1])
    price = float((1 / counts).sum())
    return in_order(p_values, lambda p: step_up(p * (p.shape[-1] * price) / counts))


@CORRECTIONS.register(
    "hochberg",
    label="Hochberg",
    controls="family-wise error",
    under="independence or positive dependence",
    cite="Hochberg 1988",
)
def hochberg(p_values: FloatArray) -> FloatArray:
    """Which claims stand, by Holm's levels read from the largest p-value down?

    Never finds less than holm, never more than hommel, which needs the same assumption (Simes' inequality). Not for
    claims whose dependence is unknown, and not for all pairs of systems.
    """
    return in_order(p_values, lambda p: step_up(p * still_in_play(p.shape[-1])))


@CORRECTIONS.register(
    "holm",
    label="Holm",
    controls="family-wise error",
    under="any dependence",
    cite="Holm 1979",
)
def holm(p_values: FloatArray) -> FloatArray:
    """Which claims stand if at most alpha may be risked on even one false claim?

    The smallest p-value is multiplied by N, the next by N - 1, and so on, never going down. Closed testing with
    Bonferroni's test. Holds whatever the claims have to do with each other: the default.
    """
    return in_order(p_values, lambda p: step_down(p * still_in_play(p.shape[-1])))


@CORRECTIONS.register(
    "holm_sidak",
    label="Holm-Sidak",
    controls="family-wise error",
    under="independence",
    cite="Holm 1979; Sidak 1967",
)
def holm_sidak(p_values: FloatArray) -> FloatArray:
    """Which claims stand, by Holm's steps with the levels for independent claims?

    A hair less strict than holm. Not for claims whose dependence is unknown.
    """

    def adjust(p: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return step_down(-np.expm1(still_in_play(p.shape[-1]) * np.log1p(-p)))

    return in_order(p_values, adjust)


@CORRECTIONS.register(
    "hommel",
    label="Hommel",
    controls="family-wise error",
    under="independence or positive dependence",
    cite="Hommel 1988; Wright 1992",
)
def hommel(p_values: FloatArray) -> FloatArray:
    """Which claims stand, by closed testing with Simes' test?

    The strongest of the classical corrections where Simes' inequality holds: independent claims, or test statistics
    that rise and fall together. Not for claims whose dependence is unknown, and not for all pairs of systems.
    """
    return in_order(p_values, _hommel_ascending)


def _hommel_ascending(p: FloatArray) -> FloatArray:
    """Wright's algorithm: for every size m of an intersection, its Simes p-value at the worst place, then the maximum.

    Along the last axis; O(N^2) in vectorised steps.
    """
    size = p.shape[-1]
    counts = ranks(size)
    found = np.broadcast_to((size * p / counts).min(axis=-1, keepdims=True), p.shape).copy()
    for m in range(size - 1, 1, -1):
        head = size - m + 1
        simes = (m * p[..., head:] / counts[1:m]).min(axis=-1, keepdims=True)
        found[..., :head] = np.maximum(found[..., :head], np.minimum(m * p[..., :head], simes))
        worst = np.minimum(m * p[..., head - 1 : head], simes)
        found[..., head:] = np.maximum(found[..., head:], worst)
    result: FloatArray = np.maximum(found, p)
    return result


@CORRECTIONS.register(
    "sidak",
    label="Sidak",
    controls="family-wise error",
    under="independence",
    cite="Sidak 1967",
)
def sidak(p_values: FloatArray) -> FloatArray:
    """Which claims stand if each is held to 1 - (1 - alpha)^(1/N)?

    A hair less strict than Bonferroni, and exact for independent claims (also valid for two-sided tests on jointly
    normal estimates). Not for claims whose dependence is unknown: use holm.
    """
    with np.errstate(divide="ignore"):
        adjusted: FloatArray = -np.expm1(p_values.shape[-1] * np.log1p(-p_values))
    return adjusted


@CORRECTIONS.register(
    "storey",
    label="Storey's q-values",
    controls="false discovery rate",
    under="independence, for many claims",
    cite="Storey 2002; Storey, Taylor and Siegmund 2004",
)
def storey(
    p_values: FloatArray,
    *,
    cutoff: Annotated[float, "Storey's lambda: p-values from here up are taken to come from true nulls"] = 0.5,
    null_share: Annotated[float | None, "Storey's pi0, the share of true nulls; estimated when not given"] = None,
    finite_sample: Annotated[bool, "count one null more, which gives a guarantee for few claims"] = False,
) -> FloatArray:
    """What share of the claims up to this one is expected to be false?

    bh times the estimated share of true nulls. The estimate is rough for fewer than some hundred claims; with few use
    bh, or finite_sample=True. Can be below the p-value.
    """
    if not 0 <= cutoff < 1:
        raise MethodError(f"cutoff = {cutoff:g} is not between 0 and 1.", fix="give a number such as 0.5.")
    if null_share is not None and not 0 < null_share <= 1:
        raise MethodError(f"null_share = {null_share:g} is not above 0 and at most 1.", fix="leave it out, or give 1.")
    share = null_share_of(p_values, cutoff, finite_sample=finite_sample) if null_share is None else null_share
    return np.minimum(bh(p_values) * share, 1.0)


def null_share_of(p_values: FloatArray, cutoff: float, *, finite_sample: bool = False) -> FloatArray:
    """Estimate the share of true nulls from the p-values at or above the cutoff; 0 is refused."""
    above = (p_values >= cutoff).sum(axis=-1, keepdims=True) + (1 if finite_sample else 0)
    if not above.all():
        raise MethodError(
            f"no p-value is {cutoff:g} or more, so the share of true nulls would be estimated as 0.",
            fix=Fix("use ", Option("finite_sample", "True"), ", which counts one null more, or the method bh."),
        )
    share: FloatArray = np.minimum(above / (p_values.shape[-1] * (1 - cutoff)), 1.0)
    return share
