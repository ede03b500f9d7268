"""0/1 scores: McNemar, Tango, chi-square, odds ratios, single proportions; and the probability of superiority."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nofluke as nf
from nofluke.align import as_sample
from nofluke.align.counts import sample_from_counts
from nofluke.inference.intervals.proportions import clopper_pearson, wilson
from nofluke.types import Interval, Sample
from support.quantities.base import Compute, Quantity


def paired(inputs: dict[str, Any]) -> Sample:
    return sample_from_counts(*(inputs[cell] for cell in ("n11", "n10", "n01", "n00")))


def unpaired(inputs: dict[str, Any]) -> Sample:
    def scores(system: str) -> list[int]:
        right, n = inputs[f"right_{system}"], inputs[f"n_{system}"]
        return [1] * right + [0] * (n - right)

    return as_sample(scores("a"), scores("b"), paired=False)


def pair(interval: Interval | None) -> list[float]:
    assert interval is not None
    return [interval.low, interval.high]


def mcnemar(field: str, mode: str) -> Compute:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> float:
        options = {"continuity": True} if inputs.get("correction") else {}
        alternative = inputs.get("alternative", "two-sided")
        result = nf.test(paired(inputs), method="mcnemar", mode=mode, alternative=alternative, **options)
        return float(getattr(result, field))

    return compute


def chi_square(field: str) -> Compute:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> float:
        return float(getattr(nf.test(unpaired(inputs), method="chi_square", continuity=inputs["correction"]), field))

    return compute


def limits(make: Callable[[dict[str, Any]], Sample], method: str, **options: Any) -> Compute:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
        return pair(nf.test(make(inputs), method=method, confidence_level=inputs["level"], **options).interval)

    return compute


def odds(make: Callable[[dict[str, Any]], Sample], form: str, field: str) -> Compute:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> Any:
        estimate = nf.effect(make(inputs), name="odds_ratio", form=form, confidence_level=inputs["level"])
        return estimate.value if field == "value" else pair(estimate.interval)

    return compute


def proportion(construct: Callable[..., Interval]) -> Compute:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
        error = (1 - inputs["level"]) / 2
        return pair(construct(inputs["k"], inputs["n"], error, error, inputs["level"]))

    return compute


QUANTITIES: dict[str, Quantity] = {
    "mcnemar.exact.p": Quantity(mcnemar("p_value", "exact"), ("test:mcnemar",)),
    "mcnemar.midp.p": Quantity(mcnemar("p_value", "midp"), ("test:mcnemar",)),
    "mcnemar.chi2.p": Quantity(mcnemar("p_value", "chi2"), ("test:mcnemar",)),
    "mcnemar.chi2.statistic": Quantity(mcnemar("statistic", "chi2"), ("test:mcnemar",)),
    "tango.score.ci": Quantity(limits(paired, "tango", mode="score"), ("test:tango",)),
    "chi_square.statistic": Quantity(chi_square("statistic"), ("test:chi_square",)),
    "chi_square.p": Quantity(chi_square("p_value"), ("test:chi_square",)),
    "chi_square.ci": Quantity(limits(unpaired, "chi_square"), ("test:chi_square",)),
    "odds_ratio.paired.ci": Quantity(odds(paired, "paired", "interval"), ("effect:odds_ratio",)),
    "odds_ratio.unpaired.value": Quantity(odds(unpaired, "unpaired", "value"), ("effect:odds_ratio",)),
    "odds_ratio.unpaired.ci": Quantity(odds(unpaired, "unpaired", "interval"), ("effect:odds_ratio",)),
    "proportion.wilson.ci": Quantity(proportion(wilson)),
    "proportion.clopper_pearson.ci": Quantity(proportion(clopper_pearson)),
    "paired_superiority.P(A>B)+half_ties": Quantity(
        lambda _, a, b: nf.effect(a, b, "probability_of_superiority").value, ("effect:probability_of_superiority",)
    ),
}
LEFT_OUT: dict[str, str] = {}
