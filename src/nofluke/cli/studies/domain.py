"""nofluke study domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import NOT_OF_MANY, look_at
from nofluke.errors import InputError
from nofluke.options import Opt


def command() -> Callable[..., None]:
    """Build the command."""

    from nofluke.studies.pairs.domain import domain as study

    @takes(Inputs, Output, Settings, verb=study, without=NOT_OF_MANY)
    def domain(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        asked: dict[str, Any],
        domains: Annotated[
            str | None,
            Opt("A table that says which item is of which domain, where the scores have no dataset column."),
        ] = None,
        domain_column: Annotated[
            str | None, Opt("The column of `domains` that holds the domain, where there are several.")
        ] = None,
    ) -> None:
        """Is another gain needed on another test set?"""
        from nofluke.readers.side_tables import read_groups

        check_output(output)
        if inputs.dataset is not None:
            raise InputError("--dataset chooses one, and datasets are compared.", fix="leave --dataset out.")
        scores = read_table(inputs, quiet=output.quiet)
        mapping = None if domains is None else read_groups(domains, scores.item.labels, domain_column, what="item")
        chosen = look_at(inputs)
        chosen.pop("dataset")
        with progress_bar("comparing pairs by test set", quiet=output.quiet) as progress:
            result = study(scores, domains=mapping, progress=progress, **chosen, **asked)
        write(result, output)

    return domain
