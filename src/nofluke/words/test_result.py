"""What a TestResult says: what one test shows, by how much, how surprising that is by chance, and what was run."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from nofluke.errors import Verb
from nofluke.inference.p_values import verdict_of
from nofluke.registry import TESTS, named
from nofluke.types import Answer, Interval, Note, TestResult
from nofluke.types.base import counted
from nofluke.words.computed import promise_in_short
from nofluke.words.layout import first_that_fits, with_fewer_notes
from nofluke.words.names import averaged_over
from nofluke.words.notes import matters
from nofluke.words.numbers import (
    about_chance,
    figure,
    interval_text,
    no_draw_was_as_extreme,
    opened,
    p_of,
    p_with_side,
    rounded_up,
    signed,
    with_article,
)

_MOST_NOTES = 3
# Notes that change nothing about how the answer is read: for the details.
_IN_DETAILS = frozenset(
    {
        "test.clusters_swapped",
        "test.many_ties",
        "test.smallest_p",
        "test.stopped_p_value",
        "test.ties_in_shift_interval",
        "interval.extended",
        "correlation.for_pearson",
    }
)
# Notes of an interval that is no inversion of the test: beside the p-value it would mislead.
_APART = frozenset({"interval.too_few", "test.ties_apart", "test.ties_in_walsh_interval"})
# An error below this share of a p-value leaves its two printed digits as they are, or takes the last to its neighbour.
_HALF_A_DIGIT = 0.005
_NO_MEAN = "This says nothing about the mean score."


def answer(result: TestResult) -> Answer:
    """The verdict, the chance, the test, the null hypothesis, and the notes that change how to read them."""
    points = (("Chance", chance_sentence(result)), ("Test", run_sentence(result)), ("Null", null_sentence(result)))
    made = Answer(
        verdict=headline(result),
        points=tuple(point for point in points if point[1]),
        notes=answer_notes(result.notes),
        tone="settled" if finding(result) in ("better", "worse", "differs") else "open",
    )
    return first_that_fits(with_fewer_notes(made))


def answer_notes(notes: tuple[Note, ...]) -> tuple[str, ...]:
    """The few notes that belong beside the answer."""
    kept = [note for note in notes if note.code not in _IN_DETAILS and matters(note)]
    return tuple(str(note) for note in kept)[:_MOST_NOTES]


def finding(result: TestResult) -> str:
    """better or worse (of the first system), inconclusive or undefined; "differs" where a test names no side."""
    found = verdict_of(result, result.alpha)
    if result.kind == "omnibus" and found in ("better", "worse"):
        return "differs"
    return found if found in ("better", "worse", "undefined") else "inconclusive"


def headline(result: TestResult) -> str:
    """The answer in one or two sentences."""
    if result.kind == "omnibus":
        return _of_all_systems(result)
    if result.kind == "association":
        return _of_one_correlation(result)
    found, (first, second) = finding(result), order(result)
    if found == "undefined":
        return f"{first} and {second} cannot be judged by {with_article(result.label)}: it gives no p-value here."
    if found == "inconclusive":
        return _nothing_found(result)
    over = averaged_over(result.weighting, result.n_datasets, result.noun)
    if result.delta:
        side = "above" if found == "better" else "below"
        about = f"The {estimand(result)} {minus(result)}{over}"
        return f"{about} is {side} {result.delta:g}: {_gain(result)}.{_limits(result)}"
    if result.kind == "correlation":
        return f"{first} correlates better with the gold standard than {second}: {_estimate(result)}."
    shown = f"{_wins(result)}, {p_with_side(result)}" if result.about == "items" else _estimate(result)
    return f"{claim(result)}{over}: {shown}.{_limits(result)}"


def claim(result: TestResult) -> str:
    """What a test of two systems that found a winner claims, without any figure."""
    first, second = order(result)
    return {
        "items": f"{first} is better than {second} on more items than it is worse on",
        "median": f"The median difference favours {first} over {second}",
        "ranks": f"The scores of {first} tend to be better than those of {second}"
        if result.unit == "score"
        else f"Differences tend to favour {first} over {second}",
    }.get(result.about, f"{first} is better than {second}")


def too_few(result: TestResult, groups: int = 0) -> int:
    """How many items (or clusters, or datasets) a verdict takes at least, where there are fewer; else 0.

    A test by signs has no smaller p-value than that of one pattern among all. `groups` is said where fewer count than
    were tested.
    """
    groups, tails = groups or result.clusters or result.n, 2 if result.alternative == "two-sided" else 1
    by_signs = result.method in TESTS and TESTS[result.method].facts["least_p_by_signs"]
    reached = not by_signs or bool(result.delta) or tails * 2.0**-groups <= result.alpha
    return 0 if reached else math.ceil(math.log2(tails / result.alpha))


def none_possible(groups: int, unit: str, needed: int, p: str) -> str:
    """Say that so few items could not have shown anything, whatever their scores."""
    are = "is" if groups == 1 else "are"
    return (
        f"No verdict is possible: {counted(groups, unit)} {are} too few to show any difference (at least {needed:,} "
        f"are needed; {p})."
    )


def not_shown(result: TestResult) -> str:
    """What a one-sided test did not find, without any figure."""
    a, b = result.systems
    return f"{a} is not shown to be {'better' if result.alternative == 'greater' else 'worse'} than {b}"


def order(result: TestResult) -> tuple[str, str]:
    """The winner first; the first named first where there is none, or where a difference other than 0 is tested."""
    a, b = result.systems
    return (b, a) if _mirrored(result) else (a, b)


def _mirrored(result: TestResult) -> bool:
    return finding(result) == "worse" and not result.delta


def _limits(result: TestResult) -> str:
    """What a test of another question than the mean must not be taken to say."""
    return "" if result.about == "mean" else f" {_NO_MEAN}"


def _nothing_found(result: TestResult) -> str:
    a, b = result.systems
    if needed := too_few(result):
        unit = "cluster" if result.clusters else result.unit
        return none_possible(result.clusters or result.n, unit, needed, p_with_side(result))
    over = averaged_over(result.weighting, result.n_datasets, result.noun)
    if result.delta:
        side = {"greater": "above", "less": "below"}.get(result.alternative, "other than")
        return (
            f"The {estimand(result)} {minus(result)}{over} is not shown to be {side} {result.delta:g}: {_gain(result)}."
        )
    if result.kind == "correlation":
        what = "which of {0} and {1} correlates better with the gold standard"
        if result.alternative != "two-sided":
            word = "better" if result.alternative == "greater" else "worse"
            return f"{a} is not shown to correlate {word} with the gold standard than {b}: {_estimate(result)}."
        return f"No clear winner: {size(result)} cannot tell {what.format(a, b)}: {_estimate(result)}."
    if result.alternative != "two-sided":
        return f"{not_shown(result)}{over}: {_estimate(result)}.{_limits(result)}"
    nobody = f"No clear winner{over}: {size(result)} cannot tell {a} and {b} apart"
    if math.isnan(result.estimate):
        return f"{nobody} ({p_with_side(result)})."
    return f"{nobody}; {_estimate(result)}.{_limits(result)}"


def _estimate(result: TestResult) -> str:
    """What was estimated, winner first, with its interval and p-value."""
    if math.isnan(result.estimate):
        return p_with_side(result)
    if result.about == "items":
        return f"{order(result)[0]} is better on {_wins(result)}, {p_with_side(result)}"
    # A winner's lead needs no names; without a winner they say which way the difference is taken.
    way = "" if finding(result) in ("better", "worse") else f" ({minus(result)})"
    return f"{estimand(result)}{way} {_gain(result)}"


def minus(result: TestResult, systems: Sequence[str] = ()) -> str:
    """The difference of scores that is positive where the first of these systems is better."""
    first, second = systems or result.systems
    return f"{first} - {second}" if result.higher_is_better else f"{second} - {first}"


def estimand(result: TestResult) -> str:
    """Name the estimate; for ranks in one word, as the registry's phrase tells which system comes first."""
    if result.about == "ranks":
        return "shift" if result.unit == "score" else "pseudo-median of the differences"
    return estimand_text(result)


