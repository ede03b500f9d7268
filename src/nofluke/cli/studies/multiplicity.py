"""nofluke study multiplicity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.errors import InputError


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Output, Settings)
    def multiplicity(
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        dependence: Annotated[
            str,
            typer.Option(
                help="independent; dror (34 independent, 33 correlated at 0.2, 33 at 0.5); or groups "
                "DATASETS:CORRELATION with commas between them, such as 34:0,33:0.5."
            ),
        ] = "independent",
        datasets: Annotated[int, typer.Option(help="Number of datasets, where all are independent.")] = 100,
        effects: Annotated[int, typer.Option(help="On so many datasets A is truly better.")] = 0,
        shift: Annotated[float, typer.Option(help="Size of a true effect, in standard errors.")] = 3.0,
        shared_factor: Annotated[
            bool, typer.Option("--shared-factor/--own-factors", help="One common factor for all correlated groups.")
        ] = False,
        alpha: Annotated[float, typer.Option(help="Level of the claims.")] = 0.05,
        methods: Annotated[
            str, typer.Option(help="Partial conjunctions beside counting, with commas between them.")
        ] = "bonferroni,fisher,simes",
        repetitions: Annotated[int, typer.Option(help="Number of simulated studies.")] = 10_000,
        seed: Annotated[int, typer.Option(help="Seed of the simulation.")] = 0,
    ) -> None:
        """How often does counting significant datasets claim too many?"""
        from nofluke.studies.multiplicity.study import multiplicity as study

        check_output(output)
        with progress_bar("simulating", quiet=output.quiet) as progress:
            result = study(
                _groups(dependence),
                datasets=datasets,
                effects=effects,
                shift=shift,
                shared_factor=shared_factor,
                alpha=alpha,
                methods=[name.strip() for name in methods.split(",") if name.strip()],
                repetitions=repetitions,
                seed=seed,
                progress=progress,
            )
        write(result, output)

    return multiplicity


def _groups(text: str) -> Any:
    if ":" not in text:
        return text
    try:
        return [(int(size), float(value)) for size, _, value in (part.partition(":") for part in text.split(","))]
    except ValueError:
        raise InputError(f"--dependence {text!r} is not understood.", fix="write, say, 34:0,33:0.2,33:0.5.") from None
