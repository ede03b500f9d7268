"""Planning a replicability analysis: how likely is the claim "A is better on at least k of N datasets"?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from nofluke.check import check_number
from nofluke.errors import Fix, InputError, Option
from nofluke.inference.power.designs import sawtooth_width
from nofluke.inference.power.plan_facts import assumptions_of
from nofluke.inference.power.planning import check_whole, powers_of
from nofluke.inference.power.search import smallest_lasting, smallest_real
from nofluke.inference.power.terms import OF_RUNS, Claim, Plan, Terms, plan_of
from nofluke.noting import signature
from nofluke.options import Sides, options_of
from nofluke.types import FloatArray, Note, PowerPlan, note

# Kinds of datasets are followed together up to this many states: sixteen datasets of which no two are alike.
_MOST_STATES = 2**16
# What may be one number for each dataset.
_VARYING = tuple(option.name for option in options_of(Terms) if option.several == "also")
_CITE = "Benjamini and Heller 2008; Dror et al. 2017"


class Chance(NamedTuple):
    """A probability, and whether it is exact or a lower bound."""

    value: float
    exact: bool


def holm_levels(datasets: int, claim: int, alpha: float) -> FloatArray:
    """Give the levels that the smallest p-values have to meet: alpha / N, alpha / (N - 1), ..., one for each claimed.

    k-hat by Bonferroni is the number of Holm's rejections: at least k exactly when the j-th smallest p-value is at
    most alpha / (N - j + 1) for j = 1 ... k.
    """
    return alpha / (datasets - np.arange(claim))


def chance_of_claim(powers: Sequence[FloatArray]) -> Chance:
    """Give P(at least k claims) for independent datasets; powers[i][j] is that of dataset i at the j-th level.

    The p-values must lie below a staircase: at least j of them at or below the j-th level, for j = 1 ... k. Alike
    datasets are exchangeable, so only the number of p-values so far has to be followed through the levels, exactly;
    several kinds of datasets are followed by one number for each kind. Where those are too many, the Poisson-binomial
    chance of k p-values at or below alpha / N is given, which is a little too small.
    """
    kinds = _kinds(powers)
    counts = tuple(kinds.values())
    if math.prod(count + 1 for count in counts) > _MOST_STATES:
        return Chance(at_least([float(row[0]) for row in powers], len(powers[0])), exact=False)
    levels = len(powers[0])
    state = np.zeros([count + 1 for count in counts])
    state[(0,) * len(counts)] = 1.0
    taken = sum(np.indices(state.shape))
    before = [0.0] * len(counts)
    for level in range(levels):
        for axis, (row, count) in enumerate(zip(kinds, counts, strict=True)):
            state = np.moveaxis(_advance(np.moveaxis(state, axis, 0), count, before[axis], row[level]), 0, axis)
            before[axis] = row[level]
        state = np.where(taken >= level + 1, state, 0.0)
    return Chance(min(1.0, float(state.sum())), exact=True)


def _kinds(powers: Sequence[FloatArray]) -> dict[tuple[float, ...], int]:
    kinds: dict[tuple[float, ...], int] = {}
    for row in powers:
        key = tuple(float(value) for value in row)
        kinds[key] = kinds.get(key, 0) + 1
    return kinds


def _advance(state: FloatArray, count: int, before: float, now: float) -> FloatArray:
    """Let each p-value above the last level fall below the next one with its conditional probability."""
    from scipy.special import gammaln, xlog1py, xlogy

    share = 0.0 if before >= 1 else min(1.0, max(0.0, (now - before) / (1 - before)))
    moved = np.zeros_like(state)
    for had in range(count + 1):
        if not state[had].any():
            continue
        left = count - had
        more = np.arange(left + 1)
        logs = gammaln(left + 1) - gammaln(more + 1) - gammaln(left - more + 1)
        with np.errstate(invalid="ignore"):
            chances = np.exp(logs + xlogy(more, share) + xlog1py(left - more, -share))
        moved[had:] += chances.reshape(-1, *[1] * (state.ndim - 1)) * state[had]
    return moved


def at_least(probabilities: Sequence[float], claim: int) -> float:
    """Give P(at least k of the independent events): the Poisson-binomial distribution, exactly.

    >>> round(at_least([0.5, 0.5, 0.9], 2), 10)
    0.7
    """
    law = np.array([1.0])
    for probability in probabilities:
        law = np.convolve(law, [1 - probability, probability])
    return float(law[claim:].sum())


@dataclass(frozen=True, slots=True)
class Replicating:
    """N datasets, the claim of k, and the plan of each dataset's own test (one-sided, in the direction of A)."""

    plans: tuple[Plan, ...]
    claim: int
    level: float
    alternative: str
    stated: Terms

    def chance(self, sizes: Sequence[float]) -> Chance:
        """Give the chance of the claim with so many items in each dataset."""
        levels = holm_levels(len(self.plans), self.claim, self.level)
        known: dict[tuple[Any, float], FloatArray] = {}
        rows = []
        for plan, size in zip(self.plans, sizes, strict=True):
            key = (plan.effect, float(size))
            if key not in known:
                known[key] = np.array(
                    [powers_of(replace(plan, level=float(at)))(np.array([float(size)]))[0] for at in levels]
                )
            rows.append(known[key])
        return chance_of_claim(rows)


