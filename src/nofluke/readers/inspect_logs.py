"""Logs of Inspect: .eval (a zip with summaries of all samples) and its JSON form; the scores of every sample."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Iterator
from typing import Any

from nofluke.align.decimals import TEXT_DIGITS
from nofluke.errors import InputError
from nofluke.readers.columns import ValueColumn
from nofluke.readers.given import Given
from nofluke.readers.numbers import parse_number
from nofluke.readers.table import Place, Table
from nofluke.types.base import counted

# How Inspect reads the marks that its scorers give.
_MARKS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_NAMES = ("id", "epoch", "task", "model", "metric", "score")
_AGAIN = "write the log again (inspect log convert), or copy it again."


def read_inspect(given: Given) -> Table:
    """Read one row per sample and scorer; a sample that failed or was not scored has no score."""
    data = given.load()
    try:
        log, samples = _from_zip(data) if data.startswith(b"PK") else _from_json(data)
        about = log["eval"]
        task, model = str(about["task"]), str(about["model"])
        rows = [row for sample in samples for row in _rows(sample, task, model)]
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, RecursionError, AttributeError, EOFError) as error:
        raise InputError(
            f"the log of Inspect is not whole ({type(error).__name__}: {error}).", where=given.name, fix=_AGAIN
        ) from None
    if not rows:
        raise InputError("the log holds no scored samples.", where=given.name, fix="run the scorer (inspect score).")
    place = Place(given.name, None)
    columns = {name: ValueColumn([row[at] for row in rows], name, place) for at, name in enumerate(_NAMES)}
    return Table("inspect", columns, len(rows), place, TEXT_DIGITS, notes=_notes(log, rows))


def _from_zip(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        log = json.loads(archive.read("header.json"))
        return log, json.loads(archive.read("summaries.json"))


def _from_json(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    log = json.loads(data)
    return log, log.get("samples") or []


def _rows(sample: dict[str, Any], task: str, model: str) -> Iterator[tuple[Any, ...]]:
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value") if isinstance(score, dict) else score
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for key, one in parts:
            metric = f"{scorer}/{key}" if key else scorer
            number = None if sample.get("error") else _number(one)
            yield sample["id"], sample.get("epoch", 1), task, model, metric, number


def _number(value: Any) -> float | None:
    """Give the number of a mark, None where it is none: what cannot be read is missing, and not wrong."""
    if isinstance(value, str):
        known = _MARKS.get(value, _MARKS.get(value.casefold()))
        number = known if known is not None else parse_number(value)
        return None if number is None or math.isnan(number) else number
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    return None


def _notes(log: dict[str, Any], rows: list[tuple[Any, ...]]) -> tuple[str, ...]:
    notes: tuple[str, ...] = ()
    if log.get("status") not in (None, "success"):
        notes += (f"the log says that the evaluation ended with status {log.get('status')!r}.",)
    missing = sum(row[-1] is None for row in rows)
    if missing:
        notes += (f"{counted(missing, 'score')} of {len(rows):,} are missing: failed, refused or not a number.",)
    return notes
