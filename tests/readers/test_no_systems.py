"""Columns of numbers that are no systems: by what they hold, told to the user, and taken if she says so."""

from __future__ import annotations

import io

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.types import note

SCORES = np.random.default_rng(4).random((30, 3)).round(3)


def table(name: str, cells: list[object], scores: np.ndarray = SCORES) -> io.StringIO:
    rows = [f"q{i},{cell},{','.join(map(str, row))}" for i, (cell, row) in enumerate(zip(cells, scores, strict=True))]
    return io.StringIO(f"item,{name},A,B,C\n" + "\n".join(rows) + "\n")


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("n_tokens", [5 + i % 7 for i in range(30)]),
        ("baseline_chars", [1000 + i for i in range(30)]),
        ("length", [3 + i % 4 for i in range(30)]),
        ("year", [1990 + i % 9 for i in range(30)]),
        ("sentence_id", list(range(100, 130))),
        ("pair", list(range(1, 31))),
        ("number", list(range(30))),
        ("time", [150.5 + i for i in range(30)]),
        ("temperature", [0.7] * 30),
        ("top_p", [0.95] * 30),
        ("learning_rate", [0.1 + i / 100 for i in range(30)]),
    ],
)
def test_they_are_left_aside_and_told(name: str, cells: list[object]) -> None:
    scores = nf.read(table(name, cells))
    assert scores.systems == ("A", "B", "C")
    assert any(name in str(note) for note in scores.sources[0].notes)
    named = nf.read(table(name, cells), score=f"{name},A,B,C")
    assert named.systems == (name, "A", "B", "C")


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("n_gram", [round(i / 31, 3) for i in range(30)]),
        ("bag_of_words", [i % 2 for i in range(30)]),
        ("no_attention", [0.5] * 30),
        ("D", [1.2] * 30),
    ],
)
def test_systems_with_such_names_stay(name: str, cells: list[object]) -> None:
    assert nf.read(table(name, cells)).systems == (name, "A", "B", "C")


def test_two_systems_on_two_scales_are_not_told_apart() -> None:
    """With two columns nothing says which scale is the usual one."""
    text = "item,A,B\n" + "".join(f"q{i},{i / 10},{i * 100}\n" for i in range(12))
    assert nf.read(io.StringIO(text)).systems == ("A", "B")


def test_a_column_that_repeats_is_named_as_a_possible_cluster() -> None:
    text = "item,chapter,A,B\n" + "".join(f"q{i},c{i // 5},{i / 10},{i / 20}\n" for i in range(20))
    notes = nf.read(io.StringIO(text)).sources[0].notes
    assert note("read.perhaps_groups", column="chapter") in notes
    assert "columns={'cluster': 'chapter'}" in str(notes[-1])
    assert "columns={'dataset': 'chapter'}" in str(notes[-1])
    assert len(nf.read(io.StringIO(text), cluster="chapter").cluster.labels) == 4
    assert nf.read(io.StringIO(text), dataset="chapter").datasets == ("c0", "c1", "c2", "c3")


def test_gold_is_never_a_system() -> None:
    text = "item,gold,A,B\n" + "".join(f"q{i},{i % 2},{i % 3 % 2},{i % 2}\n" for i in range(20))
    with pytest.raises(InputError, match="'gold' is named like gold"):
        nf.read(io.StringIO(text))
    assert nf.read(io.StringIO(text), score="A,B").systems == ("A", "B")
    assert nf.read(io.StringIO(text), ignore="gold").systems == ("A", "B")
    assert nf.read(io.StringIO(text), score="gold,A,B").systems == ("gold", "A", "B")
    labelled = text.replace(",0", ",no").replace(",1", ",yes")
    with pytest.raises(InputError, match="'gold' is gold, and 'A', 'B' are outputs"):
        nf.read(io.StringIO(labelled))
    right = "item,gold,A,B\n" + "".join(f"q{i},{'yn'[i % 2]},{i % 3 % 2},{i % 2}\n" for i in range(20))
    assert nf.read(io.StringIO(right)).systems == ("A", "B")


def test_one_column_beside_gold_makes_two_systems() -> None:
    scores = nf.read(io.StringIO("item,reference,new\nq1,0.5,0.4\nq2,0.2,0.3\n"))
    assert scores.systems == ("reference", "new")
    assert note("read.gold_as_system", column="reference") in scores.sources[0].notes


@pytest.mark.parametrize(
    ("gold", "metric"),
    [
        (["yes", "no", "no"] * 4, "accuracy"),
        (["B-PER", "O", "O"] * 4, "span_f1"),
        ([f"the cat number {i} sat on the mat" for i in range(12)], "bleu"),
        ([i % 3 for i in range(12)], "accuracy"),
        ([i / 7 for i in range(12)], "spearman"),
    ],
)
def test_the_metric_that_fits_is_named(gold: list[object], metric: str) -> None:
    text = "item,gold,A,B\n" + "".join(f"q{i},{one},{one},{one}\n" for i, one in enumerate(gold))
    with pytest.raises(InputError) as told:
        nf.read(io.StringIO(text))
    assert f"--metric {metric}" in told.value.advice("shell")
    assert f"nf.score({metric!r}, FILE)" in str(told.value)
