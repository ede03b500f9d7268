"""Which metrics fit a gold standard, by a look at what its file holds: for advice only, never for a choice."""

from __future__ import annotations

import re

from nofluke.errors import InputError
from nofluke.readers.aliases import matches
from nofluke.readers.decode import decode_head
from nofluke.readers.given import opened
from nofluke.readers.outputs import table_of
from nofluke.readers.unscored import metric_for, metrics_of_trees

_LINKS = re.compile(r"(?:\d+[-?p]\d+\s*)+")
_TREE = re.compile(r"\(.*\)\s*")
_SPAN_TAG = re.compile(r"[BIESLU]-\S+")
_LOOKED_AT = 1_000


def fitting_metrics(path: str) -> tuple[str, ...]:
    """Name metrics that fit a file of gold, the most usual one first; none where it cannot be looked at.

    Standard input is not touched: it can be read only once.
    """
    if path == "-":
        return ()
    try:
        given = opened(path)
        lines = [line.rstrip("\r") for line in decode_head(given.head()).split("\n")][:_LOOKED_AT]
        found = _by_lines([line for line in lines if line.strip()])
        if found:
            return found
        table = table_of(given, "auto", "labels", (), "gold")
        gold = matches("gold", list(table.columns)) if table is not None else []
        cells = table.texts(gold[0]) if table is not None and gold else lines
        return (metric_for(cells),)
    except InputError:
        # What is wrong with the file is said when it is read.
        return ()


def _by_lines(lines: list[str]) -> tuple[str, ...]:
    """Tell the formats of parsing, tagging and word alignment by their lines."""
    if found := metrics_of_trees(lines):
        return found
    if lines and all(map(_TREE.fullmatch, lines)):
        return ("bracket_f1", "bracket_precision", "bracket_recall")
    if lines and all(map(_LINKS.fullmatch, lines)):
        return ("aer",)
    words = [line.split() for line in lines]
    tags = [row[-1] for row in words if len(row) > 1]
    if len(tags) == len(words) and all(tag == "O" or _SPAN_TAG.fullmatch(tag) for tag in tags) and set(tags) != {"O"}:
        return ("span_f1", "token_accuracy")
    return ()
