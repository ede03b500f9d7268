"""What can be asked about many systems, many datasets, many p-values, many annotators."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nofluke.web.requests.base import Alternative, Level, Name, Options, PValue, PValues, Request, Seed
from nofluke.web.requests.data import Data, File
from nofluke.web.requests.pair import Aligned


class RankRequest(Aligned):
    """Which of these systems are really better than which?"""

    missing: Literal["refuse", "drop", "pairwise"] = "refuse"  # type: ignore[assignment]  # one more than for pairs
    systems: Annotated[
        Annotated[list[Name], Field(min_length=2, max_length=10_000)] | None,
        Field(description="Only these systems. Default: all."),
    ] = None
    method: Name = "auto"
    adjust: Name = "holm"
    alpha: Level = 0.05
    alternative: Alternative = "two-sided"
    family: Literal["directions", "pairs"] = "directions"
    baseline: Name | None = None
    n_resamples: Annotated[int, Field(ge=1, le=10**7)] = 9_999
    exact: Name = "near"
    seed: Seed = 0
    options: Options = {}


class ReplicateRequest(Request):
    """On how many datasets is A better, and on which? From a table of p-values, a published example, or scores."""

    p_table: File | None = None
    columns: Annotated[
        dict[Literal["p_value", "dataset", "score", "sign", "ignore"], Name] | None,
        Field(description="The columns of `p_table` by their names; score names those of A and B, with a comma."),
    ] = None
    printed: Annotated[
        Annotated[int, Field(ge=0, le=300)] | None, Field(description="Decimals of p-values printed as 0.")
    ] = None
    higher_is_better: Annotated[
        bool | None, Field(description="Direction of the scores beside p-values. Default: known from their names.")
    ] = None
    p_values: Annotated[dict[Name, PValue], Field(max_length=10_000)] | None = None
    published: Name | None = None
    data: Data | None = None
    a: Name | None = None
    b: Name | None = None
    metric: Name | None = None
    dependence: Literal["unknown", "positive", "independent"] | None = None
    alternative: Alternative | None = None
    sided: Literal["one", "two"] = "one"
    alpha: Level = 0.05
    method: Name = "auto"
    seed: Seed = 0
    subset: Annotated[list[Name], Field(max_length=10_000)] = []
    fdr: bool = False
    options: Options = {}


class AgreeRequest(Request):
    """How far do the annotators agree beyond chance?"""

    ratings: File
    name: Name = "krippendorff_alpha"
    others: Annotated[list[Name], Field(max_length=20)] = []
    layout: Literal["auto", "wide", "long", "matrix"] = "auto"
    missing: Annotated[list[Name], Field(max_length=20)] = []
    columns: Annotated[
        dict[Literal["item", "annotator", "label", "ignore"], Name],
        Field(description="Columns by their names; several annotators, with commas, are those of a wide table."),
    ] = {}
    categories: Annotated[list[Name], Field(max_length=1000)] | None = None
    width: Annotated[float, Field(gt=0, le=2)] | None = None
    rules: Name = "landis_koch"
    annotators: Annotated[list[Name], Field(max_length=1000)] | None = None
    disputed: Annotated[int, Field(ge=0, le=1000)] = 10
    options: Options = {}


class CorrectRequest(Request):
    """Which p-values still stand when there are many of them?"""

    p_values: PValues
    method: Name = "holm"
    alpha: Level = 0.05
    options: Options = {}


class CombineRequest(Request):
    """Is there anything in these p-values taken together?"""

    p_values: PValues
    method: Name = "fisher"
    weights: Annotated[list[float], Field(max_length=100_000)] | None = None
    options: Options = {}
