"""nofluke score."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Annotated

import typer

from nofluke.cli.inputs import scores_from_outputs
from nofluke.cli.options import Output, takes
from nofluke.cli.output import write_text
from nofluke.errors import unknown

_FORMATS = ("text", "json", "csv")


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Output)
    def score(
        output: Output,
        files: Annotated[list[str], typer.Argument(help="Outputs of the systems; NAME=FILE names a system.")],
        metric: Annotated[str, typer.Option(help="The metric; see nofluke methods --kind metric.")],
        gold: Annotated[list[str], typer.Option(help="The gold standard; repeat it for several references.")],
        metric_option: Annotated[
            list[str] | None, typer.Option(help="An option of the metric, NAME=VALUE. May be repeated.")
        ] = None,
    ) -> None:
        """How do systems score against a gold standard?"""
        from nofluke.verbs.score import system_scores

        if output.format not in _FORMATS:
            raise unknown("format of scores", output.format, _FORMATS)
        scores = scores_from_outputs(files, metric, gold, metric_option, quiet=output.quiet)
        signature = scores.sources[0].mapping["signature"]
        found = system_scores(scores)
        if output.format == "json":
            answer = {
                "ok": True,
                "metric": metric,
                "signature": signature,
                "n": len(scores.item.labels),
                "scores": found,
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

    return score
