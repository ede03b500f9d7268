"""The items behind a comparison, one row each: what both systems scored, the difference, and the texts beside them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.align import as_item_scores, differences
from nofluke.errors import NoflukeError
from nofluke.readers.given import Given
from nofluke.readers.scores import open_table
from nofluke.readers.writing import safe_cell
from nofluke.types import Sample, Scores
from nofluke.web.data import Files, systems_in

DIFFERENCE = "difference"
_MOST_WITH_TEXTS = 50_000  # items; more texts than this are no page but a file
_LONGEST_TEXT = 400
Texts = dict[str, dict[str, str]]  # name of a column -> item -> what it says


def items_csv(sample: Sample, texts: Texts) -> str:
    """Write the table: the item, both scores, the difference (positive where the first is better), and the texts."""
    single = as_item_scores(sample)
    ids = [str(one) for one in single.ids] if single.ids is not None else [str(i + 1) for i in range(single.n)]
    places = np.arange(single.n)
    columns: dict[str, list[str]] = {"unit" if sample.unit_size > 1 else "item": [ids[i] for i in places]}
    if single.clusters is not None and single.cluster_labels:
        columns["cluster"] = [str(single.cluster_labels[code]) for code in single.clusters]
    a, b = single.systems[:2]
    columns |= {a: _figures(single.scores(0)), b if b != a else f"{b} (2)": _figures(single.scores(1))}
    columns[DIFFERENCE] = _figures(differences(single).values)
    for name, told in texts.items():
        columns[name if name not in columns else f"{name} (text)"] = [told.get(one, "") for one in ids]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(map(safe_cell, columns))
    writer.writerows([*map(safe_cell, row)] for row in zip(*columns.values(), strict=True))
    return file.getvalue()


def _figures(values: Any) -> list[str]:
    return ["" if math.isnan(value) else repr(value) for value in values.tolist()]


def texts_of(data: Mapping[str, Any], files: Files, scores: Scores, systems: tuple[str, ...]) -> Texts:
    """What stands beside the scores of an item: columns that were not used, outputs and gold answers."""
    if len(scores.item.labels) > _MOST_WITH_TEXTS or data.get("example"):
        return {}
    entries: list[dict[str, Any]] = data.get("files") or []
    try:
        if data.get("score_by") and (len(entries) > 1 or data.get("gold")):
            return dict(_lines(data, files, systems))
        return _columns(files[entries[0]["upload"]][0], scores, systems) if len(entries) == 1 else {}
    except (NoflukeError, OSError, UnicodeError):  # texts are beside the point: scores stand without them
        return {}


def _lines(data: Mapping[str, Any], files: Files, systems: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """Gold answers and outputs that stand line by line in files of their own."""
    entries = data["files"]
    named = zip(systems_in(entries, {key: name for key, (_, name) in files.items()}), entries, strict=True)
    given = [("gold", entry) for entry in data.get("gold") or ()] + [
        (f"output of {name}", entry) for name, entry in named if name in systems
    ]
    for name, entry in given:
        lines = Given(name, path=Path(files[entry["upload"]][0])).load().decode("utf-8-sig").splitlines()
        yield name, {str(place + 1): line[:_LONGEST_TEXT] for place, line in enumerate(lines)}


def _columns(path: str, scores: Scores, systems: tuple[str, ...]) -> Texts:
    """The columns of a lone table that hold neither scores nor names; of a long table, one for each system."""
    table = open_table(Given(path, path=Path(path)))
    mapping = dict(scores.sources[0].mapping)
    used = {name for text in mapping.values() for name in (text, *text.split(", "))}
    item, system = mapping.get("item", ""), mapping.get("system", "")
    others = [name for name in table.columns if name not in used]
    outputs = [name for role in ("output", "gold") for name in (mapping.get(role),) if name in table.columns]
    ids = _texts(table, item) if item in table.columns else [str(i + 1) for i in range(table.rows)]
    found: Texts = {}
    owners = _texts(table, system) if system in table.columns else None
    for name in (*outputs, *others):
        for row, text in enumerate(_texts(table, str(name))):
            if owners is None:
                found.setdefault(str(name), {})[ids[row]] = text
            elif owners[row] in systems:
                found.setdefault(f"{name} of {owners[row]}", {})[ids[row]] = text
    return found


def _texts(table: Any, name: str) -> list[str]:
    return [str(text or "")[:_LONGEST_TEXT] for text in table.columns[name].texts()]
