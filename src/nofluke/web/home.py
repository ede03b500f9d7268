"""The first page, and the page that explains the API."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from nofluke.web.examples import EXAMPLES
from nofluke.web.rendering import NAVIGATION, page

router = APIRouter(include_in_schema=False)


@router.get("/")
@router.get("/index.json")
def home(request: Request) -> Response:
    """What can be done here."""
    return page(request, "home.html", {"pages": [vars_of(one) for one in NAVIGATION], "examples": list(EXAMPLES)})


def vars_of(one: Any) -> dict[str, str]:
    """A navigation entry as plain values."""
    return {"path": one.path, "title": one.title, "question": one.question}


@router.get("/favicon.ico")
def favicon() -> Response:
    """Browsers ask for this whatever the page says."""
    return RedirectResponse("/static/favicon.svg", status_code=308)


@router.get("/docs")
@router.get("/docs.json")
def docs(request: Request) -> Response:
    """The API, from its own description."""
    schema = request.app.openapi()
    models = schema.get("components", {}).get("schemas", {})
    operations = [
        {
            "method": method.upper(),
            "path": path,
            "summary": operation.get("summary", ""),
            "description": operation.get("description", ""),
            "fields": _fields(operation, models),
        }
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    return page(request, "docs.html", {"operations": operations})


def _fields(operation: dict[str, Any], models: dict[str, Any]) -> list[dict[str, str]]:
    body = operation.get("requestBody", {}).get("content", {})
    first: dict[str, Any] = next(iter(body.values()), {})
    schema = first.get("schema", {})
    model = models.get(str(schema.get("$ref", "")).rpartition("/")[2], {})
    return [
        {
            "name": name,
            "type": _type(found),
            "default": str(found.get("default", "")),
            "needed": str(name in model.get("required", ())),
        }
        for name, found in model.get("properties", {}).items()
    ]


def _type(found: dict[str, Any]) -> str:
    if "enum" in found:
        return " | ".join(map(str, found["enum"]))
    if "anyOf" in found:
        return " or ".join(_type(part) for part in found["anyOf"])
    return str(found.get("type") or found.get("const") or found.get("$ref", "").rpartition("/")[2])
