"""Planning: how many items, how much power, and the curve between them."""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.types.base import FloatArray, IntArray, Value


@dataclass(frozen=True, slots=True)
class SampleSize(Value):
    """The smallest number of items from which the power stays above the target; `n_exact` before rounding up."""

    n: int
    n_exact: float
    power: float
    target: float
    test: str
    difference: float
    alpha: float
    alternative: str
    assumptions: tuple[str, ...]
    notes: tuple[str, ...] = ()
    signature: str = ""

    def __str__(self) -> str:
        return f"{self.n:,} items give power {self.power:.3g} ({self.test}, {self.alternative}, alpha {self.alpha:g})"


@dataclass(frozen=True, slots=True, eq=False)
class PowerCurve(Value):
    """Power by number of items, with the band of its Monte Carlo error (equal to the power where none was drawn).

    `difference` is the true difference assumed, in score units; `at_observed_effect` marks the paper's retrospective
    curve, which is no evidence about the test set it came from. `size_for_target` is nan where the curve does not
    reach the target.
    """

    sizes: IntArray
    power: FloatArray
    low: FloatArray
    high: FloatArray
    difference: float
    at_observed_effect: bool
    form: str
    test: str
    label: str
    metric: str
    systems: tuple[str, str]
    pilot: int
    alpha: float
    alternative: str
    iterations: int
    seed: int
    target: float
    size_for_target: float
    assumptions: tuple[str, ...]
    headline: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    signature: str

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])
