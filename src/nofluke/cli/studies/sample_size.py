"""nofluke study sample-size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.reading import whole_numbers
from nofluke.errors import InputError


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Output, Settings)
    def sample_size(
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        a: Annotated[
            str | None, typer.Option("--a", help="Law of the scores of A: normal(MEAN,SD) or beta(A,B).")
        ] = None,
        b: Annotated[str | None, typer.Option("--b", help="Law of the scores of B.")] = None,
        test: Annotated[str, typer.Option(help="With --a and --b: paired_t or wilcoxon.")] = "paired_t",
        sizes: Annotated[
            str | None, typer.Option(help="Numbers of items with commas between them. Default: 30, 1,000 to 25,000.")
        ] = None,
        iterations: Annotated[int, typer.Option(help="Test sets drawn at each size.")] = 20,
        alpha: Annotated[float, typer.Option(help="Level of the test.")] = 0.05,
        seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 0,
    ) -> None:
        """What becomes of a p-value as the test set grows?

        Without --a and --b the four designs of Zhu et al. (2020), Figure 5, are simulated.
        """
        from nofluke.studies.sample_size.study import FIGURE_5, SIZES, sample_size_study

        check_output(output)
        if (a is None) != (b is None):
            raise InputError("a law was given for one system only.", fix="give both --a and --b, or neither.")
        designs = FIGURE_5 if a is None or b is None else ((a, b, test),)
        with progress_bar("simulating", quiet=output.quiet) as progress:
            result = sample_size_study(
                designs,
                sizes=SIZES if sizes is None else whole_numbers(sizes, "sizes"),
                iterations=iterations,
                alpha=alpha,
                seed=seed,
                progress=progress,
            )
        write(result, output)

    return sample_size
