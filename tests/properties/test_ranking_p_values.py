"""A ranking's p-value of a pair is that of the test of the pair: the same question has the same answer."""

from __future__ import annotations

import math

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.registry import TESTS, Method
from support import oracle
from support.extremes import FAMILIES, Case, each_family, effort, for_all
from support.occasions import options_of, systems_for

DRAWN = ("bootstrap_median",)


@pytest.mark.parametrize("clear", [True, False], ids=["clear", "unclear"])
@pytest.mark.parametrize(
    "method",
    [method for method in TESTS if method.name not in DRAWN and not method.facts["runs"]],
    ids=lambda m: m.name,
)
def test_a_pair_of_a_ranking_is_the_test_of_the_pair(method: Method, clear: bool) -> None:
    systems = systems_for(method, clear)
    exact = {"exact": "all"} if method.name in ("permutation", "bootstrap", "wilcoxon") else {}
    ranking = nf.rank(systems, method=method.name, **exact, **options_of(method))
    for i, one in enumerate(ranking.systems):
        for j, other in enumerate(ranking.systems):
            if i == j:
                continue
            alone = nf.test(systems[one], systems[other], method.name, alternative="greater", **options_of(method))
            assert ranking.p_values[i, j] == pytest.approx(alone.p_value, rel=1e-6), (one, other)


@effort
@each_family
def test_flips_of_all_pairs_are_what_counting_gives(family: str, examples: int) -> None:
    def holds(case: Case) -> bool:
        if len(case.d) > 12:
            return False
        try:
            ranking = nf.rank(case.scores(), method="permutation", exact="all")
        except NoflukeError:
            return False
        truth = oracle.permutation(case.d)
        i, j = (ranking.systems.index(name) for name in ("A", "B"))
        for found, side in ((ranking.p_values[i, j], "greater"), (ranking.p_values[j, i], "less")):
            assert math.isclose(found, float(truth[side]), rel_tol=1e-6), f"{side}: {found}, counted {truth[side]}"
        return True

    assert for_all(FAMILIES[family](), holds, examples)
