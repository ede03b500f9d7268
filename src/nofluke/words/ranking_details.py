"""The details of a ranking in words: what the claims promise, the test, how p-values were computed, the power."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np

from nofluke.inference.ranking.detectable import level_of_one
from nofluke.inference.ranking.family import MAX_T, NONE, directions_hold, limits_discoveries
from nofluke.registry import TESTS
from nofluke.types import Ranking
from nofluke.types.base import counted
from nofluke.words.computed import interval_method
from nofluke.words.computed import promise as promised
from nofluke.words.numbers import figure, level_text, rounded_up
from nofluke.words.ranking import correction_name, could_be_best, meaning, noted, size_of, unit_of, unit_sentence
from nofluke.words.tasks import averaged_over, weights_of_ranking

_NAMED = 8
_FAR_OUT = 1e-10  # no verdict hangs on the digits of such p-values
# How a p-value was obtained, by the code of its pair.
_WAYS = {
    "exact": "exact",
    "saddlepoint": "saddlepoint approximation",
    "inversion": "Fourier inversion",
    "gram": "Fourier inversion",
    "normal": "normal approximation",
    "approximate": "approximation",
    "monte-carlo": "random draws",
    "linear": "linear approximation",
    "bound": "upper bound",
    "linear+correction": "upper bound from draws around a linear approximation",
}
_ROUGH = ("saddlepoint", "linear")


def title(result: Ranking) -> str:
    """What the report is about."""
    return f"{len(result.systems):,} systems by {result.metric}{averaged_over(result)}"


def sentences(result: Ranking) -> tuple[str, ...]:
    """Say what the claims promise, which test was run, and what ranges and intervals are."""
    found = (
        _best(result),
        promise(result),
        _test(result),
        meaning(result),
        "" if noted(result, "rank.datasets_are_items") else unit_sentence(result),
        weights_of_ranking(result),
        _ranges(result),
        _intervals(result),
        power(result),
        _order(result),
    )
    return tuple(sentence for sentence in found if sentence)


def _best(result: Ranking) -> str:
    first = could_be_best(result)
    if result.baseline or not 1 < len(first) < len(result.systems):
        return ""
    more = f" and {len(first) - _NAMED:,} more" if len(first) > _NAMED else ""
    return f"Could be the best: {', '.join(first[:_NAMED])}{more}."


def correction(result: Ranking) -> str:
    """Name the correction and what it was made over."""
    if result.adjust == NONE:
        return f"no correction for {counted(result.pairs, 'pair')}"
    two_sided = result.family == "pairs" and result.alternative == "two-sided"
    what = "pair" if result.adjust == MAX_T else "two-sided test" if two_sided else "one-sided claim"
    over = f"over {counted(result.claims, what)}"
    if result.adjust == MAX_T:
        return f"step-down max-t {over} (shared sign flips, {result.resamples:,} draws, seed {result.seed})"
    return f"{correction_name(result)} {over}"


def promise(result: Ranking) -> str:
    """What the claims promise together."""
    share = level_text(result.alpha)
    if result.adjust == NONE:
        chance = f"{result.pairs * result.alpha:.3g} of {result.pairs:,} pairs"
        return (
            f"No correction was made; each pair was judged at alpha = {result.alpha:g}. If all systems were equally "
            f"good, about {chance} would show a difference by chance."
        )
    how = f"Correction: {correction(result)}; alpha = {result.alpha:g}."
    if limits_discoveries(result.adjust):
        return f"{how} On average at most {share} of the claims made are false; single claims may be."
    if result.alternative == "greater" and not result.baseline:
        return (
            f"{how} The side of each test comes from the scores, so any claim is false up to twice as often as {share}."
        )
    if not directions_hold(result):
        return f"{how} A pair without a true difference is called different in at most {share} of such studies."
    return f"{how} Any of these claims, direction included, is false in at most {share} of such studies."


def _test(result: Ranking) -> str:
    return f"Test: {result.label}, {size_of(result)}. Null hypothesis: {null_sentence(result)}. {p_values_are(result)}"


def p_values_are(result: Ranking) -> str:
    """How the p-values were obtained, and what they promise."""
    how, promise = _computed(result), promised(result.validity)
    return f"P-values are {promise}." if how == "exact" else f"P-values: {how}. The test is {promise}."


def null_sentence(result: Ranking) -> str:
    """The null hypothesis of any pair: its two systems have no names, and it speaks of what is swapped as a whole."""
    unit = "cluster" if result.clusters else unit_of(result, 1)
    null = result.null.replace("item by item", f"{unit} by {unit}").replace("delta", "0")
    if is_corpus_metric(result):
        null = null.partition(":")[0].replace("mean difference", f"difference in {result.metric}")
    named = null.replace("{a}", "A").replace("{b}", "B").replace("A and B", "two systems")
    return re.sub(r"\bB\b", "the second", re.sub(r"\bA\b", "the first", named))


def is_corpus_metric(result: Ranking) -> bool:
    """Whether all items together have one score, and the test is named after it."""
    return result.method in TESTS and TESTS[result.method].label != result.label


def _computed(result: Ranking) -> str:
    """Say how many p-values were obtained in which way."""
    codes = Counter(str(how) for how in result.computed[~np.isnan(result.p_values)])
    rough = Counter({_WAYS[how]: number for how, number in codes.items() if how in _ROUGH})
    finer: Counter[str] = Counter()
    for how, number in codes.items():
        finer[_WAYS.get(how, how)] += 0 if how in _ROUGH else number
    finer = +finer
    drawn = result.seed is not None and result.adjust != MAX_T
    draws = f"; {result.resamples:,} draws, seed {result.seed}" if drawn else ""
    draws = _off_by(result) + draws
    if not rough:
        return _listed(finer) + draws
    if not finer:
        return f"{_listed(rough)}; no verdict was close enough to need more"
    again = f"recomputed exactly wherever a verdict was close ({counted(finer.total(), 'p-value')})"
    if set(finer) != {"exact"}:
        again = f"and {_listed(finer, numbers=True)} wherever that was not near enough"
    told = f"{_listed(rough, numbers=True)}, {again}"
    return told + draws


def _off_by(result: Ranking) -> str:
    """By how much p-values that are not exact may be off."""
    if result.errors is None:
        return ""
    rough = np.isfinite(result.errors) & ~np.isnan(result.p_values) & (result.computed != "exact")
    # Far out a bound may be many times the p-value: a figure that would seem to be about all of them.
    near = rough & (result.p_values >= _FAR_OUT)
    told = result.errors[near if near.any() else rough]
    if not told.size:
        return ""
    beyond = near.any() and float(result.errors[rough].max()) > float(told.max())
    return f"; those that are not exact are off by at most {rounded_up(100 * float(told.max()))}%" + (
        f", those below {_FAR_OUT:g} by more" if beyond else ""
    )


def _listed(ways: Counter[str], *, numbers: bool = False) -> str:
    if len(ways) == 1 and not numbers:
        return next(iter(ways))
    return " or ".join(f"{way} ({counted(number, 'p-value')})" for way, number in ways.most_common())


def _ranges(result: Ranking) -> str:
    if result.baseline or len(result.systems) == 2:
        return ""
    what = "A rank range holds every rank that the clear differences leave open."
    if directions_hold(result):
        return f"{what} All ranges hold together with {level_text(1 - result.alpha)} confidence."
    return f"{what} With these tests and this correction the ranges carry no joint confidence."


def _intervals(result: Ranking) -> str:
    interval = next((interval for interval in result.intervals if interval is not None), None)
    if interval is None:
        return ""
    over = f" over {result.noun}s" if result.over_datasets else ""
    text = (
        f"The {level_text(interval.level)} CI is that of each system's own score ({interval_method(interval)}{over})."
    )
    if result.lengths:
        return text
    return f"{text} Systems are compared pair by pair, so overlapping CIs do not rule out a clear difference."


def power(result: Ranking) -> str:
    """Say which difference of two systems could have been found, without judging those that were."""
    found = result.detectable
    if found is None:
        return ""
    if math.isnan(found.difference):
        return f"What difference could have been found is not given: {found.reason}."
    by = "" if result.about == "mean" else " by a test of the mean"
    alone = result.adjust == NONE or result.pairs == 1
    sure, others = ("", "") if alone else ("at least ", ", whatever the other pairs show")
    typical = "" if result.pairs == 1 else " between two typical systems"
    sets = f"collections of {result.noun}s" if result.over_datasets else "test sets"
    level = level_of_one(result.adjust, result.claims, result.alpha)
    return (
        f"A true difference of {figure(found.difference, found.standard_error)}{typical} would be found{by} in "
        f"{sure}{found.power * 100:g}% of such {sets} (standard deviation of these data, each claim at {level:.3g}"
        f"{others})."
    )


def _order(result: Ranking) -> str:
    if not result.out_of_order:
        return ""
    shown = "; ".join(f"{better} over {worse}" for better, worse in result.out_of_order[:5])
    more = len(result.out_of_order) - 5
    return f"Clear differences against the order of the scores: {shown}{f'; and {more:,} more' if more > 0 else ''}."
