"""Planned power: figures of R, simulation over a grid, sawtooth, sizes, properties, refusals."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nofluke as nf
from nofluke.errors import InputError
from nofluke.inference.power.paired_binary import critical_wins, score_z
from nofluke.inference.power.replicate_plan import at_least, chance_of_claim
from nofluke.verbs.detectable_effect import detected
from nofluke.verbs.power import planned
from nofluke.words import answer as verdict

SIDES = ("two-sided", "greater", "less")
FEW = settings(deadline=None, derandomize=True, max_examples=40)


def within(hits: int, repetitions: int, power: float) -> bool:
    """Whether a count is what a power gives, by the exact binomial 99.9% bounds."""
    low, high = stats.binom.ppf([0.0005, 0.9995], repetitions, power)
    return bool(low <= hits <= high)


REPETITIONS = 20_000


@pytest.mark.parametrize(
    ("n", "difference", "alternative", "alpha"),
    [
        (5, 1.0, "two-sided", 0.05),
        (12, 0.0, "two-sided", 0.05),
        (20, 0.5, "greater", 0.05),
        (20, -0.6, "less", 0.01),
        (50, 0.4, "two-sided", 0.005),
        (200, 0.2, "two-sided", 0.05),
    ],
)
def test_t_is_what_simulation_finds(n: int, difference: float, alternative: str, alpha: float) -> None:
    rng = np.random.default_rng([n, int(1000 * alpha)])
    d = rng.normal(difference, 1.0, (REPETITIONS, n))
    t = d.mean(axis=1) / d.std(axis=1, ddof=1) * math.sqrt(n)
    tail = {
        "two-sided": 2 * stats.t.sf(np.abs(t), n - 1),
        "greater": stats.t.sf(t, n - 1),
        "less": stats.t.cdf(t, n - 1),
    }
    power = nf.power(n=n, difference=difference, sd=1, alpha=alpha, alternative=alternative)
    assert within(int(np.sum(tail[alternative] <= alpha)), REPETITIONS, power)


@pytest.mark.parametrize(
    ("n", "sd", "sd_b", "difference"), [(8, 1.0, 1.0, 1.2), (30, 1.0, 2.0, 1.0), (60, 1.0, 0.5, 0.4)]
)
def test_unpaired_t_is_what_simulation_finds(n: int, sd: float, sd_b: float, difference: float) -> None:
    rng = np.random.default_rng(n)
    a, b = rng.normal(difference, sd, (REPETITIONS, n)), rng.normal(0, sd_b, (REPETITIONS, n))
    welch = stats.ttest_ind(a, b, axis=1, equal_var=False).pvalue
    # Satterthwaite's degrees of freedom vary in a sample; the planned power is off in the third decimal only.
    power = nf.power("welch_t", n=n, difference=difference, sd=sd, sd_b=sd_b)
    assert np.mean(welch <= 0.05) == pytest.approx(power, abs=0.015)
    if sd == sd_b:
        student = stats.ttest_ind(a, b, axis=1).pvalue
        exact = nf.power("student_t", n=n, difference=difference, sd=sd)
        assert within(int(np.sum(student <= 0.05)), REPETITIONS, exact)
        assert power == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(
    ("n", "p10", "p01", "alternative"),
    [(30, 0.4, 0.1, "two-sided"), (100, 0.15, 0.05, "greater"), (400, 0.03, 0.06, "less"), (80, 0.2, 0.2, "two-sided")],
)
def test_mcnemar_is_what_simulation_finds(n: int, p10: float, p01: float, alternative: str) -> None:
    rng = np.random.default_rng(n)
    b, c, _ = rng.multinomial(n, [p10, p01, 1 - p10 - p01], REPETITIONS).T
    more = {"two-sided": np.maximum(b, c), "greater": b, "less": c}[alternative]
    p = stats.binom.sf(more - 1, b + c, 0.5) * (2 if alternative == "two-sided" else 1)
    power = nf.power("mcnemar", n=n, p10=p10, p01=p01, alternative=alternative)
    assert within(int(np.sum(p <= 0.05)), REPETITIONS, power)


@pytest.mark.parametrize(("n", "disagreement", "difference", "margin"), [(120, 0.2, 0.0, 0.1), (300, 0.1, 0.01, 0.05)])
def test_tango_with_a_margin_is_the_sum_over_all_tables(
    n: int, disagreement: float, difference: float, margin: float
) -> None:
    stated = {"disagreement": disagreement, "difference": difference, "margin": margin}
    power = nf.power("tango", n=n, **stated)
    rng = np.random.default_rng(n)
    p10, p01 = (disagreement + difference) / 2, (disagreement - difference) / 2
    b, c, _ = rng.multinomial(n, [p10, p01, 1 - disagreement], REPETITIONS).T
    z = score_z(b, b + c, n, -margin)
    assert within(int(np.sum(z >= stats.norm.isf(0.05))), REPETITIONS, power)
    for items in range(0, 200, 20):
        one = nf.test(nf.sample_from_counts(50, int(b[items]), int(c[items]), n - 50 - int(b[items]) - int(c[items])),
                      "tango", delta=-margin, alternative="greater", mode="score")  # fmt: skip
        assert one.statistic == pytest.approx(z[items], rel=1e-12)


@pytest.mark.parametrize("n", [8, 12, 20, 50])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_wilcoxon_is_within_a_hundredth_of_simulation(n: int, alternative: str) -> None:
    rng = np.random.default_rng(n)
    for size in (1.5, 2.8):
        d = rng.normal(size / math.sqrt(n), 1.0, (8_000, n))
        p = stats.wilcoxon(d, axis=1, alternative=alternative, method="exact").pvalue
        power = nf.power("wilcoxon", n=n, difference=size / math.sqrt(n), sd=1, alternative=alternative)
        hits = int(np.sum(p <= 0.05))
        assert any(within(hits, 8_000, power + off) for off in (-0.01, 0.0, 0.01)), (hits / 8_000, power)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("alpha", [0.05, 0.003])
def test_power_without_an_effect_is_the_size(alternative: str, alpha: float) -> None:
    asked = {"alpha": alpha, "alternative": alternative}
    for test, n in (("paired_t", 7), ("student_t", 7), ("welch_t", 30), ("permutation", 40)):
        assert nf.power(test, n=n, difference=0.0, sd=2.0, **asked) == pytest.approx(alpha, rel=1e-9)
    for n in (5, 6, 13, 40, 75):
        size = nf.power("sign", n_untied=n, prob_a_better=0.5, **asked)
        assert size <= alpha
        attained = [k for k in range(n + 1) if _sign_p(k, n, alternative) <= alpha]
        assert size == pytest.approx(sum(math.comb(n, k) for k in attained) / 2.0**n, rel=1e-12)
        assert nf.power("mcnemar", n=n, p10=0.3, p01=0.3, **asked) <= alpha
        assert nf.power("wilcoxon", n=n, difference=0, sd=1, **asked) <= alpha


def _sign_p(k: int, n: int, alternative: str) -> float:
    up, down = (sum(math.comb(n, j) for j in part) / 2.0**n for part in (range(k, n + 1), range(k + 1)))
    return {"greater": up, "less": down}.get(alternative, min(1.0, 2 * min(up, down)))


def test_mcnemar_is_the_sum_over_all_tables() -> None:
    n, p10, p01 = 12, 0.35, 0.2
    total = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            ways = math.comb(n, b) * math.comb(n - b, c)
            if b + c and _sign_p(b, b + c, "two-sided") <= 0.05:
                total += ways * p10**b * p01**c * (1 - p10 - p01) ** (n - b - c)
    assert nf.power("mcnemar", n=n, p10=p10, p01=p01) == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("share", [0.55, 0.6, 0.7, 0.9, 1.0])
@pytest.mark.parametrize("target", [0.5, 0.8, 0.95])
def test_the_sawtooth_stays_above_the_target(share: float, target: float) -> None:
    found = nf.sample_size("sign", prob_a_better=share, power=target)
    assert found.n_exact == found.n
    powers = [nf.power("sign", n_untied=n, prob_a_better=share) for n in range(1, 3 * found.n + 60)]
    below = [n for n, power in enumerate(powers, start=1) if power < target]
    assert max(below) == found.n - 1
    if share == 0.6:
        assert any(power >= target for power in powers[: found.n - 1]), "it was reached before, and lost again"


@pytest.mark.parametrize(("p10", "p01"), [(0.06, 0.04), (0.3, 0.1), (0.6, 0.4), (0.2, 0.0), (0.95, 0.05)])
def test_mcnemar_stays_above_the_target(p10: float, p01: float) -> None:
    n = nf.sample_size("mcnemar", p10=p10, p01=p01).n
    assert nf.power("mcnemar", n=n - 1, p10=p10, p01=p01) < 0.8
    assert all(nf.power("mcnemar", n=more, p10=p10, p01=p01) >= 0.8 for more in range(n, n + 150))


@FEW
@given(st.integers(1, 400), st.sampled_from([0.05, 0.025, 0.01, 1e-4]))
def test_critical_wins_are_the_least_that_reject(n: int, level: float) -> None:
    k = int(critical_wins(np.array([n]), level)[0])
    assert stats.binom.sf(k - 1, n, 0.5) <= level * (1 + 1e-9)
    assert k == 1 or stats.binom.sf(k - 2, n, 0.5) > level * (1 - 1e-9)


effects = st.floats(0.05, 3.0)


@FEW
@given(effects, st.floats(0.3, 0.99), st.sampled_from([0.05, 0.001]), st.sampled_from(["paired_t", "student_t"]))
def test_items_power_and_effect_are_one_relation(effect: float, target: float, alpha: float, test: str) -> None:
    found = nf.sample_size(test, difference=effect, sd=1, power=target, alpha=alpha)
    assert found.n == max(2, math.ceil(found.n_exact * (1 - 1e-12)))
    assert nf.power(test, n=found.n, difference=effect, sd=1, alpha=alpha) >= target * (1 - 1e-9)
    if found.n > 2:
        assert nf.power(test, n=found.n - 1, difference=effect, sd=1, alpha=alpha) < target
    back = nf.detectable_effect(test, n=found.n, sd=1, power=target, alpha=alpha)
    assert nf.power(test, n=found.n, difference=back, sd=1, alpha=alpha) == pytest.approx(target, abs=1e-9)
    assert back <= effect * (1 + 1e-9)


@FEW
@given(effects, st.integers(6, 300), st.sampled_from(["paired_t", "wilcoxon", "welch_t"]), st.floats(0.1, 50))
def test_power_rises_with_everything_it_should(effect: float, n: int, test: str, unit: float) -> None:
    stated = {"difference": effect, "sd": 1.0}
    power = nf.power(test, n=n, **stated)
    assert 0 <= power <= 1
    assert nf.power(test, n=n, difference=-effect, sd=1) == pytest.approx(power, rel=1e-9)
    assert nf.power(test, n=n, difference=effect * unit, sd=unit) == pytest.approx(power, rel=1e-9)
    assert nf.power(test, n=n, difference=effect * 1.2, sd=1) >= power * (1 - 1e-12)
    assert nf.power(test, n=n, **stated, alpha=0.1) >= power * (1 - 1e-12)
    assert nf.power(test, n=n, **stated, tests=5) <= power * (1 + 1e-12)
    if test != "wilcoxon":
        assert nf.power(test, n=n + 5, **stated) >= power * (1 - 1e-12)
    assert nf.power(test, n=n, **stated, alternative="greater") >= power - 1e-12
    assert nf.power(test, n=n, **stated, alternative="less") < 0.05 + 1e-12


def test_many_tests_are_one_test_at_a_smaller_level() -> None:
    one = nf.sample_size(difference=0.2, sd=1, alpha=0.05 / 20)
    many = nf.sample_size(difference=0.2, sd=1, tests=20)
    assert (many.n, many.n_exact) == (one.n, one.n_exact)
    assert many.level == 0.05 / 20
    assert "revealed at least this often" in " ".join(str(many).split())
    assert "at least" not in str(nf.sample_size(difference=0.2, sd=1, tests=20, adjust="bonferroni"))


def test_clusters_cost_what_the_design_effect_says() -> None:
    alone = nf.sample_size(difference=0.1, sd=1)
    clustered = nf.sample_size(difference=0.1, sd=1, design_effect=3)
    assert clustered.n_exact == pytest.approx(3 * alone.n_exact, rel=1e-9)
    assert nf.power(n=300, difference=0.1, sd=1, design_effect=3) == nf.power(n=100, difference=0.1, sd=1)
    exact = nf.sample_size("mcnemar", p10=0.2, p01=0.1, design_effect=1.5)
    assert exact.n == math.ceil(1.5 * nf.sample_size("mcnemar", p10=0.2, p01=0.1).n)


def test_a_margin_is_a_one_sided_test_of_the_distance_to_it() -> None:
    found = nf.sample_size(sd=0.2, margin=0.01, power=0.9)
    assert found.n_exact == nf.sample_size(difference=0.01, sd=0.2, power=0.9, alternative="greater").n_exact
    assert found.alternative == "greater"
    assert nf.power("tango", n=500, disagreement=0.1, margin=0.02) < nf.power(
        "tango", n=2000, disagreement=0.1, margin=0.02
    )
    below = nf.detectable_effect(n=found.n, sd=0.2, margin=0.01, power=0.9)
    assert below == pytest.approx(0, abs=1e-4)


def test_field_terms_are_shares_of_items() -> None:
    by_accuracy = nf.power("mcnemar", n=1000, accuracy_a=0.9, accuracy_b=0.88, disagreement=0.1)
    assert by_accuracy == pytest.approx(nf.power("mcnemar", n=1000, p10=0.06, p01=0.04), rel=1e-12)
    assert by_accuracy == pytest.approx(nf.power("sign", n=1000, p10=0.06, p01=0.04), rel=1e-12)
    assert nf.sample_size("auto", accuracy_a=0.9, accuracy_b=0.88, disagreement=0.1).test == "mcnemar"
    assert nf.sample_size("auto", disagreement=0.1, margin=0.02).test == "tango"
    by_mean = nf.power("paired_t", n=1000, accuracy_a=0.9, accuracy_b=0.88, disagreement=0.1)
    assert by_mean == pytest.approx(nf.power(n=1000, difference=0.02, sd=math.sqrt(0.1 - 0.02**2)), rel=1e-12)
    assert by_accuracy < by_mean < by_accuracy + 0.05, "the exact test is the more cautious one"


def test_detectable_effects_in_their_own_terms() -> None:
    share = nf.detectable_effect("sign", n_untied=100)
    assert nf.power("sign", n_untied=100, prob_a_better=share) == pytest.approx(0.8, abs=1e-9)
    gain = nf.detectable_effect("mcnemar", n=500, disagreement=0.1)
    assert nf.power("mcnemar", n=500, difference=gain, disagreement=0.1) == pytest.approx(0.8, abs=1e-9)
    assert nf.detectable_effect(n=100, sd=1, alternative="less") == -nf.detectable_effect(
        n=100, sd=1, alternative="greater"
    )
    assert math.isnan(nf.detectable_effect("sign", n_untied=4))
    assert "No true gap, however large, is revealed by 4 untied items" in str(detected("sign", n_untied=4))


def test_compare_gives_the_same_detectable_difference() -> None:
    rng = np.random.default_rng(2)
    a, b = np.round(rng.normal(0, 1, 60), 3), np.round(rng.normal(0, 1, 60), 3)
    found = nf.compare(a, b).detectable
    sd = float(np.std(a - b, ddof=1))
    assert found.difference == pytest.approx(nf.detectable_effect(n=60, sd=sd), rel=1e-9)
    assert found.threshold < found.difference


def test_the_chance_of_a_claim_is_exact() -> None:
    """Against all ways in which p-values can fall between the levels, datasets alike or not."""
    tables = [
        np.array([0.2, 0.5, 0.7]),
        np.array([0.1, 0.3, 0.35]),
        np.array([0.6, 0.8, 0.9]),
        np.array([0.2, 0.5, 0.7]),
    ]
    steps = [np.diff(np.concatenate(([0.0], row, [1.0]))) for row in tables]
    total = 0.0
    for places in itertools.product(range(4), repeat=len(tables)):
        counts = [sum(place <= level for place in places) for level in range(3)]
        if all(count >= level + 1 for level, count in enumerate(counts)):
            total += math.prod(step[place] for step, place in zip(steps, places, strict=True))
    found = chance_of_claim(tables)
    assert found.exact
    assert found.value == pytest.approx(total, rel=1e-12)


def test_a_replicability_plan() -> None:
    stated = {"difference": 0.2, "sd": 1.0}
    alone = nf.power("replicate", n=150, datasets=1, claim=1, **stated)
    assert alone == pytest.approx(nf.power(n=150, **stated, alpha=0.025, alternative="greater"), rel=1e-9)
    chances = [nf.power("replicate", n=150, datasets=6, claim=claim, **stated) for claim in range(1, 7)]
    assert chances == sorted(chances, reverse=True)
    # All six: every p-value must meet its own step; at least k by Bonferroni alone is less.
    single = nf.power(n=150, **stated, alpha=0.025 / 6, alternative="greater")
    assert all(chance >= at_least([single] * 6, k) - 1e-12 for k, chance in enumerate(chances, start=1))
    rng = np.random.default_rng(8)
    shape = (REPETITIONS, 6)
    t = (rng.normal(0.2 * math.sqrt(150), 1, shape)) / np.sqrt(rng.chisquare(149, shape) / 149)
    ordered = np.sort(stats.t.sf(t, 149), axis=1)
    claimed = (np.cumprod(ordered <= 0.025 / np.arange(6, 0, -1), axis=1)).sum(axis=1)
    for k in (1, 4, 6):
        assert within(int(np.sum(claimed >= k)), REPETITIONS, chances[k - 1])
    n = nf.sample_size("replicate", datasets=6, claim=4, **stated).n
    assert nf.power("replicate", n=n, datasets=6, claim=4, **stated) >= 0.8
    assert nf.power("replicate", n=n - 1, datasets=6, claim=4, **stated) < 0.8
    mixed = nf.power("replicate", n=[100, 150, 200], datasets=3, claim=2, difference=[0.2, 0.2, 0.1], sd=1.0)
    assert 0 < mixed < 1
    many = planned("replicate", n=list(range(100, 120)), datasets=20, claim=5, difference=0.2, sd=1.0)
    assert many.bound
    assert "in at least 23 of 100 studies" in verdict(many).verdict


@pytest.mark.parametrize(
    ("call", "message", "fix"),
    [
        (lambda: nf.sample_size(sd=1), "paired_t cannot be planned without difference.", "smallest true difference"),
        (lambda: nf.sample_size(difference=1), "paired_t cannot be planned without sd.", "item by item"),
        (
            lambda: nf.sample_size(difference=0, sd=1),
            "no number of items finds a difference that is not there.",
            "state",
        ),
        (
            lambda: nf.sample_size(difference=-1, sd=1, alternative="greater"),
            "a true difference of -1 does not lie on the side that is tested: above 0.",
            "turn the sign",
        ),
        (lambda: nf.power(n=10, difference=1, sd=0), "sd = 0 is not a finite number above 0.", "give"),
        (lambda: nf.power(n=1, difference=1, sd=1), "n = 1 is not a number of items for this test.", "at least 2"),
        (lambda: nf.power(n=10.5, difference=1, sd=1), "n = 10.5 is not a number of items for this test.", "whole"),
        (lambda: nf.power(difference=1, sd=1), "the power depends on the number of items.", "give n"),
        (
            lambda: nf.power("welsh_t", n=9, difference=1, sd=1),
            "the power of the test 'welsh_t' is not known",
            "welch_t",
        ),
        (
            lambda: nf.power("bootstrap", n=9, difference=1, sd=1),
            "the power of the test 'bootstrap'",
            "close to that of",
        ),
        (
            lambda: nf.power("mcnemar", n=9, accuracy_a=0.9, accuracy_b=0.8),
            "the power also depends on how often",
            "0.26",
        ),
        (
            lambda: nf.power("mcnemar", n=9, accuracy_a=0.9, accuracy_b=0.8, disagreement=0.05),
            "disagreement = 0.05 cannot be: accuracies that differ by 0.1 disagree on between 0.1 and 0.3",
            "exactly one",
        ),
        (lambda: nf.power("mcnemar", n=9, p10=0.5), "p10 and p01 belong together.", "both"),
        (lambda: nf.power("mcnemar", n=9, p10=0.7, p01=0.6), "p10 + p01 = 1.3 is not a share of the items.", "sum"),
        (lambda: nf.power("sign", n=9, p10=0.2, p01=0.1, margin=0.1), "sign has no valid form with a margin.", "tango"),
        (lambda: nf.power(n=9, sd=1, margin=0.1, alternative="less"), "a margin asks whether A is not worse", "leave"),
        (lambda: nf.power(n=9, difference=1, sd=1, adjust="hommel"), "there is no adjustment for planning", "holm"),
        (lambda: nf.power(n=9, difference=1, sd=1, tests=0), "tests = 0 is not a number of tests.", "at least 1"),
        (lambda: nf.power(n=9, difference=1, sd=1, alternative="both"), "there is no alternative 'both'.", "two-sided"),
        (lambda: nf.power(n=9, difference=1, sd=1, claim=2), "datasets, claim and each belong", "replicate"),
        (lambda: nf.power("replicate", n=9, difference=1, sd=1), "a replicability plan needs", "datasets=12"),
        (
            lambda: nf.power("replicate", n=9, difference=[1, 2], sd=1, datasets=3, claim=2),
            "difference has 2 values for 3 datasets.",
            "one for each",
        ),
        (lambda: nf.sample_size(difference=1e-9, sd=1), "more than 1,000,000,000 items would be needed.", "larger"),
        (lambda: nf.detectable_effect("replicate", n=9), "a replicability plan has no single detectable", "ask for"),
    ],
)
def test_what_cannot_be_planned_is_refused(call: Any, message: str, fix: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.message.startswith(message)
    assert fix in caught.value.advice()


def test_the_words() -> None:
    found = nf.sample_size("mcnemar", accuracy_a=0.9, accuracy_b=0.88, disagreement=0.1)
    assert verdict(found).verdict == (
        "2,043 items reveal a true gap of 0.02 in accuracy in 8 of 10 test sets (McNemar's test, two-sided, level "
        "0.05)."
    )
    assert found.signature == (
        "nofluke:0.1.0|sample_size:mcnemar|accuracy_a:0.9|accuracy_b:0.88|disagreement:0.1|alpha:0.05|power:0.8|"
        "alternative:two-sided"
    )
    nothing = planned("paired_t", n=50, difference=0.0, sd=1.0)
    assert "That is the error rate, not power." in verdict(nothing).verdict
    sure = planned("paired_t", n=5000, difference=1.0, sd=1.0)
    assert "more than 99 of 100 test sets" in verdict(sure).verdict


def tables_of(n: int, p10: float, p01: float) -> list[tuple[int, int, float]]:
    """All tables with their probabilities."""
    found = []
    for b in range(n + 1):
        for c in range(n + 1 - b):
            ways = math.comb(n, b) * math.comb(n - b, c)
            found.append((b, c, ways * p10**b * p01**c * (1 - p10 - p01) ** (n - b - c)))
    return found


@pytest.mark.parametrize(
    ("n", "p10", "p01", "margin", "alternative"),
    [
        (9, 0.5, 0.1, 0.0, "two-sided"),
        (13, 0.1, 0.1, 0.3, "greater"),
        (10, 0.4, 0.1, 0.0, "greater"),
        (9, 0.1, 0.45, 0.0, "less"),
    ],
)
def test_tango_is_planned_in_the_form_that_is_run(
    n: int, p10: float, p01: float, margin: float, alternative: str
) -> None:
    stated = {"margin": margin} if margin else {"alternative": alternative}
    power = nf.power("tango", n=n, p10=p10, p01=p01, **stated)
    found = 0.0
    for b, c, chance in tables_of(n, p10, p01):
        sample = nf.sample_from_counts(n - b - c, b, c, 0)
        found += chance * (nf.test(sample, "tango", delta=-margin, alternative=alternative).p_value <= 0.05)
    assert power == pytest.approx(found, rel=1e-9)


def test_tango_plans_meet_on_either_side_of_50_items() -> None:
    plan = nf.sample_size("tango", p10=0.3, p01=0.05)
    assert plan.n <= 50
    assert nf.power("tango", n=plan.n - 1, p10=0.3, p01=0.05) < 0.8 <= plan.power
    # At 51 items the score form takes over, which rejects a little more often.
    at = [nf.power("tango", n=n, p10=0.2, p01=0.05) for n in (49, 50, 51, 52)]
    assert at[2] - at[1] < 0.1
    found = nf.detectable_effect("tango", n=30, disagreement=0.3)
    assert nf.power("tango", n=30, difference=found, disagreement=0.3) == pytest.approx(0.8, abs=1e-6)


def test_no_detectable_difference_is_larger_than_the_disagreement() -> None:
    # With a margin of .2 and disagreement on .1 of the items, any candidate at all is found not to be worse.
    assert nf.detectable_effect("tango", n=40, disagreement=0.1, margin=0.2) >= -0.1
