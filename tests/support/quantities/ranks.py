"""Wilcoxon's test, the Hodges-Lehmann estimate and its interval, Wilcoxon r, the rank-biserial correlation."""

from __future__ import annotations

from typing import Any

import nofluke as nf
from nofluke.types import TestResult
from support.quantities.base import Compute, Quantity

ZEROS = {"wilcox": "drop", "pratt": "pratt"}


def snap(inputs: dict[str, Any]) -> bool:
    return inputs.get("arithmetic") != "binary64 differences"


def wilcoxon(inputs: dict[str, Any], a: list[float], b: list[float], **options: Any) -> TestResult:
    return nf.test(a, b, "wilcoxon", zeros=ZEROS[inputs["zero_method"]], snap=snap(inputs), **options)


def p(inputs: dict[str, Any], a: list[float], b: list[float]) -> float:
    return wilcoxon(
        inputs,
        a,
        b,
        alternative=inputs["alternative"],
        mode=inputs["method"],
        continuity=inputs.get("correction", False),
    ).p_value


def z(inputs: dict[str, Any], a: list[float], b: list[float]) -> float:
    assert not inputs["correction"]
    return wilcoxon(inputs, a, b).z_score


def effect(name: str, **options: Any) -> Compute:
    def compute(inputs: dict[str, Any], a: list[float], b: list[float]) -> float:
        return nf.effect(a, b, name, snap=snap(inputs), **options).value

    return compute


def pseudo_median(pairs: str) -> Compute:
    return lambda _, a, b: nf.effect(a, b, "hodges_lehmann", pairs=pairs).value


def walsh_limits(level: float) -> Compute:
    def compute(_: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
        interval = nf.effect(a, b, "hodges_lehmann", confidence_level=level).interval
        same = nf.test(a, b, "wilcoxon", confidence_level=level).interval
        assert interval is not None
        assert interval == same
        return [interval.low, interval.high]

    return compute


def paper_r(n: str) -> Compute:
    """The paper prints |Z|; our sign says which system is better."""
    signed = effect("wilcoxon_r", n=n)
    return lambda inputs, a, b: abs(signed(inputs, a, b))


QUANTITIES: dict[str, Quantity] = {
    "wilcoxon_signed_rank.p": Quantity(p, ("test:wilcoxon",)),
    "wilcoxon_signed_rank.W_plus": Quantity(lambda inputs, a, b: wilcoxon(inputs, a, b).statistic),
    "wilcoxon_signed_rank.z": Quantity(z),
    "wilcoxon_signed_rank.z_abs": Quantity(lambda inputs, a, b: abs(z(inputs, a, b))),
    "hodges_lehmann.walsh": Quantity(pseudo_median("walsh"), ("effect:hodges_lehmann",)),
    "hodges_lehmann.zhu2020_i_ne_j": Quantity(pseudo_median("distinct")),
    "hodges_lehmann.exact_ci95": Quantity(walsh_limits(0.95)),
    "hodges_lehmann.exact_ci90": Quantity(walsh_limits(0.90)),
    "wilcoxon_r.zhu2020_eq4": Quantity(paper_r("nonzero"), ("effect:wilcoxon_r",)),
    "wilcoxon_r.all_pairs_n": Quantity(paper_r("all")),
    "rank_biserial_matched": Quantity(effect("rank_biserial"), ("effect:rank_biserial",)),
    "rank_biserial_matched.effectsize_with_zeros": Quantity(effect("rank_biserial")),
    "rank_biserial_matched.pingouin_with_zeros": Quantity(effect("rank_biserial")),
    "rank_biserial_matched.zeros_dropped": Quantity(effect("rank_biserial")),
    "rank_biserial_matched.pratt": Quantity(effect("rank_biserial", zeros="pratt")),
    "rank_biserial_matched.pratt_over_total": Quantity(effect("rank_biserial", zeros="pratt_total")),
}

LEFT_OUT: dict[str, str] = {
    "wilcoxon_signed_rank.p_scipy_method_exact_with_ties_or_zeros": "SciPy's method='exact' ignores ties and zeros",
    "hodges_lehmann.exactRankTests_ci95": "another convention for ties; ours is Noether's closed interval",
    "hodges_lehmann.R_asymptotic_ci95": "a root of R's asymptotic statistic, right to 1e-4 only",
    "wilcoxon_r.rstatix": "Pratt's Z over the root of all pairs, one package's mixture",
}
