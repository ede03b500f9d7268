"""nofluke study similarity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import Pairs, given, look_at, used


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Inputs, Output, Settings, Pairs)
    def similarity(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        pairs: Pairs,
        bins: Annotated[
            int | None,
            typer.Option(
                help="Number of bins of pairs, from least to most alike. Default: 4, or as many as there are pairs."
            ),
        ] = None,
    ) -> None:
        """Do similar systems need a smaller gain?"""
        from nofluke.studies import similarity as study

        check_output(output)
        scores = read_table(inputs, quiet=output.quiet)
        with progress_bar("comparing pairs", quiet=output.quiet) as progress:
            result = study(scores, progress=progress, **used(bins=bins), **look_at(inputs), **given(pairs))
        write(result, output)

    return similarity
