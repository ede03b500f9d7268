"""The Bayesian answer."""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.types.base import FloatArray, Value
from nofluke.types.results import Interval


@dataclass(frozen=True, slots=True, eq=False)
class Posterior(Value):
    """What the data and the stated prior say about A against B, from A's view.

    `p_equal` is the probability of the region of practical equivalence `rope` = (low, high), nan where none was stated.
    `about` names the parameter. `grid` and `density` draw it (empty where the posterior is about three probabilities).
    `error` is the largest Monte Carlo standard error of the three probabilities; 0 for a closed form.
    """

    method: str
    label: str
    about: str
    p_better: float
    p_equal: float
    p_worse: float
    rope: tuple[float, float] | None
    prior: str
    estimate: float
    interval: Interval | None
    grid: FloatArray
    density: FloatArray
    draws: int
    seed: int | None
    error: float
    systems: tuple[str, str]
    metric: str
    n: int
    headline: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    signature: str

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])
