"""HTML: one file that needs no network, light and dark, on a phone, a wide screen and paper."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from nofluke.inference.wording import figure
from nofluke.reports.bars import Placed, place
from nofluke.reports.bibliography import bibtex, references
from nofluke.reports.glossary import meaning, meanings
from nofluke.reports.pictures import Pictures, pictures_of
from nofluke.reports.provenance import Run, versions
from nofluke.reports.text import setting_in_words, visible
from nofluke.types import Report, Section, Table, Value

_LONG_WORD = 24
_PROSE = 50
# The interval behind the headline is drawn as a part of the page.
_DRAWN_BY_THE_PAGE = "interval"


def as_html(result: Value, report: Report, run: Run) -> str:
    """Write a report as a page."""
    pictures = pictures_of(result, report)
    placed = {section.chart for section in report.sections} | ({_DRAWN_BY_THE_PAGE} if report.bar else set())
    rest = [picture for name, picture in pictures.by_name.items() if name not in placed]
    page: str = (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            headline=coloured(report.headline, report.systems),
            sections=[_section(section, pictures, report) for section in report.sections],
            main=_table(report.main, report),
            rest=rest,
            picture_note=pictures.note,
            bar=place([report.bar])[0] if report.bar is not None else None,
            bar_labels=_bar_labels(report),
            references=references(report.citations),
            bibtex=bibtex(report.citations),
            settings={name: setting_in_words(value) for name, value in report.settings.items()},
            run=run,
            versions=run.versions or versions(),
            record=_in_script(_record(report, run)),
            specifications=_in_script({name: p.specification for name, p in pictures.by_name.items()}),
            dark=_in_script(pictures.dark),
            bundle=_bundle() if pictures.by_name else "",
        )
    )
    return page


@cache
def _environment() -> Any:
    import jinja2

    # Everything is escaped unless it is Markup that this module made.
    return jinja2.Environment(
        loader=jinja2.PackageLoader("nofluke.reports"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _visible(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _bundle() -> Markup:
    from nofluke.reports.vega_bundle import vega_bundle

    return Markup(vega_bundle())


def _in_script(data: Any) -> Markup:
    """JSON that may stand inside a script element whatever the texts in it are."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    safe = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return Markup(safe.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _record(report: Report, run: Run) -> dict[str, Any]:
    """What a program needs to know how the page came about."""
    settings = report.to_dict()["settings"]
    return {
        "kind": report.kind,
        "signature": report.signature,
        "settings": settings,
        "seed": settings.get("seed"),
        "command": run.command,
        "inputs": dict(run.inputs),
        "versions": dict(run.versions or versions()),
    }


def _section(section: Section, pictures: Pictures, report: Report) -> dict[str, Any]:
    table = _table(section.table, report) if section.table is not None and section.table.rows else None
    return {
        "title": section.title,
        "paragraphs": section.paragraphs,
        "bullets": section.bullets,
        "table": table,
        "picture": pictures.by_name.get(section.chart),
    }


def _table(table: Table, report: Report) -> dict[str, Any]:
    marks: dict[tuple[int, int], str] = {(row, column): mark for row, column, mark in table.marks}
    bars = place(table.bars) if table.bars else []
    rows = [
        {
            "strong": number in table.strong,
            "meaning": meaning(row[0], table) if row else "",
            "cells": [
                (cell, marks.get((number, at), ""), _classes(cell, at, table, report)) for at, cell in enumerate(row)
            ],
            "bar": _bar_svg(bars[number], 120) if bars else "",
        }
        for number, row in enumerate(table.rows)
    ]
    return {
        "columns": [(name, meaning(name, table), bool(name) and name in table.figures) for name in table.columns],
        "headed": any(table.columns),
        "rows": rows,
        "bars": any(bar is not None for bar in bars),
        "caption": table.caption,
        "meanings": meanings(table),
    }


def _classes(cell: str, at: int, table: Table, report: Report) -> str:
    role = _role(cell, report.systems) if at == 0 else ""
    number = "figure" if table.columns[at] and table.columns[at] in table.figures else ""
    # A word that fills a line may be broken anywhere; others never are.
    long = "long" if max(map(len, cell.split()), default=0) > _LONG_WORD else "prose" if len(cell) > _PROSE else ""
    return " ".join(name for name in (role, number, long) if name)


def _role(name: str, systems: tuple[str, ...]) -> str:
    """A is blue and B orange, where two systems are compared."""
    return {0: "A", 1: "B"}[systems.index(name)] if len(systems) == 2 and name in systems else ""


def coloured(text: str, systems: tuple[str, ...]) -> Markup:
    """Colour the names of A and B in a sentence; single small letters could be any word and stay plain."""
    names = [name for name in systems if len(systems) == 2 and (len(name) > 1 or name.isupper())]
    if not names:
        return escape(visible(text))
    longest_first = sorted(names, key=len, reverse=True)
    found = re.split("(" + "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first) + ")", text)
    parts = [
        Markup('<span class="{}">{}</span>').format(_role(part, systems), visible(part))
        if part in names
        else escape(visible(part))
        for part in found
    ]
    return Markup("").join(parts)


def _bar_labels(report: Report) -> dict[str, str]:
    bar = report.bar
    if bar is None:
        return {}
    # A 95% interval is some four standard errors wide: figures get the digits that the headline gives them.
    scale = (bar.high - bar.low) / 3.92
    labels = {name: figure(getattr(bar, name), scale) for name in ("low", "value", "high")}
    return labels | {"null": f"{bar.null:g}"}


def _bar_svg(bar: Placed | None, width: int, height: int = 18) -> Markup:
    """A small interval for a row of a table; the cells beside it hold its figures."""
    if bar is None:
        return Markup("")
    middle = height / 2
    null = "" if bar.null is None else _line(bar.null * width, 0, bar.null * width, height, "null")
    return Markup(
        f'<svg class="bar" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">'
        f"{null}{_line(bar.low * width, middle, bar.high * width, middle, 'span')}"
        f'<circle cx="{bar.value * width:.1f}" cy="{middle:.1f}" r="3.5"/></svg>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
