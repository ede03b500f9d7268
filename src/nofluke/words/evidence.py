"""What stands behind the verdict of a Comparison, one sentence each: range, power, posterior, test, wins."""

from __future__ import annotations

import math

from nofluke.types import Comparison, Interval, Note, Posterior
from nofluke.types.base import counted
from nofluke.words.numbers import end_of, figure, level_text, p_of, with_article
from nofluke.words.planning import runs_text
from nofluke.words.posterior import all_probabilities, limits
from nofluke.words.profile import centre_sentence
from nofluke.words.test_result import mirrored
from nofluke.words.winner_first import winner_first


def has_winner(result: Comparison) -> bool:
    """Whether the test found a difference."""
    return result.verdict in ("better", "worse")


def size(result: Comparison) -> str:
    """How many items there are, in how many clusters, and runs; or how many units of how many items."""
    if result.unit_size > 1:
        return f"{result.n:,} units of {result.unit_size} items"
    clusters = f" in {counted(result.clusters, 'cluster')}" if result.clusters else ""
    runs = "" if result.noise is None else f" and {runs_text(result.noise.n_runs)}"
    return f"{counted(result.n, noun_of(result))}{clusters}{runs}"


def noun_of(result: Comparison) -> str:
    """What n counts."""
    if result.alignment.by == "dataset":
        return "dataset"
    return "unit" if result.unit_size > 1 else "item"


def range_sentence(result: Comparison) -> str:
    """Say which differences the data leave open, where no winner was found."""
    mean = result.effects["mean_difference"]
    interval, scale = mean.interval, mean.standard_error
    if has_winner(result) or interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return ""
    level = f"{level_text(interval.level)} CI"
    if math.isinf(interval.low) and math.isinf(interval.high):
        known = result.margin_interval
        if known is not None and math.isfinite(known.low + known.high + scale):
            return f"By the test of the margin, anything {span_of(result.systems, known, scale)}."
        return nothing_ruled_out(interval, noun_of(result))
    if math.isinf(interval.low) or math.isinf(interval.high) or math.isnan(scale):
        return ""
    a, b = result.systems
    of_mean = result.test.about == "mean"
    if interval.low > 0 or interval.high < 0:
        leader, ends = (a, interval) if interval.low > 0 else (b, mirrored(interval) or interval)
        span = f"{end_of(ends.low, scale)} to {end_of(ends.high, scale)}"
        if not of_mean:
            other = with_article(result.test.label)
            return f"The mean favours {leader} by {span} ({level}); {other} asks another question."
        # A p-value that is only bounded from above can miss what the interval shows.
        stricter = "" if result.test.delta else "; the p-value is stricter than the interval"
        return f"The data allow {leader} better by {span} ({level}){stricter}."
    span = span_of(result.systems, interval, scale)
    if result.margin is not None and result.margin_test is None:
        # The interval knows of items like these only; what others may lose is why the margin was not tested.
        return f"If all items are like these, anything {span}."
    return f"{'The' if of_mean else 'On the mean, the'} data allow anything {span}."


def nothing_ruled_out(interval: Interval, noun: str = "item") -> str:
    """What an interval without ends says."""
    return f"There are too few {noun}s to rule out any difference ({level_text(interval.level)} CI unbounded)."


def span_of(systems: tuple[str, ...], interval: Interval, scale: float) -> str:
    """The lead of one system to that of the other: "from b better by 0.01 to a better by 0.02 (95% CI)"."""
    a, b = systems
    ends = f"{_lead(b, -interval.low, scale)} to {_lead(a, interval.high, scale)}"
    return f"from {ends} ({level_text(interval.level)} CI)"


def _lead(leader: str, gain: float, scale: float) -> str:
    printed = figure(gain, scale)
    return f"{leader} better by {printed}" if float(printed) else "no difference"


def power_sentence(result: Comparison) -> str:
    """Say what the test set could have found, without judging what it did find."""
    found = result.detectable
    if math.isnan(found.difference):
        return f"{_unknown(found.reason)}{found.reason}." if found.reason else ""
    by = "" if result.test.about == "mean" else ", by a test of the mean"
    tenths = round(found.power * 10, 9)
    times = f"{tenths:g} of 10" if tenths % 1 == 0 else f"{found.power * 100:g} of 100"
    gap = figure(found.difference, found.standard_error)
    sets = "such collections" if noun_of(result) == "dataset" else "test sets"
    return f"{size(result)} reveal a true gap of {gap} in {times} {sets}{by}."


def _unknown(reason: Note | str) -> str:
    """That a test set is too small is known, and an answer."""
    return "" if isinstance(reason, Note) and reason.code == "compare.gap_out_of_range" else "Unknown: "


def by_mcnemar(result: Comparison) -> bool:
    """Whether the power is that of McNemar's exact test: 0/1 scores, every item by itself."""
    return result.profile.kind == "binary" and not result.clusters and result.average is None


def threshold_sentence(result: Comparison) -> str:
    """Say where significance begins, for a test of the mean."""
    found = result.detectable
    if math.isnan(found.threshold) or math.isnan(found.difference) or result.test.about != "mean":
        return ""
    least = figure(found.threshold, found.standard_error)
    if by_mcnemar(result):
        return f"Where as many items differ as here, observed gaps are significant from {least}."
    return f"Observed gaps are significant from about {least} (from the standard deviation of these data)."


def posterior_sentence(result: Comparison) -> str:
    """Give the probabilities of the Bayesian answer, where it was asked for."""
    found = result.posterior
    if found is None or not found.known:
        return ""
    return f"{all_probabilities(found)}; {_beyond(found)}{_prior(found.prior)}."


def _beyond(found: Posterior) -> str:
    """Say by how much a system must be better to be called so, where a region was stated."""
    if found.rope is None:
        return ""
    low, high = found.rope
    return f"better: by more than {high:g}; " if low == -high else f"better: outside {limits(found)}; "


def _prior(prior: Note) -> str:
    """Name the prior; the details describe it."""
    if prior.code == "bayes.prior_flat":
        return "flat prior"
    weight = dict(prior.facts).get("weight")
    named = {0.5: "Jeffreys prior", 1.0: "flat prior"}.get(weight) if isinstance(weight, float | int) else None
    return named or (f"prior of {weight:g} imagined items a cell" if weight is not None else f"prior: {prior}")


def wins_sentence(result: Comparison) -> str:
    """Count the items on which each is better; nothing where no single item has a score of its own."""
    result = winner_first(result)
    profile, unit = result.profile, noun_of(result)
    if profile.kind == "shares":
        return ""
    a = result.systems[0]
    text = f"{a} is better on {counted(profile.wins, unit)}, worse on {profile.losses:,} and tied on {profile.ties:,}"
    if profile.n < result.n:
        text += f"; {result.n - profile.n:,} have no {result.metric} of their own"
    return f"{text}."


def by_step(result: Comparison) -> dict[str, str]:
    """What each step of the procedure found, in two or three words, from the winner's view."""
    result = winner_first(result)
    effect, found = result.effects["mean_difference"], result.detectable
    power = "" if math.isnan(found.difference) else f"reveals {figure(found.difference, found.standard_error)}"
    return {
        "data": counted(result.n, noun_of(result)),
        "analysis": f"{result.profile.wins:,} better, {result.profile.losses:,} worse",
        "centre": centre_sentence(result.profile),
        "test": p_of(result.test),
        "effects": f"difference {figure(effect.value, effect.standard_error)}",
        "power": power,
    }
