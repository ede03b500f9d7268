"""Planning, outputs with gold, several datasets, long work, shared files, and a server that is killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

import nofluke as nf
from browser.conftest import Visit, free_port, start
from browser.test_looks import PALE, UNNAMED, opened
from nofluke.web.worker import headline_of
from nofluke.words.at_a_glance import at_a_glance

SLOW = {
    "data": {"example": "questions"},
    "method": "permutation",
    "options": {"monte_carlo": 800_000_000},
}


def post(address: str, path: str, body: object) -> dict[str, object]:
    answer = httpx.post(address + path, json=body, trust_env=False, timeout=60)
    found: dict[str, object] = answer.json()
    return found


def slow_job(address: str) -> str:
    return str(post(address, "/api/compare?wait=0", SLOW)["job"]["id"])  # type: ignore[index]


def until_answering(address: str) -> None:
    """Wait until a server that has said its address takes requests."""
    for _ in range(600):
        try:
            httpx.get(address, trust_env=False)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"nobody answers at {address}")


def until_running(address: str, job: str) -> None:
    """Wait until a worker has said how far it is: what is killed before that was only waiting."""
    for _ in range(1200):
        found = httpx.get(f"{address}/api/jobs/{job}", trust_env=False).json()["job"]
        if found["state"] == "running" and found["total"]:
            return
        time.sleep(0.05)
    raise AssertionError("the job never showed progress")


def test_a_plan_moves_with_its_sliders(visit: Visit) -> None:
    page = visit.open("/plan")
    page.locator("#power").fill("0.9")
    expected = nf.sample_size("mcnemar", accuracy_a=0.82, accuracy_b=0.8, disagreement=0.12, power=0.9)
    expect(page.locator("#answer")).to_contain_text(f"{expected.n:,}")
    page.get_by_label("scores on a scale").first.check()
    scores = nf.sample_size("paired_t", difference=0.02, sd=0.2, power=0.9)
    expect(page.locator("#answer")).to_contain_text(f"{scores.n:,}")
    page.reload()
    expect(page.locator("#answer")).to_contain_text(f"{scores.n:,}")
    # A slider moves its field; a field takes what no slider reaches.
    page.get_by_label("Standard deviation of the differences, slider").fill("0.4")
    expect(page.locator("#sd")).to_have_value("0.4")
    page.locator("#sd").fill("12")
    page.locator("#difference").fill("1.5")
    points = nf.sample_size("paired_t", difference=1.5, sd=12, power=0.9)
    expect(page.locator("#answer")).to_contain_text(f"{points.n:,}")
    assert float(page.get_by_label("Standard deviation of the differences, slider").input_value()) == 12
    # What does not apply cannot be changed, and is not asked.
    expect(page.locator("#accuracy_a")).to_be_disabled()
    assert "accuracy_a" not in page.url


def test_outputs_and_gold_are_scored(visit: Visit, tmp_path: Path) -> None:
    texts = {"x": "yes\nno\nno\n" * 20, "y": "no\nno\nyes\n" * 20, "gold": "yes\nno\nyes\n" * 20}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    page = visit.open("/compare")
    page.locator("#file").set_input_files([tmp_path / "x.txt", tmp_path / "y.txt"])
    page.get_by_text("Outputs and gold answers, or counts").click()
    page.locator("#gold").set_input_files(tmp_path / "gold.txt")
    page.locator("#score_by").select_option("accuracy")
    page.get_by_role("button", name="Compare them").click()
    page.locator("#reading > summary").click()
    page.get_by_label("Name of the system in x.txt").fill("the first")
    page.get_by_role("button", name="Read it this way").click()
    named = {"the first": tmp_path / "x.txt", "y": tmp_path / "y.txt"}
    scores = nf.score("accuracy", named, tmp_path / "gold.txt")
    expect(page.locator(".verdict h1")).to_have_text(at_a_glance(nf.compare(scores.pair()))[0])
    page.get_by_text("The same in Python and in the shell").click()
    expect(page.locator("main")).to_contain_text(
        "nofluke compare 'the first=x.txt' y=y.txt --gold gold.txt --metric accuracy"
    )
    page.get_by_role("link", name="All items").click()
    expect(page.locator("table.items thead")).to_contain_text("output of y")


def test_scores_on_several_datasets(visit: Visit, tmp_path: Path) -> None:
    rows = [
        f"{part}{i},{part},{who},{(i * step) % 11}"
        for part in ("news", "mail")
        for i in range(30)
        for who, step in (("new", 7), ("old", 5))
    ]
    table = tmp_path / "several.csv"
    table.write_text("item,dataset,system,score\n" + "\n".join(rows) + "\n")
    page = visit.open("/replicate")
    page.locator("#file").set_input_files(table)
    page.get_by_label("scores of two systems").check()
    page.get_by_text("Systems, columns, test").click()
    page.get_by_label("System A").fill("old")
    page.get_by_label("System B").fill("new")
    page.get_by_role("button", name="Count them").click()
    expected = nf.replicate(nf.read(table), a="old", b="new")
    expect(page.locator(".verdict h1")).to_have_text(at_a_glance(expected)[0] or headline_of(expected))


def test_long_work_survives_a_reload_and_can_be_cancelled_and_retried(visit: Visit) -> None:
    job = slow_job(visit.address)
    page = visit.open(f"/jobs/{job}")
    expect(page.locator("[data-progress]")).to_have_text(re.compile(r"[0-9]+ %"))
    page.reload()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="You cancelled this")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Comparing the systems")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="You cancelled this")).to_be_visible()


def test_a_bad_setting_is_put_right_on_the_spot(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_role("button", name="Simulated: two equally good").click()
    page.locator("#margin").fill("-1")
    page.get_by_role("button", name="Recompute").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.locator("#margin").fill("0.2")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Smallest possible score").fill("1")
    page.get_by_label("Largest possible score").fill("5")
    page.get_by_role("button", name="Recompute").click()
    expect(page.locator(".verdict h1")).to_be_visible()
    visit.complaints[:] = [said for said in visit.complaints if "422" not in said]


def test_an_answer_that_is_none_is_not_shown_as_one(visit: Visit) -> None:
    page = visit.open("/plan")
    page.route("**/plan?**", lambda route: route.fulfill(status=500, body="<h1>inside</h1>"))
    page.locator("#power").fill("0.9")
    expect(page.locator("#answer")).to_have_text("this did not work; load the page again")
    visit.complaints[:] = [said for said in visit.complaints if "500" not in said]


def test_who_comes_without_the_token_can_type_it(browser: Browser, tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("nofluke")), "serve", "--host", "0.0.0.0", "--port", "0"]
    server = subprocess.Popen(
        [*command, "--folder", str(tmp_path), "--workers", "1"], stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    try:
        port, token = re.findall(r":(\d+)/\?token=(\S+)", server.stderr.readline())[0]
        until_answering(f"http://127.0.0.1:{port}")
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/history")
        assert page.evaluate(PALE) == []
        assert page.evaluate(UNNAMED) == []
        page.get_by_label("Token").fill("a guess")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("alert")).to_contain_text("not the token")
        page.get_by_label("Token").fill(token)
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("History")
        assert token not in page.url
        page.close()
    finally:
        server.terminate()
        server.wait(timeout=60)
        server.stderr.close()


def test_a_killed_server_loses_nothing_that_was_finished(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    process = start(tmp_path, port)
    done = str(post(address, "/api/compare?wait=60", {"data": {"example": "questions"}})["id"])
    job = slow_job(address)
    until_running(address, job)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=60)
    again = start(tmp_path, port)
    try:
        page = browser.new_page()
        page.goto(f"{address}/results/{done}")
        expect(page.locator(".verdict h1")).to_be_visible()
        page.goto(f"{address}/jobs/{job}")
        expect(page.get_by_role("heading", name="This was interrupted")).to_be_visible()
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("heading", name="Comparing the systems")).to_be_visible()
        page.close()
    finally:
        again.terminate()
        again.wait(timeout=60)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_results_can_be_read_by_all(browser: Browser, address: str, scheme: str) -> None:
    job = str(post(address, "/api/rank?wait=60", {"data": {"example": "shared-task"}})["id"])
    pair = str(post(address, "/api/compare?wait=60", {"data": {"example": "documents"}})["id"])
    for path in (f"/results/{job}", f"/results/{pair}", f"/results/{pair}/items"):
        for width in (1200, 360):
            page = opened(browser, address, path, width, scheme)
            page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
            page.wait_for_selector("h1")
            assert page.evaluate(UNNAMED) == [], path
            assert page.evaluate(PALE) == [], path
            assert page.locator("h1").count() == 1, path
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            page.close()
