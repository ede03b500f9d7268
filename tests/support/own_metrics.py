"""A metric as a user would write it, where worker processes can import it."""

from __future__ import annotations

import math


def f1_of_lists(outputs: list[str], golds: list[str]) -> float:
    matched = sum(a == "1" == b for a, b in zip(outputs, golds, strict=True))
    total = outputs.count("1") + golds.count("1")
    return 2 * matched / total if total else math.nan
