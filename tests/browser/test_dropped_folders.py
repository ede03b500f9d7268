"""A folder of logs is dropped onto a page, as a user drops it: the verdict is that of the library for the folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import nofluke as nf
from browser.conftest import Visit
from browser.test_flows import EXAMPLES
from nofluke.words.at_a_glance import at_a_glance
from support.logs import lm_eval


def drop(page: Page, *paths: Path, at: str = "[data-drop]") -> None:
    """Drop files and folders of the disk onto a zone of the page."""
    zone = page.locator(at).first
    zone.scroll_into_view_if_needed()
    box = zone.bounding_box()
    assert box is not None
    browser = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        browser.send("Input.dispatchDragEvent", {"type": kind, "data": data, **place})


@pytest.mark.parametrize("folder", ["lm-eval", "inspect", "mteb"])
def test_a_dropped_folder_gives_the_verdict_of_the_library(folder: str, visit: Visit) -> None:
    page = visit.open("/")
    drop(page, EXAMPLES / folder)
    scores = nf.read(EXAMPLES / folder)
    expected = nf.compare(scores.pair()) if len(scores.systems) == 2 else nf.rank(scores)
    expect(page.locator(".verdict h1")).to_have_text(at_a_glance(expected)[0])
    expect(page.locator("#reading > summary")).to_contain_text(f"{folder} · ")
    # Logs say themselves which systems they are of: nobody is asked for a name of every file.
    expect(page.get_by_text("Name of the system in")).to_have_count(0)


def test_folders_tell_logs_of_one_name_apart(visit: Visit, tmp_path: Path) -> None:
    """Files of both models have the same names, and only their folders say which results belong to which samples."""
    right = [{"acc": float(at % 4 > 0)} for at in range(24)]
    wrong = [{"acc": float(at % 4 == 0)} for at in range(24)]
    lm_eval(tmp_path / "runs" / "new", {"arc": right, "sums": right}, model="acme/new")
    # A task that only the second model has must not fall to the first.
    lm_eval(tmp_path / "runs" / "old", {"sums": wrong, "arc": wrong, "extra": wrong}, model="acme/old")
    page = visit.open("/rank")
    drop(page, tmp_path / "runs")
    expect(page.locator("[data-chosen]").first).to_have_text("7 files")
    page.get_by_text("Systems and items").click()
    page.locator("#dataset").fill("arc,sums")
    page.get_by_role("button", name="Rank").click()
    expected = nf.rank(nf.read(tmp_path / "runs"), dataset="arc,sums")
    expect(page.locator(".verdict h1")).to_have_text(at_a_glance(expected)[0])
    expect(page.locator("main")).to_contain_text("nofluke rank runs --dataset arc,sums")


def test_a_file_that_is_chosen_after_a_folder_takes_its_place(visit: Visit) -> None:
    page = visit.open("/rank")
    drop(page, EXAMPLES / "mteb")
    expect(page.locator("input[name=paths]")).to_have_count(1)
    page.locator("#file").set_input_files(EXAMPLES / "leaderboard.csv")
    expect(page.locator("input[name=paths]")).to_have_count(0)
    expect(page.locator("[data-chosen]").first).to_have_text("leaderboard.csv")
