"""Several files become one table: joined by id, or by row when there are no ids."""

from __future__ import annotations

from pathlib import Path

import pytest

from nofluke.errors import InputError
from nofluke.types import note
from nofluke.verbs.read import read


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write files into the working folder, so that paths are short and as a user gives them."""
    monkeypatch.chdir(tmp_path)

    def write_all(**files: str) -> None:
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    return write_all


def cells(scores):
    return {
        (scores.item.labels[i], scores.system.labels[s], scores.metric.labels[m]): float(value)
        for i, s, m, value in zip(
            scores.item.codes, scores.system.codes, scores.metric.codes, scores.statistics[:, 0], strict=True
        )
    }


JOINED = {("q1", "a", "score"): 1.0, ("q2", "a", "score"): 2.0, ("q1", "b", "score"): 3.0, ("q2", "b", "score"): 4.0}


@pytest.mark.parametrize("header", ["id,score\n", "item,value\n", ""], ids=["id", "item", "none"])
def test_id_and_score_are_joined_by_id(write, header):
    write(a_csv=f"{header}q1,1\nq2,2\n", b_csv=f"{header}q2,4\nq1,3\n")
    scores = read(["a.csv", "b.csv"])
    assert cells(scores) == JOINED
    assert scores.systems == ("a", "b")
    assert scores.ids_given
    assert scores.lines is not None
    assert scores.lines.tolist() == ([2, 3, 2, 3] if header else [1, 2, 1, 2])
    assert [source.name for source in scores.sources] == ["a.csv", "b.csv"]


@pytest.mark.parametrize("header", ["", "score\n"])
def test_one_number_per_line_is_matched_by_row(write, header):
    write(a_txt=f"{header}1\n2\n", b_txt=f"{header}3\n4\n")
    scores = read(["a.txt", "b.txt"])
    assert cells(scores) == {(item[1], *rest): value for (item, *rest), value in JOINED.items()}
    assert not scores.ids_given


def test_a_blank_line_between_numbers_is_a_missing_score(write):
    write(a_txt="1\n\n2\n\n", b_txt="3\n4\n5\n")
    sample = read(["a.txt", "b.txt"]).pair(missing="drop")
    assert sample.statistics[:, :, 0].tolist() == [[1, 3], [2, 5]]


def test_named_systems(write):
    write(a_csv="id,score\nq1,1\n", b_csv="id,score\nq1,3\n")
    for source in (["ours=a.csv", "base=b.csv"], {"ours": "a.csv", "base": "b.csv"}):
        scores = read(source)
        assert cells(scores) == {("q1", "ours", "score"): 1.0, ("q1", "base", "score"): 3.0}


def test_a_file_whose_name_has_an_equals_sign_is_a_file(write, tmp_path):
    (tmp_path / "lr=1.csv").write_text("item,A,B\nq1,1,2\n")
    assert read("lr=1.csv").systems == ("A", "B")


def test_a_shared_column_name_is_the_metric(write):
    write(a_csv="id,mqm\nq1,1\n", b_csv="id,mqm\nq1,3\n")
    assert set(cells(read(["a.csv", "b.csv"]))) == {("q1", "a", "mqm"), ("q1", "b", "mqm")}


def test_different_column_names_are_the_systems(write):
    write(x_csv="id,gpt\nq1,1\n", y_csv="id,claude\nq1,3\n")
    assert set(cells(read(["x.csv", "y.csv"]))) == {("q1", "gpt", "score"), ("q1", "claude", "score")}


def test_known_metrics_in_one_file_are_metrics_of_one_system(write):
    write(a_csv="id,bleu,wer\nq1,1,5\n", b_csv="id,bleu,wer\nq1,3,6\n")
    scores = read(["a.csv", "b.csv"])
    assert scores.systems == ("a", "b")
    assert scores.higher_is_better == {"bleu": True, "wer": False}
    assert cells(scores)["q1", "b", "wer"] == 6.0
    assert note("read.metrics_of_one_system", columns=("bleu", "wer")) in scores.sources[0].notes


def test_metric_like_column_names_of_several_systems_stay_systems(write):
    write(a_csv="id,sys1_rouge1,sys2_rouge1\nq1,1,5\n")
    assert read("a.csv").systems == ("sys1_rouge1", "sys2_rouge1")


def test_wide_files_add_systems(write):
    write(a_csv="item,A,B\nq1,1,2\n", b_csv="item,C\nq1,3\n")
    assert read(["a.csv", "b.csv"]).systems == ("A", "B", "C")


def test_the_same_stem_in_two_folders(write):
    write(ours__scores_csv="id,score\nq1,1\n", base__scores_csv="id,score\nq1,3\n")
    assert read(["ours/scores.csv", "base/scores.csv"]).systems == ("ours/scores", "base/scores")


REFUSED = {
    "unequal lengths": (
        {"a_txt": "1\n2\n3\n", "b_txt": "1\n2\n"},
        ["a.txt", "b.txt"],
        "a.txt and b.txt: 3 rows and 2 rows: without item ids, row i of one file is matched with row i of the other.\n"
        "  fix: give files of the same length, or with an item column.",
    ),
    "ids in one file only": (
        {"a_csv": "id,score\nq1,1\n", "b_txt": "1\n"},
        ["a.csv", "b.txt"],
        "a.csv and b.txt: one file has an item column and the other has none, so their items cannot be matched.\n"
        "  fix: name the item column of both: columns={'item': NAME}; or give both without ids, in one order.",
    ),
    "the same file twice": (
        {"a_txt": "1\n2\n"},
        ["a.txt", "a.txt"],
        "a.txt and a.txt: two files would both be the system 'a.txt'.\n  fix: name the systems: {name: path, ...}.",
    ),
    "a name for many systems": (
        {"a_csv": "item,A,B\nq1,1,2\n"},
        {"ours": "a.csv"},
        "a.csv: the file is named as the system 'ours', and it holds 2 columns of scores: A, B.\n"
        "  fix: name the score column: columns={'score': NAME}; or give the file without a system name.",
    ),
    "a name for a long file": (
        {"a_csv": "item,system,score\nq1,A,1\nq1,B,2\n"},
        ["ours=a.csv"],
        "a.csv: the file is named as the system 'ours', and it holds 2: A, B.\n"
        "  fix: give the file without a system name.",
    ),
    "a dataset column in one file": (
        {"a_csv": "id,task,score\nq1,x,1\n", "b_csv": "id,score\nq1,2\n"},
        ["a.csv", "b.csv"],
        "a.csv and b.csv: one file has a dataset column and the other has none.\n"
        "  fix: give both files the same columns.",
    ),
    "no files": ({}, [], "no files were given.\n  fix: give at least one path."),
    "not a source": (
        {},
        17,
        "scores cannot be read from int '17'.\n"
        "  fix: give a path, '-' for standard input, a list of paths, {system: path}, or a data frame.",
    ),
}


@pytest.mark.parametrize(("files", "source", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_does_not_fit_together_is_refused(write, files, source, message):
    write(**files)
    with pytest.raises(InputError) as caught:
        read(source)
    assert str(caught.value) == message


def test_names_that_end_in_a_metric_say_which_way_is_better(write):
    write(a_csv="id,A_wer,B_wer\nq1,0.2,0.4\nq2,0.1,0.3\n")
    scores = read("a.csv")
    assert scores.systems == ("A_wer", "B_wer")
    assert scores.higher_is_better == {"wer": False}


def test_a_grid_of_systems_and_metrics(write):
    write(a_csv="id,s1:bleu,s1:ter,s2:bleu,s2:ter\nq1,1,2,3,4\nq2,5,6,7,8\n")
    scores = read("a.csv")
    assert (scores.systems, scores.metrics) == (("s1", "s2"), ("bleu", "ter"))
    assert scores.higher_is_better == {"bleu": True, "ter": False}
    assert scores.pair(metric="ter").scores(1).tolist() == [4, 8]
    write(b_csv="id,s1_bleu,s1_ter,s2_bleu\nq1,1,2,3\n")
    assert read("b.csv").systems == ("s1_bleu", "s1_ter", "s2_bleu")


def test_several_files_of_a_system_are_its_runs(tmp_path: Path) -> None:
    for name, values in {"new-1": (1, 0), "new-2": (1, 1), "old-1": (0, 0), "old-2": (0, 1)}.items():
        (tmp_path / f"{name}.csv").write_text(f"item,score\nq1,{values[0]}\nq2,{values[1]}\n")
    files = [f"{name[:3]}={tmp_path}/{name}.csv" for name in ("new-1", "new-2", "old-1", "old-2")]
    scores = read(files)
    assert scores.run is not None
    assert tuple(scores.run.labels) == ("new-1", "new-2", "old-1", "old-2")
    assert scores.pair().scores(0).tolist() == [1.0, 0.5]
    crossed = scores.pair(runs="crossed").runs
    assert crossed is not None
    assert crossed.names == (("new-1", "new-2"), ("old-1", "old-2"))
    with pytest.raises(InputError, match="more than one score"):
        read([files[0], files[0], files[2]]).pair()


def test_files_with_runs_of_their_own_are_not_runs(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("item,seed,score\nq1,1,0.5\nq1,2,0.25\n")
    with pytest.raises(InputError, match="has several files, and their runs have a column too"):
        read([f"new={tmp_path}/a.csv", f"new={tmp_path}/b.csv"])
