"""Is A at least not worse by more than a margin?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.align import cluster_totals, differences
from nofluke.check import is_number
from nofluke.errors import InputError, MethodError
from nofluke.inference.resampling.corpus import corpus_of
from nofluke.inference.tests.claims import (
    FEW_DIFFERENT,
    Range,
    margin_method,
    margin_options,
    margin_verdict,
    too_few_items,
)
from nofluke.inference.tests.one_lost_item import FEWEST_DIFFERENT
from nofluke.inference.tests.run import check_difference, run_test
from nofluke.registry import TESTS
from nofluke.types import Interval, Note, Sample, TestResult, note


@dataclass(frozen=True, slots=True)
class MarginPart:
    """What a comparison knows about its margin."""

    margin: float | None = None
    verdict: str = ""
    test: TestResult | None = None
    interval: Interval | None = None
    notes: tuple[Note, ...] = ()

    @property
    def tests_run(self) -> tuple[str, ...]:
        """The name of the margin's test, if it was run."""
        return () if self.test is None else (self.test.method,)


def judge_margin(
    sample: Sample,
    margin: Any,
    verdict: str,
    *,
    alpha: float,
    seed: int,
    score_range: Range,
) -> MarginPart:
    """Test "A is worse by the margin or more", one-sided at alpha, and read the verdict from the two-sided interval.

    Where the test refuses these scores, the margin is undecided: the rest of the comparison stands without it.
    """
    if margin is None:
        return MarginPart()
    if not is_number(margin, above=0):
        raise InputError(
            f"margin = {margin!r} is not a positive number.",
            fix="give the largest loss you would accept, in score units.",
        )
    check_difference(margin, sample, "margin")
    margin = float(margin)
    method = margin_method(sample, score_range)
    settings: dict[str, Any] = {"confidence_level": 1 - alpha, "seed": seed, **range_options(method, score_range)}
    settings |= margin_options(method, sample)
    if "form" in settings and _differing(sample) < FEWEST_DIFFERENT:
        return MarginPart(margin, "undecided", notes=(_few_different(sample),))
    try:
        tested = run_test(sample, method, alternative="greater", delta=-margin, **settings)
        interval = run_test(sample, method, **settings).interval
    except MethodError:
        # Of the tests of margins one refuses scores: too few items that differ to know how large a loss can be.
        if method != "one_lost_item":
            raise
        return MarginPart(margin, "undecided", notes=(_few_different(sample),))
    obstacles = too_few_items(tested, margin, alpha, sample)
    return MarginPart(margin, margin_verdict(interval, margin, verdict), tested, interval, (*obstacles, *tested.notes))


def _few_different(sample: Sample) -> Note:
    a, b = sample.systems[0], sample.systems[1]
    facts = {"different": _differing(sample), "clusters": sample.clusters is not None}
    ranged = {} if sample.aggregate.linear else {"ranged": False}
    return note(FEW_DIFFERENT, a=a, b=b, enough=FEWEST_DIFFERENT, **facts, **ranged)


def _differing(sample: Sample) -> int:
    """On how many items, or clusters, the systems differ."""
    if not sample.aggregate.linear:
        statistics = corpus_of(sample).statistics
        return int(np.count_nonzero(np.any(statistics[:, 0] != statistics[:, 1], axis=1)))
    return int(np.count_nonzero(cluster_totals(differences(sample).values, sample.clusters)[0]))


def range_options(method: str, score_range: Range) -> dict[str, float]:
    """Give the range of possible scores to a test that takes it, where it is stated."""
    names = TESTS[method].option_names()
    stated = zip(("low", "high"), score_range, strict=True)
    return {name: float(value) for name, value in stated if name in names and value is not None}
