"""The page: one file, no network, light and dark, phone and desk, readable by all; seen by a real browser."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.reports import rendered
from nofluke.reports.pictures import vega_bundle
from nofluke.reports.provenance import Run, hashes
from nofluke.reports.table_view import coloured
from reports.kinds import NAMES, RESULTS, comparison

# Text against what is behind it, by the formula of WCAG 2; charts are pictures and have words beside them.
CONTRAST = """() => {
  const parse = (c) => { const m = c.match(/[\\d.]+/g).map(Number); return {rgb: m.slice(0, 3), a: m[3] ?? 1} };
  const linear = (v) => v / 255 <= .03928 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4;
  const light = (rgb) => { const [r, g, b] = rgb.map(linear); return .2126 * r + .7152 * g + .0722 * b };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.a > .99) return colour.rgb;
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest(".chart, script, style") || !e.getClientRects().length) continue;
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const a = light(parse(getComputedStyle(e).color).rgb), b = light(behind(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) bad.push([e.tagName, e.className, ratio.toFixed(2), e.textContent.slice(0, 30)]);
  }
  return bad;
}"""


def test_the_page_asks_nobody_for_anything() -> None:
    page = nf.report(comparison(), "html")
    markup = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert not re.findall(r'(?:src|href)\s*=\s*"(?!#|data:)', markup)
    assert "@import" not in markup
    assert "url(" not in markup
    assert "default-src 'none'" in markup
    assert page.count("<script") == page.count("</script>") == 6

    assert page.startswith("<!doctype html>")


def test_the_page_holds_the_result_which_can_be_loaded_again(tmp_path: Path) -> None:
    result = comparison()
    (tmp_path / "shared.html").write_text(nf.report(result, "html"))
    assert nf.load(tmp_path / "shared.html").to_dict() == json.loads(json.dumps(result.to_dict()))
    (tmp_path / "other.html").write_text("<!doctype html><p>nothing")
    with pytest.raises(nf.InputError, match="not JSON"):
        nf.load(tmp_path / "other.html")


def test_the_page_carries_how_it_was_made(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("a,b\n1,0\n")
    run = Run("nofluke compare scores.csv", hashes([str(path), "no-such-file"]), {"nofluke": "9.9"})
    page = rendered(comparison(), "html", run)
    embedded = re.search(r'<script type="application/json" id="nofluke-run">(.*?)</script>', page, re.DOTALL)
    assert embedded is not None
    record = json.loads(embedded[1])
    assert record["inputs"] == {str(path): hashlib.sha256(b"a,b\n1,0\n").hexdigest()}
    assert record["command"] == "nofluke compare scores.csv"
    assert record["settings"]["alpha"] == 0.05
    assert record["versions"] == {"nofluke": "9.9"}
    assert record["signature"] == comparison().signature
    assert "<pre" in page
    assert "nofluke compare scores.csv</pre>" in page


def test_the_seed_is_on_the_page() -> None:
    result = nf.compare([1, 2, 3, 5, 4], [0, 1, 3, 2, 2], method="permutation", monte_carlo=99, seed=7)
    record = re.search(r'id="nofluke-run">(.*?)</script>', nf.report(result, "html"), re.DOTALL)
    assert record is not None
    assert json.loads(record[1])["seed"] == 7


def test_user_text_cannot_leave_its_place() -> None:
    name = "</script><script>window.hacked=1</script><img src=x onerror=alert(1)>\u2028"
    page = nf.report(comparison((name, "b")), "html")
    assert "<script>window" not in page
    assert "<img src=x" not in page


def test_names_are_coloured_only_as_whole_words() -> None:
    assert str(coloured("new beats renewed & old", ("new", "old"))) == (
        '<span class="A">new</span> beats renewed &amp; <span class="B">old</span>'
    )
    assert str(coloured("a is a letter", ("a", "b"))) == "a is a letter"
    assert str(coloured("x<y", ("x", "z", "w"))) == "x&lt;y"


def test_every_heading_of_figures_says_what_it_means() -> None:
    page = nf.report(comparison(), "html")
    assert '<span title="how often evidence at least this strong' in page
    assert "<dt>Cohen&#39;s d</dt>" in page


def test_without_the_charts_extra_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    page = nf.report(comparison(), "html")
    assert "Charts are left out here" in page
    assert "pip install &#39;nofluke[charts]&#39;" in page
    assert 'class="chart"' not in page
    assert len(page) < 100_000


def test_the_bundle_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import vl_convert

    monkeypatch.setenv("NOFLUKE_CACHE", str(tmp_path))
    made = []
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda snippet: made.append(snippet) or "1;'</script>'")
    for _ in range(2):
        vega_bundle.cache_clear()
        assert vega_bundle() == "1;'<\\/script>'"
    vega_bundle.cache_clear()
    assert len(made) == 1
    kept = [path.name for path in tmp_path.iterdir()]
    assert kept == [f"vega-{metadata.version('vl-convert-python')}.js"]


def test_a_large_comparison_is_quick_and_small() -> None:
    rng = np.random.default_rng(1)
    a = rng.uniform(size=2000).round(3)
    result = nf.compare(a, (a + rng.normal(0, 0.1, 2000)).round(3))
    nf.report(result, "html")  # makes the bundle, where there is no cache
    started = time.process_time()
    page = nf.report(result, "html")
    assert time.process_time() - started < 1.5
    assert len(page.encode()) < 1_600_000


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
@pytest.mark.parametrize("kind", RESULTS)
def test_every_kind_in_a_browser(kind: str, scheme: str, width: int, browser: Any, tmp_path: Path) -> None:
    names = NAMES if scheme == "light" else ("<script>alert(1)</script>" + "x" * 150, "系统")
    path = tmp_path / "report.html"
    path.write_text(nf.report(RESULTS[kind](names), "html"), encoding="utf-8")
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    problems: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    charts = page.locator(f".{scheme} > .chart")
    for number in range(charts.count()):
        charts.nth(number).locator("svg.marks").first.wait_for(timeout=60_000)
    assert problems == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRAST) == []
    assert page.locator("[role=img]:not([aria-label]), .chart[aria-label='']").count() == 0
    assert page.locator("h1").count() == 1
    for_paper = kind not in ("Contents", "Gate", "SelfCheck")  # else there is nothing to copy into one
    assert page.locator("button:visible").count() >= (2 if for_paper else 0)
    page.emulate_media(media="print")
    assert page.locator(".dark:visible").count() == 0
    context.close()


def test_the_line_in_the_picture_of_agreement_is_that_of_chance() -> None:
    page = rendered(nf.agree([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]] * 6), "html", Run())
    assert "agreement by chance at 0" in page
    assert "no difference" not in page.partition("<main")[2].partition("</section>")[0]
    assert "no difference at 0" in rendered(comparison(), "html", Run())
