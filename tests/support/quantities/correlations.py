"""Two correlations with one gold standard."""

from __future__ import annotations

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


NAMES = {"steiger": "steiger1980_z", "williams": "williams_t", "meng": "meng_z", "hittner": "hittner2003_z"}
QUANTITIES: dict[str, Quantity] = {
    **{f"{name}.statistic": Quantity(statistic(method)) for method, name in NAMES.items()},
    **{f"{name}.p": Quantity(p(method), (f"correlation:{method}",)) for method, name in NAMES.items()},
    "zou2007.ci95": Quantity(zou),
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
