"""A Replication as a report: on how many datasets, on which, and why the simple count is no answer."""

from __future__ import annotations

import math
from typing import Any

from nofluke.call import calls
from nofluke.inference.replication.analysis import LIST_OF
from nofluke.reports.build.citing import Used, cited, used_in
from nofluke.types import MetricsReplication, Replication, Report, Section, Table
from nofluke.words import metrics_replication, replication
from nofluke.words import replication_report as words
from nofluke.words.numbers import figure, p_digits
from nofluke.words.replication import LABELS, LISTS, claims_of

_FRAMEWORK = "Benjamini and Heller 2008; Dror et al. 2017"

_ALL_SHOWN = 30
_ROWS = ("bonferroni", "simes", "fisher")


def build_replication(result: Replication) -> Report:
    """Say on how many datasets and on which A is better, with every count and the reason for the one taken."""
    return Report(
        kind="Replication",
        title=words.title(result),
        headline=replication.headline(result),
        sentences=words.sentences(result),
        main=datasets_table(result),
        sections=(
            Section("On how many datasets? (all methods)", table=counts_table(result), chart="partial_conjunction"),
            Section("P-values against fewer than u datasets", table=conjunction_table(result)),
        ),
        records=tuple(_records(result)),
        short=words.paper_sentence(result),
        long=words.paper_paragraph(result, contradicted=bool(result.contradicted)),
        notes=tuple(map(str, result.notes)),
        citations=(_FRAMEWORK, *cited(*_used(result))),
        calls=calls(result.call),
        settings=_settings(result),
        signature=result.signature,
        tone=replication.tone(result),
        systems=result.systems,
    )


def build_metrics_replication(result: MetricsReplication) -> Report:
    """Say both readings of several metrics, then every metric by itself."""
    first, headline = metrics_replication.first_of(result), metrics_replication.headline(result)
    sections = [
        Section(f"By {metric}", (replication.headline(one),), table=datasets_table(one))
        for metric, one in result.by_metric.items()
    ]
    records = [{"metric": metric, **row} for metric, one in result.by_metric.items() for row in _records(one)]
    return Report(
        kind="MetricsReplication",
        title=metrics_replication.title(result),
        headline=headline,
        sentences=metrics_replication.sentences(result),
        main=metrics_table(result),
        sections=tuple(sections),
        records=(*records, *({"metric": "all at once", **row} for row in _records(result.together))),
        short=words.paper_sentence(first, headline),
        long=" ".join((headline, words.method_sentence(first), *metrics_replication.sentences(result))),
        notes=tuple(map(str, result.notes)),
        citations=(_FRAMEWORK, *cited(*(used for one in result.by_metric.values() for used in _used(one)))),
        calls=calls(result.call) if first.tests else {},
        settings=_settings(first),
        signature=result.signature,
        tone=replication.tone(result.together),
        systems=first.systems,
    )


def _used(result: Replication) -> list[Used]:
    lists = {
        "bonferroni": ("correction", "holm"),
        "simes": ("correction", "hommel"),
        "fisher": ("combination", "fisher"),
    }
    used: list[Used] = [lists[result.method], ("correction", "holm")]
    if result.fdr:
        used += [("correction", "bh"), ("correction", "by")]
    return [*used, *used_in(result.tests), ("metric", result.metric)]


def _settings(result: Replication) -> dict[str, Any]:
    return {
        "alpha": result.alpha,
        "alternative": result.alternative,
        "dependence": result.dependence,
        "datasets": len(result.datasets),
        **({"subset": ", ".join(result.subset)} if result.subset else {}),
    }


def _records(result: Replication) -> list[dict[str, Any]]:
    rows = []
    for place, name in enumerate(result.datasets):
        row: dict[str, Any] = {
            "dataset": name,
            "n": result.sizes[place] if result.sizes else None,
            "score_a": float(result.scores[place, 0]),
            "score_b": float(result.scores[place, 1]),
            "difference": float(result.estimates[place]),
            **({"detectable_difference": result.detectable[place]} if result.detectable else {}),
            "p_value": float(result.p_values[place]),
            "log_p_value": float(result.log_p_values[place]),
            **{f"adjusted_{method}": float(values[place]) for method, values in result.adjusted.items()},
            "identified": name in result.identified,
            "against": name in result.against,
        }
        if result.opposite is not None:
            other = result.opposite
            row["p_value_opposite"] = float(other.p_values[place])
            row["adjusted_holm_opposite"] = float(other.adjusted["holm"][place])
            row["identified_opposite"] = name in other.identified
        rows.append(row)
    return rows


def datasets_table(result: Replication) -> Table:
    """One dataset a row: size, both scores, difference, p-values with Holm's and the closed test's adjustment."""
    a, b = result.systems
    scored = not all(math.isnan(value) for value in result.estimates)
    own = LIST_OF[result.method]
    columns = ["dataset", *(["n"] if result.sizes else []), *([a, b, "difference"] if scored else [])]
    for side in words.suffixes(result):
        columns += [f"p{side}", f"Holm p{side}", *([f"{LISTS[own]} p{side}"] if own != "holm" else [])]
    columns.append("named")
    rows = tuple(tuple(_row(result, place, scored)) for place in range(len(result.datasets)))
    return Table(
        columns=tuple(columns),
        rows=rows,
        caption=words.caption(result),
        legend=words.legend(result),
        figures=tuple(columns[1:-1]),
        strong=tuple(place for place in range(len(rows)) if _winner(result, place) and not _reversed(result, place)),
        explain=words.explanations(result, columns),
    )


def _row(result: Replication, place: int, scored: bool) -> list[str]:
    cells = [result.datasets[place]]
    if result.sizes:
        cells.append(f"{result.sizes[place]:,}")
    if scored:
        scale = replication.scale_of(result)
        cells += [figure(float(value), scale) for value in (*result.scores[place], result.estimates[place])]
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
    """The partial-conjunction p-values for every u, or as far as they matter; of two claims those of the larger."""
    _, result = max(claims_of(result), key=lambda claim: claim[1].count)
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
