"""Training runs, and one system's own score."""

from __future__ import annotations

from typing import Any

import numpy as np

import nofluke as nf
from support.quantities.base import Quantity
from support.runs import crossed, scores_of


def _crossed(inputs: dict[str, Any], **options: Any) -> nf.TestResult:
    chosen = {name: inputs[name] for name in ("datasets", "clusters", "weights") if name in inputs}
    asked = {name: inputs[name] for name in ("alternative", "delta") if name in inputs}
    return nf.test(crossed({"A": inputs["a"], "B": inputs["b"]}, **chosen), "crossed_runs", **asked, **options)


def _own(inputs: dict[str, Any], **options: Any) -> Any:
    asked = {name: inputs[name] for name in ("against", "alternative") if name in inputs}
    chosen = {name: inputs[name] for name in ("datasets", "clusters") if name in inputs}
    if not chosen:
        return nf.estimate(inputs["scores"], **asked, **options)
    scores = scores_of({"A": np.array(inputs["scores"])[:, None]}, **chosen)
    return nf.estimate(scores, weights=inputs.get("weights", "equal"), **asked, **options)


def _ends(result: Any) -> list[float]:
    assert result.interval is not None
    return [result.interval.low, result.interval.high]


def _f1(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> list[float]:
    scores = nf.from_statistics({"A": {name: inputs[name] for name in ("tp", "pred", "gold")}}, "2*tp/(pred+gold)")
    return _ends(nf.estimate(scores))


QUANTITIES: dict[str, Quantity] = {
    "crossed_runs.p": Quantity(lambda inputs, _a, _b: _crossed(inputs).p_value, ("test:crossed_runs",)),
    "crossed_runs.ci95": Quantity(lambda inputs, _a, _b: _ends(_crossed(inputs))),
    "crossed_runs.subtracted_p": Quantity(lambda inputs, _a, _b: _crossed(inputs, form="subtracted").p_value),
    "own_score.wilson_ci95": Quantity(lambda inputs, _a, _b: _ends(_own(inputs))),
    "own_score.clopper_pearson_ci95": Quantity(lambda inputs, _a, _b: _ends(_own(inputs, interval="clopper_pearson"))),
    "own_score.p": Quantity(lambda inputs, _a, _b: _own(inputs).p_value),
    "own_score.ci95": Quantity(lambda inputs, _a, _b: _ends(_own(inputs))),
    "own_score.delta_ci95": Quantity(_f1),
}

LEFT_OUT: dict[str, str] = {}
