"""Stored results: as pages, reports in every format, and pictures."""

from __future__ import annotations

import functools
import json
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from nofluke.errors import NoflukeError
from nofluke.types import Value
from nofluke.web.context import context_of
from nofluke.web.rendering import failure, page
from nofluke.web.store import Job

router = APIRouter(include_in_schema=False)
TYPES = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "markdown": "text/markdown; charset=utf-8",
    "latex": "text/x-tex; charset=utf-8",
    "text": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "bibtex": "text/x-bibtex; charset=utf-8",
}
SUFFIXES = {
    "html": "html",
    "json": "json",
    "markdown": "md",
    "latex": "tex",
    "text": "txt",
    "csv": "csv",
    "bibtex": "bib",
}


@functools.lru_cache(maxsize=64)
def loaded(content: str) -> Value:
    """The library's value behind a stored result."""
    from nofluke.types.load import from_dict

    return from_dict(json.loads(content))


def result_of(request: Request, identifier: str) -> tuple[Job, Value] | Response:
    """Find a job and its result, or say what is missing."""
    store = context_of(request).store
    job = store.job(identifier)
    if job is None:
        return failure(request, 404, f"there is no result {identifier!r}.", fix="see /history for those there are.")
    content = store.result(identifier)
    if content is None:
        return RedirectResponse(f"/jobs/{identifier}", status_code=303)
    return job, loaded(content)


@router.get("/jobs/{identifier}")
@router.get("/jobs/{identifier}.json")
def show_job(request: Request, identifier: str) -> Response:
    """A job under way, or why it has no result."""
    job = context_of(request).store.job(identifier)
    if job is None:
        return failure(request, 404, f"there is no job {identifier!r}.", fix="see /history for those there are.")
    if job.state == "done":
        return RedirectResponse(f"/results/{identifier}", status_code=303)
    return page(request, "job.html", {"job": job})


@router.get("/results/{identifier}")
@router.get("/results/{identifier}.json")
def show_result(request: Request, identifier: str) -> Response:
    """One result as a page."""
    found = result_of(request, identifier)
    if isinstance(found, Response):
        return found
    job, result = found
    return page(request, "result.html", {"job": job, **shown(result), "result": result})


def shown(result: Value) -> dict[str, Any]:
    """What a page shows of a result: its report, its charts and its downloads."""
    from nofluke.charts import chart_names
    from nofluke.reports.build import build

    report = build(result)
    names = list(chart_names(result))
    return {"report": report, "charts": names, "formats": list(TYPES)}


@router.get("/results/{identifier}/report.{suffix}")
def download(request: Request, identifier: str, suffix: str) -> Response:
    """A report as a file."""
    import nofluke as nf

    found = result_of(request, identifier)
    if isinstance(found, Response):
        return found
    formats = {ending: name for name, ending in SUFFIXES.items()}
    if suffix not in formats:
        return failure(request, 404, f"there is no report as .{suffix}.", fix=f"choose one of {', '.join(formats)}.")
    try:
        text = nf.report(found[1], format=formats[suffix])
    except NoflukeError as error:
        return failure(request, 422, **error.to_dict())
    headers = {"Content-Disposition": f'attachment; filename="nofluke-{identifier}.{suffix}"'}
    return Response(text, media_type=TYPES[formats[suffix]], headers=headers)


@router.get("/results/{identifier}/charts/{name}.{kind}")
def chart(request: Request, identifier: str, name: str, kind: str, theme: str = "light") -> Response:
    """A picture of a result; SVG for the page, PNG and PDF to take away."""
    found = result_of(request, identifier)
    if isinstance(found, Response):
        return found
    media = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}.get(kind)
    if media is None:
        return failure(request, 404, f"there is no picture as .{kind}.", fix="choose svg, png or pdf.")
    try:
        content = _picture(context_of(request).store.result(identifier) or "", name, kind, theme == "dark")
    except NoflukeError as error:
        return failure(request, 404, **error.to_dict())
    return Response(content, media_type=media, headers={"Cache-Control": "private, max-age=3600"})


@functools.lru_cache(maxsize=256)
def _picture(content: str, name: str, kind: str, dark: bool) -> bytes:
    from nofluke.charts import draw, rendered
    from nofluke.charts.theme import darkened

    picture = rendered(draw(loaded(content), name), kind)
    if isinstance(picture, bytes):
        return picture
    return (darkened(picture) if dark else picture).encode("utf-8")
