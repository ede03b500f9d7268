"""Scores of systems as a report: what a metric gives over all items."""

from __future__ import annotations

import math

from nofluke.call import calls
from nofluke.registry import METRICS
from nofluke.reports.build.citing import cited
from nofluke.reports.build.figures import interval_cell
from nofluke.types import Report, Scored, Table
from nofluke.words import scored as words


def build_scored(result: Scored) -> Report:
    """Say what each system scores; whether they differ is for a comparison to say."""
    rows = words.best_first(result)
    known = result.metric in METRICS
    return Report(
        kind="Scored",
        title=words.title(result),
        headline=words.headline(result),
        sentences=words.only_scores(result),
        main=Table(
            columns=("system", result.metric, "95% CI") if result.intervals else ("system", result.metric),
            rows=tuple((*row, *_interval(result, row[0])) for row in rows),
            caption=words.caption(result),
            figures=(result.metric,),
            explain={result.metric: METRICS[result.metric].summary if known else f"the {result.metric} of each system"},
        ),
        sections=(),
        records=tuple(_record(result, name, value) for name, value in result.scores.items()),
        short=words.sentence(result),
        long=words.sentence(result),
        notes=tuple(map(str, result.notes)),
        citations=cited(("metric", result.metric)) if known else (),
        calls=calls(result.call),
        settings={"metric": result.metric},
        signature=result.signature,
    )


def _interval(result: Scored, name: str) -> tuple[str, ...]:
    found = result.intervals.get(name)
    cell = "" if found is None else interval_cell(found, words.scale_of(found))
    return (cell,) if result.intervals else ()


def _record(result: Scored, name: str, value: float) -> dict[str, float | str]:
    found: dict[str, float | str] = {"system": name, result.metric: value}
    if result.intervals:
        interval = result.intervals.get(name)
        found |= {"low": math.nan, "high": math.nan, "interval_method": ""}
        if interval is not None:
            found |= {"low": interval.low, "high": interval.high, "interval_method": interval.method}
    return found
