"""Tables as newcomers have them: which way is better, how much was read, and advice that can be typed as it stands."""

from __future__ import annotations

import csv
import gzip
import io
import json
import pickle
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.types.bounds import BeyondBoundsError, Bounds, blocks
from nofluke.words.sources import remarks, scores_lines


def said_of(source: object, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        nf.read(source, **options)
    return caught.value.said("shell")


def written(folder: Path, name: str, *lines: str) -> Path:
    file = folder / name
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.mark.parametrize("word", ["wer", "WER", "latency", "time", "cost", "rmse", "loss", "perplexity", "error"])
@pytest.mark.parametrize(
    "form", ["{w}_v{n}_test", "{w}_ms_v{n}", "v{n}_{w}_s", "sys{n}_{w}", "{w}{n}", "v{n} ({w}, usd)"]
)
def test_a_word_in_the_names_of_all_systems_says_which_way_is_better(tmp_path: Path, word: str, form: str) -> None:
    """Wherever it stands, lower is better, and that is said."""
    names = [form.format(w=word, n=number) for number in (1, 2)]
    quoted = [f'"{name}"' for name in names]
    rows = [f"q{n},{20 + n % 3},{12 + n % 5}" for n in range(9)]
    scores = nf.read(written(tmp_path, "t.csv", ",".join(["id", *quoted]), *rows))
    assert scores.systems == tuple(names)
    assert list(scores.higher_is_better.values()) == [False]
    assert [dict(one.facts)["word"] for one in scores.notes if one.code == "read.lower_is_better"] == [word.casefold()]


@pytest.mark.parametrize(
    "names", ["A,wer_b", "error_f1_old_x,error_f1_new_x", "cost_saved_a_x,cost_saved_b_x", "timely,lossless"]
)
def test_a_word_of_some_names_or_beside_a_better_one_turns_nothing(tmp_path: Path, names: str) -> None:
    scores = nf.read(written(tmp_path, "t.csv", f"id,{names}", *(f"q{n},0.{n},0.5" for n in range(9))))
    assert list(scores.higher_is_better.values()) == [True]


@pytest.mark.parametrize("first", [1, 4])
def test_items_of_datasets_that_number_them_alike_are_counted_each(tmp_path: Path, first: int) -> None:
    """Three datasets of ten items are thirty items, whether their numbers repeat or go on."""
    rows = [f"{d},{n if first == 1 else 10 * k + n},0.{n},0.5" for k, d in enumerate("xyz") for n in range(10)]
    scores = nf.read(written(tmp_path, "t.csv", "dataset,item,a,b", *rows))
    assert "30 items, 2 systems, 3 datasets" in scores_lines(scores)[0]


@pytest.mark.parametrize("name", ["gone.parquet", "gone*.json", "B=gone.csv"])
def test_a_file_that_is_not_there_is_named_beside_logs(name: str) -> None:
    logs = Path(__file__).parents[2] / "docs" / "examples" / "lm-eval" / "tuned"
    said = said_of([str(logs), name])
    assert "does not exist" in said
    assert said.startswith(name.rpartition("=")[2])


JUDGED = [f"{n},{model},Explain {n},{'ab'[n % 2]},{n % 5},1.{n}" for n in range(12) for model in ("x", "y")]


def test_a_column_that_differs_for_every_item_groups_nothing(tmp_path: Path) -> None:
    """The prompt of an item comes with every system; its category is worth a word."""
    scores = nf.read(written(tmp_path, "t.csv", "id,model,prompt,category,score,latency", *JUDGED))
    (told,) = (one for one in scores.sources[0].notes if one.code == "read.perhaps_groups")
    assert told["column"] == "category"


def test_a_metric_that_is_a_column_not_used_is_named_as_such(tmp_path: Path) -> None:
    file = written(tmp_path, "t.csv", "id,model,prompt,category,score,latency", *JUDGED)
    with pytest.raises(InputError) as caught:
        nf.read(file).pair(metric="latency")
    assert "--columns score=latency;" in caught.value.said("shell")
    assert nf.read(file, columns={"score": "latency"}).metrics == ("latency",)
    with pytest.raises(InputError) as caught:
        nf.read(file).pair(metric="bleu")
    assert "--columns" not in caught.value.said("shell")


@pytest.mark.parametrize("title", [["Results of experiment 3,,", ",,"], ["Results", ""], ["Results", "of May", ""]])
def test_a_title_above_the_names_of_columns_is_told_with_what_to_type(tmp_path: Path, title: list[str]) -> None:
    rows = [f"{n},0.{n},0.5" for n in range(8)]
    said = said_of(written(tmp_path, "t.csv", *title, "item,old,new", *rows))
    assert "title ('Results" in said
    assert f"tail -n +{len(title) + 1} FILE" in said


def test_scores_within_objects_can_be_named(tmp_path: Path) -> None:
    """The advice for no score and for a whole object can be typed as it stands."""
    rows = [
        f'{{"id": {n}, "model": "{model}", "usage": {{"tokens": 7}}, "judge": {{"score": {n % 4}, "why": "ok"}}}}'
        for n in range(9)
        for model in "xy"
    ]
    file = written(tmp_path, "t.jsonl", *rows)
    assert "--columns score=judge.score." in said_of(file)
    assert "--columns score=judge.score." in said_of(file, columns={"score": "judge"})
    scores = nf.read(file, columns={"score": "judge.score"})
    assert scores.statistics[:, 0].tolist() == [float(n % 4) for n in range(9) for _ in "xy"]
    assert "there is no column 'judge.grade'" in said_of(file, columns={"score": "judge.grade"})


def test_counts_are_advised_over_their_own_total(tmp_path: Path) -> None:
    """Hits out of n_sure and n_system: the advice divides by the one that belongs to them, never by the items."""
    rows = [f"{n},{s},{n % 3},{n % 3 + 1},{n % 3 + 4},{n % 3 + 3}" for n in range(9) for s in ("x", "y")]
    file = written(tmp_path, "t.csv", "item,system,hit_sure,hit_possible,n_system,n_sure", *rows)
    said = said_of(file)
    assert '--formula "hit_sure/n_sure".' in said
    assert "--columns score=hit_sure,hit_possible with --metric hit_sure;" in said
    assert nf.read(file, columns={"score": "hit_sure,hit_possible"}).pair(metric="hit_sure").n == 9
    without = [row.rpartition(",")[0].rpartition(",")[0] for row in rows]
    assert "formula" not in said_of(written(tmp_path, "u.csv", "item,system,hit_sure,hit_possible", *without))


@pytest.mark.parametrize(("column", "told"), [("seed", True), ("run", True), ("fold", False)])
def test_seeds_that_are_taken_as_items_are_told(tmp_path: Path, column: str, told: bool) -> None:
    """Folds are pairs by nature; equal seeds of two models are not."""
    rows = [f"{model},{n},0.8{n}" for model in ("base", "tuned") for n in range(7)]
    (source,) = nf.read(written(tmp_path, "t.csv", f"model,{column},accuracy", *rows)).sources
    said = " ".join(remarks(source.notes))
    assert (f"Each {column!r} is taken as an item" in said) is told


def test_models_in_rows_and_datasets_in_columns_are_to_be_turned(tmp_path: Path) -> None:
    rows = ["BERT,84.2,62.0,88.3", "RoBERTa,69.3,70.3,63.4"]
    said = said_of(written(tmp_path, "t.csv", "Model,MNLI,QQP,QNLI", *rows))
    assert "'MNLI', 'QQP', 'QNLI' are datasets" in said
    assert "read_csv(FILE).set_index('Model').T.to_csv(NEW)" in said
    assert "T.to_csv" not in said_of(written(tmp_path, "u.csv", "Model,bleu,chrf", "a,20,40", "b,21,41"))


@pytest.mark.parametrize(
    "lines",
    [
        ["Rank,Model,Org,Average,MNLI,QQP,QNLI", "1,BERT,x,78.2,84.2,62.0,88.3", "2,RoBERTa,y,67.7,69.3,70.3,63.4"],
        [
            "| Model | MNLI | QQP | QNLI |",
            "|---|---|---|---|",
            "| BERT | 84.2 | 62 | 88 |",
            "| RoBERTa | 69 | 70 | 63 |",
        ],
        ["Model;Org;MNLI;QQP;QNLI", "BERT;x;84.2;62.0;88.3", "RoBERTa;y;69.3;70.3;63.4"],
        ['"Model" "MNLI" "QQP" "QNLI"', '"BERT" 84.2 62.0 88.3', '"RoBERTa" 69.3 70.3 63.4'],
        [
            '{"Model": "BERT", "MNLI": 84, "QQP": 62, "QNLI": 88}',
            '{"Model": "RoBERTa", "MNLI": 69, "QQP": 7, "QNLI": 3}',
        ],
    ],
    ids=["ranks", "markdown", "semicolons", "spaces", "jsonl"],
)
def test_a_leaderboard_is_turned_by_the_line_of_pandas_that_is_advised(tmp_path: Path, lines: list[str]) -> None:
    """Whatever stands beside the scores, and however the table is written: the line is run as it stands."""
    pandas = pytest.importorskip("pandas")
    file = written(tmp_path, "t.txt", *lines)
    line = said_of(file).partition("with pandas: ")[2].partition("; else")[0]
    turned = tmp_path / "turned.csv"
    exec(line, {one: getattr(pandas, one) for one in dir(pandas)} | {"FILE": file, "NEW": turned})
    scores = nf.read(turned)
    assert scores.systems == ("BERT", "RoBERTa")
    assert scores.item.labels == ("MNLI", "QQP", "QNLI")


def test_names_that_r_puts_between_quotation_marks_are_bare(tmp_path: Path) -> None:
    """As write.table has them by default, blanks within; a lone mark is a word as any other."""
    file = written(tmp_path, "t.txt", '"base model" "new"', *(f'"q {n}" 0.{n} 0.5' for n in range(1, 9)))
    scores = nf.read(file)
    assert scores.systems == ("base model", "new")
    assert scores.item.labels[0] == "q 1"
    marks = nf.read(written(tmp_path, "u.txt", "item old new", '" 0.5 0.25', "'' 0.1 0.2", '5" 0.3 0.4'))
    assert marks.item.labels == ('"', "''", '5"')


@pytest.mark.parametrize("first", ["index", "columns"])
def test_columns_and_data_are_a_table_in_whatever_order_and_an_index_names_items(tmp_path: Path, first: str) -> None:
    index = [f"q{n}" for n in range(6)]
    parts = {"index": index, "columns": ["old", "new"], "data": [[n / 10, 0.5] for n in range(6)]}
    file = written(tmp_path, "t.json", json.dumps({first: parts[first]} | parts))
    assert nf.read(file).item.labels == tuple(index)
    counted = written(tmp_path, "u.json", json.dumps({first: parts[first]} | parts | {"index": list(range(6))}))
    assert not nf.read(counted).ids_given


def test_winners_called_a_and_b_keep_their_names_in_the_advice(tmp_path: Path) -> None:
    said = said_of(written(tmp_path, "t.csv", "id,winner", "1,B", "2,A", "3,B", "4,tie"))
    assert "A for A and B for B: nofluke test --counts 0,1,2,1" in said


@pytest.mark.parametrize("seeds", [1, 2])
def test_ids_that_repeat_by_category_are_told_with_its_name(tmp_path: Path, seeds: int) -> None:
    rows = [f"{n},{s},{c},{r},{n}.{r}" for c in ("math", "code") for n in range(8) for s in "xy" for r in range(seeds)]
    scores = nf.read(written(tmp_path, "t.csv", "id,model,category,seed,score", *rows), columns={"run": "seed"})
    with pytest.raises(InputError) as caught:
        scores.pair()
    said = caught.value.said("shell")
    assert "--columns dataset=category" in said
    assert "--columns item=id,category" in said
    assert "NAME" not in said


def test_decimal_commas_come_with_a_command(tmp_path: Path) -> None:
    file = written(tmp_path, "t.csv", "Nr.;A;B", *(f"{n};0,{n}1;0,52" for n in range(9)))
    assert "sed 's/,/./g' FILE > NEW." in said_of(file)


@pytest.mark.parametrize("tie", ["tie", "Tie (bothbad)", "neither", ""])
def test_preferences_are_counted_and_the_counts_can_be_tested(tmp_path: Path, tie: str) -> None:
    won = ["new", "old", "new", tie, "new", "old"]
    said = said_of(written(tmp_path, "t.csv", "id,winner", *(f"{n},{who}" for n, who in enumerate(won))))
    assert f"nofluke test --counts 0,3,2,{int(tie != '')} --method mcnemar;" in said
    assert "gold standard" not in said


def test_winners_by_position_are_counted_by_system(tmp_path: Path) -> None:
    """In model_a stands another system in every row; of many systems the pair that met most often is counted."""
    rows = [f"{n},{'pq'[n % 2]},{'qp'[n % 2]},{'model_a' if n % 3 else 'model_b'}" for n in range(9)]
    won = [("pq" if n % 3 else "qp")[n % 2] for n in range(9)]
    counts = f"A for p and B for q: nofluke test --counts 0,{won.count('p')},{won.count('q')},0 --method mcnemar;"
    assert counts in said_of(written(tmp_path, "t.csv", "id,model_a,model_b,winner", *rows))
    more = [*rows, "9,p,r,model_a", "10,r,q,tie", "11,p,q,tie"]
    said = said_of(written(tmp_path, "t.csv", "id,model_a,model_b,winner", *more))
    assert "among 3 systems; p and q met most often" in said
    assert counts.replace(",0 --method", ",1 --method") in said


@pytest.mark.parametrize(("form", "told"), [("{s}_seed{n}", True), ("{s} (run {n})", True), ("{s}_v{n}", False)])
def test_columns_that_look_like_runs_are_told(tmp_path: Path, form: str, told: bool) -> None:
    names = [form.format(s=s, n=n) for s in ("base", "tuned") for n in (1, 2, 3)]
    scores = nf.read(
        written(tmp_path, "t.csv", ",".join(["item", *names]), *(f"q{n},1,0,1,1,0,{n % 2}" for n in range(8)))
    )
    said = " ".join(remarks(scores.sources[0].notes))
    assert ("look like runs of base, tuned" in said) is told
    with pytest.raises(InputError) as caught:
        scores.pair()
    assert ("melt('item')" in caught.value.said("shell")) is (told and "_" in form)


def test_gzip_inside_gzip_is_called_that(tmp_path: Path) -> None:
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(gzip.compress(b"item,a,b\n1,2,3\n")))
    assert "gzip inside gzip" in said_of(tmp_path / "t.csv.gz")


