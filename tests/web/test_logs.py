"""Logs of evaluation harnesses on the page: a dropped folder is many files, sent one by one under their own names."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.logs import inspect, lm_eval, sample
from web.test_api import sent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for day, (name, gain) in enumerate((("tuned", 1.0), ("base", 0.0)), 1):
        tasks = {task: [{"acc": 1.0 if at % 3 else gain} for at in range(30)] for task in ("arc", "boolq")}
        lm_eval(tmp_path, tasks, model=f"acme/{name}", day=day)
    return tmp_path


def uploads(client: httpx.Client, folder: Path) -> list[dict[str, Any]]:
    return [{"upload": sent(client, file.read_bytes(), file.name)} for file in sorted(folder.iterdir())]


def test_the_files_of_a_folder_are_read_together(client: httpx.Client, folder: Path) -> None:
    request = {"data": {"files": uploads(client, folder)}, "a": "acme/tuned", "b": "acme/base"}
    answer = client.post("/api/compare", json=request)
    assert answer.status_code == 200, answer.text
    found = answer.json()["result"]
    assert found["systems"] == ["acme/tuned", "acme/base"]
    assert [task["dataset"] for task in found["tasks"]] == ["arc", "boolq"]
    assert found["verdict"] == "better"


def test_named_files_are_systems(client: httpx.Client, tmp_path: Path) -> None:
    files = []
    for name, mark in (("new", "C"), ("old", "I")):
        log = inspect(tmp_path / "log.json", [sample(at, mark if at < 9 else "C") for at in range(30)], model="same")
        files.append({"upload": sent(client, log.read_bytes(), "log.json"), "system": name})
    answer = client.post("/api/compare", json={"data": {"files": files}})
    assert answer.status_code == 200, answer.text
    assert answer.json()["result"]["systems"] == ["new", "old"]


def test_errors_name_files_as_the_user_did(client: httpx.Client, folder: Path) -> None:
    file = next(folder.glob("samples_arc*"))
    file.write_text(file.read_text() + '{"doc_id": 31, "d')
    said = client.post("/api/compare", json={"data": {"files": uploads(client, folder)}}).json()["errors"][0]
    assert said["where"] == f"{file.name} line 31"
    assert "ends too early" in said["message"]


def test_a_folder_of_the_server_is_named_nowhere(client: httpx.Client, tmp_path: Path) -> None:
    for name, asks in (("tuned", "old"), ("base", "new")):
        rows = [{"acc": at % 2, "question": f"{asks if at < 5 else ''}{at}"} for at in range(12)]
        lm_eval(tmp_path, {"arc": rows}, model=f"acme/{name}", day=len(asks) + len(name))
    job = client.post("/", files=[("file", (one.name, one.read_bytes())) for one in sorted(tmp_path.iterdir())])
    shown = client.get(job.headers["location"], headers={"Accept": "text/html"}).text
    assert "do not ask the same" in shown
    assert "/tmp" not in shown
    # The advice is taken by one button.
    assert re.search(r'name="match_by" value="content">\s*<button>Match by: content</button>', shown)
    address = job.headers["location"] + "/change"
    answer = client.post(address, data={"match_by": "content", "missing": "drop"}, follow_redirects=True)
    assert client.get(f"{answer.url.path}.json").json()["result"]["test"]["n"] == 7


def test_what_the_files_offer(client: httpx.Client, folder: Path) -> None:
    found = client.post("/api/inspect", json={"data": {"files": uploads(client, folder)}}).json()["result"]
    assert found["systems"] == ["acme/tuned", "acme/base"]
    assert found["datasets"] == ["arc", "boolq"]
    assert not found["problem"]


def test_a_dropped_folder_sends_its_paths_beside_the_files(client: httpx.Client, tmp_path: Path) -> None:
    for name, score in (("new", 1.0), ("old", 0.0)):
        # Files of one name, and a task that only one of them has.
        extra = {"extra": [{"acc": 1.0}] * 9} if name == "old" else {}
        lm_eval(tmp_path / name, {"arc": [{"acc": score}] * 9, **extra}, model=f"acme/{name}")
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    sending = [("file", (path.name, path.read_bytes())) for path in files]
    paths = [f"/runs/{path.relative_to(tmp_path)}" for path in files]
    answer = client.post(
        "/rank", data={"paths": json.dumps(paths), "dataset": "arc"}, files=sending, follow_redirects=True
    )
    assert answer.status_code == 200, answer.text
    while "data-job" in answer.text:  # a busy machine: the page waits for the work
        time.sleep(0.1)
        answer = client.get(str(answer.url))
    assert "acme/new" in answer.text
    assert "nofluke rank runs --dataset arc" in answer.text


@pytest.mark.parametrize(
    "paths", ["[", '["/../../x"]', '["a", "b"]', "{}", '[["../results.json"]]', "[" * 10_000, '["/etc/other"]']
)
def test_paths_that_do_not_fit_are_left_alone(paths: str, client: httpx.Client) -> None:
    sending = [("file", ("scores.csv", b"item,A,B\nq1,1,0\nq2,1,0\nq3,1,1\n"))]
    answer = client.post("/rank", data={"paths": paths}, files=sending, follow_redirects=True)
    assert answer.status_code == 200
    assert "scores.csv" in answer.text
    assert "etc" not in answer.text
