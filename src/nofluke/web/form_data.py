"""The data part of a form: files, pasted text or an example, and how they are to be read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from starlette.datastructures import FormData, QueryParams, UploadFile
from starlette.requests import Request

from nofluke.errors import InputError
from nofluke.readers.aliases import OUTPUT_ROLES, P_ROLES, RATING_ROLES, SCORE_ROLES
from nofluke.registry import AGREEMENT, METRICS, Registry
from nofluke.web.context import Context
from nofluke.web.forms import Field, fields_of, filled, settings_fields
from nofluke.web.requests import OPTIONS_OF, READING
from nofluke.web.uploads import blocks, is_garbage, keep, keep_text, readable_name
from nofluke.words.fixes import COLUMNS

# Roles that have a field; columns to be ignored have none.
OF_SCORES = tuple(role for role in dict.fromkeys((*SCORE_ROLES, *OUTPUT_ROLES)) if role in COLUMNS)
OF_P_VALUES = tuple(role for role in P_ROLES if role in COLUMNS and role not in OF_SCORES)
OF_RATINGS = tuple(role for role in RATING_ROLES if role in COLUMNS)
# What a page asks about reading in a way of its own; all other options of reading are fields like those of verbs.
_IN_ANOTHER_WAY = ("columns", "higher_is_better", "gold", "score_by", "metric_options")
_DIRECTIONS = {"higher": True, "lower": False}
Kept = Mapping[str, list[dict[str, str]]]


def column_fields(*roles: str) -> dict[str, str]:
    """The fields in which columns are named, by role, with what they are called."""
    return {role: COLUMNS[role] for role in roles}


def reading_fields() -> dict[str, Field]:
    """The options of reading that are filled in as they are."""
    return {name: field for name, field in settings_fields("data").items() if name not in _IN_ANOTHER_WAY}


def form_of(request: Request, context: Context) -> AbstractAsyncContextManager[FormData]:
    """The form a client sent, closed in the end; a pasted text may be as long as any other body."""
    return request.form(max_files=300, max_fields=300, max_part_size=context.limits.body_bytes)


async def kept_files(form: FormData, context: Context) -> Kept:
    """Keep the files of a form before anything else is read: an error must not ask for them a second time."""
    found: dict[str, list[dict[str, str]]] = {}
    # A link names the system of a file as a command does.
    called = {file: name for name, _, file in (str(one).rpartition("=") for one in form.getlist("linked")) if name}
    for part, field in (("files", "file"), ("gold", "gold")):
        files = [file for file in form.getlist(field) if isinstance(file, UploadFile) and file.filename]
        paths = _paths(form, [str(file.filename) for file in files]) if field == "file" else {}
        new = [await _kept_file(file, context, called, paths.get(at, "")) for at, file in enumerate(files)]
        found[part] = new or [{"upload": str(one)} for one in form.getlist(f"kept_{part}") if one]
    return found


def data_from(form: FormData, kept: Kept, context: Context) -> dict[str, Any]:
    """The data part of a request: an example, files with pasted text, and how to read them."""
    example = str(form.get("example") or "")
    if example:
        return {"example": example}
    files, text = list(kept["files"]), str(form.get("text") or "")
    if text.strip():
        files.append({"upload": keep_text(context.store, text).id})
    if not files:
        raise InputError("no data were given.", fix="drop a file, paste a table or pick an example.")
    data: dict[str, Any] = {"files": files, **named_columns(form), **filled(form, "data", reading_fields())}
    if not kept["gold"] and not form.get("score_by"):
        return data
    if not form.get("score_by"):
        raise InputError("outputs with gold answers need a metric.", fix="choose a metric.")
    return {**data, "gold": kept["gold"], **data_options(form)}


def data_options(form: FormData) -> dict[str, Any]:
    """The metric that scores outputs, with its options; nothing where none is named."""
    if not form.get("score_by"):
        return {"score_by": None, "metric_options": {}}
    return {"score_by": str(form["score_by"]), "metric_options": _metric_options(form)}


def only_file(kept: Kept, text: str, context: Context) -> dict[str, str]:
    """The one file, or the pasted text, of a form that needs just that."""
    if text.strip():
        return {"upload": keep_text(context.store, text).id}
    if not kept["files"]:
        raise InputError("no file was given.", fix="choose a file, or paste a table.")
    return kept["files"][0]


def direction(form: Mapping[str, Any]) -> bool | None:
    """Whether higher scores are better; None where that is left to the metric's name."""
    return _DIRECTIONS.get(str(form.get("direction")))


