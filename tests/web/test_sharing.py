"""A shared result tells where it comes from, and what cannot be true is not taken."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from web.test_api import files, sent
from web.test_results import compared, content

HTML = {"Accept": "text/html"}


def shared(client: httpx.Client) -> dict[str, Any]:
    job = compared(client, files(sent(client, content(6))))
    return dict(client.get(f"/results/{job}/report.json").json())


def test_an_opened_result_shows_the_command_and_the_files_it_came_from(client: httpx.Client) -> None:
    good = shared(client)
    good["run"] = {"command": "nofluke compare mine.csv --seed 5", "inputs": {"mine.csv": "f" * 64}, "versions": {}}
    answer = client.post("/api/results", files={"file": ("theirs.json", json.dumps(good).encode())})
    assert answer.status_code == 201
    page = client.get(f"/results/{answer.json()['id']}", headers=HTML).text
    assert "Opened from a file" in page
    assert "nofluke compare mine.csv --seed 5" in page
    assert "ffffffffffffffff" in page
    assert "scores.csv" not in page
    again = client.get(f"/results/{answer.json()['id']}/report.json").json()
    assert again["run"]["inputs"] == good["run"]["inputs"]
    assert "opened from a file" in client.get("/history", headers=HTML).text


def test_an_opened_result_without_a_run_invents_none(client: httpx.Client) -> None:
    good = shared(client)
    del good["run"]
    taken = client.post("/api/results", files={"file": ("theirs.json", json.dumps(good).encode())}).json()
    found = client.get(f"/results/{taken['id']}.json").json()
    assert found["report"]["calls"] == {}
    assert found["inputs"] == []


@pytest.mark.parametrize("alpha", [float("nan"), float("inf"), None, 0, 1.5, -0.1])
def test_an_impossible_level_is_refused(client: httpx.Client, alpha: float | None) -> None:
    wrong = json.dumps({**shared(client), "alpha": alpha}).encode()
    for path in ("/api/results", "/history"):
        assert client.post(path, files={"file": ("wrong.json", wrong)}).status_code == 422, path


def test_an_impossible_p_value_is_refused_by_its_name(client: httpx.Client) -> None:
    wrong = shared(client)
    wrong["test"] = {**wrong["test"], "p_value": 1.7}
    answer = client.post("/api/results", files={"file": ("wrong.json", json.dumps(wrong).encode())})
    assert answer.status_code == 422
    said = answer.json()["errors"][0]
    assert "1.7 is not from 0 to 1" in said["message"]
    assert "wrong.json" in said["where"]


def test_a_report_dropped_on_the_first_page_is_opened_again(client: httpx.Client) -> None:
    job = compared(client, files(sent(client, content(7))))
    page = client.get(f"/results/{job}/report.html").content
    answer = client.post("/", files={"file": ("theirs.html", page)}, headers=HTML, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/results/")
    opened = client.get(answer.headers["location"], headers=HTML).text
    assert "Opened from a file" in opened
    again = client.get(f"{answer.headers['location']}/report.json").json()
    assert again["test"] == client.get(f"/results/{job}/report.json").json()["test"]


def test_a_damaged_report_on_the_first_page_is_said_to_be_none(client: httpx.Client) -> None:
    damaged = b'<!doctype html><meta name="generator" content="nofluke 9"><p>nothing</p>'
    answer = client.post("/", files={"file": ("theirs.html", damaged)}, headers=HTML, follow_redirects=False)
    assert answer.status_code == 422
    assert "hoose a .json or .html report" in answer.text
