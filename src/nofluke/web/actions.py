"""What the app can do: each action is one call of the library, run in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nofluke.errors import InputError, NoflukeError
from nofluke.types import Value
from nofluke.web.asking import (
    combine,
    correct,
    describe,
    detectable_effect,
    effect,
    omnibus,
    power,
    recommend,
    score,
    test,
)
from nofluke.web.data import ALIGNING, Files, Progress, check_expansion, own_options, sample_of, scores_of
from nofluke.web.inspecting import inspect
from nofluke.web.safety import Limits

Action = Callable[[Mapping[str, Any], Files, Progress, Limits], Value]
_COMPARE = ("method", "alternative", "alpha", "margin", "low", "high", "delta", "seed", "rules", "normality_alpha")
_RANK = ("method", "adjust", "alpha", "alternative", "family", "baseline", "n_resamples", "exact", "seed")
_CURVE = (
    "method",
    "difference",
    "form",
    "test_form",
    "sd",
    "margin",
    "tests",
    "sizes",
    "up_to",
    "iterations",
    "power",
    "alpha",
    "alternative",
    "seed",
)
_REPLICATE = ("dependence", "alternative", "sided", "alpha", "seed", "subset", "fdr")


def perform(
    action: str, request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits | None = None
) -> Value:
    """Do it; an error speaks of the file by the name the user knows."""
    allowed = limits or Limits()
    try:
        for path, _name in files.values():
            check_expansion(Path(path), allowed)
        return ACTIONS[action](request, files, progress, allowed)
    except NoflukeError as error:
        for path, name in files.values():
            error.where = error.where.replace(path, name)
            error.message = error.message.replace(path, name)
        raise


def _compare(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    import nofluke as nf

    sample = sample_of(request, scores_of(request["data"], files, progress, limits))
    settings = {name: request[name] for name in _COMPARE}
    return nf.compare(sample, progress=progress, **settings, **own_options(request["options"], nf.compare))


def _rank(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    import nofluke as nf

    scores = scores_of(request["data"], files, progress, limits)
    settings = {name: request[name] for name in (*_RANK, *ALIGNING) if request.get(name) is not None}
    return nf.rank(scores, progress=progress, **settings, **own_options(request["options"], nf.rank))


def _replicate(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    import nofluke as nf

    settings = {name: request[name] for name in _REPLICATE if request.get(name) is not None}
    options = own_options(request["options"], nf.replicate)
    given: Any
    if request.get("published"):
        given = nf.example(str(request["published"]))
    elif request.get("p_values"):
        given = request["p_values"]
    elif request.get("p_table"):
        given = nf.read_p_values(_path(request["p_table"], files), a=request.get("a"), b=request.get("b"))
    elif request.get("data"):
        given = scores_of(request["data"], files, progress, limits)
        systems = {name: request[name] for name in ("a", "b", "metric") if request.get(name) is not None}
        if request["data"].get("score_by"):
            systems.pop("metric", None)
        settings |= {**systems, "method": request["method"]}
    else:
        raise InputError("no data were given.", fix="paste a table of p-values, or give scores on several datasets.")
    return nf.replicate(given, progress=progress, **settings, **options)


def _agree(request: Mapping[str, Any], files: Files, progress: Progress, _limits: Limits) -> Value:
    import nofluke as nf

    path = _path(request["ratings"], files)
    ratings = nf.read_ratings(path, layout=request["layout"], missing=tuple(request["missing"]))
    settings = {name: request[name] for name in ("others", "annotators", "categories", "width", "rules", "disputed")}
    options = own_options(request["options"], nf.agree)
    return nf.agree(ratings, request["name"], progress=progress, **settings, **options)


def _bayes(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    import nofluke as nf

    sample = sample_of(request, scores_of(request["data"], files, progress, limits))
    rope = request["rope"]
    region = tuple(rope) if isinstance(rope, list) else rope
    options = own_options(request["options"], nf.bayes)
    return nf.bayes(sample, method=request["method"], rope=region, seed=request["seed"], progress=progress, **options)


def _sample_size(request: Mapping[str, Any], _files: Files, _progress: Progress, _limits: Limits) -> Value:
    import nofluke as nf

    return nf.sample_size(**{name: value for name, value in request.items() if value is not None})


def _power_curve(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Value:
    import nofluke as nf

    sample = sample_of(request, scores_of(request["data"], files, progress, limits))
    settings = {name: request[name] for name in _CURVE}
    return nf.power_curve(sample, progress=progress, **settings, **own_options(request["options"], nf.power_curve))


def _path(entry: Mapping[str, Any], files: Files) -> str:
    identifier = entry.get("upload") or ""
    if identifier not in files:
        raise InputError("no file was given.", fix="choose a file, or paste a table.")
    return files[identifier][0]


ACTIONS: dict[str, Action] = {
    "compare": _compare,
    "rank": _rank,
    "replicate": _replicate,
    "agree": _agree,
    "bayes": _bayes,
    "sample_size": _sample_size,
    "power_curve": _power_curve,
    "inspect": inspect,
    "describe": describe,
    "recommend": recommend,
    "test": test,
    "effect": effect,
    "score": score,
    "power": power,
    "detectable_effect": detectable_effect,
    "correct": correct,
    "combine": combine,
    "omnibus": omnibus,
}
