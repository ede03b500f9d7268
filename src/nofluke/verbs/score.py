"""score: outputs and gold become scores."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.errors import InputError, MethodError
from nofluke.metrics.extract import extract
from nofluke.metrics.statistics import ItemStatistics
from nofluke.registry import METRICS, Method
from nofluke.types import Axis, Scores, Source, frozen

Progress = Callable[[int, int], None]


def score(
    metric: str | Callable[..., Any],
    outputs: Mapping[str, Any],
    gold: Any = None,
    *,
    higher_is_better: bool | None = None,
    cache: bool = True,
    workers: int = 1,
    progress: Progress | None = None,
    **options: Any,
) -> Scores:
    """How do these systems score against the gold standard, item by item?

    `outputs` maps names of systems to files or lists of lines; `gold` is the same, or a list of them where a metric
    takes several references. Options belong to the metric (see `methods`). The result holds per-item statistics and
    the formula that turns their sums into the score, so that corpus metrics are tested properly and never recomputed
    from text. Statistics are cached by content (cache=False, or NOFLUKE_CACHE=off, turns that off); `workers` processes
    share the work.

    `metric` may be your own function. It gets an output line and its gold line, and gives the item's score, or several
    statistics (`names`) with an `aggregate` formula of their sums, such as "2*tp/(pred+gold)". With whole=True it gets
    the list of all outputs and that of all golds: then every resample is scored anew, by `workers` processes if asked.
    Higher is better unless higher_is_better=False.

    >>> import nofluke as nf
    >>> scores = nf.score("accuracy", {"A": ["yes", "no"], "B": ["no", "no"]}, ["yes", "no"])
    >>> scores.pair("A", "B").score(0)
    1.0
    """
    if not outputs:
        raise InputError("no system outputs were given.", fix="name at least one: {'A': 'hyp.txt'}.")
    if callable(metric):
        return _score_by_function(metric, outputs, gold, higher_is_better, workers, progress, options)
    method = METRICS[metric]
    if gold is None and _needs_gold(method):
        raise InputError(
            f"{method.name} compares outputs with gold, and none was given.", fix="give gold (--gold FILE)."
        )
    if higher_is_better is not None:
        raise MethodError(
            f"whether higher {method.name} is better is known.", fix="leave higher_is_better to your own functions."
        )
    settings = method.check_options(options)
    statistics = extract(method.name, outputs, gold, settings, cache=cache, workers=workers, progress=progress)
    better = bool(method.facts["higher_is_better"])
    return as_scores(method.name, statistics, higher_is_better=better, places=_places(outputs))


def _score_by_function(
    function: Callable[..., Any],
    outputs: Mapping[str, Any],
    gold: Any,
    higher_is_better: bool | None,
    workers: int,
    progress: Progress | None,
    options: Mapping[str, Any],
) -> Scores:
    from nofluke.metrics.black_box import black_box_statistics
    from nofluke.metrics.custom import callable_metric

    unknown = set(options) - {"aggregate", "names", "name", "whole"}
    if unknown:
        raise MethodError(
            f"a metric of your own has no option {sorted(unknown)[0]!r}.",
            fix="options are aggregate, names, name and whole; functools.partial gives your function its own.",
        )
    if gold is None:
        raise InputError("your function compares outputs with gold, and none was given.", fix="give gold.")
    name = str(options.get("name") or getattr(function, "__name__", type(function).__name__))
    if options.get("whole"):
        if "aggregate" in options or "names" in options:
            raise MethodError("whole=True has one score and no statistics.", fix="leave aggregate and names out.")
        statistics = black_box_statistics(function, outputs, gold, name=name, workers=workers)
    else:
        own = callable_metric(function, options.get("aggregate"), options.get("names", ("score",)), name)
        statistics = {}
        for system, output in outputs.items():
            statistics[system] = own(output, gold)
            if progress is not None:
                progress(len(statistics), len(outputs))
    return as_scores(name, statistics, higher_is_better=higher_is_better is not False)


def from_statistics(
    tables: Mapping[str, Any], formula: str, *, metric: str = "score", higher_is_better: bool = True
) -> Scores:
    """Which scores do tables of per-item statistics make, by a formula of their sums?

    `tables` maps names of systems to CSV or TSV files, mappings of columns, or frames, one row per item. `formula` is
    an expression of column sums such as "2*tp/(2*tp+fp+fn)", where n is the number of items; arithmetic, min, max, exp,
    log, sqrt and abs are understood, nothing else is evaluated. A column item or id names the items, cluster or
    document what belongs together. Ratios of sums get exact tests.

    >>> import nofluke as nf
    >>> a, b = {"hits": [1, 1, 0], "all": [1, 2, 2]}, {"hits": [1, 0, 0], "all": [1, 2, 2]}
    >>> nf.from_statistics({"A": a, "B": b}, "hits/all").pair().score(0)
    0.4
    """
    from nofluke.metrics.custom import table_statistics

    if not isinstance(tables, Mapping) or not tables:
        raise InputError("no tables were given.", fix="name at least one: {'A': 'counts_a.csv'}.")
    statistics = {str(system): table_statistics(table, formula) for system, table in tables.items()}
    return as_scores(metric, statistics, higher_is_better=higher_is_better, places=_places(tables))


def _places(outputs: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(output) for name, output in outputs.items() if isinstance(output, str | os.PathLike)}


def _require_same_shape(statistics: Mapping[str, ItemStatistics], places: Mapping[str, str]) -> None:
    (first, reference), *others = statistics.items()
    for name, found in others:
        where = " and ".join(places[system] for system in (first, name) if system in places)
        if len(found.values) != len(reference.values):
            raise InputError(
                f"system {name!r} has {len(found.values):,} items, and {first!r} has {len(reference.values):,}.",
                where=where,
                fix="score all systems on the same gold standard.",
            )
        if found.signature != reference.signature or found.names != reference.names:
            raise InputError(
                f"systems {first!r} and {name!r} were scored differently: {reference.signature} and {found.signature}.",
                where=where,
                fix="score all systems with the same options, from files of one kind.",
            )
        if found.ids != reference.ids:
            raise InputError(
                f"systems {first!r} and {name!r} name their items differently.",
                where=where,
                fix="give outputs for the same items in the same order.",
            )
        if found.clusters != reference.clusters:
            raise InputError(
                f"systems {first!r} and {name!r} put their items into different documents.",
                where=where,
                fix="give outputs for the same documents in the same order.",
            )


def as_scores(
    metric: str,
    statistics: Mapping[str, ItemStatistics],
    *,
    higher_is_better: bool,
    places: Mapping[str, str] | None = None,
) -> Scores:
    """Put the statistics of all systems into one table; they must be of the same items, scored in the same way."""
    _require_same_shape(statistics, places or {})
    reference = next(iter(statistics.values()))
    n, systems = len(reference.values), tuple(statistics)
    values = np.stack([found.values for found in statistics.values()], axis=1)
    labels = reference.ids if reference.ids is not None else tuple(str(i + 1) for i in range(n))
    zeros = frozen(np.zeros(n * len(systems), np.int64), np.int64)
    source = Source(
        ", ".join(systems),
        "outputs and gold",
        n * len(systems),
        {"metric": metric, "signature": reference.signature},
    )
    return Scores(
        statistics=frozen(values.reshape(n * len(systems), -1)),
        item=Axis(labels, frozen(np.repeat(np.arange(n), len(systems)), np.int64)),
        system=Axis(systems, frozen(np.tile(np.arange(len(systems)), n), np.int64)),
        dataset=Axis(("",), zeros),
        metric=Axis((metric,), zeros),
        run=None,
        cluster=_cluster_axis(reference.clusters, len(systems)),
        higher_is_better={metric: higher_is_better},
        aggregates={metric: reference.aggregate},
        ids_given=reference.ids is not None,
        digits=15,
        lines=None,
        sources=(source,),
        notes=tuple(dict.fromkeys(note for found in statistics.values() for note in found.notes)),
    )


def _cluster_axis(clusters: Sequence[str] | None, systems: int) -> Axis | None:
    """Documents are clusters unless there is only one of them, or one for every item."""
    if clusters is None or not 1 < len(set(clusters)) < len(clusters):
        return None
    known = {label: code for code, label in enumerate(dict.fromkeys(clusters))}
    codes = np.repeat([known[label] for label in clusters], systems)
    return Axis(tuple(known), frozen(codes, np.int64))


def system_scores(scores: Scores, metric: str | None = None, missing: str = "refuse") -> dict[str, float]:
    """Give the score of every system over all items; missing="drop" leaves out items that not all systems have."""
    from nofluke.align import select

    sample = select(scores, scores.systems, metric=metric, missing=missing)  # type: ignore[arg-type]  # checked there
    return {name: sample.score(index) for index, name in enumerate(scores.systems)}


def made_with_gold(metric: str, files: Sequence[str]) -> bool:
    """Whether all files hold counts that were made with gold, which the metric reads: evalb's tables."""
    from pathlib import Path

    if metric not in METRICS or _needs_gold(METRICS[metric]):
        return False
    from nofluke.metrics.formats.evalb import is_evalb_table
    from nofluke.metrics.texts import read_lines

    return all(Path(file).is_file() and is_evalb_table(read_lines(file)) for file in files)


def _needs_gold(method: Method) -> bool:
    return inspect.signature(method.function).parameters["gold"].default is inspect.Parameter.empty


def named_outputs(files: Sequence[str]) -> dict[str, str]:
    """Read NAME=FILE arguments; a bare FILE names the system after itself."""
    from pathlib import Path

    named: dict[str, str] = {}
    for given in files:
        name, equals, path = given.partition("=")
        if not equals or Path(given).exists():
            name, path = Path(given).name.split(".")[0], given
        if name in named:
            raise InputError(f"two systems are called {name!r}.", fix="name them: A=hyp1.txt B=hyp2.txt.")
        named[name] = path
    return named
