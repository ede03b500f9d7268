"""Every figure of an independent tool that has a name in nofluke comes out."""

from __future__ import annotations

from typing import Any

import pytest

from support.figures import QUANTITIES, check, rows

FAMILIES = ("paired_tests", "intervals")


def known(family: str) -> list[Any]:
    return [
        pytest.param(row, id=f"{family}-{number}-{row['case']}-{row['quantity']}")
        for number, row in enumerate(rows(family))
        if row["quantity"] in QUANTITIES
    ]


@pytest.mark.parametrize("row", [row for family in FAMILIES for row in known(family)])
def test_reference_figure(row: dict[str, Any]) -> None:
    check(row)


def exact_decimals() -> list[Any]:
    return [
        row for row in rows("decimal_pitfall") if row.get("arithmetic", row["inputs"].get("arithmetic")) is not None
    ]
