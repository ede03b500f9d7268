"""Weighted averages of several datasets: margins, t, and the bootstrap."""

from __future__ import annotations

from typing import Any

import numpy as np

import nofluke as nf
from support.quantities.base import Quantity
from support.strata import average_sample


def _tables(inputs: dict[str, Any], method: str) -> nf.TestResult:
    """Datasets of 0/1 scores as [only A right, only B right, items]; `weights` "equal" or one number for each."""
    a, b, datasets = [], [], []
    for place, (only_a, only_b, n) in enumerate(inputs["tables"]):
        a += [1] * only_a + [0] * only_b + [1] * (n - only_a - only_b)
        b += [0] * only_a + [1] * only_b + [1] * (n - only_a - only_b)
        datasets += [f"t{place}"] * n
    return _run(inputs, method, a, b, datasets)


def _columns(inputs: dict[str, Any], method: str) -> nf.TestResult:
    """Differences of every dataset, as scores of A against 0."""
    a = [one for dataset in inputs["differences"] for one in dataset]
    datasets = np.repeat([f"t{j}" for j in range(len(inputs["differences"]))], [len(d) for d in inputs["differences"]])
    return _run(inputs, method, a, [0] * len(a), datasets.tolist())


def _run(inputs: dict[str, Any], method: str, a: list[Any], b: list[Any], datasets: list[str]) -> nf.TestResult:
    weights = inputs.get("weights", "equal")
    if not isinstance(weights, str):
        weights = {f"t{j}": weight for j, weight in enumerate(weights)}
    sample = average_sample(a, b, datasets, weights, inputs.get("clusters"))
    options = {name: inputs[name] for name in ("alternative", "delta", "low", "high") if name in inputs}
    return nf.test(sample, method, **options)


def _interval(result: nf.TestResult) -> list[float]:
    assert result.interval is not None
    return [result.interval.low, result.interval.high]


QUANTITIES: dict[str, Quantity] = {
    "mover.p": Quantity(lambda inputs, _a, _b: _tables(inputs, "mover").p_value, ("test:mover",)),
    "mover.ci95": Quantity(lambda inputs, _a, _b: _interval(_tables(inputs, "mover"))),
    "stratified_t.p": Quantity(lambda inputs, _a, _b: _columns(inputs, "stratified_t").p_value, ("test:stratified_t",)),
    "stratified_t.df": Quantity(lambda inputs, _a, _b: _columns(inputs, "stratified_t").details["df"]),
    "stratified_t.ci95": Quantity(lambda inputs, _a, _b: _interval(_columns(inputs, "stratified_t"))),
    "one_lost_item.average.p": Quantity(lambda inputs, _a, _b: _columns(inputs, "one_lost_item").p_value),
    "one_lost_item.average.ci95": Quantity(lambda inputs, _a, _b: _interval(_columns(inputs, "one_lost_item"))),
}

LEFT_OUT: dict[str, str] = {}
