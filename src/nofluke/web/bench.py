"""What stands around an answer: how its files were read, the settings to change, other questions of the same data."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nofluke.errors import Option
from nofluke.readers.aliases import OUTPUT_ROLES, P_ROLES, RATING_ROLES, SCORE_ROLES
from nofluke.registry import CORRECTIONS
from nofluke.types import Comparison, Value
from nofluke.web.changing import methods_of, shown_options
from nofluke.web.context import Context
from nofluke.web.data import systems_in
from nofluke.web.form_data import reading_fields
from nofluke.web.forms import Field, method_choices, metric_choices, option_groups, settings_fields
from nofluke.web.inspecting import Inspection
from nofluke.web.requests import BY_ACTION, READING_RATINGS, plain, table_alone
from nofluke.web.store import Job
from nofluke.web.uploads import dropped_folders, shown_names, uploads_of
from nofluke.words.fixes import on_page


@dataclass(frozen=True, slots=True)
class SettingsGroup:
    """Settings that belong together; only the first group stands open."""

    title: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Something that can be asked of data with this many systems and datasets."""

    action: str
    label: str
    systems: tuple[int, int]
    datasets: int = 1
    method: str = ""


@dataclass(frozen=True, slots=True)
class Mend:
    """One setting that puts an error right: what a button says, and what it sends."""

    name: str
    value: str
    label: str


# By name, in the order in which they are asked; what none of them names stands in the last group.
_GROUPS = (
    (
        "The question",
        (
            "alternative",
            "method",
            "name",
            "alpha",
            "confidence_level",
            "margin",
            "adjust",
            "baseline",
            "candidate",
            "require",
            "must_catch",
            "dependence",
            "system",
            "against",
        ),
    ),
    (
        "Systems and items",
        (
            "a",
            "b",
            "systems",
            "dataset",
            "metric",
            "missing",
            "clusters",
            "unit",
            "unit_statistic",
            "shuffle_seed",
        ),
    ),
)
_MOST = 10**9
QUESTIONS = (
    Question("compare", "Compare two of these", (2, _MOST)),
    Question("rank", "Rank all systems", (3, _MOST)),
    Question("replicate", "On how many datasets?", (2, _MOST), 2),
    Question("estimate", "The score of one system", (1, _MOST)),
    Question("score", "The scores of all", (2, _MOST)),
    Question("bayes", "How probable is it?", (2, _MOST)),
    Question("effect", "Any effect size", (2, _MOST)),
    Question("gate", "May it take the other's place?", (2, _MOST)),
    Question("test", "As independent groups", (2, _MOST), method="welch_t"),
)
ROLES = {
    "data": tuple(dict.fromkeys((*SCORE_ROLES, *OUTPUT_ROLES))),
    "p_table": P_ROLES,
    "ratings": RATING_ROLES,
}


def settings_groups(action: str) -> list[SettingsGroup]:
    """All settings of an action, in groups."""
    fields = settings_fields(action)
    groups = [(title, [name for name in names if name in fields]) for title, names in _GROUPS]
    placed = {name for _, names in groups for name in names}
    groups.append(("More", [name for name in fields if name not in placed]))
    return [SettingsGroup(title, tuple(fields[name] for name in names)) for title, names in groups if names]


def question_of(looked: Mapping[str, Any]) -> str:
    """What is asked of data unless their user says otherwise: of two systems who is better, of more who is best."""
    return {1: "estimate", 2: "compare"}.get(len(looked["systems"]), "rank")


async def looked_at(context: Context, data: Mapping[str, Any]) -> tuple[Job, dict[str, Any]]:
    """How the data were read, so that a wrong guess about them can be put right; and the job that looks at them."""
    job = context.jobs.submit_once("inspect", plain(BY_ACTION["inspect"].model_validate({"data": data})))
    ended = await context.jobs.ended(job.id, context.patience) or job
    return ended, inspection_of(context, ended)


def inspection_of(context: Context, job: Job) -> dict[str, Any]:
    """What a look at the data found; nothing yet while it is under way."""
    content = context.store.result(job.id) if job.state == "done" else None
    if content:
        found: dict[str, Any] = json.loads(content)
        return found
    return Inspection((), problem=dict(job.error), readable=job.state != "failed").to_dict()


@dataclass(frozen=True, slots=True)
class TableLook:
    """How a table of annotations or of p-values was read, what it is called, and the roles of its columns."""

    looked: Mapping[str, Any]
    file: str
    roles: tuple[str, ...]


