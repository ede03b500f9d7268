"""Scores with percent signs: the sign is named, and how to write them."""

from __future__ import annotations

import io

import pytest

import nofluke as nf
from nofluke.errors import InputError


@pytest.mark.parametrize("cell", ["50%", "50.5 %", ".5%"])
def test_the_sign_is_named(cell: str) -> None:
    table = "item,A,B\n" + "".join(f"q{i},{cell},{cell}\n" for i in range(4))
    with pytest.raises(InputError, match="is not a number") as told:
        nf.read(io.StringIO(table))
    assert f"leave the percent sign out: {cell.rstrip(' %')!r}" in str(told.value)
    assert len(nf.read(io.StringIO(table.replace(" %", "").replace("%", ""))).systems) == 2


def test_other_words_are_no_percentages() -> None:
    with pytest.raises(InputError, match="no column holds the scores"):
        nf.read(io.StringIO("item,A,B\nq1,x%,y\nq2,z,100% sure\n"))
