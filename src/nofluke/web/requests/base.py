"""Words that requests share; every default is the library's."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Alternative = Literal["two-sided", "greater", "less"]
Level = Annotated[float, Field(gt=0, lt=1)]
Text = Annotated[str, Field(max_length=20_000_000)]
Name = Annotated[str, Field(max_length=500)]
PValue = Annotated[float, Field(ge=0, le=1)]
PValues = Annotated[list[PValue], Field(min_length=1, max_length=100_000)]
Scalar = bool | int | float | Name | None
Share = Annotated[float, Field(ge=0, le=1)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
Size = Annotated[int, Field(ge=1, le=10**9)]
Spread = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1, le=10**6)]
Options = Annotated[
    dict[Name, Scalar], Field(max_length=40, description="Options of the method by name; see `nofluke methods`.")
]


class Request(BaseModel):
    """Unknown fields are refused: a misspelt option must not be ignored."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


def plain(request: Request) -> dict[str, Any]:
    """The request as JSON values, for the job's memory."""
    return request.model_dump(mode="json")
