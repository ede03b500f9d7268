"""A Replication as a report: on how many datasets, on which, and why the simple count is no answer."""

from __future__ import annotations

from typing import Any

from nofluke.call import calls
from nofluke.reports.build.citing import Used, cited, used_in
from nofluke.reports.build.replication_tables import conjunction_table, counts_table, datasets_table, metrics_table
from nofluke.types import MetricsReplication, Replication, Report, Section
from nofluke.words import metrics_replication, replication, replication_report

_FRAMEWORK = "Benjamini and Heller 2008; Dror et al. 2017"


def build_replication(result: Replication) -> Report:
    """Say on how many datasets and on which A is better, with every count and the reason for the one taken."""
    return Report(
        kind="Replication",
        title=replication_report.title(result),
        headline=replication.headline(result),
        sentences=replication_report.sentences(result),
        main=datasets_table(result),
        sections=(
            Section("On how many datasets? (all methods)", table=counts_table(result), chart="partial_conjunction"),
            Section("P-values against fewer than u datasets", table=conjunction_table(result)),
        ),
        records=tuple(_records(result)),
        short=replication_report.paper_sentence(result),
        long=replication_report.paper_paragraph(result, contradicted=bool(result.contradicted)),
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
        short=replication_report.paper_sentence(first, headline),
        long=" ".join((headline, replication_report.method_sentence(first), *metrics_replication.sentences(result))),
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
