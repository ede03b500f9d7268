"""Forest plot: every system's score, or every dataset's difference, with its interval; averages stand below."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from nofluke.charts.drawing import HAS_LENGTH, Chart, altair_or_hint, data, distinct, finish, told
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import COLOURS, look
from nofluke.registry import CHARTS
from nofluke.types import Comparison, Interval, Ranking, Replication
from nofluke.types.base import counted
from nofluke.words import pictures
from nofluke.words.marks import average_says, dataset_says, score_says, task_says
from nofluke.words.tasks import from_winner
from nofluke.words.winner_first import winner_first

_FEW = 40
_OPEN = "open"
_DISPUTED = "p-value and scores disagree"


def _has_rows(result: Ranking | Replication | Comparison) -> bool:
    if isinstance(result, Ranking):
        return True
    if isinstance(result, Comparison):
        return bool(result.tasks)
    return any(math.isfinite(value) for value in result.estimates)


@CHARTS.register(
    "forest",
    label="Forest plot of systems or datasets",
    takes=("Ranking", "Replication", "Comparison"),
    applies=Needs("the difference on every dataset, not only p-values", _has_rows),
    cite="Lewis & Clarke 2001",
)
def forest(result: Ranking | Replication | Comparison) -> Chart:
    """How large is each score or difference, and how sure are we of it?"""
    if isinstance(result, Ranking):
        return _of_systems(result)
    if isinstance(result, Comparison):
        return _of_tasks(result)
    return _of_datasets(result)


def _of_systems(result: Ranking) -> Chart:
    names = distinct(result.systems)
    rows = []
    for place, (name, score, interval) in enumerate(zip(names, result.scores, result.intervals, strict=True)):
        ends = {"low": interval.low, "high": interval.high} if interval is not None else {"low": score, "high": score}
        rows.append({"name": name, "value": score, **ends, "says": score_says(result, place, name)})
    level = next((interval.level for interval in result.intervals if interval is not None), math.nan)
    about = f"{level:.0%} CI of each single score" if level == level else "scores"
    return finish(
        _plot(rows, result.metric or "score", None),
        **pictures.heading("forest", systems=len(names), about=about),
        description=pictures.spoken_scores(result, names[0]),
    )


def _of_datasets(result: Replication) -> Chart:
    a, b = distinct(result.systems, 24)
    states = _states(result, a, b)
    rows = list(_dataset_rows(result, states))
    colours = {state: _colour_of(state, a) for state in states}
    of_one = "; intervals: each dataset by itself" if any(row["low"] < row["high"] for row in rows) else ""
    return finish(
        _plot(rows, f"difference, positive = {a} better", 0.0, colours),
        **pictures.heading(
            "forest_datasets",
            a=a,
            b=b,
            datasets=counted(len(result.datasets), "dataset"),
            method=result.method.capitalize(),
            alpha=result.alpha,
            rest=of_one,
        ),
        description=pictures.spoken_datasets(result, (a, b)),
    )


def _of_tasks(result: Comparison) -> Chart:
    """Every dataset of an average from the winner's view, the decided ones first, and the average in the last row."""
    tasks, seen = from_winner(result), winner_first(result)
    a, b = distinct(seen.systems, 24)
    shown = {"better": f"shown: {a} better", "worse": f"shown: {b} better"}
    mean = seen.effects["mean_difference"]
    rows = []
    for name, task in zip(distinct([task.dataset for task in tasks]), tasks, strict=True):
        state = shown.get(task.verdict, _OPEN)
        rows.append(_row(name, task.difference, task.interval, state, task_says(seen, task, name, state)))
    state = shown.get(seen.verdict, _OPEN)
    rows.append(_row("average", mean.value, mean.interval, state, average_says(seen, "average", state)))
    colours = {state: _colour_of(state, a) for state in (*shown.values(), _OPEN)}
    return finish(
        _plot(rows, f"difference, positive = {a} better", 0.0, colours, averages=1),
        **pictures.heading("forest_tasks", title=pictures.tasks_title(result)),
        description=pictures.spoken_tasks(result, (a, b)),
    )


