"""Metrics of the user's own: any Python function of a line and its gold line, or any table of statistics."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.errors import InputError, listing
from nofluke.metrics.formula import COUNT, formula_aggregate, is_mean_of, names_in, require_columns
from nofluke.metrics.references import References, read_pairs
from nofluke.metrics.statistics import ItemStatistics, mean_aggregate, smooth_aggregate
from nofluke.metrics.texts import Texts
from nofluke.types import Aggregate, FloatArray

Metric = Callable[[Texts, References], ItemStatistics]


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


def table_statistics(
    columns: Mapping[str, FloatArray],
    formula: str,
    rows: int,
    known: Sequence[str] = (),
    ids: tuple[str, ...] | None = None,
    clusters: tuple[str, ...] | None = None,
) -> ItemStatistics:
    """Which score do the summed columns of a table make?

    `columns` are those the formula may name, one number per item, nan where there is none: such an item is missing as
    a whole. `formula` is an expression of column sums such as "2*tp/(pred+gold)" or "hits/n" (n = number of rows);
    `known` are the names of all columns, for advice.

    >>> table = {"tp": np.array([1.0, 2]), "pred": np.array([2.0, 2]), "gold": np.array([1.0, 5])}
    >>> found = table_statistics(table, "2*tp/(pred+gold)", 2)
    >>> float(found.aggregate(found.values.sum(axis=0), 2.0))
    0.6
    """
    found = _by_formula(columns, formula, "table", rows, tuple(known) or tuple(columns))
    lacking = np.isnan(found.values).any(axis=1, keepdims=True)
    values = np.where(lacking, np.nan, found.values)
    return ItemStatistics(values, found.names, found.aggregate, found.signature, ids, clusters=clusters)


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
