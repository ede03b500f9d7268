"""nofluke test."""

# Without `from __future__ import annotations`: the help of --method is built where the function is defined.
from collections.abc import Callable
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import refuse_unused
from nofluke.cli.inputs import read_sample, sample_of_counts
from nofluke.cli.options import Inputs, Output, Settings, method_options, option_names, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar

_OWN = frozenset({"alternative", "delta", "confidence_level", "seed"})


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""
    from nofluke.registry import TESTS

    names = ", ".join(TESTS.names())

    @takes(Inputs, Output, Settings, extra=method_options(_OWN))
    def test(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        extra: dict[str, Any],
        method: Annotated[str, typer.Option(help=f"One of {names}; auto takes the recommended one.")] = "auto",
        alternative: Annotated[str, typer.Option(help="two-sided, greater (A is better) or less.")] = "two-sided",
        delta: Annotated[float, typer.Option(help="Difference under the null hypothesis, in score units.")] = 0.0,
        confidence_level: Annotated[float, typer.Option(help="Level of the interval.")] = 0.95,
        seed: Annotated[int, typer.Option(help="Seed of random draws, if any are made.")] = 0,
        counts: Annotated[
            str | None,
            typer.Option(help="Instead of files: items that both, only A, only B, neither got right, as 40,12,5,43."),
        ] = None,
    ) -> None:
        """Could the difference be a fluke, by one test of your choice?"""
        import nofluke as nf

        check_output(output)
        if counts is not None:
            refuse_unused(option_names(Inputs, but="files"), "four counts are all there is to read")
            sample = sample_of_counts(counts, inputs)
        else:
            unpaired = method != "auto" and TESTS[method].facts["needs"] == "unpaired"
            sample = read_sample(inputs, quiet=output.quiet, unpaired=unpaired)
        with progress_bar("drawing", quiet=output.quiet) as progress:
            result = nf.test(
                sample,
                method=method,
                alternative=alternative,
                delta=delta,
                confidence_level=confidence_level,
                seed=seed,
                progress=progress,
                **extra,
            )
        write(result, output)

    return test
