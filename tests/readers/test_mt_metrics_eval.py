"""mt-metrics-eval: blocks of systems, domains as datasets, documents as clusters, what was not rated."""

from __future__ import annotations

from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke
from support.score_logs import mt_metrics_eval

DOMAINS = ("news",) * 4 + ("chat",) * 4
METRIC = {"new": [0.9, 0.8, 0.7, 0.6, 0.5, 0.6, 0.7, 0.8], "old": [0.8, 0.8, 0.5, 0.6, 0.4, 0.5, 0.6, 0.7]}
PEOPLE = {
    "new": [-1, None, 0, None, -2, -3, None, -1],
    "old": [-2, None, -1, None, -2, -4, None, None],
    "ref": [None] * 8,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return mt_metrics_eval(tmp_path / "wmt99", {"BLEURT-refA": METRIC, "human:mqm": PEOPLE}, DOMAINS)


def test_domains_documents_and_metrics(folder: Path) -> None:
    scores = nf.read(folder)
    assert scores.systems == ("new", "old")
    assert scores.datasets == ("wmt99/de-en/news", "wmt99/de-en/chat")
    assert set(scores.metrics) == {"mqm", "BLEURT-refA"}
    assert scores.cluster is not None
    assert len(scores.cluster.labels) == 4
    sample = scores.pair(metric="BLEURT-refA")
    assert sample.n == 8
    # The harness averages over segments, whatever their domain.
    assert scores.groups[0].by_size


def test_what_nobody_rated_is_no_item_and_other_gaps_are_missing(folder: Path) -> None:
    scores = nf.read(folder)
    with pytest.raises(InputError, match="1 ha"):
        scores.pair(metric="mqm")
    sample = scores.pair(metric="mqm", missing="drop")
    assert sample.ids is not None
    assert [one.split("/")[-1].split()[-1] for one in sample.ids] == ["1", "3", "5", "6"]
    assert sample.higher_is_better
    told = "".join(map(str, scores.sources[0].notes))
    assert "5 segments of 8 have a score of mqm" in told
    assert "old: 1 not scored" in told


def test_loose_files_and_one_domain(tmp_path: Path) -> None:
    (tmp_path / "mine.seg.score").write_text("a 0.5\na 0.25\nb 0.125\nb 0.5\n")
    scores = nf.read(tmp_path / "mine.seg.score")
    assert (scores.systems, scores.datasets, scores.metrics) == (("a", "b"), ("segments",), ("mine",))
    folder = mt_metrics_eval(tmp_path / "wmt98", {"BLEURT-refA": METRIC}, ("news",) * 8)
    assert nf.read(folder).datasets == ("wmt98/de-en",)


def test_an_error_rate_below_zero_was_negated_and_one_above_was_not(tmp_path: Path) -> None:
    below = {name: [-value for value in own] for name, own in METRIC.items()}
    scores = nf.read(mt_metrics_eval(tmp_path / "wmt99", {"TER-refA": below, "WER-refA": METRIC}, DOMAINS))
    assert scores.higher_is_better == {"TER-refA": True, "WER-refA": False}


def test_sources_check_segments(folder: Path, tmp_path: Path) -> None:
    (folder / "sources").mkdir()
    (folder / "sources" / "de-en.txt").write_text("".join(f"Satz {at}\n" for at in range(8)))
    scores = nf.read(folder)
    assert scores.checks is not None
    assert scores.pair(metric="BLEURT-refA").n == 8


def test_a_score_of_a_system_that_is_not_the_mean_of_its_segments_is_told(folder: Path) -> None:
    (folder / "metric-scores/de-en/BLEURT-refA.sys.score").write_text("new\t0.7\nold\t0.9\n")
    told = "".join(map(str, nf.read(folder).sources[0].notes))
    assert "reports BLEURT-refA 0.9 for old" in told
    assert "for new" not in told


def test_scores_of_systems_alone_are_refused(folder: Path) -> None:
    run = nofluke("compare", str(folder / "metric-scores/de-en/BLEURT-refA.sys.score"))
    assert run.code == 2
    assert "give BLEURT-refA.seg.score" in run.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a 0.5\na 0.25\nb 0.125\n", "a has 2 segments, and b 1"),
        ("a 0.5\nb 0.25\na 0.125\nb 0.5\n", "the lines of a do not stand together"),
        ("news a 0.5\nnews a 0.25\n", "the line is no system with its score"),
        ("a None\na None\nb None\nb None\n", "no segment has a score"),
    ],
)
def test_damaged_files_are_told(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "mine.seg.score").write_text(text)
    run = nofluke("compare", str(tmp_path / "mine.seg.score"))
    assert run.code == 2
    assert said in run.err


@pytest.mark.parametrize("text", ["news d1\nnews d1\n", "news\n" * 8])
def test_documents_that_do_not_fit_are_told(text: str, folder: Path) -> None:
    (folder / "documents" / "de-en.docs").write_text(text)
    with pytest.raises(InputError, match=r"documents has 2|line 1 of documents"):
        nf.read(folder)


def test_a_table_of_another_name_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text("a\t0.5\na\t0.25\nb\t0.125\nb\t0.5\n")
    assert nf.read(tmp_path / "mine.tsv").systems == ("mine",)
    assert nf.read(tmp_path / "mine.tsv", format="mt_metrics_eval").systems == ("a", "b")
