"""Outputs and gold in tables: content decides what a file is; what is not clear is refused, with advice that works."""

from __future__ import annotations

import csv
import gzip
import html
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.readers.given import HEAD_BYTES
from nofluke.readers.outputs import gold_beside_outputs
from support.command_line import nofluke

GOLD = ["the cat sat on the mat", "a dog barked at night", "birds sing in the morning", "it rains today"]
NEW = ["the cat sat on the mat", "a dog barked at night", "birds sing in a morning", "it rains now"]
OLD = ["the cat is on a mat", "dog barks at night", "birds sing in a morning", "rain now"]
BY_LINES = nf.score("bleu", {"new": NEW, "old": OLD}, GOLD).pair()
Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return written


def told(call: Callable[[], object]) -> InputError:
    with pytest.raises(InputError) as caught:
        call()
    return caught.value


def jsonl(**columns: list[object]) -> str:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return "".join(json.dumps(row) + "\n" for row in rows)


def scores_of(scores: nf.Scores) -> list[float]:
    sample = scores.pair()
    return [sample.score(0), sample.score(1)]


@pytest.mark.parametrize(
    ("names", "more"),
    [
        (("reference", "new", "old"), {}),
        (("target", "new", "old"), {"src": ["die Katze", "ein Hund", "Vögel", "Regen"]}),
        (("gold", "new", "old"), {"id": [7, 3, 5, 1], "domain": ["a", "a", "b", "b"]}),
        (("gold", "new", "old"), {"n_tokens": [6, 5, 5, 3], "year": [1999, 2000, 2001, 2002]}),
    ],
)
def test_only_outputs_are_systems(write: Write, names: tuple[str, ...], more: dict[str, list[object]]) -> None:
    table = write("x", jsonl(**more, **dict(zip(names, (GOLD, NEW, OLD), strict=True))))
    scores = nf.score("bleu", table)
    assert scores.systems == ("new", "old")
    assert scores_of(scores) == [BY_LINES.score(0), BY_LINES.score(1)]


def test_objects_with_known_keys_are_no_lines(write: Write) -> None:
    new = write("new.jsonl", jsonl(id=[1, 2, 3, 4], response=NEW))
    old = write("old.jsonl", jsonl(response=OLD[::-1], id=[4, 3, 2, 1]))
    gold = write("gold.jsonl", jsonl(id=[1, 2, 3, 4], reference=GOLD))
    assert scores_of(nf.score("bleu", {"new": new, "old": old}, gold)) == [BY_LINES.score(0), BY_LINES.score(1)]


def test_objects_with_other_keys_are_refused_and_the_advice_works(write: Write) -> None:
    table = write("calls.jsonl", jsonl(function=NEW, arguments=OLD))
    error = told(lambda: nf.score("exact_match", {"A": table}, GOLD))
    assert "which column holds the predictions? The first line has function, arguments." in str(error)
    assert "--columns output=NAME" in error.advice("shell")
    named = nf.score("exact_match", {"A": table}, GOLD, columns={"output": "function"})
    assert named.statistics[:, 0].tolist() == nf.score("exact_match", {"A": NEW}, GOLD).statistics[:, 0].tolist()
    raw = table.read_text().splitlines()
    as_lines = nf.score("exact_match", {"A": table}, raw, format="lines", answers="single")
    assert as_lines.statistics.mean() == 1


def test_several_references_are_columns(write: Write) -> None:
    table = write("x.jsonl", jsonl(ref1=GOLD, ref2=OLD, new=NEW, old=OLD))
    expected = nf.score("bleu", {"new": NEW, "old": OLD}, [GOLD, OLD]).pair()
    assert scores_of(nf.score("bleu", table)) == [expected.score(0), expected.score(1)]


def test_lists_of_answers(write: Write) -> None:
    table = write("qa.jsonl", jsonl(id=[1, 2], answers=[["Paris", "the city of Paris"], []], prediction=["paris", ""]))
    assert nf.score("exact_match", {"A": table}, table).statistics[:, 0].tolist() == [1, 1]


