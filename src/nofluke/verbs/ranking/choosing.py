"""Which test all pairs of many systems get."""

from __future__ import annotations

from nofluke.inference.describe.summary import kind_of
from nofluke.inference.ranking.panel import units_of
from nofluke.inference.recommend.default import RULES
from nofluke.inference.recommend.rules import Facts, judge
from nofluke.registry import TESTS
from nofluke.types import Sample


def method_for_all(sample: Sample, method: str, *, several: bool = False) -> str:
    """The test that compare would take, judged by all systems at once; over datasets the signed-rank test."""
    if method != "auto":
        return TESTS[method].name
    linear = sample.aggregate.linear
    kind = kind_of(sample.statistics[..., 0].ravel()) if linear else "corpus"
    if several and kind != "binary":
        return "wilcoxon"
    grouped = 0 if sample.clusters is None else units_of(sample)
    facts = Facts(n=sample.n, kind=kind, clusters=grouped, tied_share=0.0, corpus=not linear)
    return judge("default", tuple(rule for rule in RULES if rule.method in TESTS), facts).preferred
