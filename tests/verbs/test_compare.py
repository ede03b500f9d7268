"""The verdict: words follow from numbers, numbers do not follow from alpha."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError
from nofluke.inference.wording import chance, figure, p_in_figures
from nofluke.studies import simulate_scores

CLEAR = ([0.9, 0.8, 0.7, 0.9, 0.8, 0.9, 0.7, 0.8], [0.1, 0.2, 0.3, 0.1, 0.3, 0.2, 0.1, 0.2])
OPEN = ([0.5, 0.4, 0.6, 0.5], [0.4, 0.6, 0.5, 0.5])


def test_verdicts() -> None:
    assert nf.compare(*CLEAR).verdict == "better"
    assert nf.compare(*reversed(CLEAR)).verdict == "worse"
    assert nf.compare(*OPEN).verdict == "not separated"
    assert nf.compare(*CLEAR, alternative="less").verdict == "not separated"
    assert nf.compare(*CLEAR, method="sign").verdict == "better"
    assert nf.compare(*reversed(CLEAR), method="sign").verdict == "worse"


def test_a_non_rejection_is_never_called_equal() -> None:
    text = nf.report(nf.compare(*OPEN)).casefold()
    assert "not separated" in text
    assert "equal " not in text.replace("equally good", "")


def test_one_sided_headlines_claim_only_what_was_tested() -> None:
    assert nf.compare(*OPEN, alternative="greater").headline.startswith("A is not shown to be better than B")
    assert nf.compare(*OPEN, alternative="less").headline.startswith("A is not shown to be worse than B")


def test_alpha_changes_words_and_interval_only() -> None:
    strict, loose = nf.compare(*CLEAR, alpha=1e-6), nf.compare(*CLEAR, alpha=0.5)
    assert strict.test.p_value == loose.test.p_value
    assert (strict.verdict, loose.verdict) == ("not separated", "better")
    assert strict.test.interval.level > loose.test.interval.level  # type: ignore[union-attr]


def test_lower_is_better_is_said() -> None:
    sample = as_sample(*CLEAR, higher_is_better=False)
    result = nf.compare(sample)
    assert result.verdict == "worse"
    assert "(lower is better)" in result.headline
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
    assert [p_in_figures(p) for p in (1.0, 0.05, 0.001, 0.00099, 1e-310)] == [
        "p = 1",
        "p = 0.0500",
        "p = 0.0010",
        "p = 9.9e-04",
        "p < 1e-300",
    ]
    assert [chance(p) for p in (1.0, 0.5, 0.05, 0.005, 2e-6, 1e-7)] == [
        "100 of 100",
        "50 of 100",
        "5 of 100",
        "5 of 1,000",
        "2 of 1,000,000",
        "fewer than 1 of a million",
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
