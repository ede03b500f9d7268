"""Planning: how many items, how much power, what could be found, and the curve between them."""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.types.base import Drawable, FloatArray, IntArray, Value


@dataclass(frozen=True, slots=True)
class SampleSize(Value):
    """The smallest number of items from which the power stays above the target; `n_exact` before rounding up.

    `unit` says what is counted. `level` is alpha after adjustment for the number of tests.
    """

    n: int
    n_exact: float
    power: float
    target: float
    test: str
    label: str
    unit: str
    difference: float
    alpha: float
    level: float
    alternative: str
    assumptions: tuple[str, ...]
    headline: str
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    citation: str = ""
    signature: str = ""

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])


@dataclass(frozen=True, slots=True)
class PlannedPower(Value):
    """In how many of all test sets of this size the stated difference would be found."""

    power: float
    n: int
    test: str
    label: str
    unit: str
    difference: float
    alpha: float
    level: float
    alternative: str
    assumptions: tuple[str, ...]
    headline: str
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    citation: str = ""
    signature: str = ""

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])


@dataclass(frozen=True, slots=True)
class DetectableEffect(Value):
    """The true difference that a test set of this size would find with the target power; nan where none would be.

    `by_power` holds (power, difference) for several powers, the target among them; `threshold` is where significance
    begins (nan where the test has no such point). For the sign test on untied items the difference is the share of
    them on which A must be better.
    """

    difference: float
    threshold: float
    target: float
    by_power: tuple[tuple[float, float], ...]
    n: int
    test: str
    label: str
    unit: str
    alpha: float
    level: float
    alternative: str
    standard_error: float
    design_effect: float
    assumptions: tuple[str, ...]
    headline: str
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    citation: str = ""
    signature: str = ""

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])


@dataclass(frozen=True, slots=True)
class Scenario(Value):
    """One assumed true difference, where it comes from, and the number of items that would find it; nan: none would."""

    name: str
    difference: float
    size: float


@dataclass(frozen=True, slots=True, eq=False)
class PowerCurve(Drawable):
    """Power by number of items, with the band of its Monte Carlo error (equal to the power where none was drawn).

    `difference` is the true difference assumed, in score units; `at_observed_effect` marks the paper's retrospective
    curve, which is no evidence about the test set it came from. `size_for_target` is nan where the curve does not
    reach the target; `size_range` is where the band says it may lie. Without a stated effect `scenarios` holds the
    sizes for the detectable effect, its half, and both ends of the interval, and the curve is that of the first.
    `inner` says how the p-values inside the simulation were computed and how far they were found to be off.
    """

    sizes: IntArray
    power: FloatArray
    low: FloatArray
    high: FloatArray
    difference: float
    observed: float
    at_observed_effect: bool
    form: str
    test: str
    label: str
    metric: str
    systems: tuple[str, str]
    pilot: int
    unit: str
    alpha: float
    level: float
    alternative: str
    margin: float | None
    iterations: int
    seed: int
    target: float
    size_for_target: float
    size_range: tuple[float, float]
    scenarios: tuple[Scenario, ...]
    inner: str
    assumptions: tuple[str, ...]
    headline: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    citation: str
    signature: str

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])
