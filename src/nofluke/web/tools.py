"""Pages with one form each: many systems, many datasets, annotators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from nofluke.errors import InputError, NoflukeError
from nofluke.web.context import Context, context_of
from nofluke.web.examples import EXAMPLES
from nofluke.web.forms import (
    COLUMNS,
    again,
    agreement_levels,
    data_from,
    form_of,
    metric_choices,
    number,
    test_choices,
    told,
)
from nofluke.web.rendering import page
from nofluke.web.requests import BY_ACTION, plain

router = APIRouter(include_in_schema=False)
_PATIENCE = 2.5


def _published() -> list[tuple[str, str]]:
    from nofluke.verbs.examples import published

    return published()


def _values(action: str) -> dict[str, Any]:
    from nofluke.registry import AGREEMENT, CORRECTIONS

    shared: dict[str, Any] = {"columns": COLUMNS, "metrics": metric_choices(), "tests": test_choices()}
    if action == "rank":
        corrections = [(method.name, method.label) for method in CORRECTIONS]
        fitting = [example for example in EXAMPLES if "rank" in example.actions]
        return {**shared, "examples": fitting, "corrections": corrections}
    if action == "replicate":
        return {**shared, "published": _published()}
    return {
        "coefficients": [(method.name, method.label) for method in AGREEMENT],
        "levels": agreement_levels(),
    }


def _show(
    request: Request,
    action: str,
    error: Mapping[str, str] | None = None,
    status: int = 200,
    form: Mapping[str, Any] | None = None,
) -> Response:
    defaults = {name: field.get_default() for name, field in BY_ACTION[action].model_fields.items()}
    values = {"error": error, "form": dict(form or {}), "defaults": defaults, **_values(action)}
    return page(request, f"{action}.html", values, status=status)


async def _submit(request: Request, action: str, read: Callable[[FormData, Context], Any]) -> Response:
    async with form_of(request, context_of(request)) as form:
        return await _asked(request, action, read, form)


async def _asked(request: Request, action: str, read: Callable[[FormData, Context], Any], form: FormData) -> Response:
    context = context_of(request)
    asked: dict[str, Any] = {}
    try:
        asked = await read(form, context)
        wanted = plain(BY_ACTION[action].model_validate(asked))
    except NoflukeError as error:
        return _show(request, action, error.to_dict(), 422, again(form, _files_in(asked), context))
    except ValidationError as error:
        return _show(request, action, told(error), 422, again(form, _files_in(asked), context))
    job = context.jobs.submit(action, wanted)
    ended = await context.jobs.ended(job.id, _PATIENCE)
    if ended is not None and ended.state == "failed":
        filled = again(form, _files_in(wanted), context)
        context.store.forget(job.id)
        return _show(request, action, ended.error, 422, filled)
    return RedirectResponse(f"/jobs/{job.id}", status_code=303)


def _files_in(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The files of a request, wherever an action has them."""
    single = asked.get("p_table") or asked.get("ratings")
    return {"files": [single]} if single else dict(asked.get("data") or {})


def _file(data: Mapping[str, Any]) -> Any:
    if not data.get("files"):
        raise InputError("no file was given.", fix="choose a file, or paste a table.")
    return data["files"][0]


@router.get("/rank")
@router.get("/rank.json")
def rank_form(request: Request) -> Response:
    """Give the scores of many systems."""
    return _show(request, "rank")


@router.post("/rank")
async def rank(request: Request) -> Response:
    """Rank them."""

    async def read(form: FormData, context: Context) -> dict[str, Any]:
        return {
            "data": await data_from(form, context),
            "alpha": number(form, "alpha", float, 0.05),
            "unit": number(form, "unit", int, 1),
            "adjust": str(form.get("adjust") or "holm"),
            "method": str(form.get("method") or "auto"),
            "family": str(form.get("family") or "directions"),
            "baseline": str(form.get("baseline") or "") or None,
            "dataset": str(form.get("dataset") or "") or None,
            "metric": str(form.get("metric") or "") or None,
            "missing": "drop" if form.get("missing") == "drop" else "refuse",
            "clusters": form.get("clusters") != "no",
        }

    return await _submit(request, "rank", read)


@router.get("/replicate")
@router.get("/replicate.json")
def replicate_form(request: Request) -> Response:
    """Paste p-values, pick a published table, or give scores on several datasets."""
    return _show(request, "replicate")


@router.post("/replicate")
async def replicate(request: Request) -> Response:
    """Count and name the datasets."""

    async def read(form: FormData, context: Context) -> dict[str, Any]:
        wanted: dict[str, Any] = {
            "alpha": number(form, "alpha", float, 0.05),
            "dependence": str(form.get("dependence") or "") or None,
            "sided": str(form.get("sided") or "one"),
            "fdr": bool(form.get("fdr")),
        }
        if form.get("published"):
            return wanted | {"published": str(form["published"])}
        data = await data_from(form, context)
        if form.get("holds") == "scores":
            chosen = {name: str(form.get(name) or "") or None for name in ("a", "b", "metric", "alternative")}
            return wanted | {"data": data, "method": str(form.get("method") or "auto"), **chosen}
        return wanted | {"p_table": _file(data)}

    return await _submit(request, "replicate", read)


@router.get("/agree")
@router.get("/agree.json")
def agree_form(request: Request) -> Response:
    """Give annotations."""
    return _show(request, "agree")


@router.post("/agree")
async def agree(request: Request) -> Response:
    """Measure the agreement."""

    async def read(form: FormData, context: Context) -> dict[str, Any]:
        data = await data_from(form, context)
        categories = [part.strip() for part in str(form.get("categories") or "").split(",") if part.strip()]
        level = str(form.get("level") or "")
        return {
            "ratings": _file(data),
            "name": str(form.get("name") or "krippendorff_alpha"),
            "layout": str(form.get("layout") or "auto"),
            "categories": categories or None,
            "width": number(form, "width", float, None),
            "options": {"level": level} if level and form.get("name") == "krippendorff_alpha" else {},
        }

    return await _submit(request, "agree", read)