def test_fewer_systems_are_advised_so_that_it_can_be_typed(tmp_path: Path) -> None:
    """Of twelve systems three share most items, but not all: those are left out by the same advice."""
    has = {f"s{k}": range(k % 3, 30 + k % 3) if k < 3 else range(100 * k, 100 * k + 9) for k in range(12)}
    rows = [f"{n},{name},0.{(n * 7 + k) % 10}" for k, (name, own) in enumerate(has.items()) for n in own]
    scores = nf.read(written(tmp_path, "t.csv", "item,system,score", *rows))
    with pytest.raises(InputError) as caught:
        nf.rank(scores)
    said = caught.value.said("shell")
    assert "--systems s0,s1,s2 --missing drop." in said
    assert len(said) < 600
    assert nf.rank(scores, systems=["s0", "s1", "s2"], missing="drop").n == 28


def test_a_line_that_is_too_long_says_what_a_cell_may_hold() -> None:
    """The command line takes longer lines than the app, and no longer cells: both are in the table of limits."""
    with pytest.raises(BeyondBoundsError) as caught:
        list(blocks(io.BytesIO(b"x" * 4096), "t.csv", Bounds(line=1024)))
    cell = f"{csv.field_size_limit():,}"
    assert f"a cell of CSV may have {cell} characters" in caught.value.said()
    page = Path(__file__).parents[2] / "docs" / "how-to" / "web-app.md"
    assert f"| one cell of CSV or TSV, in characters | {cell} | {cell} |" in page.read_text()


