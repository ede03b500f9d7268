"""The library, the command line and the web app give the same figures, whatever files hold the outputs.

The figures of Python on lists of lines are the reference: everything else must equal them exactly, item by item.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import httpx
import numpy as np
import pytest

import nofluke as nf
from nofluke.registry import METRICS
from support.command_line import nofluke
from web.test_api import sent

SYSTEMS = ("new", "old")
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "house", "it", "rains", ",", '"', "and"]


def _sentences(seed: int, changed: float) -> list[str]:
    rng = np.random.default_rng(seed)
    gold = [" ".join(np.random.default_rng(line).choice(WORDS, 8)) for line in range(30)]
    return [" ".join("up" if rng.random() < changed else word for word in line.split()) for line in gold]


def _labels(seed: int) -> list[str]:
    return np.random.default_rng(seed).choice(["yes", "no", "maybe, or not"], 30).tolist()


def _numbers(seed: int) -> list[str]:
    base = np.random.default_rng(9).random(30)
    return [f"{value:.4f}" for value in base + seed * np.random.default_rng(seed).random(30)]


def _tags(seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(["O", "B-PER", "B-LOC"], 5)) for _ in range(30)]


def _links(seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(f"{i}-{rng.integers(0, 3)}" for i in range(4)) for _ in range(30)]


def _trees(seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    shapes = ("(S (NP (N a)) (VP (V b) (NP (N c))))", "(S (NP (N a) (V b)) (NP (N c)))", "(S (N a) (VP (V b) (N c)))")
    return [str(rng.choice(shapes)) for _ in range(30)]


def _treebank(seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    lines = []
    for sentence in range(30):
        lines += [f"# sent_id = s{sentence}", "# text = a b c"]
        for word, form in enumerate("abc", 1):
            tag, head = rng.choice(["NOUN", "VERB"]), rng.choice([h for h in (0, 1, 2, 3) if h != word])
            lemma, fine, feats = (
                rng.choice(["x", "y"]),
                rng.choice(["NN", "VB"]),
                rng.choice(["Number=Sing", "Number=Plur"]),
            )
            relation = rng.choice(["obj", "nsubj"])
            lines.append(f"{word}\t{form}\t{lemma}\t{tag}\t{fine}\t{feats}\t{head}\t{relation}\t_\t_")
        lines.append("")
    return lines


@dataclass(frozen=True)
class Outputs:
    """Outputs of two systems and gold; one text per item, except where a format has several lines for one."""

    new: list[str]
    old: list[str]
    gold: list[str]
    forms: tuple[str, ...]
    options: dict[str, object] = field(default_factory=dict)


# Their files are treebanks, and no tables.
ON_TREEBANKS = ("dependency parsing", "morphology")
TABLES = ("csv", "tsv", "jsonl", "json", "parquet")
LINES = ("lines", "lines.gz", "lines called csv", "lines called tsv", "lines without ending")
OF_TABLES = tuple(
    f"{shape} {kind}{packed}" for shape in ("per system", "wide", "long") for kind in TABLES for packed in ("", ".gz")
)
RENAMED = ("wide csv called txt", "wide csv without ending", "per system tsv called txt", "wide jsonl called csv")
OF_JSON = tuple(f"{shape} {kind}" for shape in ("wide", "both") for kind in ("columns", "split"))
# Tags of a sentence may be a list.
OF_TAGS = (*OF_TABLES, *RENAMED, *OF_JSON, "wide lists", "conll", "conll.gz", "tokens tsv", "tokens csv")
ALL = (*LINES, *OF_TABLES, *RENAMED, *OF_JSON, "wide in two names")


@cache
def _data(task: str) -> Outputs:
    if task == "classification":
        return Outputs(_labels(1), _labels(2), _labels(3), ALL)
    if task == "correlation with human scores":
        return Outputs(_numbers(1), _numbers(2), _numbers(0), ALL)
    if task == "sequence labelling":
        return Outputs(_tags(1), _tags(2), _tags(3), OF_TAGS)
    if task in ON_TREEBANKS:
        return Outputs(_treebank(1), _treebank(2), _treebank(3), LINES)
    if task == "constituency parsing":
        return Outputs(_trees(1), _trees(2), _trees(3), ALL)
    if task == "word alignment":
        return Outputs(_links(1), _links(2), _links(3), ALL)
    return Outputs(_sentences(1, 0.1), _sentences(2, 0.3), _sentences(3, 0.0), ALL)


def _table(kind: str, columns: dict[str, list[str]], folder: Path) -> bytes:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if kind in ("csv", "tsv"):
        file = io.StringIO()
        writer = csv.writer(file, delimiter="," if kind == "csv" else "\t", lineterminator="\n")
        writer.writerows([list(columns), *(list(row.values()) for row in rows)])
        return file.getvalue().encode()
    if kind == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    if kind == "json":
        return json.dumps(rows, indent=1).encode()
    if kind == "columns":
        return json.dumps(columns).encode()
    if kind == "split":
        return json.dumps({"columns": list(columns), "data": [list(row.values()) for row in rows]}).encode()
    if kind == "lists":
        listed = {name: [cell.split() for cell in cells] for name, cells in columns.items() if name != "item"}
        return json.dumps(columns | listed).encode()
    names = ", ".join(f'"{name}"' for name in columns)
    marks = ", ".join("?" for _ in columns)
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t ({names.replace(',', ' VARCHAR,')} VARCHAR)")
    connection.executemany(f"INSERT INTO t ({names}) VALUES ({marks})", [list(row.values()) for row in rows])
    connection.execute(f"COPY t TO '{folder / 'made.parquet'}' (FORMAT parquet)")
    return (folder / "made.parquet").read_bytes()


@dataclass(frozen=True)
class Files:
    """What a user has on disk: (name of the system or "", file) for outputs, and files of gold."""

    outputs: list[tuple[str, Path]]
    gold: list[Path]


def _written(data: Outputs, form: str, folder: Path) -> Files:
    packed = ".gz" if form.endswith(".gz") else ""
    bare, _, called = form.removesuffix(".gz").partition(" called ")
    bare, _, nameless = bare.partition(" without ")
    made: dict[str, Path] = {}

    def write(name: str, content: bytes, ending: str) -> Path:
        path = folder / (name if nameless else f"{name}.{called or ending}{packed}")
        path.write_bytes(gzip.compress(content) if packed else content)
        made[name] = path
        return path

    columns = {"new": data.new, "old": data.old, "gold": data.gold}
    if bare in ("lines", "conll"):
        for name, texts in columns.items():
            lines = texts if bare == "lines" else ["".join(f"w {tag}\n" for tag in one.split()) for one in texts]
            write(name, "".join(f"{line}\n" for line in lines).encode(), "txt" if bare == "lines" else "conll")
        return Files([(name, made[name]) for name in SYSTEMS], [made["gold"]])
    items = [f"q{number}" for number in range(len(data.gold))]
    shape, _, kind = bare.rpartition(" ")
    if shape == "tokens":
        tags = {name: [tag for one in texts for tag in one.split()] for name, texts in columns.items()}
        sentences = [item for item, one in zip(items, data.gold, strict=True) for _ in one.split()]
        return Files([("", write("tokens", _table(kind, {"sentence": sentences, **tags}, folder), kind))], [])
    if bare == "wide in two names":
        path = write("all", _table("csv", {"item": items, **columns}, folder), "csv")
        return Files([(name, path) for name in SYSTEMS], [path])
    if shape == "wide":
        return Files([("", write("all", _table(kind, {"item": items, **columns}, folder), kind))], [])
    if shape == "long":
        long = {"item": items * 2, "system": ["new"] * len(items) + ["old"] * len(items), "output": data.new + data.old}
        # Outputs in another order: items are matched by id.
        long = {name: cells[::-1] for name, cells in long.items()}
        gold = {"item": items, "gold": data.gold}
        return Files(
            [("", write("long", _table(kind, long, folder), kind))], [write("gold", _table(kind, gold, folder), kind)]
        )
    if shape == "both":
        for name in SYSTEMS:
            write(name, _table(kind, {"item": items, "output": columns[name], "reference": data.gold}, folder), kind)
        return Files([(name, made[name]) for name in SYSTEMS], [])
    for name in SYSTEMS:
        write(name, _table(kind, {"item": items[::-1], "output": columns[name][::-1]}, folder), kind)
    gold = write("gold", _table(kind, {"item": items, "gold": data.gold}, folder), kind)
    return Files([(name, made[name]) for name in SYSTEMS], [gold])


@cache
def _reference(metric: str) -> dict[str, float]:
    data = _data(str(METRICS[metric].facts["task"]))
    if METRICS[metric].facts["task"] == "sequence labelling":
        lines = [[tag for one in texts for tag in (*one.split(), "")] for texts in (data.new, data.old, data.gold)]
    else:
        lines = [data.new, data.old, data.gold]
    return _scores(nf.score(metric, dict(zip(SYSTEMS, lines, strict=False)), lines[2], cache=False))


def _scores(scores: nf.Scores) -> dict[str, float]:
    sample = scores.pair(*SYSTEMS)
    return {name: sample.score(index) for index, name in enumerate(SYSTEMS)}


def _in_python(metric: str, files: Files) -> dict[str, float]:
    named = dict(files.outputs)
    outputs = named if "" not in named else files.outputs[0][1]
    return _scores(nf.score(metric, outputs, files.gold[0] if files.gold else None, cache=False))


def _in_the_shell(metric: str, files: Files) -> dict[str, float]:
    given = [f"{name}={path}" if name else str(path) for name, path in files.outputs]
    gold = [word for path in files.gold for word in ("--gold", str(path))]
    run = nofluke("score", *given, "--metric", metric, *gold, "--format", "json")
    assert run.code == 0, run.err
    return dict(json.loads(run.out)["scores"])


def _on_the_web(metric: str, files: Files, client: httpx.Client) -> dict[str, float]:
    def entry(path: Path, system: str = "") -> dict[str, str]:
        return {"upload": sent(client, path.read_bytes(), path.name)} | ({"system": system} if system else {})

    data = {"files": [entry(path, name) for name, path in files.outputs], "score_by": metric}
    data["gold"] = [entry(path) for path in files.gold]
    answer = client.post("/api/score", json={"data": data}, params={"wait": 60})
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["result"]["scores"])


# Which files hold what is found by task; every other metric of a task is always tried on a few forms of each kind, and
# on all of them, through every door, with `-m slow`.
WHOLE = ("accuracy", "spearman", "span_f1", "uas", "bracket_f1", "aer", "token_f1", "bleu")
FEW = (
    "lines",
    "lines called csv",
    "per system jsonl",
    "wide csv",
    "wide parquet.gz",
    "long tsv",
    "wide csv without ending",
)


# How files are read is the same for all metrics of a task, so these come through every door in two forms only.
EVERY_DOOR = ("lines", "per system jsonl")


def _cases() -> Iterator[Any]:
    for method in METRICS:
        for form in _data(str(method.facts["task"])).forms:
            if method.name in WHOLE:
                yield pytest.param(method.name, form, True)
                continue
            if form in FEW:
                yield pytest.param(method.name, form, form in EVERY_DOOR)
            if form not in EVERY_DOOR:
                yield pytest.param(method.name, form, True, marks=pytest.mark.slow)


def _comparisons() -> Iterator[tuple[str, str]]:
    for method in METRICS:
        if method.facts["task"] not in ON_TREEBANKS:
            yield method.name, "wide tsv called csv"
            yield from ((method.name, form) for form in ("wide parquet", "both split") if method.name in WHOLE)


@pytest.mark.parametrize(("metric", "form"), list(_comparisons()))
def test_all_doors_compare_the_same(metric: str, form: str, tmp_path: Path, client: httpx.Client) -> None:
    data = _data(str(METRICS[metric].facts["task"]))
    files = _written(data, form, tmp_path).outputs
    named = [f"{name}={path}" if name else str(path) for name, path in files]
    expected = nf.compare(nf.score(metric, named).pair())
    run = nofluke("compare", *named, "--metric", metric, "--format", "json")
    assert run.code == 0, run.err
    given = [{"upload": sent(client, path.read_bytes(), "x"), "system": name or None} for name, path in files]
    answer = client.post("/api/compare", json={"data": {"files": given, "score_by": metric}}, params={"wait": 60})
    assert answer.status_code == 200, answer.text
    for found in (json.loads(run.out), answer.json()["result"]):
        assert found["scores"] == list(expected.scores)
        assert found["test"]["p_value"] == expected.test.p_value
        assert found["systems"] == list(expected.systems)


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOFLUKE_CACHE", "off")


@pytest.mark.parametrize(("metric", "form", "every_door"), list(_cases()))
def test_all_doors_give_the_same_figures(
    metric: str, form: str, every_door: bool, tmp_path: Path, client: httpx.Client
) -> None:
    data = _data(str(METRICS[metric].facts["task"]))
    files = _written(data, form, tmp_path)
    expected = _reference(metric)
    assert len(set(expected.values())) == 2
    assert _in_python(metric, files) == expected
    if every_door:
        assert _in_the_shell(metric, files) == expected
        assert _on_the_web(metric, files, client) == expected


_PAIRS = [(n % 5 / 4, (2 * n + 1) % 7 / 6) for n in range(24)]
# Tables whose columns are easily taken for others; two systems are in each.
_MISLEADING = {
    "computed.csv": [
        "id,old,new,avg,diff",
        *(f"q{n},{a:.3f},{b:.3f},{(a + b) / 2:.3f},{b - a:.3f}" for n, (a, b) in enumerate(_PAIRS)),
    ],
    "beside.csv": [
        "id,old,old_time,new,new_time",
        *(f"q{n},{a:.3f},{n % 3},{b:.3f},{n % 4}" for n, (a, b) in enumerate(_PAIRS)),
    ],
    "drawn.txt": [
        "+--+--+--+",
        "| id | old | new |",
        "+==+==+==+",
        *(f"| q{n} | {a:.3f} | {b:.3f} |" for n, (a, b) in enumerate(_PAIRS)),
    ],
    "average.csv": [
        *("id;old;new", *(f"q{n};{a:.3f};{b:.3f}" for n, (a, b) in enumerate(_PAIRS))),
        f"Average;{sum(round(a, 3) for a, _ in _PAIRS) / 24:.4f};{sum(round(b, 3) for _, b in _PAIRS) / 24:.4f}",
    ],
    "objects.jsonl": [
        json.dumps({"id": n, "m": m, "score": round(s, 3)})
        for n, pair in enumerate(_PAIRS)
        for m, s in zip(("old", "new"), pair, strict=True)
    ],
}


@pytest.mark.parametrize("name", _MISLEADING)
def test_all_doors_read_misleading_tables_alike(name: str, tmp_path: Path, client: httpx.Client) -> None:
    path = tmp_path / name
    path.write_text("\n".join(_MISLEADING[name]) + "\n")
    columns = {"system": "m"} if name == "objects.jsonl" else {}
    expected = nf.compare([round(a, 3) for a, _ in _PAIRS], [round(b, 3) for _, b in _PAIRS])
    found = nf.compare(nf.read(path, **columns).pair("old", "new"))
    shell = nofluke(
        "compare", name, "--format", "json", *(f"--columns={role}={one}" for role, one in columns.items()), cwd=tmp_path
    )
    data = {"files": [{"upload": sent(client, path.read_bytes(), name)}], **({"columns": columns} if columns else {})}
    web = client.post("/api/compare", json={"data": data}, params={"wait": 60})
    assert web.status_code == 200, web.text
    for test in (found.to_dict()["test"], json.loads(shell.out)["test"], web.json()["result"]["test"]):
        assert test["p_value"] == expected.test.p_value
        assert test["n"] == 24
