"""What plans and power curves rest on, and where they are weak."""

from __future__ import annotations

from nofluke.types.base import counted
from nofluke.words.notes import Sayings
from nofluke.words.numbers import figure, share_text, with_article
from nofluke.words.planning import often, runs_text

# What a test looks at that is not one of the mean.
ABOUT = {"ranks": "ranks", "items": "how often each system is the better one", "median": "the median"}


def _sd_of_scores(sd: float, sd_b: float) -> str:
    spreads = f"{sd:.6g} for both systems" if sd == sd_b else f"{sd:.6g} for A and {sd_b:.6g} for B"
    return f"The scores have a standard deviation of {spreads}. Both systems get the same number of items."


def _noise(sd: float, run_sd: float, answer_sd: float) -> str:
    answers = f", {answer_sd:.6g} of one item's scores over runs" if answer_sd else ""
    return (
        f"Standard deviations: {sd:.6g} of the item-by-item differences, {run_sd:.6g} of a system's score from run to "
        f"run{answers}."
    )


def _one_right(p10: float, p01: float) -> str:
    return f"Only A is right on {share_text(p10)} of the items, only B on {share_text(p01)}."


def _no_clusters(test: str) -> str:
    named = with_article(test)
    return f"{named[0].upper()}{named[1:]} has no form for clusters. Take this as a guide, and test by permutation."


def _too_few_disagreements(n: int, disagreement: float) -> str:
    return f"The systems disagree on about {n * disagreement:.2g} of {n:,} items, too few for this test."


def _not_reweighted(pilot: int, unit: str, difference: float, scale: float) -> str:
    gap = figure(difference, scale)
    return (
        f"No reweighting of these {pilot:,} {unit} shows a gap of {gap}: the curve is that of the t-test, by formula."
    )


def _same_scores(pilot: int, unit: str, systems: tuple[str, ...], most: float) -> str:  # noqa: ARG001 (said beside it)
    return f"{' and '.join(systems)} have the same score on all {pilot:,} {unit}."


def _tiny_pilot(pilot: int, unit: str) -> str:
    return f"{pilot} {unit if pilot != 1 else unit.removesuffix('s')} cannot tell how much {unit} vary."


def _independent(unit: str) -> str:
    return f"{unit[0].upper()}{unit[1:]} are independent of each other."


def _like_these(unit: str) -> str:
    return f"{unit[0].upper()}{unit[1:]} are independent of each other, and new ones would be like these."


def _runs_hide_it(runs: tuple[int, int], most: float, enough: int) -> str:
    more = f"with {enough:,} runs each, enough items would do" if enough else "no thinkable number of runs would do"
    return f"With {runs_text(runs)} it is revealed in at most {often(most)}, however many items there are; {more}."


_SADDLEPOINT = "The p-values of the drawn test sets come from Edgeworth series, and from saddlepoints near the level."
_TANGENT = "The p-values of the drawn test sets come from a normal approximation of the metric's tangent."


def _by_saddlepoint(checked: int = 0, changed: int = 0, relative: float = 0.0, undecided: float = 0.0) -> str:
    if not checked:
        return _SADDLEPOINT
    verdicts = f"{counted(changed, 'verdict')} changed" if changed else "no verdict changed"
    left = f"; errors of that size leave {undecided:.2%} of all verdicts open" if undecided else ""
    return (
        f"{_SADDLEPOINT} Of the {checked} closest to the level, recomputed exactly, {verdicts}. The largest relative "
        f"error was {relative:.1g}{left}."
    )


def _by_tangent(checked: int = 0, off: float = 0.0, draws: int = 0, noise: float = 0.0) -> str:
    if not checked:
        return _TANGENT
    return (
        f"{_TANGENT} Of those closest to the level, {checked} were recomputed by the test itself ({draws:,} draws, "
        f"whose own error is about {noise:.1g}): they differed by at most {off:.2g}."
    )


def _disagreement_of_data(disagreement: float, differing: int, n: int) -> str:
    return (
        f"The power is that of McNemar's exact test. The systems are taken to differ on {share_text(disagreement)} of "
        f"the items, the upper 80% limit of {differing:,} of {n:,}; on more where a gap needs more."
    )


