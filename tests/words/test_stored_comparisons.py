"""Comparisons, profiles and choices that an older nofluke stored are read: sentences become the facts they told."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.types import Alignment, Choices, Comparison, Profile, note
from nofluke.types.load import from_dict

A, B = [0.31, 0.5, 0.75, 0.2, 0.9, 0.6, 0.44, 0.8, 0.3], [0.25, 0.5, 0.5, 0.3, 0.4, 0.3, 0.41, 0.7, 0.1]


def stored(result: Comparison, **told: Any) -> dict[str, Any]:
    """The dictionary that schema 1 had of a comparison, with the texts it held in the place of facts."""
    data = json.loads(json.dumps(result.to_dict()))
    for name in ("unit_statistic", "margin_interval", "repeated"):
        del data[name]
    data |= {"schema": 1, "headline": "new is better than old: ...", "sentences": ["If new and old ..."]}
    data |= {"alignment": "9 items matched by position", "notes": []}
    data["profile"] = {
        **data["profile"],
        "notes": [],
        "normality": data["profile"]["normality"] | {"conclusion": "differences may be normal (Shapiro-Wilk, ...)"},
    }
    data["choices"]["rows"] = [row | {"reason": "tests the mean difference"} for row in data["choices"]["rows"]]
    data["detectable"]["reason"] = ""
    return data | told


def loaded(data: dict[str, Any]) -> Comparison:
    value = from_dict(data)
    assert isinstance(value, Comparison)
    return value


def test_what_a_comparison_says_survives() -> None:
    result = nf.compare(as_sample(A, B, names=("new", "old")), margin=0.05, low=0, high=1)
    back = loaded(stored(result))
    assert str(back) == str(replace(result, notes=()))
    assert back.choices.preferred == "permutation"
    assert str(back.choices[0].reason) == "tests the mean difference"
    assert back.detectable == result.detectable
    assert back.profile.normality.conclusion == "normal"
    assert nf.report(back, "text")


def test_the_verdict_that_found_nothing_has_its_new_name() -> None:
    result = nf.compare(A, B[::-1])
    assert loaded(stored(result, verdict="not separated")).verdict == result.verdict == "inconclusive"


def test_remarks_keep_their_text_and_the_users_choice_is_none() -> None:
    result = nf.compare(A, B)
    remarks = ["the differences are skewed.", "the test 'permutation' was chosen by the user."]
    back = loaded(stored(result, notes=remarks))
    assert back.notes == (note("stored.text", text="the differences are skewed."),)
    assert "the differences are skewed." in nf.report(back, "text")


@pytest.mark.parametrize(
    "alignment",
    [
        Alignment(9, by="id"),
        Alignment(1_200, {"A": 3, "B": 0}, 3, by="row"),
        Alignment(9, {"A": 1_000, "B": 2}, 1_002, by="id"),
        Alignment(9, {"A": 2, "B": 1}, 3, by="id", leftover=4),
        Alignment(9, by="position", leftover=1),
    ],
)
def test_how_items_were_matched_is_read_from_its_sentence(alignment: Alignment) -> None:
    back = loaded(stored(nf.compare(A, B), alignment=str(alignment))).alignment
    known = {name: count for name, count in alignment.missing.items() if count}
    assert back == replace(alignment, missing=known)
    assert str(back) == str(alignment)


def test_names_that_look_like_counts_do_not_confuse_it() -> None:
    names = ("a, 3 without a score for b", "b")
    alignment = Alignment(9, {names[0]: 2, names[1]: 5}, 7)
    result = nf.compare(as_sample(A, B, names=names))
    back = loaded(stored(result, alignment=str(alignment))).alignment
    assert back == alignment


def test_tests_that_were_run_again_are_told_apart_from_tests() -> None:
    run = ["sign", "sign with scores read as fractions of 6", "sign with ties one printed unit wide"]
    back = loaded(stored(nf.compare(A, B), tests_run=run))
    assert back.tests_run == ("sign",)
    assert [one["denominator"] for one in back.repeated] == [6, 0]
    assert "sign was run again with scores read as fractions of 6." in nf.report(back, "text").replace("\n  ", " ")


def test_the_reason_of_an_unknown_power_keeps_its_text() -> None:
    result = nf.compare([0.5] * 3, [0.4] * 3)
    data = stored(result)
    data["detectable"]["reason"] = "the differences do not vary"
    assert "Power  Unknown: the differences do not vary." in str(loaded(data))


@pytest.mark.parametrize(
    ("n", "told", "conclusion"),
    [
        (9, "differences do not look normal (Shapiro-Wilk, alpha 0.05)", "not normal"),
        (9, "normality was not tested: all differences are equal", "constant"),
        (2, "normality was not tested: Shapiro-Wilk is calibrated for 3 to 5,000 values", "few"),
        (6_000, "normality was not tested: Shapiro-Wilk is calibrated for 3 to 5,000 values", "many"),
    ],
)
def test_a_profile_alone(n: int, told: str, conclusion: str) -> None:
    data = json.loads(json.dumps(nf.describe(A, B).to_dict())) | {"schema": 1, "notes": ["some remark."], "n": n}
    data["normality"]["conclusion"] = told
    back = from_dict(data)
    assert isinstance(back, Profile)
    assert back.normality.conclusion == conclusion
    assert back.notes == (note("stored.text", text="some remark."),)


def test_choices_alone() -> None:
    data = json.loads(json.dumps(nf.recommend(A, B).to_dict())) | {"schema": 1, "notes": ["a warning."]}
    data["rows"] = [row | {"reason": f"reason of {row['method']}"} for row in data["rows"]]
    back = from_dict(data)
    assert isinstance(back, Choices)
    assert str(back[0].reason) == "reason of permutation"
    assert str(back.notes[0]) == "a warning."
    assert "it reason of permutation." in " ".join(str(back).split())
