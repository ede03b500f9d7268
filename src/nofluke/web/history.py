"""What was computed before: list, rename, delete, retry, take in a shared file."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from nofluke.errors import NoflukeError
from nofluke.web.context import context_of
from nofluke.web.rendering import failure, page
from nofluke.web.store import Job

router = APIRouter(include_in_schema=False)
_LARGEST_SHARED = 50 * 2**20


def _listed(request: Request) -> list[Job]:
    """What a user asked for; looking at columns is no result."""
    return [job for job in context_of(request).store.jobs() if job.action != "inspect"]


@router.get("/history")
@router.get("/history.json")
def history(request: Request) -> Response:
    """All jobs, the newest first."""
    return page(request, "history.html", {"jobs": _listed(request), "error": None})


@router.post("/history/{identifier}/{what}")
def change(request: Request, identifier: str, what: str, name: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Rename, delete, cancel or retry one entry."""
    context = context_of(request)
    job = context.store.job(identifier)
    if job is None:
        return failure(request, 404, f"there is no result {identifier!r}.", fix="see /history for those there are.")
    if what == "rename":
        context.store.rename(identifier, name)
    elif what == "delete":
        context.jobs.cancel(identifier)
        context.store.delete(identifier)
    elif what == "cancel":
        context.jobs.cancel(identifier)
    elif what == "retry" and job.state not in ("queued", "running", "done"):
        context.jobs.retry(identifier)
        return RedirectResponse(f"/jobs/{identifier}", status_code=303)
    return RedirectResponse("/history", status_code=303)


@router.post("/history")
async def take_in(request: Request, file: UploadFile) -> Response:
    """Add a result that somebody shared as a JSON file."""
    import json

    from nofluke.types.load import from_dict

    context = context_of(request)
    content = await file.read(_LARGEST_SHARED)
    try:
        value = from_dict(json.loads(content))
        text = json.dumps({"ok": True, **value.to_dict()}, ensure_ascii=False, allow_nan=False)
    except (NoflukeError, ValueError, TypeError, KeyError, RecursionError):
        said = {"message": "this is no result that nofluke wrote.", "where": "", "fix": "choose a .json report."}
        return page(request, "history.html", {"jobs": _listed(request), "error": said}, status=422)
    job = context.store.add_job("shared", {}, name=(file.filename or "shared result")[:120])
    context.store.begin(job.id)
    context.store.finish(job.id, text, str(getattr(value, "headline", "")) or str(value).partition("\n")[0])
    return RedirectResponse(f"/results/{job.id}", status_code=303)
