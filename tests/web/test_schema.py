"""The API keeps what its own description promises, for requests made from that description."""

from __future__ import annotations

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from nofluke.web.app import create_app
from web.conftest import Server

# A few requests always, many with `-m slow`.
effort = pytest.mark.parametrize("requests", [12, pytest.param(100, marks=pytest.mark.slow)], ids=["few", "many"])
DESCRIPTION = schemathesis.openapi.from_dict(create_app().openapi())
OPERATIONS = [operation.ok() for operation in DESCRIPTION.get_all_operations()]


@effort
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: f"{operation.method} {operation.path}")
def test_no_request_of_the_description_breaks_the_server(operation: object, requests: int, server: Server) -> None:
    @settings(
        max_examples=requests, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy())  # type: ignore[attr-defined]
    def answered(case: schemathesis.Case) -> None:
        try:
            answer = case.call(base_url=server.address)
        except httpx.InvalidURL:
            return
        assert answer.status_code < 500, answer.text[:400]
        assert "something went wrong inside" not in answer.text
        assert "".join(answer.headers["content-type"]).startswith("application/json")

    answered()
