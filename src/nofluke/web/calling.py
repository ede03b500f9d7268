"""The same call again: what a job was asked, in Python and in the shell, with the user's own file names."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nofluke.call import calls, in_shell
from nofluke.option_groups import SELECTING_UNPAIRED
from nofluke.readers.file_names import AfterFile
from nofluke.reports.provenance import Run, versions
from nofluke.types import Call, Origin, Report
from nofluke.web.asking import is_unpaired
from nofluke.web.data import chosen_part, reading_of, systems_in
from nofluke.web.requests import BY_ACTION, READING_P, READING_RATINGS, settings_of
from nofluke.web.store import Job, Store
from nofluke.web.uploads import dropped_folders, shown_names, uploads_of

Request = Mapping[str, Any]
Names = Mapping[str, str]  # upload id -> what the file is called where it stands with the others
# What `nofluke compare` says among other things.
_PARTS = {"describe": "the analysis", "recommend": "the recommendation", "bayes": "the Bayesian answer"}
_ONLY_IN_PYTHON = "# only in Python"


def with_calls(report: Report, job: Job, store: Store) -> tuple[Report, Run]:
    """Put the job's own calls into a report, and say which files it read."""
    uploads = uploads_of(store, job.request)
    names = shown_names(uploads)
    inputs = {names[upload.id]: upload.sha256 for upload in uploads}
    known = job.action in BY_ACTION
    made = (calls_of(job.action, job.request, names) if known else {}) or dict(report.calls)
    command = made.get("shell", "").replace(_ONLY_IN_PYTHON, "")
    call = _call(job.action, job.request, names) if known else None
    return replace(report, calls=made), Run(command, inputs, _versions(), None if call is None else call.origin)


# The same as long as the server runs, and slow to find out.
_versions = functools.cache(versions)


def calls_of(action: str, request: Request, names: Names) -> dict[str, str]:
    """The calls of one request; `names` are the users' names of the uploads. What has no command says so."""
    call = _call(action, request, names)
    made = calls(call)
    if (
        call is not None
        and action in _PARTS
        and not (action == "bayes" and {"method", *request["options"]} & {*call.options})
    ):
        flag = {"bayes": True} if action == "bayes" else {}
        whole = in_shell(replace(call, verb="compare", options=flag | dict(call.options)))
        made["shell"] = f"{whole}  # {_PARTS[action]} is part of it"
    return made if "shell" in made or not made else {**made, "shell": _ONLY_IN_PYTHON}


def _call(action: str, request: Request, names: Names) -> Call | None:
    """What was asked, of which files; None where the result itself says it."""
    options = _options(action, request)
    if action == "agree":
        return Call(action, options, "ratings", origin=_ratings(request, names))
    if action in ("correct", "combine"):
        typed = tuple(map(repr, request["p_values"]))
        return Call(action, options, "p_values", origin=Origin("read_p_values", given=typed))
    if action == "replicate" and not request.get("data"):
        options.pop("method", None)
        return Call(action, options, "p_values", origin=_p_values(request, names))
    if action in ("score", "estimate", "rank", "replicate", "omnibus"):
        part = {**_systems(request), **_changed(action, chosen_part(request)), **options}
        return Call(action, part, "scores", origin=_source(request["data"], names))
    if action == "gate":
        told = _changed(action, chosen_part(request)) | options
        sides = {side: told.pop(side) for side in ("baseline", "candidate") if told.get(side)}
        return Call(action, told, "systems", sides, _source(request["data"], names))
    if "a" not in request:
        return None
    chosen, data = {**_systems(request), **_changed(action, chosen_part(request))}, "pair"
    if action in ("test", "power_curve") and is_unpaired(str(request["method"])):
        kept = ("a", "b", *SELECTING_UNPAIRED)
        data, chosen = "unpaired", {name: value for name, value in chosen.items() if name in kept}
    return Call(action, options, data, chosen, _source(request["data"], names))


def _systems(request: Request) -> dict[str, Any]:
    return {name: request[name] for name in ("a", "b") if request.get(name) is not None}


def _options(action: str, request: Request) -> dict[str, Any]:
    """What the verb and its method are told, where that is not as the library has it anyway."""
    return _changed(action, settings_of(action, request)) | dict(request.get("options") or {})


def _changed(action: str, values: Mapping[str, Any]) -> dict[str, Any]:
    fields = BY_ACTION[action].model_fields
    return {
        name: value for name, value in values.items() if value != fields[name].get_default(call_default_factory=True)
    }


def _source(data: Mapping[str, Any], names: Names) -> Origin:
    if data.get("example"):
        return Origin("read", (f"{data['example']}.csv",))
    entries = data.get("files") or ()
    files = tuple(_typed(names.get(entry.get("upload") or "", "scores.csv")) for entry in entries)
    systems = systems_in(entries, names)
    reading = reading_of(data)
    if data.get("score_by"):
        gold = tuple(_typed(names.get(entry.get("upload") or "", "gold.txt")) for entry in data.get("gold") or ())
        named = tuple("" if isinstance(name, AfterFile) else name for name in systems)
        # Where some are named, so are all: two files of one name are told apart by the others.
        named = tuple(map(str, systems)) if any(named) else named
        told = reading | dict(data.get("metric_options") or {})
        return Origin("score", files, named, told, str(data["score_by"]), gold)
    if folders := dropped_folders(entries, names):
        return Origin("read", tuple(map(_typed, folders)), options=reading)
    systems_named = () if len(files) == 1 else tuple(map(str, systems))
    if data.get("formula"):
        return Origin("from_statistics", files, systems_named, reading, formula=str(data["formula"]))
    return Origin("read", files, systems_named, reading)


def _typed(name: str) -> str:
    """A file as it is typed: one that begins with a dash would be an option, or the standard input."""
    return f"./{name}" if name.startswith("-") else name


def _p_values(request: Request, names: Names) -> Origin:
    if request.get("published"):
        return Origin("example", given=(str(request["published"]),))
    if request.get("p_values"):
        by_dataset = dict(request["p_values"])
        return Origin("p_values", systems=tuple(by_dataset), given=tuple(map(repr, by_dataset.values())))
    called = _typed(names.get((request.get("p_table") or {}).get("upload") or "", "p_values.csv"))
    reading = _systems(request) | {name: request[name] for name in READING_P if request.get(name) is not None}
    return Origin("read_p_values", (called,), options=reading)


def _ratings(request: Request, names: Names) -> Origin:
    called = _typed(names.get(request["ratings"].get("upload") or "", "ratings.csv"))
    told = {option.name: request[option.name] for option in READING_RATINGS if option.name in request}
    reading = _changed("agree", told)
    return Origin("read_ratings", (called,), options=reading)