def replicating_of(claimed: Claim, stated: dict[str, Any]) -> Replicating:
    """Put the plan together; every term may be one number for all datasets or one for each."""
    terms = Terms(**{name: value for name, value in stated.items() if name not in (*_VARYING, *OF_RUNS)})
    if claimed.datasets is None or claimed.claim is None:
        raise InputError(
            "a replicability plan needs the number of datasets and the claim.",
            fix=Fix(
                "give ",
                Option("datasets", "12"),
                " and ",
                Option("claim", "8"),
                " for 'A is better on at least 8 of 12 datasets'.",
            ),
        )
    number_of = check_whole(claimed.datasets, "datasets", 1)
    wanted = check_whole(claimed.claim, "claim", 1)
    if wanted > number_of:
        raise InputError(f"{wanted} of {number_of} datasets cannot be claimed.", fix="claim at most all datasets.")
    if terms.margin is not None or terms.tests != 1:
        raise InputError("a replicability plan takes no margin and no number of tests.", fix="leave them out.")
    if claimed.each == "crossed_runs" or any(stated.get(name) is not None for name in OF_RUNS):
        raise InputError(
            "a replicability plan knows no training runs: one run is scored on all datasets, and makes them depend on "
            "each other.",
            fix=Fix("plan the average of the datasets: ", Option("test", "crossed_runs"), ", or leave the runs out."),
        )
    level = terms.alpha / (2 if terms.alternative == "two-sided" else 1)
    side: Sides = "less" if terms.alternative == "less" else "greater"
    spread = {name: spread_over(stated.get(name), number_of, name) for name in _VARYING}
    plans = []
    for index in range(number_of):
        values = {name: column[index] for name, column in spread.items() if column is not None}
        plans.append(plan_of(claimed.each, replace(terms, **values, alternative=side)))
    return Replicating(tuple(plans), wanted, level, terms.alternative, terms)


def spread_over(value: Any, number_of: int, name: str) -> list[Any] | None:
    """Give one value for each dataset."""
    if value is None or isinstance(value, str | bytes) or not hasattr(value, "__len__"):
        return None if value is None else [value] * number_of
    if len(value) != number_of:
        raise InputError(
            f"{name} has {len(value)} values for {number_of} datasets.", fix="give one for all, or one for each."
        )
    return list(value)


def replicating_power(plan: Replicating, n: Any) -> PowerPlan:
    """Give the chance of the claim."""
    sizes = [check_whole(size, "n", one.least) for size, one in zip(_sizes(n, plan), plan.plans, strict=True)]
    chance = plan.chance(sizes)
    same = len(set(sizes)) == 1
    return PowerPlan(
        "power",
        sizes[0] if same else 0,
        chance.value,
        sizes=() if same else tuple(sizes),
        bound=not chance.exact,
        signature=_signed("power", plan, n=sizes[0] if same else sizes),
        **_shared(plan),
    )


def replicating_items(plan: Replicating, target: float) -> PowerPlan:
    """Give the smallest number of items in each dataset from which the chance of the claim stays above the target."""
    check_number(target, "power", 0.0, 1.0)
    for one in plan.plans:
        if (one.effect.shift <= 0) == (one.alternative == "greater"):
            raise InputError(
                "a dataset without a true difference in the claimed direction is never claimed, save by error.",
                fix="plan only datasets on which you expect a difference, and lower the claim.",
            )

    def chances(sizes: FloatArray) -> FloatArray:
        return np.array([plan.chance([size] * len(plan.plans)).value for size in sizes.tolist()])

    sawtooth = plan.plans[0].design.sawtooth
    exact = (
        float(smallest_lasting(chances, target, sawtooth_width(plan.plans[0].effect)))
        if sawtooth
        else smallest_real(chances, target, 1.5)
    )
    size = max(plan.plans[0].least, math.ceil(exact * (1 - 1e-12)))
    chance = plan.chance([float(size)] * len(plan.plans))
    return PowerPlan(
        "n",
        size,
        chance.value,
        n_exact=exact,
        target=target,
        bound=not chance.exact,
        signature=_signed("sample_size", plan, power=target),
        **_shared(plan),
    )


def _sizes(n: Any, plan: Replicating) -> list[Any]:
    if n is None:
        raise InputError("the power depends on the number of items.", fix="give n: the items in each dataset.")
    return spread_over(n, len(plan.plans), "n") or []


def _shared(plan: Replicating) -> dict[str, Any]:
    first = plan.plans[0]
    # Tuples: what is not stated, nan, is the same in all of them.
    alike = len({astuple(one.effect) for one in plan.plans}) == 1
    return {
        "test": "replicate",
        "label": first.design.label,
        "unit": f"{first.unit} in each dataset",
        "difference": first.effect.difference if alike else math.nan,
        "alpha": plan.stated.alpha,
        "level": plan.level,
        "alternative": plan.alternative,
        "assumptions": _assumptions(first, alike),
        "terms": _terms(plan),
        "citation": f"{_CITE}; {first.design.cite}",
    }


def _assumptions(first: Plan, alike: bool) -> tuple[Note, ...]:
    """What holds of the first dataset's own numbers is said only where all have the same."""
    own = ("power.sd_of_differences", "power.sd_of_scores", "power.one_right")
    common = [found for found in assumptions_of(first) if alike or found.code not in own]
    extra = () if alike else (note("power.datasets_differ"),)
    return (*common, note("power.independent_datasets"), *extra)


def _terms(plan: Replicating) -> dict[str, Any]:
    """What was stated, one number for all datasets or one for each."""
    found: dict[str, Any] = {"each": plan.plans[0].design.name, "datasets": len(plan.plans), "claim": plan.claim}
    for name in _VARYING:
        values = tuple(getattr(one.terms, name) for one in plan.plans)
        if values[0] is not None:
            found[name] = values[0] if len(set(values)) == 1 else values
    return found | ({"design_effect": plan.stated.design_effect} if plan.stated.design_effect != 1 else {})


def _signed(question: str, plan: Replicating, **more: Any) -> str:
    level = {"alpha": f"{plan.stated.alpha:g}", "alternative": plan.alternative}
    return signature(question, "replicate", _terms(plan), more, level)
