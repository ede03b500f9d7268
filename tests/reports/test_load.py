"""A result written as JSON comes back as the same value, whatever its kind."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.reports.plain import parsed
from nofluke.types import Distribution, Interval, TestResult
from nofluke.types.load import from_dict
from reports.kinds import NAMES, RESULTS, A, B, comparison


def same(left: Any, right: Any) -> bool:
    """Equal in every field and type, nan being nan."""
    if dataclasses.is_dataclass(left) and not isinstance(left, type):
        names = [field.name for field in dataclasses.fields(left)]
        return type(left) is type(right) and all(same(getattr(left, n), getattr(right, n)) for n in names)
    if isinstance(left, np.ndarray):
        return left.dtype.kind == right.dtype.kind and left.shape == right.shape and same(left.tolist(), right.tolist())
    if isinstance(left, dict):
        return dict(left).keys() == dict(right).keys() and all(same(left[name], right[name]) for name in left)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, float):  # numpy's floats are floats
        return isinstance(right, float) and (left == right or (math.isnan(left) and math.isnan(right)))
    return bool(left == right) and type(left) is type(right)


@pytest.mark.parametrize("kind", RESULTS)
def test_every_kind_comes_back(kind: str, tmp_path: Path) -> None:
    result = RESULTS[kind](NAMES)
    path = tmp_path / "result.json"
    path.write_text(nf.report(result, "json"), encoding="utf-8")
    back = nf.load(path)
    assert same(result, back)
    for name in ("text", "latex", "csv", "json"):
        assert nf.report(back, name) == nf.report(result, name)


def test_unknown_and_infinite_figures_come_back() -> None:
    one_sided = nf.test(A, B, "paired_t", alternative="greater")
    assert one_sided.interval is not None
    assert math.isinf(one_sided.interval.high)
    back = from_dict(json.loads(json.dumps(one_sided.to_dict())))
    assert isinstance(back, TestResult)
    assert back.interval == one_sided.interval
    unknown = dataclasses.replace(one_sided, interval=Interval(-math.inf, math.nan, 0.95, "none"))
    back = from_dict(json.loads(json.dumps(unknown.to_dict())))
    assert isinstance(back, TestResult)
    assert back.interval is not None
    assert back.interval.low == -math.inf
    assert math.isnan(back.interval.high)


def test_arrays_come_back_read_only() -> None:
    drawn = Distribution(np.array([0.0, math.inf]), np.array([[0.1, math.nan], [1.0, 2.0]]), atoms=True, how="by hand")
    back = from_dict(json.loads(json.dumps(drawn.to_dict())))
    assert isinstance(back, Distribution)
    assert same(drawn, back)
    assert not back.density.flags.writeable


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"schema": 99}, "has schema 99; this nofluke reads schemas 1 and 2"),
        ({"type": "Popen"}, "'Popen', which is no result of nofluke"),
        ({"type": 3}, "which is no result of nofluke"),
        ({"surprise": 1}, "a Comparison has no field 'surprise'"),
        ({"n": "many"}, "n: expected int, found 'many'"),
        ({"alpha": True}, "alpha: expected a number, found True"),
        ({"systems": ["a"]}, "systems: expected a list of 2"),
        ({"effects": [1]}, "effects: expected a table of names and values"),
        ({"ok": False}, "holds an error, not a result"),
    ],
)
def test_what_is_no_result_is_refused(change: dict[str, Any], told: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(json.loads(nf.report(comparison(), "json")) | change))
    with pytest.raises(InputError, match="fix: ") as caught:
        nf.load(path)
    assert told in str(caught.value)
    assert "r.json" in str(caught.value)


@pytest.mark.parametrize(
    ("path", "wrong", "told"),
    [
        (("test", "p_value"), 7, "test: p_value: 7 is not from 0 to 1"),
        (("test", "p_value"), -0.1, "-0.1 is not from 0 to 1"),
        (("alpha",), 0, "alpha: 0 is not between 0 and 1"),
        (("alpha",), 1.5, "alpha: 1.5 is not between 0 and 1"),
        (("effects", "mean_difference", "interval", "level"), 2, "2 is not between 0 and 1"),
    ],
)
def test_numbers_that_no_result_holds_are_refused(path: tuple[str, ...], wrong: float, told: str) -> None:
    data = json.loads(nf.report(comparison(), "json"))
    part = data
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = wrong
    with pytest.raises(InputError) as caught:
        parsed(json.dumps(data), "r.json")
    assert told in str(caught.value)


def test_a_probability_in_a_table_is_looked_at_too() -> None:
    data = json.loads(nf.report(RESULTS["Replication"](NAMES), "json"))
    data["adjusted"]["holm"][0] = 3
    with pytest.raises(InputError, match="3 is not from 0 to 1"):
        parsed(json.dumps(data), "r.json")


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"{", "is not JSON"), (b"[1]", "holds no result"), (b"\xff\xfe", "is not text"), (b"{}", "has schema None")],
)
def test_broken_files_are_told(content: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_bytes(content)
    with pytest.raises(InputError, match=told):
        nf.load(tmp_path / "r.json")


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    data = json.loads(nf.report(comparison(), "json"))
    del data["test"]["p_value"]
    with pytest.raises(InputError, match="a TestResult without 'p_value' is not complete"):
        from_dict(data)
