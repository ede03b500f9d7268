"""What can be asked about two systems."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nofluke.web.requests.base import Alternative, Count, Level, Name, Options, Request, Seed, Spread
from nofluke.web.requests.data import Data

Rope = Annotated[
    Annotated[list[float], Field(min_length=2, max_length=2)] | float | None,
    Field(description="Region of practical equivalence: one number for both sides, or two limits."),
]


class Aligned(Request):
    """Which part of the data is looked at, and how items are matched."""

    data: Data
    dataset: Name | None = None
    metric: Name | None = None
    run: Name | None = None
    missing: Literal["refuse", "drop"] = "refuse"
    unit: Annotated[Count, Field(description="So many adjacent items make one observation.")] = 1
    unit_statistic: Literal["mean", "median"] = "mean"
    shuffle_seed: Seed | None = None
    clusters: Annotated[bool, Field(description="Keep items of a cluster together, where clusters are known.")] = True


class Pair(Aligned):
    """Two systems."""

    a: Annotated[Name | None, Field(description="The system that is A. Default: the first named.")] = None
    b: Annotated[Name | None, Field(description="The system that is B. Default: the second named.")] = None


class InspectRequest(Pair):
    """Which columns do these data have, what were they taken for, and which items would be compared?"""


class DescribeRequest(Pair):
    """What do these data look like, before any test?"""

    normality_alpha: Level = 0.05


class RecommendRequest(Pair):
    """Which test fits these data, and which do not?"""

    rules: Name = "default"
    normality_alpha: Level = 0.05


class TestRequest(Pair):
    """Could the difference be a fluke, by this test?"""

    method: Name = "auto"
    alternative: Alternative = "two-sided"
    delta: float = 0.0
    confidence_level: Level = 0.95
    seed: Seed = 0
    options: Options = {}


class EffectRequest(Pair):
    """How large is the difference?"""

    name: Name = "mean_difference"
    options: Options = {}


class CompareRequest(Pair):
    """Is A better than B?"""

    method: Name = "auto"
    alternative: Alternative = "two-sided"
    alpha: Level = 0.05
    margin: Annotated[float | None, Field(description="The largest loss you would accept, in score units.")] = None
    low: Annotated[float | None, Field(description="The smallest possible score.")] = None
    high: Annotated[float | None, Field(description="The largest possible score.")] = None
    delta: float = 0.0
    seed: Seed = 0
    rules: Name = "default"
    normality_alpha: Level = 0.05
    bayes: Annotated[bool, Field(description="Add the Bayesian answer.")] = False
    rope: Rope = None
    options: Options = {}


class BayesRequest(Pair):
    """Given a stated prior, how probable is it that A is better?"""

    method: Name = "auto"
    rope: Rope = None
    seed: Seed = 0
    options: Options = {}


class PowerCurveRequest(Pair):
    """How does the chance to find a difference grow with the number of items like these?"""

    method: Name = "auto"
    difference: float | Literal["observed"] | None = None
    form: Name = "pilot"
    test_form: Name | None = None
    sd: Spread | None = None
    margin: float | None = None
    tests: Count = 1
    sizes: Annotated[int, Field(ge=2, le=60)] = 20
    up_to: Annotated[int, Field(ge=2, le=10**6)] | None = None
    iterations: Annotated[int, Field(ge=10, le=20_000)] = 200
    power: Level = 0.8
    alpha: Level = 0.05
    alternative: Alternative = "two-sided"
    seed: Seed = 0
    options: Options = {}
