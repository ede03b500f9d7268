"""Tables that users have: each is read as it is meant, or refused with advice that works when it is followed."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from support.command_line import Run, nofluke

Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return written


def refused(*words: str) -> str:
    run = nofluke(*words)
    assert run.code == 2, run.err
    assert "Traceback" not in run.err
    return " ".join(run.err.partition("fix: ")[2].split())


def answered(*words: str) -> Run:
    run = nofluke(*words)
    assert run.code == 0, run.err
    return run


def page_advice(ask: Callable[[], object]) -> str:
    """What a page advises where a question is refused: neither flags nor commands."""
    with pytest.raises(NoflukeError) as caught:
        ask()
    shown = caught.value.advice("page")
    assert "--" not in shown
    assert "nofluke" not in shown
    return shown


def scores_by_key(scores: nf.Scores) -> dict[tuple[str, ...], float]:
    axes = [axis for axis in (scores.item, scores.system, scores.run) if axis is not None]
    rows = zip(*(axis.codes.tolist() for axis in axes), strict=True)
    values = scores.statistics[:, 0].tolist()
    return {
        tuple(axis.labels[code] for axis, code in zip(axes, codes, strict=True)): value
        for codes, value in zip(rows, values, strict=True)
    }


# Runs, seeds and folds


@pytest.mark.parametrize("name", ["run", "seed", "epoch", "fold", "Fold", "trial"])
def test_runs_beside_items_are_averaged(name: str) -> None:
    rows = [(item, run, item + run, item * run) for item in range(1, 7) for run in (1, 2)]
    wide = nf.read(io.StringIO(f"item,{name},A,B\n" + "".join(f"q{i},{r},{a},{b}\n" for i, r, a, b in rows)))
    assert wide.sources[0].mapping["run"] == name
    sample = wide.pair()
    assert sample.statistics[:, 0, 0].tolist() == [item + 1.5 for item in range(1, 7)]
    assert sample.statistics[:, 1, 0].tolist() == [item * 1.5 for item in range(1, 7)]
    text = "".join(f"q{i},{r},{s},{v}\n" for i, r, a, b in rows for s, v in (("A", a), ("B", b)))
    assert scores_by_key(nf.read(io.StringIO(f"item,{name},system,score\n{text}"))) == scores_by_key(wide)


@pytest.mark.parametrize("name", ["seed", "fold", "run"])
def test_one_score_of_every_system_for_each_run_makes_runs_the_items(name: str) -> None:
    wide = nf.read(io.StringIO(f"{name},A,B\n" + "".join(f"{r},{r / 9},{r / 8}\n" for r in (3, 1, 2))))
    long = nf.read(
        io.StringIO(f"{name},system,accuracy\n" + "".join(f"{r},{s},{r / d}\n" for r in (3, 1, 2) for s, d in SYSTEMS))
    )
    for scores in (wide, long):
        assert scores.item.labels == ("3", "1", "2")
        assert scores.run is None
    assert wide.pair().statistics.tolist() == long.pair().statistics.tolist()


SYSTEMS = (("A", 9), ("B", 8))


def test_folds_within_runs_are_items() -> None:
    rows = [(run, fold) for run in (1, 2) for fold in (1, 2, 3)]
    scores = nf.read(io.StringIO("run,fold,A,B\n" + "".join(f"{r},{f},{r * f},{r + f}\n" for r, f in rows)))
    assert scores.pair().statistics[:, 0, 0].tolist() == [1.5 * fold for fold in (1, 2, 3)]


def test_rows_of_one_fold_are_items_of_their_own() -> None:
    scores = nf.read(io.StringIO("fold,A,B\n" + "".join(f"{i % 3},0.{i % 7},0.{i % 5}\n" for i in range(12))))
    assert scores.sources[0].mapping == {"item": "row number", "system": "A, B", "run": "fold"}
    assert scores.pair().n == 12


def test_items_that_cannot_be_told_from_runs_are_not_taken_for_others(write: Write) -> None:
    table = write("seeds.csv", "seed,A,B\n" + "".join(f"{i % 3},0.{i % 7},0.{i % 5}\n" for i in range(12)))
    advice = refused("compare", table)
    assert "--columns ignore=seed" in advice
    assert "12 items" in answered("compare", table, "--columns", "ignore=seed").out


def test_runs_of_outputs_and_of_statistics_are_averaged() -> None:
    rows = [(item, seed, int(item % 2 == 0), int(seed)) for item in range(4) for seed in (0, 1)]
    labels = io.StringIO("item,seed,gold,A,B\n" + "".join(f"{i},{s},1,{a},{b}\n" for i, s, a, b in rows))
    counts = io.StringIO(
        "item,seed,system,hit,all\n"
        + "".join(f"{i},{s},{name},{v},1\n" for i, s, a, b in rows for name, v in (("A", a), ("B", b)))
    )
    for scores in (nf.score("accuracy", labels), nf.from_statistics(counts, "hit/all")):
        assert scores.run is not None
        assert scores.run.labels == ("0", "1")
        sample = scores.pair()
        assert sample.n == 4
        assert (sample.score(0), sample.score(1)) == (0.5, 0.5)
        assert scores.pair(run="1").score(1) == 1


def test_runs_of_outputs_share_the_gold_of_another_file(write: Write) -> None:
    gold = write("gold.csv", "id,label\n" + "".join(f"q{i},{i % 2}\n" for i in range(6)))
    rows = [(i, seed, s) for i in range(6) for seed in (7, 8) for s in "AB" if (i, seed, s) != (2, 8, "B")]
    table = write("out.csv", "id,seed,system,prediction\n" + "".join(f"q{i},{e},{s},{e % 2}\n" for i, e, s in rows))
    scores = nf.score("accuracy", table, gold, cache=False)
    expected = {(f"q{i}", s, str(e)): float(i % 2 == e % 2) for i, e, s in rows}
    assert {key: value for key, value in scores_by_key(scores).items() if value == value} == expected
    strange = write("strange.csv", "id,seed,prediction\nq1,7,1\nq9,7,1\n")
    with pytest.raises(NoflukeError, match="item 'q9' is not in"):
        nf.score("accuracy", {"A": strange}, gold)


def test_a_first_column_names_the_items_of_runs() -> None:
    text = "treebank,seed,A,B\n" + "".join(f"t{i},{s},{i}.{s},{i}\n" for i in range(5) for s in (1, 2))
    scores = nf.read(io.StringIO(text))
    assert scores.sources[0].mapping == {"item": "treebank", "system": "A, B", "run": "seed"}
    assert scores.pair().n == 5


def test_a_metric_of_all_items_at_once_refuses_runs() -> None:
    text = "item,seed,gold,A\n" + "".join(f"{i},{s},{i},{i + s}\n" for i in range(5) for s in (0, 1))
    with pytest.raises(NoflukeError, match="in 2 runs"):
        nf.score("spearman", {"A": io.StringIO(text)})


# Gold called label or answer

LABELS = [
    ("pos", "pos", "neg"),
    ("neg", "neg", "neg"),
    ("pos", "neg", "neg"),
    ("neg", "neg", "pos"),
    ("pos", "pos", "pos"),
]


@pytest.mark.parametrize("name", ["label", "answer", "Label", "gold"])
@pytest.mark.parametrize("numbers", [False, True])
def test_a_column_called_label_is_gold_beside_outputs(name: str, numbers: bool, write: Write) -> None:
    rows = [[{"pos": "1", "neg": "0"}[cell] if numbers else cell for cell in row] for row in LABELS]
    table = write("t.csv", f"item,{name},cnn,lstm\n" + "".join(f"{i},{','.join(row)}\n" for i, row in enumerate(rows)))
    advice = refused("compare", table)
    metric = re.search(r"--metric (\w+)", advice)
    assert metric is not None
    run = answered("compare", table, "--metric", metric[1])
    assert f"gold = {name}, output = cnn, lstm" in run.err
    scores = nf.score("accuracy", table)
    assert (scores.pair().score(0), scores.pair().score(1)) == (0.8, 0.4)


def test_a_label_is_the_output_where_gold_is_another_file(write: Write) -> None:
    gold = write("gold.csv", "item,label\n1,p\n2,n\n3,p\n")
    output = write("out.csv", "item,label,guess\n1,p,n\n2,p,n\n3,p,n\n")
    assert nf.score("accuracy", {"A": output}, gold).statistics[:, 0].tolist() == [1, 0, 1]


def test_a_label_beside_what_is_no_label_is_not_gold(write: Write) -> None:
    table = write("out.csv", "item,label,confidence\n1,p,0.5\n2,n,0.25\n")
    with pytest.raises(NoflukeError, match="none was given"):
        nf.score("accuracy", table)


# JSON


@pytest.mark.parametrize("indent", [None, 1])
def test_a_mapping_of_lists_is_a_wide_table(indent: int | None, write: Write) -> None:
    values = {"item": [f"q{i}" for i in range(9)], "A": [i / 9 for i in range(9)], "B": [i / 8 for i in range(9)]}
    scores = nf.read(write("t.json", json.dumps(values, indent=indent)))
    rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
    assert scores_by_key(scores) == scores_by_key(nf.read(write("rows.json", json.dumps(rows))))
    assert scores.sources[0].mapping == {"item": "item", "system": "A, B"}


def test_a_long_mapping_of_lists_is_read_whole(write: Write) -> None:
    values: dict[str, Any] = {name: [i % 7 for i in range(20_000)] for name in ("A", "B")}
    assert len(nf.read(write("t.json", json.dumps(values))).item.labels) == 20_000
    answers = {"gold": ["p", "n"] * 20_000, "A": ["p", "p"] * 20_000}
    for indent in (None, 1):
        path = write("out.json", json.dumps(answers, indent=indent))
        assert nf.score("accuracy", {"A": path}).statistics.mean() == 0.5


def test_a_lone_sentence_of_tags_stays_one(write: Write) -> None:
    line = json.dumps({"tokens": ["x", "y"], "gold": ["B-P", "O"], "A": ["B-P", "B-P"]})
    assert len(nf.score("span_f1", {"A": write("t.jsonl", line)}).item.labels) == 1


@pytest.mark.parametrize("text", ['{"A": [1, 2], "B": [1]}', '{"A": [], "B": []}'])
def test_lists_of_different_lengths_are_refused(text: str, write: Write) -> None:
    with pytest.raises(NoflukeError, match="different numbers"):
        nf.read(write("t.json", text))


# Empty labels


@pytest.mark.parametrize("metric", ["accuracy", "f1", "pearson"])
def test_an_empty_label_is_missing_as_null_is(metric: str, write: Write) -> None:
    rows: list[list[Any]] = [[i, i % 2, (i + 1) % 3 % 2, i % 2] for i in range(1, 13)]
    rows[4][2] = rows[7][3] = None
    names = ["item", "gold", "A", "B"]
    table = write("t.csv", "".join(",".join("" if c is None else str(c) for c in row) + "\n" for row in [names, *rows]))
    lines = write("t.jsonl", "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))
    found = []
    for path in (table, lines):
        assert "--missing drop" in refused("compare", path, "--metric", metric)
        run = answered("compare", path, "--metric", metric, "--missing", "drop", "--format", "json")
        found.append({key: value for key, value in json.loads(run.out).items() if key in ("n", "test", "effects")})
        assert found[-1]["n"] == 10
    assert found[0] == found[1]


def test_an_empty_text_is_what_the_system_gave(write: Write) -> None:
    table = write("t.csv", "item,gold,A\n1,a b,a b\n2,c d,\n")
    scores = nf.score("wer", {"A": table})
    assert scores.aggregates["wer"](scores.statistics.sum(axis=0), 2.0) == 0.5


# P-values


def test_p_values_take_columns(write: Write) -> None:
    table = write("p.csv", "lang,x,y,outcome,other\nde,81,80,0.01,0.9\nfr,70,72,0.04,0.8\n")
    assert "--columns p_value=NAME" in refused("correct", table)
    assert "--columns score=NAME,NAME" in refused("correct", table, "--columns", "p_value=outcome")
    given = ("--columns", "p_value=outcome", "--columns", "ignore=other", "--format", "json")
    assert json.loads(answered("correct", table, *given).out)["names"] == ["de", "fr"]
    found = nf.read_p_values(table, columns={"p_value": "OUTCOME", "dataset": "lang", "score": "y,x"})
    assert found.p_values.tolist() == [0.01, 0.04]
    assert found.datasets == ("de", "fr")
    assert found.systems == ("y", "x")
    assert found.signs.tolist() == [-1, 1]
    given = ("--columns", "p_value=outcome,dataset=lang,score=x,y")
    assert "(scores of A = x, of B = y); not used: other" in " ".join(answered("replicate", table, *given).err.split())


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"p_value": "nosuch"}, "there is no column 'nosuch'"),
        ({"p_value": "outcome", "dataset": "outcome"}, "named as p_value and as dataset"),
        ({"p_value": "outcome", "score": "x"}, "scores are those of two systems"),
        ({"system": "x"}, "'system' is not a role"),
        ({"ignore": "lang"}, "no column is called p"),
    ],
)
def test_columns_of_p_values_that_cannot_be(columns: dict[str, str], message: str) -> None:
    with pytest.raises(NoflukeError, match=message):
        nf.read_p_values(io.StringIO("lang,x,y,outcome\nde,81,80,0.01\nfr,70,72,0.04\n"), columns=columns)


def test_columns_without_a_table_of_p_values_are_refused() -> None:
    assert refused("correct", "0.01", "0.2", "--columns", "p_value=p") == "leave it out."
    assert refused("replicate", "--example", "pos-tagging", "--columns", "p_value=p") == "leave it out."


# Formulas


def test_a_formula_takes_columns_to_ignore_and_runs(write: Write) -> None:
    text = "item,doc,seed,system,hit,all\n" + "".join(
        f"{i},d{i % 3},{seed},{name},{(i + seed) % 2},1\n" for i in range(9) for seed in (0, 1) for name in "AB"
    )
    table = write("t.csv", text)
    scores = nf.from_statistics(table, "hit/all", columns={"ignore": "doc"})
    assert scores.cluster is None
    assert nf.from_statistics(table, "hit/all").cluster is not None
    answered("compare", table, "--formula", "hit/all", "--columns", "ignore=doc", "--columns", "run=seed")
    other = write("u.csv", text.replace("seed", "again", 1))
    advice = refused("compare", other, "--formula", "hit/all")
    told = re.search(r"--columns \S+", advice)
    assert told is not None
    # A column that tells rows apart makes datasets of them, which are averaged, or runs, which are too.
    answered("compare", other, "--formula", "hit/all", "--columns", "run=again")
    answered("compare", other, "--formula", "hit/all", *shlex.split(told[0].rstrip(".;")))
    answered("compare", other, "--formula", "hit/all", *shlex.split(told[0].rstrip(".;")), "--dataset", "0")


# Advice that leads on


@pytest.mark.parametrize("labels", ["xyxxyx", "121121"])
def test_annotations_are_sent_to_agree(labels: str, write: Write) -> None:
    rows = [(i // 2, "ab"[i % 2], label) for i, label in enumerate(labels)]
    table = write("annotations.csv", "item,annotator,label\n" + "".join(f"{i},{who},{what}\n" for i, who, what in rows))
    for command in ("compare", "rank"):
        advice = refused(command, table)
        assert "nofluke agree FILE" in advice
    shown = page_advice(lambda: nf.read(table))
    assert "the page Annotators" in shown
    answered("agree", table)


def test_an_unknown_metric_is_named(write: Write) -> None:
    table = write("t.csv", "item,gold,A,B\n1,p,p,n\n2,n,n,n\n")
    run = nofluke("compare", table, "--metric", "acuracy")
    assert run.code == 2
    assert "there is no metric 'acuracy'" in run.err
    assert "did you mean 'accuracy'?" in run.err


def test_more_than_two_systems_may_be_ranked(write: Write) -> None:
    table = write("t.csv", "item,A,B,C\n" + "".join(f"{i},0.{i % 7},0.{i % 5},0.{i % 3}\n" for i in range(30)))
    advice = refused("compare", table)
    assert "--a NAME --b NAME" in advice
    assert "nofluke rank FILE" in advice
    answered("rank", table)
    assert "the page Many systems" in page_advice(lambda: nf.read(table).pair())


def test_missing_items_of_a_ranking_may_be_left_to_pairs(write: Write) -> None:
    rows = [[str(i), f"0.{i % 7}", f"0.{i % 5}", f"0.{i % 3}"] for i in range(30)]
    rows[3][1] = rows[8][2] = ""
    table = write("t.csv", "item,A,B,C\n" + "".join(",".join(row) + "\n" for row in rows))
    advice = refused("rank", table)
    assert "--missing pairwise" in advice
    assert '"each pair on its own items" on the page Many systems' in page_advice(lambda: nf.rank(nf.read(table)))
    answered("rank", table, "--missing", "pairwise")
    assert "pairwise" not in refused("compare", table, "--a", "A", "--b", "B")


@pytest.mark.parametrize("method", ["welch_t", "student_t"])
def test_unpaired_tests_are_sent_on_to_test(method: str, write: Write) -> None:
    table = write("t.csv", "item,A,B\n" + "".join(f"{i},0.{i % 7},0.{i % 5}\n" for i in range(30)))
    advice = refused("compare", table, "--method", method)
    command = re.search(r"nofluke (test FILE --method \w+)", advice)
    assert command is not None
    answered(*shlex.split(command[1].replace("FILE", table)))
    assert "another test" in page_advice(lambda: nf.compare(nf.read(table).pair(), method=method))
