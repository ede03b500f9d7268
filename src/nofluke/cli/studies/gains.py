"""nofluke study gains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import NOT_OF_MANY, look_at, read_overlays
from nofluke.options import Opt


def command() -> Callable[..., None]:
    """Build the command."""

    from nofluke.studies.pairs.gains import gains as study

    @takes(Inputs, Output, Settings, verb=study, without=NOT_OF_MANY)
    def gains(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        asked: dict[str, Any],
        groups: Annotated[
            str | None,
            Opt("A table that says which system is in which group (team, family): CSV or TSV."),
        ] = None,
        group_column: Annotated[
            str | None, Opt("The column of `groups` that holds the group, where there are several.")
        ] = None,
        overlay: Annotated[
            Sequence[str],
            Opt(
                "Other comparisons to lay over the picture, NAME=FILE: a file of scores, a stored study of gains "
                "(JSON), or a table with the columns gain and p_value. May be repeated."
            ),
        ] = (),
    ) -> None:
        """How large a gain is usually significant on this test set?"""
        from nofluke.readers.side_tables import read_groups

        check_output(output)
        scores = read_table(inputs, quiet=output.quiet)
        mapping = read_groups(groups, scores.systems, group_column) if groups is not None else None
        overlays: dict[str, Any] = read_overlays(overlay, inputs, quiet=output.quiet)
        with progress_bar("comparing pairs", quiet=output.quiet) as progress:
            result = study(scores, groups=mapping, overlay=overlays, progress=progress, **look_at(inputs), **asked)
        write(result, output)

    return gains
