"""Tables as people have them: read right, or refused with advice that works when it is followed to the letter."""

from __future__ import annotations

import io
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke


def written(folder: Path, text: str, name: str = "given.csv") -> str:
    (folder / name).write_text(text)
    return name


def said(folder: Path, *words: str) -> str:
    run = nofluke(*words, cwd=folder)
    assert run.code == 2, run.out
    assert "Traceback" not in run.err
    return " ".join(run.err.split())


def read(text: str, **columns: str) -> nf.Scores:
    return nf.read(io.StringIO(text), columns=columns or None)


def numbers(seed: int, count: int) -> list[float]:
    return np.random.default_rng(seed).integers(0, 100, count).tolist()


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_ids_within_documents_are_read_like_ids_of_their_own(seed: int, long: bool) -> None:
    rng = np.random.default_rng(seed)
    keys = [(f"d{doc}", at) for doc in range(4) for at in range(rng.integers(2, 7))]
    a, b = numbers(seed, len(keys)), numbers(seed + 99, len(keys))
    if long:
        rows = [(*key, system, values[at]) for system, values in (("A", a), ("B", b)) for at, key in enumerate(keys)]
        header = "doc,seg,system,score"
    else:
        rows, header = [(*key, a[at], b[at]) for at, key in enumerate(keys)], "doc,seg,A,B"
    apart = header + "\n" + "".join(f"{','.join(map(str, row))}\n" for row in rows)
    whole = header.replace("seg", "item") + "\n"
    whole += "".join(f"{row[0]},{row[0]} / {row[1]},{','.join(map(str, row[2:]))}\n" for row in rows)
    found, expected = read(apart).pair("A", "B"), read(whole).pair("A", "B")
    assert found.ids == expected.ids
    assert found.statistics.tolist() == expected.statistics.tolist()
    assert found.clusters is not None
    assert found.clusters.tolist() == expected.clusters.tolist()


def test_ids_of_several_columns_are_one_id_to_every_reader() -> None:
    rows = [(f"p{at}", model, judge) for at in range(8) for model in "xy" for judge in ("ann", "bob")]
    labels = numbers(3, len(rows))
    apart = "prompt,version,judge,rating\n"
    apart += "".join(f"{p},{m},{j},{v}\n" for (p, m, j), v in zip(rows, labels, strict=True))
    joined = "item,judge,rating\n" + "".join(f"{p} / {m},{j},{v}\n" for (p, m, j), v in zip(rows, labels, strict=True))
    columns = {"item": "prompt,version"}
    ratings, expected = (
        nf.read_ratings(io.StringIO(text), columns=how) for text, how in ((apart, columns), (joined, {}))
    )
    assert ratings.items == expected.items
    assert ratings.codes.tolist() == expected.codes.tolist()
    how = {"system": "judge", "score": "rating"}
    scores = read(apart, **columns, **how), read(joined, **how)
    assert scores[0].pair("ann", "bob").ids == scores[1].pair("ann", "bob").ids
    counts = [
        nf.from_statistics(io.StringIO(text), "rating/n", columns=asked)
        for text, asked in ((apart, columns | {"system": "judge"}), (joined, {"system": "judge"}))
    ]
    assert counts[0].item.labels == counts[1].item.labels
    outputs = apart.replace("rating", "output").replace("\n", ",gold\n", 1)
    outputs = "".join(
        line if "gold" in line else f"{line.rstrip()},{numbers(3, 1)[0]}\n" for line in outputs.splitlines(True)
    )
    right = nf.score("accuracy", io.StringIO(outputs), columns=columns | {"system": "judge"}, cache=False)
    assert set(right.item.labels) == set(expected.items)


def test_a_document_among_the_columns_of_an_id_still_groups_its_items() -> None:
    text = "doc,seg,A,B\n" + "".join(f"d{at // 3},{at % 3},{at % 5},{at % 4}\n" for at in range(12))
    for how in ({}, {"cluster": "doc"}):
        scores = read(text, item="doc,seg", **how)
        assert scores.cluster is not None
        assert scores.cluster.labels == ("d0", "d1", "d2", "d3")


TREE = "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\trains\train\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize("comment", ["", "# sent_id = 1\n"])
@pytest.mark.parametrize("command", ["agree", "correct", "replicate", "compare"])
def test_trees_are_no_table_of_anything(tmp_path: Path, command: str, comment: str) -> None:
    name = written(tmp_path, (comment + TREE) * 4, "a.conllu")
    told = said(tmp_path, command, name)
    assert "these are dependency trees" in told
    assert "--gold FILE --metric las" in told
    if command in ("agree", "correct"):
        assert "nofluke score FILE --gold FILE --metric las" in told
        assert nofluke("score", name, "--gold", name, "--metric", "las", cwd=tmp_path).code == 0


PAPER = "language,new,old,{p}\n" + "".join(f"l{at},{80 + at},{79 + at % 3},0.0{at}1\n" for at in range(1, 9))


