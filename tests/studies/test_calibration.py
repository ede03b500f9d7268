"""Calibration: shares are counted right, the truth is the whole set, and both ways of testing agree."""

from __future__ import annotations

import importlib
import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import nofluke as nf
from nofluke.engine.randomness import CALIBRATION, Stream
from nofluke.errors import InputError, MethodError
from nofluke.inference.ranking.systems import Selection, systems_of
from nofluke.studies.calibration_pairs import Compared
from nofluke.studies.calibration_study import EDGES, calibration, within
from nofluke.studies.calibration_winners import drawn_sample, members_of, method_for, winners
from nofluke.studies.leads import oriented_scores
from nofluke.studies.recording import rate
from nofluke.studies.simulated import simulate_scores
from nofluke.types import Sample, Scores
from nofluke.words import studies as words


def some_scores(systems: int = 6, n: int = 400, kind: str = "continuous", **settings: object) -> Scores:
    return simulate_scores({f"s{i}": i / 25 for i in range(systems)}, n=n, kind=kind, **settings)  # type: ignore[arg-type]


def sample_of(scores: Scores) -> Sample:
    return systems_of(scores, Selection(), unpaired=False)


def test_the_study_is_what_single_tests_say() -> None:
    """Everything again, slowly: draw, test each pair by the public verb, look the winner up."""
    scores = some_scores(4, 150)
    study = calibration(scores, size=60, test_sets=6, method="paired_t", seed=9)
    sample = sample_of(scores)
    table = sample.statistics[:, :, 0]
    truth = table.mean(axis=0)
    found: list[tuple[float, bool]] = []
    for index in range(6):
        rows = Stream(9, CALIBRATION, index).indices(60, 150)
        for i in range(4):
            for j in range(i + 1, 4):
                a, b = table[rows, i], table[rows, j]
                side = "greater" if a.mean() > b.mean() else "less"
                p = nf.test(a, b, "paired_t", alternative=side).p_value
                found.append((p, (a.mean() > b.mean()) == (truth[i] > truth[j])))
    main = study.tables["by p-value"]
    for row, (low, high) in enumerate(itertools.pairwise(EDGES)):
        inside = [better for p, better in found if low <= p < high]
        assert main["comparisons"][row] == len(inside)
        if inside:
            assert main["share"][row] == pytest.approx(np.mean(inside))
        else:
            assert math.isnan(main["share"][row])
    near = [better for p, better in found if 0.04 <= p <= 0.06]
    assert study.tables["just significant"]["comparisons"] == (len(near),)


def test_a_truly_better_system_wins_as_often_as_the_normal_law_says() -> None:
    """Two systems, lead of one standard error: the winner is right with probability Phi(1), whatever its p-value."""
    d = stats.norm.ppf((np.arange(2_000) + 0.5) / 2_000)
    shift = 1 / math.sqrt(50)
    study = calibration({"A": d + shift, "B": np.zeros(2_000)}, size=50, test_sets=3_000, method="paired_t")
    table = study.tables["by p-value"]
    counts, shares = np.array(table["comparisons"]), np.nan_to_num(np.array(table["share"]))
    right = round(float(counts @ shares))
    low, high = stats.binom.interval(0.999, 3_000, stats.norm.cdf(1))
    assert low <= right <= high
    # Given p, the odds are those of the densities at +z and -z: near z = 1.645 exp(2 * 1.645) to 1.
    odds = math.exp(2 * 1.645)
    near = study.tables["just significant"]
    spread = stats.binom.interval(0.999, near["comparisons"][0], odds / (1 + odds))
    assert spread[0] <= near["better"][0] <= spread[1]


def test_equal_systems_are_no_better_than_a_coin() -> None:
    """Nearly equal systems: 92% near 0.05 belongs to the mix of pairs, not to p."""
    d = stats.norm.ppf((np.arange(1_000) + 0.5) / 1_000)
    d[0] += 1e-6
    study = calibration({"A": d, "B": np.zeros(1_000)}, size=50, test_sets=2_000, method="paired_t", near=(0.0, 0.1))
    near = study.tables["just significant"]
    low, high = stats.binom.interval(0.999, near["comparisons"][0], 0.5)
    assert low <= near["better"][0] <= high


