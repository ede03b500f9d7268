"""Statistics kept on disk by content: the same output, gold, options and versions are never scored twice."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.metrics.packing import pack, unpack
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Lines
from nofluke.registry import Method

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
