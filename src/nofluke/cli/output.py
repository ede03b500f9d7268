"""Write results: to stdout or a file, in the one --format."""

from __future__ import annotations

from pathlib import Path

import typer

from nofluke.cli.options import Output
from nofluke.errors import InputError, unknown
from nofluke.types import Value


def check_output(output: Output) -> None:
    """Refuse an unknown format before any work is done."""
    from nofluke.reports import WRITERS

    if output.format not in WRITERS:
        raise unknown("format", output.format, WRITERS)


def write(result: Value, output: Output) -> None:
    """Render a result and put it where the user wants it."""
    from nofluke.reports import report

    write_text(report(result, format=output.format), output)


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
        typer.echo(f"wrote {output.output}", err=True)