@pytest.mark.parametrize("form", ["shift", "berg_kirkpatrick"])
def test_bootstrap_p_values_of_blocks_are_those_of_the_test(form: str) -> None:
    scores = some_scores(3, 200)
    study = calibration(scores, size=120, test_sets=5, method="bootstrap", form=form, seed=1)
    sample = sample_of(scores)
    table = sample.statistics[:, :, 0]
    expected = []
    for i in range(3):
        for j in range(i + 1, 3):
            for index in range(5):
                rows = Stream(1, CALIBRATION, index).indices(120, 200)
                a, b = table[rows, i], table[rows, j]
                side = "greater" if a.mean() > b.mean() else "less"
                expected.append(nf.test(a, b, "bootstrap", form=form, alternative=side).p_value)
    counts = [sum(low <= p < high for p in expected) for low, high in itertools.pairwise(EDGES)]
    ours = study.tables["by p-value"]["comparisons"]
    assert sum(ours) == len(expected)
    assert sum(abs(x - y) for x, y in zip(ours, counts, strict=True)) <= 2  # a p-value on the edge of a bin


def test_two_sided_p_values_are_twice_as_large() -> None:
    scores = sample_of(some_scores(4, 80))
    method = method_for(scores, "paired_t")
    one = winners(scores, method, {}, sides="one", seed=0)
    two = winners(scores, method, {}, sides="two", seed=0)
    assert two.p_value == pytest.approx(np.minimum(1, 2 * one.p_value))


def test_winners_of_error_rates_are_the_lower_ones() -> None:
    scores = some_scores(3, 60)
    turned = Scores(
        **{**{name: getattr(scores, name) for name in Scores.__slots__}, "higher_is_better": {"score": False}}
    )
    up, down = sample_of(scores), sample_of(turned)
    assert oriented_scores(down) == pytest.approx(-oriented_scores(up))
    method = method_for(up, "permutation")
    first, second = (winners(one, method, {}, sides="one", seed=0) for one in (up, down))
    assert np.array_equal(first.winner, second.loser)
    assert first.p_value == pytest.approx(second.p_value, rel=1e-9)


def test_clusters_are_drawn_whole() -> None:
    scores = some_scores(4, 300, clusters=30)
    sample = sample_of(scores)
    members = members_of(sample)
    assert members is not None
    again = drawn_sample(sample, np.array([3, 3, 7]), members)
    assert again.clusters is not None
    assert len(np.unique(again.clusters)) == 3
    assert again.n == 2 * len(members[3]) + len(members[7])
    study = calibration(scores, size=20, test_sets=5)
    assert study.settings["clusters"] == 30
    assert study.settings["method"] == "permutation"
    with pytest.raises(MethodError, match="clusters"):
        calibration(scores, method="paired_t")


def two_datasets() -> Scores:
    rows = ["item,dataset,system,score"]
    for name, order in (("home", (0.0, 0.3, 0.6)), ("near", (0.0, 0.1, 0.2)), ("far", (0.5, 0.0, 0.2))):
        for item in range(40):
            for system, lead in enumerate(order):
                rows.append(f"{name}{item},{name},s{system},{lead + (item * 7 + system * 3) % 10 / 10}")
    return nf.read(_file("\n".join(rows)))


def _file(text: str) -> object:
    import io

    return io.StringIO(text)


def test_across_datasets_the_winner_is_looked_up_on_the_others() -> None:
    study = calibration(two_datasets(), across=True, method="paired_t", near=(0.0, 1.0))
    near = study.tables["just significant"]
    assert near["winner is better"] == ("on near", "on far")
    # On "far" the order is s0 > s2 > s1: of the winners at home (s2, s2, s1) only s2 over s1 holds.
    assert near["better"] == (3, 1)
    assert study.settings["dataset"] == "home"
    other = calibration(two_datasets(), across=True, dataset="far", method="paired_t", near=(0.0, 1.0))
    found = other.tables["just significant"]
    assert dict(zip(found["winner is better"], found["better"], strict=True)) == {"on home": 1, "on near": 1}


def test_several_datasets_need_a_choice() -> None:
    with pytest.raises(InputError, match="3 datasets"):
        calibration(two_datasets())
    with pytest.raises(InputError, match="two or more"):
        calibration(some_scores(), across=True)


def test_truly_equal_pairs_have_no_better_system() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] * 5
    study = calibration({"A": values, "B": values[::-1]}, size=30, test_sets=20, near=(0.0, 1.0))
    assert study.tables["just significant"]["comparisons"] == (0,)


@pytest.mark.parametrize(
    "settings", [{"sides": "both"}, {"near": (0.06, 0.04)}, {"size": 1}, {"test_sets": 0}, {"method": "welch_t"}]
)
def test_what_cannot_be_asked_is_refused(settings: dict) -> None:
    with pytest.raises((InputError, MethodError)):
        calibration(some_scores(3, 50), **settings)