@pytest.mark.parametrize("text", ["Hello, world\n", "yes, it is\nno, it is not\n", "[sic] well\n{a}\n", "a;b\nc;d\n"])
def test_prose_is_no_table(write: Write, text: str) -> None:
    lines = text.splitlines()
    assert nf.score("wer", {"A": write("out.csv", text)}, lines).statistics[:, :3].sum() == 0


def test_prose_may_begin_with_a_known_word(write: Write) -> None:
    lines = ["Question, please", "no", "well, yes, maybe"]
    assert nf.score("wer", {"A": write("out.txt", "\n".join(lines))}, lines).statistics[:, :3].sum() == 0


def test_columns_that_are_nowhere_are_refused(write: Write) -> None:
    table = write("x.csv", "item,gold,A,B\n1,p,p,n\n2,n,p,n\n")
    for role in ("output", "gold", "item", "cluster", "dataset", "system"):
        error = told(lambda role=role: nf.score("accuracy", table, columns={role: "golt"}))  # type: ignore[misc]
        assert "there is no column 'golt'" in error.message
    lines = write("x.txt", "p\nn\n")
    assert "they hold lines" in str(told(lambda: nf.score("accuracy", {"A": lines}, lines, columns={"gold": "x"})))
    assert "'golden' is not a role of a column here" in str(
        told(lambda: nf.score("accuracy", table, columns={"golden": "gold"}))
    )
    named = write("out.csv", "item,answer of A\n1,p\n2,n\n")
    assert nf.score("accuracy", {"A": named}, table, columns={"output": "answer of A"}).statistics.mean() == 1


def test_frames_and_open_files(write: Write) -> None:
    table = write("x.csv", "item,gold,A,B\n1,p,p,n\n2,n,p,n\n")
    expected = nf.score("accuracy", table).statistics.tolist()
    frame = pd.read_csv(table)
    assert nf.score("accuracy", frame).statistics.tolist() == expected
    with table.open() as file:
        assert nf.score("accuracy", file).statistics.tolist() == expected
    assert "belong to no system" in str(told(lambda: nf.score("accuracy", ["p", "n"], ["p", "n"])))
    assert "no system outputs" in str(told(lambda: nf.score("accuracy", {}, ["p", "n"])))


def test_standard_input_is_read_like_a_file() -> None:
    text = "item,gold,A,B\n" + "".join(f"{i},{'pn'[i % 2]},p,{'pn'[i % 3 == 0]}\n" for i in range(30))
    run = nofluke("compare", "-", "--metric", "accuracy", "--format", "json", stdin=text.encode())
    assert run.code == 0, run.err
    assert json.loads(run.out)["scores"] == [0.5, 0.5]
    for content in (text.encode(), gzip.compress(text.encode())):
        run = nofluke("score", "-", "--metric", "f1", "--format", "json", stdin=content)
        assert list(json.loads(run.out)["scores"]) == ["A", "B"]


def test_a_report_repeats_the_call_that_scored_the_table(write: Write, tmp_path: Path) -> None:
    rows = "".join(f"{i},{'pn'[i % 2]},p,{'pn'[i % 3 == 0]}\n" for i in range(30))
    write("all.csv", "item,truth,A,B\n" + rows)
    write("odd.csv", "item,wahr,A,B\n" + rows)
    for typed, call in (
        (["all.csv"], "nf.score('accuracy', 'all.csv')"),
        (
            ["odd.csv", "--columns", "gold=wahr,item=item"],
            "nf.score('accuracy', 'odd.csv', columns={'gold': 'wahr', 'item': 'item'})",
        ),
        (
            ["A=all.csv", "B=all.csv", "--gold", "all.csv"],
            "nf.score('accuracy', {'A': 'all.csv', 'B': 'all.csv'}, 'all.csv')",
        ),
    ):
        run = nofluke("compare", *typed, "--metric", "accuracy", "-o", "report.html", cwd=tmp_path)
        assert run.code == 0, run.err
        assert call in html.unescape((tmp_path / "report.html").read_text())


