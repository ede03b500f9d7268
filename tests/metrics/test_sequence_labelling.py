"""Span and token metrics against seqeval in both modes, and broken tag files."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqeval import metrics as seqeval
from seqeval import scheme as schemes
from seqeval.metrics.sequence_labeling import get_entities

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.metrics.sequence_labelling import span_f1, span_precision, span_recall, token_accuracy
from nofluke.metrics.spans import lenient_spans, parse_tag, strict_spans
from nofluke.metrics.statistics import ItemStatistics

METRICS: dict[str, Callable[..., ItemStatistics]] = {
    "precision": span_precision,
    "recall": span_recall,
    "f1": span_f1,
}
ORACLES = {"precision": seqeval.precision_score, "recall": seqeval.recall_score, "f1": seqeval.f1_score}
SCHEMES = {"iob1": schemes.IOB1, "iob2": schemes.IOB2, "iobes": schemes.IOBES, "bilou": schemes.BILOU}
LETTERS = {"iob1": "BI", "iob2": "BI", "iobes": "BIES", "bilou": "BILU"}
TYPES = ("PER", "LOC", "PER-X")
stable = settings(deadline=None, derandomize=True, max_examples=25)
Sentences = list[list[str]]


def tags(scheme: str) -> st.SearchStrategy[str]:
    return st.sampled_from(["O", *(f"{letter}-{kind}" for letter in LETTERS[scheme] for kind in TYPES)])


def sequences(scheme: str) -> st.SearchStrategy[list[str]]:
    return st.lists(tags(scheme), min_size=1, max_size=12)


@st.composite
def gold_spans(draw: st.DrawFn, scheme: str) -> list[str]:
    """A valid sentence of the scheme: spans with gaps between them or none."""
    sentence: list[str] = []
    before = ""
    for _ in range(draw(st.integers(1, 5))):
        kind, length = draw(st.sampled_from(["", *TYPES])), draw(st.integers(1, 3))
        if not kind:
            sentence += ["O"]
        else:
            sentence += valid(scheme, kind, length, after_same=before == kind)
        before = kind
    return sentence


def valid(scheme: str, kind: str, length: int, after_same: bool) -> list[str]:
    if scheme == "iob1":
        letters = ("B" if after_same else "I") + "I" * (length - 1)
    elif scheme == "iob2":
        letters = "B" + "I" * (length - 1)
    else:
        last, single = ("E", "S") if scheme == "iobes" else ("L", "U")
        letters = single if length == 1 else "B" + "I" * (length - 2) + last
    return [f"{letter}-{kind}" for letter in letters]


@st.composite
def corpora(draw: st.DrawFn, scheme: str) -> tuple[Sentences, Sentences]:
    """Gold sentences and outputs over the same tokens, mostly right."""
    gold = draw(st.lists(gold_spans(scheme), min_size=1, max_size=5))
    output = [
        [draw(st.one_of(st.just(tag), st.just(tag), st.just(tag), tags(scheme))) for tag in sentence]
        for sentence in gold
    ]
    return output, gold


def lines(sentences: Sentences) -> list[str]:
    return [line for sentence in sentences for line in [*(f"w{i} {tag}" for i, tag in enumerate(sentence)), ""]]


def score(statistics: ItemStatistics) -> float:
    return float(statistics.aggregate(statistics.values.sum(axis=0), float(len(statistics.values))))


def quietly(function: Callable[..., Any], *arguments: Any, **options: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(function(*arguments, **options))


@stable
@pytest.mark.parametrize("scheme", ["iob1", "iob2", "iobes"])
@given(data=st.data())
def test_lenient_spans_are_conllevals(scheme: str, data: st.DataObject) -> None:
    sentence = data.draw(sequences(scheme))
    parsed = [parse_tag(tag, "lenient") for tag in sentence]
    wanted = {(kind, start, end + 1) for kind, start, end in get_entities(sentence)}
    assert lenient_spans([tag for tag in parsed if tag]).spans == wanted


@stable
@given(sequences("bilou"))
def test_lenient_bilou_reads_last_and_unit_as_end_and_single(sentence: list[str]) -> None:
    letters = {"L": "E", "U": "S"}
    as_iobes = [letters.get(tag[0], tag[0]) + tag[1:] for tag in sentence]
    wanted = {(kind, start, end + 1) for kind, start, end in get_entities(as_iobes)}
    assert lenient_spans([parse_tag(tag, "lenient") or ("O", "") for tag in sentence]).spans == wanted


@settings(stable, max_examples=120)
@pytest.mark.parametrize("scheme", list(SCHEMES))
@given(data=st.data())
def test_strict_spans_are_seqevals(scheme: str, data: st.DataObject) -> None:
    sentence = data.draw(sequences(scheme))
    found = strict_spans([parse_tag(tag, scheme) or ("?", "?") for tag in sentence], scheme)
    entities = schemes.Tokens(sentence, SCHEMES[scheme]).entities
    assert found.spans == {(entity.tag, entity.start, entity.end) for entity in entities}
    # A sentence has no stray tag exactly when its spans cover all that is not O.
    covered = {i for _, start, end in found.spans for i in range(start, end)}
    assert (found.stray is None) == all(tag == "O" or i in covered for i, tag in enumerate(sentence))


@stable
@pytest.mark.parametrize("scheme", list(SCHEMES))
@pytest.mark.parametrize("name", list(METRICS))
@given(data=st.data())
def test_scores_are_seqevals(scheme: str, name: str, data: st.DataObject) -> None:
    output, gold = data.draw(corpora(scheme))
    metric, oracle = METRICS[name], ORACLES[name]
    strict = metric(lines(output), lines(gold), mode="strict", scheme=scheme, invalid="drop")
    wanted = quietly(oracle, gold, output, mode="strict", scheme=SCHEMES[scheme])
    assert score(strict) == pytest.approx(wanted, rel=1e-13) or (np.isnan(score(strict)) and wanted == 0)
    assert strict.signature == f"span_{name}|scheme:{scheme}|mode:strict"
    if scheme != "bilou":
        lenient = metric(lines(output), lines(gold))
        wanted = quietly(oracle, gold, output)
        assert score(lenient) == pytest.approx(wanted, rel=1e-13) or (np.isnan(score(lenient)) and wanted == 0)
        assert lenient.signature == f"span_{name}|mode:lenient"


@stable
@pytest.mark.parametrize("average", ["macro", "weighted"])
@given(data=st.data())
def test_averages_and_single_types(average: str, data: st.DataObject) -> None:
    output, gold = data.draw(corpora("iob2"))
    types = sorted({kind for sentence in gold for kind, _, _ in get_entities(sentence)})
    if not types:
        return
    # seqeval averages over types of output or gold; the types of gold alone come from its table by type.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = seqeval.classification_report(gold, output, output_dict=True)
    weights = [report[kind]["support"] if average == "weighted" else 1 for kind in types]
    for name, column in (("precision", "precision"), ("recall", "recall"), ("f1", "f1-score")):
        wanted = np.average([report[kind][column] for kind in types], weights=weights)
        found = METRICS[name](lines(output), lines(gold), average=average)
        assert score(found) == pytest.approx(float(wanted), rel=1e-12, abs=1e-15)
        assert found.names[: len(types)] == tuple(f"matched:{kind}" for kind in types)
        one = METRICS[name](lines(output), lines(gold), type=types[0])
        wanted_one = report[types[0]][column]
        assert score(one) == pytest.approx(wanted_one, rel=1e-13) or (np.isnan(score(one)) and wanted_one == 0)


@stable
@given(corpora("iob2"), st.integers(0, 5))
def test_statistics_of_parts_add_up(corpus: tuple[Sentences, Sentences], cut: int) -> None:
    output, gold = corpus
    whole = span_f1(lines(output), lines(gold))
    tokens = token_accuracy(lines(output), lines(gold))
    assert score(tokens) == pytest.approx(quietly(seqeval.accuracy_score, gold, output), rel=1e-14)
    assert whole.values.shape == (len(gold), 3)
    if 0 < cut < len(gold):
        parts = [
            span_f1(lines(output[part]), lines(gold[part])).values for part in (slice(0, cut), slice(cut, len(gold)))
        ]
        assert np.vstack(parts).tolist() == whole.values.tolist()


def test_an_invalid_start_costs_a_span_in_strict_mode_only() -> None:
    gold = ["w B-PER", "w I-PER", "", "w O", "w B-LOC", ""]
    output = ["w I-PER", "w I-PER", "", "w O", "w B-LOC", ""]
    assert score(span_f1(output, gold)) == 1.0
    strict = span_f1(output, gold, mode="strict", invalid="drop")
    assert strict.values.tolist() == [[0, 0, 1], [1, 1, 1]]
    assert list(map(str, strict.notes)) == [
        "1 sentence has tags that make no valid iob2 span and count as none: output line 1."
    ]
    with pytest.raises(InputError) as caught:
        span_f1(output, gold, mode="strict")
    assert str(caught.value) == (
        "output line 1: 'I-PER' makes no valid iob2 span here.\n"
        "  fix: mend the tags, or give invalid='drop' or mode='lenient'."
    )


def test_documents_are_clusters(tmp_path: Path) -> None:
    sentence = "Mia B-PER\nruns O\n\n"
    text = ("-DOCSTART- O\n\n" + sentence * 3) * 4
    (tmp_path / "gold.txt").write_text(text)
    (tmp_path / "plain.txt").write_text(sentence * 12)
    outputs = {"A": tmp_path / "gold.txt", "B": tmp_path / "plain.txt"}
    for metric in ("span_f1", "token_accuracy"):
        scores = nf.score(metric, outputs, tmp_path / "gold.txt", cache=False)
        assert scores.cluster is not None
        sample = scores.pair()
        assert sample.clusters is not None
        assert sample.clusters.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
        assert scores.pair(clusters=False).clusters is None
        assert nf.score(metric, outputs, tmp_path / "plain.txt", cache=False).cluster is None


def test_conlleval_files_hold_gold_and_output_beside_each_other(tmp_path: Path) -> None:
    path = tmp_path / "both.txt"
    path.write_text(
        "-DOCSTART- -X- O O\n\nMia NNP B-PER B-PER\nruns VB O B-LOC\n\n\n-DOCSTART- -X- O O\n\nOslo NNP B-LOC O\n"
    )
    found = span_f1(path, path, gold_column=-2)
    assert found.values.tolist() == [[1, 2, 1], [0, 0, 1]]
    assert token_accuracy(path, path, gold_column=3).values.tolist() == [[1, 2], [0, 1]]


def broken(tmp_path: Path, output: str, gold: str, **options: Any) -> str:
    for name, text in (("out.txt", output), ("gold.txt", gold)):
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        span_f1(tmp_path / "out.txt", tmp_path / "gold.txt", **options)
    return str(caught.value).replace(f"{tmp_path}/", "")


def test_broken_files(tmp_path: Path) -> None:
    gold = "Mia B-PER\nruns O\n\nOslo B-LOC\n"
    assert broken(tmp_path, "Mia B-PER\n\nOslo B-LOC\n", gold) == (
        "out.txt line 1: sentence 1 has 1 tokens, and 2 in gold.txt (line 1).\n"
        "  fix: give both files the same sentences and tokens, with a blank line after each sentence."
    )
    assert broken(tmp_path, "Mia B-PER\nran O\n\nOslo B-LOC\n", gold) == (
        "out.txt line 2: the token is 'ran', and 'runs' in gold.txt (line 2).\n"
        "  fix: give both files the same sentences and tokens."
    )
    assert broken(tmp_path, "Mia B-PER\nruns O\n", gold) == (
        "out.txt: 1 sentence, and gold.txt has 2.\n"
        "  fix: give both files the same sentences, with a blank line after each."
    )
    assert broken(tmp_path, "Mia X-PER\nruns O\n\nOslo B-LOC\n", gold) == (
        "out.txt line 1: 'X-PER' is not a tag of any known scheme.\n"
        "  fix: tags are O or a letter of I, B, E, S, L, U and a type (B-PER); check the scheme and the column."
    )
    assert broken(tmp_path, "Mia S-PER\nruns O\n\nOslo B-LOC\n", gold, mode="strict") == (
        "out.txt line 1: 'S-PER' is not a tag of iob2.\n"
        "  fix: tags are O or a letter of I, B and a type (B-PER); check the scheme and the column."
    )
    assert broken(tmp_path, gold, gold, mode="strict", scheme="iobes") == (
        "gold.txt line 1: 'B-PER' makes no valid iobes span here.\n"
        "  fix: gold must be valid: give the scheme it is written in, or mode='lenient'."
    )
    assert broken(tmp_path, gold, gold, column=3) == (
        "out.txt line 1: there is no column 3; the line has 2.\n"
        "  fix: give the column of the tags, counted from 1, or back from the last with -1."
    )
    assert broken(tmp_path, "\n\n", gold) == "out.txt: there are no tokens.\n  fix: give one token and tag per line."
    assert broken(tmp_path, "Mia\t\nruns\tO\n\nOslo\tB-LOC\n", gold).startswith("out.txt line 1: the tag is empty.")


def test_options_that_do_not_fit() -> None:
    with pytest.raises(InputError, match="there is no span type in gold 'MISC'"):
        span_f1(["w B-PER"], ["w B-PER"], type="MISC")
    with pytest.raises(MethodError, match="scores one type, and average = 'macro' all of them"):
        span_f1(["w B-PER"], ["w B-PER"], type="PER", average="macro")
    note = span_f1(["w B-PER", "w B-LOC"], ["w B-PER", "w O"], average="macro").notes
    assert list(map(str, note)) == ["Types that gold never has are not in the average: LOC."]
