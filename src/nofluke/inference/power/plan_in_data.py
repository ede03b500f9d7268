"""What a test set could have found: a plan with the spread of its own differences, of items or of runs as well."""

from __future__ import annotations

import math
from dataclasses import replace

from nofluke.align import differences
from nofluke.inference.power.binary_gap import BinaryDifferences, binary_differences
from nofluke.inference.power.detectable import (
    RareDifferences,
    detectable_shift,
    found_over_runs,
    harder_to_pass,
    rare_differences,
)
from nofluke.inference.power.over_runs import noise_of_runs, notes_on_noise
from nofluke.inference.power.planning import detectable
from nofluke.inference.power.terms import Plan
from nofluke.inference.spread import Spread, design_of
from nofluke.laws.tails import t_quantile
from nofluke.noting import with_facts
from nofluke.types import Note, PowerPlan, Sample, note


def unit_of(sample: Sample) -> str:
    """Name what the test swaps: items, units of several items, clusters or datasets."""
    return f"{sample.unit}s"


def within_datasets(sample: Sample) -> tuple[Note, ...]:
    """Say that the datasets of an average stay, and how they are averaged."""
    strata = sample.strata
    if strata is None or strata.one_source:
        return ()
    return (note("power.within_datasets", n=len(strata.names), weighting=strata.weighting, noun=strata.noun),)


def detectable_in(sample: Sample, plan: Plan, groups: int, spread: Spread, power: float) -> PowerPlan:
    """Give the detectable effect of a sample, with the standard deviation (or disagreement) of its own differences."""
    found = detectable(plan, groups, power)
    binary = binary_differences(sample) if plan.design.name == "mcnemar" else None
    rare = rare_differences(sample) if binary is None and plan.terms.margin is None else None
    if binary is not None:
        found = _with_binary(found, plan, binary)
    elif spread.df != groups - 1:
        found = _with_spread(found, plan, groups, spread)
    if rare is not None:
        found = _with_rare(found, plan, rare)
    within = within_datasets(sample) if binary is None else ()
    return replace(
        found,
        standard_error=spread.standard_error,
        design_effect=_design_effect(sample, spread),
        systems=tuple(sample.systems[:2]),
        n_items=sample.n,
        assumptions=(note("power.like_these", unit=plan.unit), *within, _assumed_of(plan, binary)),
        signature=with_facts(found.signature, {"n_items": sample.n}),
    )


def detectable_over_runs(sample: Sample, plan: Plan, groups: int, power: float) -> PowerPlan:
    """Give the detectable effect of a sample with training runs, with the noise of its own items and runs."""
    found, noise = detectable(plan, groups, power), noise_of_runs(sample)
    side, margin = -1.0 if plan.alternative == "less" else 1.0, plan.effect.margin
    ladder = tuple(
        (share, side * found_over_runs(noise, plan.level, plan.alternative, share) - margin)
        for share, _ in found.by_power
    )
    harder, runs = harder_to_pass(sample, plan.level, plan.alternative), noise.numbers
    return replace(
        found,
        difference=dict(ladder)[power],
        by_power=ladder,
        threshold=math.nan if harder is None else side * harder[1] - margin,
        standard_error=noise.standard_error,
        terms={**found.terms, "n_runs": runs[0] if runs[0] == runs[1] else runs},
        systems=tuple(sample.systems[:2]),
        n_items=sample.n,
        assumptions=(
            note("power.like_these", unit=plan.unit),
            *within_datasets(sample),
            note("power.noise_of_data"),
        ),
        notes=(*found.notes, *notes_on_noise(noise)),
        signature=with_facts(found.signature, {"n_items": sample.n}),
    )


def _assumed_of(plan: Plan, binary: BinaryDifferences | None) -> Note:
    if binary is None:
        return note("power.spread_of_data", unit=plan.unit)
    limit = {"disagreement": binary.disagreement, "differing": binary.differing, "n": binary.items}
    return note("power.disagreement_of_data", **limit)


def _with_spread(found: PowerPlan, plan: Plan, groups: int, spread: Spread) -> PowerPlan:
    """Take the degrees of freedom of an average of datasets, which may rest on few items of one that weighs much."""
    side, margin = -1.0 if plan.alternative == "less" else 1.0, plan.effect.margin
    ladder = tuple(
        (power, side * detectable_shift(groups, spread, plan.level, plan.alternative, power) - margin)
        for power, _ in found.by_power
    )
    sides = 2 if plan.alternative == "two-sided" else 1
    edge = -t_quantile(plan.level / sides, spread.df) * spread.standard_error - margin
    return replace(found, difference=dict(ladder)[found.target], by_power=ladder, threshold=side * edge)


def _with_binary(found: PowerPlan, plan: Plan, binary: BinaryDifferences) -> PowerPlan:
    """Take gaps that may exceed the disagreement assumed for smaller ones: a gap brings its own."""
    side = -1.0 if plan.alternative == "less" else 1.0
    ladder = tuple((power, side * binary.shift(plan.level, plan.alternative, power)) for power, _ in found.by_power)
    edge = side * binary.threshold(plan.level, plan.alternative)
    gap = dict(ladder)[found.target]
    reason = found.reason if math.isnan(gap) else None
    return replace(found, difference=gap, by_power=ladder, threshold=edge, reason=reason)


def _with_rare(found: PowerPlan, plan: Plan, rare: RareDifferences) -> PowerPlan:
    """Widen the gaps of a test set in which few units differ to what so few can show."""
    side = -1.0 if plan.alternative == "less" else 1.0
    shifts = {power: rare.shift(plan.level, plan.alternative, power) for power, _ in found.by_power}
    ladder = tuple(
        (power, math.nan if math.isnan(shifts[power]) else side * max(abs(gap), shifts[power]))
        for power, gap in found.by_power
    )
    gap = dict(ladder)[found.target]
    if gap == found.difference:
        return replace(found, by_power=ladder)
    few = {"differing": rare.differing, "unit": plan.unit.removesuffix("s")}
    return replace(
        found,
        difference=gap,
        by_power=ladder,
        threshold=math.nan,
        reason=note("compare.few_differ", **few) if math.isnan(gap) else found.reason,
        notes=found.notes if math.isnan(gap) else (*found.notes, note("power.few_differ", **few)),
    )


def _design_effect(sample: Sample, spread: Spread) -> float:
    """The variance of the mean with clusters over that without; 1 where there are none."""
    if sample.clusters is None or not sample.aggregate.linear:
        return 1.0
    alone = replace(design_of(sample), clusters=None).spread(differences(sample).values, lone_from_average=True)
    return spread.variance / alone.variance if alone.variance > 0 else 1.0
