"""What the app can do: each action is one call of the library, run in a worker process on files of a size it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nofluke.errors import InputError
from nofluke.readers.given import HEAD_BYTES
from nofluke.readers.sniff import marked_format
from nofluke.types import Value
from nofluke.types.bounds import BeyondBoundsError, Bounds, blocks
from nofluke.types.file_kinds import not_text
from nofluke.web.asking import (
    Given,
    on_datasets,
    on_numbers,
    on_p_values,
    on_pair,
    on_ratings,
    on_scores,
    on_sides,
    score,
)
from nofluke.web.data import Files, Progress
from nofluke.web.inspecting import inspect, inspect_table
from nofluke.web.safety import Limits

Action = Callable[[str, Mapping[str, Any], Given], Value]

ACTIONS: dict[str, Action] = {
    "compare": on_pair,
    "test": on_pair,
    "describe": on_pair,
    "recommend": on_pair,
    "effect": on_pair,
    "bayes": on_pair,
    "power_curve": on_pair,
    "rank": on_scores,
    "omnibus": on_scores,
    "estimate": on_scores,
    "score": score,
    "replicate": on_datasets,
    "gate": on_sides,
    "agree": on_ratings,
    "correct": on_p_values,
    "combine": on_p_values,
    "sample_size": on_numbers,
    "power": on_numbers,
    "detectable_effect": on_numbers,
    "inspect": lambda _action, request, given: (
        inspect(request, given.files, given.progress, given.limits, given.items)
        if "data" in request
        else inspect_table(request, given.files)
    ),
}


def perform(
    action: str,
    request: Mapping[str, Any],
    files: Files,
    progress: Progress,
    limits: Limits | None = None,
    items: Path | None = None,
) -> Value:
    """Do it. Scores of items go to `items`, if there is one."""
    allowed = limits or Limits()
    for path, _name in files.values():
        check_expansion(Path(path), allowed)
    return ACTIONS[action](action, request, Given(files, progress, allowed, items))


def check_expansion(path: Path, limits: Limits) -> None:
    """Refuse a file with more rows than the server takes, or a small packed one that holds a huge table."""
    bounds = Bounds(total=limits.expanded_bytes, line=limits.line_bytes, rows=limits.rows)
    with path.open("rb") as file:
        start = file.read(HEAD_BYTES)
    marked = marked_format(start) if not_text(start) is not None else None
    try:
        if marked is not None and marked.facts["measure"] is not None:
            marked.facts["measure"](path, str(path), bounds)
        else:
            _check_lines(path, bounds)
    except BeyondBoundsError as error:
        fix = f"{error.advice('page').removesuffix('.')}; the command line takes more."
        raise InputError(error.message, where=error.where, fix=fix) from None


def _check_lines(path: Path, bounds: Bounds) -> None:
    """Count as far as the limits go; a header and a last line without its end are no rows too many."""
    feeds = returns = 0
    with path.open("rb") as file:
        for block in blocks(file, str(path), bounds):
            feeds += block.count(b"\n")
            returns += block.count(b"\r")  # what ends the lines of some old files
            if max(feeds, returns) > bounds.rows + 1:
                raise BeyondBoundsError(
                    f"the file has over {bounds.rows:,} lines, more than this server takes.",
                    where=str(path),
                    fix="leave out rows that are not needed.",
                )
