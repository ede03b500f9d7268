"""Sample-size planning with sliders: the answer moves while one thinks."""

from __future__ import annotations

import asyncio
import json
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from nofluke.call import ACCURACIES, NOT_ON_A_PAGE, ON_A_SCALE
from nofluke.errors import InputError, NoflukeError
from nofluke.inference.power.terms import ADJUSTMENTS
from nofluke.registry import CORRECTIONS
from nofluke.reports.answer_view import answer_view
from nofluke.types import Comparison, Detectable, PowerCurve, PowerPlan, Ranking, Value
from nofluke.web.context import context_of
from nofluke.web.forms import filled, number_in, settings_fields, wrong_field
from nofluke.web.rendering import fragment, page, wants_json
from nofluke.web.requests import BY_ACTION, OPTIONS_OF, plain, settings_of
from nofluke.web.result_view import parsed
from nofluke.words.pictures import power_says

router = APIRouter(include_in_schema=False)

KINDS = {"accuracy": ACCURACIES, "scores": ON_A_SCALE}
# Where the sliders stand at first: nobody can know these of a test set that is still to come.
_FIRST = {
    "kind": "accuracy",
    "accuracy_a": "0.82",
    "accuracy_b": "0.8",
    "disagreement": "0.12",
    "difference": "0.02",
    "sd": "0.2",
    "have": "",
}
# How much of the items needed the power curve shows.
_SHARES = tuple(place / 15 for place in range(1, 31))
_ELSEWHERE = ("test", *NOT_ON_A_PAGE, *ACCURACIES, *ON_A_SCALE)
_SHARED = tuple(name for name in OPTIONS_OF["sample_size"] if name not in _ELSEWHERE)
_DEFAULTS = _FIRST | {name: str(settings_fields("sample_size")[name].shown_default) for name in _SHARED}
# An exact plan can take minutes (accuracies close together): a page gives up, and a worker is free again.
_LONGEST = 10.0
# Plans and curves that were computed, the oldest first: the same terms have the same answer.
_MOST_KNOWN = 200
_KNOWN: OrderedDict[str, Any] = OrderedDict()


@router.get("/plan")
@router.get("/plan.json")
async def plan(request: Request) -> Response:
    """How many items do I need?"""
    stated = {name: value for name, value in request.query_params.items() if name in _DEFAULTS}
    given = {**_DEFAULTS, **({"kind": "scores"} if "difference" in stated else {}), **stated}
    answer: dict[str, Any] = {
        "report": None,
        "said": None,
        "result": None,
        "error": None,
        "curve": [],
        "needed": 0,
        "found": None,
    }
    try:
        answer |= await _answered(request, wanted(given), given["have"].strip())
    except _FailedError as error:
        answer["error"] = error.error
    except NoflukeError as error:
        answer["error"] = error.to_dict("page")
    except ValidationError as error:
        answer["error"] = wrong_field(error)
    if request.headers.get("x-fragment"):
        return fragment("plan_answer.html", answer)
    status = 422 if answer["error"] and wants_json(request) else 200
    corrections = [(name, CORRECTIONS[name].label) for name in ADJUSTMENTS]
    fields = {name: field for name, field in settings_fields("sample_size").items() if name in _SHARED}
    values = {"form": given, "corrections": corrections, "fields": fields, **answer}
    return page(request, "plan.html", values, status=status)


def wanted(given: Mapping[str, str]) -> dict[str, Any]:
    """What the sliders say, as a request to the library."""
    if given["kind"] not in KINDS:
        raise InputError(f"{given['kind']!r} is no kind of scores.", fix=f"choose one of {', '.join(KINDS)}.")
    stated = filled(given, "sample_size", (*KINDS[given["kind"]], *_SHARED))
    return plain(BY_ACTION["sample_size"].model_validate({"test": "auto", **stated}))


async def _answered(request: Request, asked: Mapping[str, Any], have: str) -> dict[str, Any]:
    """How many items it takes, the power around that number, and what a given number could find."""
    from nofluke.reports.build import build

    result = await _computed(request, "sample_size", asked)
    report = build(result)
    answer = {"result": result, "report": report, "said": answer_view(result, report)}
    answer["curve"] = await _remembered("curve", asked, lambda: asyncio.to_thread(_curve, result, asked))
    answer["needed"] = getattr(result, "n", 0)
    if have:
        found = await _computed(request, "detectable_effect", _with_items(number_in(have, int, "items I have"), asked))
        answer |= {"found": found, "have_said": answer_view(found, build(found))["headline"]}
    return answer


async def _computed(request: Request, action: str, asked: Mapping[str, Any]) -> Value:
    """Let a worker do it while somebody waits; a position of the sliders is no result to be kept, only remembered."""
    found: Value = await _remembered(action, asked, lambda: _from_worker(request, action, asked))
    return found


