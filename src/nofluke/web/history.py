"""What was computed before: list, rename, delete, retry, take in a shared file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from nofluke.web.context import context_of
from nofluke.web.rendering import failure, page
from nofluke.web.showing import forget, parsed, shown
from nofluke.web.uploads import readable_name
from nofluke.web.worker import headline_of

router = APIRouter(include_in_schema=False)
LARGEST_SHARED = 50 * 2**20
_A_PAGE = 100


@router.get("/history")
@router.get("/history.json")
def history(request: Request, start: Annotated[int, Query(alias="from", ge=0, lt=2**31)] = 0) -> Response:
    """All jobs, the newest first, a hundred at a time."""
    return _shown(request, start, None)


def _shown(request: Request, start: int, error: Mapping[str, str] | None, status: int = 200) -> Response:
    store = context_of(request).store
    values: dict[str, Any] = {
        "jobs": store.jobs(_A_PAGE, start),
        "total": store.count_jobs(),
        "start": start,
        "newer": max(0, start - _A_PAGE),
        "older": start + _A_PAGE,
        "error": error,
    }
    return page(request, "history.html", values, status=status)


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
    context = context_of(request)
    content = file.file.read(LARGEST_SHARED + 1)
    if len(content) > LARGEST_SHARED:
        said = {
            "message": f"the file is larger than {LARGEST_SHARED // 2**20} MB.",
            "where": "",
            "fix": "use `nofluke report`.",
        }
        return _shown(request, 0, said, 413)
    try:
        value = parsed(content)
        shown(value)
        text, headline = json.dumps({"ok": True, **value.to_dict()}, allow_nan=False), headline_of(value)
        json.dumps(value.to_dict(), ensure_ascii=False).encode("utf-8")  # half a surrogate pair cannot be shown
    except Exception:  # whatever a damaged or made-up file leads to, it is no result
        said = {"message": "this is no result that nofluke wrote.", "where": "", "fix": "choose a .json report."}
        return _shown(request, 0, said, 422)
    name = readable_name(file.filename or "shared result")
    kept = context.store.add_finished("shared", name, text, headline)
    return RedirectResponse(f"/results/{kept}", status_code=303)
