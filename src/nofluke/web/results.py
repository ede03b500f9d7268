"""Stored results: as pages, reports in every format, and pictures."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, Response

from nofluke.errors import NoflukeError
from nofluke.reports import FORMATS, WRITERS
from nofluke.reports.build import BUILDERS
from nofluke.types import Value
from nofluke.web.context import context_of
from nofluke.web.rendering import failure, page, redirect
from nofluke.web.showing import bare, completed, kind_of, loaded, picture, report_of, shown
from nofluke.web.store import Job
from nofluke.web.uploads import shown_names, uploads_of

router = APIRouter(include_in_schema=False)
_PICTURES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
_SEE = "see /history for those there are."


@router.get("/jobs/{identifier}")
@router.get("/jobs/{identifier}.json")
def show_job(request: Request, identifier: str) -> Response:
    """A job under way, or why it has no result."""
    job = context_of(request).store.job(identifier)
    if job is None:
        return failure(request, 404, f"there is no job {identifier!r}.", fix=_SEE)
    if job.state == "done":
        return redirect(request, f"/results/{identifier}")
    return page(request, "job.html", {"job": job})


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
        return failure(request, 422, **error.to_dict())
    return (job, result) if result is not None else redirect(request, f"/jobs/{job.id}")


@router.get("/results/{identifier}")
@router.get("/results/{identifier}.json")
def show_result(request: Request, identifier: str) -> Response:
    """One result as a page; an answer that is no report by its bare values."""
    store, job = context_of(request).store, _finished(request, identifier)
    if isinstance(job, Job) and kind_of(store, identifier) not in BUILDERS:
        return page(request, "answer.html", {"job": job, **bare(job, store)})
    found = _reportable(request, job)
    if isinstance(found, Response):
        return found
    return page(request, "result.html", {"job": found[0], **shown(found[1], found[0], store)})


@router.get("/results/{identifier}/inputs/{upload}")
def given(request: Request, identifier: str, upload: str) -> Response:
    """A file that a result was computed from, as it was given and as the calls name it."""
    store = context_of(request).store
    job = store.job(identifier)
    names = shown_names(uploads_of(store, job.request)) if job is not None else {}
    if upload not in names:
        return failure(request, 404, "this result has no such file.", fix=_SEE)
    return FileResponse(store.path_of(upload), media_type="application/octet-stream", filename=names[upload])


@router.get("/examples/{name}.csv")
def example(request: Request, name: str) -> Response:
    """A built-in example as a file, so that the calls shown can be made with it."""
    from nofluke.readers.writing import scores_csv
    from nofluke.web.examples import example_scores

    try:
        content = scores_csv(example_scores(name))
    except NoflukeError as error:
        return failure(request, 404, **error.to_dict())
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/results/{identifier}/report.{suffix}")
def download(request: Request, identifier: str, suffix: str) -> Response:
    """A report as a file."""
    found = _reportable(request, _finished(request, identifier))
    if isinstance(found, Response):
        return found
    formats = {one.suffix: one for one in FORMATS}
    if suffix not in formats:
        return failure(request, 404, f"there is no report as .{suffix}.", fix=f"choose one of {', '.join(formats)}.")
    job, store = found[0], context_of(request).store
    try:
        result = completed(found[1], job, store)
        text = WRITERS[formats[suffix].name](result, *report_of(result, job, store))
    except NoflukeError as error:
        return failure(request, 422, **error.to_dict())
    headers = {"Content-Disposition": f'attachment; filename="nofluke-{identifier}.{suffix}"'}
    return Response(text, media_type=formats[suffix].media, headers=headers)


@router.get("/results/{identifier}/charts/{name}.{kind}")
def chart(request: Request, identifier: str, name: str, kind: str, theme: str = "light") -> Response:
    """A picture of a result; SVG for the page, PNG and PDF to take away."""
    found = _reportable(request, _finished(request, identifier))
    if isinstance(found, Response):
        return found
    media = _PICTURES.get(kind)
    if media is None:
        return failure(request, 404, f"there is no picture as .{kind}.", fix="choose svg, png or pdf.")
    try:
        content = picture(context_of(request).store, identifier, found[1], name, kind, dark=theme == "dark")
    except NoflukeError as error:
        return failure(request, 404, **error.to_dict())
    return Response(content, media_type=media, headers={"Cache-Control": "private, max-age=3600"})
