"""nofluke study audit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from nofluke.cli.inputs import read_sample
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""

    from nofluke.registry import TESTS

    @takes(Inputs, Output, Settings, methods=TESTS, without=("alternative", "delta", "confidence_level"))
    def audit(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        asked: dict[str, Any],
        methods: Annotated[
            str, typer.Option(help="The tests, with commas between them; auto takes the recommended one.")
        ] = "auto",
        alpha: Annotated[float, typer.Option(help="The promised level.")] = 0.05,
        size: Annotated[
            int | None, typer.Option(help="Items (or clusters) of a test set. Default: as many as there are.")
        ] = None,
        iterations: Annotated[int, typer.Option(help="Test sets drawn.")] = 4_000,
        no_difference: Annotated[
            str,
            typer.Option(
                help="How the difference is taken out: recentred (moved to a mean of 0), reweighted (items get other "
                "weights), or auto."
            ),
        ] = "auto",
        seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 0,
    ) -> None:
        """Does a test keep its promise on data like these?

        Test sets are drawn from the items with the difference between A and B taken out; a test that keeps its promise
        is significant in at most alpha of them.
        """
        from nofluke.studies.audit.study import audit as study

        check_output(output)
        sample = read_sample(inputs, quiet=output.quiet)
        with progress_bar("drawing test sets", quiet=output.quiet) as progress:
            result = study(
                sample,
                None,
                [name.strip() for name in methods.split(",")],
                alpha=alpha,
                size=size,
                iterations=iterations,
                no_difference=no_difference,  # type: ignore[arg-type]  # checked there, with a message
                seed=seed,
                progress=progress,
                **asked,
            )
        write(result, output)

    return audit
