"""What a first look takes for scores, outputs or annotators, and is none: each is set aside aloud, or refused."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke

Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return written


def lines(count: int, row: Callable[[int], str]) -> str:
    return "".join(row(number) + "\n" for number in range(count))


def jsonl(count: int, row: Callable[[int], object]) -> str:
    return lines(count, lambda number: json.dumps(row(number)))


def share(number: int) -> float:
    return (number * 37 % 100) / 100


def codes_of(scores: nf.Scores) -> list[str]:
    return [note.code for source in scores.sources for note in source.notes]


def read(text: str) -> nf.Scores:
    return nf.read(io.StringIO(text))


@pytest.mark.parametrize(
    "name", ["latency", "latency_ms", "inference_time", "cost_usd", "seconds", "confidence", "difficulty", "votes"]
)
def test_a_measurement_beside_systems_is_no_system(name: str) -> None:
    text = f"id,new,old,{name}\n" + lines(12, lambda n: f"q{n},{share(n)},{share(n + 5)},{n % 4 + 0.5}")
    scores = read(text)
    assert scores.systems == ("new", "old")
    assert "read.no_system" in codes_of(scores)
    # A baseline may be called so.
    rows = lines(12, lambda n: f"q{n},{share(n)},{share(n + 5)},{share(n + 8)}")
    assert read(f"id,new,old,position\n{rows}").systems == ("new", "old", "position")
    # Beside one other column, or beside metrics, it may be what is asked about.
    assert name in nf.read(io.StringIO(text), ignore="old").systems
    assert read(text.replace(f"id,new,old,{name}", f"id,{name}_v1,{name}_v2,{name}_v3")).systems[0] == f"{name}_v1"


def test_columns_of_whole_numbers_beside_shares_are_on_another_scale() -> None:
    rows = lines(12, lambda n: f"q{n},{share(n)},{share(n + 5)},{n * 7 % 5 + 1},{n * 31 % 9 * 100 + 40}")
    assert read("id,new,old,hardness,size of it\n" + rows).systems == ("new", "old")
    # Losses of a third system without whole numbers are those of a bad system.
    rows = lines(12, lambda n: f"q{n},{share(n)},{share(n + 5)},{n * 7 % 5 + 1.25}")
    assert read("id,new,old,random\n" + rows).systems == ("new", "old", "random")


def test_a_last_row_of_means_or_sums_is_no_item_even_without_a_name() -> None:
    rights = [(n % 3 > 0, n % 4 > 0) for n in range(20)]
    text = "new,old\n" + "".join(f"{int(a)},{int(b)}\n" for a, b in rights)
    new, old = (sum(column) for column in zip(*rights, strict=True))
    for last, how in ((f"{new / 20},{old / 20}", "mean"), (f"{new},{old}", "sum")):
        scores = read(f"{text}{last}\n")
        assert (len(scores.item.labels), codes_of(scores)) == (20, ["read.last_row"])
        assert dict(scores.sources[0].notes[0].facts)["how"] == how
    assert len(read(f"{text}1,0\n").item.labels) == 21


def test_rows_of_pandas_describe_are_left_out_with_their_mean() -> None:
    scores = [(n * 7 % 10, n * 3 % 10) for n in range(10)]
    text = "id,A,B\n" + "".join(f"q{n},{a},{b}\n" for n, (a, b) in enumerate(scores))
    assert len(read(f"{text}mean,4.5,4.5\nstd,3.03,3.03\nmax,9,9\n").item.labels) == 10
    # Words in a list of words are items.
    assert len(read(f"{text}min,4,5\nmax,9,9\n").item.labels) == 12


OBJECTS = {
    "compare FILE": lambda n: {"id": n, "new": {"score": share(n), "s": 1}, "old": {"score": share(n + 7), "s": 2}},
    "compare FILE --metric accuracy": lambda n: {
        "id": n,
        "gold": "ab"[n % 2],
        "predictions": {"new": "ab"[n % 2], "old": "ab"[n % 3 > 1]},
    },
    "score FILE --metric token_f1": lambda n: {
        "id": n,
        "answers": {"start": [n], "text": [f"the {n}", str(n)]},
        "prediction": f"{n - n % 2}",
    },
    "agree FILE": lambda n: {"id": n, "labels": {"ann": "ab"[n % 2], "bob": "ab"[n % 3 > 1]}},
    "correct FILE": lambda n: {"dataset": f"d{n}", "result": {"p_value": share(n + 1), "t": 2.0}},
    "replicate FILE": lambda n: {"dataset": f"d{n}", "result": {"p_value": share(n + 1), "t": 2.0}},
}


@pytest.mark.parametrize("command", OBJECTS)
def test_what_is_within_objects_is_named_and_the_advice_is_one_step(write: Write, command: str) -> None:
    typed = command.replace("FILE", write("t.jsonl", jsonl(12, OBJECTS[command])))
    run = nofluke(*shlex.split(typed))
    assert run.code == 2
    named = re.search(r"--columns (\S+?)\.?$", " ".join(run.err.split()))
    assert named, run.err
    assert "start" not in named[1]
    assert nofluke(*shlex.split(typed), "--columns", named[1]).code == 0


@pytest.mark.parametrize(
    ("head", "row", "more"),
    [
        ("dok,modell,tp,fp", lambda n: f"d{n // 2},m{n % 2},{n % 5},{n % 3}", ["--formula", "tp/(tp+fp)"]),
        ("satz,modell,bleu,ter", lambda n: f"d{n // 2},m{n % 2},{share(n)},{share(n + 9)}", ["--metric", "bleu"]),
        ("satz,modell,punkte", lambda n: f"d{n // 2},m{n % 2},{share(n)}", []),
    ],
)
def test_names_of_items_and_systems_that_no_heading_tells_are_asked_for(
    write: Write, head: str, row: Callable[[int], str], more: list[str]
) -> None:
    file = write("t.csv", f"{head}\n" + lines(40, row))
    run = nofluke("compare", file, *more)
    assert run.code == 2
    named = re.search(r"--columns (\S+);", " ".join(run.err.split()))
    assert named, run.err
    followed = nofluke("compare", file, *more, "--columns", named[1])
    assert followed.code == 0
    assert "20 items, 2 systems" in followed.err


def test_the_line_on_outputs_names_gold_references_and_what_is_not_used(write: Write) -> None:
    texts = ["the cat sat on the mat", "a cat sat there", "the cat lay on it", "the dog sat on the mat"]
    head = "id,prompt,ref1,ref2,new,old\n"
    both = write("both.csv", head + lines(8, lambda n: ",".join([str(n), f"p{n}", *(f"{one} {n}" for one in texts)])))
    refused = nofluke("compare", both)
    assert refused.code == 2
    assert "--metric bleu" in refused.err
    told = nofluke("compare", both, "--metric", "bleu").err
    assert "gold = ref1, ref2, output = new, old); not used: prompt" in told
    gold = write("gold.csv", "id,label\n" + lines(8, lambda n: f"{n},{'ab'[n % 2]}"))
    output = write("out.csv", "id,pred\n" + lines(8, lambda n: f"{n},{'ab'[n % 3 > 1]}"))
    told = nofluke("score", output, "--gold", gold, "--metric", "accuracy").err
    assert "gold.csv: 8 rows (item = id, gold = label)" in told


def test_what_stands_beside_annotators_is_none() -> None:
    def people(*names: str) -> tuple[str, ...]:
        others = [lambda n, k=k: "abc"[(n + k) % 3] for k in range(len(names))]
        text = lines(9, lambda n: ",".join([str(n), *(other(n) for other in others)]))
        return nf.read_ratings(io.StringIO(f"item,{','.join(names)}\n{text}")).annotators

    for name in (
        "adjudicated",
        "majority",
        "gold_label",
        "final_label",
        "mean",
        "ann_comment",
        "ann_confidence",
        "latency",
    ):
        assert people("ann", "bob", name) == ("ann", "bob")
    assert people("ann", "bob", "human") == ("ann", "bob", "human")
    assert people("ann", "gold") == ("ann", "gold")


def test_counts_in_place_of_ratings_are_refused_with_a_way_to_write_them_out(write: Write) -> None:
    import pandas

    fleiss = "item,yes,no,maybe\n" + lines(9, lambda n: f"{n},{n % 4},{4 - n % 4},{1}")
    with pytest.raises(InputError, match="every row sum to 5") as refused:
        nf.read_ratings(io.StringIO(fleiss))
    often = "ann,bob,count\nyes,yes,20\nyes,no,5\nno,yes,4\nno,no,21\n"
    with pytest.raises(InputError, match="how often each row came") as again:
        nf.read_ratings(io.StringIO(often))
    for text, error, ratings in ((fleiss, refused, 45), (often, again, 100)):
        code = re.search(r"pandas: (.*?index=False.*?\));? ", error.value.advice("python"))
        assert code
        made = io.StringIO()
        names = {"read_csv": pandas.read_csv, "FILE": io.StringIO(text), "NEW": made}
        exec(code[1].rstrip(";"), names)
        assert len(nf.read_ratings(io.StringIO(made.getvalue())).label) == ratings
    # Ranks of two, and ratings on which all agree, sum to the same number too.
    for row in (lambda n: f"{n},{1 + n % 2},{2 - n % 2}", lambda n: f"{n},1,1"):
        assert len(nf.read_ratings(io.StringIO("item,ann,bob\n" + lines(9, row))).annotators) == 2


def test_items_alone_are_no_ratings() -> None:
    with pytest.raises(InputError, match="no column of ratings"):
        nf.read_ratings(io.StringIO("id\n" + lines(9, str)))


def test_lists_of_ratings_are_refused_with_a_way_to_write_them_apart() -> None:
    each = jsonl(9, lambda n: {"id": n, "annotations": [{"annotator": "ann", "label": "a"}]})
    with pytest.raises(InputError, match="in one list") as refused:
        nf.read_ratings(io.StringIO(each))
    assert """jq -c '.["id"] as $i | .["annotations"][] | {item: $i} + .'""" in refused.value.advice()
    with pytest.raises(InputError, match="in one list") as refused:
        nf.read_ratings(io.StringIO(jsonl(9, lambda n: {"id": n, "labels": ["a", "b"]})))
    assert '(.["labels"] | to_entries' in refused.value.advice()


def test_ratings_of_several_systems_name_the_column_that_tells_them_apart() -> None:
    rows = lines(24, lambda n: f"{n // 6},s{n // 3 % 2},a{n % 3},{n % 5}")
    with pytest.raises(InputError, match="more than once") as refused:
        nf.read_ratings(io.StringIO("item,system,annotator,rating\n" + rows))
    assert "columns={'item': 'item,system'}" in refused.value.advice("python")


@pytest.mark.parametrize(
    "source", [np.ones((5, 2)), [1.0, 0.0], {"A": [1, 0], "B": [0, 1]}, [{"id": 1, "A": 0.5}], {"A": {"q1": 1.0}}]
)
def test_scores_in_memory_are_no_files(source: object) -> None:
    with pytest.raises(InputError, match="neither a file nor a data frame") as refused:
        nf.read(source)
    assert "nf.compare(a, b)" in refused.value.advice("python")


def test_a_table_of_two_by_two_of_the_same_names_holds_no_items() -> None:
    with pytest.raises(InputError, match="square"):
        read(",yes,no\nyes,20,5\nno,4,21\n")
    assert read(",new,old\nq1,20,5\nq2,4,21\n").systems == ("new", "old")


def test_judges_of_long_tables_are_told_with_what_to_type(write: Write) -> None:
    rows = lines(60, lambda n: f"q{n // 6},j{n % 3},{'new' if n // 3 % 2 else 'old'},{n * 7 % 5}")
    file = write("judged.csv", "item,judge,system,score\n" + rows)
    run = nofluke("compare", file)
    assert run.code == 2
    assert "--columns run=judge" in run.err.partition("error:")[0]
    assert nofluke("compare", file, "--columns", "run=judge").code == 0
    rows = jsonl(40, lambda n: {"id": n // 2, "model": {"name": f"m{n % 2}"}, "score": share(n)})
    file = write("models.jsonl", rows)
    assert "--columns system=model.name" in nofluke("compare", file).err
    assert nofluke("compare", file, "--columns", "system=model.name").code == 0


@pytest.mark.parametrize(
    ("names", "row"),
    [
        ("new,old,new-old", lambda n: f"{n % 7},{n % 5},{n % 7 - n % 5}"),
        ("new mean,old mean,new std", lambda n: f"{share(n)},{share(n + 3)},{n % 3 / 10}"),
        ("acc_new,acc_old,cost_new", lambda n: f"{share(n)},{share(n + 3)},{n % 3}"),
        ("new_correct,old_correct,total", lambda n: f"{n % 7},{n % 5},{8 + n % 2}"),
    ],
)
def test_differences_spreads_and_totals_are_no_systems(names: str, row: Callable[[int], str]) -> None:
    scores = read(f"id,{names}\n" + lines(12, lambda n: f"q{n},{row(n)}"))
    assert list(scores.systems) == names.split(",")[:2]


def test_outputs_with_how_sure_they_are_ask_for_a_metric(write: Write) -> None:
    head = "text,label,a_pred,b_pred,a_prob,b_prob\n"
    file = write("sure.csv", head + lines(20, lambda n: f"t{n},{'yn'[n % 2]},{'yn'[n % 3 > 1]},y,0.{n},0.5"))
    assert "--metric accuracy" in nofluke("compare", file).err
    assert "output = a_pred, b_pred)" in nofluke("compare", file, "--metric", "accuracy").err


def test_labels_spelled_otherwise_than_gold_are_shown(write: Write) -> None:
    file = write(
        "caps.csv", "id,gold,A,B\n" + lines(20, lambda n: f"{n},{'YN'[n % 2]},{'yn'[n % 2]},{'yn'[n % 3 > 1]}")
    )
    run = nofluke("compare", file, "--metric", "accuracy")
    assert run.code == 2
    assert "no column holds the labels of gold ('N', 'Y'); 'A' holds 'n', 'y'" in run.err
    assert "--columns output=A,B." in run.err
    assert nofluke("compare", file, "--metric", "accuracy", "--columns", "output=A,B").code == 0


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("0-0 1-2\n1-1 2-2\n0-1\n", "--gold FILE --metric aer"),
        ("(S (NP (N x)) (VP (V y)))\n" * 3, "--gold FILE --metric bracket_f1"),
        ("  Sent.   Matched\n ID  Len.  Stat. Recal\n====\n 1 10 0 90.00\n", "sums: --metric bracket_f1"),
        ("the cat sat on it\na dog ran\nit rained on us all\n", "--gold FILE --metric bleu"),
    ],
)
def test_files_of_one_task_are_known_without_gold(write: Write, text: str, metric: str) -> None:
    assert metric in " ".join(nofluke("compare", write("a.txt", text), write("b.txt", text)).err.split())


def test_a_header_that_comes_again_is_to_be_deleted() -> None:
    part = "id,A,B\n" + lines(9, lambda n: f"q{n},{share(n)},{share(n + 4)}")
    with pytest.raises(InputError, match="line 11, column 'A'") as refused:
        read(part + part)
    assert "the header comes again" in refused.value.advice()


def test_files_that_repeat_systems_are_put_into_one(write: Write) -> None:
    part = "id,A,B\n" + lines(9, lambda n: f"q{n},{share(n)},{share(n + 4)}")
    run = nofluke("compare", write("one.csv", part), write("two.csv", part))
    assert run.code == 2
    assert "with a column of runs" in run.err
