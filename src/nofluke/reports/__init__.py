"""Any result as text, Markdown, LaTeX, HTML, JSON, CSV or BibTeX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from nofluke.errors import InputError, unknown
from nofluke.reports.bibliography import bibtex
from nofluke.reports.build import build
from nofluke.reports.latex import as_latex
from nofluke.reports.markdown import as_markdown
from nofluke.reports.plain import as_csv, as_json, load
from nofluke.reports.provenance import Run, calls_in
from nofluke.reports.text import as_text
from nofluke.types import Gate, Report, SelfCheck, Value

__all__ = ["FORMATS", "GATE_WRITERS", "SUFFIXES", "WRITERS", "Format", "load", "rendered", "report"]


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write a report: its name, what people call it, how its files end, and its media type."""

    name: str
    label: str
    suffix: str
    media: str
    also: tuple[str, ...] = ()  # other endings that mean it


# In the order in which they are offered.
FORMATS = (
    Format("html", "HTML", "html", "text/html; charset=utf-8", ("htm",)),
    Format("latex", "LaTeX", "tex", "text/x-tex; charset=utf-8"),
    Format("markdown", "Markdown", "md", "text/markdown; charset=utf-8", ("markdown",)),
    Format("text", "Text", "txt", "text/plain; charset=utf-8"),
    Format("csv", "CSV", "csv", "text/csv; charset=utf-8"),
    Format("bibtex", "BibTeX", "bib", "text/x-bibtex; charset=utf-8"),
    Format("json", "JSON", "json", "application/json"),
)


def _as_markdown(result: Value, report: Report, run: Run) -> str:
    if isinstance(result, Gate | SelfCheck):
        from nofluke.reports.gate_comment import as_comment

        return as_comment(result, run.command)
    return as_markdown(report)


def _as_junit(result: Value, _report: Report, _run: Run) -> str:
    from nofluke.reports.junit import as_junit

    if not isinstance(result, Gate | SelfCheck):
        raise InputError("only a gate can be written as JUnit.", fix="choose another format.")
    return as_junit(result)


def _as_html(result: Value, report: Report, run: Run) -> str:
    from nofluke.reports.html import as_html

    return as_html(result, report, run)


Writer = Callable[[Value, Report, Run], str]

# A writer takes the result, its report and what is known of the run, and reads what it needs.
WRITERS: dict[str, Writer] = {
    "text": lambda _result, report, _run: as_text(report),
    "json": lambda result, _report, run: as_json(result, run),
    "markdown": _as_markdown,
    "latex": lambda _result, report, _run: as_latex(report),
    "html": _as_html,
    "csv": lambda _result, report, _run: as_csv(report),
    "bibtex": lambda _result, report, _run: bibtex(report.citations),
}

# What CI systems show as tests; only gates are written so.
GATE_WRITERS: dict[str, Writer] = {**WRITERS, "junit": _as_junit}

# What the ending of a file says about its format.
SUFFIXES = {f".{ending}": one.name for one in FORMATS for ending in (one.suffix, *one.also)}


def report(result: Value, format: str = "text") -> str:
    """How does this result read as text, Markdown, LaTeX or HTML, as CSV or JSON for programs, as BibTeX?

    LaTeX is the table for the paper; HTML is one file that needs no network; JSON is what `load` reads back; BibTeX
    holds the methods that were really used.

    >>> import nofluke as nf
    >>> print(nf.report(nf.test([1, 1, 1], [0, 0, 1], "sign"), format="csv").splitlines()[0][:32])
    test,alternative,delta,n,statist
    """
    return rendered(result, format, Run())


def rendered(result: Value, format: str, run: Run) -> str:
    """Write a result whose run is known: its real command takes the place of the general one."""
    if format not in GATE_WRITERS:
        raise unknown("report format", format, WRITERS)
    made = build(result)
    if run.command:
        made = replace(made, calls=calls_in(getattr(result, "call", None), run))
    return GATE_WRITERS[format](result, made, run)
