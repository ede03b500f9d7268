"""Scores written as a table come back, and systems are named after as much of their files as tells them apart."""

from __future__ import annotations

import io

import numpy as np
import pytest

import nofluke as nf
from nofluke.readers.file_names import names_of
from nofluke.readers.writing import scores_csv

FULL = (
    "item,system,dataset,metric,run,doc,score\n"
    'q1,new,en,f1,1,d1,0.1\n"q,2",new,en,f1,1,d1,0.30000000000000004\nq1,old,en,f1,1,d1,\n"q,2",old,en,f1,1,d1,1e-17\n'
)


def test_every_axis_and_every_digit_comes_back() -> None:
    scores = nf.read(io.StringIO(FULL), cluster="doc")
    written = scores_csv(scores)
    assert written.splitlines()[0] == "item,system,dataset,metric,run,cluster,score"
    again = nf.read(io.StringIO(written))
    assert np.array_equal(again.statistics, scores.statistics, equal_nan=True)
    for name in ("item", "system", "dataset", "metric", "run", "cluster"):
        assert getattr(again, name).labels == getattr(scores, name).labels
        assert np.array_equal(getattr(again, name).codes, getattr(scores, name).codes)


def test_statistics_of_a_corpus_metric_are_all_written() -> None:
    scores = nf.score("bleu", {"A": ["a b c d e"], "B": ["a b c d"]}, ["a b c d e"])
    header, *rows = scores_csv(scores).splitlines()
    assert header.split(",")[:3] == ["item", "system", "metric"]
    assert header.count("statistic") == scores.statistics.shape[1] > 1
    assert [float(cell) for cell in rows[1].split(",")[3:]] == scores.statistics[1].tolist()


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["hyp1.txt", "hyp2.txt"], ["hyp1", "hyp2"]),
        (["m.v1.txt", "m.v2.txt"], ["m.v1", "m.v2"]),
        (["a.txt", "a.csv"], ["a.txt", "a.csv"]),
        (["new/test.txt", "old/test.txt"], ["new/test", "old/test"]),
        ([".x", ".y"], [".x", ".y"]),
        (["same.txt", "same.txt"], ["same.txt", "same.txt"]),
        ([], []),
    ],
)
def test_systems_are_named_after_their_files(files: list[str], names: list[str]) -> None:
    assert names_of(files) == names
