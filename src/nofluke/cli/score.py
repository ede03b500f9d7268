"""nofluke score."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Annotated

import typer

from nofluke.cli.inputs import scores_from_outputs, scores_from_statistics
from nofluke.cli.options import Output, takes
from nofluke.cli.output import write_text
from nofluke.errors import InputError, unknown
from nofluke.types import Scores

_FORMATS = ("text", "json", "csv")


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Output)
    def score(
        output: Output,
        files: Annotated[list[str], typer.Argument(help="Outputs of the systems; NAME=FILE names a system.")],
        metric: Annotated[
            str | None, typer.Option(help="The metric; see nofluke methods --kind metric. With --formula, its name.")
        ] = None,
        gold: Annotated[
            list[str] | None, typer.Option(help="The gold standard; repeat it for several references.")
        ] = None,
        metric_option: Annotated[
            list[str] | None, typer.Option(help="An option of the metric, NAME=VALUE. May be repeated.")
        ] = None,
        formula: Annotated[
            str | None,
            typer.Option(
                help="The files are tables of statistics, a row an item: score by this formula of column sums, such as "
                '"2*tp/(2*tp+fp+fn)" (n is the number of items).'
            ),
        ] = None,
        missing: Annotated[str, typer.Option(help="Items without a score of all systems: refuse or drop.")] = "refuse",
    ) -> None:
        """How do systems score against a gold standard?"""
        from nofluke.verbs.score import system_scores

        if output.format not in _FORMATS:
            raise unknown("format of scores", output.format, _FORMATS)
        if formula is not None:
            if gold or metric_option:
                raise InputError("--formula scores tables of statistics, and --gold outputs.", fix="give one of them.")
            scores = scores_from_statistics(files, formula, metric, lower_is_better=False)
        elif metric is None:
            raise InputError("no metric was named.", fix="give --metric NAME and --gold FILE, or --formula.")
        else:
            scores = scores_from_outputs(files, metric, gold, metric_option, quiet=output.quiet)
        _write(scores, system_scores(scores, missing=missing), output)

    return score


def _write(scores: Scores, found: dict[str, float], output: Output) -> None:
    metric, signature = scores.metrics[0], scores.sources[0].mapping["signature"]
    if output.format == "json":
        answer = {
            "ok": True,
            "metric": metric,
            "signature": signature,
            "n": len(scores.item.labels),
            "scores": found,
            "notes": list(scores.notes),
        }
        write_text(json.dumps(answer, indent=2, ensure_ascii=False), output)
    elif output.format == "csv":
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows([("system", metric), *found.items()])
        write_text(file.getvalue().rstrip("\n"), output)
    else:
        width = max(len(name) for name in found)
        lines = [f"{name:<{width}}  {value:.4f}" for name, value in found.items()]
        lines.append(f"{metric} over {len(scores.item.labels):,} items; signature: {signature}")
        write_text("\n".join(lines), output)
        if not output.quiet:
            for note in scores.notes:
                typer.echo(f"note: {note}", err=True)
