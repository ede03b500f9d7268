"""detectable_effect: what could a test set of this size find?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from nofluke.errors import By, Fix, InputError
from nofluke.inference.power.binary_gap import binary_differences
from nofluke.inference.power.detectable import units_and_spread
from nofluke.inference.power.planning import detectable, detectable_in, unit_of
from nofluke.inference.power.replicate_plan import Replicating
from nofluke.inference.power.terms import Assumed, Target
from nofluke.inference.tests.run import takes_no_runs
from nofluke.noting import called
from nofluke.options import stating
from nofluke.types import PowerPlan, Sample
from nofluke.verbs.power import SIZE_OR_UNTIED, Planned, Size, Untied, what_is_planned


@stating(Assumed)
def detectable_effect(
    test: Planned = "auto", *, n: Size = None, n_untied: Untied = None, power: Target = 0.8, **stated: Any
) -> float:
    """Which true difference would a test set of this size find most of the time?

    The difference at which the power reaches `power`; nan where no difference is found so often. For mcnemar and tango
    state the `disagreement`, the share of items that exactly one system gets right; for sign give `n_untied`, and the
    answer is the share of untied items on which A must be better. With alternative "less" it is negative. With a
    `margin` it is the smallest true difference (often below 0) with which "not worse" is shown so often.

    >>> import nofluke as nf
    >>> round(nf.detectable_effect(n=100, sd=1), 4)
    0.2829
    """
    found = detected(test, n=n, n_untied=n_untied, power=power, **stated)
    return (1 + found.difference) / 2 if found.unit == "untied items" else found.difference


@called("detectable_effect", like=detectable_effect, settled=lambda result: {"test": result.test})
def detected(test: str, *, n: Any = None, n_untied: Any = None, power: float = 0.8, **given: Any) -> PowerPlan:
    """Give the detectable effect with everything it rests on."""
    if test == "replicate":
        raise InputError(
            "a replicability plan has no single detectable difference.", fix="ask for power or sample_size."
        )
    size = n_untied if n is None else n
    if size is None:
        raise InputError("what can be found depends on the number of items.", fix=SIZE_OR_UNTIED)
    # The effect is what is asked for; 0 stands in its place until it is found.
    known: dict[str, Any] = {"prob_a_better": 0.5} if n_untied is not None else {"difference": 0.0}
    plan = what_is_planned(test, effect_needed=False, **known, **given)
    if isinstance(plan, Replicating):
        raise TypeError("a replicability plan was refused above")
    return detectable(plan, size, power)


@called("detectable_in", "pair", "sample", like=detectable_effect)
def detected_in(sample: Sample, *, power: float = 0.8, **given: Any) -> PowerPlan:
    """Say what the test set of a sample could have found, with the spread of its own differences.

    For 0/1 scores it is what McNemar's exact test finds, with their disagreement. Clusters are the units where there
    are any; a corpus metric has the spread of its tangent.
    """
    if sample.runs is not None:
        raise takes_no_runs("a plan of items")
    groups, spread = units_and_spread(sample)
    if groups < 2 or math.isnan(spread.variance):
        unit = unit_of(sample)
        why = f"one {unit.removesuffix('s')} has no spread" if groups < 2 else "their differences do not vary"
        raise InputError(
            f"what these {unit} could have found cannot be said: {why}.",
            fix=Fix(
                "plan from numbers: ",
                By(
                    "nf.detectable_effect(n=500, sd=0.2), or disagreement=0.1",
                    "nofluke power detect --n 500 --sd 0.2 (or --disagreement 0.1)",
                    "the page Sample size",
                ),
                ".",
            ),
        )
    binary = binary_differences(sample) if given.get("margin") is None else None
    if binary is not None:
        plan = what_is_planned("mcnemar", difference=0.0, disagreement=binary.disagreement, **given)
    else:
        plan = what_is_planned("permutation", difference=0.0, sd=spread.standard_error * math.sqrt(groups), **given)
    if isinstance(plan, Replicating):
        raise TypeError("one test is planned")
    return detectable_in(sample, replace(plan, counted=unit_of(sample)), groups, spread, power)
