"""What pages show of a stored result: its report with the job's own calls, its charts, its data."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

from nofluke.call import in_url
from nofluke.reports import FORMATS
from nofluke.reports.answer_view import answer_view, leading_chart, without
from nofluke.reports.provenance import Run, calls_in
from nofluke.types import Comparison, Origin, PowerCurve, Ranking, Report, Value
from nofluke.types.load import kind_today
from nofluke.web.calling import calls_of, with_calls
from nofluke.web.pictures import labels_of
from nofluke.web.result_cache import cached
from nofluke.web.same_data import with_all_tests
from nofluke.web.sharing import run_of
from nofluke.web.store import Job, Store
from nofluke.web.uploads import shown_names, uploads_of
from nofluke.words.at_a_glance import at_a_glance, interval_picture
from nofluke.words.bars import place
from nofluke.words.evidence import by_step
from nofluke.words.pictures import bar_says, power_says
from nofluke.words.winner_first import winner_first

_TALL = 116  # pixels of the highest bar


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
        return cached(store, identifier, "value", lambda: parsed(_stored(store, identifier)))
    except _NoResultError:
        return None


def kind_of(store: Store, identifier: str) -> str:
    """What kind of result a job has; nothing where it has none."""

    def read() -> str:
        return kind_today(str(json.loads(_stored(store, identifier)).get("type")))

    try:
        return cached(store, identifier, "kind", read)
    except _NoResultError:
        return ""


def _stored(store: Store, identifier: str) -> str:
    content = store.result(identifier)
    if content is None:
        raise _NoResultError
    return content


def completed(result: Value, job: Job, store: Store) -> Value:
    """The result as it is shown and taken away: a comparison with every test that was run on its data."""
    if isinstance(result, Comparison) and job.action == "compare":
        return with_all_tests(result, job, store)
    return result


def shown(result: Value, job: Job | None = None, store: Store | None = None) -> dict[str, Any]:
    """What a page shows: the result and its report, its charts, downloads and data."""
    labels = labels_of(result)
    values: dict[str, Any] = {"charts": list(labels), "described": labels, "formats": list(FORMATS), "inputs": []}
    if job is None or store is None:
        report, run = _built(result), Run()
    else:
        result = completed(result, job, store)
        report, run = report_of(result, job, store)
        values["inputs"] = _inputs(job, run, store)
    leading = leading_chart(report, labels)
    values |= {"leading": leading, "sections": without(report, leading), "again": _address(result, job, run)}
    values |= {"glance": at_a_glance(result), "picture": _picture(result)}
    values |= {"ranked": isinstance(result, Ranking), "histogram": _histogram(result), "curve": _curve(result)}
    values["hints"] = by_step(result) if isinstance(result, Comparison) else {}
    values["first"] = winner_first(result).systems[0] if isinstance(result, Comparison) else ""
    return values | {"result": result, "report": report, "said": answer_view(result, report), "run": run.to_dict()}


def _picture(result: Value) -> dict[str, Any] | None:
    """Where the verdict's value and its interval are drawn, in shares of the width, and what stands beside them."""
    found = interval_picture(result)
    at = place((found.bar,))[0] if found is not None else None
    return None if found is None or at is None else {"at": at, "words": found}


def _histogram(result: Value) -> dict[str, Any] | None:
    """The differences of items in bars, each with its place and height in shares of the picture; 0 is their border."""
    if not isinstance(result, Comparison) or result.profile.kind == "shares":
        return None
    edges, counts = result.profile.difference.histogram.edges, result.profile.difference.histogram.counts
    if len(edges) < 2 or not edges[0] < edges[-1]:
        return None
    low, span, most = edges[0], edges[-1] - edges[0], max(counts)
    bars = [
        {
            # All digits: an item on the border belongs to one bar, here and behind it.
            "low": repr(float(start)) if place else "-inf",
            "high": repr(float(end)) if place < len(counts) - 1 else "inf",
            "left": f"{100 * (start - low) / span:.3f}",
            "width": f"{100 * (end - start) / span:.3f}",
            "top": f"{_TALL * (1 - count / most) + 4:.2f}",
            "height": f"{_TALL * count / most:.2f}",
            "count": count,
            "side": _side(start, end, ties=result.profile.ties > 0),
            "says": bar_says(count, start, end),
        }
        for place, (start, end, count) in enumerate(zip(edges, edges[1:], counts, strict=False))
    ]
    zero = f"{100 * (0 - low) / span:.3f}" if low <= 0 <= edges[-1] else ""
    return {"bars": bars, "zero": zero, "ends": (f"{low:.3g}", f"{edges[-1]:.3g}")}


def _curve(result: Value) -> dict[str, Any] | None:
    """The points of a simulated power curve, and the size that reaches the power asked for."""
    if not isinstance(result, PowerCurve) or len(result.sizes) < 2:
        return None
    given = zip(result.sizes.tolist(), result.power.tolist(), strict=True)
    points = [{"n": int(n), "power": power, "says": power_says(n, result.unit, power)} for n, power in given]
    needed = result.size_for_target
    return {"points": points, "needed": 0 if math.isnan(needed) else int(needed)}


def _side(start: float, end: float, *, ties: bool) -> str:
    """Whose items stand in a bar; those around 0 are nobody's."""
    if start < 0 < end or (ties and start <= 0 < end):
        return "tied"
    return "A" if start >= 0 else "B"


def _address(result: Value, job: Job | None, run: Run) -> str:
    """Where the form stands that asks the same; "" where there is none."""
    call = getattr(result, "call", None)
    example = ((job.request.get("data") or {}) if job is not None else {}).get("example")
    origin = Origin("example", given=(example,)) if example else run.source
    return "" if call is None or (call.data and origin is None) else in_url(replace(call, origin=origin))


def bare(job: Job, store: Store) -> dict[str, Any]:
    """What a page shows of an answer that has no report: its values, and the call that gives them."""
    data = json.loads(_stored(store, job.id))
    values = {name: value for name, value in data.items() if name not in ("ok", "type", "schema", "run", "text")}
    return {"result": values, "calls": calls_of(job.action, job.request, shown_names(uploads_of(store, job.request)))}


def _built(result: Value) -> Report:
    from nofluke.reports.build import build

    return build(result)


def report_of(result: Value, job: Job, store: Store) -> tuple[Report, Run]:
    """The report of a result, with the calls of the job that made it, or of the run that a shared file tells of."""
    if job.action == "shared":
        report, run = _built(result), run_of(_stored(store, job.id))
        return replace(report, calls=calls_in(getattr(result, "call", None), run) if run.command else {}), run
    return with_calls(_built(result), job, store)


def _inputs(job: Job, run: Run, store: Store) -> list[dict[str, str]]:
    """The files behind a result, by the names that the calls have for them; those of a shared one are not here."""
    if job.action == "shared":
        return [{"name": name, "sha256": sha256, "path": ""} for name, sha256 in run.inputs.items()]
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
