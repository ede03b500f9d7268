"""Run one significance test on a sample: check its options, compute, and say what was computed and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.check import check_level, is_number
from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.noting import sample_facts, selection_of, signature
from nofluke.registry import TESTS, Method
from nofluke.types import Call, Note, Sample, TestResult, note


def run_test(
    sample: Sample,
    method: str,
    *,
    alternative: str = "two-sided",
    delta: float = 0.0,
    confidence_level: float = 0.95,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> TestResult:
    """Run the test of this name, and fill in what belongs to the method and to the sample."""
    chosen = TESTS[method]
    check_level(confidence_level, "confidence_level")
    check_difference(delta, sample, "delta")
    delta = float(delta)
    settings = _settings(chosen, alternative, delta, confidence_level, seed, options)
    refuse_clusters(chosen, sample)
    refuse_strata(chosen, sample)
    refuse_runs(chosen, sample)
    watching = {"progress": progress} if chosen.reports_progress else {}
    result: TestResult = chosen.function(sample, **settings, **watching)
    about = str(chosen.facts["about"])
    systems = (sample.systems[0], sample.systems[1])
    linear = sample.aggregate.linear
    usual = {option.name: option.default for option in chosen.options}
    unusual = {name: value for name, value in settings.items() if value != usual[name]}
    told = {name: value for name, value in settings.items() if name in ("alternative", *unusual) and name != "seed"}
    drawn = {"n": sample.n, "seed": result.computed.seed}
    strata = sample.strata
    if strata is not None:
        result = replace(result, n_datasets=len(strata.names), weighting=strata.weighting, noun=strata.noun)
    return replace(
        result,
        direction=result.direction or _side(result.estimate - (0.5 if about == "items" else delta)),
        about=about,
        method=chosen.name,
        label=chosen.label if linear else chosen.label.replace("the mean", sample.metric),
        null=str(chosen.facts["null"]),
        estimand=str(chosen.facts["estimand"]) if linear else f"difference in {sample.metric}",
        metric="" if linear else sample.metric,
        signature=signature("test", chosen.name, told, sample_facts(sample), drawn),
        systems=systems,
        unit=_counted(sample) if result.unit == "item" else result.unit,
        clusters=0 if sample.clusters is None else len(np.unique(sample.clusters)),
        higher_is_better=sample.higher_is_better,
        alpha=alpha_of(confidence_level),
        # What became of the scores before groups were compared; of pairs compare tells it.
        notes=(*result.notes, *(left_out(sample) if sample.paired else sample.notes)),
        left_out=bool(sample.alignment.dropped),
        scored_by=sample.scored_by,
        call=Call(
            "test",
            {"method": chosen.name, **unusual},
            "pair" if sample.paired else "unpaired",
            selection_of(sample),
        ),
    )


def left_out(sample: Sample) -> tuple[Note, ...]:
    """Say which items of pairs were not tested: those without both scores, and those that fill no unit."""
    found, missing = sample.alignment, tuple((name, n) for name, n in sample.alignment.missing.items() if n)
    dropped = (note("align.left_out", n=found.dropped, missing=missing),) if found.dropped else ()
    rest = (note("align.leftover", items=found.leftover, size=sample.unit_size),) if found.leftover else ()
    return (*dropped, *rest)


def _counted(sample: Sample) -> str:
    """What n counts."""
    if not sample.paired:
        return "score"
    return "item" if sample.unit == "cluster" else sample.unit


def alpha_of(confidence_level: float) -> float:
    """The level of significance that a level of confidence stands for, without the noise of 1 - 0.95."""
    return round(1 - confidence_level, 12)


def _side(value: float) -> int:
    return (value > 0) - (value < 0)


def check_difference(value: object, sample: Sample, name: str) -> None:
    """Refuse what is no difference that scores like these could have."""
    if not is_number(value):
        raise InputError(f"{name} = {value!r} is not a finite number.", fix="give a difference in score units.")
    largest = float(np.nanmax(np.abs(sample.statistics)))
    if abs(float(value)) > 1e6 * (largest or 1.0):
        raise InputError(
            f"{name} = {float(value):g} is far beyond all scores (the largest is {largest:g}).",
            fix="give a difference in score units.",
        )


def _settings(
    method: Method, alternative: str, delta: float, confidence_level: float, seed: int, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Check all options; the shared ones go only to methods that take them."""
    names = method.option_names()
    if delta and "delta" not in names:
        raise MethodError(
            f"{method.name} has no valid form with delta = {delta:g}: shifting the scores would break its ties.",
            fix=f"use method {method.facts['delta_instead']!r}, which tests a mean difference other than 0.",
        )
    shared = {"alternative": alternative, "delta": delta, "confidence_level": confidence_level, "seed": seed}
    given = {name: value for name, value in shared.items() if name in names} | dict(options)
    checked = method.check_options(given)
    # One order, whatever that of the call: signatures are compared.
    return {name: checked[name] for name in dict.fromkeys((*shared, *checked)) if name in checked}


def refuse_clusters(method: Method, sample: Sample) -> None:
    """Refuse items in clusters where the method takes items as independent."""
    if sample.clusters is not None and not method.facts["clusters"]:
        able = [other.name for other in TESTS if other.facts["clusters"] and not other.facts["runs"]]
        raise MethodError(
            f"{method.name} takes items as independent, and these come in clusters.",
            fix=f"use method {' or '.join(repr(name) for name in able)}, which keeps clusters together.",
        )


def refuse_strata(method: Method, sample: Sample) -> None:
    """Refuse several datasets where the method knows no weighted average of them."""
    strata = sample.strata
    if strata is not None and not strata.pooled and not method.facts["strata"]:
        able = [other.name for other in TESTS if other.facts["strata"] and not other.facts["runs"]]
        raise MethodError(
            f"{method.name} knows no weighted average of {len(strata.names)} datasets.",
            fix=Fix(
                f"use method {' or '.join(repr(name) for name in able)}; let every item count the same: ",
                Option("weights", "items"),
                "; or choose one dataset: ",
                Option("dataset", strata.names[0]),
                ".",
            ),
        )


def refuse_runs(method: Method, sample: Sample) -> None:
    """Refuse training runs where the method takes the checkpoints as given, and a test of runs where there are none."""
    if sample.runs is not None and not method.facts["runs"]:
        raise takes_no_runs(method.name, "use method 'crossed_runs', or ")
    if sample.runs is None and method.facts["runs"]:
        raise MethodError(
            f"{method.name} needs the scores of every training run, and these are one score per item and system.",
            fix=Fix(
                "read a table with a column of runs, and ask about training: ",
                Option("runs", "crossed"),
                "; or choose another method: 'permutation', say.",
            ),
        )


def takes_no_runs(what: str, instead: str = "") -> MethodError:
    """The error for what takes checkpoints as given, where the claim is to be about training."""
    return MethodError(
        f"{what} takes these checkpoints as given, and the claim is to be about training.",
        fix=Fix(f"{instead}make the claim about the checkpoints: ", Option("runs", "nested"), "."),
    )