POWER: Sayings = {
    # What has to hold.
    "normal_differences": "The item-by-item differences are independent and roughly normal; with hundreds of items any "
    "shape will do.",
    "flips_as_t": "The power is that of the paired t-test, within 0.02 for normal differences. With few items (up to "
    "11 at level 0.05) it comes from drawn normal differences instead, within 0.01.",
    "normal_ranks": "The item-by-item differences are independent and normal. Up to 20 items the power comes from "
    "drawn differences, beyond from the t-test with 3/pi of the items; both within 0.01 at levels of 0.05 to 0.001.",
    "equal_spreads": "All scores are independent and roughly normal, with one standard deviation for both systems.",
    "satterthwaite": "All scores are independent and roughly normal. The degrees of freedom are Satterthwaite's at the "
    "stated standard deviations, an approximation.",
    "same_items": "Both systems are scored on the same items, and items are independent of each other.",
    "all_disagreements": "The power is exact, over every number of items on which the systems may disagree.",
    "tango_forms": "It is that of the form that will be run: the exact one up to 50 items, the score test beyond.",
    "sd_of_differences": "The item-by-item differences have a standard deviation of {sd:.6g}.",
    "sd_of_scores": _sd_of_scores,
    "items_and_runs": "Every run is scored on all items. Items and runs are independent of each other and roughly "
    "normal; with hundreds of items any shape will do.",
    "noise": _noise,
    "one_right": _one_right,
    "disagreement": lambda disagreement: f"Exactly one system is right on {share_text(disagreement)} of the items.",
    "margin_fixed": "The margin of {margin} is fixed before the data are seen.",
    "size_fixed": "The number of items is fixed beforehand. Adding items after a look needs a new or a sequential "
    "test.",
    "independent_datasets": "The datasets are independent of each other.",
    "datasets_differ": "The datasets differ in their gap or standard deviation, as stated.",
    "like_these": _like_these,
    "within_datasets": lambda n=0, weighting="", noun="dataset": (  # noqa: ARG005 (the headline tells these)
        f"The {noun}s stay the same, each with its weight in the average; new items come from each of them in the "
        "proportion of these data."
    ),
    "spread_of_data": "The power is that of the permutation test of the mean for normal differences with the standard "
    "deviation of these data. From a dozen {unit} on it is that of the t-test.",
    "noise_of_data": "The power is that of the t-test over items and training runs for normal items, runs and single "
    "answers, with the standard deviations of these data. New runs would be like these.",
    "disagreement_of_data": _disagreement_of_data,
    "normal_with_sd": "The item-by-item differences are normal with the stated standard deviation of {sd}.",
    "normal_like_pilot": "The item-by-item differences are normal with the standard deviation of the pilot.",
    "pilot_as_it_is": "New {unit} are drawn from the pilot's {pilot} as they are.",
    "pilot_reweighted": "New {unit} are like the pilot's {pilot}, reweighted to a true gap of {difference:.3g} "
    "(exponential tilting, the smallest change that does so).",
    "runs_stay": lambda runs: f"There are {runs_text(runs)} at every size, each scored on all items.",
    "independent_units": _independent,
    # Where it is weak.
    "at_observed": "Power at the observed difference is the p-value in other words, and no evidence about these "
    "systems. State the smallest difference that would matter instead.",
    "two_runs": "2 runs of each system are indicative only: a claim about training needs {enough}.",
    "few_runs": lambda runs: (
        f"The spread of {runs_text(runs)} is hardly known, and much depends on it: take this as rough."
    ),
    "runs_hide_it": _runs_hide_it,
    "few_items": lambda n, unit="items": (  # noqa: ARG005 (ten is the line, whatever n is)
        f"With fewer than ten {unit} everything depends on the differences being normal."
    ),
    "binary_scores": "For 0/1 scores the test will be McNemar's: plan with mcnemar for the exact power.",
    "few_differ": lambda differing, unit: (
        f"Only {counted(differing, unit)} {'differs' if differing == 1 else 'differ'}: these are the "
        "gaps at which enough would, found by reweighting as in a power curve."
    ),
    "no_clusters": _no_clusters,
    "not_reweighted": _not_reweighted,
    "much_reweighted": "The pilot had to be reweighted strongly: it counts like {carried} of its {pilot} {unit}. Take "
    "the curve as rough.",
    "small_pilot": "The standard deviation of {pilot} {unit} is rough: the number needed may be {low:.2g} to "
    "{high:.2g} times as large.",
    "other_question": lambda about: f"This test looks at {ABOUT[about]}; it says nothing about the mean score.",
    # Why there is no answer.
    "too_few_items": "With {n} {unit} no p-value is below {least:.3g}.",
    "too_few_disagreements": _too_few_disagreements,
    "tiny_pilot": _tiny_pilot,
    "same_scores": _same_scores,
    "pilot_reveals_nothing": lambda pilot, unit, power: (
        f"These {pilot:,} {unit} reveal no gap, however large, in {often(power)}, and no other was stated."
    ),
    "same_difference": "All {pilot} {unit} show the same difference.",
    # How the p-values inside a curve were computed.
    "p_exact": "The p-values of the drawn test sets are exact.",
    "p_normal": "The p-values of the drawn test sets come from a normal approximation.",
    "p_saddlepoint": _by_saddlepoint,
    "p_tangent": _by_tangent,
    "p_the_test": "The test itself was run on every drawn test set.",
    "p_the_test_or_silent": "The test itself was run on every drawn test set. Where it has no p-value, nothing counts "
    "as shown.",
    "p_swaps": "The p-value of every drawn test set comes from {draws:,} swaps of its own.",
    "p_formula": "The power comes from the noncentral t distribution; nothing was drawn.",
    "p_over_runs": "The power is averaged over how the variances of items and runs may fall; nothing was drawn.",
    "nothing_drawn": "Nothing was drawn.",
}
