"""What was read, on stderr: one line that can be checked, and at most three notes below it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.types import note
from nofluke.words.sources import remarks, scores_lines
from support.command_line import nofluke

WIDE = "segment,new,old\n" + "".join(f"s{i},0.{i % 7},0.{i % 5}\n" for i in range(40))
LONG = "item,model,acc,task,speaker\n" + "".join(
    f"q{i},{name},{i % k},{'qa' if i < 20 else 'nli'},p{i // 4}\n"
    for i in range(40)
    for name, k in (("A", 2), ("B", 3))
)
ODD = "segment,new,old,n_tokens,genre,source\n" + "".join(
    f"s{i},0.{i % 7},0.{i % 5},{i + 3},{'news' if i % 2 else 'web'},x{i}\n" for i in range(40)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("wide.csv", WIDE), ("long.csv", LONG), ("odd.csv", ODD)):
        (tmp_path / name).write_text(text)
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("id,score\n" + "".join(f"{i},0.{i % 7}\n" for i in range(30)))
    (tmp_path / "c.csv").write_text("key,score\n" + "".join(f"{i},0.{i % 5}\n" for i in range(30)))
    for name, text in (("gold", "x\ny\nx\n"), ("out", "x\nx\nx\n"), ("other", "y\ny\nx\n")):
        (tmp_path / f"{name}.txt").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("compare", "wide.csv"), "wide.csv: 40 items, 2 systems (item = segment)"),
        (
            ("rank", "long.csv", "--dataset", "qa"),
            "long.csv: 40 items, 2 systems, 2 datasets, 10 clusters (system = model, score = acc, dataset = task, "
            "cluster = speaker)",
        ),
        (("compare", "a.csv", "b.csv"), "a.csv, b.csv: 30 items, 2 systems (item = id)"),
        (
            ("compare", "out.txt", "other.txt", "--gold", "gold.txt", "--metric", "accuracy"),
            "out.txt, other.txt: 3 items, 2 systems (gold = gold.txt, metric = accuracy)",
        ),
        (("compare", "odd.csv"), "odd.csv: 40 items, 2 systems (item = segment); not used: genre, source, n_tokens"),
    ],
)
def test_one_line_names_what_there_is(words: tuple[str, ...], line: str, folder: Path) -> None:
    run = nofluke(*words, cwd=folder)
    assert run.code == 0, run.err
    assert run.err.splitlines()[0] == line
    assert nofluke(*words, "-q", cwd=folder).err == ""


def test_files_with_other_columns_have_a_line_each(folder: Path) -> None:
    run = nofluke("compare", "a.csv", "c.csv", "--columns", "score=score", cwd=folder)
    lines = run.err.splitlines()
    assert lines[:3] == [
        "2 files: 30 items, 2 systems",
        "a.csv: 30 rows (item = id)",
        "c.csv: 30 rows (item = key)",
    ]


def test_notes_stand_below_and_break_at_80_columns(folder: Path) -> None:
    lines = nofluke("compare", "odd.csv", cwd=folder).err.splitlines()
    notes = [line for line in lines if line.startswith("note: ")]
    assert [line.split()[1] for line in notes] == ["'n_tokens'", "'genre'"]
    assert all(len(line) <= 80 for line in lines[1:])


def test_at_most_three_notes_and_all_with_details() -> None:
    notes = [
        note("read.item", column="nr", why="counts_rows"),
        *(note("read.no_system", column=name, why=note("read.is_size")) for name in "abc"),
        note("read.summary_left_out", name="mean"),
        note("read.columns_unused", columns=("x",)),
    ]
    short, whole = remarks(notes), remarks(notes, details=True)
    assert len(short) == 3
    assert not any("taken as the item" in said for said in short)
    assert len(whole) == 5
    assert any("taken as the item" in said for said in whole)


def test_columns_that_are_no_systems_all_stand_in_the_line_though_three_are_explained(folder: Path) -> None:
    aside = ("year", "n_words", "doc_len", "difficulty")
    rows = "".join(f"{i},0.{i % 7},0.{i % 5},{1990 + i % 9},{i % 8 + 3},{i % 6 + 5},{i % 5 + 1}\n" for i in range(40))
    (folder / "aside.csv").write_text(f"item,new,old,{','.join(aside)}\n{rows}")
    err = nofluke("rank", "aside.csv", cwd=folder).err
    assert err.count("is not taken as a system") == 3
    assert err.startswith(f"aside.csv: 40 items, 2 systems; not used: {', '.join(aside)}\n")


def test_unused_columns_with_numbers_in_them_are_noted() -> None:
    text = "item,A,B,C\n" + "".join(f"q{i},{i / 9},{i / 8},{i if i < 2 else 'bad'}\n" for i in range(9))
    scores = nf.read(io.StringIO(text))
    assert scores_lines(scores)[0].endswith("; not used: C")
    assert "Columns not used: 'C' (2 of its 9 cells are numbers)." in remarks(scores.sources[0].notes)


def test_values_speak_of_themselves(folder: Path) -> None:
    scores = nf.read(folder / "wide.csv")
    assert str(scores) == f"{folder / 'wide.csv'}: 40 items, 2 systems (item = segment)"
    assert str(scores.sources[0]) == f"{folder / 'wide.csv'}: 40 rows (item = segment)"
    assert str(scores.pair()) == "new and old: 40 items matched by id"
    assert str(scores.pair(unit=5)) == "new and old: 40 items matched by id, in 8 units of 5 (mean)"
    assert str(scores.pair().alignment) == "40 items matched by id"
