"""nofluke score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import refuse_unused, remember_source
from nofluke.cli.inputs import (
    is_several,
    metric_to_name,
    read_files,
    scored_files,
    scores_without_gold,
    tell_sources,
    told_to,
)
from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write, write_text
from nofluke.errors import Fix, InputError, Verb
from nofluke.option_groups import Scoring
from nofluke.options import INPUT, OUTPUT, Opt
from nofluke.types import Scores


def command() -> Callable[..., None]:
    """Build the command."""
    from nofluke.verbs.score import scored as verb

    @takes(Scoring, Output, Settings, verb=verb, without=("chart",))
    def score(
        scoring: Scoring,
        output: Output,
        files: Annotated[
            list[str],
            typer.Argument(help="Outputs of the systems, or a table of them; NAME=FILE names a system, - is stdin."),
        ],
        metric: Annotated[
            str | None, Opt("The metric; see nofluke methods --kind metric. With `formula`, its name.", INPUT)
        ] = None,
        *,
        asked: dict[str, Any],
        items: Annotated[
            str | None, Opt("Also write the scores of single items to this CSV file; - is stdout.", OUTPUT)
        ] = None,
    ) -> None:
        """How do systems score against a gold standard?"""
        check_output(output)
        if scoring.formula is None and is_several(metric):
            raise InputError(
                "systems are scored by one metric at a time.", fix="give one; nofluke compare takes several."
            )
        if asked["interval"] and _are_scores(files, metric, scoring):
            refuse_unused(("metric_option",), "without a gold standard the scores are taken as they are")
            scores = read_scores(files, scoring, quiet=output.quiet)
            asked["metric"] = metric
        elif scoring.formula is None and metric is None:
            raise _no_metric(files, scoring)
        else:
            scores = scored_files(files, metric, scoring, quiet=output.quiet)
        tell_sources(scores, quiet=output.quiet)
        write(verb(scores, **asked), output)
        if items is not None:
            from nofluke.readers.writing import scores_csv

            write_text(scores_csv(scores).rstrip("\n"), replace(output, output=items, format="csv"))

    return score


def _are_scores(files: list[str], metric: str | None, how: Scoring) -> bool:
    """Whether files hold scores already; a metric is then one of those they hold."""
    if how.formula is not None or how.gold:
        return False
    return metric is None or not scores_without_gold(metric, files, how)


def read_scores(files: list[str], how: Scoring, *, quiet: bool) -> Scores:
    """Read files that hold scores already."""
    from nofluke.verbs.read import read

    told = told_to(read, how)
    remember_source("read", files, told)
    return read_files(files[0] if len(files) == 1 else files, told, quiet=quiet)


def _no_metric(files: list[str], how: Scoring) -> InputError:
    """Say which metric fits what the files hold; scores need none."""
    from nofluke.verbs.read import read

    if not how.gold and "-" not in files:
        try:
            read(files, **told_to(read, how))
        except InputError as error:
            if "--metric" in error.advice("shell"):
                return error
        else:
            fix = Fix("give each with its interval: --interval; or compare them: ", Verb("compare"), ", or ")
            fix = Fix(fix, Verb("rank"), ".")
            return InputError("these are scores already.", where=", ".join(files), fix=fix)
    advice = f"name it: {metric_to_name(how.gold or files)}; for counts give --formula."
    return InputError("no metric was named.", fix=advice)
