"""What a Comparison says: who is better, by how much, how sure that is, and what the test set could have found."""

from __future__ import annotations

import math

from nofluke.types import Answer, Bar, Comparison, Interval, Table
from nofluke.types.base import counted
from nofluke.words.numbers import chance, figure, interval_text, level_text, p_of, signed
from nofluke.words.test_result import how_computed

_MOST_NOTES = 3


def answer(result: Comparison) -> Answer:
    """The verdict, both scores, the difference as a picture, the chance or the range, the power and the test."""
    return Answer(
        verdict=" ".join(part for part in (headline(result), *_margin(result)) if part),
        table=_table(result),
        points=tuple(point for point in (_chance(result), _range(result), _power(result), _test(result)) if point[1]),
        notes=_notes(result),
        tone={"better": "settled", "worse": "worse"}.get(result.verdict, "open"),
    )


def headline(result: Comparison) -> str:
    """The answer in one sentence."""
    first, second = order(result)
    p = p_of(result.test)
    if result.verdict == "undefined":
        return f"{first} and {second} cannot be judged by {result.test.label}: the test gives no p-value here."
    if result.verdict not in ("better", "worse"):
        return _nothing_found(result, first, second, p)
    if result.test.delta:
        side = "above" if result.verdict == "better" else "below"
        a, b = result.systems
        return f"The difference of {a} and {b} is {side} {result.test.delta:g} ({_gain(result)}), {p}."
    if result.test.about == "mean":
        return f"{first} is better than {second}: {_gain(result)}, {p}."
    return f"{_OTHER_CLAIMS[result.test.about].format(first, second)} ({p}). This says nothing about the mean score."


# What is claimed when a test of another question than the mean rejects: {0} is the system the evidence leans to.
_OTHER_CLAIMS = {
    "items": "{0} is better than {1} on more items than it is worse on",
    "ranks": "The differences lean towards {0} rather than {1}",
    "median": "The median difference favours {0} over {1}",
}


def order(result: Comparison) -> tuple[str, str]:
    """The winner first; the first named first where there is none."""
    a, b = result.systems
    return (b, a) if result.verdict == "worse" else (a, b)


def _nothing_found(result: Comparison, first: str, second: str, p: str) -> str:
    profile = result.profile
    if profile.wins == profile.losses == 0 and profile.ties == profile.n == result.n:
        return f"No clear winner: {first} and {second} have the same score on all {result.n:,} items ({p})."
    if result.test.alternative != "two-sided":
        word = "better" if result.test.alternative == "greater" else "worse"
        return f"{first} is not shown to be {word} than {second}: {_gain(result)}, {p}."
    return f"No clear winner: {_size(result)} cannot tell {first} and {second} apart ({p})."


def _size(result: Comparison) -> str:
    if result.unit_size > 1:
        return f"{result.n:,} units of {result.unit_size} items"
    return counted(result.n, "item") + (f" in {counted(result.clusters, 'cluster')}" if result.clusters else "")


def _gain(result: Comparison) -> str:
    """The difference, winner minus loser, with its interval."""
    mean = result.effects["mean_difference"]
    scale = mean.standard_error
    value, interval = mean.value, mean.interval
    if result.verdict == "worse":
        value, interval = -value, _mirrored(interval)
    remarks = [interval_text(interval, scale)] if interval is not None else []
    remarks += [] if result.higher_is_better else ["lower is better"]
    return signed(value, scale) + (f" ({'; '.join(remarks)})" if remarks else "")


def _mirrored(interval: Interval | None) -> Interval | None:
    if interval is None:
        return None
    return Interval(-interval.high, -interval.low, interval.level, interval.method, interval.achieved)


def _table(result: Comparison) -> Table:
    """Both systems with their scores and wins, and the difference drawn against 0."""
    mean = result.effects["mean_difference"]
    scale, worse = mean.standard_error, result.verdict == "worse"
    wins = (result.profile.wins, result.profile.losses)
    rows = list(
        zip(result.systems, (figure(score, scale) for score in result.scores), _wins(result, wins), strict=True)
    )
    if worse:
        rows.reverse()
    value, interval = (-mean.value, _mirrored(mean.interval)) if worse else (mean.value, mean.interval)
    null = -result.test.delta if worse else result.test.delta
    bar = None if interval is None else Bar(interval.low, value, interval.high, null)
    label = "difference" if result.higher_is_better else "advantage"
    return Table(
        columns=("", " ", "  "),
        rows=(*rows, (label, signed(value, scale), "")),
        figures=(" ",),
        bars=(None, None, bar),
    )


