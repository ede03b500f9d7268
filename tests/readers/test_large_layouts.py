"""Large tables: ids in a regular layout are read as they would be one by one, in the memory of their text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.readers import bulk, sql
from nofluke.types import Labels

IDS = [f"item-{i}" for i in range(50)]


def rows_of(layout: str) -> list[tuple[str, str]]:
    blocks = [(item, system) for system in "ab" for item in IDS]
    if layout == "in a row":
        return [(item, system) for item in IDS for system in "ab"]
    if layout == "another order":
        return blocks[:50] + blocks[50:][::-1]
    if layout == "two swapped":
        return [*blocks[:96], blocks[97], blocks[96], *blocks[98:]]
    if layout == "first row again":
        return [*blocks[:50], *blocks[51:], blocks[50]]
    if layout == "one for another":
        return [*blocks[:99], ("item-x", "b"), ("item-49", "b"), ("item-x", "a")]
    return blocks


@pytest.mark.parametrize("blank", ["", " "])
@pytest.mark.parametrize(
    "layout", ["blocks", "in a row", "another order", "two swapped", "first row again", "one for another"]
)
def test_every_layout_is_read_as_line_by_line(
    layout: str, blank: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    lines = [f"{item}{blank},{system},{blank}{rng.random():.3f}" for item, system in rows_of(layout)]
    path = tmp_path / "long.csv"
    path.write_text("\n".join(["item,system,score", *lines, ""]))
    slow = nf.read(path)
    monkeypatch.setattr(bulk, "SMALLEST_BYTES", 0)
    monkeypatch.setattr(sql, "_AT_ONCE", 7)
    fast = nf.read(path)
    assert type(slow.item.labels) is tuple
    assert tuple(fast.item.labels) == slow.item.labels
    assert np.array_equal(fast.item.codes, slow.item.codes)
    assert fast.system.labels == slow.system.labels
    assert np.array_equal(fast.system.codes, slow.system.codes)
    assert np.array_equal(fast.statistics, slow.statistics)
    one, other = fast.pair("a", "b"), slow.pair("a", "b")
    assert np.array_equal(one.statistics, other.statistics)
    assert tuple(one.ids or ()) == tuple(other.ids or ())


def test_a_large_table_of_a_regular_layout_holds_no_strings(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("item,a,b\n" + "".join(f"question-{i},0.{i % 9},0.{i % 7}\n" for i in range(60_000)))
    sample = nf.read(path).pair()
    assert isinstance(sample.ids, Labels)
    assert sample.ids[59_999] == "question-59999"
    assert sample.ids[-1] == sample.ids[59_999]
    assert sample.to_dict()["ids"][:2] == ["question-0", "question-1"]


def test_packed_labels_are_a_sequence_of_labels() -> None:
    plain = (*(f"q{i}" for i in range(10_000)), "", "with\0zero", "last")
    packed = Labels([plain[:4_000], plain[4_000:4_001], plain[4_001:]])
    assert packed == plain
    assert packed != plain[:-1]
    assert len(packed) == len(plain)
    assert packed.index("q4100") == 4_100
    assert "" in packed
    assert "q10000" not in packed
    assert packed[-3:] == plain[-3:]
    assert [packed[i] for i in range(len(plain))] == list(plain)
    with pytest.raises(IndexError):
        packed[len(plain)]


@pytest.mark.parametrize("order", [["a", "b"], ["b", "a"]])
def test_a_zero_has_no_sign_and_a_gap_stays_one(order: list[str], tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("item,a,b\nx,-0.0,1\ny,0.5,\nz,0.25,-0\n")
    sample = nf.read(path).pair(*order, missing="drop")
    assert not np.signbit(sample.statistics).any()
    assert sample.alignment.dropped == 1
    assert sample.ids == ("x", "z")
