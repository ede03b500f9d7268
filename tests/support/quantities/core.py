"""Paired t, sign, permutation, normality and skewness."""

from __future__ import annotations

from typing import Any

import nofluke as nf
from nofluke.align import as_sample
from support.quantities.base import Quantity, limits, p_value


def _bounded_mean(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> float:
    options = {name: inputs[name] for name in ("low", "high", "delta", "alternative")}
    return nf.test(inputs["a"], inputs["b"], "bounded_mean", **options).p_value


def _one_lost_item(inputs: dict[str, Any], level: float = 0.95) -> nf.TestResult:
    options = {name: inputs[name] for name in ("low", "high", "delta", "alternative") if name in inputs}
    sample = as_sample(inputs["a"], inputs["b"], clusters=inputs.get("clusters"))
    return nf.test(sample, "one_lost_item", confidence_level=level, **options)


def _limits_with_one_lost_item(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> list[float]:
    interval = _one_lost_item(inputs).interval
    assert interval is not None
    return [interval.low, interval.high]


QUANTITIES: dict[str, Quantity] = {
    "paired_t.statistic": Quantity(lambda _, a, b: nf.test(a, b, "paired_t").statistic),
    "paired_t.df": Quantity(lambda _, a, b: nf.test(a, b, "paired_t").details["df"]),
    "paired_t.p": Quantity(p_value("paired_t"), ("test:paired_t",)),
    "mean_difference.t_ci95": Quantity(limits("paired_t", 0.95)),
    "mean_difference.t_ci99": Quantity(limits("paired_t", 0.99)),
    "sign_test.p": Quantity(p_value("sign"), ("test:sign",)),
    "sign_test.clopper_pearson_ci95": Quantity(limits("sign", 0.95)),
    "paired_permutation_mean.p": Quantity(p_value("permutation"), ("test:permutation",)),
    "shapiro_wilk.statistic": Quantity(lambda _, a, b: nf.describe(a, b).normality.statistic),
    "shapiro_wilk.p": Quantity(lambda _, a, b: nf.describe(a, b).normality.p_value),
    "skewness.g1_biased": Quantity(lambda _, a, b: nf.describe(a, b).skewness),
    "skewness.G1_adjusted": Quantity(lambda _, a, b: nf.describe(a, b).skewness_adjusted),
    "skewness.b1": Quantity(lambda _, a, b: nf.describe(a, b).skewness_b1),
    "bounded_mean.p": Quantity(_bounded_mean, ("test:bounded_mean",)),
    "one_lost_item.p": Quantity(lambda inputs, _a, _b: _one_lost_item(inputs).p_value, ("test:one_lost_item",)),
    "one_lost_item.ci95": Quantity(_limits_with_one_lost_item),
}

LEFT_OUT: dict[str, str] = {}
