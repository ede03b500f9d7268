"""Planning: how many items, how much power, what could be found, and the curve between them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from nofluke.types.base import Drawable, FloatArray, IntArray, Value
from nofluke.types.call import Call
from nofluke.types.notes import Note


@dataclass(frozen=True, slots=True)
class PowerPlan(Value):
    """How many items, how true a difference, found how often: two were stated, and `asked` names the one found.

    `asked` is n (the smallest number of items from which the power stays at the target, `n_exact` before rounding up),
    power (of n items) or difference (that n items find with the target power; nan where none would be). `target` is the
    power that was stated, nan where it was asked for; `power` is that of n items, or the target once more.

    `unit` says what n counts. `level` is alpha after adjustment for the number of tests. `terms` is all that was stated
    beside the difference, by its name in Python. `reason` says why nothing would be found, and `bound` that the power
    is a lower bound. `half` is the number of items for half the difference, None where that makes no sense. Datasets of
    different sizes stand in `sizes`, and n is then 0.

    Of an asked difference, `by_power` holds (power, difference) for several powers, the target among them, and
    `threshold` is where significance begins (nan where the test has no such point). For the sign test on untied items
    the difference is 2p - 1 of the share p of them on which A must be better. `systems` and `n_items` are those of the
    data, where there are any: the n units may be clusters of items. Where systems are trained several times, `n_runs`
    is the number of runs of each that was chosen, and `by_runs` has (runs, items) of its neighbours, of the same power.
    """

    asked: Literal["n", "power", "difference"]
    n: int
    power: float
    difference: float
    test: str
    label: str
    unit: str
    alpha: float
    level: float
    alternative: str
    assumptions: tuple[Note, ...]
    target: float = math.nan
    n_exact: float = math.nan
    half: int | None = None
    n_runs: int | None = None
    by_runs: tuple[tuple[int, int], ...] = ()
    sizes: tuple[int, ...] = ()
    bound: bool = False
    reason: Note | None = None
    terms: Mapping[str, Any] = field(default_factory=dict)
    threshold: float = math.nan
    by_power: tuple[tuple[float, float], ...] = ()
    standard_error: float = math.nan
    design_effect: float = 1.0
    systems: tuple[str, ...] = ()
    n_items: int = 0
    notes: tuple[Note, ...] = ()
    citation: str = ""
    signature: str = ""
    call: Call | None = None


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
    reach the target; `size_range` is where the band says it may lie; `size_by_formula` is that of the t-test, nan for
    tests that are not about the mean. Without a stated effect `scenarios` holds the sizes for the detectable effect,
    its half, and both ends of the interval, and the curve is that of the first. The pilot has so many units, of
    `n_items` items, and its difference this standard error. `computed` says how the p-values of the drawn test sets
    were computed and how far they were found to be off, `reason` why nothing could be drawn. `n_runs` counts the
    training runs of each system, where the claim is about training: they stay as many while items grow.
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
    computed: Note
    assumptions: tuple[Note, ...]
    notes: tuple[Note, ...]
    citation: str
    signature: str
    reason: Note | None = None
    standard_error: float = math.nan
    size_by_formula: float = math.nan
    n_items: int = 0
    tests: int = 1
    n_runs: tuple[int, ...] = ()
    call: Call | None = None
