"""The guided comparison in the steps of the procedure: data, analysis, test, effect sizes, power, report."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from nofluke.errors import NoflukeError
from nofluke.inference.verdict import detectable_sentence
from nofluke.types import Comparison
from nofluke.web.context import Context, context_of
from nofluke.web.examples import EXAMPLES
from nofluke.web.forms import COLUMNS, data_from, form_of, metric_choices, test_choices, test_fields, told
from nofluke.web.rendering import failure, page
from nofluke.web.requests import CompareRequest, plain
from nofluke.web.results import loaded, shown
from nofluke.web.steps import NAMES, STEPS, changed, curve_request, typed
from nofluke.web.store import Draft, Job

router = APIRouter(include_in_schema=False)
_PATIENCE = 2.5  # seconds a page waits for a result before it shows a progress bar


@router.get("/compare")
@router.get("/compare.json")
def begin(request: Request) -> Response:
    """Give data: drop, paste, pick an example, or outputs with gold answers."""
    return _data_page(request, None)


def _data_page(
    request: Request, error: Mapping[str, str] | None, status: int = 200, given: Mapping[str, str] | None = None
) -> Response:
    values = {
        "steps": STEPS,
        "step": STEPS[0],
        "draft": None,
        "error": error,
        "examples": [example for example in EXAMPLES if "compare" in example.actions],
        "metrics": metric_choices(),
        "given": dict(given or {}),
    }
    return page(request, "compare_data.html", values, status=status)


@router.post("/compare")
async def give(request: Request) -> Response:
    """Take the data and go on to the analysis."""
    context = context_of(request)
    async with form_of(request, context) as form:
        given = {name: value for name, value in form.items() if isinstance(value, str)}
        try:
            data = await data_from(form, context)
            wanted = plain(CompareRequest.model_validate({"data": data}))
        except NoflukeError as error:
            return _data_page(request, error.to_dict(), 422, given)
        except ValidationError as error:
            return _data_page(request, told(error), 422, given)
    draft = context.store.add_draft("compare", wanted)
    return RedirectResponse(f"/compare/{draft.id}/data", status_code=303)


@router.get("/compare/{identifier}/{name}")
async def show(request: Request, identifier: str, name: str) -> Response:
    """One step; the comparison is computed when it is first needed."""
    context = context_of(request)
    name = name.removesuffix(".json")
    draft = context.store.draft(identifier)
    if draft is None or name not in NAMES:
        return failure(request, 404, "there is no such comparison.", fix="begin at /compare.")
    job = await computed(context, draft)
    values: dict[str, Any] = {"steps": STEPS, "step": STEPS[NAMES.index(name)], "draft": draft, "job": job}
    if job.state == "failed":
        return await _decide(request, context, draft, job.error, draft.request)
    if job.state != "done":
        return page(request, "compare_waiting.html", values)
    result = await asyncio.to_thread(loaded, context.store, job.id)
    if not isinstance(result, Comparison):
        return failure(request, 500, "the stored result is of another kind.", fix="compare again.")
    values |= {"form": draft.request, "result": result, "error": None}
    values |= await asyncio.to_thread(shown, result, job, context.store)
    values |= await _extras(request, context, draft, name, result)
    return page(request, f"compare_{name}.html" if name != "data" else "compare_columns.html", values)


async def _decide(
    request: Request, context: Context, draft: Draft, error: Mapping[str, str], form: Mapping[str, Any]
) -> Response:
    """What was set last cannot be computed: say why above the form in which it can be put right."""
    step = draft.step if draft.step in ("data", "test") else "data"
    values = {
        "steps": STEPS,
        "step": STEPS[NAMES.index(step)],
        "draft": draft,
        "error": error,
        "form": form,
        "columns": COLUMNS,
        "looked": await _looked(context, draft),
        **_test_form(str(draft.request["method"])),
    }
    return page(request, "compare_failed.html", values, status=422)


def _test_form(method: str, preferred: str = "", names: list[tuple[str, str]] | None = None) -> dict[str, Any]:
    try:
        fields = test_fields(method)
    except NoflukeError:
        fields = []
    return {"fields": fields, "tests": names or test_choices(), "preferred": preferred}


async def computed(context: Context, draft: Draft) -> Job:
    """The job of a draft as it now stands; a changed draft has none yet."""
    job = context.store.job(draft.job) if draft.job else None
    if job is None:
        job = context.jobs.submit("compare", draft.request)
        context.store.change_draft(draft.id, draft.request, job.id)
    if job.state in ("queued", "running"):
        job = await context.jobs.ended(job.id, _PATIENCE) or job
    return job


async def _looked(context: Context, draft: Draft) -> dict[str, Any]:
    """What the file offers, so that a wrong guess about its columns can be put right."""
    job = context.jobs.submit_once("inspect", {"data": draft.request["data"]})
    ended = await context.jobs.ended(job.id, _PATIENCE)
    content = context.store.result(job.id) if ended and ended.state == "done" else None
    nothing = {"columns": [], "mapping": {}, "systems": [], "datasets": [], "metrics": [], "problem": ""}
    found: dict[str, Any] = json.loads(content) if content else nothing
    return found


async def _extras(request: Request, context: Context, draft: Draft, name: str, result: Comparison) -> dict[str, Any]:
    if name == "data":
        return {"looked": await _looked(context, draft), "columns": COLUMNS}
    if name == "power":
        return await _curve(request, context, draft, result)
    if name == "test":
        fitting = [(one.method, one.method) for one in result.choices.rows if one.verdict != "inappropriate"]
        chosen = str(draft.request["method"])
        if chosen != "auto" and (chosen, chosen) not in fitting:
            fitting.append((chosen, chosen))
        return _test_form(chosen, result.choices.preferred, fitting)
    return {}


async def _curve(request: Request, context: Context, draft: Draft, result: Comparison) -> dict[str, Any]:
    """The power curve at the difference a user would care about; without one the library answers for several."""
    asked = request.query_params.get("difference", "").strip()
    values: dict[str, Any] = {"curve": None, "curve_job": None, "difference": asked, "curve_charts": []}
    values["detectable"] = result.detectable.reason or detectable_sentence(result.detectable)
    try:
        wanted = curve_request(draft, result, asked)
    except NoflukeError as error:
        return values | {"error": error.to_dict()}
    except ValidationError as error:
        return values | {"error": told(error)}
    name = f"power of {result.systems[0]} against {result.systems[1]}"
    job = context.jobs.submit_once("power_curve", wanted, name)
    ended = await context.jobs.ended(job.id, _PATIENCE) or job
    values["curve_job"] = ended
    if ended.state == "done":
        curve = await asyncio.to_thread(loaded, context.store, job.id)
        found = await asyncio.to_thread(shown, curve, ended, context.store) if curve is not None else {}
        values |= {f"curve{tail}": found.get(key) for tail, key in _OF_CURVE}
    return values


_OF_CURVE = (("", "report"), ("_charts", "charts"), ("_described", "described"))


@router.post("/compare/{identifier}/{name}")
async def change(request: Request, identifier: str, name: str) -> Response:
    """Take what was changed in a step and go on; everything that follows is computed anew."""
    context = context_of(request)
    draft = context.store.draft(identifier)
    if draft is None or name not in NAMES:
        return failure(request, 404, "there is no such comparison.", fix="begin at /compare.")
    async with form_of(request, context) as form:
        stay = bool(form.get("stay"))
        try:
            wanted = plain(CompareRequest.model_validate(changed(draft.request, name, form)))
        except (NoflukeError, ValidationError) as error:
            said = told(error) if isinstance(error, ValidationError) else error.to_dict()
            return await _decide(request, context, replace(draft, step=name), said, typed(draft.request, form))
    same = wanted == dict(draft.request)
    context.store.change_draft(draft.id, wanted, draft.job if same else "", name)
    onward = name if stay else NAMES[min(NAMES.index(name) + 1, len(NAMES) - 1)]
    return RedirectResponse(f"/compare/{draft.id}/{onward}", status_code=303)
