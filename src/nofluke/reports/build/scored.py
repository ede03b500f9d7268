"""Scores of systems as a report: what a metric gives over all items."""

from __future__ import annotations

from nofluke.registry import METRICS
from nofluke.reports.build.citing import cited
from nofluke.types import Report, Scored, Table
from nofluke.types.base import counted

_ONLY_SCORES = "These are scores only: whether the systems really differ is for a comparison to say."


def build_scored(result: Scored) -> Report:
    """Say what each system scores; whether they differ is for a comparison to say."""
    direction = "higher" if result.higher_is_better else "lower"
    where = f" on {result.dataset}" if result.dataset else ""
    over = counted(result.n, "item")
    rows = tuple((name, f"{value:.4f}") for name, value in result.scores.items())
    listed = ", ".join(" ".join(row) for row in rows)
    known = result.metric in METRICS
    return Report(
        kind="Scored",
        title=f"{result.metric} of {counted(len(rows), 'system')}",
        headline=f"{result.headline}.",
        sentences=(_ONLY_SCORES,) if len(rows) > 1 else (),
        main=Table(
            columns=("system", result.metric),
            rows=rows,
            caption=f"{result.metric}{where} over {over} ({direction} is better)"
            + (f"; scored as {result.signature}." if result.signature else "."),
            figures=(result.metric,),
            explain={result.metric: METRICS[result.metric].summary if known else f"the {result.metric} of each system"},
        ),
        sections=(),
        records=tuple({"system": name, result.metric: value} for name, value in result.scores.items()),
        short=f"{result.metric}{where}: {listed} ({over}).",
        long=f"We scored {counted(len(rows), 'system')}{where} by {result.metric} ({direction} is better) over {over}: "
        f"{listed}.",
        notes=result.notes,
        citations=cited(("metric", result.metric)) if known else (),
        calls={},
        settings={"metric": result.metric},
        signature=result.signature,
    )
