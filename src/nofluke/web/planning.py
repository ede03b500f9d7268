"""Sample-size planning with sliders: the answer moves while one thinks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from nofluke.errors import InputError, NoflukeError
from nofluke.web.forms import told
from nofluke.web.rendering import fragment, page, wants_json
from nofluke.web.requests import SampleSizeRequest, plain

router = APIRouter(include_in_schema=False)

KINDS = {
    "accuracy": ("mcnemar", ("accuracy_a", "accuracy_b", "disagreement")),
    "scores": ("paired_t", ("difference", "sd")),
}
DEFAULTS = {
    "kind": "accuracy",
    "accuracy_a": "0.82",
    "accuracy_b": "0.8",
    "disagreement": "0.12",
    "difference": "0.02",
    "sd": "0.2",
    "power": "0.8",
    "alpha": "0.05",
    "tests": "1",
    "alternative": "two-sided",
}


@router.get("/plan")
@router.get("/plan.json")
def plan(request: Request) -> Response:
    """How many items do I need?"""
    given = {**DEFAULTS, **{name: value for name, value in request.query_params.items() if name in DEFAULTS}}
    answer: dict[str, Any] = {"report": None, "result": None, "error": None}
    try:
        result = planned(given)
        from nofluke.reports.build import build

        answer |= {"result": result, "report": build(result)}
    except NoflukeError as error:
        answer["error"] = error.to_dict()
    except ValidationError as error:
        answer["error"] = told(error)
    if request.headers.get("x-fragment"):
        return fragment("plan_answer.html", answer)
    status = 422 if answer["error"] and wants_json(request) else 200
    return page(request, "plan.html", {"form": given, **answer}, status=status)


def planned(given: Mapping[str, str]) -> Any:
    """Ask the library with what the sliders say."""
    import nofluke as nf

    kind = given["kind"]
    if kind not in KINDS:
        raise InputError(f"{kind!r} is no kind of scores.", fix=f"choose one of {', '.join(KINDS)}.")
    test, terms = KINDS[kind]
    wanted = SampleSizeRequest.model_validate(
        {"test": test, **{name: given[name] for name in (*terms, "power", "alpha", "tests", "alternative")}}
    )
    return nf.sample_size(**{name: value for name, value in plain(wanted).items() if value is not None})
