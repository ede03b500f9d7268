"""Stored results: as pages, reports in every format, and pictures."""

from __future__ import annotations

import functools
import json
from collections import OrderedDict
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, Response

from nofluke.errors import InputError, NoflukeError
from nofluke.reports.provenance import Run
from nofluke.types import Report, Value
from nofluke.web.calling import with_calls
from nofluke.web.context import context_of
from nofluke.web.rendering import failure, page, redirect
from nofluke.web.store import Job, Store, named_uploads

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


class _Kept:
    """The results looked at last, by the id of their job; a result never changes once it is there."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.values: OrderedDict[tuple[str, str], Value] = OrderedDict()

    def get(self, store: Store, identifier: str) -> Value | None:
        key = (str(store.folder), identifier)
        found = self.values.get(key)
        if found is None:
            content = store.result(identifier)
            if content is None:
                return None
            found = parsed(content)
            self.values[key] = found
            while len(self.values) > self.most:
                self.values.popitem(last=False)
        return found


_KEPT = _Kept(64)


def parsed(content: str | bytes) -> Value:
    """The library's value that a stored or shared text holds."""
    from nofluke.types.load import from_dict

    data = json.loads(content)
    if not isinstance(data, dict):
        raise TypeError("a result is an object")
    return from_dict(data)


def loaded(store: Store, identifier: str) -> Value | None:
    """The library's value behind a finished job."""
    return _KEPT.get(store, identifier)


def result_of(request: Request, identifier: str) -> tuple[Job, Value] | Response:
    """Find a job and its result, or say what is missing."""
    store = context_of(request).store
    job = store.job(identifier)
    if job is None:
        return failure(request, 404, f"there is no result {identifier!r}.", fix="see /history for those there are.")
    try:
        result = loaded(store, identifier)
    except NoflukeError:  # an answer of the API that is no report: a number, columns
        return Response(store.result(identifier) or "{}", media_type="application/json")
    if result is None:
        return redirect(request, f"/jobs/{identifier}")
    return job, result


@router.get("/jobs/{identifier}")
@router.get("/jobs/{identifier}.json")
def show_job(request: Request, identifier: str) -> Response:
    """A job under way, or why it has no result."""
    job = context_of(request).store.job(identifier)
    if job is None:
        return failure(request, 404, f"there is no job {identifier!r}.", fix="see /history for those there are.")
    if job.state == "done":
        return redirect(request, f"/results/{identifier}")
    return page(request, "job.html", {"job": job})


@router.get("/results/{identifier}")
@router.get("/results/{identifier}.json")
def show_result(request: Request, identifier: str) -> Response:
    """One result as a page."""
    found = result_of(request, identifier)
    if isinstance(found, Response):
        return found
    job, result = found
    return page(request, "result.html", {"job": job, **shown(result, job, context_of(request).store), "result": result})


def shown(result: Value, job: Job | None = None, store: Store | None = None) -> dict[str, Any]:
    """What a page shows of a result: its report with the job's own calls, its charts, downloads and data."""
    from nofluke.charts import chart_names

    report, run = report_of(result, job, store)
    names = list(chart_names(result))
    told = {name: described(result, name, str(store.folder) if store else "", job.id if job else "") for name in names}
    inputs = (
        [
            {"name": upload.name, "sha256": upload.sha256, "path": f"/results/{job.id}/inputs/{upload.id}"}
            for upload in (store.upload(one) for one in sorted(named_uploads(job.request)))
            if upload is not None
        ]
        if job and store
        else []
    )
    example = (job.request.get("data") or {}).get("example") if job else None
    if example:
        inputs.append({"name": f"{example}.csv", "sha256": "", "path": f"/examples/{example}.csv"})
    return {
        "report": report,
        "run": run.to_dict(),
        "charts": names,
        "described": told,
        "formats": list(TYPES),
        "inputs": inputs,
    }


def report_of(result: Value, job: Job | None, store: Store | None) -> tuple[Report, Run]:
    """The report of a result, with the calls of the job that made it."""
    from nofluke.reports.build import build

    report = build(result)
    return with_calls(report, job, store) if job and store else (report, Run())


_DESCRIBED: dict[tuple[str, str, str], str] = {}


def described(result: Value, name: str, folder: str, identifier: str) -> str:
    """What a chart shows, in the chart's own words."""
    from nofluke.charts import draw

    key = (folder, identifier, name)
    if not identifier or key not in _DESCRIBED:
        if len(_DESCRIBED) > 2000:
            _DESCRIBED.clear()
        text = draw(result, name).to_dict().get("description", "")
        _DESCRIBED[key] = str(text) or name.replace("_", " ")
    return _DESCRIBED[key]


@router.get("/results/{identifier}/inputs/{upload}")
def given(request: Request, identifier: str, upload: str) -> Response:
    """A file that a result was computed from, as it was given."""
    store = context_of(request).store
    job, found = store.job(identifier), store.upload(upload)
    if job is None or found is None or upload not in named_uploads(job.request):
        return failure(request, 404, "this result has no such file.", fix="see /history for those there are.")
    return FileResponse(store.path_of(upload), media_type="application/octet-stream", filename=found.name)


@router.get("/examples/{name}.csv")
def example(request: Request, name: str) -> Response:
    """A built-in example as a file, so that the calls shown can be made with it."""
    from nofluke.web.examples import as_csv, example_scores

    try:
        content = as_csv(example_scores(name))
    except NoflukeError as error:
        return failure(request, 404, **error.to_dict())
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(content, media_type=TYPES["csv"], headers=headers)


@router.get("/results/{identifier}/report.{suffix}")
def download(request: Request, identifier: str, suffix: str) -> Response:
    """A report as a file."""
    from nofluke.reports import WRITERS

    found = result_of(request, identifier)
    if isinstance(found, Response):
        return found
    formats = {ending: name for name, ending in SUFFIXES.items()}
    if suffix not in formats:
        return failure(request, 404, f"there is no report as .{suffix}.", fix=f"choose one of {', '.join(formats)}.")
    job, result = found
    try:
        report, run = report_of(result, job, context_of(request).store)
        text = WRITERS[formats[suffix]](result, report, run)
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
        content = _picture(context_of(request).store, identifier, name, kind, theme == "dark")
    except NoflukeError as error:
        return failure(request, 404, **error.to_dict())
    return Response(content, media_type=media, headers={"Cache-Control": "private, max-age=3600"})


@functools.lru_cache(maxsize=256)
def _picture(store: Store, identifier: str, name: str, kind: str, dark: bool) -> bytes:
    from nofluke.charts import draw, rendered
    from nofluke.charts.theme import darkened

    result = loaded(store, identifier)
    if result is None:
        raise InputError("there is no such picture.", fix="see /history for the results there are.")
    picture = rendered(draw(result, name), kind)
    if isinstance(picture, bytes):
        return picture
    return (darkened(picture) if dark else picture).encode("utf-8")
