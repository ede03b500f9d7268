"""rank: two systems are compare, order does not matter, families, corrections, refusals, words."""

from __future__ import annotations

import io
import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.reports.build import build
from nofluke.types import Note, Ranking
from nofluke.words.ranking import headline
from nofluke.words.ranking_details import sentences
from support.snapshots import check_snapshot

STABLE = settings(deadline=None, derandomize=True, max_examples=30)


def noisy(n: int = 60, systems: int = 5, seed: int = 0, gain: float = 0.25) -> dict[str, list[float]]:
    rng = np.random.default_rng(seed)
    table = rng.normal(0, 1, (n, 1)) + gain * np.arange(systems) + rng.normal(0, 0.7, (n, systems))
    return {f"s{i}": np.round(column, 2).tolist() for i, column in enumerate(table.T)}


def codes(ranking: Ranking) -> set[str]:
    return {note.code for note in ranking.notes if isinstance(note, Note)}


@STABLE
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=25))
def test_two_systems_are_what_compare_says(pairs: list[tuple[int, int]]) -> None:
    a, b = ([float(x) for x in side] for side in zip(*pairs, strict=True))
    ranking, comparison = nf.rank({"A": a, "B": b}), nf.compare(a, b)
    assert ranking.method == comparison.test.method
    smaller = min(ranking.p_value("A", "B"), ranking.p_value("B", "A"))
    assert smaller == pytest.approx(comparison.test.p_value, rel=1e-9)
    verdict = "better" if ranking.better[ranking.systems.index("A"), ranking.systems.index("B")] else ""
    verdict = verdict or ("worse" if ranking.separated else "")
    assert verdict == (comparison.verdict if comparison.verdict in ("better", "worse") else "")


@pytest.mark.parametrize("adjust", ["holm", "bonferroni", "max_t", "bh", "none"])
def test_order_of_systems_and_items_changes_nothing(adjust: str) -> None:
    scores = noisy()
    rng = np.random.default_rng(1)
    order = rng.permutation(60)
    shuffled = {name: [scores[name][i] for i in order] for name in reversed(scores)}
    first, second = nf.rank(scores, adjust=adjust), nf.rank(shuffled, adjust=adjust)
    assert first.systems == second.systems
    if adjust != "max_t":  # its draws belong to items in their order
        assert second.adjusted == pytest.approx(first.adjusted, rel=1e-9, nan_ok=True)
    assert second.p_values == pytest.approx(first.p_values, rel=1e-9, nan_ok=True)
    assert first.scores == pytest.approx(second.scores)


def test_lower_is_better_is_the_mirror_image() -> None:
    scores = noisy()
    text = "item," + ",".join(scores) + "\n"
    text += "".join(f"{i}," + ",".join(str(values[i]) for values in scores.values()) + "\n" for i in range(60))
    up, down = nf.rank(nf.read(io.StringIO(text))), nf.rank(nf.read(io.StringIO(text), higher_is_better=False))
    assert up.systems == down.systems[::-1]
    assert up.p_values == pytest.approx(down.p_values[::-1, ::-1].T, rel=1e-9, nan_ok=True)
    assert down.differences[0, 1] >= 0


def test_identical_systems_are_never_separated_and_named() -> None:
    scores = noisy(systems=3)
    scores["copy"] = list(scores["s1"])
    for method in ("auto", "wilcoxon", "sign", "paired_t"):
        ranking = nf.rank(scores, method=method)
        assert ranking.p_value("copy", "s1") == ranking.p_value("s1", "copy") == 1
        assert ranking.rank_range("copy") == ranking.rank_range("s1")
        (note,) = [note for note in ranking.notes if note.code == "rank.identical"]
        assert note["groups"] == (("copy", "s1"),)
        assert "copy = s1" in str(note)
    everything = nf.rank({name: [1.0, 2.0, 3.0] for name in "abc"}, adjust="max_t")
    assert everything.separated == 0
    assert everything.rank_ranges == ((1, 3),) * 3
    assert everything.groups == (("a", "b", "c"),)