def _row(name: str, value: float, interval: Interval | None, state: str, says: str) -> dict[str, Any]:
    bounded = interval is not None and _bounded(interval)
    low, high = (interval.low, interval.high) if interval is not None and bounded else (value, value)
    return {"name": name, "value": value, "low": low, "high": high, "state": state, "says": says}


def _bounded(interval: Interval) -> bool:
    return math.isfinite(interval.low) and math.isfinite(interval.high)


def _states(result: Replication, a: str, b: str) -> dict[str, frozenset[str]]:
    """What is shown of which datasets; those in none are open. A direction that was not tested has no state."""
    sides = {a: result, b: result.opposite} if result.alternative != "less" else {b: result}
    shown = {f"shown: {name} better": frozenset(claim.identified) for name, claim in sides.items() if claim is not None}
    # P-values of a paper can name a dataset on which the scores point the other way: nothing is shown there.
    claims = [claim for claim in sides.values() if claim is not None and not claim.tests]
    disputed = frozenset(name for claim in claims for name in claim.identified if name in claim.against)
    shown = {state: named - disputed for state, named in shown.items()}
    return {**shown, _OPEN: frozenset(), **({_DISPUTED: disputed} if disputed else {})}


def _dataset_rows(result: Replication, states: Mapping[str, frozenset[str]]) -> Iterator[dict[str, Any]]:
    for i, name in enumerate(distinct(result.datasets)):
        value = float(result.estimates[i])
        if not math.isfinite(value):
            continue
        interval = result.tests[i].interval if result.tests else None
        state = next((state for state, named in states.items() if result.datasets[i] in named), _OPEN)
        yield _row(name, value, interval, state, dataset_says(result, i, name, state))


def _colour_of(state: str, a: str) -> str:
    """Green where A is shown to be better, red where B is; everything else is open."""
    if state in (_OPEN, _DISPUTED):
        return COLOURS["open" if state == _OPEN else "soft"]
    return COLOURS["yes" if state == f"shown: {a} better" else "no"]


def _plot(
    rows: list[dict[str, Any]],
    title: str,
    zero: float | None,
    colours: Mapping[str, str] | None = None,
    *,
    averages: int = 0,
) -> Chart:
    """Draw the rows; the legend counts all but so many averages at their end."""
    alt = altair_or_hint()
    step = 22 if len(rows) <= _FEW else 13
    base = alt.Chart(data(rows), width=460, height=alt.Step(step))
    names = alt.Y("name:N", title=None, sort=[row["name"] for row in rows]).axis(
        grid=True, labelFontSize=12 if step > 20 else 10, ticks=False, labelOverlap=False
    )
    # Differences get some air, so that no point lies on a name; scores may end where no score can lie beyond.
    scale = alt.Scale(zero=False, nice=True, padding=8 if zero is not None else 0)
    colour = alt.Undefined
    if colours:
        counts = Counter(row["state"] for row in rows[: len(rows) - averages])
        labels = " : ".join(f"datum.value == {json.dumps(state)} ? '{counts[state]}'" for state in colours)
        colour = alt.Color("state:N", title=None).scale(domain=list(colours), range=list(colours.values()))
        colour = colour.legend(orient="top", labelExpr=f"datum.label + ' (' + ({labels} : '') + ')'")
    bars = base.transform_filter(HAS_LENGTH).mark_rule(**look("a"), strokeWidth=2)
    bars = bars.encode(y=names, x=alt.X("low:Q", title=title, scale=scale), x2="high:Q", color=colour, **told())
    points = base.mark_point(**look("a"), filled=True, size=45 if step > 20 else 25, opacity=1).encode(
        y=names, x=alt.X("value:Q", title=title, scale=scale), color=colour, **told(unless=HAS_LENGTH)
    )
    layers = [bars, points]
    if zero is not None:
        layers.insert(0, alt.Chart(data([{"at": zero}])).mark_rule(**look("zero")).encode(x="at:Q"))
    return alt.layer(*layers)
