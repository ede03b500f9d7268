"""The audit finds tests that keep their promise keeping it, and those that break it breaking it on the right side."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import nofluke as nf
from nofluke.align import as_sample, differences
from nofluke.errors import InputError, MethodError
from nofluke.studies.audit_study import audit, recentred
from nofluke.studies.simulated import simulate_scores
from nofluke.words import studies as words

TABLE = "significant"


def rates(study: object) -> dict[tuple[str, str], float]:
    table = study.tables[TABLE]  # type: ignore[attr-defined]
    return {
        (test, claim): found for test, claim, found in zip(table["test"], table["claim"], table["found"], strict=True)
    }


def symmetric(n: int) -> tuple[np.ndarray, np.ndarray]:
    half = np.round(stats.norm.ppf((np.arange(n // 2) + 0.5) / n), 3)
    return np.concatenate((half, -half)) + 0.4, np.zeros(n)


def test_symmetric_differences_keep_the_promise() -> None:
    a, b = symmetric(120)
    study = audit(a, b, ["permutation", "paired_t"], iterations=4_000, seed=2)
    table = study.tables[TABLE]
    for found, promised in zip(table["found"], table["promised"], strict=True):
        low, high = stats.binom.interval(0.999, 4_000, promised)
        # A mean of 120 drawn items is not quite normal: a tenth more or less is no breach.
        assert 0.9 * low <= found * 4_000 <= 1.1 * high
    assert study.settings["no_difference"] == "recentred"
    found = study.tables["significant"]["found"][0]
    kept = "The test 'permutation' keeps its level"
    said = kept if found <= 0.05 else "Nothing speaks against the test 'permutation'"
    assert words.headline(study).startswith(f"{said}. When A and B truly score the same, it finds")


def test_skewed_differences_break_it_on_one_side() -> None:
    quantiles = np.round(-np.log1p(-(np.arange(60) + 0.5) / 60), 4)
    found = rates(audit(quantiles, np.zeros(60) + 1, "bootstrap", iterations=4_000))
    # Long tail upwards: "B is better" comes up too often (rules: shift .027 / .090 at n = 50, one-sided at .05).
    assert found["bootstrap", "less"] > 0.045
    assert found["bootstrap", "greater"] < 0.02
    turned = rates(audit(np.zeros(60) + 1, quantiles, "bootstrap", iterations=4_000))
    assert turned["bootstrap", "greater"] == found["bootstrap", "less"]


def test_wilcoxon_is_no_test_of_the_mean() -> None:
    quantiles = np.round(-np.log1p(-(np.arange(80) + 0.5) / 80), 4)
    study = audit(quantiles, np.zeros(80) + 1, ["paired_t", "wilcoxon"], iterations=2_000)
    found = rates(study)
    assert found["wilcoxon", "two-sided"] > 2 * found["paired_t", "two-sided"]
    assert any("wilcoxon does not test the mean" in note for note in words.notes(study))
    verdicts = dict(zip(study.tables[TABLE]["test"], study.tables[TABLE]["verdict"], strict=True))
    assert (verdicts["paired_t"] == "too often", "too often" in verdicts["wilcoxon"]) == (True, False)
    alone = audit(quantiles, np.zeros(80) + 1, "sign", iterations=500)
    assert words.headline(alone).endswith("It does not test the mean, so this is no error.")
    tied = audit(np.repeat(quantiles, 2), np.tile([1.0, 1.0], 80), "wilcoxon", no_difference="reweighted")
    assert any("wilcoxon does not test the mean" in note for note in words.notes(tied))


def test_data_that_a_test_refuses_are_not_audited_with_it() -> None:
    a, b = symmetric(40)
    for name in ("mcnemar", "tango"):
        with pytest.raises((InputError, MethodError), match="0"):
            audit(a, b, name, iterations=200)


def test_recentred_differences_have_mean_zero_exactly() -> None:
    sample = as_sample([0.1, 0.2, 0.7, 0.4], [0.3, 0.1, 0.1, 0.1])
    moved = differences(recentred(sample)).snapped
    assert moved.sum() == 0
    d = differences(sample).values
    assert moved / 40 == pytest.approx(d - d.mean())


def test_lower_is_better_turns_the_sides() -> None:
    first, second = [3.0, 1.0, 4.0, 1.5, 5.0], [2.0, 7.0, 1.0, 8.0, 2.5]
    down, up = (recentred(as_sample(first, second, higher_is_better=higher)) for higher in (False, True))
    assert np.array_equal(differences(down).snapped, -differences(up).snapped)


def test_zero_one_scores_are_reweighted_and_exact_tests_keep_below() -> None:
    a, b = (
        np.array([1.0, 1.0, 0.0, 0.0]).repeat([40, 30, 12, 18]),
        np.array([1.0, 0.0, 1.0, 0.0]).repeat([40, 30, 12, 18]),
    )
    study = audit(a, b, ["mcnemar", "permutation"], iterations=4_000)
    assert study.settings["no_difference"] == "reweighted"
    for (_, claim), found in rates(study).items():
        level = 0.05 if claim == "A and B differ" else 0.025
        assert found <= level + 3.3 * np.sqrt(level * (1 - level) / 4_000)
    # Reweighted to no difference, wins and losses are equally likely, so the tail is a binomial of random size.
    assert rates(study)["mcnemar", "greater"] == pytest.approx(rates(study)["mcnemar", "less"], abs=0.01)


def test_clusters_are_drawn_whole() -> None:
    scores = simulate_scores({"A": 0.1, "B": 0.0}, n=400, kind="continuous", clusters=40, cluster_share=0.6, seed=4)
    study = audit(scores.pair(), "permutation", iterations=2_000)
    assert study.settings["size"] == study.settings["clusters"] == 40
    # The same by hand: centred cluster totals, drawn whole, random signs by the normal law.
    d = scores.pair().statistics[:, 0, 0] - scores.pair().statistics[:, 1, 0]
    codes = scores.pair().clusters
    assert codes is not None
    totals = np.array([(d[codes == code] - d.mean()).sum() for code in np.unique(codes)])
    draws = np.random.default_rng(0).choice(totals, (4_000, 40))
    z = draws.sum(axis=1) / np.sqrt((draws**2).sum(axis=1))
    assert rates(study)["permutation", "two-sided"] == pytest.approx(np.mean(np.abs(z) > 1.96), abs=0.015)
    with pytest.raises(MethodError, match="clusters"):
        audit(scores.pair(), "paired_t")


def test_corpus_metrics_can_be_audited() -> None:
    gold = ["yes", "no", "yes", "no", "no", "yes"] * 12
    first = ["yes", "no", "no", "no", "yes", "yes"] * 12
    second = ["yes", "yes", "yes", "no", "no", "no"] * 11 + ["yes", "no", "yes", "no", "no", "no"]
    scores = nf.score("f1", {"A": first, "B": second}, gold, average="macro")
    study = audit(scores.pair("A", "B"), "permutation", iterations=500)
    assert study.settings["no_difference"] == "reweighted"
    assert 0.005 < rates(study)["permutation", "two-sided"] < 0.09


def test_options_go_to_the_tests_that_know_them() -> None:
    a, b = symmetric(60)
    study = audit(a, b, ["bootstrap", "paired_t"], no_difference="recentred", iterations=200, recentre="observed")
    assert study.settings["recentre"] == "observed"
    shifted, counted = (
        rates(audit(a[:8] ** 3, b[:8], "bootstrap", iterations=500, form=form, no_difference="recentred"))
        for form in ("shift", "percentile")
    )
    assert shifted != counted
    with pytest.raises(MethodError, match="no option"):
        audit(a, b, ["paired_t"], iterations=200, recentre="observed")


@pytest.mark.parametrize(
    "settings",
    [
        {"methods": "welch_t"},
        {"no_difference": "moved"},
        {"iterations": 5},
        {"alpha": 0.9},
        {"methods": "mcnemar", "no_difference": "recentred"},
    ],
)
def test_what_cannot_be_audited_is_refused(settings: dict) -> None:
    with pytest.raises((InputError, MethodError)):
        audit([1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.0], **settings)


def test_identical_systems_have_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="or not at all"):
        audit([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], "paired_t")


def test_an_extreme_item_that_was_not_drawn_does_not_spoil_a_p_value() -> None:
    """The tilt of the saddlepoint runs away on such test sets; every p-value must still be a number, and right."""
    values = np.array([-3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 8.0, -0.2, 0.3, 27.0])
    study = audit(values, np.zeros(13), "bootstrap", iterations=120, no_difference="recentred")
    direct = audit(values, np.zeros(13), "bootstrap", iterations=120, no_difference="recentred", monte_carlo=2_000)
    ours, theirs = rates(study), rates(direct)
    for key, rate in theirs.items():
        assert ours[key] == pytest.approx(rate, abs=0.03)


def test_a_difference_that_is_everywhere_the_same_is_called_so() -> None:
    for b in ([1.0] * 30, [2.0] * 30):
        with pytest.raises(InputError, match="differ by the same on every item, or not at all"):
            audit([2.0] * 30, b)