def test_adjusted_p_values_are_holms_over_both_directions() -> None:
    ranking = nf.rank(noisy())
    off = ~np.eye(5, dtype=bool)
    p = np.sort(ranking.p_values[off])
    by_hand = np.minimum(np.maximum.accumulate(p * np.arange(20, 0, -1)), 1)
    assert np.sort(ranking.adjusted[off]) == pytest.approx(by_hand, rel=1e-12)
    assert ranking.claims == 20
    assert np.array_equal(ranking.better[off], ranking.adjusted[off] <= 0.05)
    assert np.isnan(ranking.p_values.diagonal()).all()


def test_max_t_has_more_power_than_holm_and_limits_that_agree() -> None:
    scores = noisy(n=80, systems=10, seed=3, gain=0.1)
    holm, shared = nf.rank(scores), nf.rank(scores, adjust="max_t")
    assert shared.separated >= holm.separated
    assert shared.resamples == 9_999
    assert np.nanmin(shared.adjusted) >= 1 / 10_000
    assert shared.low is not None
    assert shared.high is not None
    assert np.array_equal(shared.low, -shared.high.T, equal_nan=True)
    # The limits belong to the single-step test, which rejects no more than the step-down one.
    excluded = shared.low > 0
    assert not np.any(excluded & ~shared.better)
    assert holm.low is None
    again = nf.rank(scores, adjust="max_t")
    assert np.array_equal(again.adjusted, shared.adjusted, equal_nan=True)
    other = nf.rank(scores, adjust="max_t", seed=1)
    assert not np.array_equal(other.adjusted, shared.adjusted, equal_nan=True)


def test_a_baseline_is_compared_with_all_and_nothing_else_is() -> None:
    ranking = nf.rank(noisy(), baseline="s2")
    assert ranking.claims == 8
    assert ranking.pairs == 4
    assert math.isnan(ranking.p_value("s0", "s1"))
    assert "rank.baseline_only" in codes(ranking)
    assert "than s2" in headline(ranking)
    only_better = nf.rank(noisy(), baseline="s2", alternative="greater")
    assert only_better.claims == 4
    assert math.isnan(only_better.p_value("s2", "s0"))
    assert nf.rank(noisy(), baseline="s2", adjust="max_t").claims == 4
    # Pairs that were never tested are in no group of systems "not separated".
    assert ranking.groups == ()
    assert all(record["groups"] == "" for record in build(ranking).records)
    assert "groups" not in {section.chart for section in build(ranking).sections}
    from nofluke.registry import CHARTS

    assert not CHARTS["groups"].facts["applies"](ranking)
    assert CHARTS["groups"].facts["applies"](nf.rank(noisy()))


@pytest.mark.parametrize(("side", "tested", "other"), [("greater", "better", "worse"), ("less", "worse", "better")])
def test_a_side_that_was_not_tested_is_not_spoken_of(side: Any, tested: str, other: str) -> None:
    ranking = nf.rank(noisy(), baseline="s2", alternative=side)
    text = " ".join(nf.report(ranking).split())
    assert "unclear" not in text
    assert f"not shown to be {tested}" in headline(ranking)
    assert f"whether any is {other} was not" in text
    assert f"none is {other}" not in headline(ranking)


def test_one_sided_for_the_higher_score_is_there_by_name_and_warns() -> None:
    with pytest.raises(InputError, match="doubles its error"):
        nf.rank(noisy(), alternative="greater")
    ranking = nf.rank(noisy(), alternative="greater", family="pairs", adjust="bonferroni")
    assert ranking.claims == 10
    assert "rank.side_from_scores" in codes(ranking)
    assert np.isnan(np.tril(ranking.p_values)[np.tril_indices(5, -1)]).all()
    assert "carry no joint confidence" in " ".join(sentences(ranking))
    assert "carry no joint confidence" in " ".join(str(ranking).split())


