"""Logs of evaluation harnesses on the page: a dropped folder is many files, sent one by one under their own names."""

from __future__ import annotations

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


def test_what_the_files_offer(client: httpx.Client, folder: Path) -> None:
    found = client.post("/api/inspect", json={"data": {"files": uploads(client, folder)}}).json()["result"]
    assert found["systems"] == ["acme/tuned", "acme/base"]
    assert found["datasets"] == ["arc", "boolq"]
    assert not found["problem"]
