"""Per-query files of trec_eval -q and ir_measures -q: columns in either order, or JSON lines."""

from __future__ import annotations

import json
import re

from nofluke.errors import InputError, listing
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.file_names import stem_of
from nofluke.readers.given import Given
from nofluke.readers.logs.record import Log, measured
from nofluke.readers.long_table import Record, long_table
from nofluke.readers.numbers import parse_number
from nofluke.readers.table import Table
from nofluke.registry import FORMATS

# The query name of summary rows in both tools.
_SUMMARY = "all"
_COLUMNS = 3
_LOOKED_AT = 200
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
_FIX = "give the output of trec_eval -q or ir_measures -q."
_JSON_KEYS = ("query_id", "measure", "value")


def _looks_like_trec(head: bytes) -> bool:
    """Whether the first lines are query, measure and value: one column of names of measures, and no other."""
    lines = [line for line in decode_head(head).lstrip().split("\n")[:_LOOKED_AT] if line.strip()]
    if lines and lines[0].lstrip().startswith("{"):
        try:
            return set(json.loads(lines[0])) == set(_JSON_KEYS)
        except (ValueError, TypeError, RecursionError):
            return False
    rows = [_cells(line) for line in lines]
    if not rows or any(len(row) not in (2, _COLUMNS) for row in rows):
        return False
    triples = [row for row in rows if len(row) == _COLUMNS]
    # Two columns are the summary of ir_measures: never a whole file.
    return 2 * len(triples) > len(rows) and _measure_column(triples) is not None and _mostly_numbers(triples)


def _as_logs(given: Given, cluster: str = "") -> list[Log]:
    """Read a file of a folder: its name is that of the system, as no file is named on its own."""
    if cluster:
        raise InputError(f"there is no field {cluster!r}.", where=given.name, fix="queries have no other field.")
    rows = _records(given)
    queries = {query: at for at, query in enumerate(dict.fromkeys(row.item for row in rows))}
    by_measure: dict[str, list[float | None]] = {}
    for row in rows:
        value = parse_number(row.value)
        if value is None:
            raise InputError(
                f"{row.metric} of query {row.item!r} is no number: {row.value!r}.",
                where=f"{given.name} line {row.line}",
                fix=_FIX,
            )
        by_measure.setdefault(row.metric, [None] * len(queries))[queries[row.item]] = value
    return [
        Log(
            format="trec",
            version="",
            file=given.name,
            model=stem_of(given.name),
            dataset="queries",
            items=tuple(queries),
            measured={name: measured(values, higher_is_better=True) for name, values in by_measure.items()},
            # Columns have four decimals, JSON lines all.
            rounded=not given.head().lstrip().startswith(b"{"),
        )
    ]


@FORMATS.register(
    "trec",
    label="trec_eval -q, ir_measures -q",
    cite="NIST, trec_eval 9; MacAvaney et al. 2022 (ir_measures)",
    sniff=_looks_like_trec,
    told_by="layout",
    holds=("scores", "ratings"),
    as_logs=_as_logs,
)
def read_trec(given: Given) -> Table:
    """Read one row per query and measure, without the summary rows; decimals stay as they were written."""
    called = {"item": "query", "metric": "measure", "value": "value"}
    # Retrieval measures are all better when higher; ERR is no error rate here.
    return long_table(_records(given), "trec", given.name, called=called, higher_is_better=True)


def _records(given: Given) -> list[Record]:
    text = decode(given.load(), given.name)
    filled = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    is_json = filled[0][1].lstrip().startswith("{")
    rows = [_json_row(given.name, *one) for one in filled] if is_json else _column_rows(given.name, filled)
    kept = [row for row in rows if row.item != _SUMMARY]
    if not kept:
        raise InputError("there are only summary rows.", where=given.name, fix="run trec_eval or ir_measures with -q.")
    _refuse_twice(given.name, kept)
    return kept


def _cells(line: str) -> list[str]:
    cells = line.split("\t") if "\t" in line else line.split()
    return [cell.strip() for cell in cells]


def _mostly_numbers(rows: list[list[str]]) -> bool:
    numbers = sum(re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", row[2]) is not None for row in rows)
    return 2 * numbers > len(rows)


def _measure_column(rows: list[list[str]]) -> int | None:
    """Say which of the first two columns holds measures: by summary rows, else by the names of measures."""
    columns = [{row[column] for row in rows} for column in (0, 1)]
    known = [all(_TREC_EVAL.fullmatch(one) or _IR_MEASURES.fullmatch(one) for one in column) for column in columns]
    if known[0] != known[1]:
        return 0 if known[0] else 1
    summary = [_SUMMARY in column for column in columns]
    if any(known) and summary[0] != summary[1]:
        return 1 if summary[0] else 0
    return None


def _column_rows(name: str, filled: list[tuple[int, str]]) -> list[Record]:
    cells = [(number, _cells(line)) for number, line in filled]
    for number, row in cells:
        if len(row) not in (2, _COLUMNS):
            raise InputError(
                f"{len(row)} columns; measure, query and value were expected.",
                where=f"{name} line {number}",
                fix=_FIX,
            )
    triples = [(number, row) for number, row in cells if len(row) == _COLUMNS]
    measure = _measure_column([row for _, row in triples])
    if measure is None:
        columns = [sorted({row[column] for _, row in triples}) for column in (0, 1)]
        raise InputError(
            f"it is not clear which column holds the measure: {listing(columns[0], 3)} or {listing(columns[1], 3)}.",
            where=name,
            fix=f"{_FIX[:-1]}, or a table with a header: query, measure, value.",
        )
    return [Record(row[1 - measure], row[2], metric=row[measure], line=number) for number, row in triples]


def _json_row(name: str, number: int, line: str) -> Record:
    try:
        found = json.loads(line, parse_float=str, parse_int=str)
        query, measure, value = (str(found[key]) for key in _JSON_KEYS)
    except (json.JSONDecodeError, KeyError, TypeError, RecursionError):
        raise InputError(
            "this is not an object with query_id, measure and value.",
            where=f"{name} line {number}",
            fix="give the output of ir_measures -q -o jsonl.",
        ) from None
    return Record(query, value, metric=measure, line=number)


def _refuse_twice(name: str, rows: list[Record]) -> None:
    first: dict[tuple[str, str], int] = {}
    for row in rows:
        before = first.setdefault((row.item, row.metric), row.line)
        if before != row.line:
            raise InputError(
                f"query {row.item!r} has a second value of {row.metric}; the first is in line {before}.",
                where=f"{name} line {row.line}",
                fix="give one file per system.",
            )
