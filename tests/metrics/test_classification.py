"""Classification metrics against scikit-learn, their statistics, and broken label files."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.metrics.classification import accuracy, balanced_accuracy, mcc
from nofluke.metrics.classification_f1 import f1, precision, recall
from nofluke.metrics.statistics import ItemStatistics
from nofluke.types import note

METRICS: dict[str, Callable[..., ItemStatistics]] = {"precision": precision, "recall": recall, "f1": f1}
ORACLES = {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score}
stable = settings(deadline=None, derandomize=True, max_examples=40)
# Gold of up to four classes; predictions may also use a label that gold never has.
decisions = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcdz")), min_size=1, max_size=40)


def score(statistics: ItemStatistics, rows: slice = slice(None)) -> float:
    values = statistics.values[rows]
    return float(statistics.aggregate(values.sum(axis=0), float(len(values))))


def sides(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [guess for _, guess in pairs], [truth for truth, _ in pairs]


@stable
@given(decisions)
def test_accuracy_and_balanced_accuracy(pairs: list[tuple[str, str]]) -> None:
    output, gold = sides(pairs)
    assert score(accuracy(output, gold)) == pytest.approx(sk.accuracy_score(gold, output), rel=1e-14)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of labels that gold never has
        assert score(balanced_accuracy(output, gold)) == pytest.approx(
            sk.balanced_accuracy_score(gold, output), rel=1e-13
        )


@stable
@given(decisions)
def test_mcc(pairs: list[tuple[str, str]]) -> None:
    output, gold = sides(pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of a single label
        # Labels that gold never has are one label, so that all systems have the same columns.
        wanted = sk.matthews_corrcoef(gold, [guess if guess in gold else "other" for guess in output])
    assert score(mcc(output, gold)) == pytest.approx(wanted, rel=1e-12, abs=1e-14)


@stable
@given(decisions, st.sampled_from(["precision", "recall", "f1"]), st.sampled_from(["macro", "weighted", "micro"]))
def test_averages_over_the_classes_of_gold(pairs: list[tuple[str, str]], name: str, average: str) -> None:
    output, gold = sides(pairs)
    # Pooled decisions count every prediction; averages have the classes of gold, the same for all systems.
    labels = None if average == "micro" else sorted(set(gold))
    wanted = ORACLES[name](gold, output, labels=labels, average=average, zero_division=0)
    found = METRICS[name](output, gold, average=average)
    assert score(found) == pytest.approx(wanted, rel=1e-13, abs=1e-15)
    assert (found.aggregate.ratio is not None) == (average == "micro")


@stable
@given(decisions)
def test_zero_nan_leaves_classes_out_of_the_mean(pairs: list[tuple[str, str]]) -> None:
    output, gold = sides(pairs)
    if not set(gold) & set(output):
        assert np.isnan(score(precision(output, gold, zero="nan")))
        return
    labels = sorted(set(gold))
    wanted = sk.precision_score(gold, output, labels=labels, average="macro", zero_division=np.nan)
    assert score(precision(output, gold, zero="nan")) == pytest.approx(wanted, rel=1e-13, abs=1e-15)


@stable
@given(decisions, st.sampled_from(["precision", "recall", "f1"]))
def test_one_positive_label(pairs: list[tuple[str, str]], name: str) -> None:
    output, gold = sides([("a", "a"), *pairs])
    wanted = ORACLES[name](gold, output, labels=["a"], average="macro", zero_division=0)
    found = METRICS[name](output, gold, positive="a")
    assert score(found) == pytest.approx(wanted, rel=1e-14)
    assert found.values.dtype == np.float64
    assert set(np.unique(found.values)) <= {0.0, 1.0}
    assert found.signature == f"{name}|positive:a"


@stable
@given(decisions, st.integers(0, 40))
def test_statistics_of_parts_add_up(pairs: list[tuple[str, str]], cut: int) -> None:
    output, gold = sides(pairs)
    everything: list[tuple[Any, dict[str, str]]] = [(accuracy, {}), (balanced_accuracy, {}), (mcc, {})]
    everything += [(metric, {"average": average}) for metric in METRICS.values() for average in ("macro", "micro")]
    for metric, options in everything:
        found = metric(output, gold, **options)
        parts = found.values[:cut].sum(axis=0) + found.values[cut:].sum(axis=0)
        assert parts.tolist() == found.values.sum(axis=0).tolist()
        assert found.values.shape == (len(gold), len(found.names))
        assert not found.values.flags.writeable
        # Any leading axes: the score of two resamples at once is the two scores.
        both = found.aggregate(np.stack([parts, parts]), float(len(gold)))
        assert both.tolist() == pytest.approx([score(found)] * 2, nan_ok=True)


def test_a_resample_without_a_class() -> None:
    found = balanced_accuracy(["a", "b", "a"], ["a", "b", "b"])
    assert score(found, slice(0, 1)) == 1.0
    macro = recall(["a", "b", "a"], ["a", "b", "b"])
    assert score(macro, slice(0, 1)) == 0.5
    assert score(recall(["a", "b", "a"], ["a", "b", "b"], zero="nan"), slice(0, 1)) == 1.0


def test_notes_say_what_was_decided() -> None:
    found = precision(["a", "z", "a"], ["a", "b", "b"])
    assert list(map(str, found.notes)) == [
        "Labels that gold never has count as wrong: z (on 1 item).",
        "Never predicted, so that the precision is 0 / 0 and counts as 0: b.",
    ]
    alone = precision(["b", "b"], ["a", "b"], positive="a")
    assert np.isnan(score(alone))
    assert list(map(str, alone.notes)) == ["a is never predicted: its precision is 0 / 0, not a number."]
    assert mcc(["a", "a"], ["a", "b"]).notes == (note("metric.one_label"),)


def test_glue_files_are_matched_by_index(tmp_path: Path) -> None:
    (tmp_path / "SST-2.tsv").write_text("index\tprediction\n1\tneg\n0\tpos\n2\tpos\n")
    (tmp_path / "gold.tsv").write_text("index\tlabel\n0\tpos\n1\tneg\n2\tneg\n")
    found = nf.score("accuracy", {"A": tmp_path / "SST-2.tsv"}, tmp_path / "gold.tsv")
    assert found.statistics[:, 0].tolist() == [1.0, 1.0, 0.0]
    assert found.item.labels == ("0", "1", "2")


def test_a_running_index_pairs_with_plain_lines(tmp_path: Path) -> None:
    (tmp_path / "out.tsv").write_text("index\tprediction\n0\tpos\n1\tneg\n")
    (tmp_path / "gold.txt").write_text("pos\npos\n")
    found = nf.score("accuracy", {"A": tmp_path / "out.tsv"}, tmp_path / "gold.txt")
    assert found.statistics[:, 0].tolist() == [1.0, 0.0]


def test_columns_by_name_and_number(tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    path.write_text('item,gold,text,guess\n1,"a, b","x, y","a, b"\n2,c,z,d\n')
    for column, gold_column in (("guess", "gold"), ("4", "2"), ("Guess", "2")):
        for named in (
            {"column": column, "gold_column": gold_column},
            {"columns": {"output": column, "gold": gold_column}},
        ):
            assert nf.score("accuracy", {"A": path}, path, **named).statistics[:, 0].tolist() == [1.0, 0.0]


def broken(tmp_path: Path, output: str, gold: str, **options: str) -> str:
    for name, text in (("out.tsv", output), ("gold.txt", gold)):
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        nf.score("accuracy", {"A": tmp_path / "out.tsv"}, tmp_path / "gold.txt", **options)
    return str(caught.value).replace(f"{tmp_path}/", "")


def test_broken_files(tmp_path: Path) -> None:
    glue = "index\tprediction\n0\ta\n1\tb\n"
    assert broken(tmp_path, glue, "a\n") == (
        "out.tsv: 2 labels, and gold.txt has 1.\n  fix: give one label for every item of the gold file."
    )
    assert broken(tmp_path, "index\tprediction\n0\ta\n1\n", "a\nb\n") == (
        "out.tsv line 3: 1 field, and the header has 2 (separated by a tab).\n"
        "  fix: give every row 2 fields; write a cell that contains the delimiter in quotation marks."
    )
    assert broken(tmp_path, "index\tprediction\n0\ta\n0\tb\n", "a\nb\n") == (
        "out.tsv line 3: item '0' was already given on line 2.\n  fix: give every item once; "
        "name a column that tells them apart: columns={'dataset': NAME} (or run, or system)."
    )
    assert (
        broken(tmp_path, f"{glue}2\tb\n", "a\n\nb\n")
        == "gold.txt line 2: the label is empty.\n  fix: give every item a label."
    )
    assert broken(tmp_path, glue, "index\tlabel\n0\ta\n7\tb\n") == (
        "out.tsv line 3: item '1' is not in gold.txt (1 such item).\n"
        "  fix: give outputs for items of the gold file only."
    )
    assert broken(tmp_path, "index\tprediction\n5\ta\n3\tb\n", "a\nb\n") == (
        "out.tsv line 2: the items have ids that do not simply count up, and the other file has none.\n"
        "  fix: give ids on both sides, so that items can be matched."
    )
    assert broken(tmp_path, glue, "a\nb\n", column="predictions") == (
        "out.tsv: there is no column 'predictions'.\n"
        "  fix: did you mean 'prediction'? choose one of: index, prediction."
    )
    assert broken(tmp_path, "cnn\tlstm\na\tb\n", "a\n") == (
        "out.tsv line 1: which column holds the predictions? The first line has cnn, lstm.\n"
        "  fix: call the system like its column ({NAME: FILE}), or name it: columns={'output': NAME}; "
        "format='lines' takes every line as it is."
    )
    assert broken(tmp_path, "", "a\n") == "out.tsv: there are no labels.\n  fix: give one label per line."


def test_a_quote_that_does_not_close(tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text('id,label\n1,"a\n2,b\n')
    with pytest.raises(InputError, match=r"out\.csv line 2: a quoted cell is not closed"):
        nf.score("accuracy", {"A": tmp_path / "out.csv"}, ["a", "b"])


def test_wrong_encoding_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_bytes("gut\nschön\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"out\.txt line 2: byte 0xf6 is not UTF-8 text"):
        accuracy(tmp_path / "out.txt", ["gut", "schön"])


def test_options_that_do_not_fit() -> None:
    with pytest.raises(InputError, match="there is no label in gold 'pos'"):
        f1(["a"], ["a"], positive="pos")
    with pytest.raises(MethodError, match="scores one label, and average = 'micro' all of them"):
        f1(["a"], ["a"], positive="a", average="micro")
    many = [str(i) for i in range(6000)]
    with pytest.raises(MethodError, match="6,000 classes on 6,000 items needs too large a table"):
        f1(many, many)
