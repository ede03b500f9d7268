"""nofluke correct."""

# Without `from __future__ import annotations`: the help of --method is built where the function is defined.
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from nofluke.cli.inputs import columns_of
from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.p_inputs import p_values_of


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered corrections."""
    from nofluke.registry import CORRECTIONS

    names = ", ".join(sorted(CORRECTIONS.names()))

    @takes(Output, Settings, extra=_options())
    def correct(
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        extra: dict[str, Any],
        values: Annotated[
            list[str] | None,
            typer.Argument(help="A file with one p-value per line or a column called p, - for stdin, or p-values."),
        ] = None,
        columns: Annotated[
            list[str] | None,
            typer.Option(
                help="Say which column is which: p_value=NAME, dataset=NAME (what each p-value belongs to). May be "
                "repeated."
            ),
        ] = None,
        method: Annotated[str, typer.Option(help=f"One of {names}.")] = "holm",
        alpha: Annotated[float, typer.Option(help="Significance level after the correction.")] = 0.05,
        printed: Annotated[
            int | None, typer.Option(help="Decimals of p-values printed as 0. Default: as the others show.")
        ] = None,
        example: Annotated[
            str | None, typer.Option(help="A published table instead of a file, such as pos-tagging.")
        ] = None,
    ) -> None:
        """Which of many p-values are still significant?"""
        from nofluke.verbs.correct import correct_named

        check_output(output)
        named = columns_of(columns)
        given = p_values_of(values, example, printed=printed, quiet=output.quiet, pairs=True, columns=named)
        write(correct_named(given, method, alpha=alpha, **extra), output)

    return correct


def _options() -> tuple[inspect.Parameter, ...]:
    """Give the options of single corrections; alpha is the command's own."""
    from nofluke.registry import CORRECTIONS

    return tuple(
        inspect.Parameter(
            option.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[option.type | None, typer.Option(help=f"{method.name}: {option.help}.")],
        )
        for method in CORRECTIONS
        for option in method.options
        if option.name != "alpha"
    )
