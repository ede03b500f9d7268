"""What a power curve is asked for, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.check import check_count, check_number
from nofluke.errors import Fix, InputError, MethodError, Option, unknown, without_effect
from nofluke.inference.power.curves.normal_rules import form_of_normals
from nofluke.inference.power.curves.rule import Setting
from nofluke.inference.power.terms import check_target, other_side, refuse_less
from nofluke.inference.tests.run import refuse_strata, takes_no_runs
from nofluke.registry import Method
from nofluke.types import IntArray, Sample

FORMS = ("pilot", "normal")
_SIDES = ("two-sided", "greater", "less")
_MOST_SIZES, _MOST_ITERATIONS, _LARGEST_SIZE = 1_000, 1_000_000, 10_000_000


@dataclass(frozen=True, slots=True)
class Ask:
    """`difference` is the stated true difference, None where none was stated; `observed` asks for the pilot's own."""

    method: Method
    options: Mapping[str, Any]
    difference: float | None
    observed: bool
    form: str
    sd: float | None
    sizes: int | Sequence[int]
    up_to: int | None
    iterations: int
    seed: int
    alpha: float
    tests: int
    alternative: str
    margin: float | None
    target: float

    @property
    def setting(self) -> Setting:
        """What the test inside the simulation is asked: with a margin, one-sided against -margin."""
        alternative = self.alternative if self.margin is None else "greater"
        return Setting(alternative, self.alpha / self.tests, -(self.margin or 0.0), self.options)


def check_ask(ask: Ask, sample: Sample) -> None:
    """Refuse what cannot be asked, before any work is done."""
    if ask.form not in FORMS:
        raise unknown("form of power curve", str(ask.form), FORMS)
    if ask.alternative not in _SIDES:
        raise unknown("alternative", str(ask.alternative), _SIDES)
    check_number(ask.alpha, "alpha", 0.0, 0.5)
    check_count(ask.tests, "tests", 1, 10**9)
    check_target(ask.target, ask.setting.level)
    check_count(ask.iterations, "iterations", 1, _MOST_ITERATIONS)
    check_count(ask.seed, "seed", 0, 2**63)
    if ask.up_to is not None:
        check_count(ask.up_to, "up_to", 2, _LARGEST_SIZE)
    for name, value in (("margin", ask.margin), ("sd", ask.sd)):
        if value is not None:
            check_number(value, name, 0.0)
    if ask.difference is not None:
        check_number(ask.difference, "difference")
    if ask.margin is not None:
        refuse_less(ask.alternative)
    if ask.up_to is not None and not isinstance(ask.sizes, int | np.integer):
        raise without_effect(["up_to"], "the sizes are named one by one", Fix("leave it out."))
    if ask.sd is not None and ask.form != "normal":
        raise InputError(
            "sd belongs to form 'normal'; a pilot brings its own.",
            fix=Fix("leave ", Option("sd"), " out, or give ", Option("form", "normal"), "."),
        )
    _check_method(ask, sample)
    _check_side(ask)


def _check_method(ask: Ask, sample: Sample) -> None:
    method, setting = ask.method, ask.setting
    if sample.runs is not None:
        _check_runs(ask)
        return
    if sample.clusters is not None and not method.facts["clusters"]:
        raise MethodError(
            f"{method.name} takes items as independent, and these come in clusters.",
            fix="use method 'permutation' or 'bootstrap', which keep clusters together.",
        )
    strata = sample.strata
    if strata is not None and not strata.pooled:
        refuse_strata(method, sample)
        if ask.form == "normal" or not method.facts["within_datasets"]:
            what = "normal differences" if ask.form == "normal" else "resamples of every drawn test set"
            raise MethodError(
                f"there is no power curve of an average of datasets from {what}.",
                fix="leave form at 'pilot' and method at 'auto', which draw the real items within each dataset.",
            )
    if setting.delta and ("delta" not in method.option_names() or method.facts["about"] == "ranks"):
        raise MethodError(f"{method.name} does not decide about a margin.", fix="leave method at 'auto'.")
    if ask.form == "normal" and (sample.clusters is not None or not sample.aggregate.linear):
        raise MethodError(
            "normal differences of single items cannot stand for clusters or for a corpus metric.",
            fix="leave form at 'pilot', which draws the real items.",
        )
    method.check_options(dict(ask.options))
    if ask.form == "normal":
        form_of_normals(method.name, ask.options)


def _check_runs(ask: Ask) -> None:
    """Over training runs there is one test, and one way to draw its curve."""
    if not ask.method.facts["runs"]:
        raise takes_no_runs(ask.method.name, "leave method at 'auto', or ")
    if ask.form != "pilot":
        raise MethodError(
            "over training runs the curve is that of normal items and runs already.",
            fix=Fix("leave ", Option("form"), " and ", Option("sd"), " out."),
        )
    ask.method.check_options(dict(ask.options))


def _check_side(ask: Ask) -> None:
    """A true difference on the side that is not tested is never found."""
    if ask.difference is None:
        return
    shift = ask.difference + (ask.margin or 0.0)
    side = ask.setting.alternative
    if shift == 0 and ask.margin is None:
        raise InputError(
            "a true difference of 0 is never found, however many items there are.",
            fix="state the smallest difference that would matter to you.",
        )
    if (side == "greater" and shift <= 0) or (side == "less" and shift >= 0):
        edge = f"{0.0 - (ask.margin or 0.0):g}"
        raise InputError(
            f"a true difference of {ask.difference:g} does not lie on the side that is tested "
            f"({'above' if side == 'greater' else 'below'} {edge}).",
            fix=other_side(ask.margin),
        )


def sizes_of(ask: Ask, largest: int, least: int = 2) -> IntArray:
    """Give the sizes in rising order: those named, or so many even steps up to the largest."""
    if not isinstance(ask.sizes, int | np.integer):
        named = [check_count(size, "size", least, _LARGEST_SIZE) for size in ask.sizes]
        if not named:
            raise InputError("no sizes were given.", fix="give how many sizes (20, say), or a list of them.")
        return np.unique(np.array(named, dtype=np.int64))
    steps = check_count(ask.sizes, "sizes", 1, _MOST_SIZES)
    even = np.rint(np.arange(1, steps + 1) * (largest / steps)).astype(np.int64)
    return np.unique(np.maximum(even, least))
