"""Plans and power curves as reports: how many items, how much power, what could be found."""

from __future__ import annotations

import math
from typing import Any

from nofluke.inference.wording import figure
from nofluke.reports.build.calls import printed, shell_options
from nofluke.reports.build.citing import fields_of
from nofluke.reports.build.plan_terms import terms_in_words, terms_of
from nofluke.types import DetectableEffect, PlannedPower, Report, SampleSize, Section, Table

TestedPlan = SampleSize | PlannedPower | DetectableEffect

_DIFFERENCE = "the true difference of A and B that is assumed, positive when A is better"


def build_sample_size(result: SampleSize) -> Report:
    """Say how many items are needed."""
    terms = terms_of(result)
    assumed = ("true difference", *(term.heading for term in terms))
    columns = ("test", *assumed, "alpha", "target power", "n", "power with n")
    cells = (result.label, _difference(result.difference), *(term.value for term in terms))
    found = (f"{result.level:.4g}", f"{result.target:g}", f"{result.n:,}", f"{result.power:.4f}")
    long = (
        f"A sample size of n = {result.n:,} {result.unit} was fixed beforehand so that "
        f"{_stated(result.difference)} would be found with power {result.target:g} ({_sides(result)})."
    )
    return Report(
        main=Table(
            columns,
            ((*cells, *found),),
            f"Items needed: {_sides(result)}; n counts {result.unit}.",
            figures=columns[1:],
            explain={
                **{term.heading: term.meaning for term in terms},
                "true difference": _DIFFERENCE,
                "target power": "how often the difference is to be found",
                "n": f"the number of {result.unit} needed",
                "power with n": "how often so many find it",
            },
        ),
        records=({**_record(result), "target": result.target, "n_exact": result.n_exact},),
        short=f"n = {result.n:,} {result.unit} for power {result.target:g} ({_sides(result)}).",
        long=long,
        **_shared(result, "SampleSize", "How many items?", "sample_size"),
    )


def build_planned_power(result: PlannedPower) -> Report:
    """Say how often a difference would be found."""
    terms = terms_of(result)
    columns = ("test", "true difference", *(term.heading for term in terms), "alpha", "n", "power")
    size = f"{result.n:,}" if result.n else "differs"
    assumed = (_difference(result.difference), *(term.value for term in terms))
    row = (result.label, *assumed, f"{result.level:.4g}", size, f"{result.power:.4f}")
    return Report(
        main=Table(
            columns,
            (row,),
            f"Power: {_sides(result)}; n counts {result.unit}.",
            figures=columns[1:],
            explain={
                **{term.heading: term.meaning for term in terms},
                "true difference": _DIFFERENCE,
                "n": f"the number of {result.unit}",
            },
        ),
        records=(_record(result),),
        short=f"Power {result.power:.3g} with n = {size} {result.unit} ({_sides(result)}).",
        long=f"With n = {size} {result.unit} the power to find {_stated(result.difference)} "
        f"is {result.power:.3g} ({_sides(result)}).",
        **_shared(result, "PlannedPower", "How often would it be found?", "power"),
    )


def build_detectable_effect(result: DetectableEffect) -> Report:
    """Say what a test set of this size could find."""
    untied = result.unit == "untied items"
    what = "share of untied items on which A must be better" if untied else "true difference"

    def shown(value: float) -> str:
        share = (1 + value) / 2 if untied else value
        return "none" if math.isnan(share) else figure(share, result.standard_error / 10)

    rows = tuple((f"{power:g}", shown(value)) for power, value in result.by_power)
    strong = tuple(place for place, (power, _) in enumerate(result.by_power) if power == result.target)
    return Report(
        main=Table(
            ("power", what),
            rows,
            f"What {result.n:,} {result.unit} would find: {_sides(result)}.",
            figures=("power", what),
            strong=strong,
            explain={what: "what has to be true to be found so often"},
        ),
        records=tuple(
            {
                **{name: value for name, value in _record(result).items() if name != "signature"},
                "power": power,
                "difference": value,
                "signature": result.signature,
            }
            for power, value in result.by_power
        ),
        short=f"Detectable with power {result.target:g}: {shown(result.difference)} ({_sides(result)}).",
        long=_found_in_words(result, shown(result.difference)),
        **_shared(result, "DetectableEffect", "What could be found?", "detectable_effect"),
    )


def _found_in_words(result: DetectableEffect, shown: str) -> str:
    start, end = f"With n = {result.n:,} {result.unit}", f"with power {result.target:g} ({_sides(result)})."
    if math.isnan(result.difference):
        return f"{start} no true difference, however large, would be found {end}"
    if result.unit == "untied items":
        return f"{start} A would be found better {end[:-1]} if it is truly better on a share of {shown} of them."
    return f"{start} a true difference of {shown} would be found {end}"


def _stated(value: float) -> str:
    return "the stated true differences" if math.isnan(value) else f"a true difference of {_difference(value)}"


def _shared(result: TestedPlan, kind: str, title: str, verb: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "title": title,
        "headline": result.headline,
        "sentences": result.sentences,
        "sections": (Section("What this rests on", bullets=result.assumptions),),
        "notes": result.notes,
        "citations": (result.citation,) if result.citation else (),
        "calls": _calls(result, verb),
        "settings": {"test": result.test, "alpha": result.alpha, "alternative": result.alternative},
        "signature": result.signature,
    }


def _sides(result: TestedPlan) -> str:
    """The test, its sides and level, and all that the plan assumes beside the difference."""
    return f"{result.label}, {result.alternative}, alpha = {result.level:.4g}{terms_in_words(result)}"


def _difference(value: float) -> str:
    return "differs" if math.isnan(value) else f"{value:.6g}"


def _record(result: TestedPlan) -> dict[str, Any]:
    plain = {
        "test": result.test,
        "alternative": result.alternative,
        "alpha": result.alpha,
        "level": result.level,
        "difference": result.difference,
        "n": result.n,
        "unit": result.unit,
    }
    power = {} if isinstance(result, DetectableEffect) else {"power": result.power}
    return {**plain, **power, "signature": result.signature}


def _calls(result: TestedPlan, verb: str) -> dict[str, str]:
    """The same call again; what was found in a file is called by its numbers."""
    left_out = ("nofluke", verb, "n_items")
    given = {name: value for name, value in fields_of(result.signature).items() if name not in left_out}
    arguments = ", ".join([repr(result.test), *(f"{name}={_literal(value)}" for name, value in given.items())])
    typed = {"n" if name == "n_untied" else name: value for name, value in given.items()}
    command = "detect" if verb == "detectable_effect" else "plan"
    whole = {"detectable_effect": "detected", "power": "planned"}.get(verb, verb)
    return {
        "Python": printed(whole, arguments),
        "shell": f"nofluke power {command} --test {result.test}{shell_options(typed)}",
    }


def _literal(text: str) -> str:
    try:
        float(text)
    except ValueError:
        return f"[{text}]" if "," in text else repr(text)
    return text
