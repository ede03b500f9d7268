"""The power curve of a pilot: what is assumed, at which sizes, how it is simulated, and what follows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.inference.power.binary_gap import binary_differences
from nofluke.inference.power.curves import fields
from nofluke.inference.power.curves.ask import Ask, check_ask, sizes_of
from nofluke.inference.power.curves.choose import (
    drawn_sample,
    form_of_counts,
    keeps_datasets_apart,
    log_p_by,
    rule_of,
)
from nofluke.inference.power.curves.draws import Alias, drawn_counts, drawn_normals
from nofluke.inference.power.curves.fields import LEAST_PILOT, common_fields, no_spread, without_curve
from nofluke.inference.power.curves.normal_rules import form_of_normals, normal_rule
from nofluke.inference.power.curves.over_runs import curve_over_runs
from nofluke.inference.power.curves.pilot import Pilot, pilot_of
from nofluke.inference.power.curves.rule import FORMULA, SWAPS, TANGENT, THE_TEST, Rule
from nofluke.inference.power.curves.simulate import Check, Progress, Simulated, Source, check, crossing, simulate
from nofluke.inference.power.curves.sums_within import sums_pilot
from nofluke.inference.power.curves.tilting import effective_number
from nofluke.inference.power.curves.unpaired import Groups, drawn_tests, groups_of
from nofluke.inference.power.curves.wholes import WholePilot, draws_of, tested, whole_pilot
from nofluke.inference.power.curves.within_datasets import AveragePilot, average_pilot
from nofluke.inference.power.detectable import detectable_shift, rare_differences, widest_gap
from nofluke.inference.power.effect import Effect
from nofluke.inference.power.normal_differences import paired_t_power
from nofluke.inference.power.plan_in_data import within_datasets
from nofluke.inference.power.search import smallest_real
from nofluke.inference.spread import Spread
from nofluke.types import FloatArray, IntArray, Interval, PowerCurve, Sample, Scenario, frozen, note

Material = Pilot | Groups | WholePilot
# Sizes chosen by nofluke go no further; named ones may.
_FARTHEST = 100_000
# With so many items the steps of an exact test no longer show.
_SMOOTH = 1e6
# How many inner p-values are checked; those of corpus metrics by so many draws.
_CHECKS, _CORPUS_CHECKS = 6, 3


@dataclass(frozen=True, slots=True, eq=False)
class Assumed:
    """The true difference a curve is drawn for, the weights that show it, and the spread of one unit under them."""

    difference: float
    weights: FloatArray
    spread: float
    scenarios: tuple[Scenario, ...] = ()
    by_formula: bool = False


def power_curve_of(sample: Sample, ask: Ask, interval: Interval | None, progress: Progress = None) -> PowerCurve:
    """Draw the curve; `interval` is that of the difference, for the case that no effect is stated."""
    check_ask(ask, sample)
    if sample.runs is not None:
        return curve_over_runs(sample, ask, interval)
    material: Material
    if ask.method.facts["needs"] == "unpaired":
        material = groups_of(sample)
    else:
        grouped = form_of_counts(sample, ask.method, ask.setting) is not None
        if sample.strata is not None and keeps_datasets_apart(sample, ask.method):
            by_sums = sample.clusters is not None or not sample.aggregate.linear
            material = (
                sums_pilot(sample, sample.strata) if by_sums else average_pilot(sample, sample.strata, grouped=grouped)
            )
        else:
            material = whole_pilot(sample, ask) or pilot_of(sample, grouped=grouped)
    if material.units < LEAST_PILOT or not material.varies:
        why = no_spread(sample, material.units, material.unit)
        observed = 0.0 if why.code == "power.same_scores" else math.nan
        return without_curve(sample, ask, material.units, material.unit, observed, why)
    assumed = _assumed(material, ask, interval, widest_gap(sample))
    observed = material.shown(material.equal_weights)
    if math.isnan(assumed.difference):
        # No difference was stated, and none would be found with so few items that the curve could be drawn for.
        why = note("power.pilot_reveals_nothing", pilot=material.units, unit=material.unit, power=ask.target)
        return without_curve(sample, ask, material.units, material.unit, observed, why)
    datasets = len(material.strata.names) if isinstance(material, AveragePilot) else 1
    sizes = sizes_of(ask, _largest(material, ask, assumed), least=max(2, datasets))
    simulated, rule, checked = _powers(material, ask, assumed, sizes, progress)
    numbers = sizes.astype(np.float64)
    found = crossing(numbers, simulated.power, ask.target)
    bounds = crossing(numbers, simulated.high, ask.target), crossing(numbers, simulated.low, ask.target)
    error = material.spread(material.equal_weights) / math.sqrt(material.units)
    by_formula = _needed(assumed.spread, assumed.difference, ask)
    pilot = (ask, material.units, material.unit, assumed.difference)
    return PowerCurve(
        **common_fields(sample, ask, material.units, material.unit),
        sizes=frozen(sizes, np.int64),
        power=frozen(simulated.power),
        low=frozen(simulated.low),
        high=frozen(simulated.high),
        difference=assumed.difference,
        observed=observed,
        form="formula" if assumed.by_formula else ask.form,
        size_for_target=float(math.ceil(found - 1e-9)) if math.isfinite(found) else math.nan,
        size_range=bounds,
        scenarios=assumed.scenarios,
        computed=fields.how_computed(rule, checked),
        assumptions=fields.assumptions_of(
            *pilot, by_formula=assumed.by_formula, within=within_datasets(sample) if datasets > 1 else ()
        ),
        notes=fields.notes_of(
            *pilot,
            error,
            carried=_carried(material, assumed),
            by_formula=assumed.by_formula,
            nothing=ask.observed and ask.margin is None and abs(observed) <= 1e-9 * error,
        ),
        standard_error=error,
        size_by_formula=by_formula if ask.method.facts["about"] == "mean" else math.nan,
    )


def _assumed(material: Material, ask: Ask, interval: Interval | None, widest: float) -> Assumed:
    equal = material.equal_weights
    if ask.form == "normal":
        difference = material.shown(equal) if ask.observed else ask.difference
        spread = material.spread(equal) if ask.sd is None else ask.sd
        if difference is None:
            difference, scenarios = _scenarios(material, ask, interval, widest)
            return Assumed(difference, equal, spread, scenarios)
        return Assumed(difference, equal, spread)
    if ask.observed:
        return Assumed(material.shown(equal), equal, material.spread(equal))
    if ask.difference is not None:
        weights = material.weights_for(ask.difference)
        return Assumed(ask.difference, weights, material.spread(weights))
    difference, scenarios = _scenarios(material, ask, interval, widest)
    try:
        weights = material.weights_for(difference)
    except InputError:
        # A handful of items may not be able to show what they would be needed for.
        return Assumed(difference, equal, material.spread(equal), scenarios, by_formula=True)
    return Assumed(difference, weights, material.spread(weights), scenarios)


def _scenarios(
    material: Material, ask: Ask, interval: Interval | None, widest: float
) -> tuple[float, tuple[Scenario, ...]]:
    """The detectable difference, its half, and both ends of the interval, with the items that each would need."""
    spread = material.spread(material.equal_weights)
    setting = ask.setting
    known = Spread(spread**2 / material.units, material.units - 1)
    shift = detectable_shift(material.units, known, setting.level, setting.alternative, ask.target)
    paired = material.sample if isinstance(material, Pilot) and not setting.delta else None
    binary = None if paired is None else binary_differences(paired)
    rare = None if paired is None or binary is not None else rare_differences(paired)
    if binary is not None:
        shift = binary.shift(setting.level, setting.alternative, ask.target)
    elif rare is not None:
        wider = rare.shift(setting.level, setting.alternative, ask.target)
        shift = wider if math.isnan(wider) else max(shift, wider)
    side = -1.0 if setting.alternative == "less" else 1.0
    detectable = side * shift + setting.delta
    if abs(detectable) > widest:
        detectable = math.nan
    assumed = [("detectable", detectable), ("half", detectable / 2)]
    if interval is not None:
        assumed += [("low end", interval.low), ("high end", interval.high)]

    def needed(value: float) -> float:
        by_formula = _needed(spread, value, ask)
        if not math.isfinite(by_formula):
            return by_formula
        if binary is not None and by_formula < _SMOOTH:
            return binary.needed(abs(value), setting.level, setting.alternative, ask.target)
        if rare is None:
            return by_formula
        return max(by_formula, float(rare.needed(abs(value), setting.level, setting.alternative, ask.target)))

    return detectable, tuple(Scenario(name, value, needed(value)) for name, value in assumed if math.isfinite(value))


def _needed(spread: float, difference: float, ask: Ask) -> float:
    """Give the units that would find a difference, by the formula of the t-test; nan where none would."""
    setting = ask.setting
    shift = difference - setting.delta
    if setting.alternative == "less":
        shift = -shift
    if shift == 0 or (setting.alternative != "two-sided" and shift < 0) or spread <= 0:
        return math.nan
    sides = "two-sided" if setting.alternative == "two-sided" else "greater"
    effect = Effect(abs(shift), spread)
    try:
        exact = smallest_real(lambda n: paired_t_power(n, effect, setting.level, sides), ask.target, 1.5)
    except InputError:
        return math.inf
    return float(max(2, math.ceil(exact * (1 - 1e-12))))


def _largest(material: Material, ask: Ask, assumed: Assumed) -> int:
    """The pilot's own size for the paper's curve; otherwise half as many again as the formula asks for."""
    if ask.up_to is not None:
        return ask.up_to
    if ask.observed:
        return material.units
    needed = _needed(assumed.spread, assumed.difference, ask)
    if assumed.scenarios:
        needed = max(needed, assumed.scenarios[0].size)
    if not math.isfinite(needed):
        return _FARTHEST
    wanted = min(1.5 * needed, float(_FARTHEST))
    steps = ask.sizes if isinstance(ask.sizes, int) else 1
    # Steps of two digits: 270, 540, 810 rather than 267, 533, 800.
    step = max(wanted / max(steps, 1), 2 / max(steps, 1))
    unit = 10.0 ** max(0, math.floor(math.log10(step)) - 1) if step >= 1 else step
    return max(2, round(math.ceil(step / unit * (1 - 1e-12)) * unit * max(steps, 1)))


def _powers(
    material: Material, ask: Ask, assumed: Assumed, sizes: IntArray, progress: Progress
) -> tuple[Simulated, Rule, Check | None]:
    level = ask.setting.level
    drawn = assumed.by_formula or ask.form != "normal"
    if assumed.by_formula or (not drawn and form_of_normals(ask.method.name, ask.options).facts["formula"]):
        return _by_formula(ask, assumed, sizes), Rule(lambda counts: counts[:, 0], FORMULA), None
    if isinstance(material, WholePilot):
        found = tested(material, assumed.weights, ask, sizes.tolist(), progress)
        rule = Rule(lambda counts: counts[:, 0], SWAPS, draws=draws_of(ask))
        return simulate(found, sizes.tolist(), ask.iterations, level, None), rule, None
    drawing = _Drawing(material, ask, assumed)
    simulated = simulate(drawing, sizes.tolist(), ask.iterations, level, progress)
    rule = drawing.rule
    exact, fits = _exact(material, ask, rule, int(sizes[-1]))
    most = _CORPUS_CHECKS if rule.how == TANGENT else _CHECKS
    return simulated, rule, check(simulated, exact, level, fits, most) if exact is not None else None


def _by_formula(ask: Ask, assumed: Assumed, sizes: IntArray) -> Simulated:
    effect = Effect(assumed.difference - ask.setting.delta, assumed.spread)
    power = paired_t_power(sizes.astype(np.float64), effect, ask.setting.level, ask.setting.alternative)
    return Simulated(power, power, power, (), np.empty(0))


class _Drawing:
    """What a curve draws from. Rules are functions within functions: each process makes its own."""

    def __init__(self, material: Pilot | Groups, ask: Ask, assumed: Assumed) -> None:
        self._given = material, ask, assumed

    @cached_property
    def _made(self) -> tuple[Rule, Source]:
        return _source(*self._given)

    @property
    def rule(self) -> Rule:
        return self._made[0]

    @property
    def source(self) -> Source:
        return self._made[1]

    def __getstate__(self) -> dict[str, Any]:
        return {"_given": self._given}


def _source(material: Pilot | Groups, ask: Ask, assumed: Assumed) -> tuple[Rule, Source]:
    if isinstance(material, Groups):
        run = log_p_by(ask.method, ask.setting, ask.seed)
        rule = Rule(lambda counts: counts[:, 0], THE_TEST)

        def unpaired(size: int) -> Iterator[tuple[FloatArray, FloatArray]]:
            for logs in drawn_tests(material, assumed.weights, run, size, ask.iterations, ask.seed):
                yield logs[:, None], logs

        return rule, unpaired
    if ask.form == "normal":
        rule = normal_rule(ask.method.name, ask.setting)

        def normal(size: int) -> Iterator[tuple[FloatArray, FloatArray]]:
            for values in drawn_normals(assumed.difference, assumed.spread, size, ask.iterations, ask.seed):
                yield values, rule.block(values)

        return rule, normal
    rule = rule_of(material, ask.method, ask.setting, ask.seed)
    table = Alias(assumed.weights)

    def drawn(size: int) -> Iterator[tuple[FloatArray, FloatArray]]:
        if isinstance(material, AveragePilot):
            blocks = material.drawn(assumed.weights, size, ask.iterations, ask.seed)
        else:
            blocks = drawn_counts(table, size, ask.iterations, ask.seed)
        for counts in blocks:
            yield counts, rule.block(counts)

    return rule, drawn


def _exact(
    material: Pilot | Groups, ask: Ask, rule: Rule, largest: int
) -> tuple[Callable[[FloatArray], float] | None, Callable[[int], bool]]:
    """How single p-values are checked, and at which sizes that takes no more than moments."""
    if isinstance(material, Pilot) and rule.how == TANGENT:
        run = log_p_by(ask.method, ask.setting, ask.seed, monte_carlo=fields.CHECK_DRAWS)
        return lambda row: run(drawn_sample(material, row.astype(np.int64))), lambda size: size <= 20_000
    if not rule.dear:
        return rule.exact, lambda _: True
    least = 200 if largest >= 200 else 40
    return rule.exact, lambda size: size <= 12 or (size >= least and material.sample.clusters is None)


def _carried(material: Material, assumed: Assumed) -> float:
    """The share of the pilot that carries the reweighted picture."""
    if isinstance(material, Groups):
        return effective_number(assumed.weights, np.ones_like(assumed.weights)) / len(assumed.weights)
    return effective_number(assumed.weights, material.multiplicity) / material.units
