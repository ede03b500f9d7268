"""What was computed before: list, rename, delete, retry, take in a shared file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from nofluke.errors import NoflukeError, listing
from nofluke.web import sharing
from nofluke.web.context import context_of
from nofluke.web.rendering import failure, page
from nofluke.web.result_cache import forget
from nofluke.web.sharing import LARGEST_SHARED
from nofluke.web.store import Store
from nofluke.web.uploads import TooLargeError, shown_names, uploads_of

router = APIRouter(include_in_schema=False)
_A_PAGE = 100
_FILES = 3


@router.get("/history")
@router.get("/history.json")
def history(request: Request, start: Annotated[int, Query(alias="from", ge=0, lt=2**31)] = 0) -> Response:
    """All jobs, the newest first, a hundred at a time."""
    return _shown(request, start, None)


def _shown(request: Request, start: int, error: Mapping[str, str] | None, status: int = 200) -> Response:
    store = context_of(request).store
    jobs = store.jobs(_A_PAGE, start)
    values: dict[str, Any] = {
        "jobs": jobs,
        "sources": {job.id: _source(store, job.request) for job in jobs},
        "total": store.count_jobs(),
        "start": start,
        "newer": max(0, start - _A_PAGE),
        "older": start + _A_PAGE,
        "error": error,
    }
    return page(request, "history.html", values, status=status)


def _source(store: Store, request: Mapping[str, Any]) -> str:
    """The data behind a result, as their user knows them."""
    example = (request.get("data") or {}).get("example") or request.get("published")
    return listing([f"example {example}"] if example else shown_names(uploads_of(store, request)).values(), _FILES)


@router.post("/history/{identifier}/{what}")
def change(request: Request, identifier: str, what: str, name: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Rename, delete, cancel or retry one entry."""
    context = context_of(request)
    job = context.store.job(identifier)
    if job is None or what not in ("rename", "delete", "cancel", "retry"):
        return failure(request, 404, f"there is no result {identifier!r}.", fix="see /history for those there are.")
    if what == "rename":
        context.store.rename(identifier, name)
    elif what == "delete":
        context.jobs.delete(identifier)
        forget(context.store, identifier)
    elif what == "cancel":
        context.jobs.cancel(identifier)
        return RedirectResponse(f"/jobs/{identifier}", status_code=303)
    elif job.action != "shared":
        context.jobs.retry(identifier)
        return RedirectResponse(f"/jobs/{identifier}", status_code=303)
    return RedirectResponse("/history", status_code=303)


@router.post("/history")
def take_in(request: Request, file: UploadFile) -> Response:
    """Add a result that somebody shared as a JSON file; what cannot be shown is not kept."""
    try:
        kept = sharing.take_in(context_of(request).store, file.file.read(LARGEST_SHARED + 1), file.filename or "")
    except NoflukeError as error:
        return _shown(request, 0, error.to_dict("page"), 413 if isinstance(error, TooLargeError) else 422)
    return RedirectResponse(f"/results/{kept}", status_code=303)
