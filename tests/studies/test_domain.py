"""Domains: test sets of one size side by side, with what was taken of each."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.words import studies as words
from support.systems import graded


def test_domains_of_equal_spread_need_the_same_and_others_do_not() -> None:
    alike = nf.studies.domain({"news": graded(300, seed=1), "web": graded(400, seed=2)})
    assert alike.tables["domains"]["test set"] == ("news", "web")
    assert alike.settings["size"] == 300
    assert "As in Berg-Kirkpatrick et al. (2012)" in words.sentences(alike)[0]
    unlike = nf.studies.domain({"news": graded(300, 1.0), "web": graded(300, 3.0)})
    assert "Unlike in Berg-Kirkpatrick et al. (2012)" in words.sentences(unlike)[0]
    needed = unlike.tables["domains"]["needed by the usual pair"]
    assert needed[1] / needed[0] == pytest.approx(3, rel=0.1)
    with pytest.raises(InputError, match="smallest has 300"):
        nf.studies.domain({"news": graded(300), "web": graded(400)}, size=350)


def test_domains_by_item() -> None:
    made = nf.studies.simulate_scores({f"s{i}": i / 10 for i in range(5)}, n=120, seed=1)
    by_item = {item: "even" if place % 2 else "odd" for place, item in enumerate(made.item.labels)}
    study = nf.studies.domain(made, domains=by_item)
    assert study.tables["domains"]["items there"] == (60, 60)
    with pytest.raises(InputError, match="test sets are compared"):
        nf.studies.domain(made)
    with pytest.raises(InputError, match="no item has a domain"):
        nf.studies.domain(made, domains={"zzz": "x"})


def test_items_without_a_domain_are_counted() -> None:
    made = nf.studies.simulate_scores({f"s{i}": i / 10 for i in range(5)}, n=120, seed=1)
    by_item = {item: "even" if place % 2 else "odd" for place, item in enumerate(made.item.labels) if place >= 9}
    study = nf.studies.domain(made, domains=by_item)
    assert study.tables["domains"]["items there"] == (56, 55)
    assert study.tables["domains"]["items taken"] == (55, 55)
    assert any("9 items without a domain left out" in note for note in words.notes(study))


def test_thresholds_of_a_handful_are_not_in_the_headline() -> None:
    few = nf.studies.domain({"news": graded(300, number=4), "web": graded(300, number=4, seed=2)})
    assert "the typical pair needs" in words.headline(few)
    assert "Too few" in words.headline(few)
    many = nf.studies.domain({"news": graded(300, number=60), "web": graded(300, number=60, seed=2)})
    assert "is usually significant at 0.05" in words.headline(many)


def test_a_test_set_on_which_all_agree() -> None:
    flat = {name: np.round(np.linspace(0, 1, 300), 3) for name in graded(300)}
    study = nf.studies.domain({"news": graded(300), "web": graded(300, seed=2), "flat": flat})
    assert math.isnan(study.tables["domains"]["needed by the usual pair"][2])
    assert any("Nothing can be said of flat" in text for text in words.sentences(study))
    assert not any("nan" in text for text in (words.headline(study), *words.sentences(study)))
    assert any("91 on flat" in note for note in words.notes(study))
    with pytest.raises(InputError, match="no two systems differ by more"):
        nf.studies.domain({"flat": flat, "flat too": flat})


def test_warnings_come_from_every_test_set() -> None:
    twins = {**graded(40), "twin": graded(40)["s0"]}
    others = {**graded(40, seed=3), "twin": graded(40, seed=5)["s0"]}
    study = nf.studies.domain({"news": others, "web": twins})
    assert any("1 on web" in note for note in words.notes(study))
    assert any("With 40 items the bootstrap" in note for note in words.notes(study))


def test_a_test_set_may_have_any_name() -> None:
    study = nf.studies.domain({"needed": graded(100), "threshold": graded(100, seed=2)})
    assert set(study.series) == {"needed", "threshold"}
    assert all("confidence" in series.columns for series in study.series.values())


def test_the_smallest_test_set_is_named() -> None:
    with pytest.raises(InputError, match=r"smallest has 1 \(tiny\)"):
        nf.studies.domain({"news": graded(300), "tiny": {name: values[:1] for name, values in graded(10).items()}})
