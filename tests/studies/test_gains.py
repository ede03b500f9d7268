"""Gains: points, labels, thresholds and words, on systems whose truth is known."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import select
from nofluke.errors import InputError, MethodError
from nofluke.studies.pairs.comparisons import METHODS, compare_all, sample_of
from nofluke.studies.pairs.labels import label_pairs, read_groups
from nofluke.studies.pairs.overlays import stored_comparisons
from nofluke.studies.pairs.thresholds import threshold
from nofluke.types import Series, frozen
from nofluke.verbs.ranking.inputs import Selection

TEAMS = ("oak", "elm", "ash", "fir")


def systems(n: int = 300, each: int = 5, seed: int = 1) -> dict[str, np.ndarray]:
    """Systems of a team share most of what they get right."""
    rng = np.random.default_rng(seed)
    difficulty, made = rng.normal(size=n), {}
    for team in TEAMS:
        shared = rng.normal(size=n)
        for number in range(each):
            own, ability = rng.normal(size=n), rng.normal(0, 0.12)
            made[f"{team}-{number}"] = np.round(ability + difficulty + 0.8 * shared + 0.3 * own, 2)
    return made


def groups(names: dict[str, np.ndarray]) -> dict[str, str]:
    return {name: name.partition("-")[0] for name in names}


@pytest.fixture(scope="module")
def made() -> dict[str, np.ndarray]:
    return systems()


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


@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("bootstrap", "mcnemar")])
def test_other_tests_give_their_one_sided_p(made: dict[str, np.ndarray], method: str) -> None:
    points = nf.studies.gains(made, method=method).series["comparisons"]
    for place in (3, 60):
        better, worse = made[points.labels["better"][place]], made[points.labels["worse"][place]]
        single = nf.test(better, worse, method, alternative="greater")
        assert points.columns["p_value"][place] == pytest.approx(single.p_value, rel=1e-3)


def test_similar_systems_need_less_as_in_the_paper(made: dict[str, np.ndarray]) -> None:
    study = nf.studies.gains(made, groups=groups(made))
    table = study.tables["thresholds"]
    assert table["pairs"] == ("same group", "different groups", "all pairs")
    assert table["comparisons"] == (40, 150, 190)
    needed = dict(zip(table["pairs"], table["needed by most"], strict=True))
    assert needed["same group"] < 0.6 * needed["different groups"]
    assert any("not independent" in note for note in study.notes)
    assert any("does not replace a significance test" in note for note in study.notes)


def test_threshold_is_the_percentile_of_the_gains_near_005() -> None:
    rng = np.random.default_rng(0)
    gain, p = rng.random(500), rng.random(500) * 0.2
    found = threshold(gain, p)
    near = gain[(p >= 0.04) & (p <= 0.06)]
    assert found.value == np.percentile(near, 95)
    assert found.near == len(near)
    assert found.kept == np.mean(p[gain >= found.value] < 0.05)
    assert found.missed == np.mean(p[gain < found.value] < 0.05)
    empty = threshold(gain, np.full(500, 0.9))
    assert math.isnan(empty.value)
    assert empty.near == 0


def test_few_comparisons_are_said_to_be_few() -> None:
    rng = np.random.default_rng(3)
    few = {name: np.round(rng.normal(size=50) + lift, 2) for name, lift in zip("abcd", (0, 0.1, 0.4, 2), strict=True)}
    study = nf.studies.gains(few)
    assert "paper's rule" in study.headline
    assert any("threshold" in note and ("fewer than" in note or "no comparison" in note) for note in study.notes)


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


@pytest.mark.parametrize("text", ["system,team\na-1,x\na-2,y\n", "year\tname\tgroup\n1\ta-1\tx\n2\ta-2\ty\n"])
def test_groups_are_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "groups.csv"
    path.write_text(text)
    assert read_groups(str(path), ("a-1", "a-2", "b")) == {"a-1": "x", "a-2": "y"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("system,team\na,x\na,y\nb,x\n", "two groups"),
        ("system,team\nq,x\nr,y\n", "no column holds names"),
        ("system,group,team\na,x,y\nb,x,y\n", "which column"),
        ("system,team\na,x\nb\n", "line 3"),
        ("system\na\n", "no table"),
    ],
)
def test_groups_that_cannot_be_read(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "groups.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        read_groups(str(path), ("a", "b"))


def test_overlay_from_scores_series_and_files(made: dict[str, np.ndarray], tmp_path: Path) -> None:
    other = systems(each=2, seed=9)
    plain = nf.studies.gains(other)
    stored = tmp_path / "study.json"
    stored.write_text(json.dumps(plain.to_dict()))
    table = tmp_path / "pairs.csv"
    table.write_text("gain,p_value\n0.1,0.2\n0.3,0.01\n")
    given = {
        "scores": other,
        "series": Series("x", {"gain": frozen([0.1]), "p_value": frozen([0.3])}, {}),
        "stored": stored_comparisons(str(stored)),
        "table": stored_comparisons(str(table)),
    }
    study = nf.studies.gains(made, overlay=given)
    assert study.series["scores"].columns["p_value"].tolist() == plain.series["comparisons"].columns["p_value"].tolist()
    assert study.series["stored"].columns["gain"].tolist() == plain.series["comparisons"].columns["gain"].tolist()
    assert study.series["table"].columns["confidence"].tolist() == pytest.approx([0.8, 0.99])
    assert set(study.series["series"].labels["label"]) == {"series"}
    # The thresholds are those of the systems themselves.
    assert study.tables == nf.studies.gains(made).tables
    table.write_text("gain,p_value\n0.1,2\n")
    with pytest.raises(InputError, match="between 0 and 1"):
        stored_comparisons(str(table))
    assert stored_comparisons(str(tmp_path / "absent.csv")) is None


def test_identical_systems_are_left_out_and_counted(made: dict[str, np.ndarray]) -> None:
    twins = {**made, "twin": made["oak-0"]}
    study = nf.studies.gains(twins)
    assert len(study.series["comparisons"].columns["gain"]) == 21 * 20 // 2 - 1
    assert any("same scores on every item" in note for note in study.notes)


def test_a_lead_beyond_all_resamples_takes_the_sign_flips() -> None:
    rng = np.random.default_rng(5)
    made = {"good": 3 + rng.integers(0, 2, 30), "bad": rng.integers(0, 2, 30), "fair": 2 + rng.integers(0, 3, 30)}
    study = nf.studies.gains({name: values.astype(float) for name, values in made.items()})
    points = study.series["comparisons"]
    place = next(k for k in range(3) if {points.labels["better"][k], points.labels["worse"][k]} == {"good", "bad"})
    single = nf.test(made["good"], made["bad"], "permutation", alternative="greater")
    assert points.columns["p_value"][place] == pytest.approx(single.p_value, rel=1e-6)
    assert any("sign-flip" in note for note in study.notes)


def test_lower_is_better_and_scale_change_nothing(made: dict[str, np.ndarray]) -> None:
    plain = compare_all(sample_of(made, Selection()))
    scaled = compare_all(sample_of({name: 100 * values for name, values in made.items()}, Selection()))
    assert scaled.gain == pytest.approx(100 * plain.gain)
    assert scaled.p_value == pytest.approx(plain.p_value, abs=1e-9)
    assert scaled.needed == pytest.approx(100 * plain.needed)


def test_what_is_refused(made: dict[str, np.ndarray]) -> None:
    with pytest.raises(InputError, match="many systems"):
        nf.studies.gains(dict(list(made.items())[:2]))
    with pytest.raises(InputError, match="no test for all pairs"):
        nf.studies.gains(made, method="mann_whitney")
    with pytest.raises(InputError, match="range of p-values"):
        nf.studies.gains(made, window=(0.06, 0.04))
    with pytest.raises(InputError, match="percentile"):
        nf.studies.gains(made, percentile=100)


def clustered() -> nf.Sample:
    scores = nf.studies.simulate_scores(
        {f"s{i}": i / 20 for i in range(5)}, n=200, kind="continuous", clusters=40, seed=2
    )
    return select(scores, scores.systems)


def test_clusters_are_drawn_together() -> None:
    sample = clustered()
    found, apart = compare_all(sample), compare_all(select_without_clusters())
    assert found.units == 40
    assert found.resamples == 9_999
    single = nf.test(sample_pair(sample, found), "bootstrap", form="shift", alternative="greater")
    assert found.p_value[0] == pytest.approx(single.p_value, abs=0.01)
    assert np.median(found.needed) > np.median(apart.needed)
    with pytest.raises(MethodError, match="clusters"):
        compare_all(sample, "wilcoxon")


def select_without_clusters() -> nf.Sample:
    scores = nf.studies.simulate_scores(
        {f"s{i}": i / 20 for i in range(5)}, n=200, kind="continuous", clusters=40, seed=2
    )
    return select(scores, scores.systems, clusters=False)


def sample_pair(sample: nf.Sample, found: object) -> nf.Sample:
    from nofluke.inference.ranking.panel import pair_of

    return pair_of(sample, int(found.better[0]), int(found.worse[0]))  # type: ignore[attr-defined]


def tagged(sentences: list[list[str]]) -> list[str]:
    return [line for tags in sentences for line in (*(f"word {tag}" for tag in tags), "")]


def test_corpus_metrics_agree_with_the_single_test() -> None:
    rng = np.random.default_rng(8)
    gold = [["B-X" if value < 0.3 else "O" for value in rng.random(9)] for _ in range(150)]
    outputs = {}
    for number, noise in enumerate((0.05, 0.07, 0.1)):
        lines = [[("O" if tag != "O" else "B-X") if rng.random() < noise else tag for tag in line] for line in gold]
        outputs[f"s{number}"] = tagged(lines)
    scores = nf.score("span_f1", outputs, tagged(gold))
    sample = select(scores, scores.systems)
    found, plain = compare_all(sample, draws=20_000), compare_all(sample, draws=0)
    again = compare_all(sample, draws=20_000)
    assert found.p_value.tolist() == again.p_value.tolist()
    assert found.computed == "tangent and correction"
    assert plain.computed == "tangent only"
    for place in range(found.size):
        pair = scores.pair(found.systems[found.better[place]], found.systems[found.worse[place]])
        single = nf.test(pair, "bootstrap", form="berg_kirkpatrick", alternative="greater", monte_carlo=40_000)
        error = 4 * math.sqrt(single.p_value / 20_000) + 1e-4
        assert found.p_value[place] == pytest.approx(single.p_value, abs=error)