@pytest.mark.parametrize("adjust", ["hochberg", "hommel", "sidak", "holm_sidak", "storey", "bky"])
def test_corrections_that_all_pairs_do_not_license_are_refused(adjust: str) -> None:
    with pytest.raises(MethodError, match="share systems"):
        nf.rank(noisy(), adjust=adjust)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"adjust": "hollm"}, "did you mean 'holm'"),
        ({"method": "wilcoxn"}, "did you mean 'wilcoxon'"),
        ({"family": "both"}, "directions, pairs"),
        ({"baseline": "s9"}, "choose one of"),
        ({"alpha": 1.5}, "between 0 and 1"),
        ({"exact": "yes"}, "near, all"),
        ({"delta": 0.1}, "no meaning"),
        ({"alternative": "less"}, "wrong way round"),
        ({"monte_carlo": 99}, "draw at least monte_carlo=399"),
        ({"adjust": "max_t", "method": "wilcoxon"}, "another test"),
        ({"adjust": "max_t", "n_resamples": 5}, "from 99 to 1,000,000,000"),
        ({"zeros": "pratt"}, "has no option"),
        ({"stop": "decision"}, "none to correct"),
        ({"method": "mcnemar"}, "0 and 1"),
        ({"unit": 61}, "cannot be made"),
        ({"unit": 61}, "at most 30, which gives two units"),
        ({"seed": None}, "seed = None is not a whole number"),
        ({"dataset": "d"}, "a dict of scores has no datasets"),
        ({"metric": "bleu"}, "a dict of scores has no metrics"),
        ({"missing": "ignore"}, "refuse, drop"),
    ],
)
def test_refusals_say_what_to_do(options: dict[str, Any], words: str) -> None:
    with pytest.raises((InputError, MethodError)) as caught:
        nf.rank(noisy(), **options)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "scores", [{}, {"A": [1, 2]}, [[1, 2], [3, 4]], {"A": [1, 2], "B": [1]}, {"A": [1], "B": ["x"]}]
)
def test_what_is_no_table_is_refused(scores: Any) -> None:
    with pytest.raises(InputError):
        nf.rank(scores)


def test_too_few_items_are_named_with_the_number_needed() -> None:
    ranking = nf.rank({name: [float(i + j) for j in range(5)] for i, name in enumerate("abcd")})
    assert ranking.separated == 0
    # 12 one-sided claims at 0.05 need 2^-n <= 0.05 / 12.
    (note,) = [note for note in ranking.notes if note.code == "rank.too_few"]
    assert (note["n"], note["unit"], note["needed"]) == (5, "item", 8)
    assert headline(ranking).startswith("No verdict is possible: 5 items are too few")


def test_undefined_pairs_show_nothing_and_say_so() -> None:
    scores = {"a": [1.0, 2, 3, 4], "b": [2.0, 3, 4, 5], "c": [0.0, 5, 1, 7]}
    ranking = nf.rank(scores, method="paired_t")
    assert math.isnan(ranking.p_value("b", "a"))
    assert "rank.t_undefined" in codes(ranking)
    assert not ranking.better[ranking.systems.index("b"), ranking.systems.index("a")]


def datasets(n: int = 12, items: int = 1, seed: int = 2) -> nf.Scores:
    rng = np.random.default_rng(seed)
    lines = ["dataset,item,x,y,z"]
    for d in range(n):
        for i in range(items):
            x, y, z = (round(float(v), 3) for v in rng.normal([0.9, 0.5, 0.1], 0.5) + 0.3 * d)
            lines.append(f"d{d},d{d}-{i},{x},{y},{z}")
    return nf.read(io.StringIO("\n".join(lines) + "\n"))


def test_several_datasets_are_compared_dataset_by_dataset() -> None:
    scores = datasets()
    ranking = nf.rank(scores)
    assert (ranking.method, ranking.n, len(ranking.datasets)) == ("permutation", 12, 12)
    assert [test.method for test in ranking.omnibus] == ["friedman", "iman_davenport"]
    assert ranking.omnibus[0].p_value == nf.omnibus(scores).p_value
    assert sum(ranking.mean_ranks) == pytest.approx(6)
    assert ranking.critical_difference == nf.critical_difference(3, 12)
    one = nf.rank(scores, dataset="d3")
    assert (one.n, one.mean_ranks, one.datasets) == (1, (), ("d3",))
    assert nf.rank(datasets(items=7)).scores[0] == pytest.approx(
        np.mean([nf.rank(datasets(items=7), dataset=f"d{d}").scores[0] for d in range(12)]), abs=0.2
    )
    with pytest.raises(InputError, match="over several datasets"):
        nf.rank(scores, unit=2)


