"""What a plan rests on, as facts: the terms stated, what has to hold, where it is stretched, how to get it again."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np

from nofluke.inference.power.terms import Plan
from nofluke.inference.tests.crossed_runs import ENOUGH_RUNS
from nofluke.noting import signature
from nofluke.registry import TESTS
from nofluke.types import Note, note

_DEFAULTS = {"tests": 1, "adjust": "holm", "design_effect": 1.0}
_OWN_FIELDS = ("difference", "alpha", "alternative")
_FEW_ITEMS = 10


def terms_of(plan: Plan) -> dict[str, Any]:
    """Give what was stated beside the difference and the level, by name."""
    return {name: value for name, value in stated(plan).items() if name not in _OWN_FIELDS}


def stated(plan: Plan) -> dict[str, Any]:
    """Give all terms that were stated, and are not what everybody would get."""
    named = {field.name: getattr(plan.terms, field.name) for field in fields(plan.terms)}
    plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in named.items()}
    return {name: value for name, value in plain.items() if value is not None and value != _DEFAULTS.get(name)}


def assumptions_of(plan: Plan, *, effect_known: bool = True) -> tuple[Note, ...]:
    """Name everything that has to hold."""
    effect = plan.effect
    found = [note(code) for code in plan.design.assumptions]
    if plan.over_runs:
        found.append(note("power.noise", sd=effect.sd, run_sd=effect.run_sd, answer_sd=effect.answer_sd))
    elif plan.design.kind == "pairs":
        found.append(note("power.sd_of_differences", sd=effect.sd))
    elif plan.design.kind == "groups":
        found.append(note("power.sd_of_scores", sd=effect.sd, sd_b=effect.sd_b))
    elif plan.unit != "untied items" and effect_known:
        found.append(note("power.one_right", p10=effect.p10, p01=effect.p01))
    elif plan.unit != "untied items":
        found.append(note("power.disagreement", disagreement=effect.disagreement))
    if plan.terms.margin is not None:
        found.append(note("power.margin_fixed", margin=plan.terms.margin))
    return (*found, note("power.size_fixed"))


def notes_of(plan: Plan, size: int) -> tuple[Note, ...]:
    """Warn where the formula is stretched, or the test answers another question."""
    notes = []
    if plan.design.name == "wilcoxon":
        notes.append(note("power.other_question", about="ranks"))
    if plan.unit == "untied items":
        notes.append(note("power.other_question", about="items"))
    if plan.design.kind == "pairs" and size < _FEW_ITEMS:
        notes.append(note("power.few_items", n=size, unit=plan.unit))
    if plan.design.kind == "pairs" and not plan.over_runs and plan.terms.disagreement is not None:
        notes.append(note("power.binary_scores"))
    if 0 < plan.effect.runs < ENOUGH_RUNS:
        notes.append(note("power.two_runs", enough=ENOUGH_RUNS))
    if plan.terms.design_effect != 1 and plan.design.name not in ("permutation", "paired_t", "crossed_runs"):
        notes.append(note("power.no_clusters", test=plan.design.label))
    return tuple(notes)


def why_never(plan: Plan, size: int) -> Note | None:
    """Say why so few items reveal nothing, however large; None where that has no simple reason."""
    sides = 2 if plan.alternative == "two-sided" else 1
    independent = math.floor(size / plan.terms.design_effect + 1e-9)
    least = min(1.0, sides * 2.0**-independent)
    if TESTS[plan.design.name].facts["least_p_by_signs"] and least > plan.level * (1 + 1e-12):
        return note("power.too_few_items", n=independent, unit=plan.unit, least=least, level=plan.level)
    if plan.design.kind == "binary":
        return note("power.too_few_disagreements", n=size, disagreement=plan.effect.disagreement)
    return None


def signed(question: str, plan: Plan, **more: Any) -> str:
    """Give the signature of a plan; what is asked for is not among what was stated."""
    asked_for = ("difference", "prob_a_better") if question == "detectable_effect" else ()
    named = {name: value for name, value in stated(plan).items() if name not in (*asked_for, "alternative")}
    if plan.unit == "untied items" and "n" in more:
        more = {"n_untied": more.pop("n"), **more}
    return signature(question, plan.design.name, named, more, {"alternative": plan.alternative})
