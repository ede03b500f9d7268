"""The same call again: what a job was asked, in Python and in the shell, with the user's own file names."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nofluke.reports.build.calls import Source, calls_from, shell_options
from nofluke.reports.provenance import Run, versions
from nofluke.types import Report
from nofluke.web.asking import is_unpaired
from nofluke.web.data import OF_UNITS, chosen_part, systems_in
from nofluke.web.requests import BY_ACTION, READING_P, settings_of
from nofluke.web.store import Job, Store
from nofluke.web.uploads import shown_names, uploads_of

Request = Mapping[str, Any]
Names = Mapping[str, str]  # upload id -> what the file is called where it stands with the others
# The command that does the same, where there is one; plans have theirs from their reports.
_COMMANDS = {
    "compare": "compare",
    "test": "test",
    "rank": "rank",
    "replicate": "replicate",
    "power_curve": "power curve",
}
# What `nofluke compare` says among other things.
_PARTS = {"describe": "the analysis", "recommend": "the recommendation", "bayes": "the Bayesian answer"}
_ONLY_IN_PYTHON = "# only in Python"


def with_calls(report: Report, job: Job, store: Store) -> tuple[Report, Run]:
    """Put the job's own calls into a report, and say which files it read."""
    uploads = uploads_of(store, job.request)
    names = shown_names(uploads)
    inputs = {names[upload.id]: upload.sha256 for upload in uploads}
    made = (calls_of(job.action, job.request, names) if job.action in BY_ACTION else {}) or dict(report.calls)
    command = made.get("shell", "")
    return replace(report, calls=made), Run("" if command == _ONLY_IN_PYTHON else command, inputs, _versions())


# The same as long as the server runs, and slow to find out.
_versions = functools.cache(versions)


def calls_of(action: str, request: Request, names: Names) -> dict[str, str]:
    """The calls of one request; `names` are the users' names of the uploads. What has no command says so."""
    made = _calls_of(action, request, names)
    return made if "shell" in made or not made else {**made, "shell": _ONLY_IN_PYTHON}


def _calls_of(action: str, request: Request, names: Names) -> dict[str, str]:
    if action == "agree":
        return _agree(request, names)
    if action in ("correct", "combine"):
        return _p_values(action, request)
    if action == "replicate" and not request.get("data"):
        return _p_table(request, names)
    if action == "score":
        return _score(request, names)
    if action in ("rank", "replicate", "omnibus"):
        part = {**_systems(request), **_changed(action, chosen_part(request)), **_options(action, request)}
        return calls_from(action, _source(request["data"], names), None, part, _COMMANDS.get(action, ""))
    return _pair(action, request, names) if "a" in request else {}


def _pair(action: str, request: Request, names: Names) -> dict[str, str]:
    chosen = {**_systems(request), **_changed(action, chosen_part(request))}
    source, options = _source(request["data"], names), _options(action, request)
    command, selection = _COMMANDS.get(action, ""), "pair"
    if action in ("test", "power_curve") and is_unpaired(str(request["method"])):
        selection, chosen = "unpaired", {name: value for name, value in chosen.items() if name not in OF_UNITS}
    made = calls_from(action, source, chosen, options, command, selection=selection)
    if action in _PARTS and not (action == "bayes" and {"method", *request["options"]} & options.keys()):
        flag = {"bayes": True} if action == "bayes" else {}
        whole = calls_from("compare", source, chosen, flag | options, "compare")["shell"]
        made["shell"] = f"{whole}  # {_PARTS[action]} is part of it"
    return made


def _score(request: Request, names: Names) -> dict[str, str]:
    part = _changed("score", chosen_part(request))
    command = "score" if request["data"].get("score_by") else ""
    return calls_from("scored", _source(request["data"], names), None, part, command)


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


def _source(data: Mapping[str, Any], names: Names) -> Source:
    if data.get("example"):
        return Source("read", {str(data["example"]): f"{data['example']}.csv"})
    entries = data.get("files") or ()
    called = [_typed(names.get(entry.get("upload") or "", "scores.csv")) for entry in entries]
    files = dict(zip(systems_in(entries, names), called, strict=True))
    if data.get("score_by"):
        gold = tuple(_typed(names.get(entry.get("upload") or "", "gold.txt")) for entry in data.get("gold") or ())
        options, tables = dict(data.get("metric_options") or {}), dict(data.get("columns") or {})
        return Source("score", files, options, gold, str(data["score_by"]), tables, str(data.get("format") or "auto"))
    reading: dict[str, Any] = dict(data.get("columns") or {})
    if data.get("format") not in (None, "auto"):
        reading["format"] = data["format"]
    if data.get("higher_is_better") is not None:
        reading["higher_is_better"] = data["higher_is_better"]
    return Source("read", files, reading)


def _typed(name: str) -> str:
    """A file as it is typed: one that begins with a dash would be an option, or the standard input."""
    return f"./{name}" if name.startswith("-") else name


def _p_values(action: str, request: Request) -> dict[str, str]:
    given, options = list(request["p_values"]), _options(action, request)
    arguments = ", ".join([repr(given), *(f"{name}={value!r}" for name, value in options.items())])
    made = {"Python": f"import nofluke as nf\nprint(nf.{action}({arguments}))"}
    if action == "correct":
        made["shell"] = f"nofluke correct {' '.join(map(repr, given))}{shell_options(options)}"
    return made


def _p_table(request: Request, names: Names) -> dict[str, str]:
    options = {name: value for name, value in _options("replicate", request).items() if name != "method"}
    if request.get("published"):
        return calls_from("replicate", Source("example", {"": str(request["published"])}), None, options, "replicate")
    if request.get("p_values"):
        arguments = ", ".join([repr(dict(request["p_values"])), *(f"{k}={v!r}" for k, v in options.items())])
        return {"Python": f"import nofluke as nf\nprint(nf.replicate({arguments}))"}
    called = _typed(names.get((request.get("p_table") or {}).get("upload") or "", "p_values.csv"))
    reading = _systems(request) | {name: request[name] for name in READING_P if request.get(name) is not None}
    return calls_from("replicate", Source("read_p_values", {"": called}, reading), None, options, "replicate")


def _agree(request: Request, names: Names) -> dict[str, str]:
    called = _typed(names.get(request["ratings"].get("upload") or "", "ratings.csv"))
    reading = _changed("agree", {name: request[name] for name in ("layout", "missing", "columns")})
    options = _options("agree", request)
    source = Source("read_ratings", {"": called}, reading)
    made = calls_from("agree", source, None, options)
    named, others = options.pop("name", ""), options.pop("others", ())
    chosen = [request["name"], *others] if named or others else []
    words = "".join(f" --coefficient {shlex.quote(one)}" for one in chosen)
    return made | {"shell": calls_from("agree", source, None, options, "agree")["shell"] + words}
