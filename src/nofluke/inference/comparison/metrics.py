"""Several metrics of the same two systems as one family."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from nofluke.inference.p_values import significant
from nofluke.noting import signature
from nofluke.types import Call, Comparison, MetricsComparison


def as_family(by_metric: Mapping[str, Comparison], alpha: float) -> MetricsComparison:
    """Correct the p-values of all metrics for their number (Holm) and read the verdicts from them."""
    from nofluke.inference.multiplicity.corrections import holm

    first = next(iter(by_metric.values()))
    known = {name: one.test.p_value for name, one in by_metric.items() if not math.isnan(one.test.p_value)}
    corrected = dict(zip(known, holm(np.array(list(known.values()))).tolist(), strict=True)) if known else {}
    verdicts = {name: _verdict(one, corrected.get(name, math.nan), alpha) for name, one in by_metric.items()}
    notes = tuple(dict.fromkeys(note for one in by_metric.values() for note in one.notes))
    facts = {"metrics": tuple(by_metric), "alternative": first.test.alternative}
    call = None
    if first.call is not None:
        told = {**first.call.options, **first.call.selection, "metric": tuple(by_metric)}
        # Metrics may be tested differently; a test that was named is one for all.
        told = {name: value for name, value in told.items() if name != "method" or _one_method(by_metric)}
        call = Call("compare", told, "scores", unwritten=first.call.unwritten)
    return MetricsComparison(
        systems=first.systems,
        by_metric=dict(by_metric),
        adjusted={name: corrected.get(name, math.nan) for name in by_metric},
        verdicts=verdicts,
        alpha=alpha,
        notes=notes,
        signature=signature("compare", "holm", facts, {"n": first.n}),
        call=call,
    )


def _one_method(by_metric: Mapping[str, Comparison]) -> bool:
    return len({one.test.method for one in by_metric.values()}) == 1


def _verdict(one: Comparison, p: float, alpha: float) -> str:
    if math.isnan(p):
        return "undefined"
    return one.verdict if significant(p, alpha) else "inconclusive"
