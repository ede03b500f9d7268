"""Several systems, item by item: matched by id, and without the items that a metric leaves out for one of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nofluke.errors import Fix, InputError, Option
from nofluke.metrics.statistics import ItemStatistics
from nofluke.types import Note, frozen, note
from nofluke.types.base import counted

Statistics = Mapping[str, ItemStatistics]
# What is advised where nothing is left, by the code that the metric gives.
_INSTEAD: dict[str, str | Fix] = {
    "wrong": Fix("count them as wrong: ", Option("metric_option", "failed=wrong"), "."),
    "trees": Fix(
        "score the trees themselves, and count failures as wrong: ", Option("metric_option", "failed=wrong"), "."
    ),
    "same_words": "give trees over the words of gold.",
}


@dataclass(frozen=True, slots=True)
class Common:
    """The statistics of systems on the same items, which items (from 0) these are, and what to say of the others."""

    statistics: dict[str, ItemStatistics]
    kept: tuple[int, ...]
    notes: tuple[Note, ...] = ()


def matched(statistics: Statistics, places: Mapping[str, str]) -> dict[str, ItemStatistics]:
    """Put the items of all systems into the order of the first, by id; an item that a system lacks is a row of nan."""
    (first, reference), *others = statistics.items()
    if all(found.ids == reference.ids and len(found.values) == len(reference.values) for _, found in others):
        return dict(statistics)
    for name, found in others:
        _require_matchable((first, reference), (name, found), places)
    ids = tuple(dict.fromkeys(identity for found in statistics.values() for identity in found.ids or ()))
    clusters = _clusters_by_id(statistics, places)
    documents = None if clusters is None else tuple(clusters[identity] for identity in ids)
    return {
        name: replace(in_order(found, found.ids or (), ids), ids=ids, clusters=documents)
        for name, found in statistics.items()
    }


def _require_matchable(
    first: tuple[str, ItemStatistics], second: tuple[str, ItemStatistics], places: Mapping[str, str]
) -> None:
    (name, found), (other, others) = first, second
    where = place_of((name, other), places)
    if found.ids is None or others.ids is None:
        if len(found.values) != len(others.values):
            raise InputError(
                f"system {other!r} has {counted(len(others.values), 'item')}, and {name!r} has {len(found.values):,}.",
                where=where,
                fix="score all systems on the same gold standard.",
            )
        raise InputError(
            f"of systems {name!r} and {other!r} only one names its items.",
            where=where,
            fix="give ids to both, so that items can be matched, or to none.",
        )
    for system, ids in ((name, found.ids), (other, others.ids)):
        twice = next((identity for identity in ids if ids.count(identity) > 1), None) if _repeats(ids) else None
        if twice is not None:
            raise InputError(
                f"systems {name!r} and {other!r} name their items differently, and {system!r} has {twice!r} more than "
                "once.",
                where=where,
                fix="give every item its own id, so that items can be matched.",
            )
    if not set(found.ids) & set(others.ids):
        raise InputError(
            f"systems {name!r} and {other!r} have no item in common: {found.ids[0]!r} is the first of one, and "
            f"{others.ids[0]!r} of the other.",
            where=where,
            fix="give the same ids to the same items.",
        )


def _repeats(ids: tuple[str, ...]) -> bool:
    return len(set(ids)) < len(ids)


def _clusters_by_id(statistics: Statistics, places: Mapping[str, str]) -> dict[str, str] | None:
    known: dict[str, str] = {}
    origin: dict[str, str] = {}
    for name, found in statistics.items():
        for identity, cluster in zip(found.ids or (), found.clusters or (), strict=False):
            if known.setdefault(identity, cluster) != cluster:
                raise different_documents(origin[identity], name, places)
            origin.setdefault(identity, name)
    everywhere = all(found.clusters is not None for found in statistics.values())
    if known and not everywhere:
        with_and_without = sorted(statistics, key=lambda name: statistics[name].clusters is None)
        raise different_documents(with_and_without[0], with_and_without[-1], places)
    return known or None


def different_documents(first: str, second: str, places: Mapping[str, str]) -> InputError:
    """The error of two systems whose items belong to different documents."""
    return InputError(
        f"systems {first!r} and {second!r} put their items into different documents.",
        where=place_of((first, second), places),
        fix="give outputs for the same documents.",
    )


def in_order(found: ItemStatistics, own: Sequence[Hashable], wanted: Sequence[Hashable]) -> ItemStatistics:
    """Put items, each with its own name, into the order that is wanted; one that is not there is a row of nan."""
    row = {name: index for index, name in enumerate(own)}
    rows = [row.get(name) for name in wanted]
    here = np.array([place is not None for place in rows])
    values = np.full((len(wanted), found.values.shape[1]), np.nan)
    values[here] = found.values[[place for place in rows if place is not None]]
    unscored = found.unscored
    if unscored is not None:
        left_out = set(unscored.items)
        unscored = replace(unscored, items=tuple(index for index, place in enumerate(rows) if place in left_out))
    return replace(found, values=frozen(values), unscored=unscored)


def scored_by_all(statistics: Statistics) -> Common:
    """Leave out, for all systems, the items on which one of them was not scored; a lone system keeps its own rule.

    A system that fails on hard items would otherwise be compared by its easy ones alone.
    """
    size = len(next(iter(statistics.values())).values)
    left_out = {name: found.unscored for name, found in statistics.items() if found.unscored is not None}
    if not left_out:
        return Common(dict(statistics), tuple(range(size)))
    lost = {item for unscored in left_out.values() for item in unscored.items}
    instead = next(iter(left_out.values())).instead
    if len(lost) == size:
        each = ", ".join(f"{name} lacks {len(unscored.items):,}" for name, unscored in left_out.items())
        raise InputError(f"no item is left on which all systems were scored ({each}).", fix=_INSTEAD[instead])
    each_of = tuple((name, len(unscored.items), unscored.why) for name, unscored in left_out.items())
    said = note("metric.left_out", items=len(lost), of=size, systems=len(statistics), unscored=each_of, instead=instead)
    if len(statistics) == 1:
        return Common(dict(statistics), tuple(range(size)), (said,))
    kept = tuple(item for item in range(size) if item not in lost)
    return Common({name: _rows_of(found, kept) for name, found in statistics.items()}, kept, (said,))


def _rows_of(found: ItemStatistics, kept: tuple[int, ...]) -> ItemStatistics:
    ids, clusters = (
        None if labels is None else tuple(labels[index] for index in kept) for labels in (found.ids, found.clusters)
    )
    return replace(found, values=frozen(found.values[list(kept)]), ids=ids, clusters=clusters, unscored=None)


def place_of(systems: tuple[str, str], places: Mapping[str, str]) -> str:
    """Name the files of two systems, where they are files."""
    return " and ".join(dict.fromkeys(places[system] for system in systems if system in places))
