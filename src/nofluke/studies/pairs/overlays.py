"""Other comparisons to lay over the picture: other systems, a stored study, or a table of gains and p-values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.side_tables import read_comparisons
from nofluke.studies.pairs.looking import Look, notes_of
from nofluke.studies.pairs.points import given_points, series_of
from nofluke.types import Note, Sample, Series, Study, note
from nofluke.types.bounds import STORED_RESULT, whole
from nofluke.types.load import from_dict

_OWN = "comparisons"


def overlaid(overlay: Mapping[str, Any], look: Look, sample: Sample) -> tuple[dict[str, Series], tuple[Note, ...]]:
    """Give the points of every overlay, and what must be known of other scores.

    Other scores are looked at and compared as those of the sample.
    """
    laid: dict[str, Series] = {}
    notes: list[Note] = []
    for name, other in overlay.items():
        if name == _OWN:
            raise InputError(f"two sets of comparisons are called {name!r}.", fix="give the overlay another name.")
        points = _own_points(other, name) if isinstance(other, Study) else other
        if isinstance(points, Series):
            laid[name] = _of_series(name, points)
            continue
        there = look.elsewhere(points, sample)
        part = there.sample(points)
        found = there.compare(part)
        laid[name] = series_of(found, (name,) * found.size, name)
        notes += [note("study.overlay", name=name, note=one) for one in notes_of([part]) if one not in sample.notes]
    return laid, tuple(notes)


def _own_points(study: Study, name: str) -> Series:
    if _OWN not in study.series:
        raise InputError(
            f"the overlay {name!r} is a study of {study.name}, which holds no comparisons of one test set.",
            fix="give a study of gains.",
        )
    return study.series[_OWN]


def _of_series(name: str, points: Series) -> Series:
    lacking = [column for column in ("gain", "p_value") if column not in points.columns]
    if lacking:
        raise InputError(f"the overlay {name!r} has no column {lacking[0]!r}.", fix="give gain and p_value.")
    gain, p = (np.asarray(points.columns[column], dtype=np.float64) for column in ("gain", "p_value"))
    return given_points(name, gain, p)


def stored_comparisons(path: str) -> Series | Study | None:
    """Give the comparisons that a file holds, or None where it holds something else (scores, outputs)."""
    if path.endswith(".json"):
        return _of_json(path)
    found = read_comparisons(path)
    return None if found is None else given_points("overlay", *found, where=path)


def _of_json(path: str) -> Study | None:
    try:
        with Path(path).open("rb") as file:
            text = whole(file, path, STORED_RESULT).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        # The reader of scores says what is wrong with a file.
        return None
    try:
        found = from_dict(json.loads(text), where=path)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is not JSON.", where=path, fix="give a study that nofluke wrote as JSON.") from None
    if not isinstance(found, Study) or _OWN not in found.series:
        raise InputError("holds no comparisons.", where=path, fix="store one: nofluke study gains ... -o study.json.")
    return found
