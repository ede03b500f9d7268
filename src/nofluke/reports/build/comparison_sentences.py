"""The sentences on a Comparison for a paper: everything Zhu et al. (2020, section 2.3) ask for, short and long."""

from __future__ import annotations

import math

from nofluke import __version__
from nofluke.inference.wording import figure, interval_in_figures, p_of_result
from nofluke.registry import TESTS
from nofluke.reports.build.all_tests import one_of_several, tests_in_words
from nofluke.reports.build.figures import effect_label, percent
from nofluke.reports.build.metric_names import metric_in_full
from nofluke.reports.build.posterior_in_comparison import posterior_in_long, posterior_in_short
from nofluke.types import Comparison, Interval


def short_sentence(result: Comparison) -> str:
    """Scores, difference with interval, p, test, sides and n in one sentence."""
    a, b = result.systems
    scale = result.effects["mean_difference"].standard_error
    scores = " vs. ".join(figure(score, scale) for score in result.scores)
    return (
        f"{_claim(result)} ({metric_in_full(result.metric, result.signature)} {scores}{_difference(result)}; "
        f"{p_of_result(result.test)}, "
        f"{result.test.label}, {result.test.alternative}, n = {result.n:,} {unit_of(result)}{_others(result)}"
        f"{posterior_in_short(result.posterior)})."
    ).replace(f"{a} vs. {b}", f"{a} against {b}")


def long_sentence(result: Comparison) -> str:
    """Everything a reader needs to judge and to repeat the comparison."""
    a, b = result.systems
    where = f" on {result.dataset}" if result.dataset else ""
    direction = "higher" if result.higher_is_better else "lower"
    scale = result.effects["mean_difference"].standard_error
    parts = [
        f"We compared {a} ({figure(result.scores[0], scale)}) with {b} ({figure(result.scores[1], scale)}){where} by "
        f"{metric_in_full(result.metric, result.signature)} ({direction} is better) on the same n = {result.n:,} "
        f"{unit_of(result)}.",
        f"{_claim(result)} at alpha = {result.alpha:g}: {result.test.label}, {result.test.alternative}, "
        f"{p_of_result(result.test)} ({result.test.computed}; validity {result.test.validity}).",
        _effects(result),
        _power(result),
        _margin(result),
        posterior_in_long(result.posterior),
        f"{tests_in_words(result)} Computed with nofluke {__version__}.",
    ]
    return " ".join(part for part in parts if part)


def unit_of(result: Comparison) -> str:
    """What one observation is."""
    unit = f"units of {result.unit_size} items" if result.unit_size > 1 else "items"
    return unit + (f" in {result.clusters:,} clusters" if result.clusters else "")


def _others(result: Comparison) -> str:
    return f"; {one_of_several(result)}" if result.also_run else ""


def _claim(result: Comparison) -> str:
    """The headline up to its figures: the claim that inference/verdict made, not a second opinion."""
    return result.headline.partition(": ")[0] if ": " not in "".join(result.systems) else _plain_claim(result)


def _plain_claim(result: Comparison) -> str:
    """The claim where a name holds the mark that ends it."""
    a, b = (name.replace(": ", ":\0") for name in result.systems)
    headline = result.headline
    for name, guarded in zip(result.systems, (a, b), strict=True):
        headline = headline.replace(name, guarded)
    return headline.partition(": ")[0].replace("\0", " ")


def _difference(result: Comparison) -> str:
    mean = result.effects["mean_difference"]
    interval = f", {_brackets(mean.interval, mean.standard_error)}" if mean.interval is not None else ""
    return f"; difference {figure(mean.value, mean.standard_error)}{interval}"


def _brackets(interval: Interval, scale: float) -> str:
    if math.isinf(interval.low) or math.isinf(interval.high):
        return interval_in_figures(interval, scale)
    return f"{percent(interval.level)} CI [{figure(interval.low, scale)}, {figure(interval.high, scale)}]"


def _effects(result: Comparison) -> str:
    a, b = result.systems if result.higher_is_better else result.systems[::-1]
    parts = []
    for estimate in result.effects.values():
        label = effect_label(estimate, result.metric)
        label = f"{label} {a} - {b}" if estimate.name == "mean_difference" else label
        text = f"{label} = {figure(estimate.value, estimate.standard_error)}"
        if estimate.interval is not None:
            text += f" ({_brackets(estimate.interval, estimate.standard_error)}, {estimate.interval.method})"
        parts.append(text)
    listed = "; ".join(parts)
    return f"Effect sizes: {listed}."


def _power(result: Comparison) -> str:
    found = result.detectable
    if math.isnan(found.difference):
        return f"What difference this test set could have found cannot be said: {found.reason}."
    by = "" if TESTS[result.test.method].facts["about"] == "mean" else " by a test of the mean"
    return (
        f"With this test set a true difference of {figure(found.difference, found.standard_error)} would be found{by} "
        f"with power {found.power:g} at alpha = {result.alpha:g} (spread estimated from these data)."
    )


def _margin(result: Comparison) -> str:
    if result.margin is None:
        return ""
    return f"Against the margin {result.margin:g} the verdict is: {result.margin_verdict}."
