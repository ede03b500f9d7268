"""HTML: one file that needs no network, light and dark, on a phone, a wide screen and paper."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from nofluke.reports.answer_view import answer_view, leading_chart, without
from nofluke.reports.bibliography import bibtex, references
from nofluke.reports.pictures import Pictures, pictures_of, vega_bundle
from nofluke.reports.plain import stored
from nofluke.reports.provenance import Run, versions
from nofluke.reports.table_view import coloured, firm, table_view
from nofluke.reports.text import setting_in_words
from nofluke.types import Report, Section, Value
from nofluke.words.bars import line_of, place
from nofluke.words.layout import visible
from nofluke.words.numbers import figure

# The interval behind the headline is drawn as a part of the page.
_DRAWN_BY_THE_PAGE = "interval"


def as_html(result: Value, report: Report, run: Run) -> str:
    """Write a report as a page."""
    pictures = pictures_of(result, report)
    placed = {section.chart for section in report.sections} | ({_DRAWN_BY_THE_PAGE} if report.bar else set())
    leading = "" if report.bar else leading_chart(report, pictures.by_name)
    rest = [picture for name, picture in pictures.by_name.items() if name not in placed | {leading}]
    environment = _environment()
    bundle = Markup(vega_bundle()) if pictures.by_name else Markup()
    script = Markup(environment.get_template("script.js").render())
    page: str = environment.get_template("report.html").render(
        report=report,
        said=answer_view(result, report),
        sections=[_section(section, pictures, report) for section in without(report, leading)],
        main=table_view(report.main, report.systems),
        picture=pictures.by_name.get(leading),
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
        result=_in_script(stored(result, run)),
        specifications=_in_script({name: p.specification for name, p in pictures.by_name.items()}),
        dark=_in_script(pictures.dark),
        bundle=bundle,
        script=script,
        scripts=_only(bundle, script),
    )
    return page


@cache
def _environment() -> Any:
    import jinja2

    # Everything is escaped unless it is Markup that this module made.
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("nofluke.reports"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["coloured"] = coloured
    made.filters["firm"] = firm
    return made


def _visible(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _in_script(data: Any) -> Markup:
    """JSON that may stand inside a script element whatever the texts in it are."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    safe = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return Markup(safe.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _only(*scripts: str) -> Markup:
    """What a Content-Security-Policy calls these very scripts: no other can run, whatever is written into the page."""
    digests = [b64encode(sha256(script.encode("utf-8")).digest()).decode("ascii") for script in scripts if script]
    return Markup(" ".join(f"'sha256-{digest}'" for digest in digests))


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
    table = table_view(section.table, report.systems) if section.table is not None and section.table.rows else None
    return {
        "title": section.title,
        "paragraphs": section.paragraphs,
        "bullets": section.bullets,
        "table": table,
        "picture": pictures.by_name.get(section.chart),
    }


def _bar_labels(report: Report) -> dict[str, str]:
    bar = report.bar
    if bar is None:
        return {}
    # A 95% interval is some four standard errors wide: figures get the digits that the headline gives them.
    scale = (bar.high - bar.low) / 3.92
    labels = {name: figure(getattr(bar, name), scale) for name in ("low", "value", "high")}
    return labels | {"null": f"{bar.null:g}", "line": line_of(report.kind)}
