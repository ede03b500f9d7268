"""domain: is the gain that is needed another one on another test set? (Berg-Kirkpatrick et al. 2012, Figure 11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from nofluke.errors import Fix, InputError, Option
from nofluke.noting import called
from nofluke.options import Opt, stating
from nofluke.studies.pairs.looking import (
    Look,
    PairOptions,
    Parts,
    TakeItems,
    check_clusters,
    columns_of,
    compare_parts,
    points_of,
)
from nofluke.studies.pairs.segments import check_take, items_of, segment
from nofluke.types import Note, Sample, Scores, Study, note
from nofluke.types.base import counted


@called("studies.domain", "scores", "scores")
@stating(PairOptions)
def domain(
    scores: Any,
    *,
    domains: Mapping[str, str] | None = None,
    size: Annotated[int | None, Opt("Items taken of every test set. Default: as many as the smallest has.")] = None,
    take: TakeItems = "first",
    progress: Callable[[int, int], None] | None = None,
    **stated: Any,
) -> Study:
    """Is the gain that is usually significant another one on another test set of the same size?

    Takes Scores with several datasets, or {dataset: Scores}, or one dataset and `domains`, {item id: domain}. Of every
    dataset `size` items are taken (default: as many as the smallest has), the first or random ones, and all pairs are
    compared on them as in `gains`. Clusters are taken whole, as many as come nearest to the size.

    >>> from nofluke.studies import simulate_scores
    >>> abilities = {f"s{i}": i / 40 for i in range(10)}
    >>> news, web = (simulate_scores(abilities, n=200, seed=seed) for seed in (1, 2))
    >>> domain({"news": news, "web": web}).tables["domains"]["test set"]
    ('news', 'web')
    """
    check_take(take)
    look = Look(**stated)
    samples, left_out = _samples(scores, domains, look)
    taken = _size(samples, size)
    segments = {name: segment(sample, taken, take, look.seed) for name, sample in samples.items()}
    parts = compare_parts(segments, look, progress)
    found = {name: part.found for name, part in parts.items()}
    return look.recorded(
        "domain",
        list(samples.values()),
        found,
        next(iter(found.values())),
        own={"datasets": list(samples), "size": taken, "take": take},
        tables={"domains": _table(samples, parts)},
        series=points_of(parts),
        charts=("gain_scatter",),
        notes=(left_out, ()),
    )


def _samples(scores: Any, domains: Mapping[str, str] | None, look: Look) -> tuple[dict[str, Sample], tuple[Note, ...]]:
    samples, left_out = _test_sets(scores, domains, look)
    if len(samples) < 2:
        raise InputError(
            f"test sets are compared, and there is {len(samples)}.",
            fix=Fix(
                "give scores with a dataset column, or say which item is of which domain: ", Option("domains"), "."
            ),
        )
    for name, sample in samples.items():
        check_clusters(sample, name)
    return samples, left_out


def _test_sets(
    scores: Any, domains: Mapping[str, str] | None, look: Look
) -> tuple[dict[str, Sample], tuple[Note, ...]]:
    """Give the sample of every test set, and which items belong to none."""
    if domains is not None:
        return _by_domain(look.sample(scores), domains)
    if isinstance(scores, Scores):
        return {name: replace(look, dataset=name or None).sample(scores) for name in scores.datasets}, ()
    if isinstance(scores, Mapping) and all(isinstance(one, Scores | Sample | Mapping) for one in scores.values()):
        return {str(name): look.sample(one) for name, one in scores.items()}, ()
    raise InputError(
        f"a {type(scores).__name__} holds no test sets.", fix="give Scores with several datasets, or {dataset: Scores}."
    )


def _by_domain(sample: Sample, domains: Mapping[str, str]) -> tuple[dict[str, Sample], tuple[Note, ...]]:
    ids = sample.ids or tuple(str(place + 1) for place in range(sample.n))
    lacking = [item for item in ids if not domains.get(item)]
    if len(lacking) == len(ids):
        raise InputError(f"no item has a domain: {ids[0]!r} is not in the table.", fix="check the ids of the items.")
    left_out = (note("study.without_domain", count=len(lacking), items=lacking[:3]),) if lacking else ()
    labels = np.array([domains.get(item, "") for item in ids])
    named = [name for name in dict.fromkeys(labels.tolist()) if name]
    return {name: items_of(sample, np.flatnonzero(labels == name)) for name in named}, left_out


def _size(samples: Mapping[str, Sample], size: int | None) -> int:
    smallest = min(samples, key=lambda name: samples[name].n)
    least = samples[smallest].n
    taken = least if size is None else size
    if not 2 <= taken <= least:
        raise InputError(
            f"{counted(taken, 'item')} cannot be taken of every test set: the smallest has {least:,} ({smallest}).",
            fix=f"take 2 to {least:,}." if least > 1 else f"leave {smallest} out.",
        )
    return taken


def _table(samples: Mapping[str, Sample], parts: Parts) -> dict[str, tuple[Any, ...]]:
    return {
        "test set": tuple(samples),
        "items there": tuple(sample.n for sample in samples.values()),
        "items taken": tuple(part.found.n for part in parts.values()),
        **columns_of(parts),
    }
