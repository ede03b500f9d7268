"""Every task by Tab, Enter, Space and arrows alone; whatever has the focus shows it and lies under nothing."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import nofluke as nf
from browser.conftest import Visit
from browser.test_looks import PAGES, opened
from nofluke.web.examples import example_scores
from nofluke.words.at_a_glance import at_a_glance

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
_RING = 5  # pixels from an element to the outer edge of its ring, as app.css draws it

OPENED = "for (const one of document.querySelectorAll('main details')) one.open = true"
# Numbers all that can be focused; of several radio buttons the Tab key reaches one.
NUMBERED = """() => {
  const all = "a[href], button, input:not([type=hidden], [type=radio]), select, textarea, summary, [tabindex='0']";
  const seen = [...document.querySelectorAll(all)].filter((one) => one.checkVisibility() && !one.disabled);
  seen.forEach((one, at) => { one.dataset.number = at; });
  return seen.length;
}"""
# What is wrong with the element that has the focus: no ring, a ring that is cut off, or something lying over it.
WRONG = """(ring) => {
  const one = document.activeElement;
  const said = (what) => `${what}: ${one.outerHTML.slice(0, 100)}`;
  const box = one.getBoundingClientRect();
  if (box.bottom <= 0 || box.top >= innerHeight) return said("out of sight");
  const bar = one.querySelector(":scope > rect.hit");
  const ringed = (e, kind) => getComputedStyle(e)[kind];
  if (bar ? ringed(bar, "stroke") === "none" : ringed(one, "outlineStyle") === "none") return said("no ring");
  const { left, right, top, bottom } = box;
  const middle = [Math.max(0, (left + right) / 2), Math.max(0, top + Math.min(box.height / 2, 20))];
  const over = document.elementFromPoint(...middle);
  if (over && !one.contains(over) && !over.contains(one)) return said("covered");
  for (let around = one.parentElement; around !== document.body; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === "visible" || one.matches("[role=region], .unseen")) continue;
    const inner = around.getBoundingClientRect();
    if (top - ring < inner.top || bottom + ring > inner.bottom) return said("ring cut off");
  }
  return "";
}"""


def all_that_is_wrong(page: Page) -> list[str]:
    """Walk through a page by Tab; what is never reached is wrong, too."""
    page.evaluate(OPENED)
    page.wait_for_load_state("networkidle")
    number, reached, wrong = page.evaluate(NUMBERED), set(), []
    for _ in range(number + 30):
        page.keyboard.press("Tab")
        at = page.evaluate("document.activeElement.dataset.number")
        if at is not None and at not in reached:
            reached.add(at)
            wrong.append(page.evaluate(WRONG, _RING))
    if len(reached) < number:
        wrong.append(f"{number - len(reached)} never reached")
    return [one for one in wrong if one]


def tab_to(page: Page, wanted: Locator) -> None:
    for _ in range(200):
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {wanted}")


def press(page: Page, wanted: Locator, *keys: str) -> None:
    tab_to(page, wanted)
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.parametrize("path", PAGES)
def test_all_of_a_page_is_reached_and_seen(browser: Browser, address: str, path: str) -> None:
    page = opened(browser, address, path, 1200, "light")
    assert all_that_is_wrong(page) == []
    page.close()


@pytest.mark.parametrize("example", ["close-call", "shared-task"])
def test_all_of_a_result_is_reached_and_seen(browser: Browser, address: str, example: str) -> None:
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        given = client.post("/", data={"example": example}, headers={"Accept": "text/html"})
    page = opened(browser, address, given.headers["location"], 1200, "light")
    assert all_that_is_wrong(page) == []
    page.close()


def test_a_comparison_is_made_read_and_changed(visit: Visit) -> None:
    visit.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page = visit.open("/")
    tab_to(page, page.locator("#file"))
    with page.expect_file_chooser() as waiting:
        page.keyboard.press("Space")
    waiting.value.set_files(EXAMPLES / "translation.csv")
    pair = nf.read(EXAMPLES / "translation.csv").pair()
    expect(page.locator(".verdict h1")).to_have_text(at_a_glance(nf.compare(pair))[0])
    # A bar tells its values while it has the focus.
    bar = page.locator("svg.bars a").first
    tab_to(page, bar)
    expect(page.locator(".tip")).to_have_text(bar.get_attribute("aria-label") or "")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("items?"))
    page.go_back()
    # Who copied goes on from the button.
    copy = page.get_by_role("button", name="Copy the sentence")
    press(page, copy, "Enter")
    expect(page.get_by_role("button", name="Copied")).to_be_focused()
    # The recommended test is told in full; another one is chosen.
    expect(page.locator("label[for=method] small")).to_have_text("recommended: paired permutation test of the mean")
    press(page, page.locator("#method"), *"wilc")
    expect(page.locator("#method")).to_have_value("wilcoxon")
    press(page, page.get_by_role("button", name="Recompute"), "Enter")
    expect(page.locator(".verdict h1")).to_have_text(at_a_glance(nf.compare(pair, method="wilcoxon"))[0])
    press(page, page.locator("#reading > summary"), "Enter")
    press(page, page.get_by_label("What segment is"), "Home")
    press(page, page.get_by_role("button", name="Read it this way"), "Space")
    expect(page.locator("#reading")).to_contain_text("matched by row")
    press(page, page.get_by_role("button", name="May it take the other's place?"), "Enter")
    expect(page.locator(".verdict h1")).to_have_text(re.compile("Passed|Failed"))


def test_a_ranking_is_sorted_searched_and_left_for_a_pair(visit: Visit) -> None:
    page = visit.open("/")
    press(page, page.get_by_role("button", name="Simulated: a shared task"), "Enter")
    expected = nf.rank(example_scores("shared-task"))
    board = page.locator(".verdict tbody tr")
    search = page.get_by_label("Search this table").first
    press(page, search, *"team C")
    expect(page.locator(".verdict tbody tr:visible")).to_have_count(1)
    page.keyboard.press("Escape")
    press(page, page.locator(".verdict").get_by_role("button", name="score", exact=True), "Enter")
    expect(board.first).to_contain_text(expected.systems[-1])
    # The pair of any cell of the heat map is asked for by name.
    press(page, page.get_by_label("First system", exact=True), *"team B")
    press(page, page.get_by_label("Second system", exact=True), *"team L")
    press(page, page.get_by_role("button", name="Compare these two"), "Enter")
    pair = nf.compare(example_scores("shared-task").pair("team B", "team L"))
    expect(page.locator(".verdict h1")).to_have_text(at_a_glance(pair)[0])


def test_a_result_is_renamed_found_and_deleted(visit: Visit) -> None:
    page = visit.open("/")
    press(page, page.get_by_role("button", name="Simulated: two equally good"), "Enter")
    press(page, page.locator("#rename"), "Control+a", *"by keys alone", "Enter")
    expect(page.locator(".crumb")).to_have_text("by keys alone")
    page.on("dialog", lambda dialog: dialog.accept())
    page = visit.open("/history")
    press(page, page.locator("#search"), *"keys alone", "Enter")
    expect(page.locator("tbody tr")).to_have_count(1)
    press(page, page.get_by_label("Choose all"), "Space")
    press(page, page.get_by_role("button", name="Delete the chosen ones"), "Enter")
    page.wait_for_url("**/history")
    visit.open("/history?search=keys+alone")
    expect(page.locator("main")).to_contain_text("Nothing is like this.")


def test_planning_is_answered_by_arrows(visit: Visit) -> None:
    page = visit.open("/plan")
    before = page.locator("#answer .verdict").inner_text()
    press(page, page.get_by_label("Power, slider"), "ArrowRight", "ArrowRight")
    expect(page.locator("#power")).to_have_value("0.82")
    expect(page.locator("#answer .verdict")).not_to_have_text(before)
    page.wait_for_function("!document.querySelector('#answer').hasAttribute('aria-busy')")
    told = page.locator("[data-told]").inner_text()
    press(page, page.get_by_role("slider", name="Number of items"), "ArrowRight")
    expect(page.locator("[data-told]")).not_to_have_text(told)


def test_annotations_and_p_values_are_typed(visit: Visit) -> None:
    for path, table, button in (
        ("/agree", "anna,ben\nyes,yes\nno,no\nyes,no\nno,no\n", "Measure"),
        ("/replicate", "dataset A B p\nGerman 81.2 80.1 0.0004\nFrench 79.0 78.2 0.013\n", "Count them"),
    ):
        page = visit.open(path)
        tab_to(page, page.locator("#text"))
        page.keyboard.insert_text(table)
        press(page, page.get_by_role("button", name=button), "Enter")
        expect(page.locator(".verdict h1")).to_be_visible()


def test_a_narrow_window_hides_nothing_under_the_answer_that_stays(browser: Browser, address: str) -> None:
    page = opened(browser, address, "/plan", 640, "light")
    assert all_that_is_wrong(page) == []
    page.close()
