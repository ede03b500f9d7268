"""Labels, contrast, phone and wide screens, light and dark: what a screen reader or a tired eye needs."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Browser, Page

PAGES = ("/", "/compare", "/rank", "/replicate", "/plan", "/agree", "/history", "/docs", "/nothing")

UNNAMED = """() => {
  const spoken = (one) => [...(one.labels || [])].some((label) => label.innerText.trim())
    || one.getAttribute("aria-label") || one.innerText?.trim() || one.getAttribute("alt") || one.title;
  const all = document.querySelectorAll("input:not([type=hidden]), select, textarea, button, a[href], img");
  return [...all].filter((one) => (one.checkVisibility() || one.tagName === "IMG") && !spoken(one))
    .map((one) => one.outerHTML.slice(0, 120));
}"""

# The WCAG contrast of every piece of text against the nearest painted background.
PALE = """() => {
  const numbers = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (c) => {
    const [red, green, blue] = c.slice(0, 3).map((v) => linear(v / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (one) => {
    for (let e = one; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const unread = ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"];
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !one.checkVisibility() || unread.includes(one.tagName)) continue;
    const a = light(numbers(getComputedStyle(one).color));
    const b = light(behind(one));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${one.outerHTML.slice(0, 80)}`);
  }
  return found;
}"""


def opened(browser: Browser, address: str, path: str, width: int, scheme: str) -> Page:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(address + path)
    return page


@pytest.mark.parametrize("path", PAGES)
def test_everything_has_a_name_and_can_be_read(browser: Browser, address: str, path: str) -> None:
    for scheme in ("light", "dark"):
        page = opened(browser, address, path, 1200, scheme)
        assert page.evaluate(UNNAMED) == []
        assert page.evaluate(PALE) == []
        assert page.locator("h1").count() == 1
        assert page.title()
        page.close()


@pytest.mark.parametrize("path", PAGES)
def test_nothing_runs_off_a_phone(browser: Browser, address: str, path: str) -> None:
    page = opened(browser, address, path, 360, "light")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.close()


@pytest.mark.parametrize("width", [390, 1400])
def test_names_without_spaces_stay_on_the_screen(browser: Browser, address: str, width: int) -> None:
    name = "x" * 200
    table = f"item,{name},{name}y\n" + "".join(f"q{i},{i % 7},{i % 5}\n" for i in range(40))
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        given = client.post("/", files={"file": ("long.csv", table.encode())}, headers={"Accept": "text/html"})
    for path in (given.headers["location"], f"{given.headers['location']}/items"):
        page = opened(browser, address, path, width, "light")
        page.wait_for_selector("h1")
        page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        page.close()
    page = opened(browser, address, "/history", width, "light")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_a_phone_shows_sentences_of_tables_without_moving_them(browser: Browser, address: str) -> None:
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        given = client.post("/", data={"example": "questions"}, headers={"Accept": "text/html"})
    page = opened(browser, address, given.headers["location"], 390, "light")
    page.get_by_text("Tests for these data").click()
    sentence = page.locator("td.prose").first
    sentence.wait_for()
    box = sentence.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390
    assert box["width"] > 250
    page.close()


# How many lines each of these takes.
LINES = "(all) => [...new Set(all.map((one) => one.getClientRects().length))]"


def test_a_phone_breaks_neither_figures_nor_names_of_parameters(browser: Browser, address: str) -> None:
    rows = "".join(f"{i % 11 + (9 if i % 5 else 1)},{i % 11 + i % 3}\n" for i in range(80))
    data = {"files": [{"text": f"new,old\n{rows}"}]}
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        job = client.post("/api/compare?wait=60", json={"data": data}).json()["id"]
    for path, kept in ((f"/results/{job}", ".firm"), (f"/results/{job}/report", ".firm"), ("/docs", "tbody th code")):
        page = opened(browser, address, path, 320, "light")
        for width in range(320, 400, 8):
            page.set_viewport_size({"width": width, "height": 800})
            found = page.locator(kept)
            assert found.count() > 0, path
            assert set(found.evaluate_all(LINES)) <= {0, 1}, (path, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
        page.close()


def test_the_whole_way_can_be_walked_by_keyboard(browser: Browser, address: str) -> None:
    page = opened(browser, address, "/", 1200, "light")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the content"
    for _ in range(60):
        page.keyboard.press("Tab")
        if "Simulated" in str(page.evaluate("document.activeElement.innerText || ''")):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/results/**")
    page.close()
