"""nofluke report."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import typer

from nofluke.cli.options import Output, takes
from nofluke.cli.output import check_output, write


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Output)
    def report(
        output: Output,
        result: Annotated[str, typer.Argument(help="A result that --format json wrote; - is stdin.")],
    ) -> None:
        """How does a stored result read as a page, a table or text?"""
        from nofluke.reports.plain import load_run, parsed

        check_output(output)
        value, run = parsed(sys.stdin.read(), "stdin") if result == "-" else load_run(result)
        # Whoever asks for a report wants the whole of it, as in any other format; -q asks for the verdict alone.
        write(value, replace(output, details=output.details or not output.quiet), run)

    return report
