"""Metrics that differ in one word only, such as precision, recall and F1: one function, registered under each name."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from nofluke.metrics.statistics import ItemStatistics

Metric = Callable[..., ItemStatistics]


def register_each(
    register: Callable[..., Callable[[Metric], Metric]],
    function: Metric,
    members: Mapping[str, tuple[str, str, str]],
    *,
    higher_is_better: bool = True,
    **facts: str,
) -> list[Metric]:
    """Register a function under each name, and give these metrics.

    `members` has, by name, what the function's first argument is to be, the label and the docstring. All other
    parameters, options with their help included, are the function's own.
    """
    found = []
    for name, (which, label, docstring) in members.items():
        metric = _member(function, name, which, docstring)
        found.append(register(name, label=label, higher_is_better=higher_is_better, **facts)(metric))
    return found


def _member(function: Metric, name: str, which: str, docstring: str) -> Metric:
    @functools.wraps(function)
    def metric(*texts: Any, **options: Any) -> ItemStatistics:
        return function(which, *texts, **options)

    signature = inspect.signature(function)
    own = signature.replace(parameters=list(signature.parameters.values())[1:])
    metric.__signature__ = own  # type: ignore[attr-defined]  # read by inspect.signature
    metric.__name__, metric.__qualname__, metric.__doc__ = name, name, docstring
    return metric
