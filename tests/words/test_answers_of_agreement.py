"""The short answers of agree, in every situation, as they are printed: wording is reviewed like code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.types import Agreement, note
from nofluke.words import answer, short
from nofluke.words.agreement import beyond_chance, enough, headline, p_value, sentences
from nofluke.words.agreement_details import long
from nofluke.words.layout import as_lines
from support.command_line import nofluke
from support.once import made_once
from support.snapshots import check_snapshot
from support.words import again, every_word

TWO = [["yes", "yes"], ["no", "no"], ["yes", "yes"], ["no", "yes"], ["yes", "yes"], ["no", "no"], ["yes", "no"]] * 6
THREE = [
    [truth if (number * 7 + who * 3) % 10 < 7 else "abc"[(number + who) % 3] for who in range(3)]
    for number, truth in enumerate("aabbc" * 8)
]
SCALE = [[number % 7 + 1, (number + number % 2) % 7 + 1] for number in range(42)]
RARE = [["no", "no"]] * 85 + [["yes", "no"]] * 7 + [["no", "yes"]] * 4 + [["yes", "yes"]] * 4
OPPOSED = [["a", "b"], ["b", "a"]] * 10
GUESSED = [["a", "b"], ["b", "b"], ["a", "a"], ["b", "a"]] * 6
MANY = [[f"l{number % 11}", f"l{(number + (number % 5 == 0)) % 11}"] for number in range(66)]
CROWD = [[number % 9 + (who * number) % 3 / 2 for who in range(10)] for number in range(30)]

RESULTS: dict[str, Callable[[], Agreement]] = {
    "two_labels": lambda: nf.agree(TWO),
    "three_labels": lambda: nf.agree(THREE, "fleiss_kappa"),
    "others_beside": lambda: nf.agree(THREE, "fleiss_kappa", others=["observed_agreement", "krippendorff_alpha"]),
    "scale_as_labels": lambda: nf.agree(SCALE),
    "scale_without_weights": lambda: nf.agree(SCALE, "cohen_kappa"),
    "scale": lambda: nf.agree(SCALE, level="ordinal"),
    "weights": lambda: nf.agree(SCALE, "gwet_ac2"),
    "numbers": lambda: nf.agree(CROWD, level="interval"),
    "observed": lambda: nf.agree(THREE, "observed_agreement"),
    "width": lambda: nf.agree(TWO, "cohen_kappa", width=0.1, rules="krippendorff"),
    "no_rule": lambda: nf.agree(TWO, rules="none", confidence_level=0.9),
    "rare_label": lambda: nf.agree(RARE, "cohen_kappa"),
    "not_shown": lambda: nf.agree(GUESSED, "scott_pi"),
    "below_chance": lambda: nf.agree(OPPOSED, "cohen_kappa"),
    "perfect": lambda: nf.agree([["a", "a"], ["b", "b"]] * 10),
    "undefined": lambda: nf.agree([["a", "a"]] * 5, "cohen_kappa"),
    "one_item": lambda: nf.agree([["a", "b"]]),
    "many_labels": lambda: nf.agree(MANY),
    "gaps": lambda: nf.agree([[1, 1, None], [2, 2, 1], [1, None, None], [None, None, None], [2, 1, 2]], "gwet_ac1"),
    "slides": lambda: nf.agree(THREE, "multi_kappa"),
    "light": lambda: nf.agree(
        [["a", "a", None], ["b", "b", None], ["a", "b", None], [None, "a", "b"]] * 5, "light_kappa"
    ),
}
RESULTS = made_once(RESULTS)


@pytest.mark.parametrize("name", RESULTS)
def test_the_answer_reads_as_reviewed(name: str) -> None:
    check_snapshot(f"words/agree_{name}", short(RESULTS[name]()) + "\n")


@pytest.mark.parametrize("name", RESULTS)
def test_words_are_a_function_of_the_value(name: str) -> None:
    result = RESULTS[name]()
    assert every_word(again(result)) == every_word(result)


@pytest.mark.parametrize("name", RESULTS)
def test_an_answer_is_short(name: str) -> None:
    result = RESULTS[name]()
    made = answer(result)
    assert made is not None
    rows = 0 if made.table is None else len(made.table.rows)
    lines = as_lines(made)
    assert rows <= 8
    assert max(map(len, lines)) <= 80
    # Of four labels all are shown, for a line that says one is left out would be as long.
    assert len(lines) <= 15 or (rows <= 4 and len(lines) <= 17 and (made.notes or result.others))
    assert len(made.notes) <= 3


def test_only_both_interval_and_test_show_agreement_beyond_chance() -> None:
    assert beyond_chance(RESULTS["two_labels"]()) == "agreement beyond chance"
    assert beyond_chance(RESULTS["not_shown"]()) == "agreement beyond chance is not shown"
    assert beyond_chance(RESULTS["below_chance"]()) == "less agreement than by chance"
    assert beyond_chance(RESULTS["one_item"]()) == ""
    for name in ("observed", "undefined"):
        assert "beyond chance" not in headline(RESULTS[name]())
        assert "Agreement beyond chance" not in long(RESULTS[name]())


def test_interval_and_test_that_part_ways_are_both_named() -> None:
    few = nf.agree([["a", "a"]] * 5 + [["b", "b"]] * 2, "cohen_kappa")
    assert few.interval is not None
    assert few.interval.low < 0 < few.p_value < 0.05
    assert beyond_chance(few) == "agreement beyond chance is shown by the test, but not by the interval"
    nine = nf.agree([["a", "a"]] * 6 + [["b", "b"]] * 2 + [["a", "b"]], "cohen_kappa")
    assert nine.interval is not None
    assert nine.interval.low > 0.2
    assert nine.p_value > 0.05
    assert beyond_chance(nine) == "agreement beyond chance is shown by the interval, but not by the test"


def test_words_of_a_rule_come_with_the_rule() -> None:
    assert "Landis and Koch: moderate (CI: slight to substantial)." in headline(RESULTS["two_labels"]())
    assert "Krippendorff's rule: not reliable (CI: " in headline(RESULTS["width"]())
    plain = nf.report(RESULTS["no_rule"](), "text")
    for word in ("moderate", "fair", "substantial", "reliable", "Landis"):
        assert word not in plain
    assert "moderate" not in headline(RESULTS["observed"]())


def test_a_p_value_that_no_draw_reached_is_a_bound_everywhere() -> None:
    found = RESULTS["three_labels"]()
    assert found.test is not None
    assert found.test["as_far"] == 0
    assert p_value(found) == "p <= 0.00010"
    assert "at most 1 sample in 10,000" in " ".join(sentences(found))
    assert "p = 0.0001" not in nf.report(found, "text") + short(found)


def test_the_hint_of_a_scale_silences_what_is_said_of_labels() -> None:
    found = RESULTS["scale_as_labels"]()
    habit = note("agree.habit", annotator="x", other=None, label="1", share=0.9, other_share=0.1, same_items=True)
    marked = answer(replace(found, notes=(*found.notes, habit)))
    assert marked is not None
    assert "level='ordinal'" in marked.verdict
    assert "Landis" not in marked.verdict
    assert str(habit) not in marked.notes
    assert str(habit) in nf.report(replace(found, notes=(*found.notes, habit)), "text").replace("\n    ", " ")


def test_the_headline_says_whether_labels_can_be_a_gold_standard() -> None:
    said = {
        name: enough(RESULTS[name]()) for name in ("three_labels", "many_labels", "two_labels", "one_item", "no_rule")
    }
    assert said["three_labels"].startswith("Below 0.6")
    assert said["many_labels"].startswith("That is above 0.6")
    assert said["two_labels"].endswith("It may or may not reach 0.6, the usual requirement for a gold standard.")
    assert said["one_item"] == said["no_rule"] == ""  # no interval, no rule: nothing to say


def test_the_far_tail_of_an_approximation_has_no_digits() -> None:
    found = RESULTS["three_labels"]()
    rough = replace(
        found, p_value=6.9e-101, test=note("agree.test_spread", draws=200, items=None, seed=0, scheme="own")
    )
    assert p_value(rough) == "p < 0.001"
    assert p_value(replace(rough, p_value=0.0123)) == "p = 0.012"


def test_ratings_say_what_they_hold() -> None:
    from nofluke.readers.ratings import as_ratings

    assert str(as_ratings(TWO)) == "84 ratings of 42 items by 2 annotators, 2 labels"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "ratings.csv"
    rows = "".join(f"{number},{','.join(row)}\n" for number, row in enumerate(THREE, start=1))
    path.write_text(f"item,ann,bob,eve\n{rows}")
    return str(path)


def test_the_command_prints_the_answer(file: str) -> None:
    piped = nofluke("agree", file)
    assert (piped.code, piped.out) == (0, short(nf.agree(nf.read_ratings(file))) + "\n")
    check_snapshot("words/agree_command", piped.out)
    assert " ".join(nofluke("agree", file, "-q").out.split()) == headline(nf.agree(nf.read_ratings(file)))
    plain = nofluke("agree", file, "--plain").out
    assert plain.isascii()
    assert "Label by label" in nofluke("agree", file, "--details").out


def test_a_narrow_window_gets_one_fact_a_line(file: str) -> None:
    made = answer(nf.agree(nf.read_ratings(file)))
    assert made is not None
    lines = as_lines(made, 40)
    assert max(map(len, lines)) <= 40
    check_snapshot("words/agree_narrow", "\n".join(lines) + "\n")


def test_words_come_before_a_table_that_does_not_fit() -> None:
    rng = np.random.default_rng(1)
    rows = []
    for number in range(30):
        truth = rng.integers(0, 11)
        near = np.clip(np.round(truth + rng.normal(0, 2, 9)), 0, 10).astype(int)
        rows.append([*near.tolist(), int(max(truth, 1)) if number % 3 else 1])
    made = answer(nf.agree(rows, level="ordinal"))
    assert made is not None
    assert len(as_lines(made)) <= 15
    assert {"Test", "Check", "Items"} <= {label for label, _ in made.points}
