"""Where the data of a request are, and how they are read."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nofluke.types.file_kinds import FORMATS_IN_WORDS
from nofluke.web.requests.base import Name, Options, Request, Text

Role = Literal["item", "system", "score", "gold", "output", "dataset", "metric", "run", "cluster", "ignore"]


class File(Request):
    """A file sent before (its upload id), or text sent along; `system` names the system it belongs to."""

    upload: Annotated[Name | None, Field(description="The id that POST /api/uploads gave.")] = None
    text: Annotated[Text | None, Field(description="The content itself, instead of an upload.")] = None
    system: Annotated[Name | None, Field(description="The system the file belongs to. Default: its file's name.")] = (
        None
    )


class Data(Request):
    """Scores in files, outputs with gold answers and a metric, or a built-in example."""

    files: Annotated[
        list[File], Field(max_length=1000, description="Scores, or with `gold` the outputs of each system.")
    ] = []
    example: Annotated[Name | None, Field(description="A built-in example instead of files.")] = None
    format: Annotated[Name, Field(description=FORMATS_IN_WORDS)] = "auto"
    columns: Annotated[
        dict[Role, Name],
        Field(
            description="The column of item, system, score, gold, output, dataset, metric, run or cluster, by its "
            "name; ignore skips columns."
        ),
    ] = {}
    higher_is_better: Annotated[
        bool | None, Field(description="Direction of the scores. Default: known from the metric's name.")
    ] = None
    gold: Annotated[list[File], Field(max_length=20, description="The gold standard, or several references.")] = []
    score_by: Annotated[Name | None, Field(description="The metric that scores the outputs against `gold`.")] = None
    metric_options: Annotated[Options, Field(description="Options of that metric by name.")] = {}


class OnData(Request):
    """Something asked of data alone."""

    data: Data


class ScoreRequest(OnData):
    """How do systems score, against a gold standard or as the file has it?"""

    dataset: Name | None = None
    metric: Name | None = None
    run: Name | None = None
    missing: Literal["refuse", "drop"] = "refuse"


class OmnibusRequest(OnData):
    """Do any of these systems differ?"""

    method: Name = "friedman"
    metric: Name | None = None
    run: Name | None = None
    missing: Literal["refuse", "drop"] = "refuse"
    options: Options = {}
