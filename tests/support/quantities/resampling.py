"""Bootstrap intervals of the mean difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import nofluke as nf
from nofluke.align import as_sample
from nofluke.inference.intervals.bootstrap_mean import bootstrap_mean_interval, mean_acceleration
from nofluke.inference.resampled_mean import units_of
from support.quantities.base import Quantity

# As many draws as R and SciPy made.
DRAWS = 99_999

Limits = Callable[[dict[str, Any], list[float], list[float]], list[float]]


def inverted(form: str) -> Limits:
    def compute(_: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
        interval = nf.test(a, b, "bootstrap", form=form, monte_carlo=DRAWS).interval
        assert interval is not None
        return [interval.low, interval.high]

    return compute


def bca(method: Literal["percentile", "basic", "bca"]) -> Limits:
    def compute(_: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
        interval = bootstrap_mean_interval(as_sample(a, b), method, resamples=DRAWS)
        return [interval.low, interval.high]

    return compute


def median_interval(_: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
    interval = nf.test(a, b, "bootstrap_median", monte_carlo=DRAWS).interval
    assert interval is not None
    return [interval.low, interval.high]


QUANTITIES: dict[str, Quantity] = {
    "mean_difference.percentile_ci95": Quantity(inverted("percentile"), ("test:bootstrap",)),
    "mean_difference.basic_ci95": Quantity(inverted("shift"), ("test:bootstrap",)),
    "mean_difference.bca_ci95": Quantity(bca("bca")),
    "bca_acceleration.mean": Quantity(lambda _, a, b: mean_acceleration(units_of(as_sample(a, b)))),
    "median_difference.basic_ci95": Quantity(median_interval, ("test:bootstrap_median",)),
}

LEFT_OUT: dict[str, str] = {}
