"""An Estimate as a report: one effect size with its interval."""

from __future__ import annotations

import math

from nofluke.inference.wording import figure, interval_in_figures
from nofluke.registry import EFFECTS
from nofluke.reports.build.bayes_factor import build_bayes_factor
from nofluke.reports.build.citing import cited, fields_of, used_in
from nofluke.reports.build.figures import bar_of, effect_label, effect_meaning, interval_cell, interval_heading
from nofluke.types import Estimate, Report, Table


def build_estimate(result: Estimate) -> Report:
    """Say how large the difference is by one index."""
    if result.name == "bayes_factor":
        return build_bayes_factor(result)
    label, value = effect_label(result), figure(result.value, result.standard_error)
    n = fields_of(result.signature).get("n", "")
    interval = ""
    if result.interval is not None:
        interval = f", {interval_in_figures(result.interval, result.standard_error)} ({result.interval.method})"
    size = f"; {result.magnitude} by {result.rule}" if result.magnitude else ""
    items = f"n = {int(n):,}" if n.isdigit() else ""
    null = float(EFFECTS[result.name].facts["null"]) if result.name in EFFECTS else math.nan
    return Report(
        kind="Estimate",
        title=label,
        headline=f"{label} = {value}{interval}{size}.",
        sentences=(f"{effect_meaning(result)}",),
        main=_table(result, label, items),
        sections=(),
        records=(_record(result),),
        short=f"{label} = {value}{interval}" + (f", {items}." if items else "."),
        long=f"As an effect size we report {label} = {value}{interval}"
        + (f", from {int(n):,} items" if n.isdigit() else "")
        + f"{size}. Positive differences favour A.",
        notes=tuple(map(str, result.notes)),
        citations=cited(*used_in([result.signature])),
        settings={name: text for name, text in fields_of(result.signature).items() if name not in ("nofluke", "n")},
        signature=result.signature,
        bar=bar_of(result.interval, result.value, null),
    )


def _table(result: Estimate, label: str, items: str) -> Table:
    interval = result.interval
    columns = ["effect size", "value", "standard error"]
    cells = [label, figure(result.value, result.standard_error), figure(result.standard_error, result.standard_error)]
    if interval is not None:
        columns += [interval_heading(interval), "interval by"]
        cells += [interval_cell(interval, result.standard_error), interval.method]
    if result.magnitude:
        columns += ["size in words", "by the rule"]
        cells += [result.magnitude, result.rule]
    how = f" with its {interval_heading(interval)} ({interval.method})" if interval is not None else ""
    return Table(
        columns=tuple(columns),
        rows=(tuple(cells),),
        caption=f"{label[0].upper()}{label[1:]}{how}" + (f"; {items}." if items else "."),
        figures=("value", "standard error"),
        explain={label: effect_meaning(result)},
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