def _gain(result: TestResult) -> str:
    """The difference with its interval and p-value."""
    scale = scale_of(result)
    value, interval = difference(result)
    remarks = [interval_text(interval, scale, result.delta)] if interval is not None else []
    remarks += [] if result.higher_is_better else ["lower is better"]
    return signed(value, scale) + (f" ({'; '.join(remarks)})" if remarks else "") + f", {p_with_side(result)}"


def difference(result: TestResult) -> tuple[float, Interval | None]:
    """The difference with the interval that may stand beside it; winner minus loser, where there is one."""
    told = told_interval(result)
    interval = None if told is None else opened(told, result.alternative)
    return (-result.estimate, mirrored(interval)) if _mirrored(result) else (result.estimate, interval)


def told_interval(result: TestResult) -> Interval | None:
    """The interval that may stand beside the p-value: none where it does not invert the test."""
    return None if any(note.code in _APART for note in result.notes) else result.interval


def _wins(result: TestResult) -> str:
    """How many of the items that differ the leading system wins, with the interval of that share."""
    untied, wins = int(result.details["n_untied"]), int(result.statistic)
    share = result.estimate
    interval = None if result.interval is None else opened(result.interval, result.alternative, least=0.0)
    if _mirrored(result):
        wins, share = untied - wins, 1 - share
        interval = None if interval is None else Interval(1 - interval.high, 1 - interval.low, interval.level, "")
    told = f"{wins:,} of {counted(untied, 'untied item')}"
    if interval is None:
        return told
    scale = scale_of(result)
    return f"{told}, a share of {figure(share, scale)} ({interval_text(interval, scale, 0.5)})"


