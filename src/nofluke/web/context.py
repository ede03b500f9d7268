"""What every request can reach: the store, the jobs, the limits."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from nofluke.web.jobs import Jobs
from nofluke.web.safety import Limits
from nofluke.web.store import Store

PATIENCE = 1.5


@dataclass(frozen=True, slots=True)
class Context:
    """The running app; a page waits `patience` seconds for a result before it shows a progress bar."""

    store: Store
    jobs: Jobs
    limits: Limits
    patience: float = PATIENCE


def context_of(request: Request) -> Context:
    """Find the context of the app that serves this request."""
    found = request.app.state.context
    if not isinstance(found, Context):
        raise TypeError("the app was not started")
    return found