async def _remembered(what: str, asked: Mapping[str, Any], make: Callable[[], Awaitable[Any]]) -> Any:
    key = json.dumps([what, asked], sort_keys=True)
    if key not in _KNOWN:
        _KNOWN[key] = await make()
        while len(_KNOWN) > _MOST_KNOWN:
            _KNOWN.popitem(last=False)
    return _KNOWN[key]


async def _from_worker(request: Request, action: str, asked: Mapping[str, Any]) -> Value:
    context = context_of(request)
    job = context.jobs.submit(action, asked)
    try:
        computed = asyncio.create_task(context.jobs.ended(job.id, _LONGEST))
        left = asyncio.create_task(_left(request))
        await asyncio.wait((computed, left), return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        ended = computed.result() if computed.done() else None
        computed.cancel()
        if ended is not None and ended.state == "failed":
            raise _FailedError(ended.error)
        content = context.store.result(job.id)
        if content is None:
            raise InputError(
                f"this takes longer than {_LONGEST:g} seconds here.",
                fix="state a larger difference, or use `nofluke power plan`, which takes its time.",
            )
        return parsed(content)
    finally:
        context.jobs.delete(job.id)


class _FailedError(Exception):
    """A worker said what is wrong."""

    def __init__(self, error: Mapping[str, str]) -> None:
        super().__init__(error.get("message", ""))
        self.error = dict(error)


def _with_items(have: int, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The same terms with the number of items given, and the effect to be found."""
    effect = ("difference", "accuracy_a", "accuracy_b")
    known = BY_ACTION["detectable_effect"].model_fields
    terms = {name: value for name, value in asked.items() if name in known and name not in effect}
    test = "mcnemar" if asked.get("disagreement") is not None else asked["test"]
    return plain(BY_ACTION["detectable_effect"].model_validate({**terms, "test": test, "n": have}))


def _curve(result: Value, asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Power with fewer and with more items than are needed."""
    import nofluke as nf

    if not isinstance(result, PowerPlan):
        return []
    terms = {name: value for name, value in settings_of("sample_size", asked).items() if name != "power"}
    terms |= {} if result.n_runs is None else {"n_runs": result.n_runs}
    sizes = sorted({max(2, round(share * result.n)) for share in _SHARES})
    found = [(size, float(nf.power(n=size, **terms))) for size in sizes]
    return [{"n": size, "power": power, "says": power_says(size, result.unit, power)} for size, power in found]


def plan_address(result: Value) -> str:
    """Where a test set is planned from what these data say; never from the difference that was seen in them."""
    if isinstance(result, Comparison):
        return _of_comparison(result)
    if isinstance(result, Ranking) and result.detectable is not None:
        return _on_a_scale({"alpha": f"{result.alpha:g}"}, result.detectable, result.n)
    if isinstance(result, PowerCurve) and not result.at_observed_effect:
        told = {"alpha": f"{result.alpha:g}", "power": f"{result.target:g}"}
        stated = Detectable(abs(result.difference), math.nan, result.standard_error, result.target)
        return _on_a_scale(told, stated, result.pilot)
    return "/plan"


def _on_a_scale(told: Mapping[str, str], detectable: Detectable, n: int) -> str:
    """A plan of scores with the spread that data of n items had."""
    sd = detectable.standard_error * math.sqrt(n)
    known = {"difference": f"{detectable.difference:.3g}", "sd": f"{sd:.4g}"}
    stated = {name: text for name, text in known.items() if math.isfinite(float(text))}
    return f"/plan?{urlencode({**told, 'kind': 'scores', **stated})}"


def _of_comparison(result: Comparison) -> str:
    found = {"alpha": f"{result.alpha:g}", "alternative": result.test.alternative}
    if result.test.alternative == "less":
        found["alternative"] = "greater"
    difference = result.detectable.difference
    stated = {"difference": f"{difference:.3g}"} if math.isfinite(difference) else {}
    if result.profile.kind != "binary":
        return _on_a_scale(found, result.detectable, result.n)
    accuracy = result.scores[1] if result.higher_is_better else 1 - result.scores[1]
    found |= {"kind": "accuracy", "accuracy_b": f"{accuracy:.4g}"}
    found["disagreement"] = f"{(result.profile.wins + result.profile.losses) / result.n:.4g}"
    if stated:
        found["accuracy_a"] = f"{accuracy + float(stated['difference']):.4g}"
    return f"/plan?{urlencode(found)}"


async def _left(request: Request) -> None:
    """Wait until the client has gone: whoever moves a slider gives up what was asked for the last position."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
