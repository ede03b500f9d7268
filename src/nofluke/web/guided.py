"""The guided comparison in the steps of the procedure: data, analysis, test, effect sizes, power, report."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from nofluke.errors import NoflukeError
from nofluke.registry import TESTS
from nofluke.types import Comparison
from nofluke.web.context import Context, context_of
from nofluke.web.examples import EXAMPLES, pair_in
from nofluke.web.form_data import (
    OF_SCORES,
    Kept,
    again,
    column_fields,
    data_from,
    form_of,
    kept_files,
    linked,
    reading_fields,
)
from nofluke.web.forms import (
    filled,
    method_choices,
    metric_choices,
    option_groups,
    options_from,
    settings_fields,
    told,
)
from nofluke.web.guided_extras import extras, looked_at, named_files
from nofluke.web.rendering import failure, page
from nofluke.web.requests import BY_ACTION, plain
from nofluke.web.result_view import loaded, shown
from nofluke.web.steps import NAMES, STEPS, changed, fields_of_step, shown_options, typed, with_facts
from nofluke.web.store import Draft, Job

router = APIRouter(include_in_schema=False)


@router.get("/compare")
@router.get("/compare.json")
def begin(request: Request) -> Response:
    """Give data: drop, paste, pick an example, or outputs with gold answers."""
    given = linked(request.query_params, "compare", TESTS)
    way = "outputs" if given.get("score_by") else "counts" if given.get("formula") else "scores"
    return _first_page(request, given={"way": way, "carried": _carried(given), **given})


def _carried(given: Mapping[str, Any]) -> dict[str, str]:
    """What an address says that is asked in later steps: the first one passes it on."""
    methods = {field.key for group in option_groups(TESTS) for field in group.fields}
    later = {*settings_fields("compare"), "direction", *methods, *(f"column_{role}" for role in OF_SCORES)}
    return {name: text for name, text in given.items() if name in later}


def _first_page(
    request: Request, error: Mapping[str, str] | None = None, given: Mapping[str, Any] | None = None
) -> Response:
    values = {
        "steps": STEPS,
        "step": STEPS[0],
        "draft": None,
        "error": error,
        "examples": [example for example in EXAMPLES if "compare" in example.actions],
        "metrics": metric_choices(),
        "reading": reading_fields(),
        "given": dict(given or {}),
    }
    return page(request, "compare_data.html", values, status=422 if error else 200)


@router.post("/compare")
async def give(request: Request) -> Response:
    """Take the data and show what they were taken for."""
    context = context_of(request)
    async with form_of(request, context) as form:
        kept: Kept = {}
        try:
            kept = await kept_files(form, context)
            data = data_from(form, kept, context)
            settings = pair_in(data.get("example")) | filled(form, "compare")
            options = options_from(form, TESTS, settings.get("method", ""))
            wanted = plain(BY_ACTION["compare"].model_validate({"data": data, **settings, "options": options}))
        except (NoflukeError, ValidationError) as error:
            return _first_page(request, _said(error), again(form, kept, context))
    draft = context.store.add_draft("compare", wanted)
    return RedirectResponse(f"/compare/{draft.id}/data", status_code=303)


def _said(error: NoflukeError | ValidationError) -> dict[str, str]:
    return told(error) if isinstance(error, ValidationError) else error.to_dict("page")


@router.get("/compare/{identifier}/{name}")
async def show(request: Request, identifier: str, name: str) -> Response:
    """One step; nothing is tested before the step that follows the data."""
    context = context_of(request)
    name = name.removesuffix(".json")
    draft = _draft(context, identifier)
    if draft is None or name not in NAMES:
        return failure(request, 404, "there is no such comparison.", fix="begin at /compare.")
    if name == "data":
        return await _columns(request, context, draft)
    job = await _computed(context, draft)
    values: dict[str, Any] = {"steps": STEPS, "step": STEPS[NAMES.index(name)], "draft": draft, "job": job}
    if job.state == "failed":
        return await _columns(request, context, draft, job.error)
    if job.state != "done":
        return page(request, "compare_waiting.html", values)
    result = await asyncio.to_thread(loaded, context.store, job.id)
    if not isinstance(result, Comparison):
        return failure(request, 500, "the stored result is of another kind.", fix="compare again.")
    steps = with_facts(result, name)
    values |= {"form": draft.request, "result": result, "error": None, "steps": steps}
    values["step"] = steps[NAMES.index(name)]
    values |= await asyncio.to_thread(shown, result, job, context.store)
    values |= await extras(request, context, draft, name, result)
    if name == "test":
        values |= {"systems": result.systems, **_test_form(draft.request, result)}
    return page(request, f"compare_{name}.html", values)


def _draft(context: Context, identifier: str) -> Draft | None:
    """A draft as this version asks: one that an earlier version kept knows nothing of newer settings."""
    draft = context.store.draft(identifier)
    if draft is None:
        return None
    usual = plain(BY_ACTION["compare"].model_validate({"data": draft.request["data"]}))
    return replace(draft, request={**usual, **draft.request})


async def _columns(
    request: Request,
    context: Context,
    draft: Draft,
    error: Mapping[str, str] | None = None,
    form: Mapping[str, Any] | None = None,
) -> Response:
    """What is compared and asked; what cannot be computed is said above the form in which it can be put right."""
    step = draft.step if error and draft.step in ("data", "test") else "data"
    values: dict[str, Any] = {"steps": STEPS, "step": STEPS[NAMES.index(step)], "draft": draft}
    looking, looked = await looked_at(context, draft)
    if looking.state not in ("done", "failed") and not error:
        return page(request, "compare_waiting.html", {**values, "job": looking})
    problem = error or looked["problem"] or None
    shown_form = dict(form or draft.request)
    values |= {
        "error": problem,
        "form": shown_form,
        "columns": column_fields(*OF_SCORES),
        "reading": reading_fields(),
        "looked": looked,
        **_test_form(shown_form),
    }
    values["systems"] = tuple(looked["pair"]) or ("A", "B")
    values["files"] = named_files(context, shown_form)
    template = "compare_failed.html" if problem else "compare_columns.html"
    return page(request, template, values, status=422 if problem else 200)


def _test_form(form: Mapping[str, Any], result: Comparison | None = None) -> dict[str, Any]:
    """The tests to choose from (those that fit, once that is known) and the options of each."""
    tests = method_choices(TESTS)
    if result is not None:
        fitting = {one.method for one in result.choices.rows if one.verdict != "inappropriate"} | {form["method"]}
        tests = [(name, label) for name, label in tests if name in fitting]
    names = {name for name, _ in tests}
    groups = [group for group in option_groups(TESTS) if group.method in names]
    preferred = result.choices.preferred if result is not None else ""
    fields = {f"{step}_fields": fields_of_step(step) for step in ("data", "test")}
    return {"tests": tests, "groups": groups, "options": shown_options(form), "preferred": preferred, **fields}


async def _computed(context: Context, draft: Draft) -> Job:
    """The job of a draft as it now stands; a changed draft has none yet."""
    job = context.store.job(draft.job) if draft.job else None
    if job is None:
        job = context.jobs.submit("compare", draft.request)
        context.store.change_draft(draft.id, draft.request, job.id)
    if job.state in ("queued", "running"):
        job = await context.jobs.ended(job.id, context.patience) or job
    return job


@router.post("/compare/{identifier}/{name}")
async def change(request: Request, identifier: str, name: str) -> Response:
    """Take what was changed in a step and go on; everything that follows is computed anew."""
    context = context_of(request)
    draft = _draft(context, identifier)
    if draft is None or name not in NAMES:
        return failure(request, 404, "there is no such comparison.", fix="begin at /compare.")
    async with form_of(request, context) as form:
        stay = bool(form.get("stay"))
        if form.get("retry"):
            context.jobs.retry(draft.job)
            return RedirectResponse(f"/compare/{draft.id}/{name}", status_code=303)
        try:
            wanted = plain(BY_ACTION["compare"].model_validate(changed(draft.request, name, form)))
        except (NoflukeError, ValidationError) as error:
            shown_again = typed(draft.request, form)
            return await _columns(request, context, replace(draft, step=name), _said(error), shown_again)
    same = wanted == dict(draft.request)
    context.store.change_draft(draft.id, wanted, draft.job if same else "", name)
    onward = name if stay else NAMES[min(NAMES.index(name) + 1, len(NAMES) - 1)]
    return RedirectResponse(f"/compare/{draft.id}/{onward}", status_code=303)
