"""The guided comparison in the steps of the procedure: data, analysis, test, effect sizes, power, report."""

from __future__ import annotations

import asyncio
import copy
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from nofluke.errors import InputError, NoflukeError
from nofluke.types import Comparison
from nofluke.web.context import Context, context_of
from nofluke.web.data import ALIGNING
from nofluke.web.examples import EXAMPLES
from nofluke.web.forms import metric_choices, number, test_fields
from nofluke.web.rendering import failure, page
from nofluke.web.requests import CompareRequest, PowerCurveRequest, plain
from nofluke.web.results import loaded, shown
from nofluke.web.store import Draft, Job
from nofluke.web.uploads import keep, keep_text

router = APIRouter(include_in_schema=False)
_PATIENCE = 2.5  # seconds a page waits for a result before it shows a progress bar


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the procedure."""

    name: str
    title: str
    hint: str


STEPS = (
    Step("data", "Data", "what is compared"),
    Step("analysis", "Analysis", "what the data look like"),
    Step("test", "Test", "could it be a fluke?"),
    Step("effects", "Effect sizes", "how large is it?"),
    Step("power", "Power", "what could be found?"),
    Step("report", "Report", "to take with you"),
)
_NAMES = [step.name for step in STEPS]


@router.get("/compare")
@router.get("/compare.json")
def begin(request: Request) -> Response:
    """Give data: drop, paste, pick an example, or outputs with gold answers."""
    return _data_page(request, None, None)


def _data_page(request: Request, draft: Draft | None, error: Mapping[str, str] | None, status: int = 200) -> Response:
    values = {
        "steps": STEPS,
        "step": STEPS[0],
        "draft": draft,
        "error": error,
        "examples": [example for example in EXAMPLES if "compare" in example.actions],
        "metrics": metric_choices(),
        "form": draft.request if draft else {},
        "looked": None,
    }
    return page(request, "compare_data.html", values, status=status)


@router.post("/compare")
async def give(request: Request) -> Response:
    """Take the data and go on to the analysis."""
    context = context_of(request)
    form = await request.form(max_files=300, max_fields=300)
    try:
        data = await data_from(form, context)
        wanted = plain(CompareRequest.model_validate({"data": data}))
    except NoflukeError as error:
        return _data_page(request, None, error.to_dict(), status=422)
    except ValidationError as error:
        return _data_page(request, None, told(error), status=422)
    draft = context.store.add_draft("compare", wanted)
    return RedirectResponse(f"/compare/{draft.id}/data", status_code=303)


async def data_from(form: FormData, context: Context) -> dict[str, Any]:
    """The data part of a request, from a form with files, pasted text or an example."""
    example = str(form.get("example") or "")
    if example:
        return {"example": example}
    files = [await _kept(file, context) for file in form.getlist("file") if _chosen(file)]
    text = str(form.get("text") or "")
    if text.strip():
        files.append({"upload": keep_text(context.store, text).id})
    if not files:
        raise InputError("no data were given.", fix="drop a file, paste a table or pick an example.")
    gold = [await _kept(file, context) for file in form.getlist("gold") if _chosen(file)]
    data: dict[str, Any] = {"files": files}
    if gold:
        data |= {"gold": gold, "score_by": str(form.get("score_by") or "")}
        if not data["score_by"]:
            raise InputError("outputs with gold answers need a metric.", fix="choose a metric.")
    return data


def _chosen(file: Any) -> bool:
    return isinstance(file, UploadFile) and bool(file.filename)


async def _kept(file: Any, context: Context) -> dict[str, str]:
    from nofluke.web.api import blocks

    kept = await keep(context.store, file.filename or "file", blocks(file), context.limits)
    return {"upload": kept.id}


@router.get("/compare/{identifier}/{name}")
async def show(request: Request, identifier: str, name: str) -> Response:
    """One step; the comparison is computed when it is first needed."""
    context = context_of(request)
    name = name.removesuffix(".json")
    draft = context.store.draft(identifier)
    if draft is None or name not in _NAMES:
        return failure(request, 404, "there is no such comparison.", fix="begin at /compare.")
    job = await computed(context, draft)
    step = STEPS[_NAMES.index(name)]
    values: dict[str, Any] = {"steps": STEPS, "step": step, "draft": draft, "job": job, "form": draft.request}
    if job.state == "failed":
        values |= {"error": job.error, "choices": await _choices_after(context, draft)}
        return page(request, "compare_failed.html", values, status=422)
    if job.state != "done":
        return page(request, "compare_waiting.html", values)
    result = loaded(context.store.result(job.id) or "")
    if not isinstance(result, Comparison):
        return failure(request, 500, "the stored result is of another kind.", fix="compare again.")
    values |= {"result": result, "error": None, **shown(result)}
    values |= await _extras(context, draft, name, result)
    return page(request, f"compare_{name}.html" if name != "data" else "compare_columns.html", values)


async def computed(context: Context, draft: Draft) -> Job:
    """The job of a draft as it now stands; a changed draft has none yet."""
    job = context.store.job(draft.job) if draft.job else None
    if job is None:
        job = context.jobs.submit("compare", draft.request)
        context.store.change_draft(draft.id, draft.request, job.id)
    if job.state in ("queued", "running"):
        job = await asyncio.to_thread(context.jobs.wait, job.id, _PATIENCE) or job
    return job


async def _choices_after(context: Context, draft: Draft) -> dict[str, Any]:
    """What the file offers, so that a wrong guess about its columns can be put right."""
    return await _looked(context, draft)


async def _looked(context: Context, draft: Draft) -> dict[str, Any]:
    job = context.jobs.submit_once("inspect", {"data": draft.request["data"]})
    ended = await asyncio.to_thread(context.jobs.wait, job.id, _PATIENCE)
    content = context.store.result(job.id) if ended and ended.state == "done" else None
    found: dict[str, Any] = json.loads(content) if content else {}
    return found


async def _extras(context: Context, draft: Draft, name: str, result: Comparison) -> dict[str, Any]:
    if name == "data":
        return {"looked": await _looked(context, draft)}
    if name == "power":
        return await _curve(context, draft, result)
    if name == "test":
        return {"fields": test_fields(result.test.method), "settings": draft.request}
    return {}


async def _curve(context: Context, draft: Draft, result: Comparison) -> dict[str, Any]:
    """The power curve at the difference the user would care about, or at the detectable one."""
    stated = result.margin or result.detectable.difference
    if not math.isfinite(stated) or stated <= 0:
        return {"curve": None, "curve_job": None, "stated": False}
    shared = {name: draft.request[name] for name in ("data", *ALIGNING, "a", "b", "alpha", "alternative", "seed")}
    wanted = plain(PowerCurveRequest.model_validate({**shared, "method": result.test.method, "difference": stated}))
    name = f"power of {result.systems[0]} against {result.systems[1]}"
    job = context.jobs.submit_once("power_curve", wanted, name)
    ended = await asyncio.to_thread(context.jobs.wait, job.id, _PATIENCE) or job
    content = context.store.result(job.id) if ended.state == "done" else None
    curve = shown(loaded(content))["report"] if content else None
    return {"curve": curve, "curve_job": ended, "stated": bool(result.margin)}


@router.post("/compare/{identifier}/{name}")
async def change(request: Request, identifier: str, name: str) -> Response:
    """Take what was changed in a step and go on; everything that follows is computed anew."""
    context = context_of(request)
    draft = context.store.draft(identifier)
    if draft is None or name not in _NAMES:
        return failure(request, 404, "there is no such comparison.", fix="begin at /compare.")
    form = await request.form(max_fields=300)
    try:
        wanted = plain(CompareRequest.model_validate(_changed(draft.request, name, form)))
    except NoflukeError as error:
        return failure(request, 422, **error.to_dict())
    except ValidationError as error:
        return failure(request, 422, **told(error))
    same = wanted == dict(draft.request)
    context.store.change_draft(draft.id, wanted, draft.job if same else "")
    onward = name if form.get("stay") else _NAMES[min(_NAMES.index(name) + 1, len(_NAMES) - 1)]
    return RedirectResponse(f"/compare/{draft.id}/{onward}", status_code=303)


_COLUMNS = ("item", "system", "score", "dataset", "metric", "run", "cluster")
_PARTS = ("a", "b", "dataset", "metric", "run")


def _changed(request: Mapping[str, Any], name: str, form: FormData) -> dict[str, Any]:
    wanted: dict[str, Any] = copy.deepcopy(dict(request))
    if name == "data":
        columns = {role: str(form.get(f"column_{role}") or "") for role in _COLUMNS}
        wanted["data"]["columns"] = {role: column for role, column in columns.items() if column}
        direction = {"higher": True, "lower": False}.get(str(form.get("direction")))
        wanted["data"]["higher_is_better"] = direction
        wanted |= {part: str(form.get(part) or "") or None for part in _PARTS}
        wanted["unit"] = number(form, "unit", int, 1)
        wanted["unit_statistic"] = str(form.get("unit_statistic") or "mean")
        wanted["missing"] = "drop" if form.get("missing") == "drop" else "refuse"
        wanted["clusters"] = form.get("clusters") != "no"
    elif name == "test":
        method = str(form.get("method") or "auto")
        wanted |= {
            "method": method,
            "alternative": str(form.get("alternative") or "two-sided"),
            "alpha": number(form, "alpha", float, 0.05),
            "margin": number(form, "margin", float, None),
            "seed": number(form, "seed", int, 0),
        }
        # Options belong to one test; those of another are forgotten when the test is changed.
        kept = str(form.get("fields_of") or "") == method
        wanted["options"] = _options(method, form) if kept else {}
    return wanted


def _options(method: str, form: FormData) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in test_fields(method):
        given = str(form.get(f"option_{field.name}") or "")
        value = field.read(given)
        if value != field.default:
            found[field.name] = value
    return found


def told(error: ValidationError) -> dict[str, str]:
    """A wrong field in the words of a form."""
    first = error.errors()[0]
    return {"message": f"{first['msg']}.", "where": ".".join(map(str, first["loc"])), "fix": "correct this field."}
