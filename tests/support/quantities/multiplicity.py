"""Corrections, combinations and partial conjunction."""

from __future__ import annotations

from typing import Any

import numpy as np

import nofluke as nf
from nofluke.inference.multiplicity.combinations import stouffer_z
from nofluke.inference.multiplicity.corrections import null_share_of
from support.quantities.base import Compute, Quantity


def adjusted(method: str, **options: Any) -> Compute:
    return lambda inputs, _a, _b: nf.correct(inputs["p"], method, **options)


def two_stage(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> Any:
    return nf.correct(inputs["p"], "bky", alpha=inputs["alpha"]) <= inputs["alpha"]


def combined(method: str) -> Compute:
    return lambda inputs, _a, _b: nf.combine(inputs["p"], method)


def conjunction(method: str, field: str) -> Compute:
    return lambda inputs, _a, _b: getattr(nf.replicate(inputs["p"]), field)[method]


def count(method: str) -> Compute:
    return lambda inputs, _a, _b: nf.replicate(inputs["p"], alpha=inputs["alpha"]).counts[method]


def holm_rejects(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> list[int]:
    result = nf.replicate(inputs["p"], alpha=inputs["alpha"])
    return [place for place, name in enumerate(result.datasets) if name in result.identified_by["holm"]]


ADJUSTED = ("holm", "hochberg", "hommel", "bh", "by", "bonferroni", "sidak", "holm_sidak")
COMBINED = {
    "fisher.p": "fisher",
    "stouffer.p": "stouffer",
    "tippett.p": "tippett",
    "simes.p": "simes",
    "cauchy_combination.p": "cauchy",
    "pearson_combination.p": "pearson",
    "mudholkar_george.p": "mudholkar_george",
    "harmonic_mean_p_uncalibrated": "harmonic_mean",
}
CONJUNCTIONS = ("bonferroni", "fisher", "simes")

QUANTITIES: dict[str, Quantity] = {
    **{f"adjust.{name}": Quantity(adjusted(name), (f"correction:{name}",)) for name in ADJUSTED},
    "bky_two_stage.rejected": Quantity(two_stage, ("correction:bky",)),
    "storey_q.lambda_0.5": Quantity(adjusted("storey"), ("correction:storey",)),
    "storey_q.pi0_1": Quantity(adjusted("storey", null_share=1.0)),
    "storey_pi0.lambda_0.5": Quantity(lambda inputs, _a, _b: null_share_of(np.array(inputs["p"]), 0.5)[0]),
    **{name: Quantity(combined(method), (f"combination:{method}",)) for name, method in COMBINED.items()},
    "fisher.statistic": Quantity(lambda inputs, _a, _b: -2 * np.log(inputs["p"]).sum()),
    "stouffer.z": Quantity(lambda inputs, _a, _b: stouffer_z(np.array(inputs["p"], dtype=float))),
    **{f"pc.{name}.p_u": Quantity(conjunction(name, "partial_conjunction_raw")) for name in CONJUNCTIONS},
    **{f"pc.{name}.p_u_monotone": Quantity(conjunction(name, "partial_conjunction")) for name in CONJUNCTIONS},
    **{f"pc.{name}.k_hat": Quantity(count(name)) for name in CONJUNCTIONS},
    "k_hat_count": Quantity(count("count")),
    "holm.rejected_0based": Quantity(holm_rejects),
}
LEFT_OUT: dict[str, str] = {}


def left_out(row: dict[str, Any]) -> str:
    """Say why a single row is no target; empty when it is one."""
    if row["quantity"].startswith("stouffer") and any(p in (0, 1) for p in row["inputs"]["p"]):
        return "metap silently leaves out p-values of 0 and 1; here 0 is the smallest float and a 1 makes the whole 1"
    return ""
