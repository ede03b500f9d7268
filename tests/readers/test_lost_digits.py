"""Numbers with more digits than floating point keeps: refused where they are read, and never rounded in silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.readers.numbers import parse_number

LOST, HELD = 2**53 + 1, 2**53 + 2


def csv_of(path: Path, numbers: list[int], rows: int = 1) -> Path:
    path.write_text("item,A,B\n" + "".join(f"i{i},{x},0\n" for i, x in enumerate(numbers * rows)), encoding="utf-8")
    return path


def jsonl_of(path: Path, numbers: list[int]) -> Path:
    lines = (json.dumps({"item": f"i{i}", "A": x, "B": 0}) for i, x in enumerate(numbers))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def parquet_of(path: Path, numbers: list[int]) -> Path:
    import duckdb

    rows = ", ".join(f"('i{i}', {x}::BIGINT, 0)" for i, x in enumerate(numbers))
    duckdb.sql(f"COPY (SELECT * FROM (VALUES {rows}) AS t(item, A, B)) TO '{path}' (FORMAT parquet)")
    return path


WAYS: dict[str, Callable[[Path, list[int]], Any]] = {
    "csv": lambda folder, numbers: nf.read(csv_of(folder / "s.csv", numbers)),
    "large csv": lambda folder, numbers: nf.read(csv_of(folder / "s.csv", numbers, 30_000)),
    "jsonl": lambda folder, numbers: nf.read(jsonl_of(folder / "s.jsonl", numbers)),
    "parquet": lambda folder, numbers: nf.read(parquet_of(folder / "s.parquet", numbers)),
    "list": lambda _, numbers: nf.describe(numbers, [0] * len(numbers)),
    "array": lambda _, numbers: nf.describe(np.array(numbers), np.zeros(len(numbers))),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_whole_number_that_no_double_holds_is_refused(way: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{LOST}'? has more digits than .* it would be read as {2**53}"):
        WAYS[way](tmp_path, [12, LOST, 3])


@pytest.mark.parametrize("way", WAYS)
def test_one_that_a_double_holds_is_read(way: str, tmp_path: Path) -> None:
    assert WAYS[way](tmp_path, [12, HELD, 3])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12345678901234567000", 12345678901234567000.0),  # as JavaScript prints a double
        ("100000000000000000000000", 1e23),
        ("0.66666666666666666667", 2 / 3),  # as databases print an average
        ("1.000000000000000055511151231257827e-01", 0.1),  # as numpy.savetxt prints a double
        ("9007199254740993", None),
        ("-9007199254740993", None),
    ],
)
def test_prints_of_doubles_and_long_averages_are_read(text: str, value: float | None) -> None:
    assert parse_number(text) == value


def scores(path: Path, a: list[str], b: list[str]) -> Any:
    rows = "".join(f"i{i},{x},{y}\n" for i, (x, y) in enumerate(zip(a, b, strict=True)))
    path.write_text("item,A,B\n" + rows, encoding="utf-8")
    return nf.read(path).pair("A", "B")


def test_scores_that_differ_in_lost_digits_only_are_refused(tmp_path: Path) -> None:
    a = [f"100000000.000000{k}" for k in (11, 23, 41, 35)]
    b = [f"100000000.000000{k}" for k in (10, 20, 40, 30)]
    with pytest.raises(InputError, match=r"between \d+\.\d+ and \d+\.\d+: they differ only in digits that"):
        scores(tmp_path / "s.csv", a, b)


@pytest.mark.parametrize("ends", [("28", "29"), ("01", "02")])
def test_scores_whose_doubles_are_the_same_are_not_taken_for_ties(ends: tuple[str, str], tmp_path: Path) -> None:
    first, second = (f"100000000.000000{end}" for end in ends)
    assert float(first) == float(second)
    with pytest.raises(InputError, match="whether they differ cannot be told"):
        scores(tmp_path / "s.csv", [first] * 3, [second] * 3)


@pytest.mark.parametrize("text", ["0.3333333333333333", "0.6666666666666666", "0.875", "0.1", "1e30"])
def test_equal_scores_that_are_prints_of_fractions_are_ties(text: str, tmp_path: Path) -> None:
    assert nf.test(scores(tmp_path / "s.csv", [text] * 3, [text] * 3), method="sign").p_value == 1


def test_seventeen_digits_that_spread_are_read(tmp_path: Path) -> None:
    """The prints of measured scores; 0.1 + 0.2 and 0.3 tie among them."""
    a, b = ["0.30000000000000004", "0.7123456789012345", "0.1"], ["0.3", "0.5123456789012345", "0.9"]
    assert nf.test(scores(tmp_path / "s.csv", a, b), method="wilcoxon").details["n_zero"] == 1
