"""The rows of the database as values, and the ids that join them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Upload:
    """One file a user gave; its content lies in the uploads folder under its id."""

    id: str
    name: str
    size: int
    sha256: str
    created: float


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work: queued, running, done, failed, cancelled or interrupted."""

    id: str
    action: str
    name: str
    request: Mapping[str, Any]
    state: str
    done: int
    total: int
    created: float
    finished: float | None
    error: Mapping[str, str]
    headline: str
    attempt: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form that the API shows."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which part of the history is looked at: answers or failures, of one action, with a text in them."""

    failed: bool = False
    action: str = ""
    search: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A comparison that an earlier version began in steps: the request, the last job run from it, the last step."""

    id: str
    action: str
    request: Mapping[str, Any]
    job: str
    created: float
    step: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form that a page's twin shows."""
        return asdict(self)


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_urlsafe(12)


def named_uploads(value: Any) -> set[str]:
    """All ids that stand under a key "upload", wherever in the request."""
    if isinstance(value, Mapping):
        own = {value["upload"]} if isinstance(value.get("upload"), str) else set()
        return own.union(*(named_uploads(item) for item in value.values()), set())
    if isinstance(value, list | tuple):
        return set().union(*(named_uploads(item) for item in value)) if value else set()
    return set()
