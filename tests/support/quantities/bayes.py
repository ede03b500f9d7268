"""Posteriors and the Bayes factor."""

from __future__ import annotations

from typing import Any

import nofluke as nf
from nofluke.types import Posterior
from support.quantities.base import Compute, Quantity


def posterior(*given: Any, **options: Any) -> Posterior:
    result = nf.bayes(*given, **options)
    assert isinstance(result, Posterior)
    return result


def three(result: Posterior) -> list[float]:
    return [result.p_better, result.p_equal, result.p_worse]


def factor(alternative: str) -> Compute:
    return lambda i, a, b: nf.bayes(a, b, "bayes_factor", r=i["rscale"], alternative=alternative).value


def correlated_t(inputs: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
    """The source gives left (A worse), rope, right (A better)."""
    return three(posterior(a, b, "correlated_t", rope=inputs["rope"], rho=inputs["rho"]))[::-1]


def over_datasets(method: str) -> Compute:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
        places = {"rope": "zero", "pseudo-observation at 0": "zero"}
        prior = {"prior_strength": inputs["prior_strength"], "prior_place": places[inputs["prior_place"]]}
        found = three(posterior(a, b, method, rope=inputs["rope"], **prior))
        # Without a region the source gives the two sides only.
        return found if inputs["rope"] > 0 else [found[0], found[2]]

    return compute


def dirichlet(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> list[float]:
    sample = nf.sample_from_counts(*inputs["counts"])
    return three(posterior(sample, method="dirichlet", rope=inputs["rope"], prior=inputs["prior"]))


def decided(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> list[float]:
    a = [1.0] * inputs["wins"] + [0.0] * (inputs["losses"] + 2)
    b = [0.0] * inputs["wins"] + [1.0] * inputs["losses"] + [0.0] * 2
    return three(posterior(a, b, "beta_binomial", rope=inputs["rope"], prior=inputs["prior"]))


def unpaired(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> list[float]:
    right_a, wrong_a, right_b, wrong_b = inputs["right_wrong"]
    a, b = [1] * right_a + [0] * wrong_a, [1] * right_b + [0] * wrong_b
    return three(posterior(a, b, "beta_binomial", form="unpaired", rope=inputs["rope"], prior=inputs["prior"]))


def hierarchical(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> list[float]:
    """Two items at effect -+ error make a dataset with just this mean and standard error."""
    effects = zip(inputs["effects"], inputs["errors"], strict=True)
    data = {f"school {i}": ([y - s, y + s], [0, 0]) for i, (y, s) in enumerate(effects)}
    options = {name: inputs[name] for name in ("spread_scale", "target", "rope")}
    return three(posterior(data, method="hierarchical", **options))


QUANTITIES: dict[str, Quantity] = {
    "jzs_bf10.two_sided": Quantity(factor("two-sided"), ("posterior:bayes_factor",)),
    "jzs_bf10.greater": Quantity(factor("greater")),
    "correlated_t.p_left_rope_right": Quantity(correlated_t, ("posterior:correlated_t",)),
    "bayes_sign.probs": Quantity(over_datasets("sign"), ("posterior:sign",)),
    "bayes_signed_rank.probs": Quantity(over_datasets("signed_rank"), ("posterior:signed_rank",)),
    "dirichlet.better_equal_worse": Quantity(dirichlet, ("posterior:dirichlet",)),
    "beta_binomial.better_equal_worse": Quantity(decided, ("posterior:beta_binomial",)),
    "beta_binomial_unpaired.better_equal_worse": Quantity(unpaired),
    "hierarchical.better_equal_worse": Quantity(hierarchical, ("posterior:hierarchical",)),
}

LEFT_OUT: dict[str, str] = {}
