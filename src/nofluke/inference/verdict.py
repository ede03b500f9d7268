"""The verdict, its headline and the sentences below it."""

from __future__ import annotations

import math

from nofluke.inference.significance.sides import significant
from nofluke.inference.wording import figure, frequency, interval_in_figures, p_of_result
from nofluke.registry import TESTS
from nofluke.types import Detectable, Estimate, Profile, Sample, TestResult
from nofluke.types.base import counted


def verdict_of(result: TestResult, alpha: float) -> str:
    """Give better, worse, not separated or undefined, as seen from A; alpha decides the word, never the p-value."""
    if math.isnan(result.p_value):
        return "undefined"
    if not significant(result.p_value, alpha):
        return "not separated"
    if result.alternative != "two-sided":
        return "better" if result.alternative == "greater" else "worse"
    return "better" if result.direction > 0 else "worse"


# What is claimed when a test of another question than the mean rejects: {0} is the system the evidence leans to.
_CLAIMS = {
    "mean": "{0} is better than {1}",
    "items": "{0} is better than {1} on more items than it is worse (which says nothing about the mean)",
    "ranks": "the differences lean towards {0} rather than {1} (which says nothing about the mean)",
    "median": "the median difference favours {0} over {1} (which says nothing about the mean)",
}


def headline_of(sample: Sample, verdict: str, effect: Estimate, result: TestResult) -> str:
    """Say the answer in one sentence: who, both scores (the winner's first), the difference and its interval."""
    scale = effect.standard_error
    order = (1, 0) if verdict == "worse" else (0, 1)
    scores = " against ".join(figure(sample.score(index), scale) for index in order)
    direction = "" if sample.higher_is_better else " (lower is better)"
    a, b = sample.systems if sample.higher_is_better else sample.systems[::-1]
    gain = f"difference {a} - {b} = {figure(effect.value, scale)}"
    if effect.interval is not None and result.about == "mean":
        gain += f", {interval_in_figures(effect.interval, scale)}"
    return f"{_claim(sample, verdict, result)}: {scores}{direction}; {gain}."


def _claim(sample: Sample, verdict: str, result: TestResult) -> str:
    a, b = sample.systems
    if verdict in ("better", "worse"):
        if result.delta:
            return f"the difference of {a} and {b} is {'above' if verdict == 'better' else 'below'} {result.delta:g}"
        return _CLAIMS[result.about].format(*((a, b) if verdict == "better" else (b, a)))
    if verdict == "undefined":
        return f"{a} and {b} cannot be judged by this test"
    if result.alternative != "two-sided":
        word = "better" if result.alternative == "greater" else "worse"
        return f"{a} is not shown to be {word} than {b}"
    return f"{a} and {b} are not separated"


def sentences_of(sample: Sample, profile: Profile, result: TestResult, detectable: Detectable) -> tuple[str, ...]:
    """Say what the p-value means, what was run, on how many items, and what the test set could have found."""
    a, b = sample.systems
    unit = "unit" if sample.unit_size > 1 else "item"
    clusters = f" in {counted(profile.clusters, 'cluster')}" if profile.clusters else ""
    size = f" of {sample.unit_size} ({sample.unit_statistic})" if sample.unit_size > 1 else ""
    wins = f"{a} is better on {counted(profile.wins, unit)}, worse on {profile.losses:,}, tied on {profile.ties:,}"
    wins += f"; {sample.n - profile.n:,} have no {sample.metric} of their own. " if profile.n < sample.n else ". "
    # Where only all items together have a score, no system can win a single one.
    by_items = wins if sample.aggregate.whole is None else ""
    return (
        chance_sentence(result, (a, b), detectable.standard_error),
        f"Test: {result.label}, {result.alternative}, n = {counted(sample.n, unit)}{size}{clusters}: "
        f"{p_of_result(result)}. Null: {result.null}. Computed: {result.computed}; "
        f"validity: {result.validity}.",
        f"{by_items}Differences are oriented so that positive means {a} is better.",
        detectable_sentence(detectable, result.method),
    )


def chance_sentence(result: TestResult, names: tuple[str, str], scale: float = math.nan) -> str:
    """Say what the p-value means, in the reader's own terms."""
    if math.isnan(result.p_value):
        return "The test gives no p-value on these data; the notes say why."
    a, b = names
    if result.computed.how == "decision":
        return f"Draws were made until it was clear that {p_of_result(result)}; they give no p-value."
    null = f"If {a} and {b} were equally good on items like these"
    if result.delta:
        null = f"If the true difference were {result.delta:g}"
    return f"{null}, {_event(result, scale)} would come up in {frequency(result)}."


def _event(result: TestResult, scale: float) -> str:
    """What the p-value is the probability of."""
    if result.about != "mean":
        side = {"two-sided": ", in either direction,", "greater": " towards A", "less": " towards B"}
        return f"evidence at least this one-sided{side[result.alternative]}"
    if result.alternative != "two-sided":
        word = "higher" if result.alternative == "greater" else "lower"
        return f"a difference of {figure(result.estimate, scale)} or {word}"
    size = f"at least this far from {result.delta:g}" if result.delta else "at least this large"
    return f"a difference {size}, in either direction,"


def detectable_sentence(detectable: Detectable, method: str) -> str:
    """Say what the test set could have found, without judging what it did find."""
    if math.isnan(detectable.difference):
        return f"What this test set could have found cannot be said: {detectable.reason}."
    scale = detectable.standard_error
    if TESTS[method].facts["about"] != "mean":
        return (
            f"By a test of the mean, a true difference of {figure(detectable.difference, scale)} would be found in "
            f"{detectable.power * 100:g} of 100 such test sets (spread from these data); {method!r} asks about "
            "something else, and its power is another one."
        )
    return (
        f"A true difference of {figure(detectable.difference, scale)} would be found in "
        f"{detectable.power * 100:g} of 100 such test sets (spread from these data); significance begins near "
        f"{figure(detectable.threshold, scale)}. This does not judge the observed difference."
    )
