"""Probabilities said aloud: what the posterior claims, under which prior, and how it was computed."""

from __future__ import annotations

import math

from nofluke.inference.bayes.region import Region
from nofluke.inference.wording import figure
from nofluke.types import Interval

GIVEN = "Given this prior and these data"
NO_DECISION = (
    "This is a degree of belief about the difference itself, which a p-value is not; another prior would give another "
    "probability, and no error rate is promised."
)


def probability(p: float, draws: int = 0) -> str:
    """Print a probability; never 0 or 1, and from random draws never finer than they allow.

    >>> probability(0.97512), probability(0.0002), probability(1 - 3e-5), probability(1e-12), probability(1.0, 50_000)
    ('0.975', '0.0002', '0.99997', 'less than 0.000001', 'more than 0.9999')
    """
    if math.isnan(p):
        return "unknown"
    finest = 1e-6 if not draws else 10.0 ** math.ceil(math.log10(3 / draws))
    digits = max(3, round(-math.log10(finest)))
    rest = min(p, 1 - p)
    if rest < finest:
        bound = f"{finest:.{digits}f}" if p < 0.5 else f"{1 - finest:.{digits}f}"
        return f"{'less' if p < 0.5 else 'more'} than {bound}"
    if rest >= 0.001:
        return f"{p:.3f}"
    return f"{p:.{min(digits, 1 + math.ceil(-math.log10(rest)))}f}".rstrip("0")


def mean_headline(systems: tuple[str, str], region: Region | None, p: tuple[float, float, float]) -> str:
    """Say who is probably better, by the mean difference.

    >>> mean_headline(("new", "old"), None, (0.975, float("nan"), 0.025))
    'Given this prior and these data, the probability that new is better than old is 0.975.'
    """
    a, b = systems
    if region is None or region[0] == region[1]:
        return f"{GIVEN}, the probability that {a} is better than {b} is {probability(p[0])}."
    low, high = region
    return (
        f"{GIVEN}, {a} is better than {b}{_by(high)} with probability {probability(p[0])}, worse{_by(-low)} with "
        f"probability {probability(p[2])}, and the difference is too small to matter ({low:g} to {high:g}) with "
        f"probability {probability(p[1])}."
    )


def _by(size: float) -> str:
    return f" by more than {size:g}" if size else ""


def interval_sentence(about: str, estimate: float, interval: Interval | None) -> str:
    """Say where the parameter lies."""
    if interval is None:
        return ""
    scale = (interval.high - interval.low) / 4
    level = f"{interval.level:g}"
    return (
        f"The {about}: about {figure(estimate, scale)}; with probability {level} it lies between "
        f"{figure(interval.low, scale)} and {figure(interval.high, scale)}."
    )


def computed_sentence(draws: int, seed: int | None, error: float) -> str:
    """Say how good the numbers themselves are."""
    if not draws:
        return "Computed without random draws."
    return f"Computed from {draws:,} random draws (seed {seed}): each probability is good to about {2 * error:.1g}."
