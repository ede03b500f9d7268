"""Answers to a plan: how many items, how much power, what could be found."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.check import check_number
from nofluke.errors import Fix, InputError, Option
from nofluke.inference.power.designs import sawtooth_width
from nofluke.inference.power.effect import Effect
from nofluke.inference.power.over_runs import fewest_runs, numbers_of_runs, too_few_runs
from nofluke.inference.power.plan_facts import assumptions_of, notes_of, signed, terms_of, why_never
from nofluke.inference.power.search import TooManyItemsError, smallest_effect, smallest_lasting, smallest_real
from nofluke.inference.power.terms import Plan, check_target, other_side
from nofluke.laws.tails import t_quantile
from nofluke.types import FloatArray, PowerPlan

_LADDER = (0.5, 0.8, 0.9, 0.95)
# No effect of interest is this many standard deviations large.
_LARGEST = 1e6
# How many numbers of runs are shown, without a gap and with the best in the middle where fewer would do.
_ROWS_OF_RUNS = 5


def powers_of(plan: Plan, effect: Effect | None = None) -> Callable[[FloatArray], FloatArray]:
    """Give the function from numbers of items to power; clusters make n items count as n / design effect."""
    used = plan.effect if effect is None else effect
    factor = plan.terms.design_effect

    def powers(sizes: FloatArray) -> FloatArray:
        independent = sizes / factor
        # An exact test counts whole items; the last bits of 30 * 1.1 / 1.1 must not cost one.
        counted = np.floor(independent + 1e-9) if plan.design.sawtooth else independent
        return plan.design.power(counted, used, plan.level, plan.alternative)

    return powers


def planned_power(plan: Plan, n: Any) -> PowerPlan:
    """Give the power of the plan with n items."""
    _need_runs(plan)
    size = check_whole(n, "n", plan.least)
    power = float(powers_of(plan)(np.array([float(size)]))[0])
    return PowerPlan(
        "power",
        size,
        power,
        reason=why_never(plan, size) if power == 0 else None,
        notes=notes_of(plan, size),
        signature=signed("power", plan, n=size),
        **_shared(plan),
    )


def needed_items(plan: Plan, target: float) -> PowerPlan:
    """Give the smallest number of items from which the power stays at or above the target."""
    check_target(target, plan.level)
    _refuse_hopeless(plan)
    plan, by_runs = _with_runs(plan, target)
    exact = _needed(plan, target)
    size = max(plan.least, _ceil(exact))
    power = float(powers_of(plan)(np.array([float(size)]))[0])
    return PowerPlan(
        "n",
        size,
        power,
        n_exact=exact,
        target=target,
        half=_half(plan, target),
        n_runs=plan.effect.runs or None,
        by_runs=by_runs,
        notes=notes_of(plan, size),
        signature=signed("sample_size", plan, power=target),
        **_shared(plan),
    )


def detectable(plan: Plan, n: Any, target: float) -> PowerPlan:
    """Give the true difference that n items would find with the target power, and with some other powers."""
    _need_runs(plan)
    check_target(target, plan.level)
    size = check_whole(n, "n", plan.least)
    ladder = tuple((power, _detectable(plan, size, power)) for power in sorted({*_LADDER, target}))
    found = dict(ladder)[target]
    error = _standard_error(plan, size)
    shared = _shared(plan) | {"difference": found}
    # The effect is what is asked for: what stood in its place until it was found is no assumption.
    shared["terms"].pop("prob_a_better", None)
    shared["assumptions"] = assumptions_of(plan, effect_known=False)
    reason = why_never(plan, size) if math.isnan(found) else None
    # Where no pattern of signs reaches the level, no observed difference does.
    reached = reason is None or reason.code != "power.too_few_items"
    return PowerPlan(
        "difference",
        size,
        target,
        threshold=_threshold(plan, size, error) if reached else math.nan,
        target=target,
        by_power=ladder,
        standard_error=error,
        design_effect=plan.terms.design_effect,
        reason=reason,
        notes=notes_of(plan, size),
        signature=signed("detectable_effect", plan, n=size, power=target),
        **shared,
    )


def _need_runs(plan: Plan) -> None:
    if plan.over_runs and not plan.effect.runs:
        raise InputError(
            "what is found depends on the number of training runs as well.",
            fix=Fix("give ", Option("n_runs"), ": the runs of each system."),
        )


def _with_runs(plan: Plan, target: float) -> tuple[Plan, tuple[tuple[int, int], ...]]:
    """Choose the number of runs that costs fewest scores where none was stated; (runs, items) of those around it."""
    if not plan.over_runs:
        return plan, ()
    fewest = fewest_runs(plan.effect, plan.level, plan.alternative, target)
    if plan.effect.runs:
        if plan.effect.runs < fewest and powers_of(plan)(np.array([math.inf]))[0] < target:
            raise too_few_runs(plan.effect.runs, fewest)
        return plan, ()

    def needed(runs: int) -> int | None:
        return _items(plan, target, replace(plan.effect, runs=runs))

    rows = {runs: items for runs in numbers_of_runs(fewest) if (items := needed(runs)) is not None}
    if not rows:
        raise TooManyItemsError
    best, least = min(rows.items(), key=math.prod)
    for step in (-1, 1):
        # Between the numbers looked at there may be a better one.
        while best + step >= fewest and (items := needed(best + step)) and (best + step) * items < best * least:
            best, least = best + step, items
    first = max(fewest, best - _ROWS_OF_RUNS // 2)
    near = {runs: rows.get(runs) or needed(runs) for runs in range(first, first + _ROWS_OF_RUNS)}
    around = {runs: items for runs, items in near.items() if items is not None}
    # Whole numbers of few items go up and down: none that is shown costs less than the one that is chosen.
    best, _ = min(around.items(), key=math.prod)
    chosen = replace(plan, effect=replace(plan.effect, runs=best), terms=replace(plan.terms, n_runs=best))
    return chosen, tuple(around.items())


def check_whole(value: Any, name: str, least: int) -> int:
    """Give a whole number of items of at least the least."""
    size = check_number(value, name)
    if size != int(size) or size < least:
        raise InputError(
            f"{name} = {size:.12g} is not a number of {'items for this test' if name == 'n' else name}.",
            fix=f"give a whole number of at least {least}.",
        )
    return int(size)


def _shared(plan: Plan) -> dict[str, Any]:
    return {
        "test": plan.design.name,
        "label": plan.design.label,
        "unit": plan.unit,
        "difference": plan.effect.difference,
        "alpha": plan.terms.alpha,
        "level": plan.level,
        "alternative": plan.alternative,
        "assumptions": assumptions_of(plan),
        "terms": terms_of(plan),
        "citation": plan.design.cite,
    }


def _refuse_hopeless(plan: Plan) -> None:
    shift = plan.effect.shift
    if plan.alternative == "less":
        shift = -shift
    if shift > 0 or (plan.alternative == "two-sided" and shift != 0):
        return
    if shift == 0:
        raise InputError(
            "no number of items finds a difference that is not there.",
            fix="state the smallest true difference that would matter to you"
            + (" (with a margin: any difference above minus the margin)." if plan.terms.margin is not None else "."),
        )
    side = "above" if plan.alternative == "greater" else "below"
    raise InputError(
        f"a true difference of {plan.effect.difference:g} does not lie on the side that is tested: {side} "
        f"{0.0 - plan.effect.margin:g}.",
        fix=other_side(plan.terms.margin),
    )


def _needed(plan: Plan, target: float, effect: Effect | None = None) -> float:
    powers = powers_of(plan, effect)
    if not plan.design.sawtooth:
        # With fewer than half a degree of freedom critical values leave the range of numbers; two items are the least.
        return smallest_real(powers, target, 1.5 * plan.terms.design_effect)
    independent = replace(plan, terms=replace(plan.terms, design_effect=1.0))
    used = plan.effect if effect is None else effect
    return smallest_lasting(powers_of(independent, used), target, sawtooth_width(used)) * plan.terms.design_effect


def _half(plan: Plan, target: float) -> int | None:
    """Give n for half the difference, where that makes sense."""
    effect = replace(plan.effect, difference=plan.effect.difference / 2)
    if plan.terms.margin is not None or effect.disagreement == 1:
        return None
    return _items(plan, target, effect)


def _items(plan: Plan, target: float, effect: Effect | None = None) -> int | None:
    """Give the whole number of items needed; None where no thinkable number is enough."""
    try:
        return max(plan.least, _ceil(_needed(plan, target, effect)))
    except TooManyItemsError:
        return None


def _ceil(value: float) -> int:
    return math.ceil(value * (1 - 1e-12))


def _detectable(plan: Plan, size: int, target: float) -> float:
    side = -1.0 if plan.alternative == "less" else 1.0

    binary = plan.design.kind == "binary"
    widest = plan.effect.disagreement if binary else math.inf

    def at(shift: float) -> Effect:
        # No difference of accuracies is larger than the share of items on which the systems disagree.
        difference = side * shift - plan.effect.margin
        return replace(plan.effect, difference=min(max(difference, -widest), widest))

    def power_of(shift: float) -> float:
        return float(powers_of(plan, at(shift))(np.array([float(size)]))[0])

    if plan.over_runs:
        scale = _standard_error(plan, size)
        most = scale * _LARGEST
    else:
        scale = plan.effect.disagreement / 8 if binary else plan.effect.sd / math.sqrt(size)
        most = plan.effect.disagreement + plan.effect.margin if binary else plan.effect.sd * _LARGEST
    return at(smallest_effect(power_of, target, scale, most)).difference


def _standard_error(plan: Plan, size: int) -> float:
    effect, independent = plan.effect, size / plan.terms.design_effect
    if plan.design.kind == "binary":
        return math.sqrt(effect.disagreement / independent)
    if plan.design.kind == "groups":
        return math.sqrt((effect.sd**2 + effect.sd_b**2) / independent)
    if plan.over_runs:
        return math.sqrt(effect.variance_at(independent))
    return effect.sd / math.sqrt(independent)


def _threshold(plan: Plan, size: int, error: float) -> float:
    """Give the observed difference from which a t-test is significant; ranks and counts have no such point.

    With runs it moves with their spread, which few of them hardly know.
    """
    if plan.design.sawtooth or plan.over_runs:
        return math.nan
    independent = size / plan.terms.design_effect
    df = 2 * independent - 2 if plan.design.kind == "groups" else independent - 1
    if df <= 0:
        return math.nan
    sides = 2 if plan.alternative == "two-sided" else 1
    edge = -t_quantile(plan.level / sides, df) * error - plan.effect.margin
    return -edge if plan.alternative == "less" else edge
