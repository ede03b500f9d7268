"""A TestResult as a report: one significance test, whatever its kind."""

from __future__ import annotations

import math
from typing import Any

from nofluke.registry import TESTS
from nofluke.reports.build.calls import calls, options_in
from nofluke.reports.build.citing import cited, fields_of, used_in
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.types import Report, Section, Table, TestResult
from nofluke.words import test_report as words
from nofluke.words.names import metric_in_full
from nofluke.words.numbers import figure
from nofluke.words.test_result import finding, headline, scale_of

# Options that the sentence has in other words: the null hypothesis, the interval, how the p-value was computed.
_SAID_ELSEWHERE = frozenset({"alternative", "delta", "confidence_level", "monte_carlo", "seed"})
_UNNAMED = ("A", "B")


def build_test_result(result: TestResult) -> Report:
    """Say what one test found, with everything a reader needs to repeat it."""
    two_systems = result.kind == "test"
    fields, chosen = fields_of(result.signature), chosen_options(result)
    metric = metric_in_full("", result.signature)
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
        citations=cited(*used_in([result.signature]), ("metric", result.metric)),
        calls=_calls(result) if two_systems else {},
        settings={
            **{name: text for name, text in fields.items() if name not in ("nofluke", "n")},
            **({"alpha": result.alpha} if result.interval is not None else {}),
        },
        signature=result.signature,
        bar=bar_of(result.interval, result.estimate, 0.5 if result.about == "items" else result.delta),
        systems=result.systems if two_systems else (),
        tone={"better": "settled", "worse": "worse"}.get(finding(result), ""),
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


def chosen_options(result: TestResult) -> tuple[str, ...]:
    """Give the options that change the number and are not the usual ones, in words; the rest is said elsewhere."""
    fields = fields_of(result.signature)
    if result.kind != "test" or result.method not in TESTS:
        return ()
    own = [name for name in TESTS[result.method].option_names() if name in fields and name not in _SAID_ELSEWHERE]
    return words.option_phrases(fields, own)


def _paper_table(result: TestResult, chosen: tuple[str, ...]) -> Table:
    scale = scale_of(result)
    columns = ["test", "n", "statistic", "p"]
    cells = [result.label, f"{result.n:,}", f"{result.statistic:.6g}", words.p_digits_of(result)]
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


def _calls(result: TestResult) -> dict[str, str]:
    fields = options_in(result.signature)
    systems = dict(zip(("a", "b"), result.systems, strict=True)) if result.systems != _UNNAMED else {}
    unpaired = result.method in TESTS and TESTS[result.method].facts["needs"] == "unpaired"
    selection = "unpaired" if unpaired else "pair"
    return calls("test", {"method": result.method, **fields}, systems, selection=selection)
