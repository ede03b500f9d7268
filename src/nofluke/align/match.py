"""Match the scores of systems item by item, report what does not match, refuse what is ambiguous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from nofluke.align.decimals import find_grid
from nofluke.align.sequences import as_sample
from nofluke.align.units import group_into_units
from nofluke.errors import InputError, listing, unknown
from nofluke.types import Alignment, Axis, FloatArray, Grid, IntArray, Sample, Scores, frozen

Missing = Literal["refuse", "drop"]


def pair(scores: Scores, a: str | None = None, b: str | None = None, **options: object) -> Sample:
    """Align two systems; without names the table must hold exactly two, the first named is A."""
    return select(scores, _two_systems(scores, a, b), **options)  # type: ignore[arg-type]


def _two_systems(scores: Scores, a: str | None, b: str | None) -> tuple[str, str]:
    """Complete the names of two systems where that is not ambiguous."""
    names = scores.systems
    for given in (a, b):
        if given is not None:
            _code_of_system(scores, given)
    if len(names) == 2:
        a = a if a is not None else names[1 - names.index(b)] if b is not None else names[0]
        b = b if b is not None else names[1 - names.index(a)]
    if a is None or b is None:
        raise InputError(
            f"two systems are compared, and there {'are' if len(names) > 1 else 'is'} {len(names)}: {listing(names)}.",
            where=_where(scores),
            fix="name both: --a NAME --b NAME on the command line, scores.pair(a, b) in Python."
            if len(names) > 1
            else "give a file with the scores of two systems, or two files.",
        )
    if a == b:
        raise InputError(f"system {a!r} is compared with itself.", fix="name two different systems.")
    return a, b


def select(
    scores: Scores,
    systems: Sequence[str],
    *,
    dataset: str | None = None,
    metric: str | None = None,
    run: str | None = None,
    missing: Missing = "refuse",
    unit: int = 1,
    unit_statistic: Literal["mean", "median"] = "mean",
    shuffle_seed: int | None = None,
) -> Sample:
    """Align any number of systems on one dataset and metric; several runs of an item are averaged unless one is named.

    `missing` says what happens to items that not all systems have: refuse, or drop (for all systems). `unit` groups
    that many adjacent items into one evaluation unit, after a shuffle when `shuffle_seed` is given.
    """
    if missing not in ("refuse", "drop"):
        raise unknown("missing policy", str(missing), ("refuse", "drop"))
    dataset = _choose("dataset", dataset, scores.dataset, scores)
    metric = _choose("metric", metric, scores.metric, scores)
    keep = (scores.dataset.codes == scores.dataset.code_of(dataset)) & (
        scores.metric.codes == scores.metric.code_of(metric)
    )
    if run is not None:
        keep &= _run_rows(scores, run)
    codes = [_code_of_system(scores, name) for name in systems]
    rows = np.flatnonzero(keep & np.isin(scores.system.codes, codes))
    table, counts, item_codes = _tabulate(scores, rows, codes)
    if scores.run is not None and run is None and len(set(counts[counts > 0].tolist())) > 1:
        rows = _runs_of_all(scores, rows, codes, counts, systems, missing)
        table, counts, item_codes = _tabulate(scores, rows, codes)
    present = counts > 0
    complete = present.all(axis=1) & ~np.isnan(table).any(axis=(1, 2))
    usable = present & ~np.isnan(table).any(axis=2)
    lacking = {name: int((~usable[:, i]).sum()) for i, name in enumerate(systems)}
    dropped = int((~complete).sum())
    if dropped and missing == "refuse":
        raise _missing_error(scores, systems, usable, item_codes, lacking)
    if not complete.any():
        raise InputError(
            f"no item has a score of all systems: {listing(systems)}.",
            where=_where(scores),
            fix="check that the files use the same item ids, or name the id column (--columns item=NAME).",
        )
    gaps = np.where(counts[..., None] > 0, table / np.maximum(counts, 1)[..., None], np.nan)[~complete]
    table, counts, item_codes = table[complete], counts[complete], item_codes[complete]
    digits = scores.digits
    runs = int(counts.max())
    if runs > 1:
        table = table / counts[:, :, None]
    higher = scores.higher_is_better[metric]
    sample = Sample(
        statistics=frozen(table),
        systems=tuple(systems),
        ids=tuple(scores.item.labels[code] for code in item_codes),
        clusters=_clusters_of(scores, rows, item_codes),
        cluster_labels=scores.cluster.labels if scores.cluster else (),
        aggregate=scores.aggregates[metric],
        higher_is_better=higher,
        metric=metric,
        dataset=dataset,
        unit_size=1,
        unit_statistic=unit_statistic,
        grid=_grid_of(scores.statistics[rows], table, counts, digits),
        alignment=Alignment(
            matched=len(table), missing=lacking, dropped=dropped, by="id" if scores.ids_given else "row"
        ),
        lengths=(len(table),) * len(systems),
        incomplete=frozen(gaps),
        notes=(*scores.notes, *_run_notes(scores, counts, run)),
    )
    return group_into_units(sample, unit, unit_statistic, shuffle_seed)


def _choose(what: str, given: str | None, axis: Axis, scores: Scores) -> str:
    if given is not None:
        if axis.labels == ("",):
            raise InputError(
                f"{what} {given!r} was asked for, and the scores have no {what} column.",
                where=_where(scores),
                fix=f"leave --{what} out, or name the column: --columns {what}=NAME.",
            )
        if given not in axis.labels:
            raise unknown(what, given, axis.labels, where=_where(scores))
        return given
    if len(axis.labels) == 1:
        return axis.labels[0]
    raise InputError(
        f"the scores hold {len(axis.labels)} {what}s: {listing(axis.labels)}.",
        where=_where(scores),
        fix=f"choose one with --{what} NAME ({what}=... in Python).",
    )


def _code_of_system(scores: Scores, name: str) -> int:
    if name not in scores.systems:
        raise unknown("system", name, scores.systems, where=_where(scores))
    return scores.system.code_of(name)


def _run_rows(scores: Scores, run: str) -> np.ndarray:
    if scores.run is None:
        raise InputError(
            f"run {run!r} was asked for, and the scores have no run column.",
            where=_where(scores),
            fix="leave --run out, or name the column: --columns run=NAME.",
        )
    if run not in scores.run.labels:
        raise unknown("run", run, scores.run.labels, where=_where(scores))
    rows: np.ndarray = scores.run.codes == scores.run.code_of(run)
    return rows


def _tabulate(scores: Scores, rows: IntArray, codes: list[int]) -> tuple[FloatArray, IntArray, IntArray]:
    """Sum the runs of each item and system into (items, systems, k), with the number of runs; refuse duplicates."""
    position = np.full(len(scores.systems), -1)
    position[codes] = np.arange(len(codes))
    column = position[scores.system.codes[rows]]
    item = scores.item.codes[rows]
    item_codes, first, row_index = np.unique(item, return_index=True, return_inverse=True)
    # Items keep the order in which the source names them: evaluation units are made of adjacent items.
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    cell = rank[row_index] * len(codes) + column
    _refuse_duplicates(scores, rows, cell)
    k = scores.statistics.shape[1]
    shape = (len(item_codes), len(codes))
    counts: IntArray = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.int64)
    table: FloatArray = np.stack(
        [
            np.bincount(cell, weights=scores.statistics[rows, j], minlength=shape[0] * shape[1]).reshape(shape)
            for j in range(k)
        ],
        axis=2,
    ).astype(np.float64)
    return table, counts, item_codes[order]


def _runs_of_all(
    scores: Scores, rows: IntArray, codes: list[int], counts: IntArray, systems: Sequence[str], missing: str
) -> IntArray:
    """Keep the runs that every system has on an item; refuse unequal numbers of runs unless they may be dropped."""
    if missing == "refuse":
        numbers = ", ".join(
            f"{name!r} {low}" + (f" to {high}" if high > low else "")
            for name, low, high in zip(systems, counts.min(axis=0), counts.max(axis=0), strict=True)
        )
        raise InputError(
            f"items were not run equally often: runs per item are {numbers}.",
            where=_where(scores),
            fix="add the missing runs, look at one run (--run NAME), or keep only the runs that all systems have on an "
            "item with --missing drop.",
        )
    if scores.run is None:
        return rows
    key = scores.item.codes[rows] * len(scores.run.labels) + scores.run.codes[rows]
    _, group, found = np.unique(key, return_inverse=True, return_counts=True)
    kept: IntArray = rows[found[group] == len(codes)]
    return kept


def select_unpaired(
    scores: Scores,
    a: str | None = None,
    b: str | None = None,
    *,
    dataset: str | None = None,
    metric: str | None = None,
    run: str | None = None,
    missing: Missing = "refuse",
) -> Sample:
    """Give the scores of two systems as two independent groups, for tests that do not match items."""
    if missing not in ("refuse", "drop"):
        raise unknown("missing policy", str(missing), ("refuse", "drop"))
    a, b = _two_systems(scores, a, b)
    dataset = _choose("dataset", dataset, scores.dataset, scores)
    metric = _choose("metric", metric, scores.metric, scores)
    keep = (scores.dataset.codes == scores.dataset.code_of(dataset)) & (
        scores.metric.codes == scores.metric.code_of(metric)
    )
    if run is not None:
        keep &= _run_rows(scores, run)
    groups = [scores.statistics[keep & (scores.system.codes == scores.system.code_of(name)), 0] for name in (a, b)]
    sample = as_sample(
        *groups, paired=False, names=(a, b), higher_is_better=scores.higher_is_better[metric], missing=missing
    )
    return replace(sample, metric=metric, dataset=dataset, notes=scores.notes)


def _refuse_duplicates(scores: Scores, rows: IntArray, cell: IntArray) -> None:
    runs = scores.run
    key = cell if runs is None else cell * len(runs.labels) + runs.codes[rows]
    order = np.argsort(key, kind="stable")
    repeated = np.flatnonzero(np.diff(key[order]) == 0)
    if not repeated.size:
        return
    first, second = rows[order[repeated[0]]], rows[order[repeated[0] + 1]]
    item = scores.item.labels[scores.item.codes[first]]
    system = scores.system.labels[scores.system.codes[first]]
    lines = f" (lines {scores.lines[first]} and {scores.lines[second]})" if scores.lines is not None else ""
    raise InputError(
        f"item {item!r} has more than one score of system {system!r}{lines}; "
        f"scores that repeat an earlier one: {len(repeated):,}.",
        where=_where(scores),
        fix="keep one score for each item, or name the column that tells them apart "
        "(--columns run=NAME for repeated runs, dataset=NAME for datasets).",
    )


def _missing_error(
    scores: Scores, systems: Sequence[str], usable: np.ndarray, item_codes: IntArray, lacking: dict[str, int]
) -> InputError:
    name = max(lacking, key=lambda system: lacking[system])
    column = list(systems).index(name)
    examples = [scores.item.labels[code] for code in item_codes[~usable[:, column]][:3]]
    counts = ", ".join(f"{count:,} have no score of {system!r}" for system, count in lacking.items() if count)
    return InputError(
        f"of {len(item_codes):,} items {counts} (for example {listing(examples)}); "
        f"{int(usable.all(axis=1).sum()):,} items match.",
        where=_where(scores),
        fix="score the missing items, or leave them out for all systems with --missing drop (missing='drop').",
    )


def _clusters_of(scores: Scores, rows: IntArray, item_codes: IntArray) -> IntArray | None:
    if scores.cluster is None:
        return None
    item, cluster = scores.item.codes[rows], scores.cluster.codes[rows]
    table = np.full(len(scores.item.labels), -1)
    table[item] = cluster
    conflict = np.flatnonzero(table[item] != cluster)
    if conflict.size:
        name = scores.item.labels[item[conflict[0]]]
        raise InputError(
            f"item {name!r} is in more than one cluster.",
            where=_where(scores),
            fix="an item belongs to one cluster for all systems; check the cluster column.",
        )
    result: IntArray = frozen(table[item_codes], np.int64)
    return result


def _grid_of(raw: FloatArray, table: FloatArray, counts: IntArray, digits: int) -> Grid:
    runs = int(counts.max())
    if runs == 1:
        return find_grid(table, digits)
    if int(counts.min()) == runs:
        grid = find_grid(raw, digits)
        if grid.exact:
            return Grid(grid.decimals, runs, exact=True)
    return Grid(find_grid(table, 0).decimals, 1, exact=False) if table.any() else find_grid(table, digits)


def _run_notes(scores: Scores, counts: IntArray, run: str | None) -> tuple[str, ...]:
    if scores.run is None or run is not None:
        return ()
    low, high = int(counts.min()), int(counts.max())
    if high == 1:
        return ()
    number = f"{high}" if low == high else f"{low} to {high}"
    return (
        f"each item was run {number} times; a score is the mean over an item's runs, so the result "
        "speaks of items like these, averaged over runs.",
    )


def _where(scores: Scores) -> str:
    return listing([source.name for source in scores.sources], 2)
