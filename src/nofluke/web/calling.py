"""The same call again: what a job was asked, in Python and in the shell, with the user's own file names."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nofluke.reports.build.calls import Source, calls_from
from nofluke.reports.provenance import Run, versions
from nofluke.types import Report
from nofluke.web.data import ALIGNING
from nofluke.web.requests import BY_ACTION
from nofluke.web.store import Job, Store, named_uploads

# The command that does the same; an action without one has no equal in the shell.
COMMANDS = {
    "compare": "compare",
    "test": "test",
    "rank": "rank",
    "replicate": "replicate",
    "power_curve": "power curve",
}
_PAIRED = frozenset({"compare", "test", "describe", "recommend", "effect", "bayes", "power_curve"})
_DATA = frozenset({"data", "options", "a", "b", *ALIGNING})


def with_calls(report: Report, job: Job, store: Store) -> tuple[Report, Run]:
    """Put the job's own calls into a report, and say which files it read."""
    uploads = [store.upload(identifier) for identifier in sorted(named_uploads(job.request))]
    names = {upload.id: upload.name for upload in uploads if upload is not None}
    inputs = {upload.name: upload.sha256 for upload in uploads if upload is not None}
    made = dict(report.calls)
    if job.action in BY_ACTION and job.action != "sample_size":
        made = calls_of(job.action, job.request, names) or made
    return replace(report, calls=made), Run(made.get("shell", ""), inputs, versions())


def calls_of(action: str, request: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    """The calls of one request; `names` are the users' names of the uploads."""
    changed = _changed(action, request)
    if action == "agree":
        return _agree(request, changed, names)
    if action == "replicate" and not request.get("data"):
        return _replicate(request, changed, names)
    if action in _PAIRED or action in ("rank", "replicate", "omnibus"):
        return _on_scores(action, request, changed, names)
    return {}


def _changed(action: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """What is not as the library has it anyway."""
    fields = BY_ACTION[action].model_fields
    return {
        name: value
        for name, value in request.items()
        if name in fields and value is not None and value != fields[name].get_default(call_default_factory=True)
    }


def _on_scores(
    action: str, request: Mapping[str, Any], changed: Mapping[str, Any], names: Mapping[str, str]
) -> dict[str, str]:
    data = request["data"]
    chosen = {name: changed[name] for name in ("a", "b", *ALIGNING) if name in changed}
    if data.get("score_by"):
        chosen.pop("metric", None)
    options = {name: value for name, value in changed.items() if name not in _DATA} | dict(request.get("options") or {})
    source, command = _source(data, names), COMMANDS.get(action, "")
    if action in _PAIRED:
        return calls_from(action, source, chosen, options, command)
    return calls_from(action, source, None, {**chosen, **options}, command)


def _source(data: Mapping[str, Any], names: Mapping[str, str]) -> Source:
    if data.get("example"):
        return Source("read", {str(data["example"]): f"{data['example']}.csv"})
    files: dict[str, str] = {}
    for entry in data.get("files") or ():
        called = names.get(entry.get("upload") or "", "scores.csv")
        files[entry.get("system") or called.split(".")[0] or f"file {len(files) + 1}"] = called
    if data.get("score_by"):
        gold = tuple(names.get(entry.get("upload") or "", "gold.txt") for entry in data.get("gold") or ())
        return Source("score", files, dict(data.get("metric_options") or {}), gold, str(data["score_by"]))
    reading: dict[str, Any] = dict(data.get("columns") or {})
    if data.get("format") not in (None, "auto"):
        reading["format"] = data["format"]
    if data.get("higher_is_better") is not None:
        reading["higher_is_better"] = data["higher_is_better"]
    return Source("read", files, reading)


def _replicate(request: Mapping[str, Any], changed: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    options = {
        name: changed[name]
        for name in ("dependence", "alternative", "sided", "alpha", "seed", "subset", "fdr")
        if name in changed
    }
    if request.get("published"):
        return calls_from("replicate", Source("example", {"": str(request["published"])}), None, options, "replicate")
    if request.get("p_values"):
        arguments = ", ".join([repr(dict(request["p_values"])), *(f"{k}={v!r}" for k, v in options.items())])
        return {"Python": f"import nofluke as nf\nprint(nf.replicate({arguments}))"}
    called = names.get((request.get("p_table") or {}).get("upload") or "", "p_values.csv")
    systems = {name: request[name] for name in ("a", "b") if request.get(name)}
    return calls_from("replicate", Source("read_p_values", {"": called}, systems), None, options, "replicate")


def _agree(request: Mapping[str, Any], changed: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    called = names.get(request["ratings"].get("upload") or "", "ratings.csv")
    reading = {name: changed[name] for name in ("layout", "missing") if name in changed}
    options = {
        name: changed[name]
        for name in ("others", "annotators", "categories", "width", "rules", "disputed")
        if name in changed
    } | dict(request.get("options") or {})
    source = Source("read_ratings", {"": called}, reading)
    named = {"name": changed["name"]} if "name" in changed else {}
    made = calls_from("agree", source, None, {**named, **options}, "")
    others = options.pop("others", ())
    chosen = [request["name"], *others] if named or others else []
    words = "".join(f" --coefficient {shlex.quote(one)}" for one in chosen)
    shell = calls_from("agree", source, None, options, "agree")["shell"]
    return made | {"shell": shell + words}
