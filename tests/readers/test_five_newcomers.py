"""Files of people who have never seen nofluke: what was silently misread, and advice that failed."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError


def _csv(header: str, rows: int, row: str) -> io.StringIO:
    """Make a table whose rows are a format of their number i and of i modulo 3 and 4."""
    return io.StringIO(header + "\n" + "".join(row.format(i=i, a=i % 3, b=i % 4) + "\n" for i in range(rows)))


def test_counts_of_right_and_wrong_answers_are_no_systems() -> None:
    for header, row in (("id,tp_A,fp_A,tp_B,fp_B", "{i},{a},{b},{b},{a}"), ("id,tp,fp,fn", "{i},{a},{b},1")):
        with pytest.raises(InputError, match="counts of right and wrong answers") as caught:
            nf.read(_csv(header, 9, row))
        assert "tp/(" in str(caught.value)
    assert nf.read(_csv("id,tp_A,tp_B", 9, "{i},{a},{b}")).systems == ("tp_A", "tp_B")


def test_numbers_that_a_system_predicted_are_no_scores(tmp_path: Path) -> None:
    paths = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for path in paths:
        path.write_text("".join(json.dumps({"id": f"q{i}", "prediction": i % 4}) + "\n" for i in range(9)))
    with pytest.raises(InputError, match="holds outputs of a system"):
        nf.read([str(path) for path in paths])
    assert nf.read([str(path) for path in paths], columns={"score": "prediction"}).systems == ("one", "two")


def test_a_described_table_has_no_items() -> None:
    rows = ",A,B\ncount,9,9\nmean,0.5,0.4\nstd,0.1,0.1\nmin,0,0\n25%,0.2,0.2\n50%,0.4,0.4\n75%,0.6,0.6\nmax,1,1\n"
    with pytest.raises(InputError, match="figures of other scores"):
        nf.read(io.StringIO(rows))


def test_bare_delimiters_above_the_names_are_passed_over_but_a_missing_first_item_is_not() -> None:
    assert nf.read(io.StringIO(";;\nSatz;neu;alt\ns1;0.5;0.4\ns2;0.5;0.3\n")).systems == ("neu", "alt")
    assert nf.read(io.StringIO(",\n0.5,0.4\n0.5,0.3\n")).statistics.size == 6


def test_one_decimal_comma_tells_what_the_others_are() -> None:
    with pytest.raises(InputError, match="0,5") as caught:
        nf.read(io.StringIO("Satz;neu;alt\ns1;1,000;0,25\ns2;0,543;0,25\n"))
    assert "decimal point" in str(caught.value)
    with pytest.raises(InputError, match=r"1\.234,56") as caught:
        nf.read(io.StringIO("Satz;neu;alt\ns1;1.234,56;0,25\ns2;0,54;0,25\n"))
    assert "1234.56" in str(caught.value)


def test_a_column_that_counts_the_rows_beside_gold_is_no_score() -> None:
    with pytest.raises(InputError, match="'Gold' is gold"):
        nf.read(_csv("Nr.,Token,Gold,Tagger", 30, "{i},w{i},T{a},T{b}"))


def test_ids_with_answers_are_matched_by_id(tmp_path: Path) -> None:
    gold = {f"q{i}": str(i % 4) for i in range(20)}
    for name, answers in {"gold": gold, "new": dict(reversed(gold.items()))}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(answers, indent=1))
    scores = nf.score("accuracy", {"new": str(tmp_path / "new.json")}, str(tmp_path / "gold.json"))
    assert scores.statistics.sum() == 20


def test_texts_and_comments_beside_annotators_rate_nothing() -> None:
    labels = ["pos", "neg", "neu"]
    rows = "".join(f"{i};{labels[i % 3]};{labels[i % 2]};{'unklar' if i % 4 else ''}\n" for i in range(20))
    assert nf.read_ratings(io.StringIO("Item;Anna;Bob;Bemerkung\n" + rows)).annotators == ("Anna", "Bob")
    with pytest.raises(InputError, match="share no label"):
        nf.read_ratings(_csv("id,data,label", 20, "{i},text {i},L{a}"))


def test_prodigy_names_who_rated_what() -> None:
    rows = [
        {
            "text": f"t{i}",
            "label": "POS",
            "_input_hash": 100 + i,
            "_task_hash": -i,
            "answer": ("accept", "reject")[i % k],
        }
        | {"_annotator_id": f"db-{k}", "_session_id": f"db-{k}", "_timestamp": 1700000000 + 7 * i}
        for k in (1, 2)
        for i in range(9)
    ]
    ratings = nf.read_ratings(io.StringIO("".join(json.dumps(row) + "\n" for row in rows)))
    assert (len(ratings.items), ratings.annotators, ratings.categories) == (9, ("db-1", "db-2"), ("accept", "reject"))


def test_ratings_in_a_folder_are_told_how_to_become_one_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="come from one file") as caught:
        nf.read_ratings(str(tmp_path))
    assert "concat" in str(caught.value)


def test_files_that_folders_tell_apart_are_called_after_these(tmp_path: Path) -> None:
    for team in ("a", "b"):
        (tmp_path / f"team={team}").mkdir()
        (tmp_path / f"team={team}" / f"part-{team}0.csv").write_text("item,score\nq1,0.5\nq2,0.25\n")
    assert nf.read(str(tmp_path)).systems == ("a", "b")
