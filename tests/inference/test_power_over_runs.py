"""Plans of items and training runs: the power against drawn comparisons, and how many of each are needed."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_ind

import nofluke as nf
from nofluke.inference.power import planning
from nofluke.inference.power.effect import Effect
from nofluke.inference.power.over_runs import NoiseOfRuns, crossed_runs_power
from nofluke.inference.spread import Spread
from nofluke.verbs.detectable_effect import detected_in
from support.runs import crossed, with_runs


def drawn_power(
    n: int, difference: float, sd: float, noise: tuple[int, float, float], draws: int, **asked: str
) -> float:
    """The share of drawn comparisons that the test itself finds significant; the noise is runs, run_sd, answer_sd."""
    runs, run_sd, answer_sd = noise
    rng, found = np.random.default_rng((n, runs, draws)), 0
    for _ in range(draws):
        items = rng.normal(0, 1, n)
        gaps = rng.normal(difference, sd, n)
        systems = [
            (items + own)[:, None] + rng.normal(0, run_sd, runs) + rng.normal(0, answer_sd, (n, runs))
            for own in (gaps, np.zeros(n))
        ]
        found += nf.test(with_runs(*systems), "crossed_runs", **asked).p_value <= 0.05
    return found / draws


# n, difference, sd, (runs, run_sd, answer_sd)
SETTINGS = [
    (60, 0.35, 0.8, (3, 0.05, 0.4)),
    (400, 0.05, 0.4, (5, 0.02, 0.0)),
    (100, 0.2, 0.3, (3, 0.1, 0.3)),
    (200, 0.06, 0.2, (8, 0.03, 0.5)),
    (50, 0.3, 0.6, (2, 0.1, 0.2)),
]


def check(setting: tuple[int, float, float, tuple[int, float, float]], draws: int, alternative: str) -> None:
    n, difference, sd, (runs, run_sd, answer_sd) = setting
    planned = nf.power(
        n=n,
        n_runs=runs,
        difference=difference,
        sd=sd,
        run_sd=run_sd,
        answer_sd=answer_sd or None,
        alternative=alternative,
    )
    seen = drawn_power(*setting, draws, alternative=alternative)
    assert abs(seen - planned) <= 3.3 * math.sqrt(0.25 / draws) + 0.005, (seen, planned)


@pytest.mark.parametrize("setting", SETTINGS[:2])
def test_power_is_that_of_drawn_comparisons(setting: tuple[int, float, float, tuple[int, float, float]]) -> None:
    check(setting, 400, "two-sided")


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_power_is_that_of_drawn_comparisons_at_full_size(
    setting: tuple[int, float, float, tuple[int, float, float]], alternative: str
) -> None:
    check(setting, 4_000, alternative)


def test_without_noise_of_runs_it_is_the_paired_t_test() -> None:
    """Seeds that hardly vary leave a t-test of the items."""
    plain = nf.power("paired_t", n=80, difference=0.1, sd=0.3)
    assert nf.power(n=80, n_runs=4, difference=0.1, sd=0.3, run_sd=1e-9) == pytest.approx(plain, abs=2e-4)


def test_without_noise_of_items_it_is_welchs_test_of_run_averages() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(2, 1, (20_000, 5)), rng.normal(0, 1, (20_000, 5))
    seen = float(np.mean(ttest_ind(a, b, axis=1, equal_var=False).pvalue <= 0.05))
    planned = nf.power(n=10**6, n_runs=5, difference=0.02, sd=1e-7, run_sd=0.01)
    assert abs(seen - planned) <= 3.3 * math.sqrt(seen * (1 - seen) / 20_000) + 0.002
    assert planned < nf.power("student_t", n=5, difference=0.02, sd=0.01)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 12), st.floats(0.001, 0.05), st.floats(0, 0.5), st.floats(0.05, 0.6), st.floats(0.005, 0.1))
def test_more_of_either_is_found_more_often(runs: int, run_sd: float, answer_sd: float, sd: float, gap: float) -> None:
    def power(n: int, runs: int) -> float:
        effect = Effect(gap, sd, run_sd=run_sd, answer_sd=answer_sd, runs=runs)
        return float(crossed_runs_power(np.array([n]), effect, 0.05, "two-sided")[0])

    here = power(300, runs)
    assert 0 < here <= 1
    if runs >= 5:  # with fewer, items that are known better leave all to runs, whose t has few degrees of freedom
        assert power(600, runs) >= here - 1e-3
    if here > 0.05:  # what is found less often than the level allows is found by chance, and more runs bring caution
        assert power(300, runs + 1) >= here - 1e-3


def test_no_power_is_above_one() -> None:
    effect = Effect(0.0625, 0.0625, run_sd=0.00390625, answer_sd=0.0, runs=3)
    assert 1 - 1e-12 < float(crossed_runs_power(np.array([300]), effect, 0.05, "two-sided")[0]) <= 1


def test_the_numbers_needed_are_the_smallest() -> None:
    terms = {"difference": 0.02, "sd": 0.3, "run_sd": 0.01, "answer_sd": 0.3}
    plan = nf.sample_size(**terms)
    assert (plan.n_runs, plan.n) in plan.by_runs
    assert plan.n_runs * plan.n == min(runs * items for runs, items in plan.by_runs)
    for runs, items in plan.by_runs:
        assert nf.power(n=items, n_runs=runs, **terms) >= 0.8 > nf.power(n=items - 1, n_runs=runs, **terms)
    with pytest.raises(nf.InputError, match="no number of items is enough") as refused:
        nf.sample_size(**terms, n_runs=2)
    fewest = int(re.findall(r"n_runs=(\d+)", str(refused.value))[0])
    with pytest.raises(nf.InputError, match="no number of items is enough"):
        nf.sample_size(**terms, n_runs=fewest - 1)
    assert nf.sample_size(**terms, n_runs=fewest).n >= plan.n
    assert nf.sample_size(**terms, n_runs=plan.n_runs).n == plan.n
    assert nf.detectable_effect(n=plan.n, n_runs=plan.n_runs, sd=0.3, run_sd=0.01, answer_sd=0.3) <= 0.02


def test_only_too_many_items_are_no_row_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_given: object) -> float:
        raise nf.InputError("told")

    monkeypatch.setattr(planning, "smallest_real", refused)
    with pytest.raises(nf.InputError, match="told"):
        nf.sample_size(difference=0.02, sd=0.3, run_sd=0.01)


@pytest.mark.parametrize("gap", [0.03, 0.02, 0.008])
def test_the_numbers_of_runs_shown_are_five_in_a_row_around_the_best(gap: float) -> None:
    plan = nf.sample_size(difference=gap, sd=0.3, run_sd=0.01, answer_sd=0.3)
    runs = [number for number, _ in plan.by_runs]
    assert runs == list(range(runs[0], runs[0] + 5))
    assert plan.n_runs in runs[:3]


def test_a_margin_is_planned_too() -> None:
    plan = nf.sample_size(margin=0.02, sd=0.4, run_sd=0.005)
    assert plan.n_runs == 3
    assert plan.power == pytest.approx(0.8, abs=1e-3)
    assert "not worse" in str(plan)


def test_two_runs_are_indicative() -> None:
    assert "indicative" in str(nf.sample_size(difference=0.1, sd=0.4, run_sd=0.001, n_runs=2))


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"sd": 0.4, "n_runs": 3}, "knows no training runs"),
        ({"sd": 0.4, "test": "crossed_runs"}, "without run_sd"),
        ({"sd": 0.4, "run_sd": 0.01, "test": "paired_t"}, "knows no training runs"),
        ({"sd": 0.4, "run_sd": 0.01, "n_runs": 1}, "n_runs = 1"),
        ({"sd": 0.4, "run_sd": 5.0}, "runs of each system would be needed"),
        ({"sd": 0.4, "run_sd": 0.01, "test": "replicate", "datasets": 5, "claim": 2}, "knows no training runs"),
    ],
)
def test_what_makes_no_plan_is_refused(terms: dict[str, object], said: str) -> None:
    with pytest.raises(nf.InputError, match=said):
        nf.sample_size(difference=0.02, **terms)  # type: ignore[arg-type]


def test_a_pilot_says_what_a_plan_takes() -> None:
    """The standard deviations of its table are those that were drawn with."""
    rng = np.random.default_rng(3)
    tables = {}
    for name, gap in (("a", rng.normal(0.1, 0.4, 3_000)), ("b", np.zeros(3_000))):
        tables[name] = gap[:, None] + rng.normal(0, 0.1, 12) + rng.normal(0, 0.3, (3_000, 12))
    noise = nf.compare(crossed(tables)).noise
    assert noise is not None
    assert (noise.sd, noise.answer_sd) == (pytest.approx(0.4, rel=0.05), pytest.approx(0.3, rel=0.05))
    assert noise.run_sd == pytest.approx(0.1, rel=0.4)


def pilot(runs: tuple[int, int] = (3, 3), **more: object) -> nf.Sample:
    """Two systems on 200 items, whose noise of items, runs and answers is known."""
    rng = np.random.default_rng(11)
    tables = {
        name: (gap + rng.normal(0, 1, 200))[:, None] + rng.normal(0, 0.05, number) + rng.normal(0, 0.3, (200, number))
        for name, gap, number in (("a", 0.1, runs[0]), ("b", 0.0, runs[1]))
    }
    return crossed(tables, **more)


@pytest.mark.parametrize("runs", [(3, 3), (3, 6)])
def test_a_pilot_tells_what_its_items_and_runs_reveal(runs: tuple[int, int]) -> None:
    """compare, power detect and the power curve give one figure; where runs are equal, it is that of a plan."""
    sample = pilot(runs)
    compared, found = nf.compare(sample), detected_in(sample)
    curve = nf.power_curve(sample)
    assert compared.detectable.difference == found.difference == curve.difference
    assert curve.scenarios[0].size == 200
    assert found.threshold == compared.detectable.threshold
    drawn = nf.power_curve(sample, difference=found.difference, sizes=[100, 200, 400])
    assert drawn.power[1] == pytest.approx(0.8, abs=1e-6)
    assert drawn.power[0] < drawn.power[1] < drawn.power[2]
    assert f"{'3 runs each' if runs == (3, 3) else '3 + 6 runs'}" in str(drawn)
    noise = compared.noise
    if runs[0] == runs[1] and noise is not None and noise.sd and noise.run_sd:
        plan = {"n_runs": 3, "sd": noise.sd, "run_sd": noise.run_sd, "answer_sd": noise.answer_sd}
        assert nf.power(n=200, difference=found.difference, **plan) == pytest.approx(0.8, abs=0.02)


def test_unequal_runs_have_the_power_of_drawn_comparisons() -> None:
    """Known noise, 3 and 6 runs: the share of comparisons that the test finds."""
    own = Spread(0.05**2 / 3, 2.0), Spread(0.05**2 / 6, 5.0)
    answers = 0.3**2 / 80 / 3, 0.3**2 / 80 / 6
    noise = NoiseOfRuns(Spread(0.6**2 / 80 + sum(answers), 79.0), own, answers)
    rng, found, draws = np.random.default_rng(3), 0, 500
    for _ in range(draws):
        items, gaps = rng.normal(0, 1, 80), rng.normal(0.25, 0.6, 80)
        systems = [
            (items + gap)[:, None] + rng.normal(0, 0.05, number) + rng.normal(0, 0.3, (80, number))
            for gap, number in ((gaps, 3), (np.zeros(80), 6))
        ]
        found += nf.test(with_runs(*systems), "crossed_runs").p_value <= 0.05
    planned = noise.edges(0.05, "two-sided").power(0.25)
    assert abs(found / draws - planned) <= 3.3 * math.sqrt(0.25 / draws) + 0.005


def test_a_curve_says_where_runs_hide_the_difference() -> None:
    curve = nf.power_curve(pilot(), difference=0.02)
    (hidden,) = (one for one in curve.notes if one.code == "power.runs_hide_it")
    assert hidden["most"] < 0.8
    assert hidden["enough"] > 3
    assert math.isnan(curve.size_for_target)
    assert curve.power[-1] <= hidden["most"] + 1e-9
    assert "however many" in " ".join(str(curve).split())


def test_a_curve_over_runs_takes_margins_sides_datasets_and_clusters() -> None:
    sided = nf.power_curve(pilot(), difference=-0.3, alternative="less", sizes=[100, 300])
    assert sided.power[1] > sided.power[0] > 0.05
    assert (
        nf.power_curve(pilot(), margin=0.3, sizes=[200]).power[0]
        > nf.power_curve(pilot(), margin=0.2, sizes=[200]).power[0]
    )
    average = pilot(datasets=["x"] * 50 + ["y"] * 150)
    assert nf.power_curve(average).difference == nf.compare(average).detectable.difference
    clustered = pilot(clusters=[item // 4 for item in range(200)])
    assert nf.power_curve(clustered).unit == "clusters"
    assert nf.power_curve(clustered).pilot == 50
    with pytest.raises(nf.MethodError, match="normal items and runs already"):
        nf.power_curve(pilot(), difference=0.1, form="normal")


def test_some_of_the_noise_may_be_none() -> None:
    """Items that all show the same difference leave the noise of runs and answers, and steady runs that of items."""
    assert nf.power(n=50, n_runs=4, difference=0.1, sd=0, run_sd=0.05) == pytest.approx(
        nf.power(n=10**6, n_runs=4, difference=0.1, sd=1e-6, run_sd=0.05), abs=1e-3
    )
    steady = nf.sample_size(difference=0.1, sd=0.3, run_sd=0, answer_sd=0.2, n_runs=3)
    assert nf.power(n=steady.n, n_runs=3, difference=0.1, sd=0.3, run_sd=0, answer_sd=0.2) >= 0.8
    with pytest.raises(nf.InputError, match="found at once"):
        nf.sample_size(difference=0.1, sd=0, run_sd=0)
    for terms in ({"sd": 0}, {"sd": 0, "test": "permutation"}, {"sd": -1.0, "run_sd": 0.1}):
        with pytest.raises(nf.InputError, match="sd = "):
            nf.sample_size(difference=0.1, **terms)  # type: ignore[arg-type]
