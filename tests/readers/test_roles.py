"""Which column is what: by name, by content, by the user's word."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from nofluke.readers.aliases import ROLES
from nofluke.readers.direction import is_metric_name, lower_by_name
from nofluke.verbs.read import read


def mapping_of(text, **asked):
    return read(io.StringIO(text), **asked).sources[0].mapping


MAPPINGS = [
    ("item,doc,A,B\nx,1,1,2\n", {}, {"item": "item", "cluster": "doc", "system": "A, B"}),
    ("seg_id,document_id,A,B\nx,d,1,2\n", {}, {"item": "seg_id", "cluster": "document_id", "system": "A, B"}),
    ("nr,doc,A,B\nx,1,1,2\n", {"item": "nr"}, {"item": "nr", "cluster": "doc", "system": "A, B"}),
    ("doc,A,B\n7,1,2\n9,2,2\n", {}, {"item": "doc", "system": "A, B"}),
    ("item,speaker,A,B\nx,1,1,2\n", {}, {"item": "item", "cluster": "speaker", "system": "A, B"}),
    ("item,document,author,A,B\nx,d,1,1,2\n", {}, {"item": "item", "cluster": "document", "system": "A, B"}),
    ("item,index,A,B\nx,1,1,2\n", {}, {"item": "item", "system": "A, B"}),
    ("id,query,A,B\nx,what,1,2\n", {}, {"item": "id", "system": "A, B"}),
    ("query,A,B\nwhat,1,2\n", {}, {"item": "query", "system": "A, B"}),
    ("A,B\n1,2\n2,3\n3,9\n", {}, {"item": "row number", "system": "A, B"}),
    ("nr,A,B\n1,5,6\n2,6,7\n3,7,8\n4,8,9\n5,9,9\n", {}, {"item": "nr", "system": "A, B"}),
    ("topic,run1,run2\n1,0.5,0.6\n", {}, {"item": "topic", "system": "run1, run2"}),
    ("item,fold,A,B\nx,1,5,6\n", {}, {"item": "item", "system": "A, B", "run": "fold"}),
    ("item,fold,A,B\nx,1,5,6\n", {"item": "fold"}, {"item": "fold", "system": "A, B"}),
    ("item,system,baseline\nx,0.5,0.6\n", {}, {"item": "item", "system": "system, baseline"}),
    ("item,system,score\nx,1,0.6\nx,2,0.6\n", {}, {"item": "item", "system": "system", "score": "score"}),
    ("item,system,comet\nx,A,0.6\n", {}, {"item": "item", "system": "system", "score": "comet"}),
    (
        "item,model,method,score\nx,m,A,1\n",
        {"system": "method"},
        {"item": "item", "system": "method", "score": "score"},
    ),
    ("ITEM,A,B\nx,1,2\n", {"item": "item", "score": ["A", "B"]}, {"item": "ITEM", "system": "A, B"}),
    ("item,A,B,C\nx,1,2,3\n", {"score": "A,C"}, {"item": "item", "system": "A, C"}),
    ("item,length,A,B\nx,9,1,2\n", {"ignore": "length"}, {"item": "item", "system": "A, B"}),
    ("item,dataset,length,A,B\nx,d,9,1,2\n", {"ignore": ["length", "dataset"]}, {"item": "item", "system": "A, B"}),
    ("item,dataset,length,A,B\nx,d,9,1,2\n", {"ignore": "dataset,length"}, {"item": "item", "system": "A, B"}),
    (
        "item,system,bleu,chrf\nx,A,1,2\n",
        {"score": ["bleu", "chrf"]},
        {"item": "item", "system": "system", "score": "bleu, chrf"},
    ),
    (
        "task,language,item,A,B\nxnli,de,1,1,0\n",
        {"dataset": "task,language"},
        {"item": "item", "system": "A, B", "dataset": "task, language"},
    ),
]


@pytest.mark.parametrize(("text", "asked", "mapping"), MAPPINGS)
def test_mapping(text, asked, mapping):
    assert mapping_of(text, **asked) == mapping


def test_dataset_columns_are_joined_in_order_of_appearance():
    text = "task,language,item,A,B\nxnli,de,1,1,0\nmarc,en,1,1,0\nxnli,ar,1,1,0\nxnli,de,2,1,0\n"
    scores = read(io.StringIO(text), dataset=["task", "language"])
    assert scores.datasets == ("xnli / de", "marc / en", "xnli / ar")
    assert scores.dataset.codes.tolist() == [0, 0, 1, 1, 2, 2, 0, 0]


def test_three_dataset_columns_keep_their_rows_apart():
    rows = [(a, b, c) for c in "xy" for b in "mn" for a in "st"]
    text = "a,b,c,item,A,B\n" + "".join(f"{a},{b},{c},1,1,0\n" for a, b, c in rows)
    assert read(io.StringIO(text), dataset="a,b,c").datasets == tuple(" / ".join(row) for row in rows)


def test_several_score_columns_of_a_long_file_are_metrics():
    scores = read(io.StringIO("item,system,bleu,ter\nx,A,1,2\nx,B,3,4\n"), score="bleu,ter")
    assert scores.metrics == ("bleu", "ter")
    assert scores.statistics[:, 0].tolist() == [1, 2, 3, 4]
    assert scores.system.codes.tolist() == [0, 0, 1, 1]
    assert scores.metric.codes.tolist() == [0, 1, 0, 1]
    assert scores.higher_is_better == {"bleu": True, "ter": False}


def test_the_score_columns_name_is_the_metric():
    scores = read(io.StringIO("item,system,sentence_wer\nx,A,1\n"))
    assert scores.metrics == ("sentence_wer",)
    assert list(map(str, scores.notes)) == ["Lower sentence_wer is better, judged by 'wer' in its name."]
    assert read(io.StringIO("item,system,accuracy\nx,A,1\n")).metrics == ("accuracy",)


NOTES = [
    ("item,A,gold,B\nx,1,yes,2\n", "Columns not used: 'gold'."),
    ("treebank,A,B\nx,1,2\ny,1,2\n", "'treebank' is taken as the item: it comes first and differs in every row."),
    ("nr,A,B\n1,5,6\n2,6,7\n3,7,8\n4,8,9\n5,9,9\n", "'nr' is taken as the item: it counts the rows."),
    (",A,B\nx,1,2\n", "The index has no name, and is taken as the item."),
    ("id,document,A,B\nx,d1,1,2\ny,d2,1,2\n", "'document' differs for every item, so it is not used as cluster."),
]


@pytest.mark.parametrize(("text", "note"), NOTES)
def test_what_was_guessed_is_said(text, note):
    assert note in map(str, read(io.StringIO(text)).sources[0].notes)


def test_a_cluster_named_by_the_user_is_kept():
    text = "id,document,A,B\nx,d1,1,2\ny,d2,1,2\n"
    assert read(io.StringIO(text)).cluster is None
    cluster = read(io.StringIO(text), cluster="document").cluster
    assert cluster is not None
    assert cluster.labels == ("d1", "d2")


DIRECTIONS = {
    "WER": "wer",
    "test-wer": "wer",
    "word_error_rate": "error rate",
    "bits_per_byte": "bits per byte",
    "PER": "per",
    "tokens_per_second": None,
    "edit distance": "edit distance",
    "error_detection_f1": None,
    "power": None,
    "answer": None,
    "score": None,
}


@pytest.mark.parametrize(("name", "word"), DIRECTIONS.items())
def test_direction_is_known_by_whole_words(name, word):
    assert lower_by_name(name) == word


@pytest.mark.parametrize(
    ("name", "is_metric"), [("rouge_L", True), ("macro F1", True), ("sys1_f1", False), ("A", False)]
)
def test_a_metric_name_is_nothing_but_a_metric(name, is_metric):
    assert is_metric_name(name) is is_metric


def test_the_page_about_files_names_every_role() -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/give-your-file.md").read_text()
    assert [role for role in ROLES if f"`{role}`" not in page and f"--columns {role}=" not in page] == []
