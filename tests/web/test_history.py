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


def test_who_deletes_or_renames_stays_in_the_part_that_was_looked_at(client: httpx.Client, server: Server) -> None:
    store = server.app.state.context.store
    kept, one, other = (store.add_job("shared", {}, f"part {i}") for i in range(3))
    looked_at = {"search": "part", "action": "shared"}
    page = client.get("/history", params=looked_at, headers=HTML).text
    assert page.count('<input type="hidden" name="search" value="part">') == 7  # of all together, and two of each
    back = [
        client.post(f"/history/{kept.id}/rename", data={"name": "part", **looked_at}, headers=HTML),
        client.post(f"/history/{one.id}/delete", data=looked_at, headers=HTML),
        client.post("/history/delete", data={"chosen": other.id, **looked_at}, headers=HTML),
    ]
    store.delete(kept.id)
    assert {answer.headers["location"] for answer in back} == {"/history?search=part&action=shared"}
    assert client.post("/history/delete", data={"failed": "true"}, headers=HTML).headers["location"].endswith("=true")
    assert client.post("/history/delete", headers=HTML).headers["location"] == "/history"


def test_an_answer_that_is_a_number_is_listed_as_one(client: httpx.Client) -> None:
    made = client.post("/api/combine?wait=60", json={"p_values": [0.001, 0.02, 0.03, 0.2]}).json()["id"]
    listed = {job["id"]: job for job in client.get("/history.json").json()["jobs"]}
    assert listed[made]["headline"] == "9.821e-05"
    assert "<h1>The answer: 9.821e-05</h1>" in client.get(f"/results/{made}", headers=HTML).text
