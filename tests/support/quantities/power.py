"""Power and sample size of t, sign and McNemar."""

from __future__ import annotations

from typing import Any

import nofluke as nf
from support.quantities.base import Quantity

# R names the sides otherwise; its one-sided tests are those of a positive difference.
SIDES = {"two.sided": "two-sided", "one.sided": "greater"}


def side(inputs: dict[str, Any]) -> str:
    given = inputs.get("alternative", "two-sided")
    return SIDES.get(given, given)


def items(test: str) -> Quantity:
    def compute(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> float:
        stated = {"difference": inputs["delta"], **{name: inputs[name] for name in ("sd", "power", "alpha")}}
        return nf.sample_size(test, **stated, alternative=side(inputs)).n_exact

    return Quantity(compute)


def power(test: str) -> Quantity:
    def compute(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> float:
        stated = {"difference": inputs["delta"], **{name: inputs[name] for name in ("n", "sd", "alpha")}}
        return nf.power(test, **stated, alternative=side(inputs))

    return Quantity(compute)


def sign(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> float:
    stated = {"n_untied": inputs["n_untied"], "prob_a_better": inputs["prob_A_better"], "alpha": inputs["alpha"]}
    return nf.power("sign", **stated, alternative=side(inputs))


def mcnemar(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> float:
    return nf.power("mcnemar", **{name: inputs[name] for name in ("n", "p10", "p01", "alpha")})


QUANTITIES: dict[str, Quantity] = {
    "t_test_n.paired": items("paired_t"),
    "t_test_n.two.sample": items("student_t"),
    "t_test_power.paired": power("paired_t"),
    "t_test_power.two.sample": power("student_t"),
    "sign_test_power.exact": Quantity(sign),
    "mcnemar_exact_power.unconditional": Quantity(mcnemar),
}

LEFT_OUT: dict[str, str] = {}
