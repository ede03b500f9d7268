"""Stored results: every kind has a page, a report tells of every test of its data, and nothing deleted is kept."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

from nofluke.web.result_cache import ResultCache
from web.conftest import Server
from web.test_api import files, sent

HTML = {"Accept": "text/html"}
SECTION = "All tests run on these data"


def compared(client: httpx.Client, body: dict[str, Any], action: str = "compare", **more: Any) -> str:
    """Ask for a result and wait for its job, however busy the machine is."""
    answer = client.post(f"/api/{action}", json={**body, **more})
    assert answer.status_code in (200, 202), answer.text
    if answer.status_code == 200:
        return str(answer.json()["id"])
    job = answer.json()["job"]
    while job["state"] in ("queued", "running"):
        time.sleep(0.1)
        job = client.get(f"/api/jobs/{job['id']}").json()["job"]
    assert job["state"] == "done", job
    return str(job["id"])


def table_of(client: httpx.Client, path: str) -> list[list[str]]:
    sections = client.get(path).json()["report"]["sections"]
    return next((section["table"]["rows"] for section in sections if section["title"] == SECTION), [])


def content(seed: int) -> bytes:
    """A table that no other test has sent; seeds that are 11 apart make the same."""
    return ("item,new,old\n" + "".join(f"q{i},{(i * 7 + seed) % 11},{(i * 5) % 9}\n" for i in range(40))).encode()


# every test that was run -----------------------------------------------------------------------------------------


def test_a_report_lists_every_test_of_its_data(client: httpx.Client) -> None:
    data = files(sent(client, content(1)))
    first = compared(client, data, method="sign")
    assert table_of(client, f"/results/{first}.json") == []
    assert "also_run" not in client.get(f"/results/{first}/report.json").json()
    compared(client, data, method="wilcoxon", alternative="greater")
    compared(client, data, action="test", method="mann_whitney")
    compared(client, data, method="sign", alpha=0.1)  # the same test at another level
    compared(client, data, method="sign")  # the same once more
    rows = table_of(client, f"/results/{first}.json")
    assert [(row[0].partition(" ")[0], row[1]) for row in rows] == [
        ("sign", "two-sided"),
        ("Wilcoxon", "greater"),
        ("Mann-Whitney", "two-sided"),
    ]
    report = client.get(f"/results/{first}/report.json").json()
    assert [one["method"] for one in report["also_run"]] == ["wilcoxon", "mann_whitney"]
    for suffix in ("txt", "md", "html", "tex", "csv"):
        text = " ".join(client.get(f"/results/{first}/report.{suffix}").text.replace("%", "").split())
        assert "wilcoxon" in text, suffix
        assert suffix == "csv" or "one of 3 tests run on these data" in text or "2 other tests were run" in text
    page = client.get(f"/results/{first}", headers=HTML).text
    assert SECTION in page
    assert "a p-value picked from several means little" in page


def test_the_same_data_are_known_by_what_they_hold_and_what_was_chosen(client: httpx.Client) -> None:
    first = compared(client, files(sent(client, content(2), "a.csv")), method="paired_t")
    again = files(sent(client, content(2), "b.csv"))  # uploaded again, its systems named
    compared(client, again, method="sign", a="new", b="old")
    compared(client, again, method="permutation", unit=2)
    compared(client, again, method="wilcoxon", a="old", b="new")
    compared(client, files(sent(client, content(3))), method="bootstrap")
    assert [row[0] for row in table_of(client, f"/results/{first}.json")] == ["paired t-test", "sign test"]


def test_a_dropped_file_tells_of_the_tests_tried_before(client: httpx.Client) -> None:
    answer = client.post("/", files={"file": ("s.csv", content(4))}, headers=HTML)
    address = answer.headers["location"].replace("/results/", "/jobs/")
    for method in ("sign", "wilcoxon"):
        found = client.post(f"{address}/change", data={"method": method}, headers=HTML, follow_redirects=True)
    rows = table_of(client, f"{found.url.path}.json")
    assert [row[0].split(" ")[0] for row in rows] == ["Wilcoxon", "paired", "sign"]
    assert SECTION in found.text


def test_a_shared_result_keeps_its_list(client: httpx.Client) -> None:
    data = files(sent(client, content(5)))
    first = compared(client, data, method="sign")
    compared(client, data, method="wilcoxon")
    shared = client.get(f"/results/{first}/report.json").content
    taken = client.post("/history", files={"file": ("r.json", shared)})
    assert len(table_of(client, taken.headers["location"] + ".json")) == 2


# kinds of results ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "body", "said"),
    [
        ("power", {"n": 100, "difference": 0.1, "sd": 0.5}, "How often would it be found?"),
        ("detectable_effect", {"n": 100, "sd": 0.5}, "What could be found?"),
        ("correct", {"p_values": [0.01, 0.04]}, "corrected"),
        ("score", {"data": {"example": "questions"}}, "Scores of new and baseline"),
    ],
)
def test_every_answer_with_a_report_has_a_page(
    client: httpx.Client, action: str, body: dict[str, Any], said: str
) -> None:
    job = compared(client, body, action=action)
    page = client.get(f"/results/{job}", headers=HTML)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert said in page.text
    assert said in client.get(f"/results/{job}/report.html").text


def test_a_bare_number_has_a_small_page_and_no_report(client: httpx.Client) -> None:
    job = compared(client, {"p_values": [0.01, 0.04]}, action="combine")
    page = client.get(f"/results/{job}", headers=HTML)
    assert page.headers["content-type"].startswith("text/html")
    assert "nf.combine([0.01, 0.04])" in page.text
    assert "# only in Python" in page.text
    assert client.get(f"/results/{job}.json").json()["result"]["value"] == pytest.approx(0.00353, abs=1e-5)
    for path in (f"/results/{job}/report.html", f"/results/{job}/charts/histograms.svg"):
        assert client.get(path).status_code == 404


def test_a_result_of_another_version_says_what_to_do(client: httpx.Client, server: Server) -> None:
    job = compared(client, {"data": {"example": "questions"}})
    store = server.app.state.context.store
    text = json.dumps({**json.loads(store.result(job) or ""), "schema": 99})
    other = store.add_finished("shared", "from elsewhere", text, "")
    for path in (f"/results/{other}", f"/results/{other}/report.html"):
        answer = client.get(path, headers=HTML)
        assert answer.status_code == 422
        assert "Update nofluke" in answer.text or "update nofluke" in answer.text


def test_a_redirect_of_a_twin_is_a_twin(client: httpx.Client) -> None:
    job = compared(client, {"data": {"example": "questions"}})
    assert client.get(f"/jobs/{job}.json").headers["location"].endswith(f"/results/{job}.json")


def test_a_made_up_shared_file_is_refused_and_not_kept(client: httpx.Client) -> None:
    job = compared(client, {"data": {"example": "questions"}})
    good = client.get(f"/results/{job}/report.json").json()
    before = client.get("/api/jobs").json()["total"]
    made_up = [b"[]", b"null", b'"\\ud800"', b"[" * 50_000, b"\xff"]
    made_up += [json.dumps({**good, **wrong}).encode() for wrong in ({"effects": {}}, {"choices": None})]
    made_up += [json.dumps({**good, "headline": "half \ud800"}).encode()]
    for text in made_up:
        assert client.post("/history", files={"file": ("\ud7ff.json", text)}).status_code == 422, text[:40]
    assert client.get("/api/jobs").json()["total"] == before


# what is kept in memory ------------------------------------------------------------------------------------------


def test_the_result_looked_at_longest_ago_goes_first_and_a_deleted_one_at_once() -> None:
    kept, made = ResultCache(2), []

    def look(job: str, part: str = "value") -> None:
        kept.of(job, part, lambda: made.append((job, part)))

    for job in ("a", "b", "a", "c", "a", "b"):
        look(job)
    assert [job for job, _ in made] == ["a", "b", "c", "b"]
    look("b", "picture")
    kept.forget("b")
    look("b")
    look("b", "picture")
    assert made[4:] == [("b", "picture"), ("b", "value"), ("b", "picture")]


def test_nothing_of_a_deleted_result_is_shown(client: httpx.Client) -> None:
    job = compared(client, {"data": {"example": "questions"}})
    picture = f"/results/{job}/charts/histograms.svg"
    assert client.get(picture).status_code == 200
    client.delete(f"/api/jobs/{job}")
    for path in (picture, f"/results/{job}", f"/results/{job}/report.html"):
        assert client.get(path).status_code == 404
