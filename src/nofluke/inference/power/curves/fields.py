"""The fields that every power curve has, what it rests on, and the curve of a pilot that cannot answer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nofluke.inference.power.curves.ask import Ask
from nofluke.inference.power.curves.rule import TANGENT, Rule
from nofluke.inference.power.curves.simulate import Check
from nofluke.noting import sample_facts, signature
from nofluke.types import Note, PowerCurve, Sample, frozen, note

# Fewer units than this say nothing about their spread.
LEAST_PILOT = 5
CHECK_DRAWS = 9_999
_SMALL_PILOT = 200
_MUCH_TILTED = 0.5


def common_fields(sample: Sample, ask: Ask, units: int, unit: str) -> dict[str, Any]:
    """Give the fields that are known before anything is drawn."""
    return {
        "at_observed_effect": ask.observed,
        "test": ask.method.name,
        "label": label_of(ask, sample),
        "metric": sample.metric,
        "systems": (sample.systems[0], sample.systems[1]),
        "pilot": units,
        "n_items": sample.n,
        "unit": unit,
        "alpha": ask.alpha,
        "level": ask.setting.level,
        "alternative": ask.setting.alternative,
        "margin": ask.margin,
        "tests": ask.tests,
        "iterations": ask.iterations,
        "seed": ask.seed,
        "target": ask.target,
        "citation": ask.method.cited(),
        "signature": _signed(ask, sample),
    }


def label_of(ask: Ask, sample: Sample) -> str:
    """Name the test, with the metric in the place of "the mean" where it is not one."""
    label = ask.method.label
    return label if sample.aggregate.linear else label.replace("the mean", sample.metric)


def _signed(ask: Ask, sample: Sample) -> str:
    told: dict[str, Any] = {"difference": "observed" if ask.observed else str(ask.difference)}
    told |= {"form": ask.form, "sd": ask.sd, "sizes": ask.sizes, "up_to": ask.up_to, "margin": ask.margin}
    told |= {"power": f"{ask.target:g}", "alpha": f"{ask.alpha:g}", "tests": ask.tests if ask.tests > 1 else None}
    sides, drawn = {"alternative": ask.setting.alternative}, {"iterations": ask.iterations, "seed": ask.seed}
    facts = {**sample_facts(sample), "n": sample.n}
    return signature("power_curve", ask.method.name, ask.options, told, sides, facts, drawn)


def no_spread(sample: Sample, units: int, unit: str) -> Note:
    """Say why the pilot cannot tell how items vary."""
    same = bool((sample.statistics[:, 0] == sample.statistics[:, 1]).all()) if sample.paired else False
    if units < LEAST_PILOT:
        return note("power.tiny_pilot", pilot=units, unit=unit)
    if same:
        # So many disagreements may still be hidden: the upper 95% limit of a share of which none was seen.
        most = 1 - 0.05 ** (1 / units)
        return note("power.same_scores", pilot=units, unit=unit, systems=sample.systems[:2], most=most)
    return note("power.same_difference", pilot=units, unit=unit)


def without_curve(sample: Sample, ask: Ask, units: int, unit: str, observed: float, why: Note) -> PowerCurve:
    """Give the reason where the pilot cannot answer: no power is made up."""
    none = frozen(np.empty(0))
    return PowerCurve(
        **common_fields(sample, ask, units, unit),
        sizes=frozen(np.empty(0), np.int64),
        power=none,
        low=none,
        high=none,
        difference=math.nan if ask.difference is None else ask.difference,
        observed=observed,
        form=ask.form,
        size_for_target=math.nan,
        size_range=(math.nan, math.nan),
        scenarios=(),
        computed=note("power.nothing_drawn"),
        assumptions=(),
        notes=(),
        reason=why,
    )


def assumptions_of(
    ask: Ask, units: int, unit: str, difference: float, *, by_formula: bool, within: tuple[Note, ...]
) -> tuple[Note, ...]:
    """Name everything that has to hold."""
    if ask.form == "normal" or by_formula:
        drawn = note("power.normal_with_sd" if ask.sd is not None else "power.normal_like_pilot", sd=ask.sd)
    elif ask.observed:
        drawn = note("power.pilot_as_it_is", pilot=units, unit=unit)
    else:
        drawn = note("power.pilot_reweighted", pilot=units, unit=unit, difference=difference)
    return drawn, *within, note("power.independent_units", unit=unit), note("power.size_fixed")


def notes_of(
    ask: Ask, units: int, unit: str, difference: float, error: float, *, carried: float, by_formula: bool, nothing: bool
) -> tuple[Note, ...]:
    """Warn where a curve is rough or no evidence; `nothing` says that it is drawn where there is nothing to find.

    `carried` is the share of the pilot that carries the reweighted picture, `error` the standard error of the
    difference.
    """
    notes = [note("power.at_observed")] if ask.observed else []
    if by_formula:
        notes.append(note("power.not_reweighted", pilot=units, unit=unit, difference=difference, scale=error))
    elif carried < _MUCH_TILTED and ask.form == "pilot":
        notes.append(note("power.much_reweighted", carried=round(carried * units), pilot=units, unit=unit))
    if units < _SMALL_PILOT and ask.sd is None and not nothing:
        low, high = _spread_range(units)
        notes.append(note("power.small_pilot", pilot=units, unit=unit, low=low, high=high))
    about = str(ask.method.facts["about"])
    if about != "mean" and not ask.observed:
        notes.append(note("power.other_question", about=about))
    return tuple(notes)


def _spread_range(units: int) -> tuple[float, float]:
    """The 95% range of (true variance) / (estimated variance) for normal differences: n is proportional to it."""
    from scipy.special import chdtri

    df = units - 1
    return df / float(chdtri(df, 0.025)), df / float(chdtri(df, 0.975))


def how_computed(rule: Rule, checked: Check | None) -> Note:
    """Name how the p-values of the drawn test sets were computed, and what the check found."""
    how = rule.how
    if rule.draws:
        return note(how, draws=rule.draws)
    if checked is None or not checked.checked:
        return note(how)
    if how == TANGENT:
        noise = 2 * math.sqrt(0.025 * 0.975 / CHECK_DRAWS)
        return note(how, checked=checked.checked, off=checked.absolute, draws=CHECK_DRAWS, noise=noise)
    found = {"changed": checked.changed, "relative": checked.relative, "undecided": checked.undecided}
    return note(how, checked=checked.checked, **found)
