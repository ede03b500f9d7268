"""nofluke study calibration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import look_at
from nofluke.cli.studies.reading import two_numbers


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""

    from nofluke.registry import TESTS

    @takes(Inputs, Output, Settings, methods=TESTS, without=("alternative", "delta", "confidence_level"))
    def calibration(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        asked: dict[str, Any],
        across: Annotated[
            bool,
            typer.Option("--across", help="Test on --dataset (or the first one), look the winner up on the others."),
        ] = False,
        size: Annotated[
            int | None, typer.Option(help="Items of a test set. Default: a tenth of all, at least 100.")
        ] = None,
        test_sets: Annotated[
            int | None, typer.Option(help="Test sets drawn. Default: for some 20,000 comparisons.")
        ] = None,
        method: Annotated[
            str, typer.Option(help="The test; auto takes that of rank, for metrics such as BLEU the bootstrap.")
        ] = "auto",
        sides: Annotated[str, typer.Option(help="P-value: one (of the winner, as in the paper) or two.")] = "one",
        near: Annotated[str, typer.Option(help="The range of p-values near 0.05.")] = "0.04,0.06",
        seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 0,
    ) -> None:
        """How often is the winner truly better, by p-value?

        All items are taken for the world, and test sets are drawn from them; with --across the winner on one dataset is
        looked up on the others.
        """
        from nofluke.studies.calibration.study import calibration as study

        check_output(output)
        chosen = look_at(inputs)
        scores = read_table(inputs, quiet=output.quiet)
        with progress_bar("testing pairs", quiet=output.quiet) as progress:
            result = study(
                scores,
                across=across,
                size=size,
                test_sets=test_sets,
                method=method,
                sides=sides,  # type: ignore[arg-type]  # checked there, with a message
                near=two_numbers(near, "near"),
                seed=seed,
                progress=progress,
                **chosen,
                **asked,
            )
        write(result, output)

    return calibration
