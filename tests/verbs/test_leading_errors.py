"""Errors and notes that lead on: they name what was given, and advise only what helps."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.words import short

A, B = [0.1, 0.3, 0.5, 0.5, 0.7], [0.2, 0.1, 0.2, 0.1, 0.6]


def test_a_margin_or_level_beyond_reason_is_named_as_given() -> None:
    with pytest.raises(InputError, match=r"margin = 1e\+09 is far beyond all scores"):
        nf.compare(A, B, margin=1e9)
    with pytest.raises(InputError, match="alpha = 1e-30 is too near to 0"):
        nf.compare(A, B, alpha=1e-30)
    assert nf.compare(A, B, alpha=1e-14).alpha == 1e-14


@pytest.mark.parametrize(
    ("stated", "flag"),
    [
        ({"difference": 0.01}, "--sd"),
        ({"sd": 1}, "--difference"),
        ({"accuracy_a": 0.9, "accuracy_b": 0.8}, "--disagreement"),
        ({"accuracy_a": 0.9}, "--accuracy-b"),
        ({"disagreement": 0.1}, "--prob-a-better"),
    ],
)
def test_plans_ask_for_options_as_they_are_typed(stated: dict[str, float], flag: str) -> None:
    with pytest.raises(InputError) as caught:
        nf.sample_size(**stated)
    assert flag in caught.value.said("shell")
    assert "--" not in caught.value.said("python")


def test_what_cannot_help_is_not_offered() -> None:
    """Three systems without a common item: neither leaving items out nor pairs on their own items would do."""
    scores = np.round(np.random.default_rng(1).random((30, 3)), 3)
    scores[:10, 0] = scores[10:20, 1] = scores[20:, 2] = np.nan
    table = nf.read(pd.DataFrame(scores, columns=["a", "b", "c"]))
    with pytest.raises(InputError) as caught:
        nf.rank(table)
    said = caught.value.said("shell")
    assert "--missing pairwise" not in said
    assert "--systems a,b --missing drop" in said
    scores[0] = 0.5
    with pytest.raises(InputError) as caught:
        nf.rank(nf.read(pd.DataFrame(scores, columns=["a", "b", "c"])))
    assert "--missing pairwise" in caught.value.said("shell")


def test_items_left_out_are_told_of_where_they_change_nothing() -> None:
    rng = np.random.default_rng(3)
    b = np.round(rng.random(300) / 2, 3)
    a = b + 0.4
    a[0] = np.nan
    table = nf.read(pd.DataFrame({"A": a, "B": b}))
    found = nf.compare(table, a="A", b="B", missing="drop", low=0, high=1)
    assert "1 left-out item" in " ".join(short(found).split())


def test_one_pair_shares_no_systems() -> None:
    assert not [one for one in nf.rank({"A": A, "B": B}, adjust="bh").notes if one.code == "rank.bh"]
    assert [one for one in nf.rank({"A": A, "B": B, "C": A[::-1]}, adjust="bh").notes if one.code == "rank.bh"]


def test_an_interval_without_ends_is_not_a_lead_by_infinity() -> None:
    assert "infinity" not in short(nf.rank({"A": A, "B": B}))
