"""Tables of W&B and MLflow, {"columns": [...], "data": [[...], ...]}, a file for each system."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.aliases import is_alias
from nofluke.readers.decode import decode
from nofluke.readers.file_names import stem_of
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import is_number, load_json
from nofluke.readers.logs.record import Log, check_of, judged_by, measured
from nofluke.registry import FORMATS
from nofluke.types import frozen

_COLUMNS = re.compile(r'\{\s*"columns"\s*:\s*(\[[^\]]*\])')
_DATA = re.compile(r'\s*,\s*"data"\s*:\s*\[\s*')
_NEXT = re.compile(r"\s*,\s*")
# Texts that an evaluation logs beside its scores: what was asked, and what came out. A plain table of scores has none.
_ASKED = re.compile(
    r"question|input|inputs|prompt|query|context|source|target|targets|expected|reference|ground_truth", re.I
)
_ANSWERED = re.compile(r"prediction|predictions|output|outputs|answer|response|completion|generation|hypothesis", re.I)


def _is_log(head: bytes) -> bool:
    text = head.decode("utf-8-sig", "replace").lstrip()
    found = _COLUMNS.match(text)
    if found is None:
        return False
    try:
        names = json.loads(found[1])
    except ValueError:
        return False
    logged = all(any(isinstance(name, str) and kind.fullmatch(name) for name in names) for kind in (_ASKED, _ANSWERED))
    return logged and not _are_texts_alone(text, found.end(), [str(name) for name in names])


def _are_texts_alone(text: str, start: int, names: Sequence[str]) -> bool:
    """Whether no cell of the first rows may be a score: these are outputs, which a metric has yet to score."""
    row = _DATA.match(text, start)
    cells: list[Any] = []
    while row is not None:
        try:
            read, end = json.JSONDecoder().raw_decode(text, row.end())
        except (ValueError, RecursionError):
            break
        if not isinstance(read, list) or len(read) != len(names):
            return False
        cells += [cell for name, cell in zip(names, read, strict=True) if not is_alias("item", name)]
        row = _NEXT.match(text, end)
    return bool(cells) and all(isinstance(cell, str) for cell in cells)


@FORMATS.register(
    "table_json",
    label="W&B or MLflow table",
    cite="Weights & Biases: Table; MLflow: log_table",
    sniff=_is_log,
    begins=("{",),
    told_by="layout",
    holds=("scores",),
    gives="logs",
)
def read_table_json(given: Given, cluster: str = "") -> list[Log]:
    """Read the columns of numbers as metrics of one system; the file names it."""
    whole = load_json(decode(given.load(), given.name), given.name)
    whole = whole if isinstance(whole, dict) else {}
    names: Any = whole.get("columns")
    rows: Any = whole.get("data")
    wide = len(names) if isinstance(names, list) else 0
    if not isinstance(rows, list) or not wide or any(not isinstance(row, list) or len(row) != wide for row in rows):
        raise InputError(
            "the rows of data do not have as many cells as there are columns.",
            where=given.name,
            fix="log the table again.",
        )
    columns = {str(name): [row[at] for row in rows] for at, name in enumerate(names)}
    item = next((name for name in columns if is_alias("item", name)), None)
    if cluster and cluster not in columns:
        raise InputError(f"there is no column {cluster!r}.", where=given.name, fix=f"columns: {', '.join(columns)}.")
    found = {
        name: measured([float(cell) if is_number(cell) else None for cell in cells])
        for name, cells in columns.items()
        if name not in (item, cluster) and _are_numbers(cells)
    }
    asked = [cells for name, cells in columns.items() if _ASKED.fullmatch(name)]
    return [
        Log(
            format="table_json",
            version="",
            file=given.name,
            model=stem_of(Path(given.name).name).removesuffix(".table"),
            dataset="table",
            items=tuple(map(str, columns[item] if item is not None else range(1, len(rows) + 1))),
            measured=found,
            primary=judged_by(found),
            checks=frozen([check_of(*map(str, texts)) for texts in zip(*asked, strict=True)], np.int64),
            clusters=tuple(map(str, columns[cluster])) if cluster else None,
        )
    ]


def _are_numbers(cells: Sequence[Any]) -> bool:
    """Whether a column holds numbers, and nothing but gaps beside them."""
    known = [cell for cell in cells if cell is not None and cell == cell]
    return bool(known) and all(map(is_number, known))
