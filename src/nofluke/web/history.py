"""What was computed before: list, rename, delete, retry, take in a shared file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from nofluke.errors import NoflukeError, listing
from nofluke.web import sharing
from nofluke.web.actions import ACTIONS
from nofluke.web.context import context_of
from nofluke.web.form_data import form_of
from nofluke.web.rendering import failure, page
from nofluke.web.result_cache import forget
from nofluke.web.sharing import LARGEST_SHARED
from nofluke.web.store import Chosen, Store
from nofluke.web.uploads import TooLargeError, dropped_folders, shown_names, uploads_of

router = APIRouter(include_in_schema=False)
_A_PAGE = 100
_FILES = 3


@router.get("/history")
@router.get("/history.json")
def history(
    request: Request,
    start: Annotated[int, Query(alias="from", ge=0, lt=2**31)] = 0,
    search: Annotated[str, Query(max_length=200)] = "",
    action: Annotated[str, Query(max_length=40)] = "",
    failed: bool = False,
) -> Response:
    """What was computed, the newest first, a hundred at a time; what failed is kept apart."""
    return _shown(request, start, Chosen(failed, action, search.strip()))


def _shown(
    request: Request, start: int, chosen: Chosen, error: Mapping[str, str] | None = None, status: int = 200
) -> Response:
    store = context_of(request).store
    jobs = store.jobs(_A_PAGE, start, chosen)
    values: dict[str, Any] = {
        "jobs": jobs,
        "sources": {job.id: _source(store, job.request) for job in jobs},
        "total": store.count_jobs(chosen),
        "failures": store.count_jobs(Chosen(failed=True)),
        "actions": [name for name in ACTIONS if name != "inspect"],
        "chosen": {"search": chosen.search, "action": chosen.action, "failed": str(chosen.failed).lower()},
        "start": start,
        "newer": max(0, start - _A_PAGE),
        "older": start + _A_PAGE,
        "error": error,
    }
    return page(request, "history.html", values, status=status)


@router.post("/history/delete")
async def delete_several(request: Request) -> Response:
    """Delete the entries that were chosen."""
    context = context_of(request)
    async with form_of(request, context) as form:
        chosen = [str(one) for one in form.getlist("chosen")]
        looked_at = Chosen(
            form.get("failed") == "true", str(form.get("action") or "")[:40], str(form.get("search") or "")[:200]
        )
    for identifier in chosen:
        if context.store.job(identifier) is not None:
            await asyncio.to_thread(context.jobs.delete, identifier)
            forget(context.store, identifier)
    return _back(looked_at)


def _back(chosen: Chosen) -> Response:
    """Lead back to the part of the history that was looked at."""
    told = {"failed": "true" if chosen.failed else "", "search": chosen.search, "action": chosen.action}
    query = urlencode({name: value for name, value in told.items() if value})
    return RedirectResponse(f"/history?{query}" if query else "/history", status_code=303)


def _source(store: Store, request: Mapping[str, Any]) -> str:
    """The data behind a result, as their user knows them."""
    data = request.get("data") or {}
    if example := data.get("example") or request.get("published"):
        return f"example {example}"
    names = shown_names(uploads_of(store, request))
    return listing(dropped_folders(data.get("files") or (), names) or names.values(), _FILES)


@router.post("/history/{identifier}/{what}")
def change(
    request: Request,
    identifier: str,
    what: str,
    name: Annotated[str, Form(max_length=200)] = "",
    back: Annotated[str, Form(max_length=20)] = "",
    failed: Annotated[bool, Form()] = False,
    search: Annotated[str, Form(max_length=200)] = "",
    action: Annotated[str, Form(max_length=40)] = "",
) -> Response:
    """Rename, delete, cancel or retry one entry; from the page of a result a new name leads back to it."""
    context = context_of(request)
    job = context.store.job(identifier)
    if job is None or what not in ("rename", "delete", "cancel", "retry"):
        return failure(request, 404, f"there is no result {identifier!r}.", fix="see /history for those there are.")
    if what == "rename":
        context.store.rename(identifier, name)
        if back == "result":
            return RedirectResponse(f"/results/{identifier}", status_code=303)
    elif what == "delete":
        context.jobs.delete(identifier)
        forget(context.store, identifier)
    elif what == "cancel":
        context.jobs.cancel(identifier)
        return RedirectResponse(f"/jobs/{identifier}", status_code=303)
    elif job.action != "shared":
        context.jobs.retry(identifier)
        return RedirectResponse(f"/jobs/{identifier}", status_code=303)
    return _back(Chosen(failed, action, search))


@router.post("/history")
def take_in(request: Request, file: UploadFile) -> Response:
    """Add a result that somebody shared as a report; what cannot be shown is not kept."""
    try:
        kept = sharing.take_in(context_of(request).store, file.file.read(LARGEST_SHARED + 1), file.filename or "")
    except NoflukeError as error:
        return _shown(request, 0, Chosen(), error.to_dict("page"), 413 if isinstance(error, TooLargeError) else 422)
    return RedirectResponse(f"/results/{kept}", status_code=303)
