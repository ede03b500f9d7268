"""Per-query files of trec_eval -q and ir_measures -q: which score has which query under which measure?"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nofluke.errors import InputError, listing, unknown
from nofluke.metrics.statistics import ItemStatistics, mean_aggregate
from nofluke.metrics.texts import Lines, Texts, read_lines

Order = Literal["auto", "measure-query", "query-measure"]
# The query name of summary rows in both tools.
_SUMMARY = "all"
# trec_eval: map, P_10, ndcg_cut_20, iprec_at_recall_0.00, Rprec_mult_0.20; ir_measures: AP, nDCG@10, P(rel=2)@5, RR.
_TREC_EVAL = re.compile(
    r"(runid|num_\w+|g?m?_?map\w*|gm_bpref|[RP](prec)?(_\w+)?([._]\d+)*|bpref\w*|recip_rank|success_\d+|recall_\d+|relative_P_\d+"
    r"|i?(nfAP|prec_at_recall_[\d.]+)|11pt_avg|ndcg\w*(\.\d+)?|binG|G|utility\w*|set_\w+|relstring\w*|Rndcg|yaap|prefs_\w+)"
)
_IR_MEASURES = re.compile(
    r"(AP|MAP|P|Precision|R|Recall|RR|MRR|nDCG|NDCG|ERR|RBP|INST|INSQ|IPrec|Rprec|RPrec|Bpref|BPref|Judged|Success|SetP"
    r"|SetR|SetF|SetAP|SetRelP|infAP|BPM|SDCG|NERR\d+|Compat|Accuracy|alpha_nDCG|alpha_DCG|STREC|STRec|NRBP|NumQ|NumRel"
    r"|NumRet|NumRelRet|IASUM|\w+_IA|nNRBP|nERR_IA|nRBP|P_IA)(\([^)]*\))?(@[\d.]+)?"
)


@dataclass(frozen=True, slots=True)
class QueryValue:
    """One row: the value as it was written, and its line (from 1)."""

    query: str
    measure: str
    value: str
    line: int


def read_query_values(source: Texts, order: Order = "auto") -> tuple[Lines, list[QueryValue]]:
    """Give the rows of a file in either column order or as JSON lines, without the summary rows."""
    lines = read_lines(source, "lines")
    filled = [(index, line) for index, line in enumerate(lines.lines) if line.strip()]
    if not filled:
        raise InputError(
            "there are no rows.", where=lines.name, fix="give the output of trec_eval -q or ir_measures -q."
        )
    is_json = filled[0][1].lstrip().startswith("{")
    rows = [_json_row(lines, *one) for one in filled] if is_json else _column_rows(lines, filled, order)
    kept = [row for row in rows if row is not None and row.query != _SUMMARY]
    if not kept:
        raise InputError("there are only summary rows.", where=lines.name, fix="run trec_eval or ir_measures with -q.")
    first: dict[tuple[str, str], int] = {}
    for row in kept:
        before = first.setdefault((row.query, row.measure), row.line)
        if before != row.line:
            raise InputError(
                f"query {row.query!r} has a second value of {row.measure}; the first is in line {before}.",
                where=lines.where(row.line - 1),
                fix="give one file per system.",
            )
    return lines, kept


def query_columns(source: Texts, order: Order = "auto") -> dict[str, list[str]]:
    """Give the columns query, measure and value as text, so that decimals stay as they were written."""
    _, rows = read_query_values(source, order)
    return {name: [getattr(row, name) for row in rows] for name in ("query", "measure", "value")}


def query_scores(source: Texts, measure: str | None = None, order: Order = "auto") -> ItemStatistics:
    """Give the per-query scores of one measure; it may be left out when the file has only one."""
    lines, rows = read_query_values(source, order)
    measures = list(dict.fromkeys(row.measure for row in rows))
    if measure is None and len(measures) > 1:
        raise InputError(
            f"the file has {len(measures)} measures: {listing(measures)}.", where=lines.name, fix="name the measure."
        )
    chosen = measures[0] if measure is None else measure
    if chosen not in measures:
        raise unknown("measure", chosen, measures, where=lines.name)
    wanted = [row for row in rows if row.measure == chosen]
    values = np.array([[_number(row, lines)] for row in wanted])
    ids = tuple(row.query for row in wanted)
    return ItemStatistics(values, (chosen,), mean_aggregate(), f"per-query|measure:{chosen}", ids)


def _number(row: QueryValue, lines: Lines) -> float:
    try:
        value = float(row.value)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(
            f"{row.measure} of query {row.query!r} is {row.value!r}, which is not a number.",
            where=lines.where(row.line - 1),
            fix="choose a measure with numbers, or mend the row.",
        )
    return value


def _json_row(lines: Lines, index: int, line: str) -> QueryValue:
    try:
        found = json.loads(line, parse_float=str, parse_int=str)
        return QueryValue(str(found["query_id"]), str(found["measure"]), str(found["value"]), index + 1)
    except (json.JSONDecodeError, KeyError, TypeError):
        raise InputError(
            "this is not an object with query_id, measure and value.",
            where=lines.where(index),
            fix="give the output of ir_measures -q -o jsonl.",
        ) from None


def _column_rows(lines: Lines, filled: list[tuple[int, str]], order: Order) -> list[QueryValue | None]:
    cells = [(index, line.split("\t") if "\t" in line else line.split()) for index, line in filled]
    cells = [(index, [cell.strip() for cell in row]) for index, row in cells]
    for index, row in cells:
        if len(row) not in (2, 3):
            raise InputError(
                f"{len(row)} columns; measure, query and value were expected.",
                where=lines.where(index),
                fix="give the output of trec_eval -q or ir_measures -q.",
            )
    triples = [row for _, row in cells if len(row) == 3]
    measure_column = _measure_column(triples, order, lines.name) if triples else 0
    return [
        # Two columns (measure, value) are a summary of ir_measures.
        QueryValue(row[1 - measure_column], row[measure_column], row[2], index + 1) if len(row) == 3 else None
        for index, row in cells
    ]


def _measure_column(rows: list[list[str]], order: Order, name: str) -> int:
    """Say which of the first two columns holds measures: by summary rows, else by the names of measures."""
    if order != "auto":
        return 0 if order == "measure-query" else 1
    columns = [{row[column] for row in rows} for column in (0, 1)]
    summary = [_SUMMARY in column for column in columns]
    if summary[0] != summary[1]:
        return 1 if summary[0] else 0
    known = [all(_TREC_EVAL.fullmatch(one) or _IR_MEASURES.fullmatch(one) for one in column) for column in columns]
    if known[0] != known[1]:
        return 0 if known[0] else 1
    raise InputError(
        f"it is not clear which column holds the measure: {listing(sorted(columns[0]), 3)} or "
        f"{listing(sorted(columns[1]), 3)}.",
        where=name,
        fix="say order=measure-query (trec_eval) or order=query-measure (ir_measures).",
    )
