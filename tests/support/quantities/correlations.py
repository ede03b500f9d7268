"""Two correlations with one gold standard, and single correlations."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import nofluke as nf
from nofluke.types import TestResult
from support.quantities.base import Compute, Quantity


def result(inputs: dict[str, Any], method: str) -> TestResult:
    numbers = (inputs["r_jk"], inputs["r_jh"], inputs["r_kh"], inputs["n"])
    return nf.correlation_test(*numbers, method, alternative=inputs.get("alternative", "two-sided"))


def statistic(method: str) -> Compute:
    return lambda inputs, _a, _b: result(inputs, method).statistic


def p(method: str) -> Compute:
    return lambda inputs, _a, _b: result(inputs, method).p_value


def zou(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> list[float]:
    interval = result(inputs, "steiger").interval
    assert interval is not None
    return [interval.low, interval.high]


@cache
def columns() -> dict[str, dict[str, list[float]]]:
    path = Path(__file__).parent.parent.parent / "reference" / "cordata.json"
    return json.loads(path.read_text(encoding="utf-8"))


def single(inputs: dict[str, Any], method: str, **options: Any) -> TestResult:
    data = columns()[inputs["cordata"]]
    return nf.correlation(data["x"], data["y"], method, alternative=inputs.get("alternative", "two-sided"), **options)


def single_p(method: str, **options: Any) -> Compute:
    return lambda inputs, _a, _b: single(inputs, method, **options).p_value


def value(method: str) -> Compute:
    return lambda inputs, _a, _b: single(inputs, method).estimate


def fisher(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> list[float]:
    interval = single(inputs, "pearson").interval
    assert interval is not None
    return [interval.low, interval.high]


NAMES = {"steiger": "steiger1980_z", "williams": "williams_t", "meng": "meng_z", "hittner": "hittner2003_z"}
QUANTITIES: dict[str, Quantity] = {
    **{f"{name}.statistic": Quantity(statistic(method)) for method, name in NAMES.items()},
    **{f"{name}.p": Quantity(p(method), (f"correlation:{method}",)) for method, name in NAMES.items()},
    "zou2007.ci95": Quantity(zou),
    "pearson.r": Quantity(value("pearson")),
    "spearman.rho": Quantity(value("spearman")),
    "kendall.tau_b": Quantity(value("kendall")),
    "pearson.p": Quantity(single_p("pearson"), ("association:pearson",)),
    "pearson.fisher_ci95": Quantity(fisher),
    "spearman.p_t_approx": Quantity(single_p("spearman", mode="normal")),
    "spearman.p_exact": Quantity(single_p("spearman", mode="exact"), ("association:spearman",)),
    "kendall.p_exact": Quantity(single_p("kendall", mode="exact"), ("association:kendall",)),
    "kendall.p_normal_tie_corrected": Quantity(single_p("kendall", mode="normal")),
}

_NOT_OFFERED = "an older test of dependent correlations that nofluke does not offer"
LEFT_OUT: dict[str, str] = {
    **{
        f"{name}.{part}": _NOT_OFFERED
        for name in ("pearson_filon_z", "hotelling_t", "olkin_z", "dunn_clark_z", "hendrickson_t")
        for part in ("statistic", "p")
    },
    "meng.ci95_on_fisher_z": "an interval on Fisher's scale; the one shown is Zou's, of the correlations themselves",
}