@pytest.mark.parametrize(
    ("derived", "numbers", "why"),
    [
        ("avg", lambda a, b: (a + b) / 2, "the mean of other columns"),
        ("Total", lambda a, b: a + b, "the sum of other columns"),
        ("diff", lambda a, b: b - a, "the difference of other columns"),
        ("delta", lambda a, b: a - b, "the difference of other columns"),
    ],
)
def test_what_was_computed_of_the_scores_is_no_system(
    tmp_path: Path, derived: str, numbers: Callable[[float, float], float], why: str
) -> None:
    pairs = [(0.125 * (n % 7), 0.2 + 0.1 * (n * n % 5)) for n in range(12)]
    rows = [f"q{n},{a:.3f},{b:.3f},{numbers(a, b):.2f}" for n, (a, b) in enumerate(pairs)]
    scores = nf.read(written(tmp_path, "t.csv", f"id,old,new,{derived}", *rows))
    assert scores.systems == ("old", "new")
    assert why in " ".join(remarks(scores.sources[0].notes))
    # A column of that name with other numbers may well be a system.
    others = [f"{row.rpartition(',')[0]},0.{n % 8}1" for n, row in enumerate(rows)]
    assert len(nf.read(written(tmp_path, "t.csv", f"id,old,new,{derived}", *others)).systems) == 3


