"""What can be asked before there are data."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from nofluke.web.requests.base import Alternative, Count, Level, Name, Request, Share, Size, Spread


class Assumed(Request):
    """What every plan states: the test, its level, and how items vary."""

    test: Name = "paired_t"
    sd: Spread | None = None
    sd_b: Spread | None = None
    disagreement: Annotated[
        Share | None, Field(description="Share of items that exactly one of the systems gets right.")
    ] = None
    margin: float | None = None
    design_effect: Annotated[float, Field(gt=0, le=10**6)] = 1.0
    tests: Count = 1
    adjust: Name = "holm"
    alpha: Level = 0.05
    alternative: Alternative = "two-sided"


class Planned(Assumed):
    """A plan that also states the true difference."""

    difference: float | None = None
    accuracy_a: Share | None = None
    accuracy_b: Share | None = None
    p10: Share | None = None
    p01: Share | None = None
    prob_a_better: Share | None = None
    datasets: Annotated[int, Field(ge=1, le=10**4)] | None = None
    claim: Annotated[int, Field(ge=1, le=10**4)] | None = None
    each: Name = "auto"


class SampleSizeRequest(Planned):
    """How many items are needed to find a true difference of this size?"""

    power: Level = 0.8


class PowerRequest(Planned):
    """How often would so many items find a true difference of this size?"""

    n: Size | None = None
    n_untied: Size | None = None


class DetectableEffectRequest(Assumed):
    """Which true difference would so many items find?"""

    n: Size | None = None
    n_untied: Size | None = None
    power: Level = 0.8
