"""The sentence of one test for a paper: what changes the number is named, in words that can be read aloud."""

from __future__ import annotations

import pandas as pd
import pytest

import nofluke as nf
from nofluke.registry import TESTS
from nofluke.types import Alignment, Scores
from nofluke.words.numbers import with_article

A, B = [1.0, 0.5, 0.3, 1.0, 0.7, 0.2], [0.0, 0.2, 0.4, 0.0, 0.6, 0.3]


def told(result: object) -> str:
    return " ".join(nf.report(result).split())


def incomplete(columns: dict[str, list[float | None]]) -> Scores:
    return nf.read(pd.DataFrame({"item": [f"q{i}" for i in range(len(columns["A"]))], **columns}))


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("bootstrap", {"resample_size": 12}, "resample size = 12"),
        ("bootstrap", {"form": "percentile", "monte_carlo": 99}, "form = percentile"),
        ("wilcoxon", {"zeros": "pratt"}, "zeros = pratt"),
        ("sign", {"tie_width": 0.15}, "tie width = 0.15"),
    ],
)
def test_options_that_change_the_number_are_named(method: str, options: dict[str, object], words: str) -> None:
    text = told(nf.test(A, B, method, **options))
    assert f"(two-sided; {words}" in text
    assert f"{words}" in nf.report(nf.test(A, B, method, **options), "latex")


def test_units_and_left_out_items_are_named() -> None:
    pair = incomplete({"A": [*A, *A, *A, *A, None], "B": [*B, *B, *B, *B, 0.5]}).pair("A", "B", unit=3, missing="drop")
    assert "(two-sided; units of 3 items (mean); items without a score left out; n = 8; alpha = 0.05)" in told(
        nf.test(pair)
    )


def test_usual_options_are_not_named() -> None:
    assert "By the paired permutation test of the mean (two-sided; n = 6; alpha = 0.05), p =" in told(
        nf.test(A, B, "permutation")
    )


def test_tests_of_persons_have_no_article() -> None:
    assert "By McNemar's test (" in told(nf.test([1, 1, 1, 0, 1], [0, 0, 1, 1, 0], "mcnemar"))
    for method in TESTS:
        label = with_article(method.label)
        assert label.startswith("the ") != ("'s " in label)


def test_one_is_one() -> None:
    assert "1 item is too few to show any difference" in str(nf.compare([1.5], [1.0]))
    assert str(Alignment(9, leftover=1)).endswith("1 item at the end did not fill a unit and was left out")
    better = {"A": [3.1, 2.2, 5.3, 4.4, 2.8, 3.9, 4.1, 3.3, None], "B": [1, 1, 2, 2, 1, 2, 2, 1, 1]}
    result = nf.compare(incomplete(better).pair("A", "B", missing="drop"))
    assert "1 item was left out because a score is missing. State the range" in " ".join(str(result).split())