def _wins(result: Comparison, wins: tuple[int, int]) -> tuple[str, str]:
    """How often each is better; "" where no single item has a score of its own."""
    profile = result.profile
    if profile.kind == "shares":
        return "", ""
    unit = "unit" if result.unit_size > 1 else "item"
    ties = f" ({counted(profile.ties, 'tie')})" if profile.ties else ""
    told = [f"better on {counted(number, unit)}" for number in wins]
    last = 0 if result.verdict == "worse" else 1
    told[last] += ties
    return told[0], told[1]


def _chance(result: Comparison) -> tuple[str, str]:
    test = result.test
    if result.verdict not in ("better", "worse") or test.computed.how == "decision":
        return "Chance", ""
    first = order(result)[0]
    null = f"If the true difference were {test.delta:g}" if test.delta else "If neither were better"
    event = "a gap this large" if test.about == "mean" else "a split this lopsided"
    sides = ", in either direction" if test.alternative == "two-sided" else f" in favour of {first}"
    most = "at most" if "<=" in p_of(test) else "about"
    odds = chance(test.p_value)
    about = "" if odds.startswith(("fewer", "nearly")) else f"{most} "
    return "Chance", f"{null}, {about}{odds} would show {event}{sides}."


def _range(result: Comparison) -> tuple[str, str]:
    """What the data leave open where no winner was found."""
    mean = result.effects["mean_difference"]
    interval, scale = mean.interval, mean.standard_error
    a, b = result.systems
    if result.verdict in ("better", "worse") or interval is None or result.test.delta or math.isnan(scale):
        return "Range", ""
    if not all(map(math.isfinite, (interval.low, interval.high))):
        return "Range", ""
    low = _lead(b, a, -interval.low, scale)
    high = _lead(a, b, interval.high, scale)
    return "Range", f"The data allow anything from {low} to {high} ({level_text(interval.level)} CI)."


def _lead(better: str, other: str, gain: float, scale: float) -> str:
    if gain < 0:
        return f"{other} better by {figure(-gain, scale)}"
    return f"{better} better by {figure(gain, scale)}" if float(figure(gain, scale)) else "no difference"


def _power(result: Comparison) -> tuple[str, str]:
    found = result.detectable
    if math.isnan(found.difference):
        return "Power", ""
    by = "" if result.test.about == "mean" else " by a test of the mean"
    times = f"{found.power * 10:g} of 10" if found.power * 10 % 1 == 0 else f"{found.power * 100:g} of 100"
    gap = figure(found.difference, found.standard_error)
    return "Power", f"{_size(result)} reveal a true gap of {gap} in {times} test sets{by}."


def _test(result: Comparison) -> tuple[str, str]:
    test = result.test
    sides = {"two-sided": "two-sided", "greater": f"one-sided ({result.systems[0]} better)"}
    sides["less"] = f"one-sided ({result.systems[1]} better)"
    label = test.label[:1].upper() + test.label[1:]
    return "Test", f"{label}, {sides[test.alternative]}, {how_computed(test)}."


def _margin(result: Comparison) -> tuple[str, ...]:
    if result.margin is None:
        return ()
    a, b = result.systems
    margin = f"{result.margin:g}"
    return (
        {
            "better": "",
            "worse": f"A loss above {margin} cannot be ruled out.",
            "equivalent": f"They differ by less than {margin} in either direction.",
            "not worse": f"{a} is not worse than {b} by more than {margin}.",
            "not better": f"{a} is not better than {b} by more than {margin}, and may be worse by more than that.",
            "undecided": f"Whether {a} is worse than {b} by more than {margin} is undecided.",
        }[result.margin_verdict],
    )


def _notes(result: Comparison) -> tuple[str, ...]:
    return tuple(str(note) for note in result.notes)[:_MOST_NOTES]
