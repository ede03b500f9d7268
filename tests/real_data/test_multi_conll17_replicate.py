"""CoNLL 2017: one score a treebank is no evidence about single treebanks, and the tool says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError

NAME = "multi_conll17_treebanks"


def test_treebanks_without_items_cannot_be_counted(data: Callable[[str], Path]) -> None:
    table = nf.read(data(NAME) / "las.csv", dataset="treebank")
    with pytest.raises(InputError, match="one score only"):
        nf.replicate(table, a="Stanford", b="C2L2")


def test_treebanks_as_items_are_one_dataset(data: Callable[[str], Path]) -> None:
    table = nf.read(data(NAME) / "las.csv", item="treebank")
    with pytest.raises(InputError, match="one dataset"):
        nf.replicate(table, a="Stanford", b="C2L2")
    # The question that these data can answer: is one better across treebanks as a whole?
    sample = table.pair("Stanford", "C2L2")
    assert sample.n == 81
    assert nf.test(sample, "wilcoxon").p_value < 0.001
