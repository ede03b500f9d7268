"""With clusters the cluster is flipped as a whole: counting all signs of their totals gives the p-value."""

from __future__ import annotations

import pytest

import nofluke as nf
from properties.test_exact_p_values import SIDES, fits
from support import oracle
from support.extremes import Case, effort, for_all, unequal_clusters


@effort
@pytest.mark.parametrize("side", SIDES)
def test_flips_of_clusters_are_what_counting_gives(side: str, examples: int) -> None:
    def holds(case: Case) -> None:
        assert case.clusters is not None
        truth = oracle.permutation(oracle.clustered(case.d, case.clusters))
        result = nf.test(case.sample(), method="permutation", alternative=side)
        assert fits(result, float(truth[side])), f"{result.p_value}, counted {float(truth[side])}"

    for_all(unequal_clusters(), holds, examples)


@effort
def test_clusters_of_one_item_are_items(examples: int) -> None:
    def holds(case: Case) -> None:
        alone = Case(case.kind, case.a, case.b, case.means_a, case.means_b, tuple(f"c{i}" for i in range(len(case.a))))
        single = Case(case.kind, case.a, case.b, case.means_a, case.means_b)
        one, other = (nf.test(each.sample(), method="permutation") for each in (alone, single))
        assert one.p_value == pytest.approx(other.p_value, rel=1e-9)
        assert one.estimate == pytest.approx(other.estimate, rel=1e-9)

    for_all(unequal_clusters(), holds, examples)
