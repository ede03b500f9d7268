"""The verdict: words follow from numbers, numbers do not follow from alpha."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError
from nofluke.studies import simulate_scores
from nofluke.types import note
from nofluke.words.comparison import verdict_text
from nofluke.words.numbers import chance, figure, p_text
from support.notes import facts

CLEAR = ([0.9, 0.8, 0.7, 0.9, 0.8, 0.9, 0.7, 0.8], [0.1, 0.2, 0.3, 0.1, 0.3, 0.2, 0.1, 0.2])
OPEN = ([0.5, 0.4, 0.6, 0.5], [0.4, 0.6, 0.5, 0.5])


def test_verdicts() -> None:
    assert nf.compare(*CLEAR).verdict == "better"
    assert nf.compare(*reversed(CLEAR)).verdict == "worse"
    assert nf.compare(*OPEN).verdict == "inconclusive"
    assert nf.compare(*CLEAR, alternative="less").verdict == "inconclusive"
    assert nf.compare(*CLEAR, method="sign").verdict == "better"
    assert nf.compare(*reversed(CLEAR), method="sign").verdict == "worse"


def test_a_non_rejection_is_never_called_equal() -> None:
    said = verdict_text(nf.compare([1, 2, 3, 1, 2, 4], [2, 1, 3, 2, 1, 4.5]))
    assert said.startswith("No clear winner: 6 items cannot tell A and B apart")
    few = verdict_text(nf.compare(*OPEN))
    assert few.startswith("No verdict is possible: 4 items are too few to show any difference (at least 6 are needed")
    assert not any(word in said for word in ("equal", "the same", "tied", "no effect"))


def test_one_sided_headlines_claim_only_what_was_tested() -> None:
    enough = [list(scores) * 3 for scores in OPEN]
    assert str(nf.compare(*enough, alternative="greater")).startswith("A is not shown to be better than B")
    assert str(nf.compare(*enough, alternative="less")).startswith("A is not shown to be worse than B")
    # With so few as these no side could have been shown, and that is said first.
    assert str(nf.compare(*OPEN, alternative="greater")).startswith("No verdict is possible: ")


def test_alpha_changes_words_and_interval_only() -> None:
    strict, loose = nf.compare(*CLEAR, alpha=1e-6), nf.compare(*CLEAR, alpha=0.5)
    assert strict.test.p_value == loose.test.p_value
    assert (strict.verdict, loose.verdict) == ("inconclusive", "better")
    assert strict.test.interval.level > loose.test.interval.level  # type: ignore[union-attr]


def test_lower_is_better_is_said() -> None:
    sample = as_sample(*CLEAR, higher_is_better=False)
    result = nf.compare(sample)
    assert result.verdict == "worse"
    assert verdict_text(result).startswith("B is better than A: 0.625 lower (95% CI ")
    assert result.scores[0] == pytest.approx(np.mean(CLEAR[0]))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20),
    st.data(),
)
def test_random_swaps_never_change_the_recommendation(pairs: list[tuple[int, int]], data: st.DataObject) -> None:
    swapped = [(b, a) if data.draw(st.booleans()) else (a, b) for a, b in pairs]
    first = nf.recommend([a for a, _ in pairs], [b for _, b in pairs])
    second = nf.recommend([a for a, _ in swapped], [b for _, b in swapped])
    assert first == second


def test_clusters_are_recommended_for() -> None:
    scores = simulate_scores({"A": 0.2, "B": 0.0}, n=60, clusters=12, seed=2)
    choices = {choice.method: choice.verdict for choice in nf.recommend(scores.pair())}
    assert choices["permutation"] == "preferred"
    assert choices["paired_t"] == choices["sign"] == "inappropriate"
    assert nf.compare(scores.pair()).clusters == 12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0}, "alpha = 0 is not between 0 and 1."),
        ({"alpha": "x"}, "alpha = 'x' is not between 0 and 1."),
        ({"method": "t"}, "there is no test 't'."),
        ({"delta": float("nan")}, "delta = nan is not a finite number."),
        ({"alternative": "bigger"}, "alternative = 'bigger' is not known to permutation."),
        ({"seed": 1.5, "method": "permutation"}, "seed = 1.5 of permutation is not a whole number."),
        ({"zeroes": "drop"}, "permutation has no option 'zeroes'."),
    ],
)
def test_bad_arguments(options: dict[str, object], message: str) -> None:
    with pytest.raises((InputError, MethodError)) as caught:
        nf.compare(*CLEAR, **options)  # type: ignore[arg-type]
    assert caught.value.message == message


def test_numbers_in_words() -> None:
    assert [p_text(p) for p in (1.0, 0.05, 0.001, 0.00099, 1e-310)] == [
        "p = 1",
        "p = 0.050",
        "p = 0.0010",
        "p = 0.00099",
        "p < 1e-300",
    ]
    assert [chance(p) for p in (1.0, 0.5, 0.05, 0.005, 2e-6, 1e-10)] == [
        "nearly every test set",
        "5 test sets in 10",
        "1 test set in 20",
        "1 test set in 200",
        "2 test sets in a million",
        "fewer than 1 test set in a billion",
    ]
    assert figure(0.123456, 0.0021) == "0.1235"
    assert figure(float("inf"), 1) == "infinity"


def test_simulated_systems_are_what_was_asked_for() -> None:
    scores = simulate_scores({"A": 0.3, "B": 0.0}, n=4000, correlation=0.8, seed=5)
    sample = scores.pair()
    from math import erf, sqrt

    for index, ability in enumerate((0.3, 0.0)):
        expected = 0.5 * (1 + erf(ability / sqrt(2)))
        assert sample.score(index) == pytest.approx(expected, abs=4 * sqrt(expected * (1 - expected) / 4000))
    assert nf.describe(sample).correlation > 0.4
    again = simulate_scores({"A": 0.3, "B": 0.0}, n=4000, correlation=0.8, seed=5)
    assert (again.statistics == scores.statistics).all()
    with pytest.raises(InputError, match="at least two systems"):
        simulate_scores({"A": 1.0})


def test_clusters_in_the_simulation_make_items_depend_on_each_other() -> None:
    sample = simulate_scores(
        {"A": 0.0, "B": 0.0}, n=2000, kind="continuous", clusters=100, cluster_share=0.9, correlation=0.9, seed=1
    ).pair()
    assert sample.clusters is not None
    scores = sample.scores(0)
    within = np.mean([scores[sample.clusters == c].var() for c in range(100)])
    assert within < 0.5 * scores.var()


def test_tied_ranks_name_the_right_winner() -> None:
    # The pseudo-median of mostly tied differences is 0; the ranks are not.
    a, b = [1.5] * 10 + [1.0] * 40, [1.0] * 10 + [1.0] * 40
    result = nf.compare(a, b, method="wilcoxon")
    assert result.test.estimate == 0
    assert result.verdict == "better"
    assert "tend to favour A" in verdict_text(result)


def test_constant_differences_have_no_interval_of_width_zero() -> None:
    for gap in (0.0, 0.05):
        a = [0.3, 0.8, 0.5, 0.9, 0.2, 0.7]
        result = nf.compare(a, [round(x - gap, 2) for x in a])
        assert result.test.interval is None
        assert "CI" not in str(result)
        assert result.detectable.reason == note("compare.no_spread")


def test_significance_begins_where_the_level_says() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random(200), rng.random(200)
    ratios = {}
    for alpha in (0.05, 0.01):
        detectable = nf.compare(a, b, alpha=alpha).detectable
        ratios[alpha] = detectable.threshold / detectable.difference
    assert ratios[0.05] == pytest.approx(0.70, abs=0.01)
    assert ratios[0.01] == pytest.approx(0.755, abs=0.01)


def test_unpaired_tests_are_not_for_compare() -> None:
    with pytest.raises(MethodError, match="compare looks at both systems item by item"):
        nf.compare([1, 2, 3], [1, 2, 4], method="welch_t")


def missing_scores(lost: int) -> nf.Scores:
    import pandas as pd

    rows = [(f"q{i}", "A", 1 if i < 18 else 0) for i in range(40)] + [(f"q{i}", "B", 0) for i in range(40 - lost)]
    return nf.read(pd.DataFrame(rows, columns=["item", "system", "score"]))


def test_missing_items_are_filled_in_at_worst() -> None:
    safe = nf.compare(missing_scores(2).pair(missing="drop"))
    assert safe.verdict == "better"
    assert note("compare.left_out_harmless", n=2) in safe.notes
    doubtful = nf.compare(missing_scores(20).pair(missing="drop"))
    assert "The 20 left-out items could change the verdict: at their worst, p = " in " ".join(str(doubtful).split())
    assert "missing:drop" in safe.signature


def test_numpy_numbers_are_numbers() -> None:
    result = nf.compare(*CLEAR, alpha=np.float64(0.05), delta=np.float32(0.0))
    assert result.verdict == "better"


def test_one_sided_sentences_hold_whichever_way_the_data_point() -> None:
    less = " ".join(nf.report(nf.compare(*CLEAR, alternative="less"), "text").split())
    assert "would show a gap" not in less  # a gap in favour of A is no evidence that B is better
    greater = " ".join(str(nf.compare(*CLEAR, alternative="greater")).split())
    assert "would show a lead of A this large." in greater
    mirrored = " ".join(str(nf.compare(*reversed(CLEAR), alternative="less")).split())
    assert "would show a lead of B this large." in mirrored
    shifted = " ".join(str(nf.compare(*CLEAR, delta=-0.5)).split())
    assert "If the true difference were -0.5, about" in shifted
    assert "would show a difference this far from -0.5, in either direction." in shifted


def test_too_few_items_can_find_nothing() -> None:
    result = nf.compare([0.5, 0.6, 0.7, 0.9, 0.4], [0.1, 0.2, 0.2, 0.3, 0.1])
    assert "Power  Unknown: with 5 items no permutation test can reach the level 0.05." in str(result)
    assert facts(result, "test.smallest_p")["p"] == 0.0625


def test_the_winner_is_named_with_its_own_score_first() -> None:
    lines = str(nf.compare(*reversed(CLEAR))).splitlines()
    assert lines[0].startswith("B is better than A: +0.625 (95% CI ")
    assert [line.split()[:2] for line in lines[2:5]] == [["B", "0.812"], ["A", "0.188"], ["difference", "+0.625"]]


@pytest.mark.parametrize("delta", [1e18, -1e300])
def test_a_delta_beyond_all_scores_is_refused(delta: float) -> None:
    with pytest.raises(InputError, match="far beyond all scores"):
        nf.test(*CLEAR, "permutation", delta=delta)


def test_missing_scores_may_be_dropped_everywhere() -> None:
    a, b = [1, None, 0, 1, 1], [0, 1, 0, 0, None]
    assert nf.compare(a, b, missing="drop").n == 3
    assert nf.test(a, b, "sign", missing="drop").n == 3
    assert nf.describe(a, b, missing="drop").n == 3
    assert nf.effect(a, b, "mean_difference", missing="drop").value == pytest.approx(2 / 3)


def test_what_could_be_found_is_told_of_the_mean_only() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.2, 1, 60).round(2), rng.normal(0, 1, 60).round(2)
    by_mean, by_signs = (nf.compare(a, b, method=method) for method in ("permutation", "sign"))
    told, of_signs = (" ".join(nf.report(result, "text").split()) for result in (by_mean, by_signs))
    assert "in 8 of 10 test sets. Observed gaps are significant from about " in told
    assert "in 8 of 10 test sets, by a test of the mean." in of_signs
    assert "Observed gaps are significant" not in of_signs
