"""detectable_effect: what could a test set of this size find?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.errors import By, Fix, InputError, Option
from nofluke.inference.power.binary_gap import binary_differences
from nofluke.inference.power.detectable import units_and_spread
from nofluke.inference.power.plan_in_data import detectable_in, detectable_over_runs, unit_of
from nofluke.inference.power.planning import detectable
from nofluke.inference.power.replicate_plan import Replicating
from nofluke.inference.power.terms import Assumed, Target
from nofluke.inference.tests.crossed_runs import noise_of
from nofluke.noting import called
from nofluke.options import stating
from nofluke.types import PowerPlan, Sample
from nofluke.verbs.power import SIZE_OR_UNTIED, Planned, Size, Untied, what_is_planned


@called("detectable_effect", settled=lambda result: {"test": result.test})
@stating(Assumed)
def detected(
    test: Planned = "auto", *, n: Size = None, n_untied: Untied = None, power: Target = 0.8, **stated: Any
) -> PowerPlan:
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
    plan = what_is_planned(test, effect_needed=False, **known, **stated)
    if isinstance(plan, Replicating):
        raise TypeError("a replicability plan was refused above")
    return detectable(plan, size, power)


@stating(detected)
def detectable_effect(test: Planned = "auto", **stated: Any) -> float:
    """Which true difference would a test set of this size find most of the time?

    The difference at which the power reaches `power`; nan where no difference is found so often. For mcnemar and tango
    state the `disagreement`, the share of items that exactly one system gets right; for sign give `n_untied`, and the
    answer is the share of untied items on which A must be better. With alternative "less" it is negative. With a
    `margin` it is the smallest true difference (often below 0) with which "not worse" is shown so often.

    >>> import nofluke as nf
    >>> round(nf.detectable_effect(n=100, sd=1), 4)
    0.2829
    """
    found = detected(test, **stated)
    return (1 + found.difference) / 2 if found.unit == "untied items" else found.difference


@called("detectable_in", "pair", "sample", like=detectable_effect)
def detected_in(sample: Sample, *, power: float = 0.8, **given: Any) -> PowerPlan:
    """Say what the test set of a sample could have found, with the spread of its own differences.

    For 0/1 scores it is what McNemar's exact test finds, with their disagreement. Clusters are the units where there
    are any; a corpus metric has the spread of its tangent.
    """
    if sample.runs is not None:
        return _over_runs(sample, power, given)
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


def _over_runs(sample: Sample, power: float, given: dict[str, Any]) -> PowerPlan:
    """The same where systems were trained several times, with the spread of runs as well."""
    noise = noise_of(sample)
    if noise is None or not noise.standard_error:
        raise InputError(
            "what these items and runs could have found cannot be said: their differences do not vary.",
            fix=Fix(
                "plan from numbers: ",
                Option("n"),
                ", ",
                Option("n_runs"),
                ", ",
                Option("sd"),
                " and ",
                Option("run_sd"),
                ".",
            ),
        )
    stated = {name: getattr(noise, name) for name in ("sd", "run_sd", "answer_sd")}
    # Runs that are not equally many are told by the sample; a plan knows one number.
    plan = what_is_planned("crossed_runs", difference=0.0, n_runs=min(noise.n_runs), **stated, **given)
    if isinstance(plan, Replicating):
        raise TypeError("one test is planned")
    groups = sample.n if sample.clusters is None else len(np.unique(sample.clusters))
    return detectable_over_runs(sample, replace(plan, counted=unit_of(sample)), groups, power)
