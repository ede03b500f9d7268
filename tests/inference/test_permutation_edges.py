"""The permutation test at its edges, against counting every swap in exact fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.inference.resampling.null_distribution import null_distribution
from nofluke.types import FloatArray, Sample
from support import oracle

Pair = tuple[FloatArray, FloatArray]


def share_of_swaps(differences: list[Fraction], alternative: str) -> Fraction:
    """Swapping a set of items reaches the observed sum exactly when the sum over the set is at most 0."""
    common = math.lcm(*(d.denominator for d in differences))
    sums = np.zeros(1, dtype=object)
    for d in differences:
        sums = np.concatenate((sums, sums + int(d * common)))
    greater, less = (Fraction(int(np.count_nonzero(hits)), len(sums)) for hits in (sums <= 0, sums >= 0))
    return {"greater": greater, "less": less}.get(alternative, min(Fraction(1), 2 * min(greater, less)))


def normal(rng: np.random.Generator, n: int) -> Pair:
    return rng.normal(0.1, 1, n), rng.normal(0, 1, n)


def beside_huge(rng: np.random.Generator, n: int) -> Pair:
    a, b = normal(rng, n)
    a[0] = rng.choice([1e9, 1e15, 1e30, -1e12, 123456789.123456])
    b[0] = rng.choice([a[0], b[0]])
    return a, b


def on_an_offset(rng: np.random.Generator, n: int) -> Pair:
    a, b = normal(rng, n)
    offset = 10.0 ** rng.integers(3, 10)
    return offset + a, offset + b


def of_all_sizes(rng: np.random.Generator, n: int) -> Pair:
    return rng.choice([-1, 1], n) * 10 ** rng.uniform(-9, 9, n), rng.choice([-1, 1], n) * 10 ** rng.uniform(-9, 9, n)


def decimals(rng: np.random.Generator, n: int) -> Pair:
    return np.round(rng.normal(0.05, 1, n), 3), np.round(rng.normal(0, 1, n), 3)


def decimals_beside_huge(rng: np.random.Generator, n: int) -> Pair:
    a, b = np.round(rng.normal(0.3, 1, n), 1), np.round(rng.normal(0, 1, n), 1)
    a[0], b[0] = rng.choice([(1e15, 1e15), (1e15, 0.5), (0.1, 1e20)])
    return a, b


def fractions(rng: np.random.Generator, n: int) -> Pair:
    m = int(rng.integers(3, 30))
    return rng.integers(0, m + 1, n) / m, rng.integers(0, m + 1, n) / m


KINDS: dict[Callable[[np.random.Generator, int], Pair], Callable[[float], Fraction]] = {
    normal: Fraction,
    beside_huge: Fraction,
    on_an_offset: Fraction,
    of_all_sizes: Fraction,
    decimals: lambda value: Fraction(repr(value)),
    decimals_beside_huge: lambda value: Fraction(repr(value)),
    fractions: lambda value: Fraction(value).limit_denominator(100),
}


def in_clusters(sample: Sample, codes: np.ndarray) -> Sample:
    return replace(sample, clusters=codes, cluster_labels=tuple(str(code) for code in range(int(codes.max()) + 1)))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_p_values_are_those_of_all_swaps_or_say_how_far_they_may_be_off(
    kind: Callable[[np.random.Generator, int], Pair],
) -> None:
    rng, meant = np.random.default_rng(20), KINDS[kind]
    for _ in range(120):
        n = int(rng.integers(3, 12))
        a, b = kind(rng, n)
        delta = float(rng.choice([0.0, round(rng.normal(0, 0.3), int(rng.integers(1, 17))), rng.normal(0, 0.3)]))
        alternative = str(rng.choice(["two-sided", "greater", "less"]))
        sample = as_sample(a, b)
        differences = [meant(x) - meant(y) - Fraction(repr(delta)) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        if rng.random() < 0.3:
            codes = rng.integers(0, 5, n)
            sample = in_clusters(sample, codes)
            grouped = [sum(d for d, c in zip(differences, codes, strict=True) if c == k) for k in np.unique(codes)]
            differences = [Fraction(total) for total in grouped]
        try:
            found = nf.test(sample, "permutation", alternative=alternative, delta=delta)
        except nf.MethodError as refused:
            assert "tied" in str(refused)  # noqa: PT017 (flipping ties about a delta is refused, and tested elsewhere)
            continue
        expected = share_of_swaps(differences, alternative)
        off = abs(Fraction(found.p_value) - expected)
        if found.computed.how == "exact":
            assert off <= Fraction(1, 10**9) * expected
        else:
            assert found.computed.how == "approximate"
            assert off <= Fraction(found.computed.error) * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("digits", [8, 10, 12, 14, 16])
def test_a_delta_of_many_digits_is_taken_as_it_is(digits: int) -> None:
    rng = np.random.default_rng(digits)
    for _ in range(40):
        n = int(rng.integers(5, 11))
        a, b = np.round(rng.normal(0.2, 1, n), 1), np.round(rng.normal(0, 1, n), 1)
        if np.mean(a == b) > 0.2:
            continue
        # Hardly more or less than the mean of some of the items: a delta that was rounded would make a tie of it.
        some = rng.permutation(n)[: int(rng.choice([3, 7]))]
        delta = round(float(np.mean((a - b)[some])), digits)
        exact = [
            Fraction(repr(x)) - Fraction(repr(y)) - Fraction(repr(delta))
            for x, y in zip(a.tolist(), b.tolist(), strict=True)
        ]
        found = nf.test(a, b, "permutation", alternative="greater", delta=delta)
        assert found.computed.how == "exact"
        assert found.p_value == pytest.approx(float(share_of_swaps(exact, "greater")), rel=1e-9)


@pytest.mark.parametrize("scale", [1e3, 1e5, 1e7])
def test_a_delta_of_many_digits_is_taken_as_it_is_for_measured_scores(scale: float) -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        n = int(rng.integers(4, 11))
        a, b = rng.normal(0.2, 1, n) * scale, rng.normal(0, 1, n) * scale
        delta = float(rng.normal(0, 0.2))
        exact = [Fraction(x) - Fraction(y) - Fraction(repr(delta)) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        found = nf.test(a, b, "permutation", alternative="greater", delta=delta)
        assert found.computed.how == "exact"
        assert found.p_value == pytest.approx(float(share_of_swaps(exact, "greater")), rel=1e-9)


def written(path: Path, rows: list[tuple[str, ...]]) -> Sample:
    path.write_text("item,A,B\n" + "".join(f"{i},{','.join(row)}\n" for i, row in enumerate(rows)))
    return nf.read(path).pair("A", "B")


@pytest.fixture(scope="module")
def always_better(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    rows = [(f"0.9{i:014d}", f"0.1{7 * i:014d}") for i in range(20_000)]
    return written(tmp_path_factory.mktemp("digits") / "scores.csv", rows)


def test_fifteen_digits_on_many_items_do_not_overflow(always_better: Sample) -> None:
    assert always_better.grid.decimals == 15
    greater = nf.test(always_better, "permutation", alternative="greater")
    assert greater.log_p_value == pytest.approx(-20_000 * math.log(2), rel=1e-12)
    assert greater.interval is not None
    assert greater.interval.low == pytest.approx(0.8, abs=1e-9)
    assert nf.test(always_better, "permutation", alternative="less").p_value == 1.0
    drawn = nf.test(always_better, "permutation", alternative="greater", monte_carlo=199)
    assert drawn.p_value == 1 / 200
    assert drawn.interval is not None
    assert drawn.interval.low == pytest.approx(greater.interval.low, abs=1e-12)
    assert greater.z_score == pytest.approx(math.sqrt(20_000), rel=1e-6)


def test_fifteen_digits_in_large_clusters_do_not_overflow(always_better: Sample) -> None:
    clustered = in_clusters(always_better, np.arange(20_000) // 2_000)
    assert nf.test(clustered, "permutation", alternative="greater").p_value == pytest.approx(2.0**-10)
    assert nf.test(clustered, "permutation", alternative="less", monte_carlo=99).p_value == 1.0
    assert nf.compare(always_better).verdict == "better"


def test_clusters_of_fifteen_digits_match_counting(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    cells = rng.integers(0, 10**15, (18_000, 2))
    # One cluster in three is turned round, so that neither system always wins.
    cells.sort(axis=1)
    codes = np.arange(18_000) % 9
    cells[codes % 3 == 0] = cells[codes % 3 == 0][:, ::-1]
    sample = in_clusters(written(tmp_path / "s.csv", [(f"0.{x:015d}", f"0.{y:015d}") for x, y in cells]), codes)
    totals = [Fraction(sum((cells[codes == k, 0] - cells[codes == k, 1]).tolist())) for k in range(9)]
    for alternative in ("two-sided", "greater", "less"):
        found = nf.test(sample, "permutation", alternative=alternative)
        assert found.p_value == pytest.approx(float(share_of_swaps(totals, alternative)), rel=1e-12)
    law = null_distribution(sample)
    assert law is not None
    sd = math.sqrt(sum(float(t) ** 2 for t in totals)) * 1e-15 / 18_000
    assert float(np.max(np.abs(law.grid))) == pytest.approx(4.2 * sd, rel=1e-6)


def test_clear_wins_beside_a_huge_score_are_wins() -> None:
    for a, b in (([0.9] * 7, [0.1] * 7), ([0.9 + math.pi * 1e-9] * 7, [0.1] * 7)):
        assert nf.test([*a, 1e15], [*b, 1e15], "sign").p_value == pytest.approx(1 / 64)
        assert nf.test([*a, 1e15], [*b, 1e15], "wilcoxon").p_value == pytest.approx(1 / 64)
        assert nf.test([*a, 1e15], [*b, 1e15], "permutation").p_value == pytest.approx(1 / 64)


@pytest.mark.parametrize("huge", [1e9, 1e15, 1e40])
def test_many_differences_beside_a_huge_one_keep_their_p_value(huge: float) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.02, 1, 10_000), rng.normal(0, 1, 10_000)
    alone = nf.test(a, b, "permutation", alternative="greater")
    beside = nf.test(np.append(a, huge), np.append(b, 0.0), "permutation")
    # The huge difference must keep its sign, which half of all swaps do; two-sided doubles that again.
    assert beside.computed.how == "exact"
    assert beside.p_value == pytest.approx(alone.p_value, rel=1e-8)


def ranks_of(differences: list[Fraction]) -> list[Fraction]:
    sizes = [abs(d) for d in differences if d]
    signs = [1 if d > 0 else -1 for d in differences if d]
    doubled = [sum(other < size for other in sizes) * 2 + sum(other == size for other in sizes) + 1 for size in sizes]
    return [Fraction(sign * rank) for sign, rank in zip(signs, doubled, strict=True)]


@pytest.mark.parametrize("kind", [normal, on_an_offset, of_all_sizes, decimals_beside_huge], ids=lambda k: k.__name__)
def test_signs_and_ranks_are_those_of_exact_differences(kind: Callable[[np.random.Generator, int], Pair]) -> None:
    rng, meant = np.random.default_rng(3), KINDS[kind]
    for _ in range(60):
        a, b = kind(rng, int(rng.integers(3, 12)))
        differences = [meant(x) - meant(y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        if not any(differences):
            continue
        expected = share_of_swaps(ranks_of(differences), "greater")
        assert nf.test(a, b, "wilcoxon", alternative="greater").p_value == pytest.approx(float(expected), rel=1e-9)
        signs = [Fraction((d > 0) - (d < 0)) for d in differences]
        expected = share_of_swaps(signs, "greater")
        assert nf.test(a, b, "sign", alternative="greater").p_value == pytest.approx(float(expected), rel=1e-9)


def test_a_tie_width_is_exact_on_a_fine_grid(tmp_path: Path) -> None:
    rows = [(f"0.{100_000_000_000_003 + i}", f"0.{90_000_000_000_003 + i:015d}") for i in range(50)]
    assert nf.test(written(tmp_path / "s.csv", rows), "sign", tie_width=0.01).details["n_tied"] == 50


def test_ties_that_only_rounding_could_break_are_counted_and_told() -> None:
    # F1 scores of items of many lengths have no common denominator of use; 1/3 + 1/6 is 1/2 nevertheless.
    others = [k / m for k, m in ((3, 997), (5, 991), (7, 983), (11, 977), (13, 971))]
    a = [1 / 3, 1 / 6, 0.0, *others]
    b = [0.0, 0.0, 1 / 2, *[0.0] * 5]
    found = nf.test(a, b, "permutation", alternative="greater")
    exact = [Fraction(1, 3), Fraction(1, 6), Fraction(-1, 2)]
    exact += [Fraction(k, m) for k, m in ((3, 997), (5, 991), (7, 983), (11, 977), (13, 971))]
    assert found.p_value == pytest.approx(float(share_of_swaps(exact, "greater")), rel=1e-12)
    assert found.computed.how == "approximate"
    assert found.computed.error > 0


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_draws_do_not_depend_on_the_order_of_items(method: str, clustered: bool) -> None:
    rng = np.random.default_rng(4)
    for a, b in (decimals(rng, 60), normal(rng, 60)):
        order, codes = rng.permutation(60), np.arange(60) % 12
        first, again = as_sample(a, b), as_sample(a[order], b[order])
        mirrored = as_sample(b[order], a[order])
        if clustered:
            first, again, mirrored = (
                in_clusters(first, codes),
                in_clusters(again, 11 - codes[order]),
                in_clusters(mirrored, codes[order]),
            )
        p = [nf.test(sample, method, monte_carlo=999, seed=5).p_value for sample in (first, again, mirrored)]
        assert p[0] == p[1] == p[2]


@pytest.mark.parametrize(
    ("decades", "n"),
    [(20, 8), (60, 8), (99, 8), (20, 30)]
    + [pytest.param(decades, n, marks=pytest.mark.slow) for decades, n in ((60, 30), (99, 30), (20, 120), (99, 120))],
)
def test_scores_of_all_magnitudes_have_p_values_and_intervals(decades: int, n: int) -> None:
    rng = np.random.default_rng(n)
    a, b = (10 ** rng.uniform(-decades, decades, n) for _ in range(2))
    for method in ("permutation", "sign", "wilcoxon"):
        found = nf.test(a, b, method)
        assert 0 < found.p_value <= 1
    found = nf.test(a, b, "permutation", alternative="greater", monte_carlo=9_999)
    exact = nf.test(a, b, "permutation", alternative="greater")
    assert found.p_value == pytest.approx(exact.p_value, abs=0.02)


@pytest.mark.parametrize("delta", [1e-20, -1e-20, 3e-14, -3e-14])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_equal_scores_are_beside_a_delta_below_the_noise_of_the_others(delta: float, side: str) -> None:
    rng = np.random.default_rng(6)
    for ties in (1, 4, 9):
        a, b = normal(rng, 10)
        b[:ties] = a[:ties]
        exact = [Fraction(x) - Fraction(y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        found = nf.test(a, b, "wilcoxon", alternative=side, delta=delta)
        assert found.p_value == pytest.approx(float(oracle.wilcoxon(exact, Fraction(delta))[side]), rel=1e-12)
