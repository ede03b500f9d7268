"""Statistics kept on disk by content: the same output, gold, options and versions are never scored twice."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.metrics.statistics import ItemStatistics, Unscored, ratio_aggregate, smooth_aggregate
from nofluke.metrics.texts import Lines
from nofluke.registry import Method
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


# Raised when the layout of the files changes, or what a metric makes of the same content.
_LAYOUT = 5
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error)


def cached(
    method: Method,
    output: Any,
    gold: Any,
    options: Mapping[str, Any],
    compute: Callable[[], ItemStatistics],
    folder: Path | None,
) -> ItemStatistics:
    """Give the kept statistics of this content, or compute and keep them; without a folder just compute.

    What cannot be read or written is ignored: the cache only saves time.
    """
    key = content_key(method, output, gold, options) if folder is not None else None
    if folder is None or key is None:
        return compute()
    found = load(folder, key)
    if found is not None:
        return found
    computed = compute()
    # Another process may have changed a file while it was read: keep only what is still true.
    if content_key(method, output, gold, options) == key:
        store(folder, key, computed)
    return computed


def content_key(method: Method, output: Any, gold: Any, options: Mapping[str, Any]) -> str | None:
    """Give a name for everything the statistics depend on; None where that cannot be told."""
    full = {option.name: option.default for option in method.options} | dict(options)
    try:
        parts = [
            _LAYOUT,
            method.name,
            _versions(method.facts.get("extra", "")),
            # An option that names a file stands for its content.
            {name: [repr(value), _file_digest(value)] for name, value in sorted(full.items())},
            _digest(output),
            _digest(gold),
        ]
    except (OSError, TypeError):
        return None
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def load(folder: Path, key: str) -> ItemStatistics | None:
    """Give kept statistics; None when there are none or the file is damaged."""
    try:
        # Opened here: numpy leaves a file open that it cannot read.
        with (folder / f"{key}.npz").open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            return unpack(file["values"], about) if about["key"] == key else None
    except _UNREADABLE:
        return None


def store(folder: Path, key: str, statistics: ItemStatistics) -> bool:
    """Keep statistics in one step, so that no reader ever sees half a file; say whether it was done."""
    about = pack(statistics)
    if about is None:
        return False
    temporary = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
            temporary = file.name
            text = np.array(json.dumps({**about, "key": key}))
            np.savez_compressed(file, values=statistics.values, about=text)
        os.replace(temporary, folder / f"{key}.npz")
    except OSError:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        return False
    return True


def _digest(source: Any) -> Any:
    """Give the content of a path (its bytes), of lines, or of several of either; TypeError for anything else."""
    if isinstance(source, str | os.PathLike):
        return ["file", hashlib.sha256(Path(source).read_bytes()).hexdigest()]
    if isinstance(source, Lines):
        return [sorted(source.missing), _digest(source.lines)]
    if not isinstance(source, Sequence):
        raise TypeError(f"no content is known of {type(source).__name__}")
    if not all(isinstance(line, str) for line in source):
        return ["several", [_digest(member) if not isinstance(member, str) else ["line", member] for member in source]]
    sha = hashlib.sha256()
    for line in source:
        encoded = line.encode("utf-8", "surrogatepass")
        sha.update(len(encoded).to_bytes(8, "little"))
        sha.update(encoded)
    return ["lines", sha.hexdigest()]


def _file_digest(value: Any) -> Any:
    if not isinstance(value, str | os.PathLike) or not str(value):
        return None
    try:
        is_file = Path(value).is_file()
    except (OSError, ValueError):
        return None
    return _digest(value) if is_file else None


@lru_cache(maxsize=4)
def _versions(extra: str) -> list[str]:
    """Versions of what computes; the code itself too, so that a checkout under work never gives old figures."""
    from nofluke import __version__

    sha = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        sha.update(path.read_bytes())
    found = [__version__, sha.hexdigest(), np.__version__]
    if extra:
        try:
            found.append(version("sacrebleu"))
        except PackageNotFoundError:
            found.append("none")
    return found
