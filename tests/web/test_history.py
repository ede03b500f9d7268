"""The history: everything that was asked for, page by page."""

from __future__ import annotations

import time

import httpx

from web.conftest import Server

HTML = {"Accept": "text/html"}


def test_history_pages_through_everything_and_shows_when(client: httpx.Client, server: Server) -> None:
    store = server.app.state.context.store
    made = [store.add_job("shared", {}, f"entry {i}") for i in range(105)]
    looked = store.add_job("inspect", {})
    first, second = client.get("/history.json").json(), client.get("/history.json?from=100").json()
    page = client.get("/history", headers=HTML).text
    for job in (*made, looked):
        store.delete(job.id)
    assert len(first["jobs"]) == 100
    names = [job["name"] for job in (*first["jobs"], *second["jobs"])]
    assert {f"entry {i}" for i in range(105)} <= set(names)
    assert "inspect" not in {job["action"] for job in first["jobs"]}
    assert "Older" in page
    assert time.strftime("%Y-%m-%d") in page


def test_twins_of_pages_hold_plain_values(client: httpx.Client) -> None:
    for path in ("/index.json", "/compare.json", "/rank.json", "/replicate.json", "/agree.json", "/plan.json"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        for trace in ("object at 0x", "Example(", "Page(", "Option(", "Field(", "Format(", "PydanticUndefined"):
            assert trace not in answer.text, path
