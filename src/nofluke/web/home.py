"""The first page, and the page that explains the API."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from nofluke.web.describing import models_of, operations_of
from nofluke.web.examples import EXAMPLES
from nofluke.web.rendering import NAVIGATION, page

router = APIRouter(include_in_schema=False)


@router.get("/")
@router.get("/index.json")
def home(request: Request) -> Response:
    """What can be done here."""
    return page(request, "home.html", {"pages": list(NAVIGATION), "examples": list(EXAMPLES)})


@router.get("/favicon.ico")
def favicon() -> Response:
    """Browsers ask for this whatever the page says."""
    return RedirectResponse("/static/favicon.svg", status_code=308)


@router.get("/docs")
@router.get("/docs.json")
def docs(request: Request) -> Response:
    """The API, from its own description."""
    schema = request.app.openapi()
    values = {
        "operations": operations_of(schema),
        "models": models_of(schema),
        "address": str(request.base_url).rstrip("/"),
    }
    return page(request, "docs.html", values)
