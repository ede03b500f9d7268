"""Friedman, Iman-Davenport, Nemenyi, Quade, Kendall's W and Cochran's Q."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import nofluke as nf
from nofluke.inference.omnibus.ranked import ranked
from nofluke.types import TestResult
from support.quantities.base import Compute, Quantity

FILE = Path(__file__).parent.parent.parent / "reference" / "tables.json"


@cache
def tables() -> dict[str, dict[str, list[list[float]]]]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def table(inputs: dict[str, Any]) -> list[list[float]]:
    kind = "omnibus" if "omnibus" in inputs else "cochran"
    return tables()[kind][inputs[kind]]


def result(inputs: dict[str, Any], method: str, **options: Any) -> TestResult:
    return nf.omnibus(table(inputs), method, **options)


def statistic(method: str, **options: Any) -> Compute:
    return lambda inputs, _a, _b: result(inputs, method, **options).statistic


def p(method: str) -> Compute:
    return lambda inputs, _a, _b: result(inputs, method).p_value


QUANTITIES: dict[str, Quantity] = {
    "friedman.chi2_tie_corrected": Quantity(statistic("friedman")),
    "friedman.p_tie_corrected": Quantity(p("friedman"), ("omnibus:friedman",)),
    "friedman.chi2_no_tie_correction": Quantity(statistic("friedman", ties="none")),
    "iman_davenport.F": Quantity(statistic("iman_davenport")),
    "iman_davenport.p": Quantity(p("iman_davenport"), ("omnibus:iman_davenport",)),
    "iman_davenport.F_no_tie_correction": Quantity(statistic("iman_davenport", ties="none")),
    "average_ranks_1_is_best": Quantity(lambda inputs, _a, _b: ranked(table(inputs)).mean_ranks),
    "nemenyi.critical_difference": Quantity(
        lambda inputs, _a, _b: nf.critical_difference(inputs["k"], inputs["N"], inputs["alpha"])
    ),
    "nemenyi.p_matrix_rowmajor": Quantity(lambda inputs, _a, _b: nf.nemenyi(table(inputs)).ravel()),
    "kendall_W": Quantity(statistic("kendall_w"), ("omnibus:kendall_w",)),
    "quade.F": Quantity(statistic("quade")),
    "quade.p": Quantity(p("quade"), ("omnibus:quade",)),
    "cochran_q.statistic": Quantity(statistic("cochran_q")),
    "cochran_q.p": Quantity(p("cochran_q"), ("omnibus:cochran_q",)),
}

LEFT_OUT: dict[str, str] = {}
