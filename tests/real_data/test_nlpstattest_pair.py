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
    # No independent tool gives the exact flip tail; at n = 2,001 it must be close to t and within reach of draws.
    flips = nf.test(sample, method="permutation")
    assert flips.computed.how == "exact"
    assert flips.p_value == pytest.approx(t.p_value, rel=2e-3)
    drawn = nf.test(sample, method="permutation", monte_carlo=100_000)
    assert flips.p_value == pytest.approx(drawn.p_value, abs=8 * drawn.computed.error)


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
