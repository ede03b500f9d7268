"""A TestResult as a report: one significance test, whatever its kind."""

from __future__ import annotations

import math
from typing import Any

from nofluke.call import calls
from nofluke.reports.build.citing import call_settings, cited, used_in
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.types import Report, Section, Table, TestResult
from nofluke.words import test_report as words
from nofluke.words.names import metric_in_full
from nofluke.words.numbers import figure, p_cell
from nofluke.words.test_result import finding, headline, scale_of


def build_test_result(result: TestResult) -> Report:
    """Say what one test found, with everything a reader needs to repeat it."""
    two_systems = result.kind == "test"
    chosen = words.option_phrases(result)
    metric = metric_in_full("", result.scored_by)
    return Report(
        kind="TestResult",
        title=result.label,
        headline=headline(result),
        sentences=words.sentences(result),
        main=_paper_table(result, chosen),
        sections=(_figures(result),),
        records=(test_record(result),),
        short=words.short(result, chosen),
        long=words.long(result, chosen, metric),
        notes=tuple(map(str, result.notes)),
        citations=cited(*used_in([result]), ("metric", result.metric)),
        calls=calls(result.call),
        settings={
            **_settings(result),
            **({"alpha": result.alpha} if result.interval is not None else {}),
        },
        signature=result.signature,
        bar=bar_of(result.interval, result.estimate, 0.5 if result.about == "items" else result.delta),
        systems=result.systems if two_systems else (),
        tone={"better": "settled", "worse": "settled"}.get(finding(result), ""),
        paper_only=True,
    )


def _figures(result: TestResult) -> Section:
    table = Table(columns=("", ""), rows=words.figures(result), explain=words.figure_explanations(result))
    return Section("Figures", table=table)


def test_record(result: TestResult) -> dict[str, Any]:
    """One flat row of unrounded values, for CSV."""
    interval = result.interval
    return {
        "test": result.method,
        "alternative": result.alternative,
        "delta": result.delta,
        "n": result.n,
        "statistic": result.statistic,
        "p_value": result.p_value,
        "log_p_value": result.log_p_value,
        "estimate": result.estimate,
        "low": math.nan if interval is None else interval.low,
        "high": math.nan if interval is None else interval.high,
        "level": math.nan if interval is None else interval.level,
        "computed": result.computed.how,
        "signature": result.signature,
    }


test_record.__test__ = False  # type: ignore[attr-defined]  # not a test for pytest


def _settings(result: TestResult) -> dict[str, Any]:
    """What the test was told; sides and seed also where they are the usual ones."""
    seed = result.computed.seed
    return {
        result.kind: result.method,
        **({} if result.kind == "omnibus" else {"alternative": result.alternative}),
        **call_settings(result.call, "method", "seed"),
        **({"clusters": result.clusters} if result.clusters else {}),
        **({"scored by": result.scored_by} if result.scored_by else {}),
        **({} if seed is None else {"seed": seed}),
    }


def _paper_table(result: TestResult, chosen: tuple[str, ...]) -> Table:
    scale = scale_of(result)
    columns = ["test", "n", "statistic", "p"]
    cells = [result.label, f"{result.n:,}", f"{result.statistic:.6g}", p_cell(result)]
    if not math.isnan(result.estimate):
        columns.append("estimate")
        cells.append(figure(result.estimate, scale))
    if result.interval is not None:
        columns.append(interval_heading(result.interval))
        cells.append(interval_cell(result.interval, scale))
    return Table(
        columns=tuple(columns),
        rows=(tuple(cells),),
        caption=words.caption(result, chosen),
        figures=("n", "statistic", "p", "estimate"),
        explain=words.explanations(result),
    )
