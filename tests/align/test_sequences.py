"""Plain sequences become a sample, or an error that says which value is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from nofluke.align import as_sample
from nofluke.errors import InputError


@pytest.mark.parametrize(
    "make",
    [list, tuple, np.array, pd.Series, pl.Series, pa.array],
    ids=["list", "tuple", "numpy", "pandas", "polars", "arrow"],
)
def test_any_sequence_of_numbers_will_do(make: Any) -> None:
    sample = as_sample(make([0.5, 1.0, 0.25]), make([0.25, 1.0, 0.5]))
    assert sample.scores(0).tolist() == [0.5, 1.0, 0.25]
    assert sample.n == 3


def test_booleans_are_zero_and_one() -> None:
    assert as_sample([True, False], np.array([False, False])).scores(0).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("a", "b", "message", "where"),
    [
        ([1, 2, 3], [1, 2], "A has 3 scores and B has 2; paired scores need one of each for every item.", ""),
        ([1, "x"], [1, 2], "score 'x' is not a number.", "A[1]"),
        ([1, "2"], [1, 2], "score '2' is not a number.", "A[1]"),
        ([1, 2], [1, float("inf")], "score inf is not finite (1 like this).", "B[1]"),
        (np.array([1, np.inf], np.float32), np.zeros(2), "score inf is not finite (1 like this).", "A[1]"),
        ([1, None], [1, 2], "scores are missing (nan or None): 1 of A.", "A[1]"),
        ([1, 2], [float("nan"), 2], "scores are missing (nan or None): 1 of B.", "B[0]"),
        ([], [], "there are no scores.", ""),
        ([[1, 2]], [[1, 2]], "the scores of A have 2 dimensions.", "A"),
        ([1, 2], None, "only one sequence of scores was given.", ""),
        (5, 6, "the scores of A are a int, not a sequence.", "A"),
        ("a.csv", "b.csv", "a path was given where scores are expected.", ""),
        (Path("a.csv"), None, "a path was given where scores are expected.", ""),
        ({"new": [1, 2], "old": [1, 1]}, None, "a mapping was given where two systems are compared.", ""),
        ({1: 2}, {1: 2}, "the scores of A are a dict, not a sequence.", "A"),
        ([10**400], [1], "score 100000000000000000000000000000 is not a number that a double can hold.", "A[0]"),
        (pd.DataFrame({"a": [1]}), None, "a table of scores was given where two systems are compared.", ""),
        (
            pd.Series([1, 2], index=["x", "y"]),
            pd.Series([1, 2], index=["y", "x"]),
            "A and B are Series with different indexes, and scores are matched by position.",
            "",
        ),
        (np.ma.masked_array([1.0, 2.0], [False, True]), [1, 2], "scores are missing (nan or None): 1 of A.", "A[1]"),
        ([1e200, 2], [1, 2], "the largest score is 1e+200, where arithmetic with doubles fails.", ""),
        ([1e-200, 2e-200], [0, 0], "the largest score is 2e-200, where arithmetic with doubles fails.", ""),
        ([1, 1j], [1, 2], "score 1j is not a number.", "A[1]"),
    ],
)
def test_bad_sequences_are_refused(a: Any, b: Any, message: str, where: str) -> None:
    with pytest.raises(InputError) as caught:
        as_sample(a, b)
    assert (caught.value.message, caught.value.where) == (message, where)
    assert caught.value.fix or message == "there are no scores."


def test_missing_scores_can_be_dropped_for_both() -> None:
    sample = as_sample([1, None, 3, 4], [1, 2, float("nan"), 3], missing="drop")
    assert sample.scores(0).tolist() == [1, 4]
    assert sample.alignment.dropped == 2
    assert sample.alignment.missing == {"A": 1, "B": 1}


def test_unpaired_sequences_may_differ_in_length() -> None:
    sample = as_sample([1, 2, 3], [4, 5], paired=False)
    assert sample.lengths == (3, 2)
    assert sample.scores(1).tolist() == [4, 5]


def test_the_sample_cannot_be_changed() -> None:
    source = np.array([1.0, 2.0])
    sample = as_sample(source, source)
    source[0] = 9
    assert sample.scores(0)[0] == 1
    with pytest.raises(ValueError, match="read-only"):
        sample.scores(0)[0] = 5
