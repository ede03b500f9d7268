"""A file is measured before anything reads it: rows, and what it unpacks to."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import duckdb
import pytest

from nofluke.errors import InputError
from nofluke.web.actions import check_expansion
from nofluke.web.safety import Limits
from web.conftest import running
from web.test_api import files, sent

LIMITS = Limits(rows=40, expanded_bytes=5_000)


def written(folder: Path, content: bytes) -> Path:
    path = folder / "upload"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_lines_are_counted_whatever_ends_them(tmp_path: Path, end: str, pack: type[bytes]) -> None:
    fits, beyond = (pack((end.join(["a,b"] + ["1,2"] * rows) + end).encode()) for rows in (40, 41))
    check_expansion(written(tmp_path, fits), LIMITS)
    with pytest.raises(InputError, match="over 40 lines, more than this server takes") as caught:
        check_expansion(written(tmp_path, beyond), LIMITS)
    assert caught.value.where == str(tmp_path / "upload")


def test_a_damaged_gzip_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="damaged") as caught:
        check_expansion(written(tmp_path, gzip.compress(b"a,b\n1,2\n")[:-9]), LIMITS)
    assert caught.value.where


def test_the_command_line_is_named_only_where_it_takes_more(tmp_path: Path) -> None:
    more = "the command line takes more"
    broken = gzip.compress(bytes(range(256)) * 9)
    tables = {
        "over 40 lines": (b"1,2\n" * 60, True),
        "holds more than": (b"1,2,3,4,5" * 900, True),
        "ends too early": (broken[:-9], False),
        "more than 250 times": (gzip.compress(b"1,2\n" * 2**23, 9), False),
    }
    for said, (content, takes_more) in tables.items():
        limits = Limits() if said.startswith("more") else LIMITS
        with pytest.raises(InputError, match=said) as caught:
            check_expansion(written(tmp_path, content), limits)
        assert (more in caught.value.advice()) is takes_more, said


def eval_log(samples: int, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    summaries = [
        {"id": at, "epoch": 1, "scores": {"match": {"value": "CI"[at % 3 == 0]}}, "metadata": "x" * 50}
        for at in range(samples)
    ]
    with zipfile.ZipFile(file, "w", packing) as archive:
        archive.writestr("_journal/start.json", "{}")
        archive.writestr("summaries.json", json.dumps(summaries))
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {"task": "t", "model": "m"}}))
    return file.getvalue()


def test_a_log_of_inspect_is_taken_and_measured(tmp_path: Path) -> None:
    for found in running(tmp_path, limits=Limits(expanded_bytes=20_000)):
        with found.client() as client:
            logs = [{"upload": sent(client, eval_log(60), f"{name}.eval"), "system": name} for name in ("new", "old")]
            answer = client.post("/api/compare", json={"data": {"files": logs}})
            assert answer.status_code == 200, answer.text
            assert answer.json()["result"]["test"]["n"] == 60
            large = {"upload": sent(client, eval_log(900), "large.eval"), "system": "new"}
            said = client.post("/api/compare", json={"data": {"files": [large, logs[1]]}}).json()["errors"][0]
            assert "the log unpacks to more than" in said["message"]
            packed = client.post("/api/uploads", files={"file": ("x.eval.gz", gzip.compress(eval_log(5)))})
            assert packed.status_code == 422


def test_row_limits_reach_every_kind_of_file(tmp_path: Path) -> None:
    many = {"text": "x y\n" * 60}
    for found in running(tmp_path, limits=Limits(rows=40)):
        with found.client() as client:
            for action, body in (
                ("replicate", {"p_table": many}),
                ("agree", {"ratings": many}),
                ("compare", {"data": {"files": [many]}}),
                ("rank", {"data": {"files": [{"text": "x\n"}], "gold": [many], "score_by": "accuracy"}}),
            ):
                answer = client.post(f"/api/{action}", json=body)
                said = answer.json()["errors"][0]
                assert answer.status_code == 422
                assert "over 40 lines" in said["message"], (action, said)
                assert "pasted" in said["where"]


def test_limits_reach_the_workers_and_every_file(tmp_path: Path) -> None:
    for found in running(tmp_path, limits=Limits(rows=40, expanded_bytes=50_000)):
        with found.client() as client:
            answer = client.post("/api/compare", json=files(sent(client)))
            assert "more than this server takes" in answer.json()["errors"][0]["message"]
            bomb = {"upload": sent(client, gzip.compress(b"0" * 200_000), "bomb.gz")}
            small = {"text": "a\nb\n", "system": "x"}
            gold = {"data": {"files": [small], "gold": [bomb], "score_by": "accuracy"}}
            for action, body in (
                ("replicate", {"p_table": bomb}),
                ("agree", {"ratings": bomb}),
                ("compare", gold),
            ):
                said = client.post(f"/api/{action}", json=body).json()["errors"][0]
                assert "unpacks to more than" in said["message"], (action, said)
                assert said["where"].startswith("bomb.gz")


def test_a_parquet_file_is_measured_before_it_is_read(tmp_path: Path) -> None:
    table = tmp_path / "wide.parquet"
    duckdb.execute(f"COPY (SELECT range AS item, 1 AS A, 0 AS B FROM range(100000)) TO '{table}' (FORMAT parquet)")
    for limits, said in (
        (Limits(rows=1_000), "100,000 rows"),
        (Limits(expanded_bytes=1_000), "unpacks to more than"),
    ):
        for found in running(tmp_path / said[:4], limits=limits):
            with found.client() as client:
                upload = sent(client, table.read_bytes(), "wide.parquet")
                error = client.post("/api/compare", json=files(upload)).json()["errors"][0]
                assert said in error["message"]
