"""Similarity: likeness moves the needed gain where spreads are equal, and nothing is said where nothing is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.studies import similarity
from nofluke.words import studies as words
from support.systems import graded


def test_likeness_moves_the_needed_gain() -> None:
    rng = np.random.default_rng(2)
    difficulty, made = rng.normal(size=500), {}
    for number, likeness in enumerate(np.linspace(0.2, 0.95, 12)):
        noise = rng.normal(size=500)
        made[f"s{number}"] = np.round(math.sqrt(likeness) * difficulty + math.sqrt(1 - likeness) * noise, 3)
    study = similarity(made, bins=3)
    needed = study.tables["bins"]["needed by the usual pair"]
    assert needed[0] > needed[1] > needed[2]
    assert words.headline(study).startswith("Similar systems need smaller gains.")
    points, law = study.series["comparisons"].columns, study.series["law"].columns
    # All have the same spread, so every pair lies near the law.
    fitted = np.interp(points["correlation"], law["correlation"], law["needed"])
    assert np.abs(points["needed"] / fitted - 1).max() < 0.15


def test_unlikeness_without_effect_is_said_so() -> None:
    rng = np.random.default_rng(3)
    difficulty = rng.normal(size=400)
    made = {f"s{i}": np.round((0.2 + 0.3 * i) * (difficulty + 0.2 * rng.normal(size=400)), 3) for i in range(6)} | {
        f"t{i}": np.round(0.05 * rng.normal(size=400), 3) for i in range(6)
    }
    study = similarity(made)
    assert "unlike in Berg-Kirkpatrick et al. (2012)" in words.sentences(study)[0]


def test_few_pairs_conclude_nothing() -> None:
    study = similarity(graded(100, number=3), bins=2)
    assert "3 pairs are too few to conclude anything" in words.sentences(study)[0]
    assert not any("paper," in text for text in words.sentences(study))


def test_constant_systems_have_no_correlation() -> None:
    flat = {name: np.full(60, level) for name, level in zip("abc", (0.1, 0.2, 0.4), strict=True)}
    varying = graded(60, number=2)
    with pytest.raises(InputError, match="fewer than two pairs have a correlation"):
        similarity({**flat, **varying})
    with pytest.raises(InputError, match="no two systems differ by more"):
        similarity(flat)
    study = similarity({**flat, **graded(60, number=6)})
    assert sum(study.tables["bins"]["comparisons"]) == 15
    assert set(study.series["comparisons"].labels["label"]) > {"no correlation"}


def test_one_comparison_is_not_written_in_the_plural() -> None:
    for seed in range(20):
        study = nf.studies.similarity(graded(100, number=6, seed=seed), bins=2)
        text = " ".join(words.sentences(study))
        assert "(1 just significant comparisons)" not in text
        if "(1 just significant comparison)" in text:
            assert "this may be chance" in text
            break
    else:
        pytest.fail("no seed gives a bin with one comparison")


def test_three_systems_have_three_bins() -> None:
    assert len(similarity(graded(100, number=3)).tables["bins"]["correlation"]) == 3
    assert len(similarity(graded(100, number=9)).tables["bins"]["correlation"]) == 4
    with pytest.raises(InputError, match="bins = 4"):
        similarity(graded(100, number=3), bins=4)


def test_interchangeable_systems_show_nothing() -> None:
    """Pairs that look more alike by chance need less by the same chance."""
    rng = np.random.default_rng(5)
    study = similarity({f"s{i}": np.round(rng.random(200), 3) for i in range(40)})
    assert words.headline(study).startswith("All pairs are about equally alike")
    assert "Nothing follows" in words.sentences(study)[0]
    assert len(words.sentences(study)) == 1


def test_the_paper_s_rule_is_heard_beside_the_needed_gain() -> None:
    """Alike pairs of low spread need less; whether thresholds fall as well is said of the thresholds."""
    for seed in range(10):
        study = similarity(graded(200, number=40, seed=seed), bins=2)
        table = study.tables["bins"]
        if min(table["just significant"]) and len(words.sentences(study)) > 1:
            falls = table["threshold"][-1] < 0.95 * table["threshold"][0]
            assert ("is smaller:" in words.sentences(study)[1]) == falls
            assert ("is not clearly smaller:" in words.sentences(study)[1]) == (not falls)


def test_the_curve_of_the_law_is_even() -> None:
    law = similarity(graded(300)).series["law"].columns["needed"]
    assert np.diff(law) == pytest.approx(np.diff(law)[0])
