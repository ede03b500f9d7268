"""An Estimate as a report: one effect size with its interval."""

from __future__ import annotations

import math

from nofluke.call import calls
from nofluke.registry import EFFECTS
from nofluke.reports.build.bayes_factor import build_bayes_factor
from nofluke.reports.build.citing import cited, told
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.types import Estimate, Report, Table
from nofluke.words import estimate as words
from nofluke.words.computed import interval_method
from nofluke.words.numbers import figure


def build_estimate(result: Estimate) -> Report:
    """Say how large the difference is by one index."""
    if result.name == "bayes_factor":
        return build_bayes_factor(result)
    items = "" if result.n is None else f"n = {result.n:,}"
    null = float(EFFECTS[result.name].facts["null"]) if result.name in EFFECTS else math.nan
    meaning = words.side_sentence(result)
    return Report(
        kind="Estimate",
        title=words.label_of(result),
        headline=words.headline(result),
        sentences=(meaning,) if meaning else (),
        main=_table(result, items),
        sections=(),
        records=(_record(result),),
        short=words.short(result, items),
        long=words.long(result, result.n),
        notes=tuple(map(str, result.notes)),
        citations=cited(("effect", result.name, result.call)),
        calls=calls(result.call),
        settings={"effect": result.name, **told(result.call, "name")},
        signature=result.signature,
        bar=bar_of(result.interval, result.value, null),
    )


def _table(result: Estimate, items: str) -> Table:
    label, interval, scale = words.label_of(result), result.interval, words.scale_of(result)
    columns = ["effect size", "value", "standard error"]
    cells = [label, figure(result.value, scale), figure(result.standard_error, scale)]
    if interval is not None:
        columns += [interval_heading(interval), "interval by"]
        cells += [interval_cell(interval, scale), interval_method(interval)]
    if result.magnitude:
        columns += ["size in words", "by the rule"]
        cells += [result.magnitude, words.rule_text(result)]
    return Table(
        columns=tuple(columns),
        rows=(tuple(cells),),
        caption=words.caption(result, items),
        figures=("value", "standard error"),
        explain={label: words.side_sentence(result)} if result.name in EFFECTS else {},
    )


def _record(result: Estimate) -> dict[str, float | str]:
    interval = result.interval
    return {
        "name": result.name,
        "value": result.value,
        "standard_error": result.standard_error,
        "low": math.nan if interval is None else interval.low,
        "high": math.nan if interval is None else interval.high,
        "level": math.nan if interval is None else interval.level,
        "interval_method": "" if interval is None else interval.method,
        "magnitude": result.magnitude,
        "rule": result.rule,
        "signature": result.signature,
    }
