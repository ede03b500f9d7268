"""Labels or numbers of items, one per line or cell; of a column of a table also the items that have none."""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np

from nofluke.errors import InputError
from nofluke.metrics.texts import Lines, Texts, read_lines, refuse_files
from nofluke.types import FloatArray, Note, note

_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,4})?|[-+]?\.[0-9]+")
# A longer row of digits is a name.
_LONGEST_NUMBER = 100


@dataclass(frozen=True, slots=True)
class Labels:
    """One label per item, and where they stand."""

    source: Lines
    labels: tuple[str, ...]

    def where(self, item: int) -> str:
        """Name the place of an item."""
        return self.source.where(item)


def read_labels(source: Texts, role: str, *, empty: bool = False) -> Labels:
    """Read one label per item; `role` is output or gold, and `empty` allows empty labels."""
    lines = read_lines(source, role)
    if not any(line.strip() for line in lines.lines):
        raise InputError("there are no labels.", where=lines.name, fix="give one label per line.")
    found = Labels(lines, tuple(line.strip() for line in lines.lines))
    for item, label in enumerate(found.labels if not empty else ()):
        if not label and item not in lines.missing:
            raise InputError("the label is empty.", where=found.where(item), fix="give every item a label.")
    return found


def require_as_many(output: Labels, gold: Labels) -> None:
    """Refuse an output with more or fewer labels than gold."""
    if len(output.labels) != len(gold.labels):
        raise InputError(
            f"{len(output.labels):,} labels, and {gold.source.name} has {len(gold.labels):,}.",
            where=output.source.name,
            fix="give one label for every item of the gold file.",
        )


class Spellings:
    """Which labels are one label: equal numbers (1 and 1.0), and truth values in any case (true and True).

    Gold decides which spelling stands for all of them, its first, so that every system has the same classes. Where gold
    itself has true and True beside other words, these may be names, and they stay apart.

    >>> Spellings(["1", "0", "1.0"]).of(["1.00", "0", "2", "2.0"])
    ['1', '0', '2', '2']
    """

    def __init__(self, gold: Sequence[str]) -> None:
        """Take gold's labels."""
        distinct = list(dict.fromkeys(gold))
        truths = list(filter(_is_truth, distinct))
        several = len({label.casefold() for label in truths}) < len(truths) < len(distinct)
        self._names = frozenset(truths if several else ())
        self._first: dict[Any, str] = {}
        for label in distinct:
            self._first.setdefault(self._key(label), label)
        self.classes = tuple(self._first.values())

    def of(self, labels: Sequence[str]) -> list[str]:
        """Give every label as it is spelled first: in gold, or where gold does not have it, among these."""
        first = dict(self._first)
        spelled = {label: first.setdefault(self._key(label), label) for label in dict.fromkeys(labels)}
        return [spelled[label] for label in labels]

    def _key(self, label: str) -> Any:
        return (label,) if label in self._names else label_key(label)


def label_key(label: str) -> Any:
    """Give one value to what formats write differently: true and True, 1 and 1.0; 01 is a code and no number.

    >>> [label_key(label) for label in ("True", "yes", "01")], label_key("1.50") == label_key("1.5")
    (['true', 'yes', '01'], True)
    """
    if _is_truth(label):
        return label.casefold()
    return Decimal(label) if len(label) <= _LONGEST_NUMBER and _NUMBER.fullmatch(label) else label


def _is_truth(label: str) -> bool:
    return label.casefold() in ("true", "false")


def spelling_notes(labels: Iterable[str], spelled: Iterable[str]) -> tuple[Note, ...]:
    """Say which spellings were taken as one label, and which labels differ in upper and lower case only."""
    together: dict[str, dict[str, None]] = {}
    for label, one in zip(labels, spelled, strict=True):
        together.setdefault(one, {one: None})[label] = None
    apart: dict[str, list[str]] = {}
    for one in together:
        apart.setdefault(one.casefold(), []).append(one)
    notes = []
    if folded := _alike(together.values()):
        notes.append(note("metric.spellings_folded", groups=folded))
    if cased := _alike(apart.values()):
        notes.append(note("metric.cases_apart", groups=cased))
    return tuple(notes)


def _alike(groups: Iterable[Collection[str]]) -> tuple[tuple[str, ...], ...]:
    """Names that belong together, where there are several."""
    return tuple(tuple(names) for names in groups if len(names) > 1)


Numbers: TypeAlias = Texts | Sequence[float] | Any


def read_number_pairs(output: Numbers, gold: Numbers) -> FloatArray:
    """Give the (n, 2) numbers of an output and gold, item by item; an item without a number has nan."""
    ours, truth = _labels(output, "output"), _labels(gold, "gold")
    require_as_many(ours, truth)
    return np.column_stack((_numbers(ours), _numbers(truth)))


def _labels(source: Numbers, name: str) -> Labels:
    if isinstance(source, str | os.PathLike | Lines):
        return read_labels(source, name, empty=True)
    listed = source.tolist() if hasattr(source, "tolist") else list(source)
    refuse_files(listed, name)
    texts = [one if isinstance(one, str) else _text(one, name, index) for index, one in enumerate(listed)]
    return read_labels(texts, name, empty=True)


def _text(value: Any, name: str, index: int) -> str:
    """Write a number as it prints; None and nan are missing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        raise InputError(
            f"{value!r} is not a number.", where=f"{name}[{index}]", fix="give one number for each item."
        ) from None


def _numbers(labels: Labels) -> FloatArray:
    numbers = np.full(len(labels.labels), math.nan)
    for item, text in enumerate(labels.labels):
        if not text:
            continue
        with contextlib.suppress(ValueError):
            numbers[item] = float(text)
        if not math.isfinite(numbers[item]):
            raise InputError(
                f"{text!r} is not a number.",
                where=labels.where(item),
                fix="give one number for each item; leave the cell empty where there is none.",
            )
    return numbers
