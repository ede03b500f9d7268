"""nofluke study domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import Pairs, given, look_at, used
from nofluke.errors import InputError


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Inputs, Output, Settings, Pairs)
    def domain(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        pairs: Pairs,
        domains: Annotated[
            str | None,
            typer.Option(
                help="A table that says which item is of which domain, where the scores have no dataset column."
            ),
        ] = None,
        domain_column: Annotated[
            str | None, typer.Option(help="The column of --domains that holds the domain, where there are several.")
        ] = None,
        size: Annotated[
            int | None, typer.Option(help="Items taken of every test set. Default: as many as the smallest has.")
        ] = None,
        take: Annotated[
            str | None, typer.Option(help="Which items: first (as in the paper, and the default) or random.")
        ] = None,
    ) -> None:
        """Is another gain needed on another test set?"""
        from nofluke.readers.side_tables import read_groups
        from nofluke.studies import domain as study

        check_output(output)
        if inputs.dataset is not None:
            raise InputError("--dataset chooses one, and datasets are compared.", fix="leave --dataset out.")
        scores = read_table(inputs, quiet=output.quiet)
        mapping = None if domains is None else read_groups(domains, scores.item.labels, domain_column, what="item")
        chosen = look_at(inputs)
        chosen.pop("dataset")
        with progress_bar("comparing pairs by test set", quiet=output.quiet) as progress:
            result = study(
                scores,
                domains=mapping,
                progress=progress,
                **used(size=size, take=take),
                **chosen,
                **given(pairs),
            )
        write(result, output)

    return domain
