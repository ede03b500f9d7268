"""Every flow as a new user would walk it, with the shown numbers checked against the library."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import nofluke as nf
from browser.conftest import Visit
from nofluke.reports.answer_view import first_sentence
from nofluke.web.examples import example_scores
from nofluke.web.worker import headline_of
from nofluke.words.at_a_glance import at_a_glance
from nofluke.words.numbers import p_text

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def glance(result: object) -> str:
    """The verdict as it is set large."""
    return at_a_glance(result)[0]  # type: ignore[arg-type]


def drop(page: Page, *files: Path) -> None:
    """Drop files anywhere on the page, as a hand would."""
    given = [{"name": file.name, "text": file.read_text()} for file in files]
    transfer = page.evaluate_handle(
        """(given) => {
          const all = new DataTransfer();
          for (const one of given) all.items.add(new File([one.text], one.name));
          return all;
        }""",
        given,
    )
    page.dispatch_event("h1", "drop", {"dataTransfer": transfer})


def test_a_dropped_file_shows_its_verdict_and_is_asked_again_beside_it(visit: Visit) -> None:
    page = visit.open("/")
    drop(page, EXAMPLES / "translation.csv")
    scores = nf.read(EXAMPLES / "translation.csv")
    expected = nf.compare(scores.pair())
    expect(page.locator(".verdict h1")).to_have_text(glance(expected))  # without a single click
    expect(page.locator(".verdict .line")).to_have_text(at_a_glance(expected)[1])
    # How it was read: the first rows, with what each column was taken for.
    page.locator("#reading > summary").click()
    expect(page.get_by_label("What segment is")).to_have_value("item")
    page.get_by_label("What segment is").select_option("")
    page.get_by_role("button", name="Read it this way").click()
    expect(page.locator("#reading")).to_contain_text("matched by row")
    page.go_back()
    # Another test, with its options; all tests are told.
    expect(page.get_by_label("zeros")).to_be_hidden()
    page.locator("#method").select_option("wilcoxon")
    page.get_by_label("zeros").select_option("pratt")
    page.get_by_role("button", name="Recompute").click()
    other = nf.compare(scores.pair(), method="wilcoxon", zeros="pratt")
    expect(page.locator(".verdict h1")).to_have_text(glance(other))
    shown = p_text(other.test.p_value).removeprefix("p = ")
    page.get_by_text("All tests run on these data").first.click()
    expect(page.get_by_role("cell", name=shown, exact=True).first).to_be_visible()
    # Units, of which the signature tells.
    page.get_by_text("Systems and items").click()
    page.locator("#unit").fill("5")
    page.locator("#method").select_option("auto")
    page.get_by_role("button", name="Recompute").click()
    page.get_by_text("The same in Python and in the shell").click()
    expect(page.locator("main")).to_contain_text(nf.compare(scores.pair(unit=5)).signature)


def test_the_data_can_be_touched(visit: Visit, tmp_path: Path) -> None:
    table = tmp_path / "answers.csv"
    rows = "".join(f"q{i},{(i * 7) % 11},{(i * 5) % 9},what is number {i}?\n" for i in range(60))
    table.write_text(f"item,new,old,question text\n{rows}")
    page = visit.open("/")
    page.locator("#file").set_input_files(table)
    bar = page.locator("svg.bars a").last
    said = bar.get_attribute("aria-label") or ""
    bar.locator("rect.hit").hover()
    expect(page.locator(".tip")).to_have_text(said)
    # A picture that was fetched tells its values, too.
    page.get_by_text("Scores (60 items").click()
    expect(page.locator("figure.histograms svg")).to_be_visible()
    page.locator("figure.histograms svg [aria-roledescription=bar]").first.hover()
    expect(page.locator(".tip")).to_have_text(re.compile(r"^new\s+0\.0 to 2\.5\s+16 items$"))
    bar.locator("rect.hit").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(said.partition(",")[0])
    sample = nf.read(table).pair()
    gaps = sample.scores(0) - sample.scores(1)
    expect(page.locator("table.items tbody tr").first).to_contain_text(f"{gaps.max():g}")
    expect(page.locator("table.items")).to_contain_text("what is number")
    page.locator("#low").fill("")
    page.locator("#high").fill("")
    page.get_by_label("Search").fill("number 17?")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("table.items tbody tr")).to_have_count(1)
    with page.expect_download() as waiting:
        page.get_by_role("link", name="CSV").click()
    waiting.value.save_as(tmp_path / "items.csv")
    assert (tmp_path / "items.csv").read_text().splitlines()[1].startswith("q17,")


def test_several_bars_are_brushed_and_lead_to_their_items(visit: Visit) -> None:
    page = visit.open("/")
    page.locator("#file").set_input_files(EXAMPLES / "translation.csv")
    hits = page.locator("svg.bars rect.hit")
    first, last = hits.nth(hits.count() - 3), hits.last
    low = float(first.get_attribute("data-low") or "nan")
    first.scroll_into_view_if_needed()
    begun, ended = first.bounding_box(), last.bounding_box()
    assert begun is not None
    assert ended is not None
    page.mouse.move(begun["x"] + 3, begun["y"] + 20)
    page.mouse.down()
    page.mouse.move(ended["x"] + 3, ended["y"] + 20, steps=5)
    page.mouse.up()
    sample = nf.read(EXAMPLES / "translation.csv").pair()
    expected = int((sample.scores(0) - sample.scores(1) >= low).sum())
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{expected} items")


def test_a_power_curve_is_walked_and_the_table_is_copied(visit: Visit) -> None:
    visit.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page = visit.open("/")
    page.locator("#file").set_input_files(EXAMPLES / "translation.csv")
    page.get_by_text("For your paper").click()
    page.get_by_role("button", name="Copy the LaTeX table").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.locator("#rename").press("Control+a")
    page.locator("#rename").press("Control+v")
    assert "begin{table}" in page.locator("#rename").input_value()
    page.get_by_text("Power: what could this test set have found?").click()
    page.locator("#difference").fill("0.03")
    page.get_by_role("button", name="How many items does it take?").click()
    expected = nf.power_curve(nf.read(EXAMPLES / "translation.csv").pair(), difference=0.03, iterations=10_000)
    expect(page.locator(".verdict h1")).to_have_text(glance(expected))
    slider = page.get_by_role("slider", name="Number of items")
    slider.focus()
    slider.press("Home")
    told = f"{expected.sizes[0]:,.0f} items: power {expected.power[0]:.2f}"
    expect(page.locator("[data-told]")).to_have_text(told)
    page.get_by_role("link", name="Plan a test set from this").click()
    expect(page.locator("#difference")).to_have_value("0.03")


def test_gaps_are_mended_by_one_button_and_a_gate_is_asked(visit: Visit, tmp_path: Path) -> None:
    rows = "".join(f"q{i},{(i * 7) % 11},{(i * 5) % 9 if i % 40 else ''}\n" for i in range(80))
    (tmp_path / "gaps.csv").write_text(f"item,run 10,run 9\n{rows}")
    page = visit.open("/")
    expect(page.get_by_role("button", name="Show the verdict")).to_be_hidden()  # what is dropped needs no button
    page.locator("#file").set_input_files(tmp_path / "gaps.csv")
    page.get_by_role("button", name="Leave these items out").click()
    sample = nf.read(tmp_path / "gaps.csv").pair(missing="drop")
    expect(page.locator(".verdict h1")).to_have_text(glance(nf.compare(sample)))
    expect(page.locator("#reading > summary")).to_contain_text("without a score: 2 of run 9")
    expect(page.get_by_label("Question").locator("option").nth(1)).to_have_text("is run 10 better than run 9?")
    page.locator("svg.zero .span").hover(force=True)
    expect(page.locator(".tip")).to_contain_text("95% CI")
    asking = page.locator("form.ask", has_text="candidate")
    asking.locator("[name=candidate]").select_option("run 9")
    asking.locator("[name=baseline]").select_option("run 10")
    page.get_by_role("button", name="May it take the other's place?").click()
    expect(page.locator(".verdict h1")).to_have_text("Failed")
    page.locator("#candidate").select_option("run 10")
    page.locator("#baseline").select_option("run 9")
    page.get_by_role("button", name="Recompute").click()
    expect(page.locator(".verdict h1")).to_have_text("Passed")


def test_systems_are_taken_as_independent_groups(visit: Visit) -> None:
    page = visit.open("/")
    page.locator("#file").set_input_files(EXAMPLES / "translation.csv")
    page.get_by_role("button", name="As independent groups").click()
    expected = nf.test(nf.read(EXAMPLES / "translation.csv").unpaired(), method="welch_t")
    expect(page.locator(".verdict")).to_contain_text(p_text(expected.p_value))
    expect(page.locator("#method")).to_have_value("welch_t")


def test_many_systems_are_ranked_and_a_cell_leads_to_its_pair(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_role("button", name="Simulated: a shared task").click()
    expected = nf.rank(example_scores("shared-task"))
    expect(page.locator(".verdict h1")).to_have_text(glance(expected))
    board = page.locator(".verdict tbody tr")
    expect(board.first).to_contain_text(expected.systems[0])
    page.locator(".verdict").get_by_role("button", name="score", exact=True).click()
    expect(board.first).to_contain_text(expected.systems[-1])
    page.get_by_label("Search this table").first.fill("team C")
    expect(page.locator(".verdict tbody tr:visible")).to_have_count(1)
    cell = page.locator("figure.heat_map svg [aria-label^='team L is better than team B;']").first
    cell.click()
    pair = nf.compare(example_scores("shared-task").pair("team L", "team B"))
    expect(page.locator(".verdict h1")).to_have_text(glance(pair))


def test_without_the_script_every_answer_is_still_reached(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.locator("#file").set_input_files(EXAMPLES / "translation.csv")
    page.get_by_role("button", name="Show the verdict").click()
    expect(page.locator(".verdict h1")).to_have_text(glance(nf.compare(nf.read(EXAMPLES / "translation.csv").pair())))
    page.get_by_role("link", name="All items").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("400 items")
    page.get_by_role("link", name="new", exact=True).click()
    expect(page.locator("th[aria-sort=descending]")).to_contain_text("new")
    context.close()


def test_the_question_can_be_fixed_before_anything_is_seen(visit: Visit) -> None:
    page = visit.open("/compare?example=close-call")
    page.get_by_label("Question").select_option("greater")
    page.locator("#margin").fill("0.2")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Smallest possible score").fill("1")
    page.get_by_label("Largest possible score").fill("5")
    page.get_by_role("button", name="Compare them").click()
    sample = example_scores("close-call").pair()
    expected = nf.compare(sample, alternative="greater", margin=0.2, low=1, high=5)
    expect(page.locator(".verdict h1")).to_have_text(glance(expected))
    expect(page.locator(".verdict")).to_contain_text(first_sentence(headline_of(expected))[1])
    expect(page.get_by_label("Question")).to_have_value("greater")


def test_a_wrong_file_is_said_with_its_line(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_text("Or paste a table").click()
    page.locator("#text").fill("A,B\n0.5,0.4\n0.7,abc\n")
    page.get_by_role("button", name="Show the verdict").click()
    expect(page.get_by_role("alert")).to_contain_text("line 3")
    expect(page.get_by_role("alert")).to_contain_text("'abc' is not a number")
    expect(page.locator("#reading")).to_contain_text("abc")


def test_a_result_is_shared_as_one_file_and_copied(visit: Visit, tmp_path: Path) -> None:
    # As on plain http, where browsers keep no clipboard.
    visit.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page = visit.open("/")
    page.get_by_role("button", name="Simulated: two equally good").click()
    expected = nf.compare(example_scores("close-call").pair())
    page.get_by_role("button", name="Copy the sentence").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.locator("#rename").fill("")
    page.locator("#rename").press("Control+v")
    assert "left" in page.locator("#rename").input_value()
    page.locator("#rename").fill("my own name")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator(".crumb")).to_have_text("my own name")
    for name in ("JSON", "LaTeX", "Markdown", "HTML", "CSV"):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=name, exact=True).click()
        target = tmp_path / f"shared.{name.lower()}"
        waiting.value.save_as(target)
        assert target.stat().st_size > 100
        if name == "JSON":
            assert json.loads(target.read_text())["test"]["p_value"] == expected.test.p_value
    page = visit.open("/history?search=own+name")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_label("The .html or .json file of a report").set_input_files(tmp_path / "shared.html")
    page.get_by_role("button", name="Open it").click()
    expect(page.locator(".verdict h1")).to_have_text(glance(expected))
    expect(page.locator(".crumb")).to_contain_text("Opened from a file")
    page.on("dialog", lambda dialog: dialog.accept())
    page = visit.open("/history?search=shared.html")
    page.get_by_label("Choose all").check()
    page.get_by_role("button", name="Delete the chosen ones").click()
    page = visit.open("/history?search=shared.html")
    expect(page.locator("main")).to_contain_text("Nothing is like this.")


def test_many_datasets_from_a_pasted_table(visit: Visit) -> None:
    table = "dataset A B p\nGerman 81.2 80.1 0.0004\nFrench 79.0 78.2 0.013\nPolish 70.4 70.6 0.6\n"
    page = visit.open("/replicate")
    page.locator("#text").fill(table)
    page.get_by_role("button", name="Count them").click()
    import io

    expected = nf.replicate(nf.read_p_values(io.StringIO(table)))
    expect(page.locator(".verdict h1")).to_have_text(glance(expected) or headline_of(expected))


def test_a_published_table_is_one_click_away(visit: Visit) -> None:
    page = visit.open("/replicate")
    page.get_by_role("button", name=re.compile("MIMICK")).click()
    expect(page.locator("main")).to_contain_text("Tamil")


def test_annotators(visit: Visit) -> None:
    page = visit.open("/agree")
    page.locator("#text").fill("anna,ben,carl\nyes,yes,no\nno,no,no\nyes,yes,yes\nno,no,yes\n")
    page.get_by_role("button", name="Measure").click()
    rows = [["yes", "yes", "no"], ["no", "no", "no"], ["yes", "yes", "yes"], ["no", "no", "yes"]]
    expect(page.locator(".verdict h1")).to_contain_text(f"{nf.agree(rows).value:.2f}")


def test_annotators_with_weights(visit: Visit) -> None:
    table = "anna,ben\n" + "low,low\nhigh,low\nmid,mid\nhigh,high\nlow,mid\n" * 4
    page = visit.open("/agree")
    page.locator("#text").fill(table)
    page.get_by_label("Coefficient").first.select_option("cohen_kappa")
    page.get_by_label("Labels from lowest to highest").fill("low, mid, high")
    page.get_by_role("group", name="Cohen's kappa").get_by_label("weights").select_option("quadratic")
    page.get_by_role("button", name="Measure").click()
    rows = [line.split(",") for line in table.split()[1:]]
    expected = nf.agree(rows, "cohen_kappa", categories=["low", "mid", "high"], weights="quadratic")
    expect(page.locator(".verdict h1")).to_contain_text(f"{expected.value:.2f}")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a_b&c%", "名前" * 20, "x" * 200])
def test_names_of_systems_are_text_and_nothing_else(visit: Visit, name: str) -> None:
    page = visit.open("/")
    rows = "".join(f"{(i * 7) % 11},{(i * 5) % 9}\n" for i in range(40))
    quoted = '"' + name.replace('"', '""') + '"'
    page.get_by_text("Or paste a table").click()
    page.locator("#text").fill(f"{quoted},old\n{rows}")
    page.get_by_role("button", name="Show the verdict").click()
    expect(page.locator(".verdict")).to_contain_text(name[:60])
