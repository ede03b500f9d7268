"""What a file offers: its columns, and what they were taken for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nofluke.errors import NoflukeError
from nofluke.types import Value
from nofluke.web.data import Files, Progress, scores_of
from nofluke.web.safety import Limits

_HEAD = 65_536
_MOST = 500


@dataclass(frozen=True, slots=True)
class Inspection(Value):
    """Columns by name, the role each was given, and what can be chosen from."""

    columns: tuple[str, ...]
    mapping: Mapping[str, str]
    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    metrics: tuple[str, ...]
    items: int
    problem: str


def inspect(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Inspection:
    """Look at the data; where they cannot be read yet, the columns still help to say how."""
    data = request["data"]
    named = [files[entry["upload"]][0] for entry in data.get("files") or () if entry.get("upload") in files]
    columns = () if data.get("score_by") or len(named) != 1 else _header(Path(named[0]))
    try:
        scores = scores_of(data, files, progress, limits)
    except NoflukeError as error:
        return Inspection(columns, {}, (), (), (), 0, str(error.message))
    mapping = dict(scores.sources[0].mapping) if scores.sources else {}
    items = len(scores.item.labels)
    return Inspection(
        columns, mapping, scores.systems[:_MOST], scores.datasets[:_MOST], scores.metrics[:_MOST], items, ""
    )


def _header(path: Path) -> tuple[str, ...]:
    import gzip

    from nofluke.readers.decode import decode_head
    from nofluke.readers.sniff import sniff_dialect, sniff_format, split_line

    with path.open("rb") as file:
        head = file.read(_HEAD)
    if head.startswith(b"\x1f\x8b"):
        with gzip.open(path, "rb") as packed:
            head = packed.read(_HEAD)
    if sniff_format(head) != "csv":
        return ()
    dialect = sniff_dialect(head)
    lines = [line for line in decode_head(head).splitlines() if line.strip()]
    if not dialect.headed or not lines:
        return ()
    return tuple(cell.strip().strip('"') for cell in split_line(lines[0], dialect.delimiter))[:_MOST]
