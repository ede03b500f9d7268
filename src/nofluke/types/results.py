"""The results: intervals, estimates, test results, and the comparison made of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nofluke.types.base import Drawable, FloatArray, Value
from nofluke.types.notes import Note
from nofluke.types.profile import Choices, Profile

if TYPE_CHECKING:
    from nofluke.types.posterior import Posterior


@dataclass(frozen=True, slots=True)
class Interval(Value):
    """A confidence interval; `level` is the level asked for, `achieved` what a discrete method really reaches."""

    low: float
    high: float
    level: float
    method: str
    achieved: float = math.nan

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Estimate(Value):
    """An effect size with its interval; magnitude is a word only where a named rule gave it."""

    name: str
    value: float
    interval: Interval | None = None
    standard_error: float = math.nan
    magnitude: str = ""
    rule: str = ""
    notes: tuple[Note | str, ...] = ()
    signature: str = ""

    def __str__(self) -> str:
        if self.interval is None:
            return f"{self.name} = {self.value:.6g}"
        interval = self.interval
        return f"{self.name} = {self.value:.6g} [{interval.low:.6g}, {interval.high:.6g}] ({interval.level:.0%})"


@dataclass(frozen=True, slots=True)
class Computed(Value):
    """How a p-value was obtained, with the error of the number itself.

    exact: without random draws (an asymptotic tail is computed exactly too; `validity` says what it promises);
    approximate: without draws, but its computed error bound is not below 1e-9; monte-carlo: `error` is the standard
    error, and `interval` says where the p-value would settle with ever more draws; linear+correction: the p-value is an
    upper bound that holds with 95 % confidence, and `error` is how much lower the estimate is; bound: larger than the
    test's own p-value, for the reason in `detail`.
    """

    how: str
    error: float = 0.0
    resamples: int = 0
    seed: int | None = None
    detail: str = ""
    interval: Interval | None = None

    def __str__(self) -> str:
        if self.how == "exact":
            return self.how
        if self.how == "monte-carlo":
            return f"monte-carlo, {self.resamples:,} resamples, seed {self.seed}, {self._spread()}"
        if self.how == "linear+correction":
            return (
                f"linear+correction, {self.resamples:,} resamples, seed {self.seed}; p is an upper bound (95% sure), "
                f"the estimate is {self.error:.2g} lower"
            )
        if self.how == "bound":
            return f"bound, {self.detail}"
        return f"{self.how}, error at most {_rounded_up(self.error)}"

    def _spread(self) -> str:
        """How far the draws leave the p-value open."""
        if self.interval is None:
            return f"standard error {self.error:.2g}"
        low, high, level = self.interval.low, self.interval.high, self.interval.level
        return f"{level * 100:g}% interval of p {low:.3g} to {high:.3g} ({self.interval.method})"


def _rounded_up(bound: float) -> str:
    """Print a bound with one digit, never below itself.

    >>> _rounded_up(0.00612), _rounded_up(0.005), _rounded_up(0.0)
    ('0.007', '0.005', '0')
    """
    printed = f"{bound:.1g}"
    if not math.isfinite(bound) or float(printed) >= bound:
        return printed
    return f"{bound + 0.5 * 10.0 ** math.floor(math.log10(bound)):.1g}"


@dataclass(frozen=True, slots=True)
class TestResult(Value):
    """One significance test. A method fills the numbers; nofluke.test adds name, null, estimand and signature.

    `direction` is 1 where the evidence leans to A and -1 where it leans to B, whatever the estimate says: on tied data
    a pseudo-median can be 0 although the ranks clearly favour one system. `about` is mean, median, items or ranks.
    """

    __test__ = False  # not a test class for pytest

    statistic: float
    p_value: float
    log_p_value: float
    alternative: str
    n: int
    computed: Computed
    validity: str
    estimate: float = math.nan
    direction: int = 0
    z_score: float = math.nan
    delta: float = 0.0
    interval: Interval | None = None
    details: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    method: str = ""
    label: str = ""
    null: str = ""
    estimand: str = ""
    about: str = ""
    signature: str = ""
    systems: tuple[str, str] = ("A", "B")

    def __str__(self) -> str:
        return f"{self.label or self.method}: p = {self.p_value:.6g} ({self.alternative}, n = {self.n:,})"


@dataclass(frozen=True, slots=True)
class Detectable(Value):
    """The true difference a test set of this size would find with the given power, and where significance begins.

    nan, with the reason, where that cannot be said.
    """

    difference: float
    threshold: float
    standard_error: float
    power: float
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Distribution(Value):
    """A distribution to look at: probabilities of single values (`atoms`), or a density on a grid."""

    grid: FloatArray
    density: FloatArray
    atoms: bool
    how: str


@dataclass(frozen=True, slots=True)
class Comparison(Drawable):
    """Everything nofluke has to say about A against B on one dataset and metric.

    `also_run` holds the other tests that were run on the same data, where that is known (the app remembers them).
    """

    systems: tuple[str, str]
    metric: str
    dataset: str
    higher_is_better: bool
    scores: tuple[float, float]
    n: int
    unit_size: int
    clusters: int
    alignment: str
    alpha: float
    verdict: str
    headline: str
    sentences: tuple[str, ...]
    profile: Profile
    choices: Choices
    test: TestResult
    effects: Mapping[str, Estimate]
    detectable: Detectable
    margin: float | None
    margin_verdict: str
    margin_test: TestResult | None
    tests_run: tuple[str, ...]
    notes: tuple[str, ...]
    signature: str
    distribution: Distribution | None = None
    posterior: Posterior | None = None
    also_run: tuple[TestResult, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Give a JSON-safe dictionary; other tests are spoken of only where there were any."""
        found = Drawable.to_dict(self)
        if not self.also_run:
            del found["also_run"]
        return found

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])
