"""What the test set at hand could have found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nofluke.align import differences
from nofluke.inference.power.planning import detectable
from nofluke.inference.power.terms import Plan
from nofluke.inference.recommending.rules import facts_of
from nofluke.noting import with_facts
from nofluke.types import DetectableEffect, Note, Sample, note


def unit_of(sample: Sample) -> str:
    """Name what the test swaps: items, units of several items, or clusters."""
    if sample.clusters is not None:
        return "clusters"
    return "units" if sample.unit_size > 1 else "items"


def detectable_in(sample: Sample, plan: Plan, groups: int, error: float, power: float) -> DetectableEffect:
    """Give the detectable effect of a sample, with the standard deviation of its own differences."""
    found = detectable(plan, groups, power)
    return replace(
        found,
        design_effect=_design_effect(sample, error),
        systems=tuple(sample.systems[:2]),
        n_items=sample.n,
        assumptions=(note("power.like_these", unit=plan.unit), note("power.spread_of_data", unit=plan.unit)),
        notes=(*found.notes, *_other_name(sample, plan)),
        signature=with_facts(found.signature, {"n_items": sample.n}),
    )


def _other_name(sample: Sample, plan: Plan) -> tuple[Note, ...]:
    """Swapping right and wrong answers is McNemar's exact test: the reader meets it by that name elsewhere."""
    same = plan.design.name == "permutation" and sample.clusters is None and facts_of(sample).binary
    return (note("power.is_mcnemar"),) if same else ()


def _design_effect(sample: Sample, error: float) -> float:
    """The variance of the mean with clusters over that without; 1 where there are none."""
    if sample.clusters is None or not sample.aggregate.linear:
        return 1.0
    d = differences(sample).values
    alone = float(np.var(d, ddof=1)) / len(d)
    return error**2 / alone if alone > 0 else 1.0
