"""Square tables of p-values, logs of Inspect, JSON and packed Parquet: what they hold is read, or told."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.readers.formats.inspect_logs import refuse_declared
from nofluke.types import note
from nofluke.types.bounds import Bounds
from support.command_line import nofluke

SQUARE = ",A,B,C\nA,,0.01,0.2\nB,0.9,,0.03\nC,0.5,0.6,\n"


def refused(call: Callable[[], object]) -> InputError:
    with pytest.raises(InputError) as caught:
        call()
    return caught.value


def test_a_square_table_has_a_p_value_for_each_pair() -> None:
    found = nf.read_p_values(io.StringIO(SQUARE), pairs=True)
    assert dict(zip(found.datasets, found.p_values.tolist(), strict=True)) == {
        "A / B": 0.01,
        "A / C": 0.2,
        "B / A": 0.9,
        "B / C": 0.03,
        "C / A": 0.5,
        "C / B": 0.6,
    }
    symmetric = "x,A,B,C\nA,1,0.01,0.2\nB,0.01,1,0.03\nC,0.2,0.03,1\n"
    found = nf.read_p_values(io.StringIO(symmetric), pairs=True)
    assert dict(zip(found.datasets, found.p_values.tolist(), strict=True)) == {
        "A and B": 0.01,
        "A and C": 0.2,
        "B and C": 0.03,
    }
    upper = ",A,B,C\nA,,0.01,0.2\nB,,,0.03\nC,,,\n"
    found = nf.read_p_values(io.StringIO(upper), pairs=True)
    assert found.datasets == ("A and B", "A and C", "B and C")


def test_pairs_of_systems_are_no_datasets(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text(SQUARE)
    assert "for each pair of systems, and none for datasets" in refused(lambda: nf.read_p_values(path)).message
    run = nofluke("replicate", str(path))
    assert run.code == 2
    assert "nofluke correct FILE" in run.err
    assert nofluke("correct", str(path)).code == 0


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("form", ["jsonl", "json", "split", "parquet"])
def test_every_reader_takes_every_table(form: str, packed: bool, tmp_path: Path) -> None:
    def source(rows: list[dict[str, Any]]) -> Path:
        path = tmp_path / "table"
        if form == "parquet":
            (tmp_path / "rows.json").write_text(json.dumps(rows))
            made = tmp_path / "made"
            duckdb.sql(f"COPY (SELECT * FROM read_json('{tmp_path / 'rows.json'}')) TO '{made}' (FORMAT parquet)")
            content = made.read_bytes()
        elif form == "jsonl":
            content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        elif form == "json":
            content = json.dumps(rows).encode()
        else:
            content = json.dumps({"columns": list(rows[0]), "data": [list(row.values()) for row in rows]}).encode()
        path.write_bytes(gzip.compress(content) if packed else content)
        return path

    p = nf.read_p_values(source([{"dataset": "de", "p": 0.01}, {"dataset": "fr", "p": 0.5}]))
    assert (p.datasets, p.p_values.tolist()) == (("de", "fr"), [0.01, 0.5])
    ratings = source([{"q": f"i{i}", "who": who, "said": "xy"[i % 2]} for i in range(4) for who in ("a", "b")])
    found = nf.read_ratings(ratings, columns={"item": "q", "annotator": "who", "label": "said"})
    assert (found.annotators, found.categories, len(found.items)) == (("a", "b"), ("x", "y"), 4)
    scores = nf.read(source([{"q": f"i{i}", "A": i / 10, "B": i / 20} for i in range(4)]), columns={"item": "q"})
    assert (scores.systems, scores.item.labels) == (("A", "B"), ("i0", "i1", "i2", "i3"))
    counts = source([{"q": f"i{i}", "who": who, "hit": i % 2, "all": 1} for i in range(4) for who in "AB"])
    sums = nf.from_statistics(counts, "hit/all", columns={"item": "q", "system": "who"}).pair()
    assert [sums.score(0), sums.score(1)] == [0.5, 0.5]


def test_roles_that_are_none_are_refused_alike() -> None:
    table = "item,A,B\n1,2,3\n"
    for read in (nf.read, nf.read_ratings, lambda source, columns: nf.from_statistics(source, "A/n", columns=columns)):
        error = refused(lambda read=read: read(io.StringIO(table), columns={"itm": "item"}))  # type: ignore[misc]
        assert error.message == "'itm' is not a role of a column here."
        assert "did you mean 'item'?" in error.advice()
    assert "named twice" in refused(lambda: nf.read(io.StringIO(table), item="item", columns={"item": "A"})).message


SAMPLES = [
    {"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}, "judge": {"value": {"style": 0.5, "facts": 1}}}},
    {"id": 2, "epoch": 1, "scores": {"match": {"value": "I"}, "judge": {"value": {"style": 0.25, "facts": 0}}}},
    {"id": 3, "epoch": 1, "scores": {"match": {"value": "P"}, "judge": {"value": {"style": "?", "facts": 1}}}},
    {"id": 4, "epoch": 1, "error": {"message": "x"}, "scores": {"match": {"value": "C"}}},
]
HEADER = {"version": 2, "status": "success", "eval": {"task": "trivia", "model": "some/model"}}


def log(folder: Path, form: str) -> Path:
    path = folder / "log"
    if form == "json":
        path.write_text(json.dumps({**HEADER, "samples": SAMPLES}, indent=2))
        return path
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_journal/start.json", "{}")
        archive.writestr("header.json", json.dumps(HEADER))
        archive.writestr("summaries.json", json.dumps(SAMPLES))
    return path


@pytest.mark.parametrize("form", ["json", "eval"])
def test_logs_of_inspect(form: str, tmp_path: Path) -> None:
    scores = nf.read(log(tmp_path, form))
    assert (scores.systems, scores.datasets) == (("some/model",), ("trivia",))
    assert scores.metrics == ("match", "judge/style", "judge/facts")
    match = scores.statistics[scores.metric.codes == 0, 0].tolist()
    assert match[:3] == [1, 0, 0.5]
    assert match[3] != match[3]  # failed, so missing and not wrong
    assert note("read.log_missing", missing=2, scores=10) in scores.sources[0].notes


def test_two_logs_of_one_model_need_names(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir()
    second.mkdir()
    files = [str(log(first, "json")), str(log(second, "eval"))]
    run = nofluke("compare", *files, "--metric", "match", "--missing", "drop")
    assert run.code == 2
    assert "name the system of each file: A=FILE B=FILE" in run.err
    named = [f"A={files[0]}", f"B={files[1]}"]
    assert nofluke("compare", *named, "--metric", "match", "--missing", "drop").code == 0


@pytest.mark.parametrize("broken", [b"PK\x03\x04 header.json", b'{"version": 2, "status": "x", "eval": {}}'])
def test_broken_logs_are_told(broken: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    path.write_bytes(broken)
    assert "log of Inspect" in refused(lambda: nf.read(path)).message


def changed(data: bytes, member: str, at: int, value: bytes) -> bytes:
    """The archive with bytes of a member's entry in the directory replaced."""
    entry = data.rindex(b"PK\x01\x02", 0, data.rindex(member.encode()))
    return data[: entry + at] + value + data[entry + at + len(value) :]


