"""The page that explains the API from its own description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from nofluke.web.rendering import page

router = APIRouter(include_in_schema=False)
Schema = Mapping[str, Any]
_LIMITS = {
    "minimum": "at least",
    "exclusiveMinimum": "above",
    "maximum": "at most",
    "exclusiveMaximum": "below",
}


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
        "operations": _operations_of(schema),
        "models": _models_of(schema),
        "address": str(request.base_url).rstrip("/"),
    }
    return page(request, "docs.html", values)


def _operations_of(schema: Schema) -> list[dict[str, Any]]:
    """Every call: its parameters, and the fields of its body."""
    models = schema.get("components", {}).get("schemas", {})
    return [
        {
            "method": method.upper(),
            "path": path,
            "summary": _sentence(operation.get("summary", "")),
            "description": operation.get("description", ""),
            "parameters": [_field(one["name"], one["schema"] | one, one["required"]) for one in _queries(operation)],
            "fields": _fields(models.get(_body(operation), {})),
        }
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]


def _models_of(schema: Schema) -> list[dict[str, Any]]:
    """Every model that a field of a body speaks of, and the shape of errors, each once."""
    models = schema.get("components", {}).get("schemas", {})
    bodies = [_body(operation) for methods in schema["paths"].values() for operation in methods.values()]
    wanted = dict.fromkeys(name for body in bodies for name in _named_in(models.get(body, {}), models))
    wanted |= dict.fromkeys(["Refused", *_named_in(models.get("Refused", {}), models)])
    return [
        {"name": name, "description": models[name].get("description", ""), "fields": _fields(models[name])}
        for name in wanted
        if name in models
    ]


def _sentence(text: str) -> str:
    return text if text.endswith(("?", ".")) else f"{text}."


def _queries(operation: Schema) -> list[Schema]:
    return [one for one in operation.get("parameters", ()) if one["in"] == "query"]


def _body(operation: Schema) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    first: Schema = next(iter(content.values()), {})
    return _model(first.get("schema", {}))


def _model(found: Schema) -> str:
    return str(found.get("$ref", "")).rpartition("/")[2]


def _named_in(model: Schema, models: Schema) -> Iterator[str]:
    """The models that the fields of a model speak of, and those that these speak of."""
    for found in model.get("properties", {}).values():
        for _text, name in _kind(found):
            if name:
                yield name
                yield from _named_in(models.get(name, {}), models)


def _fields(model: Schema) -> list[dict[str, Any]]:
    required = model.get("required", ())
    return [_field(name, found, name in required) for name, found in model.get("properties", {}).items()]


def _field(name: str, found: Schema, needed: bool) -> dict[str, Any]:
    default = found.get("default")
    return {
        "name": name,
        "kind": [{"text": text, "model": model} for text, model in _kind(found)],
        "default": "needed" if needed else "" if default is None else str(default),
        "meaning": found.get("description", ""),
    }


def _kind(found: Schema) -> list[tuple[str, str]]:
    """What a field takes, in pieces of (text, name of the model it stands for or nothing)."""
    if _model(found):
        return [(_model(found), _model(found))]
    if "enum" in found:
        return [(" | ".join(map(str, found["enum"])), "")]
    if "anyOf" in found:
        parts = [_kind(part) for part in found["anyOf"] if part.get("type") != "null"]
        return [piece for place, part in enumerate(parts) for piece in ([(" or ", "")] if place else []) + part]
    if found.get("type") == "array":
        return [("list of ", ""), *_kind(found.get("items", {}))]
    if isinstance(found.get("additionalProperties"), Mapping):
        return [("names with ", ""), *_kind(found["additionalProperties"])]
    limits = [f"{words} {_figure(found[name])}" for name, words in _LIMITS.items() if name in found]
    kind = "anything" if "type" not in found else str(found.get("const", found["type"]))
    return [(", ".join([kind, *limits]), "")]


def _figure(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:g}"
