"""Margins, gates, and the examples of what goes wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.inference.claims import judge_claim
from nofluke.inference.margins import margin_method, margin_verdict
from nofluke.types import Interval
from support.command_line import nofluke


def ratings(n: int, seed: int, changed: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    a = rng.integers(1, 6, n)
    b = np.where(rng.random(n) < changed, np.clip(a + rng.integers(-1, 2, n), 1, 5), a)
    return a, b


@pytest.mark.parametrize(
    ("low", "high", "main", "expected"),
    [
        (0.01, 0.05, "better", "better"),
        (0.01, 0.05, "not separated", "not worse"),
        (-0.01, 0.01, "not separated", "equivalent"),
        (-0.01, 0.05, "not separated", "not worse"),
        (-0.05, 0.05, "not separated", "undecided"),
        (-0.05, -0.01, "worse", "worse"),
        (-0.015, -0.005, "worse", "equivalent"),
    ],
)
def test_the_verdict_is_read_from_one_interval(low: float, high: float, main: str, expected: str) -> None:
    assert margin_verdict(Interval(low, high, 0.95, "t"), 0.02, main) == expected
    assert margin_verdict(None, 0.02, main) == "undecided"


def test_the_test_of_a_margin_fits_the_scores() -> None:
    from nofluke.align import as_sample

    assert margin_method(as_sample([0, 1, 1], [1, 1, 0])) == "tango"
    assert margin_method(as_sample([0.1, 0.2, 0.3], [0.3, 0.1, 0.2])) == "permutation"
    assert margin_method(as_sample(*ratings(100, 1))) == "bounded_mean"
    assert margin_method(as_sample([0, 1, 1], [1, 1, 0], clusters=["x", "x", "y"])) == "permutation"


@pytest.mark.parametrize("n", [20, 58, 59, 150])
def test_identical_systems_at_a_gate_pass_only_with_enough_items(n: int) -> None:
    # Identical outputs on n items are no proof: a loss of m on new items is excluded only when (1 - m)^n <= alpha.
    a = [1, 0] * (n // 2) + [1] * (n % 2)
    result = nf.compare(a, a, margin=0.05)
    assert judge_claim(result, "not-worse").supported == ((1 - 0.05) ** n <= 0.05)
    assert not judge_claim(result, "better").supported
    assert result.test.p_value == 1


def test_shifting_tied_data_would_be_wrong() -> None:
    # Flipping signs of d + m when almost all d are 0 takes the margin itself for evidence.
    a, b = ratings(60, 3, changed=0.0)
    a[0] -= 1
    with pytest.raises(MethodError, match="98% of the items are tied"):
        nf.test(a, b, "permutation", delta=-0.05, alternative="greater")
    with pytest.raises(InputError, match="needs the range of possible scores"):
        nf.compare(a, b, margin=0.05)
    gate = nf.compare(a, b, margin=0.05, low=1, high=5).margin_test
    assert gate is not None
    assert gate.method == "bounded_mean"
    assert gate.p_value > 0.05


@pytest.mark.parametrize("margin", [0, -0.1, float("inf"), True, "x"])
def test_impossible_margins_are_refused(margin: object) -> None:
    with pytest.raises(InputError, match="is not a positive number"):
        nf.compare([1, 0, 1], [0, 0, 1], margin=margin)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(5)
    a = rng.random(300)
    for name, gain in (("better", 0.05), ("alike", 0.0)):
        b = a - gain + rng.normal(0, 0.02, 300)
        text = "item,new,old\n" + "".join(f"q{i},{x:.4f},{y:.4f}\n" for i, (x, y) in enumerate(zip(a, b, strict=True)))
        (tmp_path / f"{name}.csv").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["better.csv", "--require", "better"], 0, "claim supported: new is better than old"),
        (["alike.csv", "--require", "better"], 3, "claim not supported: new is better than old"),
        (["alike.csv", "--require", "not-worse", "--margin", "0.02"], 0, "claim supported: new is not worse than old"),
        (["alike.csv", "--require", "not-worse", "--margin", "0.0001"], 3, "claim not supported: new is not worse"),
        (["better.csv", "--a", "old", "--require", "not-worse", "--margin", "0.02"], 3, "claim not supported: old is"),
        (["alike.csv", "--require", "not-worse"], 2, "the claim not-worse needs a margin."),
        (["alike.csv", "--require", "beter"], 2, "did you mean 'better'?"),
        (["alike.csv", "--require", "better", "--alternative", "greater"], 2, "judged by the two-sided test"),
        (["better.csv", "--a", "old", "--require", "better", "--delta", "-0.1"], 2, "judged by the two-sided test"),
        (["better.csv", "--require", "better", "--method", "sign"], 2, "sign answers another question"),
        (["better.csv", "--require", "better", "--rules", "zhu2020", "--method", "wilcoxon"], 2, "another question"),
    ],
)
def test_gates(arguments: list[str], code: int, told: str, folder: Path) -> None:
    run = nofluke("compare", *arguments, cwd=folder)
    assert run.code == code
    assert told in run.err


def test_the_margin_is_in_the_result(folder: Path) -> None:
    answer = json.loads(nofluke("compare", "alike.csv", "--margin", "0.02", "--format", "json", cwd=folder).out)
    assert answer["margin_verdict"] == "equivalent"
    assert answer["margin_test"]["delta"] == -0.02
    assert answer["tests_run"] == ["permutation"]


def test_the_gate_on_tied_scores_keeps_its_level_when_the_range_is_stated() -> None:
    # Scores of .5 or .51 with a true loss of .025 on rare items at 0: the seen range would hide the loss.
    rng = np.random.default_rng(0)
    passed = 0
    for _ in range(200):
        b = np.full(40, 0.5)
        a = np.where(rng.random(40) < 0.05, 0.0, 0.5)
        a[0] = 0.51
        passed += judge_claim(nf.compare(a, b, margin=0.02, low=0, high=1), "not-worse").supported
    assert passed / 200 <= 0.05


def test_a_worse_mean_is_never_called_better() -> None:
    a = [0.5] * 40 + [0.0] * 10
    b = [0.49] * 40 + [1.0] * 10
    by_items = nf.compare(a, b, method="sign")
    assert by_items.verdict == "better"
    assert "which says nothing about the mean" in by_items.headline
    assert "interval" not in by_items.headline
    with pytest.raises(InputError, match="another question"):
        judge_claim(by_items, "better")
    with pytest.raises(InputError, match="without a margin"):
        judge_claim(by_items, "not-worse")
