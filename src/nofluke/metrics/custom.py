"""Metrics of the user's own: any Python function of a line and its gold line, or any table of statistics."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.errors import InputError, listing
from nofluke.metrics.formats.csv_rows import csv_rows
from nofluke.metrics.formula import COUNT, formula_aggregate, is_mean_of, require_columns
from nofluke.metrics.formula_syntax import names_in
from nofluke.metrics.references import References, read_pairs
from nofluke.metrics.statistics import ItemStatistics, mean_aggregate, smooth_aggregate
from nofluke.metrics.texts import Texts, read_lines
from nofluke.types import Aggregate, FloatArray

Metric = Callable[[Texts, References], ItemStatistics]
# Names the place of a row (from 0), or of the whole table.
Where = Callable[[int | None], str]
_ID_COLUMNS = ("item", "id", "item_id")
_CLUSTER_COLUMNS = ("cluster", "cluster_id", "document", "doc_id")


def callable_metric(
    function: Callable[[str, Any], float | Sequence[float]],
    aggregate: str | Aggregate | Callable[[FloatArray, float], FloatArray] | None = None,
    names: Sequence[str] = ("score",),
    name: str = "",
) -> Metric:
    """How good is each line by your own function?

    `function` gets an output line and its gold line (a tuple of lines when there are several references) and gives a
    number, or as many numbers as there are `names`. `aggregate` says how their sums become the score: nothing for the
    mean of single numbers; a formula such as "2*tp/(pred+gold)", where n is the number of items; or a function of
    (sums (..., k), n). `name` is for signatures (the function's name by default): two functions of the same name are
    taken for the same metric. Gives a metric (output, gold) -> ItemStatistics, which is never cached: a change of the
    code could not be seen.

    >>> length = callable_metric(lambda line, gold: len(line) / len(gold))
    >>> float(length(["ab", "abc"], ["abcd", "abcd"]).values.mean())
    0.625
    """
    shown = name or getattr(function, "__qualname__", type(function).__name__)
    names = tuple(names)
    if aggregate is None and len(names) != 1:
        raise InputError(
            f"{len(names)} statistics have no mean: {listing(names)}.",
            fix='give aggregate, such as "2*tp/(pred+gold)".',
        )

    def metric(output: Texts, gold: References) -> ItemStatistics:
        values = _all_called(function, output, gold, len(names))
        if isinstance(aggregate, str):
            columns = dict(zip(names, values.T, strict=True))
            return _by_formula(columns, aggregate, f"callable:{shown}", len(values), names)
        if aggregate is None or isinstance(aggregate, Aggregate):
            return ItemStatistics(values, names, aggregate or mean_aggregate(), f"callable:{shown}")
        return ItemStatistics(values, names, smooth_aggregate(shown, aggregate), f"callable:{shown}")

    return metric


def _all_called(function: Callable[..., Any], output: Texts, gold: References, size: int) -> FloatArray:
    lines, references = read_pairs(output, gold)
    values = np.empty((len(lines), size))
    for index, line in enumerate(lines.lines):
        golds = tuple(reference.lines[index] for reference in references)
        values[index] = _called(function, line, golds[0] if len(golds) == 1 else golds, size, lines.where(index))
    return values


def _called(function: Callable[..., Any], line: str, gold: Any, size: int, where: str) -> list[float]:
    try:
        found = function(line, gold)
    except Exception as error:
        raise InputError(
            f"your function raised {type(error).__name__}: {error}", where=where, fix="mend the function or the line."
        ) from error
    try:
        numbers = [float(one) for one in found] if isinstance(found, Sequence | np.ndarray) else [float(found)]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) == size and all(map(math.isfinite, numbers)):
        return numbers
    expected = "a finite number" if size == 1 else f"{size} finite numbers"
    raise InputError(f"your function gave {found!r}.", where=where, fix=f"let it give {expected}.")


def table_statistics(table: Any, formula: str) -> ItemStatistics:
    """Which score do the summed columns of a table make?

    `table` is a CSV or TSV file with a header (or its lines), a mapping of columns, or a frame, one row per item;
    `formula` is an expression of column sums such as "2*tp/(pred+gold)" or "hits/n" (n = number of rows). Names,
    numbers, + - * / **, parentheses, min, max, exp, log, sqrt and abs are understood. A column called item or id names
    the items, one called cluster or document what belongs together.

    >>> found = table_statistics({"tp": [1, 2], "pred": [2, 2], "gold": [1, 5]}, "2*tp/(pred+gold)")
    >>> float(found.aggregate(found.values.sum(axis=0), 2.0))
    0.6
    """
    columns, where = _read_table(table) if _is_text(table) else (_columns_of(table), _row_of_a_table)
    wanted = names_in(formula)
    numbers = {name: _numbers(columns[name], name, where) for name in wanted if name in columns}
    sizes = {len(column) for column in columns.values()}
    if len(sizes) != 1 or sizes == {0}:
        raise InputError(
            "its columns have no rows, or different numbers of them.", where=where(None), fix="mend the table."
        )
    ids, clusters = (
        next((tuple(map(str, columns[key])) for key in keys if key in columns and key not in wanted), None)
        for keys in (_ID_COLUMNS, _CLUSTER_COLUMNS)
    )
    found = _by_formula(numbers, formula, "table", sizes.pop(), tuple(columns))
    return ItemStatistics(found.values, found.names, found.aggregate, found.signature, ids, clusters=clusters)


def _by_formula(
    columns: Mapping[str, FloatArray], formula: str, source: str, rows: int, known: Sequence[str]
) -> ItemStatistics:
    wanted = names_in(formula)
    used = {name: columns[name] for name in wanted if name in columns}
    signature = f"{source}|formula:{formula.replace(' ', '')}"
    mean_of = is_mean_of(formula) if COUNT not in used else None
    if mean_of is not None and mean_of in used:
        return ItemStatistics(used[mean_of][:, None], (mean_of,), mean_aggregate(), signature)
    if COUNT in wanted and COUNT not in used:
        # The number of items is a sum too: of ones.
        used[COUNT] = np.ones(rows)
    require_columns(formula, tuple(dict.fromkeys((*known, *used))))
    if not used:
        raise InputError(f"the formula {formula!r} names no column.", fix="use column names, such as tp/(tp+fp).")
    aggregate = formula_aggregate(formula, tuple(used))
    return ItemStatistics(np.column_stack(list(used.values())), tuple(used), aggregate, signature)


def _columns_of(table: Any) -> dict[str, list[Any]]:
    """Give the columns of a mapping or of a pandas, polars or pyarrow frame."""
    names = getattr(table, "column_names", None) or getattr(table, "columns", None)
    columns = {str(name): table[name] for name in (table if names is None else names)}
    return {
        name: column.to_pylist() if hasattr(column, "to_pylist") else list(column) for name, column in columns.items()
    }


def _is_text(table: Any) -> bool:
    """Whether a table is a file, or the lines of one."""
    if isinstance(table, str | os.PathLike):
        return True
    return isinstance(table, list) and all(isinstance(line, str) for line in table)


def _row_of_a_table(row: int | None) -> str:
    return "the table" if row is None else f"the table row {row + 1}"


def _read_table(source: Texts) -> tuple[dict[str, list[Any]], Where]:
    lines = read_lines(source, "the table")
    if not any(line.strip() for line in lines.lines):
        raise InputError("the file is empty.", where=lines.name, fix="give a table with a header.")
    (first, names), *rows = csv_rows(lines)
    header = [cell.strip() for cell in names]
    if len(set(header)) < len(header):
        raise InputError("two columns have the same name.", where=lines.where(first), fix="rename one of them.")
    for index, row in rows:
        if len(row) != len(header):
            raise InputError(
                f"{len(row)} cells; the header has {len(header)}.", where=lines.where(index), fix="mend the row."
            )

    def where(row: int | None) -> str:
        return lines.name if row is None else lines.where(rows[row][0])

    return {name: [row[column] for _, row in rows] for column, name in enumerate(header)}, where


def _numbers(cells: Sequence[Any], name: str, where: Where) -> FloatArray:
    numbers = np.empty(len(cells))
    for index, cell in enumerate(cells):
        try:
            numbers[index] = float(cell)
        except (TypeError, ValueError):
            numbers[index] = math.nan
        if not math.isfinite(numbers[index]):
            raise InputError(
                f"column {name!r} holds {cell!r}, which is not a number.",
                where=where(index),
                fix="statistics must be numbers; leave the item out for all systems.",
            )
    return numbers
