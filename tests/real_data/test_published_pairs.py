"""Published or independently computed p-values of real score files."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf

SCIPY = {"mode": "normal", "snap": False}


def test_hitchhikers_guide(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    sample = nf.read(data("hitchhiker_example") / "scores.csv").pair("A", "B")
    facts = expected("hitchhiker_example")
    assert sample.score(0) == pytest.approx(facts["mean_A"], rel=1e-9)
    t = nf.test(sample, "paired_t")
    assert [t.statistic, t.p_value] == pytest.approx(facts["ttest_rel_two_sided"], rel=1e-9)
    less = nf.test(sample, "paired_t", alternative="less").p_value
    assert less == pytest.approx(facts["published_readme"]["t-test"], rel=1e-11)
    both = nf.test(sample, "wilcoxon", **SCIPY)
    assert [both.statistic, both.p_value] == pytest.approx(facts["wilcoxon_two_sided"], rel=1e-9)
    one = nf.test(sample, "wilcoxon", alternative="less", **SCIPY)
    assert [one.statistic, one.p_value] == pytest.approx(facts["wilcoxon_less"], rel=1e-9)
    # Our default is exact on the printed decimals; at n = 1,000 it differs from the normal approximation in digit four.
    assert nf.test(sample, "wilcoxon").p_value == pytest.approx(both.p_value, rel=1e-2)
    assert nf.effect(sample, "cohens_d").value == pytest.approx(facts["cohens_dz"], rel=1e-9)
    profile = nf.describe(sample)
    assert [profile.normality.statistic, profile.normality.p_value] == pytest.approx(facts["shapiro_diff"], rel=1e-7)


def correctness(path: Path) -> tuple[list[bool], list[bool]]:
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row["cnn"] == row["gold"] for row in rows], [row["lstm"] == row["gold"] for row in rows]


def test_sst2(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    cnn, lstm = correctness(data("classify_sst2") / "predictions.csv")
    facts = expected("classify_sst2")
    result = nf.compare(cnn, lstm)
    assert result.scores == pytest.approx((facts["accuracy"]["cnn"], facts["accuracy"]["lstm"]), rel=1e-12)
    assert result.test.method == "mcnemar"
    assert result.test.p_value == pytest.approx(facts["mcnemar_exact_p"], rel=1e-9)
    assert result.verdict == "worse"
    assert nf.test(cnn, lstm, "permutation").p_value == pytest.approx(facts["mcnemar_exact_p"], rel=1e-9)
    for continuity, name in ((False, "mcnemar_chi2_uncorrected"), (True, "mcnemar_chi2_corrected")):
        chi2 = nf.test(cnn, lstm, "mcnemar", mode="chi2", continuity=continuity)
        assert [chi2.statistic, chi2.p_value] == pytest.approx(facts[name], rel=1e-9)
    t = nf.test(cnn, lstm, "paired_t")
    assert [t.statistic, t.p_value] == pytest.approx(facts["ttest_rel_correctness"], rel=1e-9)


@pytest.mark.parametrize("name", ["adhoc8_ap", "adhoc8_p10", "adhoc8_rr"])
def test_trec_pair(name: str, data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    sample = nf.read(data("ir_trec_adhoc8") / f"{name}.csv").pair("run126", "run125")
    facts = expected("ir_trec_adhoc8")["files"][name]["run126_vs_run125"]
    assert [sample.score(0), sample.score(1)] == pytest.approx(facts["means"], rel=1e-9)
    t = nf.test(sample, "paired_t")
    assert [t.statistic, t.p_value] == pytest.approx(facts["ttest_rel_two_sided_t_p"], rel=1e-9)
    assert nf.test(sample, "paired_t", alternative="greater").p_value == pytest.approx(
        facts["ttest_rel_greater_p"], rel=1e-9
    )
    like_r = nf.test(sample, "wilcoxon", continuity=True, **SCIPY)
    assert like_r.p_value == pytest.approx(facts["wilcoxon_asymptotic_continuity_two_sided_p"], rel=1e-9)
    # SciPy's default is its exact distribution up to 50 differences without zeros (as here, for ap), else normal.
    like_scipy = nf.test(sample, "wilcoxon", snap=False, mode="exact" if name == "adhoc8_ap" else "normal")
    assert like_scipy.p_value == pytest.approx(facts["wilcoxon_scipy_default_two_sided_W_p"][1], rel=1e-9)
    sign = nf.test(sample, "sign")
    p, wins, untied = facts["sign_binomtest_two_sided_p (k,n)"]
    assert (sign.statistic, sign.details["n_untied"]) == (wins, untied)
    assert sign.p_value == pytest.approx(p, rel=1e-9)
    flips = nf.test(sample, "permutation").p_value
    drawn = facts["permutation_two_sided_p"]
    assert flips == pytest.approx(drawn, abs=8 * (drawn / 2 / 1e5) ** 0.5)


def test_trec_published_pair(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    sample = nf.read(data("ir_trec_adhoc8") / "adhoc8_ap.csv").pair("run126", "run125")
    published = expected("ir_trec_adhoc8")["published_readme"]

    def both(method: str, **options: Any) -> list[float]:
        return [nf.test(sample, method, alternative=side, **options).p_value for side in ("greater", "two-sided")]

    assert both("paired_t") == pytest.approx(published["t"], abs=5e-11)
    assert both("wilcoxon", continuity=True, **SCIPY) == pytest.approx(published["wilcoxon"], abs=5e-10)
    assert both("sign", tie_width=0.01) == pytest.approx(published["sign"], abs=5e-10)
    for drawn, ours in zip(published["permutation_1e6"], both("permutation"), strict=True):
        assert ours == pytest.approx(drawn, abs=4 * 2 * (drawn / 1e6) ** 0.5)
    # Their two-sided bootstrap counts |mean* - mean| >= |mean|, ours doubles the smaller tail: one-sided compares.
    one_sided = nf.test(sample, "bootstrap", alternative="greater", monte_carlo=200_000).p_value
    drawn = published["bootstrap_shift_1e6"][0]
    assert one_sided == pytest.approx(drawn, abs=4 * (drawn / 2e5 + drawn / 1e6) ** 0.5)
