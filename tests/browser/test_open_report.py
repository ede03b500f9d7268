"""A report read in the app: everything in it works there, and nothing of the app can be reached from it."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

import nofluke as nf
from browser.conftest import Visit
from reports.kinds import RESULTS

NASTY = ("""</script><script>alert(1)</script>'"><img src=x onerror=alert(2)>""", "系统")


def drawn(page: Page) -> int:
    """Wait for every picture of a report, and count them."""
    charts = page.locator(".light > .chart")
    for number in range(charts.count()):
        charts.nth(number).locator("svg.marks").first.wait_for(timeout=60_000)
    return charts.count()


@pytest.mark.parametrize("kind", RESULTS)
def test_every_kind_of_result_is_opened_as_a_report(visit: Visit, kind: str) -> None:
    result = RESULTS[kind](NASTY)
    with httpx.Client(base_url=visit.address, trust_env=False, timeout=60) as client:
        given = {"file": ("theirs.json", nf.report(result, "json").encode())}
        sent = client.post("/history", files=given)
    assert sent.status_code == 303, sent.text
    visit.page.on("dialog", lambda dialog: visit.complaints.append(dialog.message))
    page = visit.open(sent.headers["location"])
    page.get_by_role("link", name="Open as report", exact=True).click()
    page.wait_for_url("**/report")
    drawn(page)
    assert page.evaluate("origin") == "null"
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_the_report_can_be_copied_from_and_its_pictures_taken(visit: Visit, tmp_path: Path) -> None:
    page = visit.open("/")
    page.get_by_role("button", name="Simulated: two equally good").click()
    page.get_by_role("link", name="Open as report").click()
    page.wait_for_url("**/report")
    assert drawn(page) > 2
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.locator(".light > .chart summary").first.click()
    for name, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=f"Save as {name}").first.click()
        waiting.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(begins)
    page.go_back()
    expect(page.get_by_role("link", name="Open as report")).to_be_visible()


def test_a_report_reaches_nothing_of_the_app(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_role("button", name="Simulated: two equally good").click()
    page.get_by_role("link", name="Open as report").click()
    page.wait_for_url("**/report")
    for wanted in ("fetch('/api/jobs')", "(async () => localStorage)()", "(async () => document.cookie)()"):
        assert page.evaluate(f"{wanted}.then(() => 'reached', () => 'refused')") == "refused", wanted
    # A script that got in all the same would not run: the page names its own.
    page.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
    }""")
    assert page.evaluate("window.ran") is None
    visit.complaints[:] = [one for one in visit.complaints if "Content Security Policy" not in one]


def test_without_the_script_the_report_is_a_link_like_any_other(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Simulated: two equally good").click()
    page.get_by_role("link", name="Open as report").click()
    expect(page.get_by_role("heading", name="How this was made")).to_be_visible()
    context.close()