def test_a_share_is_that_of_its_count() -> None:
    """Systems that score the same in truth have no better one: such comparisons count nowhere."""
    base = np.arange(60) % 7
    scores = {"A": base, "B": base[::-1], "C": base + np.where(np.arange(60) % 2, 0.4, -0.2)}
    study = calibration(scores, size=40, test_sets=30, method="paired_t", near=(0.0, 1.0))
    for table in study.tables.values():
        for count, won, share in zip(table["comparisons"], table["better"], table["share"], strict=True):
            assert math.isnan(share) if count == 0 else share == won / count
    assert study.tables["just significant"]["pairs"] == (2,)
    assert any(note.code == "study.ties" and note["dataset"] == "" for note in study.notes)
    assert any("score the same in truth" in note for note in words.notes(study))


def test_means_that_differ_by_rounding_have_no_winner() -> None:
    scores = {"A": [0.1, 0.2, -0.3] * 10, "B": [-0.1, -0.2, 0.3] * 10, "C": [0.5, -0.4, 0.1] * 10}
    sample = systems_of(scores, Selection(), unpaired=False)
    found = winners(sample, method_for(sample, "paired_t"), {}, sides="one", seed=0)
    assert found.tied == 1
    assert set(found.winner.tolist()) == {2}


def test_the_words_follow_the_range_and_the_count() -> None:
    scores = some_scores(6, 400)
    wide = calibration(scores, test_sets=40, method="paired_t", near=(0.2, 0.3))
    assert "between 0.2 and 0.3" in words.headline(wide)
    assert "0.05" not in " ".join((words.headline(wide), *words.sentences(wide), *words.captions(wide).values()))
    few = calibration(scores, test_sets=1, method="paired_t", near=(0.2, 0.3))
    assert words.headline(few).startswith(("Only", "No comparison"))


def test_how_p_values_were_computed_is_said_where_it_is_so() -> None:
    scores = some_scores(3, 120)
    by_rule = calibration(scores, test_sets=2, method="bootstrap")
    drawn_ones = calibration(scores, test_sets=2, method="bootstrap", monte_carlo=199)
    said = [["study.without_draws" in note.code for note in study.notes] for study in (by_rule, drawn_ones)]
    assert [any(one) for one in said] == [True, False]
    assert "computed without draws" in " ".join(words.notes(by_rule))


def test_the_signature_repeats_the_study() -> None:
    scores = some_scores(4, 300, clusters=30)
    apart = calibration(scores, test_sets=2, clusters=False, metric="score")
    assert "clusters:False" not in calibration(scores, test_sets=2).signature
    assert "metric:score" in apart.signature


def test_p_values_of_nearly_discrete_scores_are_right() -> None:
    """Scores that crowd at 0 and 1 defeat the saddlepoint: such pairs are inverted, counted or drawn."""
    rng = np.random.default_rng(6)
    table = np.round(
        np.where(rng.random((90, 20)) < np.linspace(0.3, 0.6, 20), 1.0, 0.0) + rng.normal(0, 0.01, (90, 20)), 4
    )
    many = systems_of({f"s{i}": table[:, i] for i in range(20)}, Selection(), unpaired=False)
    few = systems_of({f"s{i}": table[:, i] for i in range(8)}, Selection(), unpaired=False)
    for sample in (many, few):
        found = winners(sample, method_for(sample, "permutation"), {}, sides="one", seed=0)
        for row in range(0, len(found.p_value), 9):
            a, b = (sample.scores(int(side[row])) for side in (found.winner, found.loser))
            exact = nf.test(a, b, "permutation", alternative="greater").p_value
            spread = 4.5 * math.sqrt(exact * (1 - exact) / 9_999) + 1.1e-4
            assert found.p_value[row] == pytest.approx(exact, abs=spread, rel=0.02)


def test_systems_that_never_differ_are_refused() -> None:
    with pytest.raises(InputError, match="there is no winner"):
        calibration({name: [0.0, 1.0] * 25 for name in "abc"})
    with pytest.raises(InputError, match="there is 1 item"):
        calibration({"a": [1.0], "b": [2.0]})


@pytest.mark.parametrize(
    ("better", "comparisons", "said"),
    [
        (91, 100, "the 100 here agree with that"),
        (370, 426, "here it is lower"),
        (999, 1_000, "here it is higher"),
        (9, 10, "10 comparisons here cannot be set beside it"),
        (0, 1, "1 comparison here cannot be set beside it"),
    ],
)
def test_the_share_stands_beside_that_of_the_paper(better: int, comparisons: int, said: str) -> None:
    study, band = calibration(some_scores(3, 100), test_sets=2, method="paired_t"), rate(better, comparisons)
    near = {"better": (better,), "comparisons": (comparisons,), "share": (better / comparisons,)}
    found = replace(
        study,
        tables={**study.tables, "just significant": near},
        facts={**study.facts, "near_range": (band.low, band.high)},
    )
    text = " ".join(words.sentences(found))
    assert "92% of 942" in text
    assert said in text
    for other in ({"sides": "two"}, {"near": (0.01, 0.06)}):
        assert "942" not in " ".join(words.sentences(replace(found, settings={**study.settings, **other})))