def test_tags_of_a_table_against_a_file_of_tags(write: Write) -> None:
    gold = write("gold.conll", "w B-PER\nw O\n\nw O\nw B-LOC\n")
    table = write("out.jsonl", jsonl(id=[1, 2], prediction=[["B-PER", "O"], ["B-LOC", "O"]]))
    plain = write("other.conll", "w O\nw O\n\nw O\nw B-LOC\n")
    scores = nf.score("span_f1", {"A": table, "B": plain}, gold)
    assert scores.statistics.tolist() == [[1, 1, 1], [0, 0, 1], [0, 1, 1], [1, 1, 1]]


def test_clusters_may_stand_beside_the_outputs(write: Write) -> None:
    gold = write("gold.csv", "id,gold\n" + "".join(f"{i},{'pn'[i % 2]}\n" for i in range(12)))
    out = write("out.csv", "id,document,A,B\n" + "".join(f"{i},d{i // 4},p,n\n" for i in reversed(range(12))))
    sample = nf.score("accuracy", out, gold).pair()
    assert len(set(sample.clusters.tolist())) == 3
    assert sample.cluster_labels == ("d0", "d1", "d2")


@pytest.mark.parametrize("delimiter", ["\t", ",", ";"])
def test_nameless_columns_are_refused(write: Write, delimiter: str) -> None:
    """Scored as lines they would count ids and sources as output."""
    table = write("out.txt", "".join(f"{i}{delimiter}a{delimiter}b\n" for i in range(12)))
    error = told(lambda: nf.score("wer", {"A": table}, ["b"] * 12))
    assert "which column holds the predictions?" in error.message
    named = nf.score("wer", {"A": table}, ["b"] * 12, columns={"output": "3"})
    assert named.statistics[:, :3].sum() == 0
    assert nf.score("wer", {"A": table}, ["b"] * 12, format="lines").statistics[:, :3].sum() > 0


def test_a_hypothesis_beside_a_premise_is_no_output(write: Write) -> None:
    table = write("nli.csv", "premise,hypothesis,label,pred\na b,c d,yes,yes\ne f,g h,no,yes\n")
    assert nf.score("accuracy", table).statistics[:, 0].tolist() == [1, 0]
    hypotheses = write("mt.csv", "reference,hypothesis\na b c,a b c\nd e,d x\n")
    assert nf.score("wer", hypotheses).statistics[:, :3].sum(axis=1).tolist() == [0, 1]


def test_two_lists_of_gold_are_refused(write: Write) -> None:
    table = write("x.csv", "gold,reference,A\na,b,a\nc,d,c\n")
    assert "which column holds the gold labels?" in str(told(lambda: nf.score("accuracy", table)))
    assert nf.score("accuracy", table, columns={"gold": "gold"}).statistics.mean() == 1


def test_an_item_without_an_output_is_missing_and_not_wrong(write: Write) -> None:
    new = write("new.jsonl", jsonl(id=[1, 2, 3], output=NEW[:3]))
    old = write("old.jsonl", jsonl(id=[1, 2, 3, 4], output=[OLD[0], None, OLD[2], OLD[3]]))
    gold = write("gold.jsonl", jsonl(id=[1, 2, 3, 4], gold=GOLD))
    for metric in ("bleu", "wer", "token_f1", "rouge_1", "accuracy"):
        scores = nf.score(metric, {"new": new, "old": old}, gold)
        with pytest.raises(InputError, match="of 4 items 1 has no score for 'new', 1 has no score for 'old'"):
            scores.pair()
        sample = scores.pair(missing="drop")
        assert sample.ids == ("1", "3")
        expected = nf.score(metric, {"new": NEW[0:3:2], "old": OLD[0:3:2]}, GOLD[0:3:2]).pair()
        assert sample.score(0) == expected.score(0)


def test_ids_may_repeat_in_another_dataset(write: Write) -> None:
    rows = [(name, item) for name in ("x", "y") for item in (1, 2)]
    table = write(
        "x.csv", "dataset,item,gold,A,B\n" + "".join(f"{name},{item},p,p,{'pn'[name == 'y']}\n" for name, item in rows)
    )
    scores = nf.score("accuracy", table)
    assert scores.datasets == ("x", "y")
    assert [scores.pair(dataset=name).score(1) for name in scores.datasets] == [1, 0]
    bare = write("y.csv", table.read_text().replace("dataset", "whatever"))
    error = told(lambda: nf.score("accuracy", bare))
    assert "item '1' was already given on line 2" in error.message
    assert error.advice("shell") == "give every item once; 'whatever' tells them apart: --columns dataset=whatever."
    assert nf.score("accuracy", bare, columns={"dataset": "whatever"}).datasets == ("x", "y")


