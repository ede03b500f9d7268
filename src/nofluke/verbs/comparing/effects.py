"""The effect sizes that belong to the kind of scores and the test that was run."""

from __future__ import annotations

from dataclasses import replace

from nofluke.types import Estimate, Sample, TestResult
from nofluke.verbs.effect import effect


def effects_of(
    sample: Sample, kind: str, result: TestResult, level: float, standard_error: float
) -> dict[str, Estimate]:
    """Give the mean difference, with the interval that inverts the test when the test is about the mean, and others."""
    if not sample.aggregate.linear:
        return {"mean_difference": Estimate("mean_difference", result.estimate, result.interval, standard_error)}
    names = []
    if sample.clusters is None:
        names += ["odds_ratio"] if kind == "binary" else ["cohens_d", "probability_of_superiority"]
        if result.method == "wilcoxon":
            names += ["hodges_lehmann", "rank_biserial"]
    mean = effect(sample, "mean_difference", confidence_level=level)
    if result.about == "mean":
        mean = replace(mean, interval=result.interval, notes=() if result.interval is not None else mean.notes)
    found = {"mean_difference": replace(mean, standard_error=standard_error)}
    return found | {name: effect(sample, name, confidence_level=level) for name in names}