def mirrored(interval: Interval | None) -> Interval | None:
    """The interval of the difference the other way round."""
    if interval is None:
        return None
    return Interval(
        -interval.high, -interval.low, interval.level, interval.method, interval.achieved, interval.extended
    )


def scale_of(result: TestResult) -> float:
    """The standard error by which figures are rounded: the test's own, or what the interval's width stands for."""
    own, interval = result.details.get("standard_error", math.nan), result.interval
    if own > 0 or interval is None:
        return own
    ends = [abs(end - result.estimate) for end in (interval.low, interval.high) if math.isfinite(end)]
    return sum(ends) / len(ends) / 2 if ends and sum(ends) > 0 else math.nan


def size(result: TestResult) -> str:
    """What the test had to go by: "400 items in 25 clusters"."""
    return counted(result.n, result.unit) + (f" in {counted(result.clusters, 'cluster')}" if result.clusters else "")


def _of_all_systems(result: TestResult) -> str:
    systems, rows = counted(int(result.details["systems"]), "system"), counted(result.n, result.unit)
    found, p = finding(result), p_with_side(result)
    told = f"W = {result.estimate:.2f}, {p}" if not math.isnan(result.estimate) else p
    if found == "undefined":
        return f"The {systems} cannot be judged by {with_article(result.label)}: it gives no p-value here."
    if found == "differs":
        return f"The {systems} differ on {rows}: {told}. To see which: {Verb('rank')}."
    return f"No clear difference: {rows} cannot tell the {systems} apart ({told})."


def _of_one_correlation(result: TestResult) -> str:
    x, y = result.systems
    scale = scale_of(result)
    interval = "" if result.interval is None else f" ({interval_text(result.interval, scale)})"
    told = f"{result.label} {figure(result.estimate, scale)}{interval}, {p_with_side(result)}"
    if finding(result) in ("better", "worse"):
        return f"{x} and {y} rise together: {told}." if result.estimate > 0 else f"{y} falls as {x} rises: {told}."
    if result.alternative != "two-sided":
        kind = "positive" if result.alternative == "greater" else "negative"
        return f"A {kind} correlation of {x} and {y} is not shown: {told}."
    return f"No clear correlation of {x} and {y} in {size(result)}: {told}."


# Kind of test -> what would be true under the null hypothesis, what is drawn anew, and what it would show.
_CHANCES = {
    "omnibus": ("If no system were better", "table", "differences this large"),
    "association": ("If {0} and {1} were unrelated", "sample", "a correlation this strong"),
    "correlation": ("If {0} and {1} agreed equally well with the gold standard", "sample", "a gap this large"),
    "test": ("If neither were better", "test set", "a gap this large"),
}


# What a test of another question than the mean looks at.
_EVENTS = {
    "items": "a split this lopsided",
    "ranks": "differences this lopsided",
    "median": "a median difference this far from 0",
}


def chance_sentence(result: TestResult) -> str:
    """Say what the p-value means; "" where there is none or it says nothing."""
    if math.isnan(result.p_value) or result.computed.how == "decision" or result.p_value > 0.95:
        return ""
    null, noun, event = _CHANCES[result.kind]
    null = f"If the true difference were {result.delta:g}" if result.delta else null.format(*result.systems)
    bound = "<=" in p_of(result)
    if result.kind == "test":
        noun = {"split": "cross-validation", "dataset": "collection"}.get(result.unit, noun)
    odds = about_chance(result.p_value, noun, bound=bound)
    seen = f", as far as {result.computed.resamples:,} draws can tell" if no_draw_was_as_extreme(result) else ""
    return f"{null}, {odds} would show {_event(result, event)}{seen}."


