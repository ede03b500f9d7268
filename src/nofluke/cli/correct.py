"""nofluke correct."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.p_inputs import p_values_of
from nofluke.option_groups import ReadingPValues
from nofluke.options import INPUT, Opt, Printed


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered corrections."""
    from nofluke.registry import CORRECTIONS
    from nofluke.verbs.correct import correct as verb

    @takes(Output, Settings, verb=verb, methods=CORRECTIONS, without=("chart",))
    def correct(
        output: Output,
        asked: dict[str, Any],
        values: Annotated[
            list[str] | None,
            typer.Argument(help="A file with one p-value per line or a column called p, - for stdin, or p-values."),
        ] = None,
        columns: Annotated[
            Mapping[str, Any] | None,
            Opt("Say which column is which: p_value=NAME, dataset=NAME (what each p-value belongs to).", INPUT),
        ] = None,
        printed: Printed = None,
        example: Annotated[str | None, Opt("A published table instead of a file, such as pos-tagging.")] = None,
    ) -> None:
        """Which of many p-values are still significant?"""
        from nofluke.verbs.correct import correct_named

        check_output(output)
        reading = ReadingPValues(columns=columns, printed=printed)
        given = p_values_of(values, example, reading, quiet=output.quiet, pairs=True)
        write(correct_named(given, **asked), output)

    return correct
