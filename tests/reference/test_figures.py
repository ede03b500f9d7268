"""Every figure of an independent tool that has a name in nofluke comes out; what is left out says why."""

from __future__ import annotations

from typing import Any

import pytest

from support.figures import check, rows
from support.quantities import LEFT_OUT, QUANTITIES

FAMILIES = (
    "paired_tests",
    "effect_sizes",
    "intervals",
    "bca",
    "mcnemar",
    "decimal_pitfall",
    "corrected_resampled_t",
    "mann_whitney",
    "mean_difference",
    "binary",
    "bounded_mean",
    "one_lost_item",
    "correlation",
)
# What the same sample gives on raw binary differences is recorded beside the right answer; it is no target.
BINARY = "binary64 differences"


def arithmetic(row: dict[str, Any]) -> str:
    return str(row["inputs"].get("arithmetic", "exact decimals"))


def targets() -> list[Any]:
    return [
        pytest.param(row, id=f"{family}-{number}-{row['case']}-{row['quantity']}")
        for family in FAMILIES
        for number, row in enumerate(rows(family))
        if row["quantity"] in QUANTITIES and arithmetic(row) != BINARY
    ]


@pytest.mark.parametrize("row", targets())
def test_reference_figure(row: dict[str, Any]) -> None:
    check(row)


def test_every_row_is_computed_or_left_out_for_a_reason() -> None:
    unexplained = {
        row["quantity"]
        for family in FAMILIES
        for row in rows(family)
        if row["quantity"] not in QUANTITIES and row["quantity"] not in LEFT_OUT
    }
    assert not unexplained
    assert not set(QUANTITIES) & set(LEFT_OUT)
    assert all(len(reason) > 20 for reason in LEFT_OUT.values())


def test_the_number_of_figures_is_what_was_recorded() -> None:
    assert len(targets()) > 1_100
