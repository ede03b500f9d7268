"""nofluke rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import typer

from nofluke.cli.inputs import chosen_part, read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write, write_text
from nofluke.errors import InputError
from nofluke.options import Opt
from nofluke.progress import progress_bar


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""
    from nofluke.registry import TESTS
    from nofluke.verbs.rank import rank as verb

    @takes(
        *(Inputs, Output, Settings),
        verb=verb,
        methods=TESTS,
        instead=("missing",),
        without=("delta", "confidence_level"),
        hidden=("a", "b"),
    )
    def rank(
        inputs: Inputs,
        output: Output,
        asked: dict[str, Any],
        pairs: Annotated[str | None, Opt("Also write the table of all pairs to this CSV file; - is stdout.")] = None,
    ) -> None:
        """Which of many systems are really better than which?"""
        import nofluke as nf
        from nofluke.reports.build.ranking_tables import pair_records
        from nofluke.reports.plain import records_csv
        from nofluke.words.ranking_paper import where_pairs_are

        check_output(output)
        if inputs.a is not None or inputs.b is not None:
            raise InputError("--a and --b choose two systems, and rank compares all.", fix="use nofluke compare.")
        inputs = replace(inputs, missing=asked.pop("missing"))
        scores = read_table(inputs, quiet=output.quiet)
        with progress_bar("testing pairs", quiet=output.quiet) as progress:
            result = nf.rank(scores, progress=progress, **chosen_part(inputs), **asked)
        write(result, output)
        if pairs is not None:
            write_text(records_csv(list(pair_records(result))), replace(output, output=pairs, format="csv"))
        elif output.format == "csv" and result.pairs > 1 and not output.quiet:
            typer.echo(where_pairs_are(result), err=True)

    return rank
