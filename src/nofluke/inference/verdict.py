"""The verdict, its headline and the sentences below it."""

from __future__ import annotations

import math

from nofluke.inference.wording import chance, figure, interval_in_figures, p_in_figures
from nofluke.types import Estimate, Profile, Sample, TestResult


def verdict_of(result: TestResult, alpha: float) -> str:
    """Give better, worse, not separated or undefined, as seen from A; alpha decides the word, never the p-value."""
    if math.isnan(result.p_value):
        return "undefined"
    if result.p_value > alpha:
        return "not separated"
    if result.alternative != "two-sided":
        return "better" if result.alternative == "greater" else "worse"
    centre = 0.5 if result.estimand.startswith("share") else result.delta
    return "better" if result.estimate > centre else "worse"


def headline_of(sample: Sample, verdict: str, effect: Estimate, result: TestResult) -> str:
    """Say the answer in one sentence: who, both scores, the difference and its interval."""
    a, b = sample.systems
    claim = {
        "better": f"{a} is better than {b}",
        "worse": f"{b} is better than {a}",
        "not separated": f"{a} and {b} are not separated",
        "undefined": f"{a} and {b} cannot be judged by this test",
    }[verdict]
    if verdict == "not separated" and result.alternative != "two-sided":
        word = "better" if result.alternative == "greater" else "worse"
        claim = f"{a} is not shown to be {word} than {b}"
    if result.delta and verdict in ("better", "worse"):
        side = "above" if verdict == "better" else "below"
        claim = f"the difference of {a} and {b} is {side} {result.delta:g}"
    scale = effect.standard_error
    scores = f"{figure(sample.score(0), scale)} against {figure(sample.score(1), scale)}"
    direction = "" if sample.higher_is_better else " (lower is better)"
    gain = f"difference {figure(effect.value, scale)}"
    if effect.interval is not None:
        gain += f", {interval_in_figures(effect.interval, scale)}"
    return f"{claim}: {scores}{direction}; {gain}."


def sentences_of(sample: Sample, profile: Profile, result: TestResult, detectable: Estimate) -> tuple[str, ...]:
    """Say what the p-value means, what was run, on how many items, and what the test set could have found."""
    a, b = sample.systems
    units = "units" if sample.unit_size > 1 else "items"
    clusters = f" in {profile.clusters:,} clusters" if profile.clusters else ""
    unit = f" of {sample.unit_size} ({sample.unit_statistic})" if sample.unit_size > 1 else ""
    return (
        chance_sentence(result, (a, b)),
        f"Test: {result.label}, {result.alternative}, n = {sample.n:,} {units}{unit}{clusters}: "
        f"{p_in_figures(result.p_value)} (computed: {result.computed}).",
        f"{a} is better on {profile.wins:,} {units}, worse on {profile.losses:,}, tied on {profile.ties:,}. "
        f"Differences are oriented so that positive means {a} is better.",
        detectable_sentence(detectable),
    )


def chance_sentence(result: TestResult, names: tuple[str, str]) -> str:
    """Say what the p-value means, in the reader's own terms."""
    if math.isnan(result.p_value):
        return "The test gives no p-value on these data; the notes say why."
    a, b = names
    direction = {
        "two-sided": ", in either direction,",
        "greater": f" in favour of {a}",
        "less": f" in favour of {b}",
    }[result.alternative]
    null = f"If {a} and {b} were equally good on items like these"
    if result.delta:
        null = f"If the true difference were {result.delta:g}"
    return (
        f"{null}, a difference at least this large{direction} would come up in {chance(result.p_value)} such test sets."
    )


def detectable_sentence(detectable: Estimate) -> str:
    """Say what the test set could have found, without judging what it did find."""
    if math.isnan(detectable.value):
        return "What this test set could have found cannot be said: the differences do not vary."
    scale = detectable.standard_error
    return (
        f"A true difference of {figure(detectable.value, scale)} would be found in 80 of 100 such test sets "
        f"(spread from these data); significance begins near {figure(0.7 * detectable.value, scale)}. "
        "This does not judge the observed difference."
    )
