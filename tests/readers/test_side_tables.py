"""Tables beside the scores: the group of every system, and comparisons that were made elsewhere."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from nofluke.errors import InputError
from nofluke.readers.side_tables import read_comparisons, read_groups


@pytest.mark.parametrize("text", ["system,team\na-1,x\na-2,y\n", "year\tname\tgroup\n1\ta-1\tx\n2\ta-2\ty\n"])
def test_groups_are_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "groups.csv"
    path.write_text(text)
    assert read_groups(str(path), ("a-1", "a-2", "b")) == {"a-1": "x", "a-2": "y"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("system,team\na,x\n\na,y\nb,x\n", "line 4.*two groups"),
        ("system,team\nq,x\nr,y\n", "no column holds names"),
        ("system,group,team\na,x,y\nb,x,y\n", "which column"),
        ("system,team\na,x\nb\n", "line 3"),
        ("system,team\na,x\n\n\nb\n", "line 5"),
        ("system\na\n", "one column only"),
        ("a,x\nb,y\n", "no heading"),
    ],
)
def test_groups_that_cannot_be_read(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "groups.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        read_groups(str(path), ("a", "b"))


def test_a_cell_without_a_group_and_a_packed_file(tmp_path: Path) -> None:
    path = tmp_path / "groups.csv.gz"
    path.write_bytes(gzip.compress(b"system;team\na;x\nb;\n"))
    assert read_groups(str(path), ("a", "b")) == {"a": "x"}


def test_comparisons_are_read_past_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("Gain\tp\n0.1\t0.2\n\n0.3\t0.01\n\n")
    found = read_comparisons(str(path))
    assert found is not None
    assert [column.tolist() for column in found] == [[0.1, 0.3], [0.2, 0.01]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("gain,p_value\n0.1,0.2\n\n0.3,nan\n", "line 4"),
        ("gain,p_value\n0.1,\n", "line 2.*empty"),
        ("gain,p_value\n0.1,many\n", "line 2"),
    ],
)
def test_comparisons_that_are_none_are_refused_with_their_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        read_comparisons(str(path))


def test_other_files_are_left_to_the_reader_of_scores(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("item,a,b\n1,0.1,0.2\n")
    assert read_comparisons(str(path)) is None
    assert read_comparisons(str(tmp_path / "absent.csv")) is None
    assert read_comparisons("-") is None
