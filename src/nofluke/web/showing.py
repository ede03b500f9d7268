"""What pages show of a stored result: its report with the job's own calls, its charts, its data."""

from __future__ import annotations

import json
from typing import Any

from nofluke.reports import FORMATS
from nofluke.reports.provenance import Run
from nofluke.types import Comparison, Report, Value
from nofluke.web.calling import calls_of, with_calls
from nofluke.web.kept import Kept
from nofluke.web.same_data import with_all_tests
from nofluke.web.store import Job, Store
from nofluke.web.uploads import shown_names, uploads_of

_KEPT = Kept(64)


class _NoResultError(Exception):
    """A job has no result, or is gone."""


def parsed(content: str | bytes) -> Value:
    """The library's value that a stored or shared text holds."""
    from nofluke.types.load import from_dict

    data = json.loads(content)
    if not isinstance(data, dict):
        raise TypeError("a result is an object")
    return from_dict(data)


def loaded(store: Store, identifier: str) -> Value | None:
    """The library's value behind a finished job."""
    try:
        return _KEPT.of(_key(store, identifier), "value", lambda: parsed(_stored(store, identifier)))
    except _NoResultError:
        return None


def kind_of(store: Store, identifier: str) -> str:
    """What kind of result a job has; nothing where it has none."""
    try:
        return _KEPT.of(
            _key(store, identifier), "kind", lambda: str(json.loads(_stored(store, identifier)).get("type"))
        )
    except _NoResultError:
        return ""


def _stored(store: Store, identifier: str) -> str:
    content = store.result(identifier)
    if content is None:
        raise _NoResultError
    return content


def forget(store: Store, identifier: str) -> None:
    """Keep nothing of a result that was deleted."""
    _KEPT.forget(_key(store, identifier))


def _key(store: Store, identifier: str) -> tuple[str, str]:
    return str(store.folder), identifier


def completed(result: Value, job: Job, store: Store) -> Value:
    """The result as it is shown and taken away: a comparison with every test that was run on its data."""
    if isinstance(result, Comparison) and job.action == "compare":
        return with_all_tests(result, job, store)
    return result


def shown(result: Value, job: Job | None = None, store: Store | None = None) -> dict[str, Any]:
    """What a page shows: the result and its report, its charts, downloads and data."""
    from nofluke.charts import chart_names

    names = list(chart_names(result))
    values: dict[str, Any] = {"charts": names, "formats": list(FORMATS), "inputs": []}
    if job is None or store is None:
        report, run = _built(result), Run()
        told = {name: _description(result, name) for name in names}
    else:
        result = completed(result, job, store)
        report, run = with_calls(_built(result), job, store)
        told = {name: described(result, name, job, store) for name in names}
        values["inputs"] = _inputs(job, store)
    return values | {"result": result, "report": report, "run": run.to_dict(), "described": told}


def bare(job: Job, store: Store) -> dict[str, Any]:
    """What a page shows of an answer that has no report: its values, and the call that gives them."""
    data = json.loads(_stored(store, job.id))
    values = {name: value for name, value in data.items() if name not in ("ok", "type", "schema")}
    return {"result": values, "calls": calls_of(job.action, job.request, shown_names(uploads_of(store, job.request)))}


def _built(result: Value) -> Report:
    from nofluke.reports.build import build

    return build(result)


def report_of(result: Value, job: Job, store: Store) -> tuple[Report, Run]:
    """The report of a result, with the calls of the job that made it."""
    return with_calls(_built(result), job, store)


def _inputs(job: Job, store: Store) -> list[dict[str, str]]:
    """The files behind a result, by the names that the calls have for them."""
    uploads = uploads_of(store, job.request)
    names = shown_names(uploads)
    inputs = [
        {"name": names[upload.id], "sha256": upload.sha256, "path": f"/results/{job.id}/inputs/{upload.id}"}
        for upload in uploads
    ]
    example = (job.request.get("data") or {}).get("example")
    if example:
        inputs.append({"name": f"{example}.csv", "sha256": "", "path": f"/examples/{example}.csv"})
    return inputs


def described(result: Value, name: str, job: Job, store: Store) -> str:
    """What a chart shows, in the chart's own words."""
    return _KEPT.of(_key(store, job.id), ("described", name), lambda: _description(result, name))


def _description(result: Value, name: str) -> str:
    from nofluke.charts import draw

    return str(draw(result, name).to_dict().get("description", "")) or name.replace("_", " ")


def picture(store: Store, identifier: str, result: Value, name: str, kind: str, *, dark: bool) -> bytes:
    """A chart as SVG, PNG or PDF."""
    from nofluke.charts import draw, rendered

    def drawn() -> bytes:
        # Only what stands in the page follows the reader's colours; a picture to take away is for paper.
        found = rendered(draw(result, name), kind, dark=dark and kind == "svg")
        return found if isinstance(found, bytes) else found.encode("utf-8")

    return _KEPT.of(_key(store, identifier), ("picture", name, kind, dark), drawn)
