"""The JSON API: the same names as the library, one shape for every error."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, File, Query, Response, UploadFile
from fastapi import Request as HttpRequest
from fastapi.responses import FileResponse, JSONResponse
from pydantic import BaseModel, Field

from nofluke.errors import NoflukeError
from nofluke.web import requests
from nofluke.web.context import Context, context_of
from nofluke.web.requests import Request, plain
from nofluke.web.result_cache import forget
from nofluke.web.safety import Answered, Refused, UnderWay, error_response
from nofluke.web.sharing import LARGEST_SHARED, take_in
from nofluke.web.store import Job
from nofluke.web.uploads import TooLargeError, blocks, keep, readable_name, with_text_kept

router = APIRouter(
    prefix="/api",
    tags=["nofluke"],
    responses={"4XX": {"model": Refused, "description": "What was wrong, where, and how to put it right."}},
)
Wait = Annotated[float, Query(ge=0, le=60, description="Seconds to wait for the result before a job is returned.")]


_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"model": Answered, "description": "The result, as the library writes it."},
    202: {"model": UnderWay, "description": "The job, when the result takes longer than `wait`."},
}


class NewName(BaseModel):
    """The name a user gives a result."""

    name: Annotated[str, Field(max_length=200)]


def _add_action(action: str, model: type[Request]) -> None:
    question = (model.__doc__ or "").partition("\n")[0]

    async def endpoint(http: HttpRequest, body: Any, wait: Wait = 10) -> Response:
        context = context_of(http)
        try:
            prepared = await asyncio.to_thread(with_text_kept, context.store, plain(body))
        except NoflukeError as error:
            return refused(error)
        job = context.jobs.submit(action, prepared)
        ended = await context.jobs.ended(job.id, wait)
        return await answer(context, ended or job)

    endpoint.__annotations__["body"] = model
    endpoint.__name__ = action
    router.post(f"/{action}", summary=question, responses=_ANSWERS)(endpoint)


for _name, _model in requests.BY_ACTION.items():
    _add_action(_name, _model)


async def answer(context: Context, job: Job) -> Response:
    """The result of a finished job, its error, or the job itself while it is under way."""
    if job.state == "done":
        content = await asyncio.to_thread(context.store.result, job.id) or "{}"
        body = f'{{"ok": true, "id": "{job.id}", "result": {content}}}'
        return Response(body, media_type="application/json", headers={"Location": f"/api/jobs/{job.id}"})
    if job.state == "failed":
        status = 500 if job.error.get("kind") == "inside" else 422
        return error_response(status, **{key: job.error.get(key, "") for key in ("message", "where", "fix")})
    return JSONResponse({"ok": True, "job": job.to_dict()}, status_code=202)


def refused(error: NoflukeError) -> Response:
    """An error of the library in the one shape."""
    return error_response(413 if isinstance(error, TooLargeError) else 422, **error.to_dict("api"))


@router.post("/uploads", summary="Send a file with scores, outputs, p-values or annotations", status_code=201)
async def upload(http: HttpRequest, file: Annotated[UploadFile, File()]) -> Response:
    """Keep a file; its id can then stand in any request."""
    context = context_of(http)
    try:
        kept = await keep(context.store, readable_name(file.filename or "file"), blocks(file), context.limits)
    except NoflukeError as error:
        return refused(error)
    return JSONResponse({"ok": True, "upload": {"id": kept.id, "name": kept.name, "size": kept.size}}, status_code=201)


@router.post("/results", summary="Open a result that was shared as a JSON file", status_code=201)
def open_result(http: HttpRequest, file: Annotated[UploadFile, File()]) -> Response:
    """Keep a JSON report of nofluke as a finished job; its id then gives its page, reports and charts."""
    context = context_of(http)
    try:
        kept = take_in(context.store, file.file.read(LARGEST_SHARED + 1), file.filename or "")
    except NoflukeError as error:
        return refused(error)
    job = context.store.job(kept)
    return JSONResponse({"ok": True, "id": kept, "job": job.to_dict() if job else {}}, status_code=201)


@router.get("/jobs", summary="All jobs, the newest first")
def list_jobs(
    http: HttpRequest,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    offset: Annotated[int, Query(ge=0, lt=2**31)] = 0,
) -> Response:
    """What was computed, is under way, or was interrupted; `limit` at a time, from `offset` on."""
    store = context_of(http).store
    return JSONResponse(
        {"ok": True, "total": store.count_jobs(), "jobs": [job.to_dict() for job in store.jobs(limit, offset)]}
    )


def _of_job(http: HttpRequest, identifier: str, act: Callable[[Context, Job], Any]) -> Response:
    context = context_of(http)
    job = context.store.job(identifier)
    if job is None:
        return error_response(404, f"there is no job {identifier!r}.", fix="see /api/jobs for those there are.")
    found = act(context, job)
    return (
        found
        if isinstance(found, Response)
        else JSONResponse({"ok": True, "job": (context.store.job(job.id) or job).to_dict()})
    )


@router.get("/jobs/{identifier}", summary="How far is this job?")
def show_job(http: HttpRequest, identifier: str) -> Response:
    """State and progress of one job."""
    return _of_job(http, identifier, lambda _context, _job: None)


@router.get("/jobs/{identifier}/result", summary="The result of a job")
def job_result(http: HttpRequest, identifier: str) -> Response:
    """The result as the library's own JSON, which `nofluke report` reads."""

    def result(context: Context, job: Job) -> Response:
        content = context.store.result(job.id)
        if content is None:
            return error_response(409, f"the job is {job.state} and has no result.", fix="wait for it, or retry it.")
        return Response(content, media_type="application/json")

    return _of_job(http, identifier, result)


