"""The API keeps what its own description promises, for requests made from that description."""

from __future__ import annotations

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from nofluke.web.app import create_app
from web.conftest import Server

# A few requests always, many with `-m slow`.
effort = pytest.mark.parametrize("requests", [12, pytest.param(100, marks=pytest.mark.slow)], ids=["few", "many"])
# A machine with much other work may take long to start a worker.
PATIENCE = 120
# A request that fails is told as it is: making it smaller would ask the server for minutes.
SETTINGS = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
DESCRIPTION = schemathesis.openapi.from_dict(create_app().openapi())
OPERATIONS = [operation.ok() for operation in DESCRIPTION.get_all_operations()]


@effort
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: f"{operation.method} {operation.path}")
def test_no_request_of_the_description_breaks_the_server(operation: object, requests: int, server: Server) -> None:
    @settings(SETTINGS, max_examples=requests)
    @given(case=operation.as_strategy())  # type: ignore[attr-defined]
    def answered(case: schemathesis.Case) -> None:
        try:
            answer = case.call(base_url=server.address, timeout=PATIENCE)
        except httpx.InvalidURL:
            return
        assert answer.status_code < 500, answer.text[:400]
        assert "something went wrong inside" not in answer.text
        assert "".join(answer.headers["content-type"]).startswith("application/json")

    answered()
