"""The worked example of Zhu et al. 2020: every number of their Figure 2, also with units of 15."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf

NAME = "nlpstattest_wmt17_zhen_pair"


@pytest.fixture
def scores(data: Callable[[str], Path]) -> nf.Scores:
    return nf.read(data(NAME) / "scores.csv")


@pytest.fixture
def facts(expected: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    return expected(NAME)


def test_figure_2(scores: nf.Scores, facts: dict[str, Any]) -> None:
    profile = nf.describe(scores.pair())
    published = facts["published_figure2_of_Zhu_et_al_2020"]
    for name, summary in (("column1", profile.a), ("column2", profile.b), ("difference", profile.difference)):
        figures = {
            "mean": summary.mean,
            "median": summary.median,
            "sd": summary.sd,
            "min": summary.minimum,
            "max": summary.maximum,
        }
        for figure, value in figures.items():
            assert value == pytest.approx(published[name][figure], abs=1e-5), (name, figure)
    assert profile.skewness == pytest.approx(published["skewness"], abs=5e-5)
    assert profile.normality.p_value < 0.05
    assert profile.recommended_statistic == published["recommended_statistic"]


def test_computed_facts(scores: nf.Scores, facts: dict[str, Any]) -> None:
    profile = nf.describe(scores.pair())
    computed = facts["computed"]
    summaries = (profile.a, profile.b, profile.difference)
    assert [s.mean for s in summaries] == pytest.approx(computed["mean"], rel=1e-9)
    assert [s.median for s in summaries] == pytest.approx(computed["median"], rel=1e-9)
    assert [s.sd for s in summaries] == pytest.approx(computed["sd_ddof1"], rel=1e-9)
    assert profile.skewness == pytest.approx(computed["skew_diff_bias_True"], rel=1e-9)
    assert profile.normality.statistic == pytest.approx(computed["shapiro_diff_W_p"][0], rel=1e-9)
    assert profile.normality.p_value == pytest.approx(computed["shapiro_diff_W_p"][1], rel=1e-6)
    assert (profile.ties, profile.wins, profile.losses) == (
        computed["ties_zero_diff"],
        computed["n_pos"],
        computed["n_neg"],
    )


def test_tests_on_single_items(scores: nf.Scores, facts: dict[str, Any]) -> None:
    sample = scores.pair()
    t = nf.test(sample, method="paired_t")
    assert [t.statistic, t.p_value] == pytest.approx(facts["tests_EU1"]["ttest_rel_two_sided_t_p"], rel=1e-9)
    sign = facts["tests_EU1"]["sign_test_two_sided_p (binomtest, zeros dropped)"]
    assert nf.test(sample, method="sign").p_value == pytest.approx(sign, rel=1e-9)
    scipy = {"mode": "normal", "snap": False}
    for name, options in (
        ("wilcoxon_two_sided_default_W_p", {}),
        ("wilcoxon_pratt_two_sided_W_p", {"zeros": "pratt"}),
        ("wilcoxon_continuity_two_sided", {"continuity": True}),
    ):
        result = nf.test(sample, "wilcoxon", **scipy, **options)
        assert result.p_value == pytest.approx(facts["tests_EU1"][name][1], rel=1e-9)
        assert min(result.statistic, result.details["W_minus"]) == facts["tests_EU1"][name][0]
    greater = nf.test(sample, "wilcoxon", alternative="greater", **scipy)
    assert [greater.statistic, greater.p_value] == pytest.approx(
        facts["tests_EU1"]["wilcoxon_greater_default_W_p"], rel=1e-9
    )
    # Our default is exact and ranks the printed decimals: 91 zeros and all ties are where the text says they are.
    assert nf.test(sample, "wilcoxon").p_value == pytest.approx(greater.p_value * 2, rel=5e-3)
    # No independent tool gives the exact flip tail; at n = 2,001 it must be close to t and within reach of draws.
    flips = nf.test(sample, method="permutation")
    assert flips.computed.how == "exact"
    assert flips.p_value == pytest.approx(t.p_value, rel=2e-3)
    drawn = nf.test(sample, method="permutation", monte_carlo=100_000)
    assert flips.p_value == pytest.approx(drawn.p_value, abs=4 * drawn.computed.error)


def test_units_of_15(scores: nf.Scores, facts: dict[str, Any]) -> None:
    sample = scores.pair(unit=15)
    wanted = facts["EU15"]
    profile = nf.describe(sample)
    assert profile.n == wanted["n"]
    assert profile.difference.mean == pytest.approx(wanted["mean_diff"], rel=1e-9)
    assert profile.difference.sd == pytest.approx(wanted["sd_ddof1"], rel=1e-9)
    assert [profile.normality.statistic, profile.normality.p_value] == pytest.approx(wanted["shapiro_W_p"], rel=1e-7)
    t = nf.test(sample, method="paired_t")
    assert [t.statistic, t.p_value] == pytest.approx(wanted["ttest_rel"], rel=1e-9)
    assert sample.alignment.leftover == 2001 - 15 * 133


def test_the_two_column_text_gives_the_same(scores: nf.Scores, data: Callable[[str], Path], tmp_path: Path) -> None:
    lines = (data(NAME) / "scores.csv").read_text().splitlines()[1:]
    path = tmp_path / "data-file.txt"
    path.write_text("\n".join("\t".join(line.split(",")[1:]) for line in lines) + "\n")
    assert nf.test(nf.read(path).pair(), method="paired_t").p_value == nf.test(scores.pair(), method="paired_t").p_value


def test_effect_sizes(scores: nf.Scores, facts: dict[str, Any]) -> None:
    sample = scores.pair()
    wanted = facts["effect_sizes_EU1"]
    assert nf.effect(sample, "cohens_d").value == pytest.approx(wanted["cohens_d_paired (mean/sd ddof1)"], rel=1e-9)
    pooled = wanted["cohens_d_pooled ((m1-m2)/sqrt((s1^2+s2^2)/2))"]
    assert nf.effect(sample, "cohens_d", form="pooled").value == pytest.approx(pooled, rel=1e-9)
    walsh = wanted["hodges_lehmann (median of Walsh averages incl. i=j)"]
    assert nf.effect(sample, "hodges_lehmann").value == pytest.approx(walsh, rel=1e-9)


def test_ranks_of_units_of_15(scores: nf.Scores, facts: dict[str, Any]) -> None:
    sample = scores.pair(unit=15)
    wanted = facts["EU15"]
    for side, name in (("two-sided", "wilcoxon_two_sided"), ("greater", "wilcoxon_greater")):
        result = nf.test(sample, "wilcoxon", mode="normal", snap=False, alternative=side)
        assert result.p_value == pytest.approx(wanted[name][1], rel=1e-9)
    assert nf.effect(sample, "hodges_lehmann").value == pytest.approx(wanted["hodges_lehmann"], rel=1e-9)


def test_the_papers_recommendation(scores: nf.Scores) -> None:
    choices = nf.recommend(scores.pair(), rules="zhu2020")
    assert choices.preferred == "wilcoxon"
    assert "assumes symmetry" in str(choices[0].reason)
