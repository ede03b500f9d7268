"""Stored results: as pages, reports in every format, and pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import FileResponse, HTMLResponse, Response

from nofluke.errors import InputError, NoflukeError
from nofluke.reports import FORMATS, WRITERS
from nofluke.reports.build import BUILDERS
from nofluke.types import Value
from nofluke.web.bench import around, inspection_of, looked_at, mends
from nofluke.web.changing import asked_of_same_data, changed, typed
from nofluke.web.context import context_of
from nofluke.web.drop import answered, ask_once
from nofluke.web.form_data import form_of, kept_files
from nofluke.web.forms import wrong_field
from nofluke.web.pictures import Look, picture
from nofluke.web.planning import plan_address
from nofluke.web.rendering import failure, page, redirect
from nofluke.web.requests import BY_ACTION, as_asked_today, plain, table_alone
from nofluke.web.result_view import bare, completed, kind_of, loaded, report_of, shown
from nofluke.web.safety import REPORT_HEADERS, Refused
from nofluke.web.store import Job
from nofluke.web.uploads import file_name, shown_names, uploads_of

router = APIRouter(tags=["nofluke"], responses={"4XX": {"model": Refused, "description": "What was wrong."}})
_PICTURES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
_SEE = "see /history for those there are."


@router.get("/jobs/{identifier}", include_in_schema=False)
@router.get("/jobs/{identifier}.json", include_in_schema=False)
async def show_job(request: Request, identifier: str) -> Response:
    """A job under way, or why it has no result, with all that can be done about it."""
    context = context_of(request)
    job = context.store.job(identifier)
    if job is None:
        return failure(request, 404, f"there is no job {identifier!r}.", fix=_SEE)
    if job.action == "inspect" and job.state == "done":
        looked = inspection_of(context, job)
        return await answered(context, job) if looked["systems"] else await unanswered(request, job, looked["problem"])
    if job.state == "done":
        return redirect(request, f"/results/{identifier}")
    if job.state == "failed" and (job.request.get("data") or table_alone(job.request)):
        return await unanswered(request, job, job.error)
    return page(request, "job.html", {"job": job})


async def unanswered(
    request: Request,
    job: Job,
    error: Mapping[str, Any],
    form: Mapping[str, Any] | None = None,
    status: int = 200,
) -> Response:
    """What is wrong, above the data and the settings with which it can be put right."""
    values = await around(context_of(request), job, form=form)
    values["mends"] = mends(job, error, values["looked"])
    return page(request, "unanswered.html", {"job": job, "error": error, **values}, status=status)


@router.post("/jobs/{identifier}/change", include_in_schema=False)
async def change(request: Request, identifier: str) -> Response:
    """Ask again with other settings, columns or files read otherwise, or ask another question of the same data."""
    context = context_of(request)
    job = context.store.job(identifier)
    if job is None or job.action not in BY_ACTION:
        return failure(request, 404, f"there is no result {identifier!r}.", fix=_SEE)
    async with form_of(request, context) as form:
        question = str(form.get("question") or job.action)
        try:
            if question not in BY_ACTION:
                raise InputError(f"{question!r} is no question.", fix="choose one of those on the page.")
            before = asked_of_same_data(question, job.action, as_asked_today(job.action, job.request))
            wanted = plain(BY_ACTION[question].model_validate(changed(question, before, form)))
            if wanted.get("data") and (gold := (await kept_files(form, context))["gold"]):
                wanted["data"]["gold"] = gold
        except (NoflukeError, ValidationError) as error:
            said = wrong_field(error) if isinstance(error, ValidationError) else error.to_dict("page")
            return await unanswered(request, job, said, typed(job.action, job.request, form), 422)
    if question == "inspect":
        return await answered(context, (await looked_at(context, wanted["data"]))[0])
    if job.state == "failed" and question == job.action:
        context.store.forget(job.id)  # it was put right, and would only be in the way
    return await ask_once(context, question, wanted)


@router.get("/compare/{identifier}/{step}", include_in_schema=False)
async def earlier_draft(request: Request, identifier: str) -> Response:
    """A comparison that was begun in the steps of an earlier version: all of them stand on one page now."""
    context = context_of(request)
    draft = context.store.draft(identifier)
    if draft is None:
        return failure(request, 404, "there is no such comparison.", fix="begin at /.")
    return await ask_once(context, "compare", as_asked_today("compare", draft.request))


def _finished(request: Request, identifier: str) -> Job | Response:
    """A job that has a result, or what to say instead."""
    store = context_of(request).store
    job = store.job(identifier)
    if job is None:
        return failure(request, 404, f"there is no result {identifier!r}.", fix=_SEE)
    return job if job.state == "done" else redirect(request, f"/jobs/{identifier}")


def _reportable(request: Request, job: Job | Response) -> tuple[Job, Value] | Response:
    """A job with a result that a report can be made of, or what to say instead."""
    if isinstance(job, Response):
        return job
    store = context_of(request).store
    if kind_of(store, job.id) not in BUILDERS:
        return failure(request, 404, "this answer has no report.", fix=f"see it at /results/{job.id}.")
    try:
        result = loaded(store, job.id)
    except NoflukeError as error:  # another version wrote it
        return failure(request, 422, **error.to_dict("page"))
    return (job, result) if result is not None else redirect(request, f"/jobs/{job.id}")


@router.get("/results/{identifier}", include_in_schema=False)
@router.get("/results/{identifier}.json", include_in_schema=False)
async def show_result(request: Request, identifier: str) -> Response:
    """One result as a page; an answer that is no report by its bare values."""
    context = context_of(request)
    store, job = context.store, await asyncio.to_thread(_finished, request, identifier)
    if isinstance(job, Job) and kind_of(store, identifier) not in BUILDERS:
        return page(request, "answer.html", {"job": job, **bare(job, store)})
    found = await asyncio.to_thread(_reportable, request, job)
    if isinstance(found, Response):
        return found
    job, result = found
    plan = plan_address(result) if job.request.get("data") or getattr(result, "systems", ()) else ""
    values = {"job": job, "error": None, "plan": plan, **await asyncio.to_thread(shown, result, job, store)}
    return page(request, "result.html", values | await around(context, job, result))


@router.get("/results/{identifier}/inputs/{upload}", summary="A file that a result was computed from")
def given(request: Request, identifier: str, upload: str) -> Response:
    """A file that a result was computed from, as it was given and as the calls name it."""
    store = context_of(request).store
    job = store.job(identifier)
    names = shown_names(uploads_of(store, job.request)) if job is not None else {}
    if upload not in names:
        return failure(request, 404, "this result has no such file.", fix=_SEE)
    return FileResponse(store.path_of(upload), media_type="application/octet-stream", filename=names[upload])


@router.get("/examples/{name}.csv", summary="A built-in example as a file")
def example(request: Request, name: str) -> Response:
    """A built-in example as a file, so that the calls shown can be made with it."""
    from nofluke.readers.writing import scores_csv
    from nofluke.web.examples import example_scores

    try:
        content = scores_csv(example_scores(name))
    except NoflukeError as error:
        return failure(request, 404, **error.to_dict("page"))
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


@router.get(
    "/results/{identifier}/report.{suffix}",
    summary="The report of a result",
    responses={200: {"content": {one.media: {} for one in FORMATS}}},
)
def download(request: Request, identifier: str, suffix: str) -> Response:
    """A report as a file: html, md, tex, txt, json, csv or bib."""
    found = _reportable(request, _finished(request, identifier))
    if isinstance(found, Response):
        return found
    formats = {one.suffix: one for one in FORMATS}
    if suffix not in formats:
        return failure(request, 404, f"there is no report as .{suffix}.", fix=f"choose one of {', '.join(formats)}.")
    text = _written(request, *found, formats[suffix].name)
    if isinstance(text, Response):
        return text
    headers = {"Content-Disposition": f'attachment; filename="{file_name(found[0].name or identifier, suffix)}"'}
    return Response(text, media_type=formats[suffix].media, headers=headers)


@router.get(
    "/results/{identifier}/report",
    summary="The report of a result, to be read in a browser",
    responses={200: {"content": {"text/html": {}}}},
)
def open_report(request: Request, identifier: str) -> Response:
    """The HTML report as a page of its own, which can neither read nor ask anything of the app."""
    found = _reportable(request, _finished(request, identifier))
    text = found if isinstance(found, Response) else _written(request, *found, "html")
    return text if isinstance(text, Response) else HTMLResponse(text, headers=REPORT_HEADERS)


def _written(request: Request, job: Job, value: Value, form: str) -> str | Response:
    """The report in one of its forms, or what to say instead."""
    store = context_of(request).store
    try:
        result = completed(value, job, store)
        return WRITERS[form](result, *report_of(result, job, store))
    except NoflukeError as error:
        return failure(request, 422, **error.to_dict("page"))


@router.get(
    "/results/{identifier}/charts/{name}.{kind}",
    summary="A picture of a result",
    responses={200: {"content": {media: {} for media in _PICTURES.values()}}},
)
async def chart(
    request: Request, identifier: str, name: str, kind: str, theme: str = "light", width: str = "wide"
) -> Response:
    """SVG for a page, also with theme=dark and width=narrow; PNG and PDF to take away.

    The JSON twin of a result's page names its charts.
    """
    found = await asyncio.to_thread(lambda: _reportable(request, _finished(request, identifier)))
    if isinstance(found, Response):
        return found
    media = _PICTURES.get(kind)
    if media is None:
        return failure(request, 404, f"there is no picture as .{kind}.", fix="choose svg, png or pdf.")
    try:
        look = Look(kind, dark=theme == "dark", narrow=width == "narrow")
        content = await picture(context_of(request).store, identifier, found[1], name, look)
    except NoflukeError as error:
        return failure(request, 404, **error.to_dict("page"))
    return Response(content, media_type=media, headers={"Cache-Control": "private, max-age=3600"})
