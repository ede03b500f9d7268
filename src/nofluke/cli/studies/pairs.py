"""What the studies of all pairs share on the command line."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from nofluke.cli.inputs import UNITS, part_of, read_table
from nofluke.cli.options import Inputs

# What two systems alone can be told, or single items.
NOT_OF_MANY = ("a", "b", "unit", "unit_statistic", "shuffle_seed")


def look_at(inputs: Inputs) -> dict[str, Any]:
    """Give what of the scores is looked at; items are not made into units."""
    return {name: value for name, value in part_of(inputs).items() if name not in (*UNITS, "weights", "over")}


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
