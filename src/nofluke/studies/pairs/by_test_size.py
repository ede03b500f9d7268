"""by_test_size: how does the gain needed shrink with the test set? (Berg-Kirkpatrick et al. 2012, section 4.1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Annotated, Any

from nofluke.noting import called
from nofluke.options import Opt, stating
from nofluke.studies.pairs.looking import Look, Part, Parts, TakeItems, columns_of, compare_parts, points_of
from nofluke.studies.pairs.segments import check_sizes, check_take, doubling_sizes, segment
from nofluke.types import Note, Sample, Series, Study, frozen, note


@called("studies.by_test_size", "scores", "scores")
@stating(Look)
def by_test_size(
    scores: Any,
    *,
    sizes: Annotated[
        Sequence[int] | None, Opt("Numbers of items with commas between them. Default: 100,200,400 ... all.")
    ] = None,
    take: TakeItems = "first",
    progress: Callable[[int, int], None] | None = None,
    **stated: Any,
) -> Study:
    """How does the gain that is usually significant shrink as the test set grows?

    All pairs are compared on the first 100, 200, 400 ... items (take="first", as in the paper) or on random ones (a
    larger set holds the smaller ones), and every size gets its threshold, as in `gains`. Clusters are taken whole, as
    many as come nearest to the size. By the square-root law twice the items make the gain 0.71 times as large. The
    usual needed gain is the median over all pairs of 1.645 standard errors: it uses every pair, so it is steadier than
    the threshold.

    >>> from nofluke.studies import simulate_scores
    >>> scores = simulate_scores({f"s{i}": i / 40 for i in range(12)}, n=400, seed=1)
    >>> by_test_size(scores, sizes=(100, 400)).tables["sizes"]["items"]
    (100, 400)
    """
    check_take(take)
    look = Look(**stated)
    sample = look.sample(scores)
    wanted = doubling_sizes(sample.n) if sizes is None else check_sizes(sizes, sample.n)
    samples = {f"{part.n:,} items": part for part in (segment(sample, size, take, look.seed) for size in wanted)}
    parts = compare_parts(samples, look, progress)
    found = {name: part.found for name, part in parts.items()}
    return look.recorded(
        "test-size",
        [sample],
        found,
        list(found.values())[-1],
        own={"sizes": list(wanted), "take": take},
        tables={"sizes": _table(parts)},
        series={"thresholds": _curve(parts), **points_of(parts)},
        charts=("threshold_by_size", "gain_scatter"),
        notes=(_whole_clusters(wanted, samples), ()),
    )


def _table(parts: Parts) -> dict[str, tuple[Any, ...]]:
    steps = list(pairwise(parts.values()))
    return {
        "items": tuple(part.found.n for part in parts.values()),
        **columns_of(parts),
        "times the size before": (math.nan, *(later.usual / before.usual for before, later in steps)),
        "by the square-root law": (math.nan, *(_law(before, later) for before, later in steps)),
    }


def _law(before: Part, later: Part) -> float:
    return math.sqrt(before.found.n / later.found.n)


def _curve(parts: Parts) -> Series:
    values = parts.values()
    columns = {
        "items": frozen([float(part.found.n) for part in values]),
        "threshold": frozen([part.limit.value for part in values]),
        "needed": frozen([part.usual for part in values]),
        "near": frozen([float(part.limit.near) for part in values]),
    }
    return Series("thresholds", columns, {})


def _whole_clusters(wanted: Sequence[int], samples: dict[str, Sample]) -> tuple[Note, ...]:
    """Say that sizes are not quite those that were asked for."""
    if [part.n for part in samples.values()] == list(wanted):
        return ()
    return (note("study.whole_clusters", sizes=wanted),)
