"""Gains: points, labels, thresholds and words, on systems whose truth is known."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.studies.pairs.gains import label_pairs
from nofluke.studies.pairs.thresholds import Rule
from nofluke.types import Scores
from nofluke.words import studies as words
from support.systems import graded, team_of, teams


@pytest.fixture(scope="module")
def made() -> dict[str, np.ndarray]:
    return teams()


def test_points_are_the_single_comparisons(made: dict[str, np.ndarray]) -> None:
    study = nf.studies.gains(made)
    points = study.series["comparisons"]
    assert len(points.columns["gain"]) == 20 * 19 // 2
    for place in (0, 17, 101):
        better, worse = made[points.labels["better"][place]], made[points.labels["worse"][place]]
        assert points.columns["gain"][place] == pytest.approx(better.mean() - worse.mean(), abs=1e-12)
        assert points.columns["gain"][place] >= 0
        single = nf.test(better, worse, "bootstrap", form="berg_kirkpatrick", alternative="greater")
        assert points.columns["p_value"][place] == pytest.approx(single.p_value, abs=2e-6)
        assert points.columns["correlation"][place] == pytest.approx(np.corrcoef(better, worse)[0, 1], abs=1e-12)


def test_similar_systems_need_less_as_in_the_paper(made: dict[str, np.ndarray]) -> None:
    study = nf.studies.gains(made, groups=team_of(made))
    table = study.tables["thresholds"]
    assert table["pairs"] == ("same group", "different groups", "all pairs")
    assert table["comparisons"] == (40, 150, 190)
    needed = dict(zip(table["pairs"], table["needed by most"], strict=True))
    assert needed["same group"] < 0.6 * needed["different groups"]
    assert any("not independent" in note for note in words.notes(study))
    assert any("does not replace a significance test" in note for note in words.notes(study))


def test_threshold_is_the_percentile_of_the_gains_near_005() -> None:
    rng = np.random.default_rng(0)
    gain, p = rng.random(500), rng.random(500) * 0.2
    found = Rule().threshold(gain, p)
    near = gain[(p >= 0.04) & (p <= 0.06)]
    assert found.value == np.percentile(near, 95)
    assert found.near == len(near)
    assert found.kept == np.mean(p[gain >= found.value] <= 0.05)
    assert found.missed == np.mean(p[gain < found.value] <= 0.05)
    empty = Rule().threshold(gain, np.full(500, 0.9))
    assert math.isnan(empty.value)
    assert empty.near == 0


def test_few_comparisons_are_said_to_be_few() -> None:
    rng = np.random.default_rng(3)
    few = {name: np.round(rng.normal(size=50) + lift, 2) for name, lift in zip("abcd", (0, 0.1, 0.4, 2), strict=True)}
    study = nf.studies.gains(few)
    assert "The rule of Berg-Kirkpatrick et al. (2012)" in words.headline(study)
    assert any(("fewer than" in note or "No comparison" in note) for note in words.notes(study))


def test_labels_special_and_other() -> None:
    names = ("a1", "a2", "b1", "c1", "c2", "x")
    known = {"a1": "a", "a2": "a", "b1": "b", "c1": "combination", "c2": "combination"}
    first, second = np.triu_indices(6, 1)
    labels = label_pairs(names, first, second, known, ("combination",))
    found = {(names[i], names[j]): label for i, j, label in zip(first, second, labels, strict=True)}
    assert found["a1", "a2"] == "same group"
    assert found["a1", "b1"] == "different groups"
    assert found["c1", "c2"] == "combination"
    assert found["a1", "c1"] == "other"
    assert found["a1", "x"] == "other"
    with pytest.raises(InputError, match="no group"):
        label_pairs(names, first, second, known, ("nothing",))
    with pytest.raises(InputError, match="no system"):
        label_pairs(names, first, second, {"zz": "a"}, ())


def test_a_p_value_of_the_level_itself_is_significant() -> None:
    found = Rule().threshold(np.array([0.2, 0.1]), np.array([0.05, 0.05]))
    assert (found.kept, found.missed) == (1.0, 1.0)


def test_words_and_level_follow_the_window(made: dict[str, np.ndarray]) -> None:
    usual, strict = nf.studies.gains(made), nf.studies.gains(made, window=(0.005, 0.015))
    parts = (words.headline(strict), *words.sentences(strict), *words.notes(strict), *words.captions(strict).values())
    text = " ".join(parts)
    assert "0.005 to 0.015" in text
    assert "at 0.01" in text
    assert "p <= 0.01" in text
    assert not any(figure in text for figure in ("0.05", "0.04", "0.06", "1.645"))
    # A gain of 2.326 standard errors is just significant at 0.01, one of 1.645 at 0.05.
    ratio = strict.tables["thresholds"]["needed by most"][0] / usual.tables["thresholds"]["needed by most"][0]
    assert ratio == pytest.approx(2.3263 / 1.6449, rel=1e-4)


def test_groups_that_make_one_label_only(made: dict[str, np.ndarray]) -> None:
    each_alone = {name: name for name in made}
    study = nf.studies.gains(made, groups=each_alone)
    assert study.tables["thresholds"]["pairs"] == ("different groups", "all pairs")


def test_scores_that_do_not_vary_are_refused() -> None:
    base = np.round(np.random.default_rng(1).normal(size=40), 2)
    for flat in (
        {name: np.full(40, level) for name, level in zip("abc", (0.1, 0.2, 0.4), strict=True)},
        dict.fromkeys("abc", base),
        {name: base + shift for name, shift in zip("abc", (0, 0.1, 0.3), strict=True)},
    ):
        with pytest.raises(InputError, match="no two systems differ by more on one item"):
            nf.studies.gains(flat)


def table(**roles: object) -> Scores:
    """Scores of four systems in clusters, of two metrics and two runs."""
    rng = np.random.default_rng(6)
    ability = {"a": 0.0, "b": 0.1, "c": 0.3, "d": 0.6}
    rows = [
        (f"i{item}", f"c{item // 4}", run, metric, name, round(lift + rng.normal(), 2))
        for item in range(160)
        for run in ("r1", "r2")
        for metric in ("fluency", "style")
        for name, lift in ability.items()
    ]
    import pandas

    return nf.read(pandas.DataFrame(rows, columns=["item", "cluster", "run", "metric", "system", "score"]), **roles)


def test_the_signature_repeats_the_study() -> None:
    study = nf.studies.gains(table(), metric="style", run="r2", missing="drop", draws=300, seed=5)
    chosen = {"metric": "style", "run": "r2", "missing": "drop", "clusters": "yes", "draws": 300, "seed": 5}
    assert {name: study.settings.get(name) for name in chosen} == chosen
    assert all(f"|{name}:{value}" in study.signature for name, value in chosen.items())
    apart = nf.studies.gains(table(), metric="style", run="r2", clusters=False)
    assert apart.settings["clusters"] == "no"
    assert "draws" not in apart.settings
    tangent = nf.studies.gains(table(), metric="style", run="r2", draws=0)
    assert tangent.settings["draws"] == 0


def test_few_clusters_are_called_clusters() -> None:
    notes = words.notes(nf.studies.gains(table(), metric="style", run="r1", draws=300))
    assert any("With 40 clusters" in note and "permutation" in note for note in notes)
    assert not any("40 items" in note for note in notes)
    flips = words.notes(nf.studies.gains(table(), metric="style", run="r1", method="permutation"))
    assert not any("40 clusters" in note for note in flips)


def test_five_clusters_make_no_threshold() -> None:
    abilities = {f"s{i}": i / 10 for i in range(8)}
    five, six = (nf.studies.simulate_scores(abilities, n=300, clusters=number, seed=2) for number in (5, 6))
    for study in (nf.studies.gains, nf.studies.similarity, nf.studies.by_test_size):
        with pytest.raises(InputError, match="5 clusters, and with 5 or fewer no gain is significant"):
            study(five)
    assert nf.studies.gains(six, draws=200).settings["clusters"] == "yes"
    assert nf.studies.gains(five, clusters=False).settings["clusters"] == "no"


def test_the_threshold_is_named_where_the_headline_gives_another_gain() -> None:
    few = nf.studies.gains(teams(each=3))
    near, value = few.tables["thresholds"]["just significant"][0], few.tables["thresholds"]["threshold"][0]
    assert 0 < near < 20
    assert f"gives {value:.2g}, but from only {near} comparison" in words.headline(few)
    assert "rests on" not in words.sentences(few)[0], "the headline has said it"
    assert f"Observed gains of {value:.2g} or more" in words.sentences(few)[1]


def test_without_a_threshold_none_rests_on_anything() -> None:
    rng = np.random.default_rng(1)
    apart = {name: np.round(rng.normal(size=80) + 3 * place, 2) for place, name in enumerate("abc")}
    study = nf.studies.gains(apart)
    assert study.tables["thresholds"]["just significant"] == (0,)
    assert words.sentences(study) == ("Compared were all pairs of 3 systems on 80 items: 3 comparisons.",)


def test_nearly_all_is_not_all() -> None:
    """One of several hundred comparisons above the threshold is not significant: 99.8%, not 100%."""
    gain = np.concatenate((np.linspace(1, 2, 599), [0.5] * 30, [1.5]))
    p = np.concatenate((np.full(599, 1e-4), np.full(30, 0.05), [0.2]))
    study, limit = nf.studies.gains(graded(100)), Rule().threshold(gain, p)
    row = {"threshold": limit.value, "just significant": limit.near, "significant above": limit.kept}
    table = {**study.tables["thresholds"], **{name: (value,) for name, value in row.items()}}
    assert "99.8% significant" in words.sentences(replace(study, tables={"thresholds": table}))[1]


def test_items_left_out_are_counted(made: dict[str, np.ndarray]) -> None:
    gaps = {name: values.copy() for name, values in made.items()}
    gaps["oak-0"][:7] = np.nan
    study = nf.studies.gains(gaps, missing="drop")
    assert any("7 items left out" in note for note in words.notes(study))


def test_what_is_refused(made: dict[str, np.ndarray]) -> None:
    with pytest.raises(InputError, match="many systems"):
        nf.studies.gains(dict(list(made.items())[:2]))
    with pytest.raises(InputError, match="no test for all pairs"):
        nf.studies.gains(made, method="mann_whitney")
    with pytest.raises(InputError, match="range of p-values"):
        nf.studies.gains(made, window=(0.06, 0.04))
    with pytest.raises(InputError, match="percentile"):
        nf.studies.gains(made, percentile=100)
    with pytest.raises(InputError, match="range of p-values"):
        nf.studies.gains(made, window=(0.4, 0.9))
