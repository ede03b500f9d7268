"""nofluke score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import remember_source
from nofluke.cli.inputs import columns_of, metric_to_name, scores_from_outputs, scores_from_statistics, tell_sources
from nofluke.cli.options import Output, takes
from nofluke.cli.output import check_output, write, write_text
from nofluke.errors import Fix, InputError, Verb
from nofluke.options import Dataset, Missing, Runs
from nofluke.types import Scores
from nofluke.types.file_kinds import OUTPUTS_IN_WORDS


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Output)
    def score(
        output: Output,
        files: Annotated[
            list[str],
            typer.Argument(help="Outputs of the systems, or a table of them; NAME=FILE names a system, - is stdin."),
        ],
        metric: Annotated[
            str | None, typer.Option(help="The metric; see nofluke methods --kind metric. With --formula, its name.")
        ] = None,
        gold: Annotated[
            list[str] | None, typer.Option(help="The gold standard (- is stdin); repeat it for several references.")
        ] = None,
        metric_option: Annotated[
            list[str] | None, typer.Option(help="An option of the metric, NAME=VALUE. May be repeated.")
        ] = None,
        formula: Annotated[
            str | None,
            typer.Option(
                help="The files are tables of statistics, one row per item: score by this formula of column sums, "
                'such as "2*tp/(2*tp+fp+fn)" (n is the number of items).'
            ),
        ] = None,
        columns: Annotated[
            list[str] | None,
            typer.Option(
                help="Say which column of a table is which: output=NAME, gold=NAME, item, system, dataset or cluster. "
                "May be repeated."
            ),
        ] = None,
        input_format: Annotated[str, typer.Option(help=OUTPUTS_IN_WORDS)] = "auto",
        dataset: Dataset = None,
        runs: Runs = "nested",
        missing: Missing = "refuse",
        interval: Annotated[
            bool, typer.Option("--interval", help="Give every score with its 95% interval; takes files of scores too.")
        ] = False,
        items: Annotated[
            str | None, typer.Option(help="Also write the scores of single items to this CSV file; - is stdout.")
        ] = None,
    ) -> None:
        """How do systems score against a gold standard?"""
        from nofluke.verbs.score import scored

        check_output(output)
        reading = {"columns": columns_of(columns), "format": input_format}
        if formula is not None:
            if gold or metric_option:
                raise InputError("--formula scores tables of statistics, and --gold outputs.", fix="give one of them.")
            scores = scores_from_statistics(files, formula, metric, reading, lower_is_better=False)
        elif metric is None and interval and not gold:
            scores = read_scores(files, reading)
        elif metric is None:
            raise _no_metric(files, gold, reading)
        else:
            scores = scores_from_outputs(files, metric, gold, metric_option, reading, quiet=output.quiet)
        tell_sources(scores, quiet=output.quiet)
        write(scored(scores, dataset=dataset, runs=runs, missing=missing, interval=interval), output)
        if items is not None:
            from nofluke.readers.writing import scores_csv

            write_text(scores_csv(scores).rstrip("\n"), replace(output, output=items, format="csv"))

    return score


def read_scores(files: list[str], reading: Mapping[str, Any]) -> Scores:
    """Read files that hold scores already."""
    from nofluke.verbs.read import read

    remember_source("read", files, reading)
    return read(files[0] if len(files) == 1 else files, **reading)


def _no_metric(files: list[str], gold: list[str] | None, reading: Mapping[str, Any]) -> InputError:
    """Say which metric fits what the files hold; scores need none."""
    from nofluke.verbs.read import read

    if not gold and "-" not in files:
        try:
            read(files, **reading)
        except InputError as error:
            if "--metric" in error.advice("shell"):
                return error
        else:
            fix = Fix("give each with its interval: --interval; or compare them: ", Verb("compare"), ", or ")
            fix = Fix(fix, Verb("rank"), ".")
            return InputError("these are scores already.", where=", ".join(files), fix=fix)
    advice = f"name it: {metric_to_name(gold or files)}; for counts give --formula."
    return InputError("no metric was named.", fix=advice)
