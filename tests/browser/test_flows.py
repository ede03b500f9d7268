"""Every flow as a new user would walk it, with the shown numbers checked against the library."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import nofluke as nf
from browser.conftest import Visit
from nofluke.reports.answer_view import first_sentence
from nofluke.web.examples import example_scores
from nofluke.web.worker import headline_of
from nofluke.words.numbers import p_text

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_one_who_only_clicks_next_gets_a_sound_result(visit: Visit) -> None:
    page = visit.open("/compare")
    page.get_by_role("button", name="Simulated: 800 right or wrong").click()
    for heading in ("What is compared, and what is asked", "What the data look like"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        page.locator("a.button, button").filter(has_text=re.compile("^Next$")).first.click()
    expected = nf.compare(example_scores("questions").pair())
    expect(page.locator(".verdict h1")).to_have_text(headline_of(expected))
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="How large is the difference?")).to_be_visible()
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", name="What could this test set have found?")).to_be_visible()
    page.get_by_role("link", name="Next").click()
    expect(page.locator("main")).to_contain_text(expected.signature)
    assert p_text(expected.test.p_value).removeprefix("p = ") in page.locator("main").inner_text()


def test_a_file_is_dropped_and_its_columns_can_be_changed(visit: Visit) -> None:
    page = visit.open("/compare")
    page.locator("#file").set_input_files(EXAMPLES / "translation.csv")
    expect(page.get_by_role("heading", name="What is compared, and what is asked")).to_be_visible()
    scores = nf.read(EXAMPLES / "translation.csv")
    first, second = scores.systems[:2]
    page.get_by_label("System A").select_option(second)
    page.get_by_label("System B").select_option(first)
    page.get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".verdict h1")).to_have_text(headline_of(nf.compare(scores.pair(second, first))))


def test_another_test_with_its_options(visit: Visit) -> None:
    page = visit.open("/compare")
    page.locator("#file").set_input_files(EXAMPLES / "translation.csv")
    page.get_by_role("link", name="Test", exact=True).click()
    expect(page.get_by_label("zeros")).to_be_hidden()
    page.locator("#method").select_option("wilcoxon")
    page.get_by_label("zeros").select_option("pratt")
    page.get_by_role("button", name="Compute again").click()
    expected = nf.test(nf.read(EXAMPLES / "translation.csv").pair(), "wilcoxon", zeros="pratt")
    shown = p_text(expected.p_value).removeprefix("p = ")
    expect(page.get_by_role("cell", name=f"{shown}, two-sided")).to_be_visible()


def test_the_question_is_fixed_with_the_data(visit: Visit) -> None:
    page = visit.open("/compare")
    page.get_by_role("button", name="Simulated: two equally good").click()
    page.get_by_label("Question").select_option("greater")
    page.locator("#margin").fill("0.2")
    page.get_by_label("Smallest possible score").fill("1")
    page.get_by_label("Largest possible score").fill("5")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Next").click()
    sample = example_scores("close-call").pair()
    expected = nf.compare(sample, alternative="greater", margin=0.2, low=1, high=5)
    headline, on_the_margin = first_sentence(headline_of(expected))
    expect(page.locator(".verdict h1")).to_have_text(headline)
    expect(page.locator(".verdict > p")).to_have_text(on_the_margin)
    expect(page.locator("dl.fixed")).to_contain_text("is left better than right?")
    expect(page.locator("dl.fixed")).to_contain_text("0.2")
    page.get_by_role("link", name="with the data").click()
    expect(page.get_by_label("Question")).to_have_value("greater")


def test_changing_an_earlier_step_changes_what_follows(visit: Visit) -> None:
    page = visit.open("/compare")
    page.locator("#file").set_input_files(EXAMPLES / "translation.csv")
    page.get_by_label("Items in one unit").fill("5")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Report").click()
    expected = nf.compare(nf.read(EXAMPLES / "translation.csv").pair(unit=5))
    expect(page.locator("main")).to_contain_text(expected.signature)


def test_a_wrong_file_is_said_with_its_line_and_can_be_put_right(visit: Visit) -> None:
    page = visit.open("/compare")
    page.locator("#text").fill("A,B\n0.5,0.4\n0.7,abc\n")
    page.locator("form").filter(has=page.locator("#text")).get_by_role("button", name="Next").click()
    expect(page.get_by_role("alert")).to_contain_text("line 3")
    expect(page.get_by_role("alert")).to_contain_text("'abc' is not a number")
    visit.complaints[:] = [said for said in visit.complaints if "422" not in said]


def test_reports_can_be_downloaded_and_hold_the_same_numbers(visit: Visit, tmp_path: Path) -> None:
    page = visit.open("/compare")
    page.get_by_role("button", name="Simulated: two equally good").click()
    page.get_by_role("link", name="Report").click()
    expected = nf.compare(example_scores("close-call").pair())
    for name in ("JSON", "LaTeX", "Markdown", "HTML", "CSV"):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=name, exact=True).click()
        target = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(target)
        assert target.stat().st_size > 100
        if name == "JSON":
            assert json.loads(target.read_text())["test"]["p_value"] == expected.test.p_value


def test_many_systems(visit: Visit) -> None:
    page = visit.open("/rank")
    page.get_by_role("button", name="Simulated: a shared task").click()
    expected = nf.rank(example_scores("shared-task"))
    expect(page.locator(".verdict h1")).to_have_text(headline_of(expected))
    for image in page.locator("figure img").all():
        image.scroll_into_view_if_needed()
        expect(image).to_have_js_property("complete", True)
        assert image.evaluate("image => image.naturalWidth") > 100


def test_many_datasets_from_a_pasted_table(visit: Visit) -> None:
    table = "dataset A B p\nGerman 81.2 80.1 0.0004\nFrench 79.0 78.2 0.013\nPolish 70.4 70.6 0.6\n"
    page = visit.open("/replicate")
    page.locator("#text").fill(table)
    page.get_by_role("button", name="Count them").click()
    import io

    expected = nf.replicate(nf.read_p_values(io.StringIO(table)))
    expect(page.locator(".verdict h1")).to_have_text(headline_of(expected))


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


def test_history_can_be_renamed_and_deleted(visit: Visit) -> None:
    page = visit.open("/replicate")
    page.get_by_role("button", name=re.compile("sentiment|AE-SCL")).first.click()
    page.wait_for_url("**/results/**")
    page = visit.open("/history")
    row = page.locator("tbody tr").first
    row.get_by_text("change").click()
    row.get_by_label("New name").fill("my check")
    row.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("link", name="my check")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    row = page.locator("tbody tr").filter(has_text="my check")
    row.get_by_text("change").click()
    row.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("link", name="my check")).to_have_count(0)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a_b&c%", "名前" * 20, "x" * 200])
def test_names_of_systems_are_text_and_nothing_else(visit: Visit, name: str) -> None:
    page = visit.open("/compare")
    rows = "".join(f"{(i * 7) % 11},{(i * 5) % 9}\n" for i in range(40))
    quoted = '"' + name.replace('"', '""') + '"'
    page.locator("#text").fill(f"{quoted},old\n{rows}")
    page.locator("form").filter(has=page.locator("#text")).get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Report").click()
    expect(page.locator(".verdict h1")).to_contain_text(name[:60])
