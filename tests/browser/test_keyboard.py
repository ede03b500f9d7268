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
from browser.test_more_flows import slow_job
from nofluke.web.examples import example_scores
from nofluke.web.worker import headline_of
from nofluke.words.at_a_glance import at_a_glance

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
_RING = 5  # pixels from an element to the outer edge of its ring, as app.css draws it

# Everything folded out, and every picture there before anybody comes to it.
OPENED = """() => {
  for (const one of document.querySelectorAll("main details")) one.open = true;
  for (const one of document.querySelectorAll("figure img")) one.loading = "eager";
}"""
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
    expect(page.locator("figure img")).to_have_count(0)
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


def told(page: Page, key: str) -> str:
    """What a picture says of the mark that a key leads to, as it is shown and as it is heard."""
    page.keyboard.press(key)
    shown = page.locator(".tip").inner_text()
    expect(page.locator("[aria-live].unseen")).to_have_text(shown.replace("\n", "; "))
    return shown


def test_the_values_of_a_picture_are_walked_by_arrows(visit: Visit) -> None:
    page = visit.open("/")
    press(page, page.get_by_role("button", name="Simulated: two equally good"), "Enter")
    press(page, page.locator("summary", has_text="Scores ("), "Enter")
    picture = page.locator("figure.histograms svg")
    page.keyboard.press("Tab")  # the picture is a stop even while it is fetched
    expect(picture).to_be_focused()
    marks = picture.locator("[aria-roledescription=bar]")
    page.keyboard.press("Home")
    first = page.locator(".tip").inner_text()
    marks.first.hover()
    expect(page.locator(".tip")).to_have_text(first)  # the same as under the pointer
    # A point on its interval tells what the interval tells, wherever it is met, and no key stops at it.
    point = picture.locator(".mark-symbol path").last
    for place in ({"x": 3, "y": 3}, {"x": 3, "y": 5}):
        point.hover(position=place)
        expect(page.locator(".tip")).to_have_text(re.compile("^mean difference"))
    assert told(page, "End").startswith("mean difference")
    assert told(page, "ArrowLeft").endswith(("item", "items"))
    page.keyboard.press("Home")
    page.mouse.move(0, 0)
    assert len({first, told(page, "ArrowRight"), told(page, "ArrowDown")}) == 3
    told(page, "ArrowLeft")
    assert told(page, "ArrowUp") == first == told(page, "ArrowLeft")
    assert told(page, "End") != first
    expect(picture.locator(".spot")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_be_hidden()
    expect(picture.locator(".spot")).to_have_count(0)
    page.keyboard.press("Tab")  # one stop, not one for each mark
    expect(page.get_by_role("link", name="SVG").first).to_be_focused()
    # The interval of the verdict, which the page draws itself.
    tab_to(page, page.locator("svg.zero"))
    expect(page.locator(".tip")).to_have_text(page.locator("svg.zero").get_attribute("aria-label") or "")


def pair_of(told: str) -> tuple[str, str]:
    """The two systems that a cell of the heat map is about: "a is better than b", "a and b"."""
    row, column = re.split(" is better than | is worse than | and ", told.split("\n")[0])
    return row, column


def test_a_cell_of_the_heat_map_leads_to_its_pair(visit: Visit) -> None:
    page = visit.open("/")
    press(page, page.get_by_role("button", name="Simulated: a shared task"), "Enter")
    heat_map = page.locator("figure.heat_map svg")
    expect(heat_map).to_be_visible()
    press(page, heat_map, "Home", "ArrowDown")
    expect(page.locator("figure.heat_map .keys")).to_contain_text("Enter compares the two systems")
    row, column = pair_of(page.locator(".tip").inner_text())
    # Below and beside the cell stand those of the same column and row, and no cell of a system with itself.
    assert pair_of(told(page, "ArrowDown"))[1] == column
    page.keyboard.press("ArrowUp")
    assert pair_of(told(page, "ArrowRight"))[0] == row
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expected = nf.compare(example_scores("shared-task").pair(row, column))
    expect(page.locator(".verdict h1")).to_have_text(at_a_glance(expected)[0])


def choose(page: Page, field: Locator, *files: Path) -> None:
    """Choose files as the dialog of the system lets one, opened by a key."""
    tab_to(page, field)
    with page.expect_file_chooser() as waiting:
        page.keyboard.press("Space")
    waiting.value.set_files(files)


def test_a_result_is_shared_as_one_file_and_opened_again(visit: Visit, tmp_path: Path) -> None:
    page = visit.open("/")
    press(page, page.get_by_role("button", name="Simulated: two equally good"), "Enter")
    said = page.locator(".verdict h1").inner_text()
    with page.expect_download() as waiting:
        press(page, page.get_by_role("link", name="HTML", exact=True), "Enter")
    waiting.value.save_as(tmp_path / "by keys.html")
    visit.open("/")
    press(page, page.get_by_role("link", name="History"), "Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("History")
    choose(page, page.get_by_label("The .html or .json file of a report"), tmp_path / "by keys.html")
    press(page, page.get_by_role("button", name="Open it"), "Enter")
    expect(page.locator(".crumb")).to_contain_text("Opened from a file")
    expect(page.locator(".verdict h1")).to_have_text(said)
    # There are no items for its bars to lead to, so they are walked like those of any picture.
    press(page, page.locator("svg.bars"), "Home")
    assert told(page, "ArrowRight") != told(page, "ArrowRight")


def test_a_report_is_opened_copied_from_and_its_picture_saved(visit: Visit, tmp_path: Path) -> None:
    page = visit.open("/")
    press(page, page.get_by_role("button", name="Simulated: two equally good"), "Enter")
    with page.expect_download() as waiting:
        press(page, page.get_by_role("link", name="Download the report"), "Enter")
    assert waiting.value.suggested_filename.endswith(".html")
    press(page, page.get_by_role("link", name="Open as report"), "Enter")
    page.wait_for_url("**/report")
    page.locator(".light > .chart svg.marks").first.wait_for()
    press(page, page.get_by_label("Save this chart").first, "Enter", "Tab")
    for name in ("SVG", "PNG"):
        link = page.get_by_role("link", name=f"Save as {name}").first
        expect(link).to_be_focused()
        expect(link).not_to_have_attribute("href", "#")
        with page.expect_download() as waiting:
            page.keyboard.press("Enter")
        waiting.value.save_as(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
        page.keyboard.press("Tab")
    press(page, page.get_by_role("button", name="Copy").first, "Enter")
    expect(page.get_by_role("button", name="Copied")).to_be_focused()


def test_long_work_is_cancelled_and_tried_again(visit: Visit) -> None:
    page = visit.open(f"/jobs/{slow_job(visit.address)}")
    for _ in range(2):
        expect(page.get_by_role("progressbar")).to_be_visible()
        press(page, page.get_by_role("button", name="Cancel"), "Enter")
        expect(page.get_by_role("heading", name="You cancelled this")).to_be_visible()
        press(page, page.get_by_role("button", name="Try again"), "Space")
    press(page, page.get_by_role("button", name="Cancel"), "Enter")
    expect(page.get_by_role("heading", name="You cancelled this")).to_be_visible()


def test_what_failed_is_tried_again_and_deleted(visit: Visit) -> None:
    with httpx.Client(base_url=visit.address, trust_env=False, timeout=60) as client:
        wrong = {"data": {"files": [{"text": "A,B\n0.5,0.4\n0.7,abc\n"}]}}
        assert client.post("/api/compare?wait=60", json=wrong).status_code == 422
    page = visit.open("/history")
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, page.get_by_role("link", name=re.compile("Failed")), "Enter")
    page.wait_for_url("**failed=true")
    rows = page.locator("tbody tr")
    before = rows.count()
    press(page, rows.first.locator("summary"), "Enter")
    press(page, rows.first.get_by_role("button", name="Try again"), "Enter")
    expect(page.get_by_role("alert")).to_contain_text("'abc' is not a number")  # it was asked again, and fails again
    visit.open("/history?failed=true")
    press(page, rows.first.locator("summary"), "Space")
    press(page, rows.first.get_by_role("button", name="Delete"), "Enter")
    expect(rows).to_have_count(before - 1)
    assert page.url.endswith("/history?failed=true")  # what is left of them stays in sight


def test_many_datasets_are_counted_from_scores(visit: Visit, tmp_path: Path) -> None:
    rows = [
        f"{part}{i},{part},{who},{(i * step) % 11}"
        for part in ("news", "mail")
        for i in range(30)
        for who, step in (("new", 7), ("old", 5))
    ]
    (tmp_path / "several.csv").write_text("item,dataset,system,score\n" + "\n".join(rows) + "\n")
    page = visit.open("/replicate")
    choose(page, page.locator("#file"), tmp_path / "several.csv")
    expect(page.locator("[data-chosen]")).to_have_text("several.csv")
    press(page, page.get_by_label("p-values, one per dataset"), "ArrowDown")
    expect(page.get_by_label("scores of two systems")).to_be_checked()
    press(page, page.locator("summary", has_text="Systems, columns, test"), "Enter")
    press(page, page.get_by_label("System A"), *"old")
    press(page, page.get_by_label("System B"), *"new")
    press(page, page.get_by_role("button", name="Count them"), "Enter")
    expected = nf.replicate(nf.read(tmp_path / "several.csv"), a="old", b="new")
    expect(page.locator(".verdict h1")).to_have_text(at_a_glance(expected)[0] or headline_of(expected))


def test_the_history_is_filtered_renamed_and_cleared(visit: Visit) -> None:
    with httpx.Client(base_url=visit.address, trust_env=False, timeout=60) as client:
        for action, body in (("rank", {"data": {"example": "shared-task"}}), ("correct", {"p_values": [0.01, 0.4]})):
            for name in ("keyed one", "keyed two"):
                job = client.post(f"/api/{action}?wait=60", json=body).json()["id"]
                client.patch(f"/api/jobs/{job}", json={"name": f"{name} {action}"})
    page = visit.open("/history")
    page.on("dialog", lambda dialog: dialog.accept())
    rows = page.locator("tbody tr")
    press(page, page.locator("#search"), *"keyed")
    press(page, page.locator("#action"), *"corr")
    press(page, page.get_by_role("button", name="Show"), "Enter")
    page.wait_for_url("**action=correct**")
    expect(rows).to_have_count(2)
    press(page, rows.first.locator("summary"), "Enter")
    press(page, rows.first.get_by_label("New name"), "Control+a", *"keyed anew", "Enter")
    expect(rows.first.get_by_role("link", name="keyed anew")).to_be_visible()
    assert "search=keyed&action=correct" in page.url  # the same part of the history is looked at again
    expect(rows).to_have_count(2)
    visit.open("/history?search=keyed")
    expect(rows).to_have_count(4)
    press(page, page.get_by_label("Choose keyed anew"), "Space")
    press(page, page.get_by_label("Choose keyed one correct"), "Space")
    press(page, page.get_by_role("button", name="Delete the chosen ones"), "Enter")
    expect(rows).to_have_count(2)
    press(page, page.get_by_label("Choose all"), "Space")
    press(page, page.get_by_role("button", name="Delete the chosen ones"), "Enter")
    expect(page.locator("main")).to_contain_text("Nothing is like this.")


def test_a_narrow_window_hides_nothing_under_the_answer_that_stays(browser: Browser, address: str) -> None:
    page = opened(browser, address, "/plan", 640, "light")
    assert all_that_is_wrong(page) == []
    page.close()
