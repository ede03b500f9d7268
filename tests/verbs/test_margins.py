"""Margins, gates, and the examples of what goes wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError
from nofluke.inference.tests.claims import judge_claim, margin_method, margin_verdict
from nofluke.types import Comparison, Interval, Note
from nofluke.words.comparison import verdict_text
from nofluke.words.margin import claim_sentence
from support.command_line import nofluke
from support.thinned import thinned


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
        (-0.05, -0.01, "not separated", "not better"),
        (-0.05, 0.01, "not separated", "not better"),
        # Worse or better, and by less than the margin: the main verdict comes first.
        (-0.015, -0.005, "worse", "worse"),
        (0.005, 0.015, "better", "better"),
        (-0.015, -0.005, "not separated", "equivalent"),
        (-0.05, 0.03, "better", "undecided"),
    ],
)
def test_the_verdict_is_read_from_one_interval(low: float, high: float, main: str, expected: str) -> None:
    assert margin_verdict(Interval(low, high, 0.95, "t"), 0.02, main) == expected
    assert margin_verdict(None, 0.02, main) == "undecided"
    # Seen from B, every word is the mirror image.
    assert margin_verdict(Interval(-high, -low, 0.95, "t"), 0.02, MIRRORED.get(main, main)) == MIRRORED.get(
        expected, expected
    )


MIRRORED = {"better": "worse", "worse": "better", "not worse": "not better", "not better": "not worse"}

clustered_scores = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 6)), min_size=2, max_size=40)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(clustered_scores, st.sampled_from(["binary", "ratings", "clusters"]), st.sampled_from([0.1, 0.4, 1.5]))
def test_swapping_the_systems_mirrors_every_word(scores: list[tuple[int, int, int]], kind: str, margin: float) -> None:
    a, b, groups = (list(column) for column in zip(*scores, strict=True))
    if kind == "binary":
        a, b = [int(x > 1) for x in a], [int(x > 2) for x in b]
        margin = min(margin, 0.9)
    clusters = groups if kind == "clusters" else None
    stated = {} if kind == "binary" else {"low": 0, "high": 4}
    one = nf.compare(as_sample(a, b, clusters=clusters), margin=margin, **stated)
    two = nf.compare(as_sample(b, a, clusters=clusters), margin=margin, **stated)
    assert two.verdict == MIRRORED.get(one.verdict, one.verdict)
    assert two.margin_verdict == MIRRORED.get(one.margin_verdict, one.margin_verdict)
    for result in (one, two):
        # better and worse are said only where the main test says so, and "better" always passes the gate.
        assert result.margin_verdict not in ("better", "worse") or result.margin_verdict == result.verdict
        passed = judge_claim(result, "not-worse").supported
        assert passed or result.margin_verdict not in ("better", "not worse", "equivalent")


def test_worse_is_not_said_against_the_main_verdict() -> None:
    # Four losses and no win: p = .125, and yet Tango's interval lies below 0.
    result = nf.compare([0] * 4 + [1] * 36, [1] * 40, margin=0.05)
    assert (result.verdict, result.margin_verdict) == ("inconclusive", "not better")
    swapped = nf.compare([1] * 40, [0] * 4 + [1] * 36, margin=0.05)
    assert (swapped.verdict, swapped.margin_verdict) == ("inconclusive", "not worse")


def codes(result: Comparison, code: str) -> list[Note]:
    return [one for one in result.notes if isinstance(one, Note) and one.code == code]


@pytest.mark.parametrize(("n", "margin", "needed"), [(30, 0.05, 59), (58, 0.05, 59), (100, 0.01, 299)])
def test_a_margin_that_cannot_be_met_is_called_blind(n: int, margin: float, needed: int) -> None:
    result = nf.compare([1, 0] * (n // 2), [1, 0] * (n // 2), margin=margin)
    (blind,) = codes(result, "compare.margin_too_small")
    assert (blind["n"], blind["needed"]) == (n, needed)
    said = claim_sentence(judge_claim(result, "not-worse"))
    assert f"{n} items are too few for a margin of {margin:g}" in said
    assert f"That takes {needed} items" in said
    assert (1 - margin) ** needed <= 0.05 < (1 - margin) ** (needed - 1)


def test_blind_margins_on_other_scores() -> None:
    # n m <= high - low: one lost item is worth more than the whole margin.
    a, b = ratings(30, 2)
    result = nf.compare(a, b, margin=0.1, low=1, high=5)
    assert codes(result, "compare.margin_too_small")
    assert not judge_claim(result, "not-worse").supported
    wide = nf.compare(a, b, margin=3, low=1, high=5)
    assert not codes(wide, "compare.margin_too_small")
    assert judge_claim(wide, "not-worse").supported


def test_the_test_of_a_margin_fits_the_scores() -> None:
    assert margin_method(as_sample([0, 1, 1], [1, 1, 0])) == "tango"
    assert margin_method(as_sample([0.1, 0.2, 0.3], [0.3, 0.1, 0.2])) == "one_lost_item"
    assert margin_method(as_sample(*ratings(100, 1))) == "one_lost_item"
    assert margin_method(as_sample([0, 1, 1], [1, 1, 0], clusters=["x", "x", "y"])) == "one_lost_item"


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
    with pytest.raises(MethodError, match="differ on 1 item: too few to tell how large a loss may be"):
        nf.test(a, b, "one_lost_item", delta=-0.05, alternative="greater")
    gate = nf.compare(a, b, margin=0.05, low=1, high=5).margin_test
    assert gate is not None
    assert gate.method == "one_lost_item"
    assert gate.p_value > 0.05


@pytest.mark.parametrize("different", [0, 1, 9])
def test_a_margin_that_cannot_be_tested_is_undecided_and_does_not_end_the_comparison(different: int) -> None:
    b = np.linspace(0.2, 0.8, 60)
    a = b + 0.1 * (np.arange(60) < different)
    result, alone = nf.compare(a, b, margin=0.1), nf.compare(a, b)
    assert (result.margin_verdict, result.margin_test, result.tests_run) == ("undecided", None, alone.tests_run)
    assert (result.verdict, result.test.p_value) == (alone.verdict, alone.test.p_value)
    (reason,) = (note for note in result.notes if note not in alone.notes)
    assert isinstance(reason, Note)
    assert (reason.code, reason["different"]) == ("compare.margin_few_different", different)
    assert f"differ on only {different} item" in str(reason)
    assert "State the range of possible scores (low=... and high=...)" in str(reason)
    claim = judge_claim(result, "not-worse")
    assert not claim.supported
    assert claim.notes == (reason,)
    assert str(reason) in claim_sentence(claim)
    # With a range the test's own rule decides, for identical outputs too.
    assert judge_claim(nf.compare(a, b, margin=0.1, low=0, high=1), "not-worse").supported


def test_a_gate_without_a_range_is_closed_with_its_reason(tmp_path: Path) -> None:
    text = "item,new,old\n" + "".join(f"q{i},0.{i + 10},0.{i + 10}\n" for i in range(60))
    (tmp_path / "same.csv").write_text(text)
    gate = ["compare", "same.csv", "--require", "not-worse", "--margin", "0.1"]
    closed = nofluke(*gate, cwd=tmp_path)
    assert closed.code == 3
    assert "Not shown: new is not worse than old by more than 0.1." in closed.err
    assert "(--low and --high)" in closed.err
    assert nofluke(*gate, "--low", "0", "--high", "1", cwd=tmp_path).code == 0


def test_the_lost_item_is_named_only_where_a_mean_lead_hangs_on_it() -> None:
    def sentence(a: list[float], b: list[float], method: str) -> str:
        result = nf.compare(a, b, margin=0.001, method=method, low=0, high=1)
        assert (result.verdict, result.margin_verdict) == ("better", "undecided")
        return verdict_text(result)

    # Most items are a little better, three are much worse: signed ranks say better, and A's mean is lower.
    worse_mean = sentence([0.51] * 40 + [0.0] * 3, [0.5] * 40 + [1.0] * 3, "wilcoxon")
    assert "badly lost item" not in worse_mean
    assert "one badly lost item would undo its lead" in sentence([0.51] * 40, [0.5] * 40, "permutation")


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
        (["better.csv", "--require", "better"], 0, "Shown: new is better than old (paired permutation test"),
        (["alike.csv", "--require", "better"], 3, "Not shown: new is better than old"),
        (["alike.csv", "--require", "not-worse", "--margin", "0.02"], 0, "Shown: new is not worse than old"),
        (["alike.csv", "--require", "not-worse", "--margin", "0.0001"], 3, "Not shown: new is not worse"),
        (["better.csv", "--a", "old", "--require", "not-worse", "--margin", "0.02"], 3, "Not shown: old is"),
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
    assert answer["tests_run"] == ["permutation", "one_lost_item"]


@pytest.mark.parametrize("test_sets", thinned([50, 200], always=1))
def test_the_gate_on_tied_scores_keeps_its_level_when_the_range_is_stated(test_sets: int) -> None:
    # Scores of .5 or .51 with a true loss of .025 on rare items at 0: the seen range would hide the loss.
    rng = np.random.default_rng(0)
    passed = 0
    for _ in range(test_sets):
        b = np.full(40, 0.5)
        a = np.where(rng.random(40) < 0.05, 0.0, 0.5)
        a[0] = 0.51
        passed += judge_claim(nf.compare(a, b, margin=0.02, low=0, high=1), "not-worse").supported
    assert passed / test_sets <= 0.05


def test_a_worse_mean_is_never_called_better() -> None:
    a = [0.5] * 40 + [0.0] * 10
    b = [0.49] * 40 + [1.0] * 10
    by_items = nf.compare(a, b, method="sign")
    assert by_items.verdict == "better"
    said = verdict_text(by_items)
    assert said.startswith("A is better than B on more items than it is worse on (p = ")
    assert said.endswith("This says nothing about the mean score.")
    assert "CI" not in said
    with pytest.raises(InputError, match="another question"):
        judge_claim(by_items, "better")
    with pytest.raises(InputError, match="without a margin"):
        judge_claim(by_items, "not-worse")


@pytest.mark.parametrize("sizes", [(50, 50), (30, 70)])
def test_averages_of_right_answers_have_mover_whatever_their_sizes(sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(13)
    rows = [
        (task, f"{task}{item}", int(rng.random() < 0.8), int(rng.random() < 0.7))
        for task, size in zip("xy", sizes, strict=True)
        for item in range(size)
    ]
    scores = nf.read(pd.DataFrame(rows, columns=["task", "item", "A", "B"]))
    averaged, pooled = (nf.compare(scores, a="A", b="B", margin=0.1, weights=how) for how in ("equal", "items"))
    assert averaged.margin_test is not None
    assert pooled.margin_test is not None
    assert (averaged.margin_test.method, pooled.margin_test.method) == ("mover", "tango")
    # The power curve draws from every dataset by itself.
    assert 0 < nf.power_curve(scores.pair("A", "B"), margin=0.1, sizes=[100, 200], iterations=50).power[0] <= 1
