"""Sample-size planning with sliders: the answer moves while one thinks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from nofluke.call import ACCURACIES, NOT_ON_A_PAGE, ON_A_SCALE
from nofluke.errors import InputError, NoflukeError
from nofluke.inference.power.terms import ADJUSTMENTS
from nofluke.registry import CORRECTIONS
from nofluke.reports.answer_view import answer_view
from nofluke.types import PowerPlan, Value
from nofluke.web.context import context_of
from nofluke.web.forms import filled, settings_fields, told
from nofluke.web.rendering import fragment, page, wants_json
from nofluke.web.requests import BY_ACTION, OPTIONS_OF, plain, settings_of
from nofluke.web.result_view import parsed

router = APIRouter(include_in_schema=False)

KINDS = {"accuracy": ACCURACIES, "scores": ON_A_SCALE}
# Where the sliders stand at first: nobody can know these of a test set that is still to come.
_FIRST = {
    "kind": "accuracy",
    "accuracy_a": "0.82",
    "accuracy_b": "0.8",
    "disagreement": "0.12",
    "difference": "0.02",
    "sd": "0.2",
}
# How much of the items needed the power curve shows.
_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)
_ELSEWHERE = ("test", *NOT_ON_A_PAGE, *ACCURACIES, *ON_A_SCALE)
_SHARED = tuple(name for name in OPTIONS_OF["sample_size"] if name not in _ELSEWHERE)
_DEFAULTS = _FIRST | {name: str(settings_fields("sample_size")[name].shown_default) for name in _SHARED}
# An exact plan can take minutes (accuracies close together): a page gives up, and a worker is free again.
_LONGEST = 10.0


@router.get("/plan")
@router.get("/plan.json")
async def plan(request: Request) -> Response:
    """How many items do I need?"""
    stated = {name: value for name, value in request.query_params.items() if name in _DEFAULTS}
    given = {**_DEFAULTS, **({"kind": "scores"} if "difference" in stated else {}), **stated}
    answer: dict[str, Any] = {"report": None, "said": None, "result": None, "error": None, "curve": []}
    try:
        answer |= await _answered(request, wanted(given))
    except NoflukeError as error:
        answer["error"] = error.to_dict("page")
    except ValidationError as error:
        answer["error"] = told(error)
    if request.headers.get("x-fragment"):
        return fragment("plan_answer.html", answer)
    status = 422 if answer["error"] and wants_json(request) else 200
    corrections = [(name, CORRECTIONS[name].label) for name in ADJUSTMENTS]
    fields = {name: field for name, field in settings_fields("sample_size").items() if name in _SHARED}
    values = {"form": given, "corrections": corrections, "fields": fields, **answer}
    return page(request, "plan.html", values, status=status)


def wanted(given: Mapping[str, str]) -> dict[str, Any]:
    """What the sliders say, as a request to the library."""
    if given["kind"] not in KINDS:
        raise InputError(f"{given['kind']!r} is no kind of scores.", fix=f"choose one of {', '.join(KINDS)}.")
    stated = filled(given, "sample_size", (*KINDS[given["kind"]], *_SHARED))
    return plain(BY_ACTION["sample_size"].model_validate({"test": "auto", **stated}))


async def _answered(request: Request, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Let a worker do it while somebody waits; a position of the sliders is no result to be kept."""
    from nofluke.reports.build import build

    context = context_of(request)
    job = context.jobs.submit("sample_size", asked)
    try:
        computed = asyncio.create_task(context.jobs.ended(job.id, _LONGEST))
        left = asyncio.create_task(_left(request))
        await asyncio.wait((computed, left), return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        ended = computed.result() if computed.done() else None
        computed.cancel()
        if ended is not None and ended.state == "failed":
            return {"error": ended.error}
        content = context.store.result(job.id)
        if content is None:
            raise InputError(
                f"this takes longer than {_LONGEST:g} seconds here.",
                fix="state a larger difference, or use `nofluke power plan`, which takes its time.",
            )
        result = parsed(content)
        report = build(result)
        said = answer_view(result, report)
        return {
            "result": result,
            "report": report,
            "said": said,
            "curve": await asyncio.to_thread(_curve, result, asked),
        }
    finally:
        context.jobs.delete(job.id)


def _curve(result: Value, asked: Mapping[str, Any]) -> list[dict[str, float]]:
    """Power with fewer and with more items than are needed."""
    import nofluke as nf

    if not isinstance(result, PowerPlan):
        return []
    terms = {name: value for name, value in settings_of("sample_size", asked).items() if name != "power"}
    terms |= {} if result.n_runs is None else {"n_runs": result.n_runs}
    sizes = sorted({max(2, round(share * result.n)) for share in _SHARES})
    return [{"n": size, "power": nf.power(n=size, **terms)} for size in sizes]


async def _left(request: Request) -> None:
    """Wait until the client has gone: whoever moves a slider gives up what was asked for the last position."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
