"""Bootstrap intervals of the mean difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import nofluke as nf
from nofluke.align import as_sample
from nofluke.inference.effects.mean_difference import bootstrap_mean_interval, mean_acceleration
from nofluke.inference.resampling.resampled_mean import units_of
from support.quantities.base import Quantity

# As many draws as R and SciPy made; more where an atom's cumulative probability (.02459 exactly, at 0.04) lies within
# one standard error of .025, so that 99,999 draws give either of two neighbouring limits.
DRAWS = 99_999
MORE_DRAWS = {"s08_n50_binary": 999_999}

Limits = Callable[[dict[str, Any], list[float], list[float]], list[float]]


def draws_for(inputs: dict[str, Any]) -> int:
    return MORE_DRAWS.get(inputs["sample"], DRAWS)


def inverted(form: str) -> Limits:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
        interval = nf.test(a, b, "bootstrap", form=form, monte_carlo=draws_for(inputs)).interval
        assert interval is not None
        return [interval.low, interval.high]

    return compute


def resampled(method: Literal["percentile", "basic", "bca"]) -> Limits:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
        interval = bootstrap_mean_interval(as_sample(a, b), method, resamples=draws_for(inputs))
        return [interval.low, interval.high]

    return compute


def counted(method: str) -> Callable[[dict[str, Any], list[float], list[float]], float]:
    """The p-value of a small case whose resamples were all counted."""

    def compute(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> float:
        options = {name: value for name, value in inputs.items() if name not in ("a", "b")}
        return nf.test(inputs["a"], inputs["b"], method, **options).p_value

    return compute


QUANTITIES: dict[str, Quantity] = {
    "mean_difference.percentile_ci95": Quantity(inverted("percentile"), ("test:bootstrap",)),
    "mean_difference.basic_ci95": Quantity(inverted("shift"), ("test:bootstrap",)),
    "mean_difference.bca_ci95": Quantity(resampled("bca")),
    "bca_acceleration.mean": Quantity(lambda _, a, b: mean_acceleration(units_of(as_sample(a, b)))),
    "bootstrap.p": Quantity(counted("bootstrap"), ("test:bootstrap",)),
    "bootstrap_median.p": Quantity(counted("bootstrap_median"), ("test:bootstrap_median",)),
}

LEFT_OUT: dict[str, str] = {}
