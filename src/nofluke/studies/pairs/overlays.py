"""Comparisons that were made before: a stored study of gains, or a table of gains and p-values."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np

from nofluke.errors import InputError
from nofluke.types import Series, Study, frozen
from nofluke.types.load import from_dict


def stored_comparisons(path: str) -> Series | Study | None:
    """Give the comparisons that a file holds, or None where it holds something else (scores, outputs)."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        # The reader of scores knows more formats, and says what is wrong with a file.
        return None
    if path.endswith(".json"):
        return _of_json(text, path)
    return _of_table(text, path)


def _of_json(text: str, path: str) -> Study:
    try:
        found = from_dict(json.loads(text), where=path)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is not JSON.", where=path, fix="give a study that nofluke wrote as JSON.") from None
    if not isinstance(found, Study) or "comparisons" not in found.series:
        raise InputError("holds no comparisons.", where=path, fix="store one: nofluke study gains ... -o study.json.")
    return found


def _of_table(text: str, path: str) -> Series | None:
    lines = text.splitlines()
    delimiter = "\t" if lines and "\t" in lines[0] else ","
    header = [cell.strip().casefold() for cell in next(csv.reader(lines[:1], delimiter=delimiter), [])]
    if "gain" not in header or not {"p_value", "p"} & set(header):
        return None
    gain, p = header.index("gain"), header.index("p_value" if "p_value" in header else "p")
    numbers = []
    for line, row in enumerate(csv.reader(lines[1:], delimiter=delimiter), start=2):
        try:
            numbers.append((float(row[gain]), float(row[p])))
        except (ValueError, IndexError):
            raise InputError("has no gain and p-value.", where=f"{path} line {line}", fix="give two numbers.") from None
    table = np.array(numbers).reshape(-1, 2)
    if not len(table) or (table[:, 0] < 0).any() or (table[:, 1] < 0).any() or (table[:, 1] > 1).any():
        raise InputError(
            "gains are not negative, and p-values lie between 0 and 1.", where=path, fix="check the table."
        )
    columns = {"gain": frozen(table[:, 0]), "confidence": frozen(1 - table[:, 1]), "p_value": frozen(table[:, 1])}
    return Series("overlay", columns, {"label": ("overlay",) * len(table)})
