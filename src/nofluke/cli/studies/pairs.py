"""What the studies of all pairs share on the command line."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs
from nofluke.cli.studies.reading import two_numbers
from nofluke.errors import InputError


@dataclasses.dataclass(frozen=True, slots=True)
class Pairs:
    """How all pairs are compared, and which of them make the threshold."""

    method: Annotated[
        str | None,
        typer.Option(
            help="P-value of a pair: bootstrap (the paper's, and the default), permutation, paired_t, sign, mcnemar, "
            "wilcoxon."
        ),
    ] = None
    window: Annotated[
        str | None,
        typer.Option(
            help="Comparisons with a p-value in this range are the just significant ones: LOW,HIGH; its middle is the "
            "level. Default: 0.04,0.06."
        ),
    ] = None
    percentile: Annotated[
        float | None, typer.Option(help="The threshold is this percentile of their gains. Default: 95.")
    ] = None
    draws: Annotated[
        int | None,
        typer.Option(help="Corpus metrics: shared draws that correct the tangent; 0 for none. Default: 9,999."),
    ] = None
    seed: Annotated[int, typer.Option(help="Seed of random draws, if any are made.")] = 0


def given(pairs: Pairs) -> dict[str, Any]:
    """Give the options that were given, by name; all others are the library's."""
    options = {field.name: getattr(pairs, field.name) for field in dataclasses.fields(pairs)}
    if pairs.window is not None:
        options["window"] = two_numbers(pairs.window, "window")
    return used(**options)


def used(**options: Any) -> dict[str, Any]:
    """Give the options that have a value."""
    return {name: value for name, value in options.items() if value is not None}


def look_at(inputs: Inputs) -> dict[str, Any]:
    """Give what of the scores is looked at; refuse what has no meaning for many systems."""
    if inputs.a is not None or inputs.b is not None:
        raise InputError("--a and --b choose two systems, and a study compares all.", fix="leave them out.")
    if inputs.unit != 1 or inputs.shuffle_seed is not None:
        raise InputError("evaluation units are not there for studies.", fix="leave --unit and --shuffle-seed out.")
    return {
        "dataset": inputs.dataset,
        "metric": None if inputs.gold or inputs.formula else inputs.metric,
        "run": inputs.run,
        "missing": inputs.missing,
        "clusters": inputs.clusters,
    }


def read_overlays(texts: Sequence[str], inputs: Inputs, *, quiet: bool) -> dict[str, Any]:
    """Read other comparisons: NAME=FILE or FILE; files under one NAME are outputs or scores of one set of systems."""
    from nofluke.readers.file_names import names_of

    after_files = iter(names_of([text for text in texts if "=" not in text]))
    files: dict[str, list[str]] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals:
            name, path = next(after_files), text
        files.setdefault(name, []).append(path)
    return {name: _overlay(paths, inputs, quiet=quiet) for name, paths in files.items()}


def _overlay(paths: list[str], inputs: Inputs, *, quiet: bool) -> Any:
    from nofluke.studies.pairs.overlays import stored_comparisons

    stored = stored_comparisons(paths[0]) if len(paths) == 1 else None
    if stored is not None:
        return stored
    return read_table(dataclasses.replace(inputs, files=paths), quiet=quiet)