def test_clusters_of_a_table_are_kept(write: Write) -> None:
    rows = "".join(f"{item},{item // 4},{'pn'[item % 2]},p,{'pn'[item % 3 == 0]}\n" for item in range(12))
    table = write("x.csv", "item,document,gold,A,B\n" + rows)
    assert nf.score("accuracy", table).pair().clusters is not None
    named = write("y.csv", "item,chapter,gold,A,B\n" + rows)
    sample = nf.score("accuracy", named, columns={"cluster": "chapter"}).pair()
    assert np.array_equal(sample.clusters, np.repeat([0, 1, 2], 4))


def test_a_long_table_repeats_gold(write: Write) -> None:
    rows = [
        (item, name, outs[item], GOLD[item]) for name, outs in (("new", NEW), ("old", OLD)) for item in range(len(GOLD))
    ]
    columns = dict(zip(("item", "system", "output", "gold"), map(list, zip(*rows, strict=True)), strict=True))
    table = write("long.jsonl", jsonl(**columns))
    assert scores_of(nf.score("bleu", table)) == [BY_LINES.score(0), BY_LINES.score(1)]
    bare = write("bare.jsonl", jsonl(**{name: cells for name, cells in columns.items() if name != "item"}))
    assert scores_of(nf.score("bleu", bare)) == [BY_LINES.score(0), BY_LINES.score(1)]
    columns["gold"][-1] = "something else"
    other = write("other.jsonl", jsonl(**columns))
    assert "item '3' has another gold on line 4" in str(told(lambda: nf.score("bleu", other)))


def test_tables_that_bring_their_own_gold_must_agree(write: Write) -> None:
    new = write("new.jsonl", jsonl(reference=GOLD, output=NEW))
    old = write("old.jsonl", jsonl(output=OLD, reference=GOLD))
    expected = [BY_LINES.score(0), BY_LINES.score(1)]
    assert scores_of(nf.score("bleu", {"new": new, "old": old})) == expected
    assert scores_of(nf.score("bleu", [new, old])) == expected
    shifted = write("shifted.jsonl", jsonl(output=OLD[::-1], reference=GOLD[::-1]))
    error = told(lambda: nf.score("bleu", {"new": new, "old": shifted}))
    assert "its gold is 'it rains today' here, and 'the cat sat on the mat' in" in error.message
    run = nofluke("compare", str(new), str(old), "--metric", "bleu", "--format", "json")
    assert json.loads(run.out)["scores"] == expected


def test_tags_in_tables(write: Write) -> None:
    gold, new = ["B-PER", "O", "O", "B-LOC"], ["B-PER", "O", "B-LOC", "O"]
    expected = nf.score("span_f1", {"new": [*new[:2], "", *new[2:]]}, [*gold[:2], "", *gold[2:]])
    rows = list(zip((1, 1, 2, 2), gold, new, strict=True))
    tables = {
        "blank lines.tsv": "token\tgold\tnew\nw\tB-PER\tB-PER\nw\tO\tO\n\nw\tO\tB-LOC\nw\tB-LOC\tO\n",
        "sentences.csv": "sentence,gold,new\n" + "".join(f"{s},{g},{n}\n" for s, g, n in rows),
        "rows.csv": "gold,new\nB-PER O,B-PER O\nO B-LOC,B-LOC O\n",
        "lists.jsonl": jsonl(tokens=[["a", "b"], ["c", "d"]], gold=[gold[:2], gold[2:]], new=[new[:2], new[2:]]),
    }
    for name, text in tables.items():
        table = write(name, text)
        for found in (nf.score("span_f1", {"new": table}, table), nf.score("span_f1", table)):
            assert np.array_equal(found.statistics, expected.statistics), name
    nowhere = write("tokens.csv", "gold,new\n" + "".join(f"{g},{n}\n" for _, g, n in rows))
    assert "which tokens make a sentence?" in str(told(lambda: nf.score("span_f1", nowhere)))


