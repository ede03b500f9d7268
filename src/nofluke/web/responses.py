"""What the API answers, for its description: the library's values inside, one shape for every error."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel


class Problem(BaseModel):
    """One thing that was wrong."""

    message: str
    where: str
    fix: str


class Refused(BaseModel):
    """The one shape of every error."""

    ok: Literal[False]
    errors: list[Problem]


class Answered(BaseModel):
    """A finished job: `result` is the library's value, as `nofluke --format json` writes it."""

    ok: Literal[True]
    id: str
    result: dict[str, Any]


class UnderWay(BaseModel):
    """A job that is not finished; ask /api/jobs/{id} how far it is."""

    ok: Literal[True]
    job: dict[str, Any]