@pytest.mark.parametrize("form", ["{s}_time", "{s}_stderr", "ci_low_{s}", "{s} std", "latency_{s}"])
def test_what_was_measured_beside_a_score_is_no_system(tmp_path: Path, form: str) -> None:
    names = ["old", form.format(s="old"), "new", form.format(s="new")]
    rows = [f"q{n},0.{n},0.{9 - n},0.5,0.2{n}" for n in range(9)]
    scores = nf.read(written(tmp_path, "t.csv", ",".join(["id", *names]), *rows))
    assert scores.systems == ("old", "new")
    assert f"{names[1]!r} is not taken as a system" in " ".join(remarks(scores.sources[0].notes))
    # One system and its time are no two systems.
    rows = [row.rpartition(",")[0].rpartition(",")[0] for row in rows]
    with pytest.raises(InputError, match="there is 1: old"):
        nf.read(written(tmp_path, "t.csv", f"id,old,{names[1]}", *rows)).pair()


@pytest.mark.parametrize("names", ["base,base_v2,tuned,tuned_v2", "time,space,both,none", "a,a_de,b,b_de"])
def test_names_that_only_look_longer_are_systems(tmp_path: Path, names: str) -> None:
    rows = [f"q{n},0.{n},0.{9 - n},0.5,0.2{n}" for n in range(9)]
    assert len(nf.read(written(tmp_path, "t.csv", f"id,{names}", *rows)).systems) == 4


