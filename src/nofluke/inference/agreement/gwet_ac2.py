"""Gwet's AC2: AC1 with partial credit for labels that lie close together."""

from __future__ import annotations

from typing import Annotated, Literal

from nofluke.inference.agreement.gwet_ac1 import measure
from nofluke.inference.agreement.measured import Asked, IntervalKind, Resamples, finished
from nofluke.inference.agreement.tally import tally
from nofluke.inference.agreement.weights import agreement_weights
from nofluke.inference.p_values import ConfidenceLevel, Progress, Seed
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient, Ratings


@AGREEMENT.register(
    "gwet_ac2",
    label="Gwet's AC2",
    beyond_chance=True,
    symbol="AC2",
    needs="two or more",
    bounds=(-1.0, 1.0),
    cite="Gwet 2014",
)
def gwet_ac2(
    ratings: Ratings,
    *,
    weights: Annotated[
        Literal["linear", "quadratic", "ordinal"], "partial credit for labels close together in their order"
    ] = "linear",
    confidence_level: ConfidenceLevel = 0.95,
    interval: IntervalKind = "log",
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    progress: Progress = None,
) -> Coefficient:
    """How far do annotators agree beyond chance on labels in an order, if they guess only on some items?

    As gwet_ac1, but two labels close together in their order agree in part: linear (1 - d / (q - 1)), quadratic, or
    ordinal weights. The weights decide the value as much as the annotators do: name them beside it. Labels that are
    words need their order (`categories`). Null of the test: all guess, every label equally likely; rejecting it is no
    evidence of quality. Assumes independent items.
    """
    table = agreement_weights(ratings, weights, "gwet_ac2")
    m = measure(tally(ratings), table, "gwet_ac2")
    return finished(m, Asked(confidence_level, interval, seed, n_resamples, progress))
