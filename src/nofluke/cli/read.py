"""nofluke read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import remember_source
from nofluke.cli.inputs import read_files, told_to
from nofluke.cli.options import Output, takes
from nofluke.cli.output import check_output, write
from nofluke.option_groups import LargeReading

_KEPT = ".parquet"


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(LargeReading, Output, without=("chart",))
    def read(
        reading: LargeReading,
        output: Output,
        files: Annotated[
            list[str],
            typer.Argument(help="Files, folders or globs of scores or logs; NAME=PATH names a system, - is stdin."),
        ],
    ) -> None:
        """What do these files or logs hold?

        -o scores.parquet keeps the scores of all items without any text, to be read in place of the logs.
        """
        from nofluke import contents, keep
        from nofluke.types import Stored
        from nofluke.verbs.read import read as verb

        check_output(output)
        told = told_to(verb, reading)
        scores: Any = read_files(files[0] if len(files) == 1 else files, told, quiet=output.quiet)
        scores = scores.of(None, {}) if isinstance(scores, Stored) else scores
        remember_source("read", files, told)
        if output.output is None or Path(output.output).suffix != _KEPT:
            write(contents(scores), output)
            return
        keep(scores, output.output)
        write(contents(scores), replace(output, output=None))
        if not output.quiet:
            typer.echo(f"wrote {output.output}", err=True)

    return read
