"""Random tables through every reader: an answer that is right, or a refusal with advice; never anything else.

Tables are made from known scores, then disguised: columns shuffled and renamed, cells left out or broken, other columns
put beside. What is read without a refusal must be the known scores, by item and system.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.readers.aliases import DATASET, ITEM, SYSTEM
from support.each import each

ODD = [
    "A",
    "b c",
    "Ünï",
    "x,y",
    'q"q',
    "1",
    "-",
    "none",
    "score",
    "n_x",
    "gold",
    "run",
    " ",
    "A:uas",
    "column 2",
    "é" * 60,
]
CELLS = ["", "0.5", "1", "x", "nan", "0,5", "1e400", "[1]", "{}", "yes", "ﬁ", "50%", "-3", "\t", '"']


def written(kind: str, names: list[str], rows: list[list[Any]]) -> bytes:
    if kind in ("csv", "tsv"):
        file = io.StringIO()
        csv.writer(file, delimiter="," if kind == "csv" else "\t", lineterminator="\n").writerows([names, *rows])
        return file.getvalue().encode()
    if kind == "excel":
        file = io.StringIO()
        csv.writer(file, delimiter=";", lineterminator="\r\n").writerows([names, *rows])
        return file.getvalue().encode("utf-8-sig")
    if kind == "packed":
        return gzip.compress(written("tsv", names, rows))
    if kind == "parquet":
        store = io.BytesIO()
        pq.write_table(pa.table(dict(zip(names, zip(*rows, strict=True), strict=True))), store)
        return store.getvalue()
    objects = [dict(zip(names, row, strict=True)) for row in rows]
    if kind == "jsonl":
        return "".join(json.dumps(one) + "\n" for one in objects).encode()
    if kind == "json":
        return json.dumps(objects).encode()
    if kind == "lists":
        return json.dumps(dict(zip(names, zip(*rows, strict=True), strict=True))).encode()
    return json.dumps({"columns": names, "data": rows}).encode()


def disguised(rng: np.random.Generator, long: bool) -> tuple[list[str], list[list[Any]], dict[tuple[str, str], float]]:
    """Make a table of known scores: columns in any order, under any of their usual names, with others beside them."""
    items = [f"q{number}" for number in rng.permutation(100)[: rng.integers(3, 20)]]
    systems = [str(name) for name in rng.choice(["new", "old", "base-line", "gpt 4", "Ünï"], rng.integers(2, 5), False)]
    known = {(item, system): float(rng.integers(0, 1000)) / 1000 for item in items for system in systems}
    item_name = str(rng.choice(sorted(ITEM[0] | ITEM[1])))
    columns: dict[str, list[Any]]
    if long:
        keys = [list(known)[at] for at in rng.permutation(len(known))]
        columns = {
            item_name: [item for item, _ in keys],
            str(rng.choice(sorted(SYSTEM[0]))): [system for _, system in keys],
            "score": [known[key] for key in keys],
        }
    else:
        columns = {item_name: items} | {name: [known[item, name] for item in items] for name in systems}
    size = len(next(iter(columns.values())))
    beside = {
        "comment": [str(rng.choice(["fine", "hm", "?"])) for _ in range(size)],
        "n_tokens": [int(n) for n in rng.integers(2, 90, size)],
        "year": [int(n) for n in rng.integers(1990, 2026, size)],
        str(rng.choice(sorted(DATASET[0]))): ["d1"] * size,
    }
    for name in rng.choice(list(beside), rng.integers(0, 3), False):
        columns[str(name)] = beside[str(name)]
    names = [list(columns)[at] for at in rng.permutation(len(columns))]
    return names, [list(row) for row in zip(*(columns[name] for name in names), strict=True)], known


KINDS = ["csv", "tsv", "jsonl", "json", "split", "lists", "excel", "packed", "parquet"]


@pytest.mark.parametrize("kind", KINDS)
def test_disguised_tables_are_read_right(kind: str, tmp_path: Path) -> None:
    def is_read_right(seed: int) -> None:
        names, rows, known = disguised(np.random.default_rng(seed), long=bool(seed % 2))
        path = tmp_path / "table"
        path.write_bytes(written(kind, names, rows))
        assert by_item_and_system(nf.read(path)) == known

    each(((f"seed {seed}", seed) for seed in range(60)), is_read_right)


def shuffled(rng: np.random.Generator, columns: dict[str, list[Any]]) -> tuple[list[str], list[list[Any]]]:
    """Put columns into any order, with a comment, a size or a year among them."""
    size = len(next(iter(columns.values())))
    beside = {"comment": ["fine"] * size, "n_tokens": [17 + at for at in range(size)], "year": [2001] * size}
    chosen = {str(name): beside[str(name)] for name in rng.choice(list(beside), rng.integers(0, 3), False)}
    columns = columns | chosen
    names = [list(columns)[at] for at in rng.permutation(len(columns))]
    return names, [list(row) for row in zip(*(columns[name] for name in names), strict=True)]


def known_labels(rng: np.random.Generator, names: list[str]) -> dict[tuple[str, str], str | None]:
    """Labels by item and name, a few of them missing."""
    items = [f"q{number}" for number in rng.permutation(100)[: rng.integers(6, 20)]]
    labels = {(item, name): str(rng.choice(["yes", "no", "maybe so"])) for item in items for name in names}
    return {key: None if key[1] != "gold" and rng.random() < 0.05 else label for key, label in labels.items()}


def in_columns(known: dict[tuple[str, str], Any], item: str) -> dict[str, list[Any]]:
    items, names = (list(dict.fromkeys(key[place] for key in known)) for place in (0, 1))
    return {item: items} | {name: [known[one, name] for one in items] for name in names}


def in_rows(known: dict[tuple[str, str], Any], item: str, name: str, value: str) -> dict[str, list[Any]]:
    keys = list(known)
    return {item: [key[0] for key in keys], name: [key[1] for key in keys], value: [known[key] for key in keys]}


def outputs_are_right(rng: np.random.Generator, kind: str, path: Path) -> None:
    known = known_labels(rng, ["gold", "new", "old one"])
    gold = {item: label for (item, name), label in known.items() if name == "gold"}
    called = str(rng.choice(["gold", "label", "target", "answer"]))
    item = str(rng.choice(sorted(ITEM[0] | ITEM[1])))
    outputs = {key: label for key, label in known.items() if key[1] != "gold"}
    if rng.random() < 0.5:
        columns = {called if name == "gold" else name: cells for name, cells in in_columns(known, item).items()}
    else:
        columns = in_rows(outputs, item, str(rng.choice(sorted(SYSTEM[0]))), "prediction")
        columns[called] = [gold[one] for one in columns[item]]
    path.write_bytes(written(kind, *shuffled(rng, columns)))
    scores = nf.score("accuracy", path, cache=False)
    found = by_item_and_system(scores)
    right = {key: None if label is None else float(label == gold[key[0]]) for key, label in outputs.items()}
    assert {key: None if np.isnan(value) else value for key, value in found.items()} == right


def statistics_are_right(rng: np.random.Generator, kind: str, path: Path) -> None:
    known = {key: int(rng.integers(0, 5)) for key in known_labels(rng, ["new", "old one"])}
    columns = in_rows(known, str(rng.choice(sorted(ITEM[0] | ITEM[1]))), str(rng.choice(sorted(SYSTEM[0]))), "hits")
    columns["doc"] = [f"d{at % 3}" for at in columns["hits"]]
    path.write_bytes(written(kind, *shuffled(rng, columns)))
    assert by_item_and_system(nf.from_statistics(path, "hits/n", columns={"ignore": "doc"})) == known


def ratings_are_right(rng: np.random.Generator, kind: str, path: Path) -> None:
    known = known_labels(rng, ["ann", "bob", "Ünï"])
    item = str(rng.choice(sorted(ITEM[0] | ITEM[1])))
    wide = rng.random() < 0.5
    columns = (
        in_columns(known, item) if wide else in_rows(known, item, "worker_id", str(rng.choice(["label", "rating"])))
    )
    if rng.random() < 0.5:
        columns["document"] = ["d1"] * len(columns[item])
    path.write_bytes(written(kind, *shuffled(rng, columns)))
    found = nf.read_ratings(path)
    read = {
        (found.items[one], found.annotators[who]): found.categories[what]
        for one, who, what in zip(found.item.tolist(), found.annotator.tolist(), found.label.tolist(), strict=True)
    }
    assert read == {key: label for key, label in known.items() if label is not None}


def p_values_are_right(rng: np.random.Generator, kind: str, path: Path) -> None:
    size = int(rng.integers(2, 9))
    values = [round(float(value), 4) or 0.5 for value in rng.random(size)]
    scores = {name: [float(value) for value in rng.integers(1, 99, size)] for name in ("new", "old one")}
    named = str(rng.choice(["p", "p-value", "P", "outcome"]))
    columns: dict[str, list[Any]] = {"language": [f"l{at}" for at in range(size)], named: values}
    columns |= scores if rng.random() < 0.5 else {}
    path.write_bytes(written(kind, *shuffled(rng, columns)))
    asked: dict[str, Any] = {"p_value": "outcome"} if named == "outcome" else {}
    asked |= {"score": "new,old one"} if "new" in columns else {}
    found = nf.read_p_values(path, columns=asked)
    assert (found.datasets, found.p_values.tolist()) == (tuple(columns["language"]), values)
    signs = [float(np.sign(a - b)) for a, b in zip(*scores.values(), strict=True)]
    assert "new" not in columns or found.signs.tolist() == signs


def by_item_and_system(scores: nf.Scores) -> dict[tuple[str, str], float]:
    rows = zip(scores.item.codes.tolist(), scores.system.codes.tolist(), scores.statistics[:, 0].tolist(), strict=True)
    return {(scores.item.labels[item], scores.system.labels[system]): value for item, system, value in rows}


@pytest.mark.parametrize("check", [outputs_are_right, statistics_are_right, ratings_are_right, p_values_are_right])
@pytest.mark.parametrize("kind", KINDS)
def test_disguised_tables_of_other_kinds_are_read_right(check: Any, kind: str, tmp_path: Path) -> None:
    for seed in range(25):
        check(np.random.default_rng(seed), kind, tmp_path / "table")


def broken(rng: np.random.Generator) -> tuple[list[str], list[list[Any]]]:
    width, size = int(rng.integers(1, 8)), int(rng.integers(0, 12))
    names = [str(rng.choice([*ODD, *sorted(ITEM[0] | SYSTEM[0]), "p", "label", "annotator"])) for _ in range(width)]
    if rng.random() < 0.7:
        names = list(dict.fromkeys(names))
    rows: list[list[Any]] = [[str(rng.choice(CELLS)) for _ in names] for _ in range(size)]
    if rng.random() < 0.3:
        rows = [[cell if rng.random() < 0.6 else rng.choice([1, 2.5]).item() for cell in row] for row in rows]
    if rng.random() < 0.2 and rows:
        rows[-1] = rows[-1][:-1]
    return names, rows


READERS = {
    "scores": lambda path: nf.compare(nf.read(path).pair()),
    "rank": lambda path: nf.rank(nf.read(path)),
    "outputs": lambda path: nf.score("accuracy", path),
    "texts": lambda path: nf.score("wer", {"A": path}, path),
    "numbers": lambda path: nf.score("pearson", path),
    "tags": lambda path: nf.score("span_f1", {"A": path}, path),
    "statistics": lambda path: nf.from_statistics(path, "A/n"),
    "p-values": lambda path: nf.correct(nf.read_p_values(path)),
    "ratings": lambda path: nf.agree(nf.read_ratings(path)),
}


def refusal(reader: str, path: Path) -> NoflukeError | None:
    try:
        READERS[reader](path)
    except NoflukeError as told:
        return told
    return None


@pytest.mark.parametrize("reader", READERS)
def test_broken_tables_are_refused_with_advice(reader: str, tmp_path: Path) -> None:
    each(((f"seed {seed}", seed) for seed in range(40)), lambda seed: is_refused_with_advice(seed, reader, tmp_path))


def is_refused_with_advice(seed: int, reader: str, folder: Path) -> None:
    rng = np.random.default_rng(1000 + seed)
    names, rows = broken(rng)
    kind = str(rng.choice(["csv", "tsv", "jsonl", "json", "split"]))
    if kind in ("jsonl", "json"):
        rows = [row if len(row) == len(names) else [*row, None] for row in rows]
    path = folder / "table"
    path.write_bytes(written(kind, names, rows))
    told = refusal(reader, path)
    assert told is None or (told.message and (told.fix or told.where))


@pytest.mark.parametrize("reader", ["scores", "outputs", "statistics", "p-values", "ratings"])
def test_very_many_columns_take_no_time(reader: str, tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(100_000)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join([",".join(names), *(",".join(["1", "0"] * 50_000) for _ in range(2))]) + "\n")
    start = time.process_time()
    told = refusal(reader, path)
    assert told is None or (told.fix and len(str(told)) < 2_000)
    assert time.process_time() - start < 20
