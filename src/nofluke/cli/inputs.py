"""From the command line's files and options to the aligned sample."""

from __future__ import annotations

from typing import Any

import typer

from nofluke.cli.options import Inputs
from nofluke.errors import InputError, did_you_mean
from nofluke.types import Sample

ROLES = ("item", "system", "score", "dataset", "metric", "run", "cluster")


def read_sample(inputs: Inputs, *, quiet: bool) -> Sample:
    """Read and align; say on stderr how the columns were understood."""
    from nofluke.verbs.read import read

    source: Any = inputs.files[0] if len(inputs.files) == 1 else inputs.files
    scores = read(source, format=inputs.input_format, **_mapping(inputs))
    if not quiet:
        for line in scores.sources:
            typer.echo(f"read {line}", err=True)
            for note in line.notes:
                typer.echo(f"  note: {note}", err=True)
    return scores.pair(
        inputs.a,
        inputs.b,
        dataset=inputs.dataset,
        metric=inputs.metric,
        run=inputs.run,
        missing=inputs.missing,
        unit=inputs.unit,
        unit_statistic=inputs.unit_statistic,
        shuffle_seed=inputs.shuffle_seed,
    )


def _mapping(inputs: Inputs) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for part in inputs.columns or ():
        role, equals, column = part.partition("=")
        if not equals or not column:
            raise InputError(f"--columns {part!r} is not ROLE=NAME.", fix="write, say, --columns item=segment.")
        if role not in ROLES:
            raise InputError(
                f"--columns {part!r}: {role!r} is not a role.",
                fix=f"{did_you_mean(role, ROLES)}roles are {', '.join(ROLES)}.",
            )
        mapping[role] = column
    if inputs.lower_is_better is not None:
        mapping["higher_is_better"] = not inputs.lower_is_better
    return mapping
