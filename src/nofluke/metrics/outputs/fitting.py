"""Which metrics fit a gold standard, by a look at what its file holds: for advice only, never for a choice."""

from __future__ import annotations

import re

from nofluke.errors import InputError
from nofluke.readers.aliases import matches
from nofluke.readers.candidates import metric_for
from nofluke.readers.decode import decode_head
from nofluke.readers.given import opened
from nofluke.readers.outputs import table_of

_LINKS = re.compile(r"(?:\d+[-?]\d+\s*)+")
_TREE = re.compile(r"\(.*\)\s*")
_SPAN_TAG = re.compile(r"[BIESLU]-\S+")
_WORD_FIELDS = 10
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
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    if rows and all(len(row) == _WORD_FIELDS and row[0][:1].isdigit() for row in rows):
        return _of_words(rows)
    if lines and all(map(_TREE.fullmatch, lines)):
        return ("bracket_f1", "bracket_precision", "bracket_recall")
    if lines and all(map(_LINKS.fullmatch, lines)):
        return ("aer",)
    words = [line.split() for line in lines]
    tags = [row[-1] for row in words if len(row) > 1]
    if len(tags) == len(words) and all(tag == "O" or _SPAN_TAG.fullmatch(tag) for tag in tags) and set(tags) != {"O"}:
        return ("span_f1", "token_accuracy")
    return ()


def _of_words(rows: list[list[str]]) -> tuple[str, ...]:
    """Name the metrics of CoNLL-U files whose column is filled."""
    columns = {"las": 7, "uas": 6, "upos": 3, "xpos": 4, "lemma": 2, "feats": 5}
    return tuple(metric for metric, column in columns.items() if any(row[column] != "_" for row in rows))[:3]