@pytest.mark.parametrize(("right", "wrong"), [("pass", "fail"), ("Correct", "Wrong"), ("yes", "no")])
@pytest.mark.parametrize("long", [False, True])
def test_words_for_right_and_wrong_become_scores_as_advised(tmp_path: Path, right: str, wrong: str, long: bool) -> None:
    pandas = pytest.importorskip("pandas")
    if long:
        lines = [
            "id,system,outcome",
            *(f"q{n},{s},{right if n % k else wrong}" for n in range(9) for k, s in ((2, "x"), (3, "y"))),
        ]
    else:
        lines = ["id,x,y", *(f"q{n},{right if n % 2 else wrong},{right if n % 3 else wrong}" for n in range(9))]
    file = written(tmp_path, "t.csv", *lines)
    assert f"read_csv(FILE).replace({{{right!r}: 1, {wrong!r}: 0}}).to_csv(NEW, index=False)" in said_of(file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pandas.read_csv(file).replace({right: 1, wrong: 0}).to_csv(file, index=False)
    assert nf.read(file, **({"score": "outcome"} if long else {})).systems == ("x", "y")


def test_words_of_annotators_are_not_scores(tmp_path: Path) -> None:
    file = written(tmp_path, "t.csv", "id,rater1,rater2", *(f"q{n},{'yes' if n % 2 else 'no'},yes" for n in range(9)))
    assert "nofluke agree FILE" in said_of(file)


@pytest.mark.parametrize(
    ("text", "what", "fix"),
    [
        ("\\begin{tabular}{lrr}\nid & A & B \\\\\nq1 & 1 & 2 \\\\\n\\end{tabular}\n", "LaTeX", "grep '&' FILE"),
        ("<table><tr><td>id</td><td>A</td></tr></table>\n", "HTML", "read_html(FILE)[0]"),
        ("- id: q1\n  A: 0.5\n  B: 0.4\n- id: q2\n  A: 0.1\n  B: 0.4\n", "YAML", "yaml.safe_load"),
    ],
)
def test_tables_of_pages_and_papers_are_named(text: str, what: str, fix: str) -> None:
    said = said_of(io.StringIO(text))
    assert f"this is {what}, and not a table of plain cells." in said
    assert fix in said


def test_the_advice_on_latex_works(tmp_path: Path) -> None:
    rows = [f"q{n} & 0.{n} & 0.{9 - n} \\\\" for n in range(9)]
    file = written(tmp_path, "t.tex", r"\begin{tabular}{lrr}", r"id & A & B \\ \midrule", *rows, r"\end{tabular}")
    command = said_of(file).partition("keep its rows: ")[2].removesuffix(".").replace("FILE", "t.tex")
    subprocess.run(["sh", "-c", command], cwd=tmp_path, check=True)
    scores = nf.read(tmp_path / "NEW")
    assert (scores.systems, len(scores.item.labels)) == (("A", "B"), 9)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"PK\x03\x04......[Content_Types].xml....xl/workbook.xml", "an Excel workbook"),
        (b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 9, "an Excel or Word document of the old kind"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"\x93NUMPY\x01\0", "a NumPy array"),
        (pickle.dumps({"a": [1.0, 2.0]}), "a Python pickle"),
        ("id,A,B\n1,2,3\n".encode("utf-16-le"), "UTF-16 text"),
        ("id,A,B\n1,2,3\n".encode("utf-16-be"), "UTF-16 text"),
    ],
)
def test_files_of_other_programs_are_named(data: bytes, what: str) -> None:
    said = said_of(io.BytesIO(data))
    assert f"the file is {what}." in said


