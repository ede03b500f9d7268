"""Every option of every registered method takes a value or refuses it in words, whatever the value is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.registry import (
    AGREEMENT,
    ASSOCIATIONS,
    COMBINATIONS,
    CORRECTIONS,
    EFFECTS,
    METRICS,
    OMNIBUS,
    POSTERIORS,
    TESTS,
    Method,
)
from support.occasions import datasets_for, options_of, p_values, ratings_for, scores_for, table_for
from support.quantities.metrics import scored

BAD: dict[str, Any] = {
    "text": "x",
    "none": None,
    "negative": -1,
    "nan": math.nan,
    "infinite": math.inf,
    "list": [1],
    "array": np.array([0.1, 0.2]),
    "far": 1e300,
    "near": 1e-300,
}
Call = Callable[[Method, dict[str, Any]], Any]
CALLS: dict[str, Call] = {
    "test": lambda method, options: nf.test(*few(scores_for(method, True)), method.name, **options),
    "effect": lambda method, options: nf.effect(*few(scores_for(method, True)), method.name, **options),
    "agreement": lambda method, options: nf.agree(ratings_for(method, True), method.name, **options),
    "posterior": lambda method, options: nf.bayes(*few(datasets_for(method, True)), method.name, **options),
    "omnibus": lambda method, options: nf.omnibus(table_for(method, True), method.name, **options),
    "correction": lambda method, options: nf.correct(p_values(True), method.name, **options),
    "combination": lambda method, options: nf.combine(p_values(True), method.name, **options),
    "association": lambda method, options: nf.correlation([1, 2, 4, 3], [1, 3, 2, 4], method.name, **options),
    "metric": lambda method, options: scored(method.name, str(method.facts["task"]), **options),
}
EVERY = [
    pytest.param(method, option.name, id=f"{method.kind}-{method.name}-{option.name}")
    for registry in (
        *(TESTS, EFFECTS, AGREEMENT, POSTERIORS, OMNIBUS, CORRECTIONS, COMBINATIONS, ASSOCIATIONS, METRICS),
    )
    for method in registry
    for option in method.options
]


def few(given: Any) -> Any:
    """Twelve items are enough to look at options."""
    a, b = given
    return given if b is None else (a[:12], b[:12])


@pytest.mark.parametrize(("method", "option"), EVERY)
def test_an_option_takes_a_value_or_refuses_it_in_words(method: Method, option: str) -> None:
    crashed = []
    for name, value in BAD.items():
        try:
            CALLS[method.kind](method, options_of(method) | {option: value})
        except NoflukeError as refused:
            if not refused.fix:
                crashed.append(f"{name}: no way out is named: {refused}")
        except Exception as error:  # anything else is what this test looks for
            crashed.append(f"{name}: {type(error).__name__}: {error}")
    assert not crashed, "; ".join(crashed)
