"""Which tests are computed for all pairs at once, and with which of their options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nofluke.inference.ranking import corpus, means, ranks
from nofluke.inference.ranking.panel import PairTable, Settings, is_wide
from nofluke.types import Sample

Test = Callable[[Sample, Settings], PairTable]


@dataclass(frozen=True, slots=True)
class Bulk:
    """A test of all pairs; `understood` are the values of options it can do, all others are left to single tests."""

    linear: Test
    corpus: Test | None
    understood: Mapping[str, tuple[Any, ...]]
    clusters: bool = False
    averages: bool = False


BULK: dict[str, Bulk] = {
    "permutation": Bulk(
        means.flips,
        corpus.swaps,
        {"form": ("studentized",), "stop": ("never",)},
        clusters=True,
        averages=True,
    ),
    "paired_t": Bulk(means.paired_t, None, {}),
    "sign": Bulk(means.sign, None, {"tie_width": (0.0,), "snap": (True, False)}),
    "mcnemar": Bulk(means.mcnemar, None, {"mode": ("exact",), "continuity": (False,)}),
    "wilcoxon": Bulk(
        ranks.wilcoxon,
        None,
        {
            "zeros": ("drop",),
            "mode": ("auto", "exact", "normal"),
            "continuity": (True, False),
            "snap": (True, False),
        },
    ),
    "bootstrap": Bulk(
        means.bootstrap, None, {"form": ("shift",), "recentre": ("observed",), "two_sided": ("doubled",)}
    ),
}


def bulk_test(method: str, sample: Sample, options: Mapping[str, Any]) -> Test | None:
    """Give the function that tests all pairs at once, or None where single tests have to do it."""
    entry = BULK.get(method)
    if entry is None or not sample.paired or sample.aggregate.whole is not None:
        return None
    if not understands(method, options):
        return None
    if sample.clusters is not None and not entry.clusters:
        return None
    if sample.strata is not None and not sample.strata.pooled and not entry.averages:
        return None
    if sample.aggregate.linear:
        return None if is_wide(sample) else entry.linear
    # Two systems on a smooth metric get the very test of compare, with its own draws.
    alone = len(sample.systems) == 2 and sample.aggregate.ratio is None
    return None if alone else entry.corpus


def understands(method: str, options: Mapping[str, Any]) -> bool:
    """Whether the form for all pairs of a test can do what its options ask."""
    understood = BULK[method].understood
    return all(value in understood.get(name, (None,)) for name, value in options.items())