def test_a_log_that_cannot_be_unpacked_is_told_with_a_fix(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(HEADER))
        archive.writestr("summaries.json", json.dumps(SAMPLES))
    whole = path.read_bytes()
    inside = whole.index(b"summaries.json") + len(b"summaries.json")
    zstd = (93).to_bytes(2, "little")
    for broken, said, fix in (
        (whole[:inside] + b"\xff" * 40 + whole[inside + 40 :], "not whole", "copy it again"),
        (whole[: len(whole) // 2], "not whole", "copy it again"),
        (changed(whole, "summaries.json", 24, (10).to_bytes(4, "little")), "not whole", "copy it again"),
        (changed(whole, "summaries.json", 8, (1).to_bytes(2, "little")), "not whole", "copy it again"),
        (changed(whole, "summaries.json", 10, zstd), "zstd", "--to json"),
        (changed(whole, "header.json", 10, (14).to_bytes(2, "little")), "packed in a way", "--to json"),
        (changed(whole, "summaries.json", 24, (2**31).to_bytes(4, "little")), "250 times", "--to json"),
    ):
        path.write_bytes(broken)
        error = refused(lambda: nf.read(path))
        assert said in error.message
        assert fix in error.advice()
    samples = [{**SAMPLES[0], "scores": {"match": {"value": 10**400}}}]
    path.write_text(json.dumps({**HEADER, "samples": samples}, indent=2))
    assert "log of Inspect" in refused(lambda: nf.read(path)).message


def test_the_members_of_a_log_are_bounded(tmp_path: Path) -> None:
    data = log(tmp_path, "eval").read_bytes()
    refuse_declared(data, "x.eval", Bounds(members=3))
    for bounds, said in ((Bounds(members=2), "over 2 members"), (Bounds(total=100), "more than 0 MB")):
        with pytest.raises(InputError, match=said):
            refuse_declared(data, "x.eval", bounds)
