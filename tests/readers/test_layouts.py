"""Tables laid out otherwise than they look: what names systems, items or counts is never ranked as a system."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence

import pytest

import nofluke as nf
from nofluke.errors import InputError


def csv_of(header: str, rows: Sequence[tuple[object, ...]]) -> io.StringIO:
    return io.StringIO(header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


def refused(header: str, rows: Sequence[tuple[object, ...]], **columns: str) -> str:
    with pytest.raises(InputError) as told:
        nf.read(csv_of(header, rows), columns=columns)
    return told.value.said("shell")


def crossed(first: int = 1, step: int = 1, count: int = 20, lost: int = 0) -> list[tuple[object, ...]]:
    """Every variant with every number, in any order, and scores beside."""
    dice = random.Random(count)
    rows = [(variant, first + step * i, dice.randrange(10)) for variant in ("base", "tuned") for i in range(count)]
    dice.shuffle(rows)
    return rows[lost:]


@pytest.mark.parametrize("rows", [crossed(), crossed(0, 3), crossed(100, 7, 5), crossed(lost=2)])
def test_a_long_table_without_known_names_is_told_which_columns_to_name(rows: list[tuple[object, ...]]) -> None:
    said = refused("variant,nr,points", rows)
    assert "--columns system=variant,item=nr,score=points;" in said
    assert "--columns score=nr,points." in said
    scores = nf.read(csv_of("variant,nr,points", rows), columns={"system": "variant", "item": "nr", "score": "points"})
    assert set(scores.systems) == {"base", "tuned"}
    assert nf.read(csv_of("variant,nr,points", rows), columns={"score": "nr,points"}).systems == ("nr", "points")


def test_numbers_of_items_within_groups_are_no_system() -> None:
    rows = [(*row, n % 7) for n, row in enumerate(crossed())]
    said = refused("domain,nr,A,B", rows)
    assert "if 'A', 'B' are systems: --columns dataset=domain,item=nr;" in said
    assert nf.read(csv_of("domain,nr,A,B", rows), columns={"dataset": "domain", "item": "nr"}).systems == ("A", "B")
    assert "say so: --columns item=nr;" in refused("dataset,nr,A,B", rows)
    assert nf.read(csv_of("dataset,nr,A,B", rows), columns={"item": "nr"}).systems == ("A", "B")


@pytest.mark.parametrize("lost", [0, 1])
def test_scores_that_are_not_crossed_with_a_column_of_names_are_read(lost: int) -> None:
    """One score that repeats within a group, and scores that are mostly others from group to group."""
    rows = [("xy"[n // 10], n % 9 if n % 10 else 3, n % 4) for n in range(20)][lost:]
    assert nf.read(csv_of("domain,A,B", rows)).systems == ("A", "B")
    apart = [("xy"[n // 10], n * n % 97, n % 4) for n in range(20)][lost:]
    assert nf.read(csv_of("domain,A,B", apart)).systems == ("A", "B")
