"""Remarks on Bayesian answers: priors, what another prior would give, what a model leaves out."""

from __future__ import annotations

import math

from nofluke.errors import Fix, Option, listing
from nofluke.registry import TESTS
from nofluke.types.base import counted
from nofluke.words.bayes_factor import claim, times
from nofluke.words.notes import Sayings
from nofluke.words.numbers import figure
from nofluke.words.posterior import equal_to, probabilities

_NAMED_WEIGHTS = {0.5: "Jeffreys", 1.0: "uniform"}


def _imagined(weight: float) -> str:
    """Say how many imagined items, after the name of the prior where it has one."""
    named = f"{_NAMED_WEIGHTS[weight]}, " if weight in _NAMED_WEIGHTS else ""
    return f"{named}{weight:g} imagined"


def _prior_flat(rho: float, unit: str) -> str:
    related = f"differences correlated by {rho:g}" if rho else f"independent {unit}s"
    return f"flat on the mean difference and on the logarithm of the standard deviation; {related}"


def _prior_dataset(strength: float, place: str, a: str, b: str) -> str:
    where = {
        "zero": f"on which {a} and {b} tie",
        "split": f"shared evenly between the sides of {a} and {b}",
        "better": f"on which {a} is far better",
        "worse": f"on which {b} is far better",
    }[place]
    return f"one imagined dataset of weight {strength:g}, {where}"


def _prior_hierarchical(scale: float, deviations: float | None) -> str:
    how = "" if deviations is None else f" ({deviations:g} observed standard deviations)"
    return (
        f"flat on the common mean; half-Cauchy with scale {scale:.3g}{how} on the standard deviation between datasets; "
        "standard errors taken as known"
    )


def _other_prior(weight: float, p_better: float, a: str) -> str:
    name = _NAMED_WEIGHTS.get(weight, f"{weight:g}")
    return f"With the {name} prior (weight {weight:g}), P({a} better) {equal_to(p_better)}."


def _wins(wins: int, losses: int, ties: int, a: str, b: str) -> str:
    return f"{a} wins {counted(wins, 'item')}, {b} {losses:,}; {counted(ties, 'tie')} left out."


def _datasets_won(better: int, worse: int, equal: int, region: bool, a: str, b: str) -> str:
    rest = "within the region" if region else "tied"
    return f"{a} is better on {counted(better, 'dataset')}, {b} on {worse:,}; {equal:,} {rest}."


def _other_place(place: str, outcome: str, p: float, draws: int, a: str, b: str) -> str:
    event = {"better": f"{a} better", "equal": "practically equivalent", "worse": f"{b} better"}[outcome]
    against = b if place == "worse" else a
    return (
        f"With the imagined dataset on the side of {against} ({Option('prior_place', place)}), P({event}) "
        f"{equal_to(p, draws)}."
    )


def _other_target(about: str, p_better: float, p_equal: float | None, p_worse: float, a: str, b: str) -> str:
    p = (p_better, p_equal or math.nan, p_worse)
    return f"{probabilities(about, (a, b), p)}."


def _clusters(clusters: int, few: bool) -> str:
    rough = f" With {clusters} clusters the probabilities are rough and too confident." if few else ""
    return f"Whole clusters are the units ({clusters:,}). The mean weights items, not clusters.{rough}"


def _twin(test: str, b: str) -> str:
    name = TESTS[test].label
    return f"Without a region, P({b} better) is the one-sided p-value of the {name}."


def _single_items(datasets: tuple[str, ...]) -> str:
    one = len(datasets) == 1
    return (
        f"{'Dataset' if one else 'Datasets'} {listing(map(repr, datasets), 5)} {'has' if one else 'have'} a single "
        "item, so the model uses one score per dataset (signed_rank) and ignores how precise each score is. Leave "
        f"{'it' if one else 'them'} out, or use {Option('method', 'hierarchical')}, to use the items."
    )


def _factor(log_factor: float, alternative: str, a: str, b: str, **_: object) -> str:
    first, second = claim(alternative, a, b), "if their means are exactly equal"
    if log_factor < 0:
        first = f"the means of {a} and {b} are exactly equal"
        second = "if they differ" if alternative == "two-sided" else f"if {claim(alternative, a, b)}"
    return f"The data are {times(abs(log_factor))} times more probable if {first} than {second}."


def _factor_prior(r: float, alternative: str, **_: object) -> str:
    half = "" if alternative == "two-sided" else ", the half on the side of the claim"
    return f"Cauchy with scale r = {r:.4g} on the difference in standard deviations{half}"


BAYES: Sayings = {
    # Priors, in half a sentence.
    "prior_flat": _prior_flat,
    "prior_cells": lambda weight, a, b: (
        f"{_imagined(weight)} items in each of the four cells (both right, only {a}, only {b}, neither)"
    ),
    "prior_accuracies": lambda weight: f"{_imagined(weight)} right and {weight:g} wrong items per system",
    "prior_wins": lambda weight, a: f"{_imagined(weight)} wins and {weight:g} losses of {a}",
    "prior_dataset": _prior_dataset,
    "prior_hierarchical": _prior_hierarchical,
    # What another prior or another question would give.
    "other_prior": _other_prior,
    "other_place": _other_place,
    "other_target": _other_target,
    "between_datasets": lambda sd, scale: f"True differences vary by about {figure(sd, scale)} (standard deviation).",
    # What was counted.
    "wins": _wins,
    "datasets_won": _datasets_won,
    "only_the_prior": "The data favour neither {a} nor {b}: the width of the posterior comes from the prior alone.",
    # Why a model is silent.
    "one_difference": "One difference shows no variation; at least 2 are needed.",
    "constant": "All differences are {difference}. Without variation a normal model would be certain after two items; "
    "'beta_binomial' asks how often {a} wins.",
    "all_tied_region": "They tie on all {n:item}. How probable a difference between {low} and {high} is, the model "
    "takes from the variation of the differences, and there is none.",
    "all_tied": "{a} and {b} tie on all items. The data favour neither, so each has a probability of one half.",
    # What a model leaves out.
    "no_region": Fix("None stated (", Option("rope"), "), so practical equivalence is not judged."),
    "scores_as_datasets": "Each score was taken as one dataset ({n} in all). For items of one test set use 'dirichlet' "
    "(0/1) or 'correlated_t', which judge the mean.",
    "clusters": _clusters,
    "twin": _twin,
    "skewed": "The differences are skewed ({skewness:.1f}) for {n:item} and the model takes them as normal: the "
    "probabilities are rough.",
    "small_datasets": "{datasets} of {of} datasets have fewer than {fewest} items. Their standard errors are taken as "
    "known, so the result is somewhat too confident.",
    "borrowed": lambda datasets: (
        f"No variation of differences on {listing(datasets, 5)}: the typical standard deviation of the other datasets "
        "is used there."
    ),
    "few_datasets": "With {datasets:dataset}, the standard deviation between datasets depends strongly on its prior.",
    "single_items": _single_items,
    # The Bayes factor.
    "factor": _factor,
    "factor_prior": _factor_prior,
    "factor_is_no_probability": "This is not the probability of the claim: that also needs the prior odds.",
    "factor_too_large": Fix("The Bayes factor is too large for a number: use ", Option("log", "True"), "."),
    "factor_one_difference": "One difference has no standard deviation, so there is no t statistic.",
    "factor_no_spread": lambda difference: (
        f"{f'All differences are {difference:g}' if difference else 'All items tie'}. Without variation there is no t "
        "statistic; 'beta_binomial' counts wins instead."
    ),
}
