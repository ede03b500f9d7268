"""nofluke study gains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import Pairs, given, look_at, read_overlays


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Inputs, Output, Settings, Pairs)
    def gains(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        pairs: Pairs,
        groups: Annotated[
            str | None,
            typer.Option(help="A table that says which system is in which group (team, family): CSV or TSV."),
        ] = None,
        group_column: Annotated[
            str | None, typer.Option(help="The column of --groups that holds the group, where there are several.")
        ] = None,
        special: Annotated[
            list[str] | None,
            typer.Option(help="A group whose pairs are a label of their own (system combinations). May be repeated."),
        ] = None,
        overlay: Annotated[
            list[str] | None,
            typer.Option(
                help="Other comparisons to lay over the picture, NAME=FILE: a file of scores, a stored study of gains "
                "(JSON), or a table with the columns gain and p_value. May be repeated."
            ),
        ] = None,
    ) -> None:
        """How large a gain is usually significant on this test set?"""
        from nofluke.readers.side_tables import read_groups
        from nofluke.studies import gains as study

        check_output(output)
        scores = read_table(inputs, quiet=output.quiet)
        mapping = read_groups(groups, scores.systems, group_column) if groups is not None else None
        overlays: dict[str, Any] = read_overlays(overlay or (), inputs, quiet=output.quiet)
        with progress_bar("comparing pairs", quiet=output.quiet) as progress:
            result = study(
                scores,
                groups=mapping,
                special=tuple(special or ()),
                overlay=overlays,
                progress=progress,
                **look_at(inputs),
                **given(pairs),
            )
        write(result, output)

    return gains