def test_zero_one_items_bring_cochrans_q() -> None:
    rng = np.random.default_rng(0)
    scores = {f"s{i}": rng.binomial(1, 0.4 + 0.1 * i, 200).tolist() for i in range(4)}
    ranking = nf.rank(scores)
    assert [test.method for test in ranking.omnibus] == ["cochran_q"]
    expected = nf.omnibus(np.array(list(scores.values())).T, "cochran_q").p_value
    assert ranking.omnibus[0].p_value == pytest.approx(expected, rel=1e-12)
    assert ranking.intervals[0] is not None
    assert ranking.intervals[0].method == "Wilson score"


def test_without_a_correction_a_pair_is_one_two_sided_test() -> None:
    scores = noisy()
    ranking = nf.rank(scores, adjust="none")
    for a, b in (("s4", "s3"), ("s3", "s1"), ("s1", "s0")):
        p = nf.compare(scores[a], scores[b]).test.p_value
        assert min(ranking.p_value(a, b), ranking.p_value(b, a)) == pytest.approx(p, rel=1e-9)
    assert "about 0.5 of 10 pairs" in sentences(ranking)[0]
    assert "about 0.5 of 10 pairs" in " ".join(str(ranking).split())


def test_units_and_shuffles_are_in_the_signature() -> None:
    ranking = nf.rank(noisy(), unit=5, shuffle_seed=3, method="wilcoxon", mode="normal")
    for part in ("rank:wilcoxon", "mode:normal", "unit:5:mean", "shuffle_seed:3", "systems:5", "n:12", "adjust:holm"):
        assert part in ranking.signature


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    nf.rank(noisy(), method="welch_t", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (10, 10)


def test_words_never_call_systems_tied_or_equal() -> None:
    for adjust in ("holm", "bonferroni", "max_t", "bh", "by", "none"):
        for options in ({}, {"baseline": "s1"}, {"family": "pairs"}):
            if options.get("family") and adjust == "max_t":
                continue
            text = nf.report(nf.rank(noisy(), adjust=adjust, **options))
            words = (
                text.replace("do not mean equal systems", "").replace("equal means", "").replace("equal metrics", "")
            )
            words = words.replace("pair of equal systems", "").replace("were equally", "")
            assert " tied" not in words
            assert " equal " not in words


def test_wording() -> None:
    check_snapshot("rank", nf.report(nf.rank(noisy())) + "\n")
    check_snapshot("rank_baseline", nf.report(nf.rank(noisy(), baseline="s1", adjust="max_t")) + "\n")
    check_snapshot("rank_datasets", nf.report(nf.rank(datasets())) + "\n")


def test_the_report_holds_every_system_and_the_citations() -> None:
    ranking = nf.rank(noisy())
    report = build(ranking)
    assert [row[0] for row in report.main.rows] == list(ranking.systems)
    assert [record["rank_low"] for record in report.records] == [low for low, _ in ranking.rank_ranges]
    assert any("Holm 1979" in citation for citation in report.citations)
    assert "all 10 pairs" in report.short
    text = json.loads(nf.report(ranking, "json"))
    assert text["systems"] == list(ranking.systems)
    assert text["p_values"][0][0] is None


def test_the_scores_of_single_systems_are_those_of_pairs() -> None:
    scores = noisy()
    ranking = nf.rank(scores)
    for name, score in zip(ranking.systems, ranking.scores, strict=True):
        assert score == pytest.approx(np.mean(scores[name]))
    interval = ranking.intervals[0]
    assert interval is not None
    values = np.array(scores[ranking.systems[0]])
    from scipy import stats

    low, high = stats.t.interval(0.95, 59, values.mean(), stats.sem(values))
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-9)
