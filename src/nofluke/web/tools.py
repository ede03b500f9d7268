"""Pages with one form each, where the question is fixed before the data are seen; and p-values, and annotators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from nofluke.errors import NoflukeError
from nofluke.registry import AGREEMENT, TESTS
from nofluke.web.bench import settings_of_page
from nofluke.web.context import Context, context_of
from nofluke.web.examples import EXAMPLES, pair_in
from nofluke.web.form_data import (
    OF_P_VALUES,
    OF_RATINGS,
    OF_SCORES,
    Kept,
    again,
    column_fields,
    columns_of,
    data_from,
    form_of,
    kept_files,
    linked,
    named_columns,
    only_file,
    reading_fields,
)
from nofluke.web.forms import (
    filled,
    method_choices,
    metric_choices,
    option_groups,
    options_from,
    settings_fields,
    wrong_field,
)
from nofluke.web.rendering import NAVIGATION, page
from nofluke.web.requests import BY_ACTION, ONLY_OF_SCORES, plain
from nofluke.web.results import unanswered

router = APIRouter(include_in_schema=False)
Reader = Callable[[FormData, Kept, Context], dict[str, Any]]


def _on_data(action: str) -> Reader:
    def read(form: FormData, kept: Kept, context: Context) -> dict[str, Any]:
        data = data_from(form, kept, context)
        settings = (pair_in(data.get("example")) if action == "compare" else {}) | filled(form, action)
        options = options_from(form, TESTS, settings.get("method", ""))
        return {"data": data, **settings, "options": options}

    return read


def _read_replicate(form: FormData, kept: Kept, context: Context) -> dict[str, Any]:
    settings = filled(form, "replicate")
    if published := form.get("published") or form.get("example"):
        of_table = ("alpha", "dependence", "sided", "subset", "fdr")
        return {**filled(form, "replicate", of_table), "published": str(published)}
    if form.get("holds") != "scores":
        settings = {name: value for name, value in settings.items() if name not in (*ONLY_OF_SCORES, "seed")}
        settings |= {name: value for name, value in named_columns(form).items() if value != {}}
        return {**settings, "p_table": only_file(kept, str(form.get("text") or ""), context)}
    options = options_from(form, TESTS, settings.get("method", ""))
    return {"data": data_from(form, kept, context), **settings, "options": options}


def _read_agree(form: FormData, kept: Kept, context: Context) -> dict[str, Any]:
    settings = filled(form, "agree")
    name = settings.get("name") or BY_ACTION["agree"].model_fields["name"].get_default()
    ratings = only_file(kept, str(form.get("text") or ""), context)
    return {"ratings": ratings, "columns": columns_of(form), **settings, "options": options_from(form, AGREEMENT, name)}


def _values_of(action: str) -> dict[str, Any]:
    fitting = [example for example in EXAMPLES if action in example.actions]
    values = settings_of_page(action, {})
    asked = [page.question for page in NAVIGATION if page.path == f"/{action}"]
    return {**_on_scores(), **values, "action": action, "title": asked[0], "examples": fitting, "looked": None}


def _replicate_values() -> dict[str, Any]:
    from nofluke.verbs.examples import published

    fields = column_fields(*OF_SCORES, *OF_P_VALUES)
    return {**_on_scores(), "columns": fields, "published": published()}


def _agree_values() -> dict[str, Any]:
    fields = column_fields(*OF_RATINGS)
    return {"columns": fields, "coefficients": method_choices(AGREEMENT), "groups": option_groups(AGREEMENT)}


def _on_scores() -> dict[str, Any]:
    tests = {"tests": method_choices(TESTS), "groups": option_groups(TESTS)}
    return {"columns": column_fields(*OF_SCORES), "reading": reading_fields(), "metrics": metric_choices(), **tests}


# Action -> how its form is read, what its page offers, and the template.
_PAGES: dict[str, tuple[Reader, Callable[[], dict[str, Any]], str]] = {
    "compare": (_on_data("compare"), lambda: _values_of("compare"), "ask.html"),
    "rank": (_on_data("rank"), lambda: _values_of("rank"), "ask.html"),
    "replicate": (_read_replicate, _replicate_values, "replicate.html"),
    "agree": (_read_agree, _agree_values, "agree.html"),
}
# Whose options a page asks for.
_REGISTRIES = {"compare": TESTS, "rank": TESTS, "replicate": TESTS, "agree": AGREEMENT}


def _show(
    request: Request,
    action: str,
    error: Mapping[str, str] | None = None,
    form: Mapping[str, Any] | None = None,
) -> Response:
    fields = BY_ACTION[action].model_fields
    defaults = {name: field.get_default() for name, field in fields.items() if not field.is_required()}
    values = {"error": error, "form": dict(form or {}), "defaults": defaults, "fields": settings_fields(action)}
    values |= {**_PAGES[action][1](), "options": values["form"]}
    return page(request, _PAGES[action][2], values, status=422 if error else 200)


async def _submit(request: Request, action: str) -> Response:
    context = context_of(request)
    async with form_of(request, context) as form:
        kept: Kept = {}
        try:
            kept = await kept_files(form, context)
            wanted = plain(BY_ACTION[action].model_validate(_PAGES[action][0](form, kept, context)))
        except (NoflukeError, ValidationError) as error:
            said = wrong_field(error) if isinstance(error, ValidationError) else error.to_dict("page")
            return _show(request, action, said, again(form, kept, context))
        job = context.jobs.submit(action, wanted)
        ended = await context.jobs.ended(job.id, context.patience)
        if ended is not None and ended.state == "failed" and wanted.get("data"):
            # An error about scores is put right where these are shown.
            return await unanswered(request, ended, ended.error, status=422)
        if ended is not None and ended.state == "failed":
            # The form says what is wrong; a failed entry in the history would say it twice.
            context.store.forget(job.id)
            return _show(request, action, ended.error, again(form, kept, context))
    return RedirectResponse(f"/jobs/{job.id}", status_code=303)


def _add(action: str) -> None:
    """The form, empty but for what its address says, its twin, and what becomes of a form that was filled in."""

    @router.get(f"/{action}")
    @router.get(f"/{action}.json")
    def empty(request: Request) -> Response:
        return _show(request, action, form=linked(request.query_params, action, _REGISTRIES[action]))

    @router.post(f"/{action}")
    async def given(request: Request) -> Response:
        return await _submit(request, action)


for _action in _PAGES:
    _add(_action)
