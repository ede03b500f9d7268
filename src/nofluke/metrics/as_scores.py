"""Statistics of several systems become one table of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from nofluke.errors import InputError
from nofluke.metrics.averages import with_all_classes
from nofluke.metrics.common_items import different_documents, matched, place_of, scored_by_all
from nofluke.metrics.statistics import ItemStatistics
from nofluke.types import Axis, Note, Scores, Source, frozen, note


def as_scores(
    metric: str,
    statistics: Mapping[str, ItemStatistics],
    *,
    higher_is_better: bool,
    places: Mapping[str, str] | None = None,
    datasets: Sequence[str] | None = None,
    runs: Sequence[str] | None = None,
    notes: Sequence[Note] = (),
    sources: Sequence[Source] = (),
    gold: str = "",
) -> Scores:
    """Put the statistics of all systems into one table; they must be of the same items, scored in the same way.

    `datasets` and `runs` say for every item where it belongs: two may have an item of the same name. `gold` names the
    file of the gold standard.
    """
    statistics = with_all_classes(statistics)
    _require_same_way(statistics, places or {})
    common = scored_by_all(matched(statistics, places or {}))
    _require_same_documents(common.statistics, places or {})
    reference = next(iter(common.statistics.values()))
    if not len(reference.values):
        raise InputError("there are no items.", where=next(iter((places or {}).values()), ""), fix="give outputs.")
    n, systems, signature = len(reference.values), tuple(statistics), reference.signature
    values = np.stack([found.values for found in common.statistics.values()], axis=1)
    labels = reference.ids if reference.ids is not None else tuple(str(i + 1) for i in common.kept)
    names = tuple(dict.fromkeys(labels))
    code = {label: number for number, label in enumerate(names)}
    within, run = (
        None if labels is None else _axis([labels[item] for item in common.kept], len(systems))
        for labels in (datasets, runs)
    )
    if run is not None and len(run.labels) > 1 and reference.aggregate.whole is not None:
        raise InputError(
            f"{metric} looks at all items at once, and these come in {len(run.labels)} runs.",
            where=next(iter((places or {}).values()), ""),
            fix="give one run, or each run as a system of its own.",
        )
    zeros = frozen(np.zeros(n * len(systems), np.int64), np.int64)
    if not sources:
        about = ({"gold": gold} if gold else {}) | {"metric": metric, "signature": signature}
        name = ", ".join(dict.fromkeys((places or {}).values())) or ", ".join(systems)
        sources = (Source(name, "outputs and gold", n * len(systems), about),)
    return Scores(
        statistics=frozen(values.reshape(n * len(systems), -1)),
        item=Axis(names, frozen(np.repeat([code[label] for label in labels], len(systems)), np.int64)),
        system=Axis(systems, frozen(np.tile(np.arange(len(systems)), n), np.int64)),
        dataset=Axis(("",), zeros) if within is None else within,
        metric=Axis((metric,), zeros),
        run=run,
        cluster=_cluster_axis(reference.clusters, len(systems)),
        higher_is_better={metric: higher_is_better},
        aggregates={metric: reference.aggregate},
        ids_given=reference.ids is not None,
        digits=15,
        lines=None,
        sources=tuple(sources),
        notes=tuple(dict.fromkeys([*signature_note(metric, signature), *notes, *common.notes, *_notes(statistics)])),
        signatures={metric: signature},
    )


def signature_note(metric: str, signature: str) -> tuple[Note, ...]:
    """Say how the metric was computed, where its name does not say it all: results quote it."""
    return (note("metric.signature", metric=metric, signature=signature),) if "|" in signature else ()


def _require_same_way(statistics: Mapping[str, ItemStatistics], places: Mapping[str, str]) -> None:
    (first, reference), *others = statistics.items()
    for name, found in others:
        if found.signature != reference.signature or found.names != reference.names:
            raise InputError(
                f"systems {first!r} and {name!r} were scored differently: {reference.signature} and {found.signature}.",
                where=place_of((first, name), places),
                fix="score all systems with the same options, from files of one kind.",
            )


def _require_same_documents(statistics: Mapping[str, ItemStatistics], places: Mapping[str, str]) -> None:
    (first, reference), *others = statistics.items()
    for name, found in others:
        if found.clusters != reference.clusters:
            raise different_documents(first, name, places)


def _notes(statistics: Mapping[str, ItemStatistics]) -> Iterator[Note]:
    """Give what the metric says of every system, by name where it does not say the same of all."""
    said = [set(found.notes) for found in statistics.values()]
    for name, found in statistics.items():
        for one in found.notes:
            yield one if all(one in others for others in said) else note("metric.of_system", system=name, note=one)


def _cluster_axis(clusters: Sequence[str] | None, systems: int) -> Axis | None:
    """Documents are clusters unless there is only one of them, or one for every item."""
    if clusters is None or not 1 < len(set(clusters)) < len(clusters):
        return None
    return _axis(clusters, systems)


def _axis(labels: Sequence[str], systems: int) -> Axis:
    """Give the label of every item for each of its systems."""
    known = {label: code for code, label in enumerate(dict.fromkeys(labels))}
    return Axis(tuple(known), frozen(np.repeat([known[label] for label in labels], systems), np.int64))
