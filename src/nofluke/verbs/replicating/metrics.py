"""Several metrics on many datasets: for each metric, and for all of them together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nofluke.errors import Fix, InputError, Option, listing
from nofluke.inference.replication.directions import Sided
from nofluke.types import MetricsReplication, Note, Replication, frozen, note
from nofluke.verbs.replicating.conclude import Evidence, Request, conclude


def conclude_metrics(by_metric: Mapping[str, Evidence], asked: Request) -> MetricsReplication:
    """Answer both readings: at least k datasets for each metric, and at least k on which all metrics agree.

    The first is the smallest of the counts. The second takes the largest p-value over metrics for each dataset, which
    is a p-value against "some metric shows nothing here". Neither needs a further correction.
    """
    results = {metric: conclude(evidence, asked) for metric, evidence in by_metric.items()}
    together = conclude(_all_agree(by_metric), asked)
    first = next(iter(results.values()))
    each = min(result.count for result in results.values())
    return MetricsReplication(
        by_metric=results,
        count_each=each,
        together=together,
        notes=tuple(_notes(results)),
        signature=f"{first.signature}|metrics:{len(results)}",
    )


def _all_agree(by_metric: Mapping[str, Evidence]) -> Evidence:
    first = next(iter(by_metric.values()))
    for metric, evidence in by_metric.items():
        if evidence.datasets != first.datasets:
            raise InputError(
                f"metric {metric} has other datasets than {first.metric}: {listing(evidence.datasets, 6)}.",
                fix=Fix("give all metrics for the same datasets, or choose one: ", Option("metric", "NAME"), "."),
            )
    signs = np.array([evidence.signs for evidence in by_metric.values()])
    agree = np.where((signs > 0).all(axis=0), 1.0, np.where((signs < 0).any(axis=0), -1.0, 0.0))
    unknown = np.isnan(signs).any(axis=0)
    return Evidence(
        systems=first.systems,
        metric=" and ".join(by_metric),
        datasets=first.datasets,
        claims={
            side: Sided(
                np.max([evidence.claims[side].p_values for evidence in by_metric.values()], axis=0),
                np.max([evidence.claims[side].logs for evidence in by_metric.values()], axis=0),
            )
            for side in first.claims
        },
        scores=frozen(np.full((len(first.datasets), 2), np.nan)),
        signs=frozen(np.where(unknown, np.nan, agree)),
        higher_is_better=True,
        sizes=first.sizes,
        as_given=first.as_given,
        about_scores=False,
    )


def _notes(results: Mapping[str, Replication]) -> list[Note]:
    """Every note once, with the metrics it belongs to."""
    homes: dict[Note, list[str]] = {}
    for metric, result in results.items():
        for one in dict.fromkeys(result.notes):
            homes.setdefault(one, []).append(metric)
    return [
        one if len(of) == len(results) else note("replicate.by_metrics", metrics=of, note=one)
        for one, of in homes.items()
    ]
