"""Corrections, combinations and partial conjunctions as R, multtest, mutoss, qvalue, metap and SciPy give them."""

from __future__ import annotations

from typing import Any

import pytest

from support.figures import check, rows
from support.quantities.multiplicity import QUANTITIES, left_out

FAMILIES = ("multiplicity", "combination", "partial_conjunction")


def targets() -> list[Any]:
    return [
        pytest.param(row, id=f"{family}-{number}-{row['case']}-{row['quantity']}")
        for family in FAMILIES
        for number, row in enumerate(rows(family))
        if not left_out(row)
    ]


@pytest.mark.parametrize("row", targets())
def test_reference_figure(row: dict[str, Any]) -> None:
    check(row)


def test_every_row_is_computed_but_those_left_out_for_a_reason() -> None:
    every = [row for family in FAMILIES for row in rows(family)]
    assert {row["quantity"] for row in every} == set(QUANTITIES)
    assert len(every) == 470
    assert len(targets()) == 458
