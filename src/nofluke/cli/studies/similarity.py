"""nofluke study similarity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import NOT_OF_MANY, look_at


def command() -> Callable[..., None]:
    """Build the command."""
    from nofluke.studies.pairs.similarity import similarity as study

    @takes(Inputs, Output, Settings, verb=study, without=NOT_OF_MANY)
    def similarity(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        asked: dict[str, Any],
    ) -> None:
        """Do similar systems need a smaller gain?"""
        check_output(output)
        scores = read_table(inputs, quiet=output.quiet)
        with progress_bar("comparing pairs", quiet=output.quiet) as progress:
            result = study(scores, progress=progress, **look_at(inputs), **asked)
        write(result, output)

    return similarity