async def table_looked_at(context: Context, request: Mapping[str, Any]) -> TableLook | None:
    """How the one table of a request was read; nothing where there is none, or where it was not kept."""
    kind = table_alone(request)
    names = shown_names(uploads_of(context.store, {kind: request[kind]})) if kind else {}
    if not names:
        return None
    told = ("columns", "a", "b") if kind == "p_table" else [option.name for option in READING_RATINGS]
    reading = {name: request.get(name) for name in told}
    job = context.jobs.submit_once("inspect", {kind: request[kind], **reading})
    ended = await context.jobs.ended(job.id, context.patience) or job
    return TableLook(inspection_of(context, ended), next(iter(names.values())), ROLES[kind])


async def around(
    context: Context, job: Job, result: Value | None = None, form: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What a page shows around an answer, or around the error that stands in its place."""
    shown = dict(form or job.request)
    data = job.request.get("data")
    looked: dict[str, Any] | None = None
    if job.action == "inspect":
        looked = inspection_of(context, job)
    elif data:
        # On a full disk nothing new can be looked at; the answer itself can.
        with contextlib.suppress(OSError, sqlite3.OperationalError):
            looked = (await looked_at(context, data))[1]
    table = None
    with contextlib.suppress(OSError, sqlite3.OperationalError):
        table = await table_looked_at(context, job.request) if job.action in BY_ACTION else None
    files, folders = named_files(context, job.request)
    values: dict[str, Any] = {"looked": looked, "form": shown, "files": files, "folders": folders, "table": table}
    values |= {"reading": reading_fields(), "metrics": metric_choices(), "roles": ROLES["data"]}
    values["questions"] = other_questions(job.action, looked) if looked else []
    return values | settings_of_page(job.action, shown, result)


def settings_of_page(action: str, form: Mapping[str, Any], result: Value | None = None) -> dict[str, Any]:
    """The settings of an action as a page asks them; of a comparison only tests that fit its data are offered."""
    if action not in BY_ACTION or action == "inspect":
        return {"groups": [], "methods": [], "options_of": [], "options": {}, "preferred": "", "corrections": []}
    _, registry = methods_of(action)
    methods, preferred = method_choices(registry, unpaired=action == "test"), ""
    if isinstance(result, Comparison):
        preferred = result.choices.preferred
        fitting = {one.method for one in result.choices.rows if one.verdict != "inappropriate"} | {form.get("method")}
        methods = [(name, label) for name, label in methods if name in fitting]
    names = {name for name, _ in methods}
    takes_options = "options" in BY_ACTION[action].model_fields and action not in ("bayes", "power_curve")
    return {
        "groups": settings_groups(action),
        "methods": methods,
        "options_of": [one for one in option_groups(registry, unpaired=True) if takes_options and one.method in names],
        "options": shown_options(action, form),
        "preferred": preferred,
        "corrections": method_choices(CORRECTIONS),
    }


def other_questions(action: str, looked: Mapping[str, Any]) -> list[Question]:
    """What else can be asked of data with these systems and datasets."""
    systems, datasets = len(looked["systems"]), len(looked["datasets"])
    fitting = [one for one in QUESTIONS if one.systems[0] <= systems <= one.systems[1] and datasets >= one.datasets]
    return [one for one in fitting if one.action != action]


def mends(job: Job, error: Mapping[str, Any], looked: Mapping[str, Any] | None) -> list[Mend]:
    """The settings that an error says to choose, as far as the page has them to choose from."""
    named = {"method": methods_of(job.action)[1]}
    fields = {} if job.action == "inspect" else settings_fields(job.action)
    if not (job.request.get("data") or {}).get("example"):
        fields = reading_fields() | fields
    if looked:
        named |= {"dataset": looked["datasets"], "metric": looked["metrics"]}
    found = []
    for name, value in error.get("settings", ()):
        if name not in fields:
            continue
        if value in named.get(name, fields[name].choices) or fields[name].kind == "bool":
            found.append(Mend(name, value, ": ".join(on_page(Option(name, value)))))
    return found


def named_files(context: Context, request: Mapping[str, Any]) -> tuple[list[dict[str, str]], tuple[str, ...]]:
    """The files of a request, each with its system, named or after the file; and the folders they lay in."""
    entries = (request.get("data") or {}).get("files") or ()
    names = shown_names(uploads_of(context.store, request))
    files = [
        {
            "upload": entry["upload"] or "",
            "file": names.get(entry["upload"] or "", "a file"),
            "given": entry.get("system") or "",
            "system": str(system),
        }
        for entry, system in zip(entries, systems_in(entries, names), strict=True)
    ]
    return files, dropped_folders(entries, names)
