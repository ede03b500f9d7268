"""Logs of Inspect: .eval (a zip with summaries of all samples) and its JSON form; the scores of every sample."""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nofluke.errors import InputError
from nofluke.readers.decode import decode_head
from nofluke.readers.given import Given
from nofluke.readers.numbers import parse_number
from nofluke.readers.records import Record, long_table
from nofluke.readers.table import Table
from nofluke.registry import FORMATS
from nofluke.types import Note, note
from nofluke.types.bounds import BOUNDS, BeyondBoundsError, Bounds

# How Inspect reads the marks that its scorers give.
_MARKS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_CALLED = {"item": "id", "run": "epoch", "dataset": "task", "system": "model"}
_AGAIN = "write the log again (inspect log convert), or copy it again."
_AS_JSON = "write the log as JSON (inspect log convert LOG --to json --output-dir DIR) and give that file."
# What is read of a .eval; the samples themselves, one member each, stay packed.
_MEMBERS = ("header.json", "summaries.json")
_ENTRY = b"PK\x01\x02"
_ZIP = b"PK\x03\x04"
# Other packings cannot be unpacked a bounded piece at a time.
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# RuntimeError: a password, a feature of zip that is not known here, or JSON nested too deep.
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
    EOFError,
    RuntimeError,
)


def _is_log(head: bytes) -> bool:
    """Whether a zip archive or a JSON object begins as a log does: the journal comes first, or the header is near."""
    if head.startswith(_ZIP):
        return b"_journal/start.json" in head[:4096] or b"header.json" in head[:4096]
    start = decode_head(head).lstrip()[:2000]
    return start.startswith("{") and all(f'"{key}"' in start for key in ("version", "status", "eval"))


def _refuse_larger(path: Path, name: str, bounds: Bounds) -> None:
    refuse_declared(path.read_bytes(), name, bounds)


@FORMATS.register(
    "inspect",
    label="logs of Inspect",
    cite="UK AI Security Institute, Inspect: log file format",
    sniff=_is_log,
    told_by="mark",
    holds=("scores", "ratings"),
    measure=_refuse_larger,
)
def read_inspect(given: Given) -> Table:
    """Read one row per sample and scorer; a sample that failed or was not scored has no score."""
    data = given.load()
    with _whole(given.name):
        log, samples = _from_zip(data, given.name) if data.startswith(_ZIP) else _from_json(data)
        about = log["eval"]
        task, model = str(about["task"]), str(about["model"])
        records = [record for sample in samples for record in _records(sample, task, model)]
    if not records:
        raise InputError("the log holds no scored samples.", where=given.name, fix="run the scorer (inspect score).")
    return long_table(records, "inspect", given.name, called=_CALLED, notes=_notes(log, records))


def refuse_declared(data: bytes, name: str, bounds: Bounds = BOUNDS) -> None:
    """Refuse a .eval that says it holds more than the bounds, or that is packed in another way."""
    if data.count(_ENTRY) > bounds.members:
        raise InputError(f"the log has over {bounds.members:,} members.", where=name, fix=_AS_JSON)
    with _whole(name), zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [archive.getinfo(member) for member in _MEMBERS]
    if any(member.compress_type not in _PACKINGS for member in members):
        raise InputError(
            "the log is packed in a way that is not read here (zstd, most likely).", where=name, fix=_AS_JSON
        )
    size = sum(member.file_size for member in members)
    if size > bounds.total:
        fix = "give the scores alone, as CSV or Parquet."
        raise BeyondBoundsError(f"the log unpacks to more than {bounds.total // 2**20:,} MB.", where=name, fix=fix)
    if size > max(bounds.harmless, bounds.ratio * len(data)):
        fix = f"check where it comes from; if it is right, {_AS_JSON}"
        raise InputError(f"the log unpacks to more than {bounds.ratio:,} times its size.", where=name, fix=fix)


@contextmanager
def _whole(name: str) -> Iterator[None]:
    """Say in words that a log is damaged, whatever part of it gave that away."""
    try:
        yield
    except InputError:
        raise
    except _DAMAGED as error:
        raise InputError(
            f"the log of Inspect is not whole ({type(error).__name__}: {error}).", where=name, fix=_AGAIN
        ) from None


def _from_zip(data: bytes, name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    refuse_declared(data, name)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        header, summaries = (_unpacked(archive, member) for member in _MEMBERS)
    return json.loads(header), json.loads(summaries)


def _unpacked(archive: zipfile.ZipFile, member: str) -> bytes:
    """Read no more than the archive declares: one that unpacks further is found by its checksum."""
    with archive.open(member) as file:
        size = archive.getinfo(member).file_size
        found = file.read(size)
    if len(found) < size:
        raise EOFError(f"{member} ends too early")
    return found


def _from_json(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    log = json.loads(data)
    return log, log.get("samples") or []


def _records(sample: dict[str, Any], task: str, model: str) -> Iterator[Record]:
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value") if isinstance(score, dict) else score
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for key, one in parts:
            metric = f"{scorer}/{key}" if key else scorer
            number = None if sample.get("error") else _number(one)
            yield Record(sample["id"], number, model, task, metric, run=sample.get("epoch", 1))


def _number(value: Any) -> float | None:
    """Give the number of a mark, None where it is none: what cannot be read is missing, and not wrong."""
    if isinstance(value, str):
        known = _MARKS.get(value, _MARKS.get(value.casefold()))
        number = known if known is not None else parse_number(value)
        return None if number is None or math.isnan(number) else number
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    return None


def _notes(log: dict[str, Any], records: list[Record]) -> tuple[Note, ...]:
    notes: tuple[Note, ...] = ()
    if log.get("status") not in (None, "success"):
        notes += (note("read.log_status", status=str(log.get("status"))),)
    missing = sum(record.value is None for record in records)
    if missing:
        notes += (note("read.log_missing", missing=missing, scores=len(records)),)
    return notes
