"""Plans as reports: how many items, how much power, what could be found."""

from __future__ import annotations

import math
from typing import Any

from nofluke.call import calls
from nofluke.types import PowerPlan, Report, Section, Table
from nofluke.words import plan as words
from nofluke.words.detectable_effect import column, shown
from nofluke.words.planning import ASSUMPTIONS, terms_of


def build_plan(result: PowerPlan) -> Report:
    """Say what was asked for: the number of items, how often they find it, or what they could find."""
    short, long = words.for_paper(result)
    return Report(
        kind=type(result).__name__,
        title=words.title(result),
        headline=words.verdict(result),
        main=_by_power(result) if result.asked == "difference" else _stated_and_found(result),
        # What the numbers rest on stands in a section of its own.
        sentences=tuple(text for label, text in words.points(result) if label != "Assumed"),
        short=short,
        long=long,
        sections=(*_other_runs(result), Section(ASSUMPTIONS, bullets=tuple(map(str, result.assumptions)))),
        notes=tuple(map(str, result.notes)),
        citations=(result.citation,) if result.citation else (),
        calls=calls(result.call),
        settings={"test": result.test, "alpha": result.alpha, "alternative": result.alternative},
        records=_records(result),
        signature=result.signature,
    )


def _stated_and_found(result: PowerPlan) -> Table:
    assumed = "differs" if math.isnan(result.difference) else f"{result.difference:.6g}"
    cells = {"test": result.label, "true difference": assumed, **{one.heading: one.value for one in terms_of(result)}}
    cells["alpha"] = f"{result.level:.4g}"
    cells |= {"target power": f"{result.target:g}"} if result.asked == "n" else {}
    cells["n"] = words.size_text(result)
    cells["power with n" if result.asked == "n" else "power"] = f"{result.power:.4f}"
    columns = tuple(cells)
    return Table(
        columns,
        (tuple(cells.values()),),
        words.caption(result),
        figures=columns[1:],
        explain=words.explain(result),
    )


def _other_runs(result: PowerPlan) -> tuple[Section, ...]:
    table = words.runs_table(result)
    return () if table is None else (Section(words.RUNS, table=table),)


def _by_power(result: PowerPlan) -> Table:
    columns = ("power", column(result))
    return Table(
        columns,
        tuple((f"{power:g}", shown(result, value)) for power, value in result.by_power),
        words.caption(result),
        figures=columns,
        strong=tuple(place for place, (power, _) in enumerate(result.by_power) if power == result.target),
        explain=words.explain(result),
    )


def _records(result: PowerPlan) -> tuple[dict[str, Any], ...]:
    """One row, or one for each power of what could be found."""
    plain = {"test": result.test, "alternative": result.alternative, "alpha": result.alpha, "level": result.level}
    runs = {"n_runs": result.terms["n_runs"]} if "n_runs" in result.terms else {}
    size = {"n": result.n, **runs, "unit": result.unit}
    signed = {"signature": result.signature}
    if result.asked == "difference":
        return tuple(
            {**plain, "difference": value, **size, "power": power, **signed} for power, value in result.by_power
        )
    found = {**plain, "difference": result.difference, **size, "power": result.power, **signed}
    return ({**found, "target": result.target, "n_exact": result.n_exact} if result.asked == "n" else found,)
