"""Every recorded figure of an independent tool that has a name in nofluke comes out; what is left out says why.

All files of this folder are read, so a figure that is recorded is a figure that is checked.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.each import each
from support.figures import check, families, is_target, rows
from support.quantities import LEFT_OUT, QUANTITIES, STATED


def targets(family: str) -> list[tuple[str, dict[str, Any]]]:
    """The figures of a file that nofluke has to find, each under a name that finds it in the file."""
    return [
        (f"{number} {row['case']} {row['quantity']}", row) for number, row in enumerate(rows(family)) if is_target(row)
    ]


# Some rows are the data that figures of other files are of.
@pytest.mark.parametrize("family", [family for family in families() if targets(family)])
def test_reference_figures(family: str) -> None:
    each(targets(family), check)


def test_every_row_is_computed_or_left_out_for_a_reason() -> None:
    recorded = {row["quantity"] for family in families() for row in rows(family)}
    assert recorded <= set(QUANTITIES) | set(LEFT_OUT), "rows of no quantity"
    assert set(STATED) | set(LEFT_OUT) <= recorded, "a quantity without rows"
    assert not set(QUANTITIES) & set(LEFT_OUT)
    assert all(len(reason) > 20 for reason in LEFT_OUT.values())


def test_every_figure_says_where_it_is_from() -> None:
    assert all(len(row["source"]) > 5 and row["tolerance"] for family in families() for row in rows(family))


def test_the_number_of_figures_is_what_was_recorded() -> None:
    assert sum(len(targets(family)) for family in families()) > 2_300
