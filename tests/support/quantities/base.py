"""What an entry says, and the two shapes most entries have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import nofluke as nf

Compute = Callable[[dict[str, Any], list[float], list[float]], Any]


@dataclass(frozen=True)
class Quantity:
    """How nofluke computes a recorded quantity, and which registered methods ("kind:name") that covers."""

    compute: Compute
    methods: tuple[str, ...] = ()


def p_value(method: str, **options: Any) -> Compute:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> float:
        return nf.test(a, b, method, alternative=inputs.get("alternative", "two-sided"), **options).p_value

    return compute


def limits(method: str, level: float) -> Compute:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
        result = nf.test(a, b, method, alternative=inputs.get("alternative", "two-sided"), confidence_level=level)
        assert result.interval is not None
        return [result.interval.low, result.interval.high]

    return compute
