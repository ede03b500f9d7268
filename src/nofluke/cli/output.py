"""Write results: to stdout or a file, in the one --format; on a terminal with colour and small pictures."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nofluke.cli.command_line import command_line, keep_options, named_files, source_read
from nofluke.cli.options import Output
from nofluke.errors import InputError, NoflukeError, unknown
from nofluke.types import Gate, SelfCheck, Value

if TYPE_CHECKING:
    from nofluke.reports.provenance import Run

# Formats that record where a result came from; hashing the inputs for any other would be for nothing.
_WITH_ORIGIN = ("html", "json")


# Kinds of results that no chart draws: to ask the charts themselves would load all of them for a closing line.
WITHOUT_PICTURES = frozenset(
    (
        *("Choices", "Contents", "Corrected", "Estimate", "Gate", "MetricsComparison"),
        *("MetricsReplication", "PowerPlan", "Profile", "Scored", "SelfCheck", "SystemScore", "TestResult"),
    )
)


def check_output(output: Output, formats: Collection[str] | None = None) -> None:
    """Refuse an unknown format, a contradiction, or a picture that nobody could draw, before any work is done."""
    from nofluke.registry import CHARTS
    from nofluke.reports import WRITERS

    formats = WRITERS if formats is None else formats
    if output.format not in formats:
        raise unknown("format", output.format, tuple(formats))
    if output.details and output.quiet and output.format == "text":
        raise InputError("--details says all, and --quiet the least.", fix="give one of them.")
    for name, file in _wanted(output):
        from nofluke.charts.picture_files import check_picture

        check_picture(file)
        if name and name not in CHARTS:
            raise unknown("chart", name, CHARTS.names())


def write(result: Value, output: Output, run: Run | None = None) -> None:
    """Render a result and put it where the user wants it; `run` is the run that made it, if not this one."""
    from nofluke.reports import rendered

    keep_options(getattr(result, "call", None))
    if output.format == "text" and _on_stdout(output):
        _show(result, output)
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
            typer.echo(f"error: {error.said('shell')}", err=True)
            failed = True
        else:
            if not output.quiet:
                typer.echo(f"drew {file}{_boxes(chart, file)}", err=True)
    if failed:
        raise typer.Exit(2)


def _boxes(chart: Any, file: str) -> str:
    """Say which letters of the names are lost in a picture of pixels."""
    from nofluke.charts.picture_files import DRAWN_LETTERS, check_picture, missing_characters
    from nofluke.words.pictures import boxes_for

    missing = missing_characters(chart) if check_picture(file) in DRAWN_LETTERS else ""
    return boxes_for(missing) if missing else ""


def this_run(format: str) -> Run:
    """What is known of the running command, where the format records it."""
    from nofluke.reports.provenance import Run, hashes, versions

    if format not in _WITH_ORIGIN:
        return Run()
    return Run(command_line(), hashes(named_files()), versions(), source_read())


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


def _show(result: Value, output: Output) -> None:
    """Print the answer, or all details where they are asked for, or the verdict alone."""
    from nofluke.words import answer
    from nofluke.words.fixes import more_of
    from nofluke.words.layout import as_lines, verdict_lines

    made = answer(result)
    coloured = _in_colour(output)
    if made is None or output.details:
        _show_details(result, coloured=coloured)
    elif output.quiet:
        typer.echo("\n".join(verdict_lines(made)))
    elif coloured:
        from nofluke.reports.terminal import show_answer

        show_answer(made, _console())
    else:
        typer.echo("\n".join(as_lines(made, _width(), glyphs=not _is_plain(output), pictures=sys.stdout.isatty())))
    if made is not None and not output.details and not output.quiet:
        pictures, comment = type(result).__name__ not in WITHOUT_PICTURES, isinstance(result, Gate | SelfCheck)
        typer.echo(f"\n{more_of(pictures=pictures, comment=comment)}", err=True)


def _show_details(result: Value, *, coloured: bool) -> None:
    from nofluke.reports import report
    from nofluke.reports.build import build
    from nofluke.reports.terminal import show

    if coloured:
        show(build(result), _console())
    else:
        typer.echo(report(result, "text"))


def _width() -> int:
    """A pipe gets 80 columns; a window its own, where it is narrower."""
    from nofluke.words.layout import WIDTH

    return min(WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else WIDTH


def _is_plain(output: Output) -> bool:
    """Whether only plain characters can be shown, or are wanted."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return output.plain or os.environ.get("TERM") == "dumb" or not encoding.startswith("utf")


def _in_colour(output: Output) -> bool:
    """Whether somebody looks who sees colour: a pipe, a file and a dumb terminal get the plain text."""
    return sys.stdout.isatty() and not _is_plain(output)


def _console() -> Any:
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False)
