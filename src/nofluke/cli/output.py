"""Write results: to stdout or a file, in the one --format; on a terminal with colour and small pictures."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nofluke.cli.command_line import command_line, named_files, outputs_were_scored
from nofluke.cli.options import Output
from nofluke.errors import InputError, NoflukeError, listing, unknown
from nofluke.types import Value

if TYPE_CHECKING:
    from nofluke.reports.provenance import Run

# Formats that record where a result came from; hashing the inputs for any other would be for nothing.
_WITH_ORIGIN = ("html", "json")


def check_output(output: Output) -> None:
    """Refuse an unknown format, or a picture that nobody could draw, before any work is done."""
    from nofluke.registry import CHARTS
    from nofluke.reports import WRITERS

    if output.format not in WRITERS:
        raise unknown("format", output.format, WRITERS)
    for name, file in _wanted(output):
        from nofluke.charts.drawing import check_picture

        check_picture(file)
        if name and name not in CHARTS:
            raise unknown("chart", name, CHARTS.names())


def write(result: Value, output: Output, run: Run | None = None) -> None:
    """Render a result and put it where the user wants it; `run` is the run that made it, if not this one."""
    from nofluke.reports import rendered

    if output.format == "text" and _on_stdout(output) and _in_colour():
        _show(result)
    else:
        write_text(rendered(result, output.format, run or this_run(output.format)), output)
    _draw(result, output)


def _wanted(output: Output) -> list[tuple[str, str]]:
    """The pictures asked for, as (name of the chart or "", file)."""
    parted = [given.partition("=") for given in output.chart or ()]
    return [(name, file) if equals else ("", name) for name, equals, file in parted]


def _draw(result: Value, output: Output) -> None:
    """Draw all pictures that can be drawn; the result is already written, so each failure is only told."""
    failed = False
    for name, file in _wanted(output):
        from nofluke.charts import draw, save

        try:
            chart = draw(result, name)
            save(chart, file)
        except NoflukeError as error:
            typer.echo(f"error: {error}", err=True)
            failed = True
        else:
            if not output.quiet:
                typer.echo(f"drew {file}{_boxes(chart, file)}", err=True)
    if failed:
        raise typer.Exit(2)


def _boxes(chart: Any, file: str) -> str:
    """Say which letters of the names are lost in a picture of pixels."""
    from nofluke.charts.drawing import check_picture
    from nofluke.charts.fonts import DRAWN_LETTERS, missing_characters

    missing = missing_characters(chart) if check_picture(file) in DRAWN_LETTERS else ""
    if not missing:
        return ""
    return f"; no font here has {listing(missing)}, so boxes stand for them (an SVG keeps the names)"


def this_run(format: str) -> Run:
    """What is known of the running command, where the format records it."""
    from nofluke.reports.provenance import Run, hashes, versions

    if format not in _WITH_ORIGIN:
        return Run()
    return Run(command_line(), hashes(named_files()), versions(), outputs_were_scored())


def write_text(text: str, output: Output) -> None:
    """Put finished text on stdout or in the named file."""
    if output.output is None or output.output == "-":
        typer.echo(text)
        return
    try:
        Path(output.output).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}.", where=output.output, fix="check --output.") from None
    if not output.quiet:
        typer.echo(f"wrote {output.output}{_as_text(output)}", err=True)


def _as_text(output: Output) -> str:
    """Say that text was written where the file's name promises something else."""
    ending = Path(output.output or "").suffix
    if output.format != "text" or ending in ("", ".txt", ".text", ".log", ".out"):
        return ""
    return " as text; --format chooses another form"


def _on_stdout(output: Output) -> bool:
    return output.output is None or output.output == "-"


def _in_colour() -> bool:
    """Whether somebody looks: a pipe, a file and a dumb terminal get the plain text."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _show(result: Value) -> None:
    from rich.console import Console

    from nofluke.reports.build import build
    from nofluke.reports.terminal import show

    show(build(result), Console(file=sys.stdout, highlight=False))