def again(form: FormData, kept: Kept, context: Context) -> dict[str, Any]:
    """What was filled in, to be shown again after an error; files that arrived need not be sent twice."""
    texts = ((name, value) for name, value in form.items() if isinstance(value, str))
    found: dict[str, Any] = {name: value for name, value in texts if not is_garbage(value)}
    for part, entries in kept.items():
        known = [context.store.upload(entry["upload"]) for entry in entries]
        found[f"kept_{part}"] = [(upload.id, upload.name) for upload in known if upload is not None]
    return found


def linked(query: QueryParams, action: str, registry: Registry) -> dict[str, Any]:
    """What an address fills in, which has options by the names of the command line (see nofluke.call.in_url).

    It carries no files: `linked_files` names those it was made of, for the user to choose.
    """
    named = {option.flag: option.name for option in (*OPTIONS_OF[action].values(), *READING)}
    form: dict[str, Any] = {named.get(name, name): ", ".join(query.getlist(name)) for name in query}
    form |= {f"column_{role}": name for role, _, name in (one.partition("=") for one in query.getlist("columns"))}
    if form.get("higher_is_better") in ("true", "false"):
        form["direction"] = {"true": "higher", "false": "lower"}[form["higher_is_better"]]
    if coefficients := query.getlist("coefficient"):
        form["name"], form["others"] = coefficients[0], ", ".join(coefficients[1:])
    chosen = str(form.get("name" if registry is AGREEMENT else "method"))
    fields = fields_of(registry[chosen]) if chosen in registry else ()
    form |= {field.key: form[field.option.name] for field in fields if field.option.name in form}
    return form | {"linked_files": [*query.getlist("files"), *query.getlist("gold")]}


def named_columns(form: FormData) -> dict[str, Any]:
    """Give the columns that were named, and the direction where it was."""
    found: dict[str, Any] = {"columns": columns_of(form)}
    known = direction(form)
    return found if known is None else found | {"higher_is_better": known}


def columns_of(form: FormData) -> dict[str, str]:
    """Give the columns that were named, by role."""
    named = {role: str(form.get(f"column_{role}") or "").strip() for role in COLUMNS}
    return {role: column for role, column in named.items() if column}


def _metric_options(form: FormData) -> dict[str, Any]:
    """Options of a metric as NAME=VALUE, one a line or with commas between them."""
    text = str(form.get("metric_options") or "").strip()
    known = {field.option.name: field for field in fields_of(METRICS[str(form["score_by"])])} if text else {}
    found: dict[str, Any] = {}
    for part in (part.strip() for part in text.replace(",", "\n").splitlines()):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if part and name not in known:
            raise InputError(
                f"the metric has no option {name!r}.",
                where="metric_options",
                fix=f"write NAME=VALUE; options: {', '.join(known) or 'none'}.",
            )
        if part:
            found[name] = known[name].read(value)
    return found


def _paths(form: FormData, names: Sequence[str]) -> dict[int, str]:
    """Where the files of a dropped folder lay in it, as the page's script says beside them; {} where that is not so."""
    try:
        told = json.loads(str(form.get("paths") or "[]"))
    except (ValueError, RecursionError):
        return {}
    fits = isinstance(told, list) and len(told) == len(names)
    if not fits or not all(str(path).endswith(name) for path, name in zip(told, names, strict=True)):
        return {}
    return dict(enumerate(map(str, told)))


async def _kept_file(file: Any, context: Context, called: Mapping[str, str], path: str) -> dict[str, str]:
    name = path or readable_name(file.filename or "file")
    kept = await keep(context.store, name, blocks(file), context.limits)
    named = {"system": called[file.filename]} if file.filename in called else {}
    return {"upload": kept.id, **named}
