"""A power curve as a report: the answer, the sizes with their power, and what it rests on."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from nofluke.call import calls
from nofluke.types import PowerCurve, Report, Section, Table
from nofluke.words import power_curve as words
from nofluke.words.planning import ASSUMPTIONS
from nofluke.words.power_curve import scenario_table, verdict


def build_power_curve(result: PowerCurve) -> Report:
    """Say how many items are needed, and show how the power grows with them."""
    settings = {
        "test": result.test,
        "alpha": result.alpha,
        "alternative": result.alternative,
        "form": result.form,
        "iterations": result.iterations,
        "seed": result.seed,
    }
    short, long = words.for_paper(result)
    return Report(
        kind="PowerCurve",
        title=words.title(result),
        headline=verdict(result),
        sentences=words.details(result),
        main=_table(result),
        sections=(
            *_scenarios(result),
            Section(
                "The curve", paragraphs=(str(result.computed),), chart="power_curve" if len(result.sizes) > 1 else ""
            ),
            Section(ASSUMPTIONS, bullets=tuple(map(str, result.assumptions))),
        ),
        records=_records(result),
        short=short,
        long=long,
        notes=tuple(map(str, result.notes)),
        citations=tuple(dict.fromkeys((result.citation, *(("Zhu et al. 2020",) if result.at_observed_effect else ())))),
        calls=calls(result.call),
        settings=settings,
        signature=result.signature,
        systems=result.systems,
    )


def _table(result: PowerCurve) -> Table:
    columns = (result.unit, "power", "95% band")
    rows = tuple(
        (f"{int(n):,}", f"{power:.3f}", "none drawn" if low == high else f"{low:.3f} to {high:.3f}")
        for n, power, low, high in zip(result.sizes, result.power, result.low, result.high, strict=True)
    )
    return Table(columns, rows, words.caption(result), figures=(result.unit, "power"), explain=words.explain(result))


def _scenarios(result: PowerCurve) -> tuple[Section, ...]:
    if not result.scenarios:
        return ()
    table = replace(scenario_table(result), caption=words.caption_of_scenarios(result))
    return (Section("Without a stated difference", table=table),)


def _records(result: PowerCurve) -> tuple[dict[str, Any], ...]:
    common = {"difference": result.difference, "test": result.test, "alternative": result.alternative}
    common |= {"level": result.level, "iterations": result.iterations, "seed": result.seed}
    rows = tuple(
        {"n": int(n), "power": float(power), "low": float(low), "high": float(high), **common}
        for n, power, low, high in zip(result.sizes, result.power, result.low, result.high, strict=True)
    )
    return rows or ({"n": result.pilot, "power": math.nan, "low": math.nan, "high": math.nan, **common},)
