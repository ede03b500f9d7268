"""What systems score by a metric; whether they differ is for a comparison to say."""

from __future__ import annotations

import math

from nofluke.errors import Verb, listing
from nofluke.types import Answer, Interval, Scored, Table
from nofluke.types.base import counted
from nofluke.words.fixes import DETAILS
from nofluke.words.names import better_scores
from nofluke.words.notes import matters
from nofluke.words.numbers import figure, interval_text

_MOST_ROWS, _MOST_NOTES = 8, 3
_MOST_NAMES = 4


def answer(result: Scored) -> Answer:
    """One line on what was scored, and the systems with their scores."""
    rows = best_first(result)
    more = len(rows) - _MOST_ROWS
    return Answer(
        verdict=headline(result),
        table=Table(
            columns=("", " ", "  ") if result.intervals else ("", " "),
            rows=with_intervals(result, rows[:_MOST_ROWS]),
            figures=(" ",),
            caption=f"{counted(more, 'more system')}: {DETAILS}" if more > 0 else "",
        ),
        points=tuple(point for point in (("Metric", _signature(result)), ("Interval", _limits(result))) if point[1]),
        notes=tuple(str(note) for note in result.notes if matters(note))[:_MOST_NOTES],
    )


def title(result: Scored) -> str:
    """What was scored, by name where there are few."""
    names = tuple(result.scores)
    what = "Scores" if result.metric == "score" and len(names) > 1 else result.metric
    return f"{what} of {' and '.join(names) if len(names) < 3 else counted(len(names), 'system')}"


def _signature(result: Scored) -> str:
    """How the metric was computed; how runs were put together is said by a note."""
    told = result.signature.partition("|reduce:")[0]
    return told if "|" in told else ""


def _limits(result: Scored) -> str:
    """Warn of intervals that leave the shares from 0 to 1, where all scores may be shares."""
    ends = [end for interval in result.intervals.values() for end in (interval.low, interval.high)]
    if not all(0 <= score <= 1 for score in result.scores.values()) or not ends:
        return ""
    beyond = [f"{limit}" for limit, passed in ((0, min(ends) < 0), (1, max(ends) > 1)) if passed]
    known = " and ".join(beyond)
    return f"Student's t knows no limits: if scores end at {known}, so does the interval." if beyond else ""


def best_first(result: Scored) -> tuple[tuple[str, str], ...]:
    """The systems with their scores as printed, the best first."""
    sign = -1 if result.higher_is_better else 1
    known = sorted(result.scores.items(), key=lambda one: (math.isnan(one[1]), sign * one[1]))
    return tuple((name, _digits(result, name)) for name, value in known)


def _digits(result: Scored, name: str) -> str:
    """A score with the digits of the intervals, or four decimals."""
    value, found = result.scores[name], result.intervals.get(name)
    return f"{value:.4f}" if found is None or math.isnan(value) else figure(value, _scale(result))


def scale_of(interval: Interval) -> float:
    """How many digits an interval is worth, and its score with it."""
    return (interval.high - interval.low) / 4


def _scale(result: Scored) -> float:
    """The narrowest interval decides for all: the figures of one table have the same decimals."""
    found = [scale_of(interval) for interval in result.intervals.values()]
    return min((scale for scale in found if scale > 0), default=math.nan)


def with_intervals(result: Scored, rows: tuple[tuple[str, str], ...]) -> tuple[tuple[str, ...], ...]:
    """The same rows with the interval of each score, where these were asked for."""
    if not result.intervals:
        return rows
    found, scale = result.intervals, _scale(result)
    return tuple((name, score, interval_text(found[name], scale) if name in found else "") for name, score in rows)


def _size(result: Scored) -> str:
    """Over how many items, and of how many datasets the average is taken."""
    items = counted(result.n, "item")
    if not result.n_datasets:
        return items
    several = counted(result.n_datasets, "dataset")
    if result.weighting == "items":
        return f"{items} of {several}"
    return f"{'weighted ' if result.weighting == 'given' else ''}average of {several}, {items}"


def headline(result: Scored) -> str:
    """Who scores best, over how many items; whether that is a clear difference is another question."""
    where = f" on {result.dataset}" if result.dataset else ""
    size = _size(result)
    (best, score), *others = best_first(result)
    if not others or score == "nan":
        return f"{result.metric} of {counted(len(result.scores), 'system')}{where}, {size} ({better_scores(result)})."
    shared = [best, *(name for name, value in others if value == score)]
    most = "highest" if result.higher_is_better else "lowest"
    do = "scores" if len(shared) == 1 else "score"
    best_is = "" if result.higher_is_better else ", which is best"
    by = "" if result.metric == "score" else f" by {result.metric}"
    return f"{listing(shared, _MOST_NAMES)} {do} {most}{by}{where}: {score}{best_is} ({size})."


def only_scores(result: Scored) -> tuple[str, ...]:
    """Say that scores alone are no comparison, where there is something to compare."""
    if len(result.scores) < 2:
        return ()
    overlap = " Overlapping intervals do not rule out a clear difference." if result.intervals else ""
    asked = Verb("compare") if len(result.scores) == 2 else Verb("rank")
    return (f"These are scores alone. Whether the systems really differ: {asked}.{overlap}",)


def caption(result: Scored) -> str:
    """What the table shows, and how it was scored."""
    told = f"{result.metric} over {counted(result.n, 'item')} ({better_scores(result)})."
    return told + (f" Scored as {result.signature}." if result.signature else "")


def sentence(result: Scored) -> str:
    """The sentence for a paper."""
    where = f" on {result.dataset}" if result.dataset else ""
    listed = ", ".join(f"{name} {value}" for name, value in best_first(result))
    systems, over = counted(len(result.scores), "system"), counted(result.n, "item")
    return f"We scored {systems}{where} by {result.metric} ({better_scores(result)}) over {over}: {listed}."
