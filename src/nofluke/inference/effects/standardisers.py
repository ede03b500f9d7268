"""What a mean difference is divided by, with the large-sample error of the quotient."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.inference.moments import of_differences, of_system
from nofluke.types import Sample


@dataclass(frozen=True, slots=True)
class Spread:
    """Size, mean difference, and the variances of A, of B and of A - B, of paired scores."""

    n: int
    mean: float
    a: float
    b: float
    difference: float

    @property
    def covariance(self) -> float:
        """The covariance of A and B."""
        return (self.a + self.b - self.difference) / 2

    @property
    def correlation(self) -> float:
        """The correlation of A and B; nan when one of them does not vary."""
        return self.covariance / math.sqrt(self.a * self.b) if self.a and self.b else math.nan


def spread_of(sample: Sample) -> Spread:
    """Give the moments that all standardised differences are made of."""
    d = of_differences(sample)
    return Spread(d.n, d.mean, of_system(sample, 0).variance, of_system(sample, 1).variance, d.variance)


def standardiser(spread: Spread, form: str) -> float:
    """Give the standard deviation that this form of Cohen's d divides by; 0 or nan where there is none."""
    if form == "z":
        return math.sqrt(spread.difference)
    if form == "av":
        return (math.sqrt(spread.a) + math.sqrt(spread.b)) / 2
    if form == "pooled":
        return math.sqrt((spread.a + spread.b) / 2)
    # rm: d_z sqrt(2 (1 - r)); without correlation below 1 nothing is left to divide by.
    unshared = 1 - spread.correlation
    return math.sqrt(spread.difference / (2 * unshared)) if unshared > 1e-12 else math.nan


def standard_error(spread: Spread, form: str, d: float) -> float:
    """Give the delta-method standard error of d for normal scores (Bonett 2008 for form pooled).

    var(d) = v_d / (df s^2) + d^2 g'Cg, where g is the gradient of log s in the variances and covariance of A and B, and
    C their sampling covariance under normality.
    """
    a, b, c, df = spread.a, spread.b, spread.covariance, spread.n - 1
    sampling = np.array(
        [[2 * a * a, 2 * c * c, 2 * a * c], [2 * c * c, 2 * b * b, 2 * b * c], [2 * a * c, 2 * b * c, a * b + c * c]]
    )
    s = standardiser(spread, form)
    gradient = np.array(_gradient(spread, form, s))
    return math.sqrt(spread.difference / (df * s * s) + d * d * float(gradient @ sampling @ gradient) / df)


def _gradient(spread: Spread, form: str, s: float) -> tuple[float, float, float]:
    """Derivatives of log s by the variance of A, that of B and the covariance."""
    a, b, v = spread.a, spread.b, spread.difference
    if form == "z":
        return 0.5 / v, 0.5 / v, -1 / v
    if form == "pooled":
        return 0.5 / (a + b), 0.5 / (a + b), 0.0
    if form == "av":
        # A system that does not vary at all adds nothing to the error of the standardiser.
        return (0.25 / (s * math.sqrt(a)) if a else 0.0), (0.25 / (s * math.sqrt(b)) if b else 0.0), 0.0
    r = spread.correlation
    shared = r / (4 * (1 - r))
    return 0.5 / v - shared / a, 0.5 / v - shared / b, -1 / v + 0.5 / ((1 - r) * math.sqrt(a * b))
