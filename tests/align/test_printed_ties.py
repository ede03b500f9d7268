"""Where printed precision hides ties, the verdict says so."""

from __future__ import annotations

import numpy as np

import nofluke as nf
from nofluke.align import as_sample, differences, find_grid, widen_ties
from nofluke.inference.comparison.robustness import _meant
from nofluke.types import Comparison, Note

THIRDS = {0: "0.000000", 1: "0.333333", 2: "0.666667", 3: "1.000000"}


def test_widening_merges_only_what_printing_tore_apart() -> None:
    merged = widen_ties(np.array([333333, -333334, 666667, 1, 0, -1]))
    assert merged is not None
    assert merged.tolist() == [333333, -333333, 666667, 0, 0, 0]
    assert widen_ties(np.array([10, 20, 30])) is None
    assert widen_ties(np.arange(10, 40)) is None


def rounding_decides(result: Comparison) -> bool:
    return any(isinstance(one, Note) and one.code == "compare.rounding_decides" for one in result.notes)


def test_a_verdict_that_hangs_on_the_sixth_digit_is_told() -> None:
    # As thirds, all positive differences are 1/3; printed, some are .333333 and some .333334.
    a = [float(THIRDS[k]) for k in (1, 2, 3, 1, 2, 3, 1, 2, 0)]
    b = [float(THIRDS[k]) for k in (0, 1, 2, 0, 1, 2, 0, 1, 2)]
    told = {}
    for alpha in np.linspace(0.02, 0.3, 57):
        result = nf.compare(a, b, method="wilcoxon", alpha=float(alpha))
        told[float(alpha)] = rounding_decides(result)
    exact = [k / 3 for k in (1, 1, 1, 1, 1, 1, 1, 1, -2)]
    right = nf.test(exact, [0.0] * 9, "wilcoxon").p_value
    printed = nf.test(a, b, "wilcoxon").p_value
    assert right != printed
    for alpha, said in told.items():
        assert said == ((right <= alpha) != (printed <= alpha))
    assert any(told.values())


def test_ratings_are_left_alone() -> None:
    result = nf.compare([1, 2, 3, 4, 5, 3], [2, 2, 2, 2, 2, 2], method="wilcoxon")
    assert not rounding_decides(result)


def test_ties_one_unit_wide_stay_on_the_grid_of_the_scores() -> None:
    rng = np.random.default_rng(2)
    a = rng.random(2_000).round(6)
    b = np.clip(a + rng.normal(0.002, 0.1, 2_000), 0, 1).round(6)
    sample = as_sample(a, b)
    widened = widen_ties(differences(sample).snapped)
    assert widened is not None
    meant, _ = _meant(sample)
    assert meant is not None
    assert find_grid(meant.statistics) == sample.grid == meant.grid
    assert differences(meant).snapped.tolist() == widened.tolist()
    # Off the grid the test of 2,000 sums counts ways for long; on it, it is exact at once.
    assert nf.test(meant, "permutation").computed.how == "exact"
