"""nofluke compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from nofluke.cli.inputs import read_sample
from nofluke.cli.options import Inputs, Output, Settings, method_options, takes
from nofluke.cli.output import check_output, write

_OWN = frozenset({"alternative", "delta", "confidence_level", "seed"})


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""

    @takes(Inputs, Output, Settings, extra=method_options(_OWN))
    def compare(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        extra: dict[str, Any],
        method: Annotated[
            str, typer.Option(help="The test; auto takes the recommended one. See nofluke methods.")
        ] = "auto",
        alternative: Annotated[str, typer.Option(help="two-sided, greater (A is better) or less.")] = "two-sided",
        alpha: Annotated[float, typer.Option(help="Level that decides the words and the interval.")] = 0.05,
        delta: Annotated[float, typer.Option(help="Difference under the null hypothesis, in score units.")] = 0.0,
        seed: Annotated[int, typer.Option(help="Seed of random draws, if any are made.")] = 0,
        normality_alpha: Annotated[float, typer.Option(help="Level of the normality test.")] = 0.05,
    ) -> None:
        """Is system A better than system B, or was it a fluke?"""
        import nofluke as nf

        check_output(output)
        result = nf.compare(
            read_sample(inputs, quiet=output.quiet),
            method=method,
            alternative=alternative,
            alpha=alpha,
            delta=delta,
            seed=seed,
            normality_alpha=normality_alpha,
            **extra,
        )
        write(result, output)

    return compare
