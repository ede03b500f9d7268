"""What the test set at hand could have found, in words about that test set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nofluke.align import differences
from nofluke.inference.power.planning import detectable
from nofluke.inference.power.terms import Plan
from nofluke.inference.wording import unit_name
from nofluke.types import DetectableEffect, Sample


def unit_of(sample: Sample) -> str:
    """Name what the test swaps: items, units of several items, or clusters."""
    return f"{unit_name(sample)}s"


def detectable_in(sample: Sample, plan: Plan, groups: int, error: float, power: float) -> DetectableEffect:
    """Give the detectable effect of a sample, with what it can and cannot tell."""
    found = detectable(plan, groups, power)
    factor = _design_effect(sample, error)
    a, b = sample.systems[:2]
    sentences = [
        f"The spread is that of these {groups:,} {plan.unit}. This does not judge the observed difference.",
        f"Smaller true differences would often be missed: where {a} and {b} are not separated, that does not make "
        "them equal.",
    ]
    if sample.clusters is not None:
        sentences.append(
            f"The {sample.n:,} items come in {groups:,} clusters; by their differences {factor:.2g} items say as "
            f"much as one independent item (design effect), so they count as about {sample.n / factor:,.0f}."
        )
    return replace(
        found,
        design_effect=factor,
        sentences=(*sentences, *found.sentences),
        assumptions=(
            f"{plan.unit} are independent of each other, and new ones would be like these",
            "planned as the swap test of the mean for normal differences of this spread, which from a dozen "
            f"{plan.unit} on is as good as the t-test",
        ),
        signature=f"{found.signature}|n_items:{sample.n}",
    )


def _design_effect(sample: Sample, error: float) -> float:
    """The variance of the mean with clusters over that without; 1 where there are none."""
    if sample.clusters is None or not sample.aggregate.linear:
        return 1.0
    d = differences(sample).values
    alone = float(np.var(d, ddof=1)) / len(d)
    return error**2 / alone if alone > 0 else 1.0