@router.get("/jobs/{identifier}/items.csv", summary="What a scoring gave every item")
def job_items(http: HttpRequest, identifier: str) -> Response:
    """The scores, or the statistics behind them, of every item and system as a table: the rows behind `score`."""

    def items(context: Context, job: Job) -> Response:
        path = context.store.items_of(job.id)
        if job.state != "done" or not path.exists():
            return error_response(404, "this job kept no scores of items.", fix="POST /api/score keeps them.")
        return FileResponse(path, media_type="text/csv; charset=utf-8", filename=f"nofluke-{job.id}-items.csv")

    return _of_job(http, identifier, items)


@router.post("/jobs/{identifier}/cancel", summary="Stop a job")
def cancel_job(http: HttpRequest, identifier: str) -> Response:
    """Stop it at once; a finished job stays as it is."""
    return _of_job(http, identifier, lambda context, job: context.jobs.cancel(job.id))


@router.post("/jobs/{identifier}/retry", summary="Run a job again that has no result")
def retry_job(http: HttpRequest, identifier: str) -> Response:
    """Queue a failed, cancelled or interrupted job again."""

    def retry(context: Context, job: Job) -> Response | None:
        if job.action == "shared" or not context.jobs.retry(job.id):
            return error_response(409, f"the job is {job.state}.", fix="only a job without a result can be retried.")
        return None

    return _of_job(http, identifier, retry)


@router.patch("/jobs/{identifier}", summary="Rename a result")
def rename_job(http: HttpRequest, identifier: str, body: NewName) -> Response:
    """Give a result a name of its own in the history."""
    return _of_job(http, identifier, lambda context, job: context.store.rename(job.id, body.name))


@router.delete("/jobs/{identifier}", summary="Delete a result")
def delete_job(http: HttpRequest, identifier: str) -> Response:
    """Forget a job and its result."""

    def delete(context: Context, job: Job) -> Response:
        context.jobs.delete(job.id)
        forget(context.store, job.id)
        return JSONResponse({"ok": True})

    return _of_job(http, identifier, delete)
