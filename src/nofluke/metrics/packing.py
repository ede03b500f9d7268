"""Statistics as plain data: what is written to the cache and sent between processes."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from nofluke.metrics.statistics import ItemStatistics, Unscored, ratio_aggregate, smooth_aggregate
from nofluke.types import MEAN, Aggregate, FloatArray, note

_ROOM = "nofluke.metrics."


def pack(statistics: ItemStatistics) -> dict[str, Any] | None:
    """Describe all but the values in JSON types; None when the aggregate cannot be made again from a description.

    It can for the mean, for ratios, and for functions of this room, also with options given by functools.partial.
    """
    aggregate = _described(statistics.aggregate)
    if aggregate is None:
        return None
    return {
        "names": list(statistics.names),
        "aggregate": aggregate,
        "signature": statistics.signature,
        "ids": None if statistics.ids is None else list(statistics.ids),
        "notes": [{"code": one.code, "facts": dict(one.facts)} for one in statistics.notes],
        "clusters": None if statistics.clusters is None else list(statistics.clusters),
        "unscored": None if statistics.unscored is None else asdict(statistics.unscored),
    }


def unpack(values: FloatArray, about: dict[str, Any]) -> ItemStatistics:
    """Make the statistics again; ValueError when values and description do not fit."""
    values = np.asarray(values)
    if values.dtype != np.float64 or values.ndim != 2 or values.shape[1] != len(about["names"]):
        raise ValueError("values and names do not fit")
    ids = None if about["ids"] is None else tuple(about["ids"])
    clusters = None if about["clusters"] is None else tuple(about["clusters"])
    if any(labels is not None and len(labels) != len(values) for labels in (ids, clusters)):
        raise ValueError("values and labels of items do not fit")
    return ItemStatistics(
        values=values,
        names=tuple(about["names"]),
        aggregate=_made(about["aggregate"]),
        signature=about["signature"],
        ids=ids,
        notes=tuple(note(one["code"], **one["facts"]) for one in about["notes"]),
        clusters=clusters,
        unscored=_unscored(about["unscored"]),
    )


def _unscored(about: dict[str, Any] | None) -> Unscored | None:
    return None if about is None else Unscored(tuple(about["items"]), tuple(about["why"]), about["instead"])


def _described(aggregate: Aggregate) -> dict[str, Any] | None:
    if aggregate is MEAN:
        return {"kind": "mean"}
    if aggregate.whole is not None:
        return None
    if aggregate.ratio is not None:
        ratio = aggregate.ratio
        over, under = ([int(weight) for weight in side] for side in (ratio.numerator, ratio.denominator))
        return {"kind": "ratio", "name": aggregate.name, "numerator": over, "denominator": under}
    function: Any = aggregate.function
    options: dict[str, Any] = {}
    if isinstance(function, partial) and not function.args:
        function, options = function.func, dict(function.keywords)
    place, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    try:
        plain = json.loads(json.dumps(options)) == options
        known = _found(place, name) is function
    except (TypeError, ValueError, AttributeError, ImportError):
        return None
    if not (plain and known):
        return None
    return {"kind": "function", "name": aggregate.name, "place": place, "function": name, "options": options}


def _made(about: dict[str, Any]) -> Aggregate:
    if about["kind"] == "mean":
        return MEAN
    if about["kind"] == "ratio":
        return ratio_aggregate(about["name"], tuple(about["numerator"]), tuple(about["denominator"]))
    return smooth_aggregate(about["name"], partial(_found(about["place"], about["function"]), **about["options"]))


def _found(place: str, name: str) -> Callable[..., Any]:
    """Look up a function of this room by name; nothing else can be named by a file."""
    if not place.startswith(_ROOM) or not name.isidentifier():
        raise ValueError(f"{place}.{name} is not a function of {_ROOM}")
    found: Callable[..., Any] = getattr(importlib.import_module(place), name)
    return found