@pytest.mark.parametrize("p", ["p", "p-value", "p.value", "p (one-sided)"])
@pytest.mark.parametrize("command", ["compare", "rank"])
def test_p_values_are_no_system(tmp_path: Path, command: str, p: str) -> None:
    name = written(tmp_path, PAPER.format(p=p))
    assert f"column {p!r} holds p-values" in said(tmp_path, command, name)
    for follow in ((command, name, "--columns", f"ignore={p}"), ("correct", name), ("replicate", name)):
        assert nofluke(*follow, cwd=tmp_path).code == 0


def test_a_system_called_p_is_compared() -> None:
    assert read("item,P,Q\n" + "".join(f"q{at},0.{at},0.{9 - at}\n" for at in range(9))).systems == ("P", "Q")


def test_a_delimiter_at_the_end_of_lines_makes_no_column(tmp_path: Path) -> None:
    name = written(tmp_path, "item,A,B,\n" + "".join(f"q{at},{at % 2},{at % 3 > 0:d},\n" for at in range(9)))
    assert nf.read_ratings(tmp_path / name).annotators == ("A", "B")
    assert "not used" not in nofluke("compare", name, cwd=tmp_path).err


@pytest.mark.parametrize("lines", [False, True])
def test_numbers_within_objects_are_to_be_named(tmp_path: Path, lines: bool) -> None:
    objects = [{"id": at, "scores": {"A": at % 3, "B": at % 4}} for at in range(12)]
    text = "".join(json.dumps(one) + "\n" for one in objects) if lines else json.dumps(objects)
    told = said(tmp_path, "compare", written(tmp_path, text))
    assert "--columns score=scores.A,scores.B." in told
    followed = nf.read(io.StringIO(text), score="scores.A,scores.B")
    assert followed.systems == ("scores.A", "scores.B")


def test_numbers_within_very_many_keys_are_to_be_written_as_columns(tmp_path: Path) -> None:
    objects = [{"id": at, "scores": {f"s{n}": at % (n + 2) for n in range(9)}} for at in range(12)]
    text = "".join(json.dumps(one) + "\n" for one in objects)
    assert "jq -c '. + .[\"scores\"]'" in said(tmp_path, "compare", written(tmp_path, text))
    followed = "".join(json.dumps(one | one["scores"]) + "\n" for one in objects)
    assert len(read(followed).systems) == 9


def test_labels_within_objects_are_named() -> None:
    objects = [{"item": at, "labels": {"ann": "ab"[at % 2], "bob": "a"}} for at in range(9)]
    with pytest.raises(InputError, match="the labels are within the objects of 'labels'") as refused:
        nf.read_ratings(io.StringIO("".join(json.dumps(one) + "\n" for one in objects)))
    assert "columns={'annotator': 'labels.ann,labels.bob'}" in refused.value.advice()
    text = "".join(json.dumps(one) + "\n" for one in objects)
    followed = nf.read_ratings(io.StringIO(text), columns={"annotator": "labels.ann,labels.bob"})
    assert followed.annotators == ("labels.ann", "labels.bob")


@pytest.mark.parametrize("total", ["total", "n", "num_questions"])
def test_counts_beside_what_they_are_out_of(tmp_path: Path, total: str) -> None:
    rows = [f"q{at},{system},{(3 * at + k) % 5},{5 + at % 3}\n" for at in range(9) for k, system in enumerate("AB")]
    name = written(tmp_path, f"item,system,correct,{total}\n" + "".join(rows))
    told = said(tmp_path, "compare", name)
    (formula,) = re.findall(r'--formula "(.*?)"', told)
    assert formula == f"correct/{total}"
    for follow in (("--formula", formula), ("--columns", "score=correct")):
        assert nofluke("compare", name, *follow, cwd=tmp_path).code == 0
    assert read("item,system,correct,n\n" + "".join(f"q{at},{s},{at % 2},5\n" for at in range(6) for s in "AB")).systems


def test_a_table_on_its_side_is_to_be_turned() -> None:
    values = {"new": numbers(1, 12), "old": numbers(2, 12)}
    text = "system," + ",".join(f"q{at}" for at in range(12)) + "\n"
    text += "".join(f"{name},{','.join(map(str, row))}\n" for name, row in values.items())
    with pytest.raises(InputError, match="the systems stand in rows, and the items in columns"):
        read(text)
    turned = io.StringIO()
    pd.read_csv(io.StringIO(text), index_col=0).T.to_csv(turned)
    assert read(turned.getvalue()).pair("new", "old").statistics[:, 0, 0].tolist() == values["new"]


def test_the_name_of_a_metric_tells_the_score_from_settings() -> None:
    rows = [f"{at},{model},0.7,{at % 2}\n" for at in range(8) for model in "xy"]
    assert read("item,model,temperature,em\n" + "".join(rows)).sources[0].mapping["score"] == "em"