def _event(result: TestResult, event: str) -> str:
    """What the p-value is the probability of; a one-sided one has a direction, whatever the data say."""
    if result.kind == "omnibus":
        return event
    if result.alternative == "two-sided":
        if result.delta:
            event = f"a difference this far from {result.delta:g}"
        elif result.kind == "test":
            event = _EVENTS.get(result.about, event)
        return f"{event}, in either direction"
    if result.kind == "association":
        return f"a correlation of {figure(result.estimate, scale_of(result))} or {_further(result)}"
    if result.about != "mean":
        return f"a split at least as favourable to {result.systems[0 if result.alternative == 'greater' else 1]}"
    favoured = result.systems[0 if result.alternative == "greater" else 1]
    if not result.delta and result.estimate * (1 if result.alternative == "greater" else -1) > 0:
        return f"a lead of {favoured} this large"
    (first, second), flip = order(result), -1 if _mirrored(result) else 1
    size = signed(flip * result.estimate, scale_of(result))
    # Where lower is better, the lead of the first is no difference that subtracting the scores would give.
    what = f"difference {first} - {second}" if result.higher_is_better else f"lead of {first} over {second}"
    return f"a {what} of {size} or {_further(result)}"


def _further(result: TestResult) -> str:
    """Where more extreme results lie, as the answer is turned."""
    return "more" if (result.alternative == "greater") != _mirrored(result) else "less"


def run_sentence(result: TestResult, *, with_n: bool = True) -> str:
    """What was run, on what (which a comparison has said already), and how near the p-value is."""
    label = result.label[:1].upper() + result.label[1:]
    n = counted(result.n, result.unit) if with_n else ""
    told = (label, alternative_text(result), n, kept_together(result.clusters), how_computed(result))
    return ", ".join(part for part in told if part) + "."


def kept_together(clusters: int) -> str:
    """Say that items of one cluster were never taken apart; "" where there are no clusters."""
    return f"{counted(clusters, 'cluster')} of items kept together" if clusters else ""


def alternative_text(result: TestResult) -> str:
    """Name the alternative; a one-sided one says for whom."""
    if result.kind == "omnibus":
        return ""
    if result.alternative == "two-sided":
        return "two-sided"
    if result.kind == "association":
        return f"one-sided ({'positive' if result.alternative == 'greater' else 'negative'})"
    if result.delta:
        side = "above" if result.alternative == "greater" else "below"
        return f"one-sided (lead of {result.systems[0]} {side} {result.delta:g})"
    return f"one-sided ({result.systems[0 if result.alternative == 'greater' else 1]} better)"


def null_sentence(result: TestResult) -> str:
    """The null hypothesis as a sentence; a name at its beginning stays as it is."""
    null = null_text(result)
    start = null[:1] if null.startswith(result.systems) else null[:1].upper()
    return f"{start}{null[1:]}." if null else ""


def null_text(result: TestResult) -> str:
    """The null hypothesis with the names of the systems, after "that"."""
    unit = "cluster" if result.clusters else result.unit if result.unit in ("unit", "dataset") else "item"
    stated = result.null.replace("item by item", f"{unit} by {unit}")
    if result.metric:
        # What follows for differences of items is left out where items have none.
        stated = stated.partition(":")[0].replace("mean difference of {a} and {b}", "difference of {a} and {b} in {m}")
    elif result.delta and ": differences" in stated:
        stated = f"the differences {minus(result, ('{a}', '{b}'))}{stated.partition(': differences')[2]}"
    if not result.delta:
        stated = stated.replace(" plus delta", "")
    # Names go in last: one that holds a brace or the word delta stays as it is.
    stated = re.sub(r"\bdelta\b", f"{result.delta:g}", stated)
    return named(stated, result.systems).replace("{m}", result.metric)


def estimand_text(result: TestResult) -> str:
    """What was estimated, with the names of the systems."""
    return named(result.estimand, result.systems)


def how_computed(result: TestResult) -> str:
    """Say in half a sentence how the p-value was computed, and how near it is."""
    computed = result.computed
    if computed.how in ("monte-carlo", "linear+correction"):
        return f"{computed.resamples:,} random draws, seed {computed.seed}"
    if computed.how == "decision":
        return f"{computed.resamples:,} random draws until it was decided, seed {computed.seed}"
    if computed.how == "bound":
        return "p is an upper bound"
    if computed.how == "approximate":
        as_printed = computed.error < _HALF_A_DIGIT * result.p_value
        return "p right in all digits shown" if as_printed else f"p off by at most {rounded_up(computed.error)}"
    return promise_in_short(result.validity, result.clusters or result.n)
