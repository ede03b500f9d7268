"""What a client may ask, in the library's own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nofluke.web.requests.base import Request, plain
from nofluke.web.requests.data import Data, OmnibusRequest, ScoreRequest
from nofluke.web.requests.families import AgreeRequest, CombineRequest, CorrectRequest, RankRequest, ReplicateRequest
from nofluke.web.requests.pair import (
    Aligned,
    BayesRequest,
    CompareRequest,
    DescribeRequest,
    EffectRequest,
    InspectRequest,
    Pair,
    PowerCurveRequest,
    RecommendRequest,
    TestRequest,
)
from nofluke.web.requests.planning import DetectableEffectRequest, PowerRequest, SampleSizeRequest

__all__ = [
    "ALIGNING",
    "BY_ACTION",
    "READING_P",
    "BayesRequest",
    "CompareRequest",
    "Data",
    "InspectRequest",
    "PowerCurveRequest",
    "Request",
    "SampleSizeRequest",
    "plain",
    "settings_of",
]

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
# How items are chosen and matched: what `pair`, `select` and `rank` take beside the systems.
ALIGNING = tuple(name for name in Aligned.model_fields if name != "data")
# How a table of p-values is read.
READING_P = ("columns", "printed", "higher_is_better")
# Fields that bring the data or say how they are read and chosen; all others go to the verb by their names.
_OF_THE_DATA = frozenset(Pair.model_fields) | {
    *("ratings", "layout", "p_table", "p_values", "published", "options"),
    *READING_P,
}


def settings_of(action: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """What a request tells the verb itself, by the verb's own names; options of the method are not among it."""
    names = [name for name in BY_ACTION[action].model_fields if name not in _OF_THE_DATA]
    return {name: request[name] for name in names if request.get(name) is not None}