CONLLU = (
    "# newdoc id = d1\n# sent_id = s1\n# text = Im Haus\n1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tIn\t_\tADP\tIN\t_\t3\tcase\t_\t_\n2\tdem\t_\tDET\tDT\t_\t3\tdet\t_\t_\n3\tHaus\t_\tNOUN\tNN\t_\t0\troot\t_\tX=1\n"
    "3.1\tist\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n# sent_id = s2\n1\t#\t_\tSYM\tSY\t_\t0\troot\t_\tX=2\n\n"
)


@pytest.mark.parametrize(("column", "wrong"), [(-1, "NOUN"), (4, "NOUN"), (5, "NN")])
def test_token_accuracy_of_conllu_counts_words_only(write: Write, column: int, wrong: str) -> None:
    gold = write("gold.conllu", CONLLU)
    other = CONLLU.replace("# sent_id = s1", "# sent_id = other\n# model = x").replace(f"\t{wrong}\t", "\tX\t")
    found = nf.score("token_accuracy", {"A": write("out.conllu", other)}, gold, column=column, gold_column=column)
    assert found.statistics.tolist() == [[2, 3], [1, 1]]


def test_a_token_may_be_a_hash(write: Write) -> None:
    lines = ["# O", "one B-PER", "", "# O", "# O"]
    assert nf.score("token_accuracy", {"A": lines}, lines).statistics.tolist() == [[2, 2], [2, 2]]
    commented = ["# sent_id = 1", *lines]
    assert nf.score("token_accuracy", {"A": commented}, lines).statistics.tolist() == [[2, 2], [2, 2]]


LONG = "system,item,tp,all\n" + "".join(f"A,{i},{i % 2},2\nB,{i},{i % 3},2\n" for i in range(12))


def test_a_formula_on_a_long_table_keeps_systems_apart(write: Write) -> None:
    table = write("long.csv", LONG)
    scores = nf.from_statistics(table, "tp/all")
    assert scores.systems == ("A", "B")
    assert scores_of(scores) == [sum(i % 2 for i in range(12)) / 24, sum(i % 3 for i in range(12)) / 24]
    run = nofluke("score", str(table), "--formula", "tp/all", "--format", "json")
    assert list(json.loads(run.out)["scores"].values()) == scores_of(scores)
    assert scores_of(nf.from_statistics({"A": table, "B": table}, "tp/all")) == scores_of(scores)
    error = told(lambda: nf.from_statistics({"C": table}, "tp/all"))
    assert "the file is named as the system 'C', and it holds 2: A, B" in error.message
    renamed = write("other.csv", LONG.replace("system", "who"))
    assert "item '0' was already given on line 2" in str(told(lambda: nf.from_statistics(renamed, "tp/all")))
    assert scores_of(nf.from_statistics(renamed, "tp/all", columns={"system": "who"})) == scores_of(scores)
    run = nofluke("compare", str(renamed), "--formula", "tp/all", "--columns", "system=who", "--format", "json")
    assert json.loads(run.out)["scores"] == scores_of(scores)


def test_a_formula_over_datasets(write: Write) -> None:
    table = write(
        "long.csv", "dataset," + LONG.replace("\nA", "\nx,A").replace("\nB", "\nx,B") + "y,A,0,1,1\ny,B,0,0,1\n"
    )
    scores = nf.from_statistics(table, "tp/all")
    assert scores.datasets == ("x", "y")
    assert scores.pair(dataset="y").score(0) == 1
    assert scores.pair(dataset="x").score(0) == 6 / 24


