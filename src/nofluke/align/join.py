"""Scores that were read apart become one table: a baseline and a candidate, or several runs of either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nofluke.align.choose import where
from nofluke.align.datasets import part_of_rows
from nofluke.errors import Fix, InputError, Option, listing, named_as, unknown
from nofluke.types import Aggregate, Axis, FloatArray, IntArray, Scores, frozen, sealed
from nofluke.types.data import STATUSES


def as_side(scores: Scores, side: str, system: str | None = None) -> Scores:
    """Give the scores of the one system that is there (or is named) under the name of its side."""
    present = [scores.systems[code] for code in np.unique(scores.system.codes).tolist()]
    if len(present) > 1:
        name = chosen_system(present, side, system, where(scores))
        scores = part_of_rows(scores, scores.system.codes == scores.system.code_of(name))
    return replace(scores, system=Axis((side,), frozen(np.zeros_like(scores.system.codes), np.int64)))


def chosen_system(systems: Sequence[str], side: str, system: str | None, place: str) -> str:
    """Give the one of several systems that is asked for; a side of a gate is one system."""
    if system is None:
        raise InputError(
            f"the {side} holds {len(systems)} systems, and a gate judges one: {listing(systems)}.",
            where=place,
            fix=Fix("name it: ", Option("system", systems[0]), ", say; or give a file or folder of one system."),
        )
    if system not in systems:
        raise unknown(f"system of the {side}", system, systems, where=place)
    return system


def joined(parts: Sequence[Scores], runs: Sequence[str] = ()) -> Scores:
    """Put scores below each other, axes by the names of their labels; `runs` name the run that each of them is."""
    if len(parts) == 1 and not any(runs):
        return parts[0]
    _refuse_unlike(parts)
    axes = {role: _merged([getattr(part, role) for part in parts]) for role in ("item", "system", "dataset", "metric")}
    whole = replace(
        parts[0],
        statistics=sealed(_below_each_other([part.statistics for part in parts])),
        item=axes["item"],
        system=axes["system"],
        dataset=axes["dataset"],
        metric=axes["metric"],
        run=_runs(parts, runs),
        cluster=None,
        higher_is_better={name: way for part in reversed(parts) for name, way in part.higher_is_better.items()},
        aggregates={name: one for part in reversed(parts) for name, one in part.aggregates.items()},
        digits=min(part.digits for part in parts),
        lines=None,
        sources=tuple(source for part in parts for source in part.sources),
        notes=tuple(dict.fromkeys(told for part in parts for told in part.notes)),
        signatures={name: one for part in reversed(parts) for name, one in part.signatures.items()},
        primary={name: metric for part in reversed(parts) for name, metric in part.primary.items()},
        groups=tuple({group.name: group for part in reversed(parts) for group in part.groups}.values()),
        checks=_codes([part.checks for part in parts], parts),
        status=_codes([part.status for part in parts], parts, missing=STATUSES.index("unscored")),
    )
    return replace(whole, cluster=_clusters(whole, parts))


def _refuse_unlike(parts: Sequence[Scores]) -> None:
    """Refuse what cannot be matched, or was measured in two ways."""
    if len({part.ids_given for part in parts}) > 1:
        bare = next(part for part in parts if not part.ids_given)
        raise InputError(
            "items are only numbered here, and have ids on the other side.",
            where=where(bare),
            fix=Fix("name the column of ids: ", named_as(item="NAME"), "."),
        )
    if not parts[0].ids_given and len({len(part.item.labels) for part in parts}) > 1:
        raise InputError(
            f"without ids items are matched by row, and there are {listing(len(part.item.labels) for part in parts)}.",
            where=where(parts[0]),
            fix=Fix("name the column of ids: ", named_as(item="NAME"), "."),
        )
    ways: dict[str, tuple[str, bool, str]] = {}
    for part in parts:
        for name in part.metrics:
            own = (_way(part.aggregates[name]), part.higher_is_better[name], part.signatures.get(name, ""))
            if ways.setdefault(name, own) != own:
                raise InputError(
                    f"{name} was made in two ways: {_way_text(ways[name])}, and {_way_text(own)}.",
                    where=where(part),
                    fix="read both sides from the same kind of files, in the same way.",
                )


def _way(aggregate: Aggregate) -> str:
    return aggregate.name


def _way_text(way: tuple[str, bool, str]) -> str:
    name, higher, signature = way
    return f"{signature or name} (where {'higher' if higher else 'lower'} is better)"


def _merged(axes: Sequence[Axis]) -> Axis:
    """Give all rows codes into the labels of all, in the order in which they come."""
    if len(axes) > 1 and all(axis.labels is axes[0].labels for axis in axes):
        return Axis(axes[0].labels, sealed(np.concatenate([axis.codes for axis in axes])))
    known: dict[str, int] = {}
    codes = []
    for axis in axes:
        place = np.fromiter((known.setdefault(label, len(known)) for label in axis.labels), np.int64, len(axis.labels))
        codes.append(place[axis.codes])
    return Axis(tuple(known), sealed(np.concatenate(codes)))


def _below_each_other(tables: Sequence[FloatArray]) -> FloatArray:
    """Metrics with fewer statistics than others are filled up with 0."""
    width = max(table.shape[1] for table in tables)
    return np.concatenate([np.pad(table, ((0, 0), (0, width - table.shape[1]))) for table in tables])


def _runs(parts: Sequence[Scores], runs: Sequence[str]) -> Axis | None:
    names = list(runs) or [""] * len(parts)
    if not any(names) and all(part.run is None for part in parts):
        return None
    axes = []
    for part, name in zip(parts, names, strict=True):
        own = part.run or Axis(("",), frozen(np.zeros(len(part.statistics)), np.int64))
        labels = tuple("/".join(filter(None, (name, label))) or "1" for label in own.labels)
        axes.append(Axis(labels, own.codes))
    return _merged(axes)


def _codes(columns: Sequence[IntArray | None], parts: Sequence[Scores], missing: int = 0) -> IntArray | None:
    """Put codes below each other; None where no part has any, and for rows of which nothing is known 0.

    A row without a score has the code `missing`, where its part says nothing of rows.
    """
    if all(column is None for column in columns):
        return None
    known: list[IntArray] = []
    for column, part in zip(columns, parts, strict=True):
        lacking = np.isnan(part.statistics).any(axis=1)
        known.append(np.where(lacking, missing, 0).astype(np.int64) if column is None else column)
    return sealed(np.concatenate(known))


def _clusters(whole: Scores, parts: Sequence[Scores]) -> Axis | None:
    """Give the cluster of every row: its own, or that which the item has in another part; else the item is alone."""
    if all(part.cluster is None for part in parts):
        return None
    keys = whole.key("dataset", "item").tolist()
    labels: list[str | None] = []
    for part in parts:
        own = part.cluster
        labels += [None] * len(part.statistics) if own is None else [own.labels[code] for code in own.codes.tolist()]
    known = {key: label for key, label in zip(keys, labels, strict=True) if label is not None}
    named = [label if label is not None else known.get(key) for key, label in zip(keys, labels, strict=True)]
    used = {label for label in named if label is not None}
    codes: dict[str, int] = {}
    alone = "item" if "item" not in used else "\0item"
    full = [label if label is not None else f"{alone} {key}" for key, label in zip(keys, named, strict=True)]
    rows = np.fromiter((codes.setdefault(label, len(codes)) for label in full), np.int64, len(full))
    return Axis(tuple(codes), sealed(rows))
