"""nofluke study test-size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import Pairs, given, look_at
from nofluke.errors import InputError


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
        take: Annotated[str, typer.Option(help="Which items: first (as in the paper) or random.")] = "first",
    ) -> None:
        """How does the gain needed shrink as the test set grows?"""
        from nofluke.studies import by_test_size as study

        check_output(output)
        wanted = None if sizes is None else _sizes(sizes)
        scores = read_table(inputs, quiet=output.quiet)
        with progress_bar("comparing pairs by size", quiet=output.quiet) as progress:
            result = study(
                scores,
                sizes=wanted,
                take=take,  # type: ignore[arg-type]  # checked there, with a message
                progress=progress,
                **look_at(inputs),
                **given(pairs),
            )
        write(result, output)

    return test_size


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise InputError(
            f"--sizes {text!r} is not a list of numbers.", fix="write, say, --sizes 100,200,400."
        ) from None
