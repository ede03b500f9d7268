"""Unpaired tests, the corrected resampled t-test, and mean, standardised and dominance effects."""

from __future__ import annotations

from typing import Any

import nofluke as nf
from support.quantities.base import Compute, Quantity, limits, p_value


def effect(name: str, **options: Any) -> Compute:
    return lambda _, a, b: nf.effect(a, b, name, **options).value


def effect_limits(name: str, level: float, **options: Any) -> Compute:
    def compute(_: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
        interval = nf.effect(a, b, name, confidence_level=level, **options).interval
        assert interval is not None
        return [interval.low, interval.high]

    return compute


def resampled(inputs: dict[str, Any], a: list[float], b: list[float]) -> Any:
    return nf.test(a, b, "corrected_resampled_t", alternative=inputs.get("alternative", "two-sided"), rho=inputs["rho"])


def resampled_limits(inputs: dict[str, Any], a: list[float], b: list[float]) -> list[float]:
    interval = resampled(inputs, a, b).interval
    return [interval.low, interval.high]


def rank_sum(inputs: dict[str, Any], a: list[float], b: list[float]) -> Any:
    options = {name: inputs[name] for name in ("mode", "continuity") if name in inputs}
    a, b = inputs.get("a", a), inputs.get("b", b)
    return nf.test(a, b, "mann_whitney", alternative=inputs.get("alternative", "two-sided"), **options)


QUANTITIES: dict[str, Quantity] = {
    "student_t_unpaired.statistic": Quantity(lambda _, a, b: nf.test(a, b, "student_t").statistic),
    "student_t_unpaired.df": Quantity(lambda _, a, b: nf.test(a, b, "student_t").details["df"]),
    "student_t_unpaired.p": Quantity(p_value("student_t"), ("test:student_t",)),
    "student_t_unpaired.ci95": Quantity(limits("student_t", 0.95)),
    "welch_t_unpaired.statistic": Quantity(lambda _, a, b: nf.test(a, b, "welch_t").statistic),
    "welch_t_unpaired.df": Quantity(lambda _, a, b: nf.test(a, b, "welch_t").details["df"]),
    "welch_t_unpaired.p": Quantity(p_value("welch_t"), ("test:welch_t",)),
    "welch_t_unpaired.ci95": Quantity(limits("welch_t", 0.95)),
    "corrected_resampled_t.statistic": Quantity(lambda i, a, b: resampled(i, a, b).statistic),
    "corrected_resampled_t.p": Quantity(lambda i, a, b: resampled(i, a, b).p_value, ("test:corrected_resampled_t",)),
    "corrected_resampled_t.ci95": Quantity(resampled_limits),
    "mann_whitney.U": Quantity(lambda i, a, b: rank_sum(i, a, b).statistic),
    "mann_whitney.p": Quantity(lambda i, a, b: rank_sum(i, a, b).p_value, ("test:mann_whitney",)),
    "mean_difference.value": Quantity(effect("mean_difference"), ("effect:mean_difference",)),
    "mean_difference.standard_error": Quantity(lambda _, a, b: nf.effect(a, b, "mean_difference").standard_error),
    "cohen_d_z": Quantity(effect("cohens_d", form="z"), ("effect:cohens_d",)),
    "cohen_d_z.noncentral_t_ci95": Quantity(effect_limits("cohens_d", 0.95, form="z")),
    "cohen_d_av_mean_sd": Quantity(effect("cohens_d", form="av")),
    "cohen_d_av_rms": Quantity(effect("cohens_d", form="pooled")),
    # With equally many scores the pooled sd of two groups is the root mean square of theirs.
    "cohen_d_pooled_unpaired": Quantity(effect("cohens_d", form="pooled")),
    "cohen_d_rm": Quantity(effect("cohens_d", form="rm")),
    "hedges_g.exact_gamma_df_n_minus_1": Quantity(effect("hedges_g", form="exact"), ("effect:hedges_g",)),
    "hedges_g.approx_df_n_minus_1": Quantity(effect("hedges_g", form="approximate")),
    "hedges_g.zhu2020_4n_minus_9": Quantity(effect("hedges_g", form="zhu2020")),
    "cliffs_delta": Quantity(effect("cliffs_delta"), ("effect:cliffs_delta",)),
    "vargha_delaney_A12": Quantity(effect("a12"), ("effect:a12",)),
}

LEFT_OUT: dict[str, str] = {
    "hedges_g.pingouin_paired": "d of form pooled with the two-group factor: what one package prints for pairs",
    "cles.pingouin_wilcoxon": "the unpaired A12 under another name; vargha_delaney_A12 covers it",
}
