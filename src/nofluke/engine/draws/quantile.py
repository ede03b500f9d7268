"""Quantiles of a sum of draws by root-finding on its exact tail: percentile limits of a mean without resamples."""

from __future__ import annotations

import math
from typing import Any

import numpy.typing as npt

from nofluke.engine.draws.law import DrawLaw, multiset, on_lattice
from nofluke.engine.draws.paths import NearbyTails
from nofluke.errors import InputError
from nofluke.types import IntArray

# A level is met when the tail is within this of it, relatively: .025 * 40 is 1 to the last digit only by luck.
_HAIR = 1e-12
# Far fewer steps than this are needed once the bracket is small; a bisection of 2^62 lattice points takes 62.
_MOST_STEPS = 200
_RESOLUTION = 1e-11
# Tails this close, relatively, are those of neighbours in a smooth law; between the sums of a few numbers they jump.
_ALIKE = 1e-9


def draw_quantile(
    values: npt.NDArray[Any],
    probability: float,
    *,
    upper: bool = False,
    draws: int | None = None,
    counts: IntArray | None = None,
) -> int:
    """Which sum of draws leaves no more than `probability` outside it?

    The lower limit is the largest x with P(S* < x) <= probability, the upper limit the smallest x with
    P(S* > x) <= probability: the possible sum at which the level is passed, to which the k-th smallest of B resamples
    (k = probability * B) tends as B grows. Where a level is met exactly, between two neighbouring sums, it is the inner
    one. With so many numbers of so many digits that the tail cannot tell neighbours apart, it is within 1e-11 standard
    deviations of that sum.

    >>> import numpy as np
    >>> draw_quantile(np.array([0, 1]), 0.3), draw_quantile(np.array([0, 1]), 0.3, upper=True)  # 1/4, 1/2, 1/4
    (1, 1)
    """
    if not 0.0 < probability < 1.0:
        raise InputError(f"a quantile at {probability!r} is not defined.", fix="give a probability between 0 and 1.")
    distinct, often = multiset(values, counts)
    number = int(often.sum()) if draws is None else int(draws)
    law = on_lattice(distinct, often, number)
    if law is None:
        raise InputError("the numbers are too wide for an exact quantile.", fix="resample instead.")
    if law.values.size == 1:
        return number * int(distinct[0])
    if upper:
        return number * int(distinct[0]) + law.scale * _smallest(law, probability)
    mirrored = law.mirrored()
    return number * int(distinct[-1]) - law.scale * _smallest(mirrored, probability)


def _smallest(law: DrawLaw, probability: float) -> int:
    """Give the smallest x >= 0 with P(Y > x) <= probability.

    The tail is nearly normal in x: a secant in normal scores, kept in a bracket, needs about five tails, which share
    the nodes of the first one.
    """
    wanted = math.log(probability) + _HAIR
    mean = law.draws * law.total / law.items
    deviation = max(law.spread() * math.sqrt(law.draws), 1.0)
    # P(Y > low) > probability >= P(Y > high), and the logarithms of both.
    low, high = -1, law.top
    ends = {low: 0.0, high: -math.inf}
    scores: list[tuple[int, float]] = []
    target, tails = _score(wanted), NearbyTails(law, wanted)
    guess = mean - target * deviation
    width = math.inf
    for step in range(_MOST_STEPS):
        narrow = high - low <= _RESOLUTION * deviation
        if high - low <= 1 or (narrow and ends[low] - ends[high] < _ALIKE):
            break
        if step % 3 == 2:
            # Between two sums the tail is flat and a secant creeps: the bracket has to halve in three steps.
            guess, width = ((low + high) / 2 if high - low > width / 2 else guess), high - low
        # Where a jump remains (beside a giant all other scores lie within that resolution) it is halved down to a step.
        at = (low + high) // 2 if narrow else min(max(math.floor(guess), low + 1), high - 1)
        log_tail = ends[at] = tails.log_p(at + 1)
        low, high = (at, high) if log_tail > wanted else (low, at)
        scores = [*scores, (at, _score(log_tail))][-2:]
        guess = _next_guess(scores, target, deviation, low, high)
    return high


def _next_guess(scores: list[tuple[int, float]], target: float, deviation: float, low: int, high: int) -> float:
    """Step by the secant; when it has come close, try the other side of the root, to close the bracket."""
    at, score = scores[-1]
    slope = -1.0 / deviation
    if len(scores) == 2 and scores[0][0] != at and math.isfinite(score) and scores[0][1] != score:
        secant = (score - scores[0][1]) / (at - scores[0][0])
        slope = secant if 0.2 < secant / slope < 5.0 else slope
    if not math.isfinite(score):
        return (low + high) / 2
    step = (target - score) / slope
    # Beyond the root by a little more than the last step missed it: the bracket then shrinks to about that.
    nudge = max(1.0, abs(step) * 1e-3)
    guess = at + step + (nudge if step > 0 else -nudge)
    return guess if low < guess < high else (low + high) / 2


def _score(log_p: float) -> float:
    """Give the normal quantile of a probability given by its logarithm."""
    from scipy.special import ndtri_exp

    return float(ndtri_exp(min(log_p, -1e-300)))