def test_dropping_with_an_unpaired_test_drops_the_item_for_both(write: Write) -> None:
    wide = write("x.csv", "item,A,B\n1,5,1\n2,,9\n3,4,2\n4,6,3\n5,7,\n")
    sample = nf.read(wide).unpaired(missing="drop")
    assert sample.lengths == (3, 3)
    long = write("y.csv", "item,system,score\n1,A,5\n3,A,4\n4,A,6\n5,A,7\n1,B,1\n2,B,9\n3,B,2\n4,B,3\n")
    run = nofluke("test", str(long), "--method", "welch_t", "--missing", "drop", "--format", "json")
    assert json.loads(run.out)["p_value"] == nf.test(sample, "welch_t").p_value
    apart = write("z.csv", "item,system,score\n1,A,5\n2,A,\n3,A,4\n11,B,1\n12,B,9\n13,B,2\n")
    groups = nf.read(apart).unpaired(missing="drop")
    assert (groups.lengths, groups.alignment.dropped, groups.alignment.missing) == ((2, 3), 1, {"A": 1, "B": 0})
    assert "1 item left out (1 without a score for A)." in map(str, groups.notes)


def test_what_an_unpaired_test_drops_is_said(write: Write) -> None:
    rows = [f"{item},A,{item % 7}" for item in range(100)] + [f"{item},B,{item % 5}" for item in range(40, 103)]
    table = nf.read(write("long.csv", "item,system,score\n" + "\n".join(rows) + "\n"))
    sample = table.unpaired(missing="drop")
    assert sample.lengths == (60, 60)
    assert (sample.alignment.matched, sample.alignment.dropped) == (60, 43)
    result = nf.test(sample, "welch_t")
    assert "43 items left out (3 without a score for A, 40 without a score for B)." in map(str, result.notes)
    assert "missing:drop" in result.signature
    whole = nf.test(table.unpaired(), "welch_t")
    assert not any("left out" in str(note) for note in whole.notes)
    assert "missing:drop" not in whole.signature
    lists = nf.test([1.0, None, 3.0, 4.0], [2.0, 2.0, 5.0], "welch_t", missing="drop")
    assert "Missing scores were left out: 1 of A." in map(str, lists.notes)
    assert "missing:drop" in lists.signature
    ranked = nf.rank({"A": [1.0, None, 3.0], "B": [2.0, 2.0, 5.0], "C": [4.0, 2.0]}, method="welch_t", missing="drop")
    assert sum("left out" in str(note) for note in ranked.notes) == 1


def large(form: str, *names: str) -> bytes:
    """A table of some 300 kB; its cells hold line ends and quotation marks."""
    rows = [dict.fromkeys(names, "x") | {"id": f"q{at}", "source": f'a "b,\n{at}' * 9} for at in range(3_000)]
    if form == "json":
        return json.dumps(rows).encode()
    if form == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter="\t" if form == "tsv" else ",")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "json"])
def test_gold_beside_outputs_is_seen_by_the_first_rows(tmp_path: Path, form: str) -> None:
    """What follows them is not read for it: here it is no text, which whoever reads it will say."""
    path = tmp_path / "o"
    for names, expected in ((("gold", "new", "old"), True), (("new", "old"), False)):
        whole = large(form, *names)
        assert len(whole) > 2 * HEAD_BYTES
        for content in (whole, whole + b"\xff", gzip.compress(whole)):
            path.write_bytes(content)
            assert gold_beside_outputs(path, "labels", (), "auto") is expected


def test_a_first_row_longer_than_a_look_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    path.write_text("id,gold,new\n" + f"1,x,{'y' * 2 * HEAD_BYTES}\n" + "2,x,x\n")
    assert gold_beside_outputs(path, "texts", (), "auto")


def test_several_metrics_score_a_table_with_gold(write: Write) -> None:
    rows = zip(NEW * 5, OLD * 5, GOLD * 5, strict=True)
    path = str(write("outputs.csv", "\n".join(["new,old,gold", *(",".join(row) for row in rows)]) + "\n"))
    ran = nofluke("compare", path, "--metric", "bleu,chrf")
    assert ran.code == 0, ran.err
    assert "by both metrics" in ran.out
    assert "takes several: --metric bleu,chrf" in nofluke("compare", path, "--metric", "bleu", "--metric", "chrf").err
    assert "one metric at a time" in nofluke("score", path, "--metric", "bleu,chrf").err
