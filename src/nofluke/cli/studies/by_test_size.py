"""nofluke study test-size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import Pairs, given, look_at, used
from nofluke.cli.studies.reading import whole_numbers


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Inputs, Output, Settings, Pairs)
    def test_size(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        pairs: Pairs,
        sizes: Annotated[
            str | None, typer.Option(help="Numbers of items with commas between them. Default: 100,200,400 ... all.")
        ] = None,
        take: Annotated[
            str | None, typer.Option(help="Which items: first (as in the paper, and the default) or random.")
        ] = None,
    ) -> None:
        """How does the gain needed shrink as the test set grows?"""
        from nofluke.studies import by_test_size as study

        check_output(output)
        wanted = None if sizes is None else whole_numbers(sizes, "sizes")
        scores = read_table(inputs, quiet=output.quiet)
        with progress_bar("comparing pairs by size", quiet=output.quiet) as progress:
            result = study(
                scores,
                progress=progress,
                **used(sizes=wanted, take=take),
                **look_at(inputs),
                **given(pairs),
            )
        write(result, output)

    return test_size
