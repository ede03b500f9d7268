"""What a client may ask, in the library's own words; every default is the library's."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Alternative = Literal["two-sided", "greater", "less"]
Level = Annotated[float, Field(gt=0, lt=1)]
Text = Annotated[str, Field(max_length=20_000_000)]
Name = Annotated[str, Field(max_length=500)]
Role = Literal["item", "system", "score", "dataset", "metric", "run", "cluster"]
PValues = Annotated[list[Annotated[float, Field(ge=0, le=1)]], Field(min_length=1, max_length=100_000)]
Scalar = bool | int | float | Name | None
Share = Annotated[float, Field(ge=0, le=1)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
Options = Annotated[dict[Name, Scalar], Field(max_length=40)]


class Request(BaseModel):
    """Unknown fields are refused: a misspelt option must not be ignored."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class File(Request):
    """A file sent before (its upload id), or text sent along; `system` names the system it belongs to."""

    upload: Name | None = None
    text: Text | None = None
    system: Name | None = None


class Data(Request):
    """Scores in files, outputs with gold answers and a metric, or a built-in example."""

    files: Annotated[list[File], Field(max_length=1000)] = []
    example: Name | None = None
    format: Name = "auto"
    columns: dict[Role, Name] = {}
    higher_is_better: bool | None = None
    gold: Annotated[list[File], Field(max_length=20)] = []
    score_by: Name | None = None
    metric_options: Options = {}


class Aligned(Request):
    """Which part of the data is looked at, and how items are matched."""

    data: Data
    dataset: Name | None = None
    metric: Name | None = None
    run: Name | None = None
    missing: Literal["refuse", "drop"] = "refuse"
    unit: Annotated[int, Field(ge=1, le=10**6)] = 1
    unit_statistic: Literal["mean", "median"] = "mean"
    shuffle_seed: Seed | None = None
    clusters: bool = True


class Pair(Aligned):
    """Two systems."""

    a: Name | None = None
    b: Name | None = None


class DescribeRequest(Pair):
    """Look at the data before any test."""

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


class ScoreRequest(Request):
    """How do systems score against a gold standard?"""

    data: Data


class CompareRequest(Pair):
    """Is A better than B?"""

    method: Name = "auto"
    alternative: Alternative = "two-sided"
    alpha: Level = 0.05
    margin: float | None = None
    low: float | None = None
    high: float | None = None
    delta: float = 0.0
    seed: Seed = 0
    rules: Name = "default"
    normality_alpha: Level = 0.05
    options: Options = {}


def plain(request: Request) -> dict[str, Any]:
    """The request as JSON values, for the job's memory."""
    return request.model_dump(mode="json")


class RankRequest(Aligned):
    """Which of these systems are really better than which?"""

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
    p_values: Annotated[dict[Name, Annotated[float, Field(ge=0, le=1)]], Field(max_length=10_000)] | None = None
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
    categories: Annotated[list[Name], Field(max_length=1000)] | None = None
    width: Annotated[float, Field(gt=0, le=2)] | None = None
    rules: Name = "landis_koch"
    annotators: Annotated[list[Name], Field(max_length=1000)] | None = None
    disputed: Annotated[int, Field(ge=0, le=1000)] = 10
    options: Options = {}


class BayesRequest(Pair):
    """Given a stated prior, how probable is it that A is better?"""

    method: Name = "auto"
    rope: Annotated[list[float], Field(min_length=2, max_length=2)] | float | None = None
    seed: Seed = 0
    options: Options = {}


class Planned(Request):
    """What a plan is made from."""

    test: Name = "paired_t"
    difference: float | None = None
    sd: Annotated[float, Field(gt=0)] | None = None
    sd_b: Annotated[float, Field(gt=0)] | None = None
    accuracy_a: Share | None = None
    accuracy_b: Share | None = None
    disagreement: Share | None = None
    p10: Share | None = None
    p01: Share | None = None
    prob_a_better: Share | None = None
    margin: float | None = None
    design_effect: Annotated[float, Field(gt=0, le=10**6)] = 1.0
    tests: Annotated[int, Field(ge=1, le=10**6)] = 1
    adjust: Name = "holm"
    datasets: Annotated[int, Field(ge=1, le=10**4)] | None = None
    claim: Annotated[int, Field(ge=1, le=10**4)] | None = None
    each: Name = "auto"
    alpha: Level = 0.05
    alternative: Alternative = "two-sided"


class SampleSizeRequest(Planned):
    """How many items are needed to find a true difference of this size?"""

    power: Level = 0.8


class PowerRequest(Planned):
    """How often would so many items find a true difference of this size?"""

    n: Annotated[int, Field(ge=1, le=10**9)] | None = None
    n_untied: Annotated[int, Field(ge=1, le=10**9)] | None = None


class DetectableEffectRequest(Request):
    """Which true difference would so many items find?"""

    test: Name = "paired_t"
    n: Annotated[int, Field(ge=1, le=10**9)] | None = None
    n_untied: Annotated[int, Field(ge=1, le=10**9)] | None = None
    sd: Annotated[float, Field(gt=0)] | None = None
    sd_b: Annotated[float, Field(gt=0)] | None = None
    disagreement: Share | None = None
    margin: float | None = None
    design_effect: Annotated[float, Field(gt=0, le=10**6)] = 1.0
    tests: Annotated[int, Field(ge=1, le=10**6)] = 1
    adjust: Name = "holm"
    power: Level = 0.8
    alpha: Level = 0.05
    alternative: Alternative = "two-sided"


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


class OmnibusRequest(Request):
    """Do any of these systems differ?"""

    data: Data
    method: Name = "friedman"
    metric: Name | None = None
    run: Name | None = None
    missing: Literal["refuse", "drop"] = "refuse"
    options: Options = {}


class PowerCurveRequest(Pair):
    """How does the chance to find a difference grow with the number of items like these?"""

    method: Name = "auto"
    difference: float | Literal["observed"] | None = None
    form: Name = "pilot"
    test_form: Name | None = None
    sd: Annotated[float, Field(gt=0)] | None = None
    margin: float | None = None
    tests: Annotated[int, Field(ge=1, le=10**6)] = 1
    sizes: Annotated[int, Field(ge=2, le=60)] = 20
    up_to: Annotated[int, Field(ge=2, le=10**6)] | None = None
    iterations: Annotated[int, Field(ge=10, le=20_000)] = 200
    power: Level = 0.8
    alpha: Level = 0.05
    alternative: Alternative = "two-sided"
    seed: Seed = 0
    options: Options = {}


class InspectRequest(Request):
    """Which columns does this file have, and what were they taken for?"""

    data: Data


BY_ACTION: dict[str, type[Request]] = {
    "compare": CompareRequest,
    "rank": RankRequest,
    "replicate": ReplicateRequest,
    "agree": AgreeRequest,
    "bayes": BayesRequest,
    "sample_size": SampleSizeRequest,
    "power_curve": PowerCurveRequest,
    "describe": DescribeRequest,
    "recommend": RecommendRequest,
    "test": TestRequest,
    "effect": EffectRequest,
    "score": ScoreRequest,
    "power": PowerRequest,
    "detectable_effect": DetectableEffectRequest,
    "correct": CorrectRequest,
    "combine": CombineRequest,
    "omnibus": OmnibusRequest,
    "inspect": InspectRequest,
}
