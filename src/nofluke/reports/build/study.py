"""A Study as a report: its tables, its charts, and how to get it again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nofluke.call import calls
from nofluke.types import Report, Section, Study, Table
from nofluke.words import studies as words
from nofluke.words.glossary import meaning

_DIGITS = 4
_IN_CAPTION = "see the caption of the table"
Columns = Mapping[str, tuple[Any, ...]]


def build_study(result: Study) -> Report:
    """Give the main table, every other table as a section, and every chart beside the table it belongs to."""
    first, *others = result.tables
    charts = list(result.charts)
    sections = [Section(_heading(charts[0], result), chart=charts[0])] if charts else []
    for place, name in enumerate(others):
        chart = charts[place + 1] if place + 1 < len(charts) else ""
        sections.append(Section(_title(name), table=_table(result, name), chart=chart))
    sections += [Section(_heading(chart, result), chart=chart) for chart in charts[len(others) + 1 :]]
    return Report(
        kind="Study",
        title=words.title(result),
        headline=words.headline(result),
        sentences=words.sentences(result),
        main=_table(result, first, _title(first)),
        sections=tuple(sections),
        records=_records(_in_words(result, result.tables[first])),
        short=_short(result),
        long=" ".join((words.headline(result), *words.sentences(result))),
        notes=words.notes(result),
        citations=result.citations,
        calls=calls(result.call),
        settings=_settings(result),
        signature=result.signature,
    )


def _title(name: str) -> str:
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _heading(chart: str, result: Study) -> str:
    """The heading of a chart that stands alone; charts carry their own titles."""
    return "The picture" if len(result.charts) == 1 else _title(chart)


def _table(result: Study, name: str, untold: str = "") -> Table:
    columns, caption = result.tables[name], words.captions(result).get(name) or untold
    figures = tuple(name for name, values in columns.items() if any(_is_number(value) for value in values))
    rows = tuple(tuple(map(_cell, row)) for row in zip(*_in_words(result, columns).values(), strict=True))
    table = Table(tuple(columns), rows, caption, figures=figures, explain=words.meanings(result))
    headings = {name: words.heading(result, name) for name in columns}
    return replace(
        table,
        columns=tuple(headings.values()),
        figures=tuple(headings[name] for name in figures),
        explain={headings[name]: meaning(name, table) or _IN_CAPTION for name in figures},
    )


def _in_words(result: Study, columns: Columns) -> dict[str, tuple[Any, ...]]:
    """The columns with words for the codes in them."""
    return {name: tuple(words.cell(result, name, value) for value in values) for name, values in columns.items()}


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return value.removesuffix("%").replace(".", "", 1).isdecimal()
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    """Print a cell for people: whole numbers with commas, others with four digits, unknown as "none"."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) >= 10**_DIGITS else f"{value:.{_DIGITS}g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _records(columns: Columns) -> tuple[dict[str, Any], ...]:
    return tuple(dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))


def _short(result: Study) -> str:
    sources = "; ".join(result.citations)
    said = words.headline(result)
    return f"{said.rstrip('.')} ({sources})." if sources else said


def _settings(result: Study) -> dict[str, Any]:
    return {name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
            for name, value in result.settings.items()}  # fmt: skip
