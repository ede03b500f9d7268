"""One label in several spellings is one label, whichever columns mix them; names that differ in case stay apart."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError

NUMBERS = [("1", "1.0", "0.0"), ("0", "0.0", "1.0"), ("1", "1.0", "1.0"), ("1.0", "1.0", "0.0"), ("0.50", ".5", "5e-1")]
TRUTHS = [("true", "True", "False"), ("true", "TRUE", "True"), ("false", "False", "True"), ("True", "True", "False")]


def wide(folder: Path, rows: list[tuple[str, str, str]]) -> Path:
    path = folder / "wide.csv"
    path.write_text("item,gold,A,B\n" + "".join(f"{i},{','.join(row)}\n" for i, row in enumerate(rows)))
    return path


def accuracies(path: Path) -> list[float]:
    pair = nf.score("accuracy", path, cache=False).pair("A", "B")
    return [pair.score(0), pair.score(1)]


@pytest.mark.parametrize(
    ("rows", "meant"),
    [(NUMBERS, lambda label: Fraction(float(label))), (TRUTHS, str.casefold)],
    ids=["numbers", "truths"],
)
def test_a_column_that_mixes_spellings(
    tmp_path: Path, rows: list[tuple[str, str, str]], meant: Callable[[str], Any]
) -> None:
    """Every rotation, so that each spelling comes first once; the oracle compares what the labels mean."""
    for turn in range(len(rows)):
        turned = rows[turn:] + rows[:turn]
        right = [sum(meant(row[0]) == meant(row[side]) for row in turned) / len(turned) for side in (1, 2)]
        assert accuracies(wide(tmp_path, turned)) == right


def test_every_metric_of_labels_folds_alike(tmp_path: Path) -> None:
    mixed = wide(tmp_path, NUMBERS[:4])
    metrics = [("accuracy", {}), ("balanced_accuracy", {}), ("mcc", {}), ("f1", {}), ("f1", {"labels": "both"})]
    metrics += [("f1", {"positive": "1"}), ("recall", {"positive": "1.0"})]
    for metric, options in metrics:
        found = nf.score(metric, mixed, cache=False, **options).pair("A", "B")
        plain = [[str(int(float(cell))) for cell in column] for column in zip(*NUMBERS[:4], strict=True)]
        positive = {"positive": "1"} if options.get("positive") else options
        same = nf.score(metric, {"A": plain[1], "B": plain[2]}, plain[0], cache=False, **positive).pair("A", "B")
        assert [found.score(0), found.score(1)] == [same.score(0), same.score(1)], metric


def test_what_was_folded_is_said(tmp_path: Path) -> None:
    notes = [str(note) for note in nf.score("accuracy", wide(tmp_path, NUMBERS[:4]), cache=False).notes]
    assert any("'1' and '1.0'" in note and "one label" in note for note in notes), notes
    plain = wide(tmp_path, [("x", "x", "y"), ("y", "y", "y")])
    assert not any("one label" in str(note) for note in nf.score("accuracy", plain, cache=False).notes)


def test_names_that_differ_in_case_are_kept_apart_and_named(tmp_path: Path) -> None:
    rows = [("pos", "pos", "Pos"), ("Pos", "pos", "Pos"), ("neg", "neg", "neg"), ("neg", "neg", "neg")]
    path = wide(tmp_path, rows)
    assert accuracies(path) == [0.75, 0.75]
    notes = [str(note) for note in nf.score("accuracy", path, cache=False).notes]
    assert any("kept apart" in note and "'pos' and 'Pos'" in note for note in notes), notes


def test_truth_values_among_words() -> None:
    """Outputs follow the one spelling of gold; where gold has two beside a word, they may be names."""
    gold = ["true", "unknown", "false"]
    assert nf.score("accuracy", {"A": ["True", "unknown", "FALSE"]}, gold, cache=False).statistics.sum() == 3
    names = ["true", "True", "unknown"]
    assert nf.score("accuracy", {"A": ["true", "true", "unknown"]}, names, cache=False).statistics.sum() == 2


def test_codes_are_no_numbers() -> None:
    assert nf.score("accuracy", {"A": ["01", "1"]}, ["1", "01"], cache=False).statistics.sum() == 0
    with pytest.raises(NoflukeError, match="label in gold"):
        nf.score("f1", {"A": ["01", "02"]}, ["01", "02"], cache=False, positive="1")