def test_drawn_tables_are_read() -> None:
    """With rules of + and -, as databases draw them, around all cells or below the names alone."""
    rows = [f"q{n} | 0.{n} | 0.{9 - n}" for n in range(9)]
    boxed = ["+----+----+----+", "| id | A | B |", "+====+====+====+", *(f"| {row} |" for row in rows), "+--+--+--+"]
    ruled = ["id | A | B", "----+----+----", *rows]
    for lines in (boxed, ruled):
        scores = nf.read(io.StringIO("\n".join(lines)))
        assert (scores.systems, len(scores.item.labels)) == (("A", "B"), 9)


def test_an_index_in_parquet_names_the_items(tmp_path: Path) -> None:
    """Two files in another order are matched by it, and not row by row."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    ids = [f"q{n}" for n in range(9)]
    pandas.DataFrame({"score": range(9)}, index=ids).to_parquet(tmp_path / "a.parquet")
    pandas.DataFrame({"score": range(9)}, index=ids).iloc[::-1].to_parquet(tmp_path / "b.parquet")
    sample = nf.read([tmp_path / "a.parquet", tmp_path / "b.parquet"]).pair()
    assert sample.alignment.by == "id"
    assert not (sample.statistics[:, 0] - sample.statistics[:, 1]).any()


def test_numbers_within_objects_of_parquet_are_named(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    duckdb.execute(
        "COPY (SELECT n AS id, 'm' || s AS model, {'acc': (n * (s + 2)) % 5, 'note': 'x'} AS m "
        f"FROM range(9) a(n), range(2) b(s) ORDER BY n, s) TO '{tmp_path / 't.parquet'}' (FORMAT parquet)"
    )
    assert "--columns score=m.acc." in said_of(tmp_path / "t.parquet")
    scores = nf.read(tmp_path / "t.parquet", score="m.acc")
    assert scores.statistics.ravel().tolist() == [n * (s + 2) % 5 for n in range(9) for s in range(2)]


def test_numbers_stored_as_text_are_told(tmp_path: Path) -> None:
    lines = [json.dumps({"id": n, "old": n / 9, "new": str(n / 8)}) for n in range(9)]
    scores = nf.read(written(tmp_path, "t.jsonl", *lines))
    assert "'new' (its numbers are stored as text)" in " ".join(remarks(scores.sources[0].notes))


def test_lists_of_scores_become_runs_as_advised(tmp_path: Path) -> None:
    objects = [{"id": n, "model": m, "score": [n % 2, n % 3, 1]} for n in range(9) for m in "xy"]
    said = said_of(written(tmp_path, "t.jsonl", *map(json.dumps, objects)))
    assert "is a list, not a number." in said
    assert """$row + {run: .key, "score": .value}'""" in said
    rows = [one | {"run": run, "score": score} for one in objects for run, score in enumerate(one["score"])]
    scores = nf.read(written(tmp_path, "new.jsonl", *map(json.dumps, rows)))
    assert scores.run is not None
    assert len(scores.run.labels) == 3