def test_ratings_below_each_other_are_told_by_their_own_columns(tmp_path: Path) -> None:
    rows = [f"{who},q{at},{'abc'[(at * 7 + len(who)) % 3]}\n" for at in range(9) for who in ("ann", "bo")]
    name = written(tmp_path, "person,question,verdict\n" + "".join(rows))
    (advice,) = re.findall(r"--columns annotator=\w+,label=\w+", said(tmp_path, "agree", name))
    assert advice == "--columns annotator=person,label=verdict"
    assert nofluke("agree", name, *advice.split(), cwd=tmp_path).code == 0


def test_advice_on_a_column_can_be_pasted_into_a_shell(tmp_path: Path) -> None:
    name = written(tmp_path, PAPER.format(p="p (two-sided)"))
    (advice,) = re.findall(r"--columns '.*?'", said(tmp_path, "compare", name))
    assert nofluke("compare", name, *shlex.split(advice), cwd=tmp_path).code == 0


def test_a_name_over_two_lines_is_one_name() -> None:
    assert read('item,"new\nsystem",B\nq1,1,2\nq2,2,1\n').systems == ("new system", "B")


def test_lines_of_text_are_no_scores(tmp_path: Path) -> None:
    names = [
        written(tmp_path, "".join(f"the {who} {at} sat\n" for at in range(9)), f"{who}.txt") for who in ("cat", "dog")
    ]
    assert "--gold FILE --metric NAME" in said(tmp_path, "compare", *names)
    assert nofluke("compare", *names, "--gold", names[0], "--metric", "bleu", cwd=tmp_path).code == 0


def test_a_column_that_could_name_the_items_is_proposed(tmp_path: Path) -> None:
    rows = [(system, f"h{at}", at % 4 / 4) for system in "AB" for at in range(9)]
    name = written(tmp_path, "system,hit,score\n" + "".join(f"{s},{h},{v}\n" for s, h, v in rows))
    (advice,) = re.findall(r"--columns item=\w+", said(tmp_path, "compare", name))
    assert nofluke("compare", name, *advice.split(), cwd=tmp_path).code == 0


@pytest.mark.parametrize("numbered", [False, True])
def test_systems_below_each_other_without_common_ids(tmp_path: Path, numbered: bool) -> None:
    rng = np.random.default_rng(4)
    rows = [
        ("alpha" if at % 2 else "beta", int(rng.integers(1, 6)), round(float(rng.uniform(9, 99)), 1))
        for at in range(40)
    ]
    header = "row,engine,rating,latency\n" if numbered else "engine,rating,latency\n"
    lines = [f"{at},{e},{r},{t}\n" if numbered else f"{e},{r},{t}\n" for at, (e, r, t) in enumerate(rows, 1)]
    name = written(tmp_path, header + "".join(lines))
    assert "--columns system=engine" in said(tmp_path, "compare", name)
    how = ("--columns", "system=engine,score=rating")
    told = said(tmp_path, "compare", name, *how)
    assert "item=NAME; columns" not in told
    if numbered:
        assert "nofluke test FILE --method welch_t" in told
        assert nofluke("test", name, "--method", "welch_t", *how, cwd=tmp_path).code == 0
    else:
        assert "add a column called item" in told


def test_what_was_set_aside_is_taken_by_the_words_of_its_note(tmp_path: Path) -> None:
    rows = "".join(f"q{at},{10 + 3 * at},{7 * at % 40},{11 * at % 40}\n" for at in range(12))
    name = written(tmp_path, f"name,A,B,C\n{rows}")
    note = " ".join(nofluke("rank", name, cwd=tmp_path).err.split())
    (advice,) = re.findall(r"--columns score=[\w,]+", note)
    assert nf.read(tmp_path / name, columns={"score": advice.partition("score=")[2]}).systems == ("A", "B", "C")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_numbers_in_brackets_name_columns(delimiter: str) -> None:
    lines = [["[1]", "[2]"], *([str(at), str(at % 3)] for at in range(9))]
    assert read("".join(delimiter.join(line) + "\n" for line in lines)).systems == ("[1]", "[2]")


@pytest.mark.parametrize(("role", "columns"), [("score", "A,B"), ("cluster", "A")])
def test_a_column_has_one_role(role: str, columns: str) -> None:
    with pytest.raises(InputError, match=f"named as item and as {role}"):
        read("item,A,B\nq1,1,2\n", item="A", **{role: columns})


@pytest.mark.parametrize("command", ["agree", "compare", "rank"])
def test_standard_input_goes_by_one_name(command: str) -> None:
    text = "item,A,B\n" + "".join(f"q{at},{at % 2},{at % 3 > 0:d}\n" for at in range(9))
    assert nofluke(command, "-", stdin=text.encode()).err.startswith("stdin: 9 items")
    assert nofluke(command, "-").err.startswith("error: stdin: the file is empty.")
