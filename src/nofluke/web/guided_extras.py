"""What single steps of the guided comparison need beside its result: the columns, the test in full, the power curve."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from pydantic import ValidationError
from starlette.requests import Request

from nofluke.errors import NoflukeError
from nofluke.types import Comparison
from nofluke.web.context import Context
from nofluke.web.data import systems_in
from nofluke.web.forms import number_in, told
from nofluke.web.inspecting import Inspection
from nofluke.web.requests import BY_ACTION, plain
from nofluke.web.result_view import loaded, shown
from nofluke.web.steps import curve_request
from nofluke.web.store import Draft, Job
from nofluke.web.uploads import shown_names, uploads_of
from nofluke.words.evidence import power_sentence

_OF_CURVE = (("", "report"), ("_said", "said"), ("_charts", "charts"), ("_described", "described"))


async def looked_at(context: Context, draft: Draft) -> tuple[Job, dict[str, Any]]:
    """What the data offer, so that a wrong guess about them can be put right; and the job that looks at them."""
    asked = {name: draft.request[name] for name in BY_ACTION["inspect"].model_fields}
    job = context.jobs.submit_once("inspect", plain(BY_ACTION["inspect"].model_validate(asked)))
    ended = await context.jobs.ended(job.id, context.patience) or job
    content = context.store.result(job.id) if ended.state == "done" else None
    if content:
        found: dict[str, Any] = json.loads(content)
        return ended, found
    return ended, Inspection((), problem=dict(ended.error), readable=ended.state != "failed").to_dict()


def named_files(context: Context, form: Mapping[str, Any]) -> list[dict[str, str]]:
    """Files that hold one system each: what they are called, and the system's name, given or after the file."""
    entries = form["data"]["files"]
    if len(entries) < 2:
        return []
    names = shown_names(uploads_of(context.store, form))
    return [
        {
            "upload": entry["upload"],
            "file": names.get(entry["upload"], "a file"),
            "given": entry.get("system") or "",
            "system": system,
        }
        for entry, system in zip(entries, systems_in(entries, names), strict=True)
    ]


async def extras(request: Request, context: Context, draft: Draft, name: str, result: Comparison) -> dict[str, Any]:
    """What one step shows beside the comparison itself."""
    if name == "power":
        return await _curve(request, context, draft, result)
    if name == "test":
        from nofluke.reports.build import build

        return {"tested": build(result.test)}
    return {}


async def _curve(request: Request, context: Context, draft: Draft, result: Comparison) -> dict[str, Any]:
    """The power curve at the difference a user would care about; without one the library answers for several."""
    asked = request.query_params.get("difference", "").strip()
    values: dict[str, Any] = {"curve": None, "curve_job": None, "difference": asked, "curve_charts": []}
    values["detectable"] = power_sentence(result)
    values["plan"] = f"/plan?{urlencode(_planned(result, asked))}"
    try:
        wanted = curve_request(draft, result, asked)
    except NoflukeError as error:
        return values | {"error": error.to_dict("page")}
    except ValidationError as error:
        return values | {"error": told(error)}
    name = f"power of {result.systems[0]} against {result.systems[1]}"
    job = context.jobs.submit_once("power_curve", wanted, name)
    ended = await context.jobs.ended(job.id, context.patience) or job
    values["curve_job"] = ended
    if ended.state == "done":
        curve = await asyncio.to_thread(loaded, context.store, job.id)
        found = await asyncio.to_thread(shown, curve, ended, context.store) if curve is not None else {}
        values |= {f"curve{tail}": found.get(key) for tail, key in _OF_CURVE}
    return values


def _planned(result: Comparison, asked: str) -> dict[str, str]:
    """What these data say to whoever plans the next test set; never the difference that was seen in them."""
    found = {"alpha": f"{result.alpha:g}", "alternative": result.test.alternative}
    difference = asked or (f"{result.detectable.difference:.3g}" if math.isfinite(result.detectable.difference) else "")
    sd = result.detectable.standard_error * math.sqrt(result.n)
    if result.profile.kind == "binary":
        accuracy = result.scores[1] if result.higher_is_better else 1 - result.scores[1]
        found |= {"kind": "accuracy", "accuracy_b": f"{accuracy:.4g}"}
        found["disagreement"] = f"{(result.profile.wins + result.profile.losses) / result.n:.4g}"
        with contextlib.suppress(NoflukeError):
            found["accuracy_a"] = f"{accuracy + number_in(difference, float, 'difference'):.4g}"
        return found
    return found | {"kind": "scores", "difference": difference} | ({"sd": f"{sd:.4g}"} if math.isfinite(sd) else {})
