"""The tables of a replicability report: datasets, counts, partial-conjunction p-values, metrics."""

from __future__ import annotations

import math

from nofluke.inference.replication.analysis import LIST_OF
from nofluke.types import MetricsReplication, Replication, Table
from nofluke.words import metrics_replication
from nofluke.words import replication_report as words
from nofluke.words.numbers import p_digits
from nofluke.words.replication import LABELS, LISTS, claims_of

_ALL_SHOWN = 30
_ROWS = ("bonferroni", "simes", "fisher")


def datasets_table(result: Replication) -> Table:
    """One dataset a row: size, both scores, difference, p-values with Holm's and the closed test's adjustment."""
    a, b = result.systems
    scored = not all(math.isnan(value) for value in result.estimates)
    own = LIST_OF[result.method]
    columns = ["dataset", *(["n"] if result.sizes else []), *([a, b, "difference"] if scored else [])]
    for side in words.sides(result):
        columns += [f"p{side}", f"Holm p{side}", *([f"{LISTS[own]} p{side}"] if own != "holm" else [])]
    columns.append("named")
    rows = tuple(tuple(_row(result, place, scored)) for place in range(len(result.datasets)))
    return Table(
        columns=tuple(columns),
        rows=rows,
        caption=words.caption(result),
        figures=tuple(columns[1:-1]),
        strong=tuple(place for place in range(len(rows)) if _winner(result, place) and not _reversed(result, place)),
        explain=words.explanations(result, columns),
    )


def _row(result: Replication, place: int, scored: bool) -> list[str]:
    cells = [result.datasets[place]]
    if result.sizes:
        cells.append(f"{result.sizes[place]:,}")
    if scored:
        cells += [f"{value:.4g}" for value in (*result.scores[place], result.estimates[place])]
    own = LIST_OF[result.method]
    for _, claim in claims_of(result):
        shown = [claim.p_values, claim.adjusted["holm"], *([claim.adjusted[own]] if own != "holm" else [])]
        cells += [p_digits(float(values[place]), result.level) for values in shown]
    return [*cells, _named(result, place)]


def _named(result: Replication, place: int) -> str:
    winner = _winner(result, place)
    if not winner:
        return ""
    return f"{winner} better, but scores worse" if _reversed(result, place) else f"{winner} better"


def _winner(result: Replication, place: int) -> str:
    """The system that the dataset is named for, empty where it is named for none."""
    name = result.datasets[place]
    return next((winner for winner, claim in claims_of(result) if name in claim.identified), "")


def _reversed(result: Replication, place: int) -> bool:
    """Whether a p-value as given names a dataset as a win where the scores say the opposite; that shows nothing."""
    name = result.datasets[place]
    return any(name in claim.identified and name in claim.against and not claim.tests for _, claim in claims_of(result))


def counts_table(result: Replication) -> Table:
    """The count by every method, and why it is or is not the answer."""
    claims = claims_of(result)
    columns = ("method", *(f"{winner} better" for winner, _ in claims), "why")
    rows = [
        (LABELS[name], *(f"{claim.counts[name]:,}" for _, claim in claims), words.why(result, name))
        for name in (*_ROWS, "count")
    ]
    answer = next(place for place, name in enumerate((*_ROWS, "count")) if name == result.method)
    shown = any(claim.count for _, claim in claims) and not any(
        _reversed(result, at) for at in range(len(result.datasets))
    )
    meaning = dict.fromkeys(columns[1:-1], "on at least so many datasets, by the method")
    return Table(columns, tuple(rows), figures=columns[1:-1], strong=(answer,) if shown else (), explain=meaning)


def conjunction_table(result: Replication) -> Table:
    """The partial-conjunction p-values for every u, or as far as they matter."""
    size = len(result.datasets)
    last = size if size <= _ALL_SHOWN else min(size, max(max(result.counts.values()) + 3, 10))
    columns = ("u", *(LABELS[name] for name in _ROWS))
    rows = tuple(
        (f"{u}", *(p_digits(result.partial_conjunction[name][u - 1], result.level) for name in _ROWS))
        for u in range(1, last + 1)
    )
    return Table(
        columns,
        rows,
        caption=words.conjunction_caption(result, last),
        figures=columns,
        strong=(result.count - 1,) if 0 < result.count <= last else (),
        explain={"u": "how many datasets would be claimed"},
    )


def metrics_table(result: MetricsReplication) -> Table:
    """The count of every metric, and the two counts for all of them."""
    both = result.together.opposite is not None
    first = metrics_replication.first_of(result)
    rows = metrics_replication.rows_of(result)
    counted = ((-2, result.count_each), (-1, result.together.count))
    return Table(
        ("metric", f"{first.winner} better on at least", *([f"{first.loser} better"] if both else []), "named"),
        tuple(rows),
        caption=metrics_replication.caption(result),
        strong=tuple(len(rows) + place for place, count in counted if count),
        explain={"named": "datasets that may be named by the same test"},
    )