def test_shares_on_other_datasets_stand_beside_those_of_the_paper() -> None:
    study = calibration(two_datasets(), across=True, method="paired_t")
    near = {"better": (30, 40, 3), "comparisons": (40, 50, 4), "share": (0.75, 0.8, 0.75)}
    text = " ".join(words.sentences(replace(study, tables={**study.tables, "just significant": near})))
    assert "83% and 71%" in text
    assert "here it is 75% to 80%" in text
    few = {**study.tables, "just significant": {name: values[2:] for name, values in near.items()}}
    assert "too few pairs" in " ".join(words.sentences(replace(study, tables=few)))


def test_nearly_all_winners_are_not_all() -> None:
    scores = some_scores(20, 400)
    study = calibration(scores, test_sets=60, method="paired_t")
    first = study.tables["by p-value"]["share"][0]
    assert 0.999 < first < 1
    assert "Truly better: 99.9" in " ".join(words.sentences(study))


def test_metrics_such_as_bleu_are_bootstrapped() -> None:
    gold = ["the cat sat on the mat today", "a dog ran over the green hill", "we all like old songs here"] * 4
    outputs = {f"s{i}": [line.replace(word, "") for line in gold] for i, word in enumerate(("cat", "dog", "old"))}
    sample = sample_of(nf.score("bleu", outputs, gold))
    assert method_for(sample, "auto").name == "bootstrap"
    assert method_for(sample, "permutation").name == "permutation"
    assert method_for(sample_of(some_scores(3, 50)), "auto").name == "permutation"


def test_one_is_not_written_in_the_plural() -> None:
    study = calibration(some_scores(2, 120), test_sets=1, method="paired_t")
    assert "1 test set of 100 items was drawn from them, with 1 pair of 2 systems on each." in words.sentences(study)[0]
    assert "1 test sets" not in " ".join(words.captions(study).values())


def test_bootstrap_p_values_of_drawn_test_sets_are_close_to_all_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every p-value of a study against the law of resampled sums, by convolution of positive numbers."""
    seen: list[tuple[np.ndarray, float]] = []
    room = importlib.import_module("nofluke.studies.calibration_winners")
    blocks = room.block_p_values

    def noted(rule: Any, counts: np.ndarray, pilot: Any, *more: Any) -> np.ndarray:
        found = blocks(rule, counts, pilot, *more)
        seen.extend((np.repeat(pilot.totals, row.astype(int)), float(p)) for row, p in zip(counts, found, strict=True))
        return found

    monkeypatch.setattr(room, "block_p_values", noted)
    rng = np.random.default_rng(4)
    board = {f"s{i}": (rng.normal(0.5 + i / 40, 0.1, 200)).round(2) for i in range(4)}
    calibration(board, size=40, test_sets=5, method="bootstrap")
    assert len(seen) == 30
    for items, p in seen:
        values = (items if items.sum() > 0 else -items).astype(int)
        origin, law = int(values.min()), np.ones(1)
        one = np.bincount(values - origin) / len(values)
        for _ in values:
            law = np.convolve(law, one)
        least = 2 * int(values.sum()) - len(values) * origin
        exact = min(1.0, 2 * float(law[least:].sum()))
        assert p == pytest.approx(exact, rel=0.01 if exact > 0.002 else 0.5, abs=1e-6)


def share_right(outputs: list[str], golds: list[str]) -> float:
    return sum(map(str.__eq__, outputs, golds)) / len(golds)


def test_few_swaps_of_one_test_set_are_not_those_of_another() -> None:
    """With the same ones, all p-values of a study would err together."""
    rng = np.random.default_rng(5)
    outputs = {name: ["x" if right else "y" for right in rng.random(60) < 0.65] for name in "AB"}
    sample = sample_of(nf.score(share_right, outputs, ["x"] * 60, whole=True))
    method = method_for(sample, "auto")
    found = [
        float(winners(sample, method, {"monte_carlo": 199}, sides="one", seed=0, test_set=index).p_value[0])
        for index in range(40)
    ]
    assert len(set(found)) > 5


def test_an_edge_belongs_to_the_upper_bin_also_after_its_logarithm() -> None:
    p = np.exp(np.log([16 / 200, 32 / 200]))
    assert np.all(p < [0.08, 0.16])
    found = Compared(p, np.zeros(2, np.int64), {}, np.zeros(2), 0)
    assert within(found, 0.08, 0.16).tolist() == [True, False]
