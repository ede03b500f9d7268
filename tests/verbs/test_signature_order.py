"""A signature names options in one order, whatever the order in which they were given."""

from __future__ import annotations

from itertools import permutations

import nofluke as nf
from nofluke.registry import TESTS

A, B = [0.5, 0.7, 0.2, 0.9, 0.4, 0.4], [0.4, 0.5, 0.3, 0.6, 0.1, 0.4]
OPTIONS = {"zeros": "pratt", "mode": "normal", "continuity": True, "alternative": "greater"}


def test_every_order_gives_one_signature() -> None:
    orders = [dict(order) for order in permutations(OPTIONS.items())]
    found = {nf.compare(A, B, method="wilcoxon", **order).signature for order in orders}
    found |= {nf.test(A, B, "wilcoxon", **order).signature for order in orders}
    assert len(found) == 1, found
    declared = [option.name for option in TESTS["wilcoxon"].options]
    (one,) = found
    named = [part.split(":")[0] for part in one.split("|") if part.split(":")[0] in {"zeros", "mode", "continuity"}]
    assert named == sorted(named, key=declared.index)