def test_rows_with_names_and_no_heading_may_be_the_systems(tmp_path: Path) -> None:
    lines = [",".join(["", *(f"q{n}" for n in range(12))])]
    lines += [",".join([name, *(f"0.{(n * k) % 10}" for n in range(12))]) for k, name in ((3, "old"), (7, "new"))]
    scores = nf.read(written(tmp_path, "t.csv", *lines))
    assert "If it is the other way round, turn the table" in " ".join(remarks(scores.sources[0].notes))


@pytest.mark.parametrize("names", ["mean,sd,n", "score,ci_low,ci_high", "avg,stderr"])
def test_what_sums_up_a_system_is_no_dataset(tmp_path: Path, names: str) -> None:
    width = names.count(",") + 1
    said = said_of(written(tmp_path, "t.csv", f"system,{names}", *(f"{s},{','.join(['0.5'] * width)}" for s in "xy")))
    assert "are datasets" not in said
    assert "give the score of every item" in said


def test_files_of_two_metrics_are_not_compared_by_one_of_them(tmp_path: Path) -> None:
    """Advice to choose one of them would end in a system without scores."""
    for name in ("score", "accuracy"):
        written(tmp_path, f"{name}.csv", f"id,{name}", *(f"q{n},0.{n}" for n in range(9)))
    with pytest.raises(InputError, match="the scores hold 2 metrics") as caught:
        nf.read([tmp_path / "score.csv", tmp_path / "accuracy.csv"]).pair()
    assert "give the column one name in all files" in caught.value.said("shell")
