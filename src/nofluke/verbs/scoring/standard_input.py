"""Outputs and gold from standard input: the file called - is read once, into its lines."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from nofluke.errors import InputError

_STANDARD_INPUT = "-"


def with_standard_input(outputs: Mapping[str, Any], gold: Any = None) -> tuple[dict[str, Any], Any]:
    """Put the lines of standard input in the place of the file -; it can be given once."""
    # In a list of strings each is a line, and - a line like any other; several files are given as paths.
    several = isinstance(gold, list | tuple) and any(isinstance(one, os.PathLike) for one in gold)
    golds = list(gold) if several else [gold]
    times = sum(map(_is_standard_input, [*outputs.values(), *golds]))
    if not times:
        return dict(outputs), gold
    if times > 1:
        raise InputError(
            "standard input (-) was given more than once, and can be read only once.",
            fix="give files for all but one of them.",
        )
    from nofluke.metrics.texts import read_standard_input

    lines = read_standard_input()
    filled = {name: lines if _is_standard_input(output) else output for name, output in outputs.items()}
    golds = [lines if _is_standard_input(one) else one for one in golds]
    return filled, golds if several else golds[0]


def _is_standard_input(source: Any) -> bool:
    return isinstance(source, str | os.PathLike) and os.fspath(source) == _STANDARD_INPUT
