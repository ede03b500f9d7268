"""Zhu's Figure 5: without a difference p-values are uniform, with one they are significant as often as power says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from nofluke.engine.randomness import SAMPLE_SIZE, Stream
from nofluke.errors import InputError
from nofluke.studies.sample_size import Design, _paired_t, _signed_rank, law_of, p_values, sample_size_study
from nofluke.words import studies as words

NORMAL, SHIFTED = law_of("normal(0,1)"), law_of("normal(0.05,1)")
DRAWS = 2_000


def inside(count: int, draws: int, rate: float) -> bool:
    low, high = stats.binom.interval(0.999, draws, rate)
    return bool(low <= count <= high)


@pytest.mark.parametrize("test", ["paired_t", "wilcoxon"])
@pytest.mark.parametrize("law", ["normal(0,1)", "beta(1,5)"])
def test_without_a_difference_p_values_are_uniform(law: str, test: str) -> None:
    found = p_values(Design(law_of(law), law_of(law), test), 0, 60, DRAWS, seed=1)
    for level in (0.05, 0.3, 0.7):
        assert inside(int(np.sum(found <= level)), DRAWS, level)


@pytest.mark.parametrize("size", [30, 400, 3_000])
def test_with_a_difference_they_are_significant_as_often_as_power_says(size: int) -> None:
    found = p_values(Design(SHIFTED, NORMAL, "paired_t"), 1, size, 600, seed=0)
    shift = 0.05 / math.sqrt(2) * math.sqrt(size)
    edge = stats.t.isf(0.025, size - 1)
    power = stats.nct.sf(edge, size - 1, shift) + stats.nct.cdf(-edge, size - 1, shift)
    assert inside(int(np.sum(found <= 0.05)), 600, power)


def test_the_tests_are_those_of_scipy() -> None:
    d = NORMAL.draw(Stream(4, SAMPLE_SIZE, 0), 300) + 0.1
    assert _paired_t(d) == pytest.approx(stats.ttest_1samp(d, 0).pvalue, rel=1e-9)
    theirs = stats.wilcoxon(d, method="asymptotic", correction=False).pvalue
    assert _signed_rank(d) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("normal(2,3)", stats.norm(2, 3)),
        ("beta(1,5)", stats.beta(1, 5)),
        ("beta(4,1)", stats.beta(4, 1)),
        ("Beta(2, 3)", stats.beta(2, 3)),
    ],
)
def test_laws_are_what_they_are_called(text: str, law: stats.rv_continuous) -> None:
    ours = law_of(text)
    drawn = ours.draw(Stream(0, SAMPLE_SIZE, 5), 4_000)
    assert stats.kstest(drawn, law.cdf).pvalue > 1e-3
    assert ours.mean == pytest.approx(law.mean())
    assert ours.variance == pytest.approx(law.var())


@pytest.mark.parametrize(
    "text", ["gamma(1,1)", "normal(0)", "normal(a,b)", "normal(0,0)", "beta(0,1)", "normal(nan,1)"]
)
def test_other_laws_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        law_of(text)


def test_the_figure_of_the_paper() -> None:
    study = sample_size_study(sizes=[30, 1_000, 25_000], iterations=20)
    table = study.tables["p-values"]
    assert len(table["items"]) == 12
    by_panel = {
        (laws, items): (low, mean)
        for laws, items, low, mean in zip(
            table["laws"], table["items"], table["lowest p"], table["mean p"], strict=True
        )
    }
    # (b) converges slowly, (d) fast; (a) and (c) not at all.
    assert by_panel["normal(0.05,1) vs normal(0,1)", 25_000][1] < 0.001
    assert by_panel["normal(0.05,1) vs normal(0,1)", 1_000][1] > 0.05
    assert by_panel["beta(1,4) vs beta(1,5)", 1_000][1] < 0.01
    for alike in ("normal(0,1) vs normal(0,1)", "beta(1,5) vs beta(1,5)"):
        assert 0.3 < by_panel[alike, 25_000][1] < 0.7
    assert len(set(study.series["p-values"].labels["panel"])) == 4


def test_a_point_does_not_depend_on_other_sizes() -> None:
    alone = sample_size_study(sizes=[100], iterations=5).tables["p-values"]
    among = sample_size_study(sizes=[30, 100], iterations=5).tables["p-values"]
    assert alone["mean p"][0] == among["mean p"][1]


@pytest.mark.parametrize(
    "settings",
    [{"sizes": [1]}, {"iterations": 0}, {"designs": []}, {"designs": [("normal(0,1)", "normal(0,1)", "sign")]}],
)
def test_what_cannot_be_simulated_is_refused(settings: dict) -> None:
    with pytest.raises(InputError):
        sample_size_study(**settings)


def test_equal_means_are_no_difference_for_a_test_of_means() -> None:
    study = sample_size_study([("normal(0,1)", "normal(0,2)", "paired_t")], sizes=[200], iterations=40)
    assert study.tables["p-values"]["truth"] == ("another difference",)
    assert words.headline(study).startswith("Without a true difference, p stays")
    skewed = sample_size_study([("beta(1,4)", "beta(2,8)", "wilcoxon")], sizes=[50], iterations=2)
    assert skewed.tables["p-values"]["truth"] == ("difference",)
    means = sample_size_study([("beta(1,4)", "beta(2,8)", "paired_t")], sizes=[50], iterations=2)
    assert means.tables["p-values"]["truth"] == ("another difference",)
    assert "Wilcoxon 1945" in skewed.citations


def test_all_significant_means_from_there_on() -> None:
    study = sample_size_study([("normal(0.05,1)", "normal(0,1)", "paired_t")])
    table = study.tables["p-values"]
    all_of = [size for size, share in zip(table["items"], table["significant"], strict=True) if share == 1]
    last_miss = max(size for size, share in zip(table["items"], table["significant"], strict=True) if share < 1)
    # At 10,000 items all 20 test sets were significant, at 12,000 not.
    assert min(all_of) < last_miss
    assert f"from {last_miss + 1_000:,} items on" in words.sentences(study)[0]


def test_a_single_panel_has_no_letter() -> None:
    one = sample_size_study([("normal(1,1)", "normal(0,1)", "paired_t")], sizes=[30], iterations=2)
    assert set(one.series["p-values"].labels["panel"]) == {"normal(1,1) vs normal(0,1), paired t-test"}
    assert "Zhu et al. 2020" in one.citations
