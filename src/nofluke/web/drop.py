"""The first page: drop data, and nofluke finds out what they are, asks what fits them, and shows the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from nofluke.errors import NoflukeError
from nofluke.web.bench import inspection_of, looked_at, question_of
from nofluke.web.context import Context, context_of
from nofluke.web.examples import EXAMPLES
from nofluke.web.form_data import Kept, again, data_from, form_of, kept_files, reading_fields
from nofluke.web.forms import metric_choices, wrong_field
from nofluke.web.rendering import page
from nofluke.web.requests import BY_ACTION, plain
from nofluke.web.sharing import HEAD, LARGEST_SHARED, is_report, take_in
from nofluke.web.store import Job

router = APIRouter(include_in_schema=False)


@router.get("/")
@router.get("/index.json")
def home(request: Request) -> Response:
    """Where everything begins."""
    return _shown(request)


def _shown(request: Request, error: Mapping[str, str] | None = None, form: Mapping[str, Any] | None = None) -> Response:
    store = context_of(request).store
    values = {
        "examples": list(EXAMPLES),
        "metrics": metric_choices(),
        "reading": reading_fields(),
        "latest": [job for job in store.jobs(12) if job.state == "done"][:4],
        "error": error,
        "form": dict(form or {}),
    }
    return page(request, "home.html", values, status=422 if error else 200)


@router.post("/")
async def drop(request: Request) -> Response:
    """Take the data, find out what they are, and go to the answer."""
    context = context_of(request)
    async with form_of(request, context) as form:
        kept: Kept = {}
        try:
            report = await _report_in(form)
            if report is not None:
                shared = take_in(context.store, *report)
                return RedirectResponse(f"/results/{shared}", status_code=303)
            kept = await kept_files(form, context)
            data = plain(BY_ACTION["inspect"].model_validate({"data": data_from(form, kept, context)}))["data"]
        except (NoflukeError, ValidationError) as error:
            said = wrong_field(error) if isinstance(error, ValidationError) else error.to_dict("page")
            return _shown(request, said, again(form, kept, context))
    looking, _ = await looked_at(context, data)
    return await answered(context, looking)


async def _report_in(form: FormData) -> tuple[bytes, str] | None:
    """The report that was dropped as if it were data, with its name: it is opened again, not read as a table."""
    files = [file for file in form.getlist("file") if isinstance(file, UploadFile) and file.filename]
    if len(files) != 1:
        return None
    head = await files[0].read(HEAD)
    if not is_report(head):
        await files[0].seek(0)
        return None
    return head + await files[0].read(LARGEST_SHARED), str(files[0].filename)


async def answered(context: Context, looking: Job) -> Response:
    """Where the answer to a look at data stands: the look itself, while it lasts and where nothing could be read."""
    looked = inspection_of(context, looking)
    if looking.state != "done" or not looked["systems"]:
        return RedirectResponse(f"/jobs/{looking.id}", status_code=303)
    question = question_of(looked)
    wanted = plain(BY_ACTION[question].model_validate({"data": looking.request["data"]}))
    return await ask_once(context, question, wanted)


async def ask_once(context: Context, action: str, wanted: Mapping[str, Any]) -> Response:
    """Ask once, and wait a moment for the answer."""
    job = context.jobs.submit_once(action, wanted)
    ended = await context.jobs.ended(job.id, context.patience) or job
    where = "results" if ended.state == "done" else "jobs"
    return RedirectResponse(f"/{where}/{job.id}", status_code=303)
