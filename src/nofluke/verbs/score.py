"""score: outputs and gold become scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.metrics.extract import extract
from nofluke.metrics.statistics import ItemStatistics
from nofluke.registry import METRICS, Method
from nofluke.types import Axis, Scores, Source, frozen


def score(
    metric: str,
    outputs: Mapping[str, Any],
    gold: Any,
    *,
    cache: bool = True,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Scores:
    """How do these systems score against the gold standard, item by item?

    `outputs` maps names of systems to files or lists of lines; `gold` is the same, or a list of them where a metric
    takes several references. Options belong to the metric (see `methods`). The result holds per-item statistics and
    the formula that turns their sums into the score, so that corpus metrics are tested properly and never recomputed
    from text. Statistics are cached by content (cache=False, or NOFLUKE_CACHE=off, turns that off); `workers` processes
    share the work.

    >>> import nofluke as nf
    >>> scores = nf.score("accuracy", {"A": ["yes", "no"], "B": ["no", "no"]}, ["yes", "no"])
    >>> scores.pair("A", "B").score(0)
    1.0
    """
    if not outputs:
        raise InputError("no system outputs were given.", fix="name at least one: {'A': 'hyp.txt'}.")
    method = METRICS[metric]
    settings = method.check_options(options)
    statistics = extract(method.name, outputs, gold, settings, cache=cache, workers=workers, progress=progress)
    _require_same_shape(statistics)
    return _as_scores(method, statistics)


def _require_same_shape(statistics: Mapping[str, ItemStatistics]) -> None:
    (first, reference), *others = statistics.items()
    for name, found in others:
        if len(found.values) != len(reference.values):
            raise InputError(
                f"system {name!r} has {len(found.values):,} items, and {first!r} has {len(reference.values):,}.",
                fix="score all systems on the same gold standard.",
            )
        if found.signature != reference.signature or found.names != reference.names:
            raise InputError(
                f"systems {first!r} and {name!r} were scored differently: {reference.signature} and {found.signature}.",
                fix="score all systems with the same options.",
            )
        if found.ids != reference.ids:
            raise InputError(
                f"systems {first!r} and {name!r} name their items differently.",
                fix="give outputs for the same items in the same order.",
            )


def _as_scores(method: Method, statistics: Mapping[str, ItemStatistics]) -> Scores:
    reference = next(iter(statistics.values()))
    n, systems = len(reference.values), tuple(statistics)
    values = np.stack([found.values for found in statistics.values()], axis=1)
    labels = reference.ids if reference.ids is not None else tuple(str(i + 1) for i in range(n))
    zeros = frozen(np.zeros(n * len(systems), np.int64), np.int64)
    source = Source(
        ", ".join(systems),
        "outputs and gold",
        n * len(systems),
        {"metric": method.name, "signature": reference.signature},
    )
    return Scores(
        statistics=frozen(values.reshape(n * len(systems), -1)),
        item=Axis(labels, frozen(np.repeat(np.arange(n), len(systems)), np.int64)),
        system=Axis(systems, frozen(np.tile(np.arange(len(systems)), n), np.int64)),
        dataset=Axis(("",), zeros),
        metric=Axis((method.name,), zeros),
        run=None,
        cluster=None,
        higher_is_better={method.name: bool(method.facts["higher_is_better"])},
        aggregates={method.name: reference.aggregate},
        ids_given=reference.ids is not None,
        digits=15,
        lines=None,
        sources=(source,),
        notes=tuple(dict.fromkeys(note for found in statistics.values() for note in found.notes)),
    )


def system_scores(scores: Scores, metric: str | None = None) -> dict[str, float]:
    """Give the score of every system over all its items."""
    from nofluke.align import select

    found: dict[str, float] = {}
    for name in scores.systems:
        found[name] = select(scores, (name,), metric=metric).score(0)
    return found


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
