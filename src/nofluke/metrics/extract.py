"""Statistics of several systems: kept ones are read, the others computed, in processes when it pays."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from nofluke.executors import completed
from nofluke.metrics.cache import cached, content_key, load, pack, store, unpack
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Lines
from nofluke.readers.cache_folder import cache_folder
from nofluke.registry import METRICS, Method
from nofluke.types import FloatArray

Progress = Callable[[int, int], None]
# Starting processes takes about as long as BLEU of this many bytes.
_WORTH_PROCESSES = 1_500_000


def extract(
    metric: str,
    outputs: Mapping[str, Any],
    gold: Any,
    options: Mapping[str, Any] | None = None,
    *,
    cache: bool | Path = True,
    workers: int = 1,
    progress: Progress | None = None,
) -> dict[str, ItemStatistics]:
    """Give the statistics of every system by name, in the order given.

    `cache` is False, or a folder other than the user's. More than one worker starts processes, and only for much text:
    then the calling script must guard its entry point (`if __name__ == "__main__"`), as the command line does.
    `progress` gets (systems done, systems in all).
    """
    method = METRICS[metric]
    checked = method.check_options(options or {})
    folder = cache if isinstance(cache, Path) else cache_folder() if cache else None
    found: dict[str, ItemStatistics] = {}
    keys: dict[str, str | None] = {}
    for system, output in outputs.items():
        keys[system] = key = content_key(method, output, gold, checked) if folder is not None else None
        kept = load(folder, key) if folder is not None and key is not None else None
        if kept is not None:
            found[system] = kept
    _report(progress, len(found), len(outputs))
    missing = {system: output for system, output in outputs.items() if system not in found}
    if workers > 1 and len(missing) > 1 and sum(map(_size, missing.values())) >= _WORTH_PROCESSES:
        for system, statistics in _in_processes(method, missing, gold, checked, workers):
            found[system] = statistics
            now = content_key(method, missing[system], gold, checked)
            # A file that was changed meanwhile has another content now.
            if folder is not None and (key := keys[system]) == now:
                store(folder, str(key), statistics)
            _report(progress, len(found), len(outputs))
    for system in [system for system in missing if system not in found]:
        found[system] = _computed(method, missing[system], gold, checked, folder)
        _report(progress, len(found), len(outputs))
    return {system: found[system] for system in outputs}


def _report(progress: Progress | None, done: int, of: int) -> None:
    if progress is not None:
        progress(done, of)


def _computed(method: Method, output: Any, gold: Any, options: dict[str, Any], folder: Path | None) -> ItemStatistics:
    def compute() -> ItemStatistics:
        statistics: ItemStatistics = method.function(output, gold, **options)
        return statistics

    return cached(method, output, gold, options, compute, folder)


def _in_processes(
    method: Method, outputs: Mapping[str, Any], gold: Any, options: dict[str, Any], workers: int
) -> Iterator[tuple[str, ItemStatistics]]:
    """Compute in processes; systems whose aggregate cannot travel are left to the caller."""
    systems = list(outputs)
    module = method.function.__module__
    tasks = [(module, method.name, outputs[system], gold, options) for system in systems]
    for index, answer in completed(tasks, _work, workers):
        if answer is not None:
            yield systems[index], unpack(*answer)


def _work(task: tuple[str, str, Any, Any, dict[str, Any]]) -> tuple[FloatArray, dict[str, Any]] | None:
    module, name, output, gold, options = task
    importlib.import_module(module)
    statistics: ItemStatistics = METRICS[name].function(output, gold, **options)
    about = pack(statistics)
    return None if about is None else (statistics.values, about)


def _size(source: Any) -> int:
    if isinstance(source, str | os.PathLike):
        try:
            size = Path(source).stat().st_size
        except OSError:
            return 0
        # Text packs to about a third.
        return 3 * size if str(source).endswith(".gz") else size
    lines = source.lines if isinstance(source, Lines) else source
    return sum(len(line) for line in lines if isinstance(line, str))
