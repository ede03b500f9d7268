"""From a request to the verb of the library: about a pair, all systems, datasets, annotators, p-values, or numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nofluke.errors import InputError, listing
from nofluke.types import Value
from nofluke.web.data import Files, Progress, chosen_part, own_options, sample_of, scores_of
from nofluke.web.requests import BY_ACTION, ONLY_OF_SCORES, READING_P, READING_RATINGS, settings_of
from nofluke.web.safety import Limits

Request = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Given:
    """What a worker has besides the request: files, a way to report, limits, where scores of items may be put."""

    files: Files
    progress: Progress
    limits: Limits
    items: Path | None = None


@dataclass(frozen=True, slots=True)
class Number(Value):
    """An answer that is one number."""

    value: float

    def __str__(self) -> str:
        return f"{self.value:.4g}"


def on_pair(action: str, request: Request, given: Given) -> Value:
    """Ask about two systems."""
    # Only these verbs take systems that were not scored on the same items; the others say so themselves.
    unpaired = action in ("test", "power_curve") and is_unpaired(str(request["method"]))
    verb = _verb(action)
    sample = sample_of(request, scores_of(request["data"], given.files, given.progress, given.limits), unpaired)
    return _answer(verb, (sample,), settings_of(action, request), request, given)


def on_scores(action: str, request: Request, given: Given) -> Value:
    """Ask about all systems."""
    scores = scores_of(request["data"], given.files, given.progress, given.limits)
    return _answer(_verb(action), (scores,), {**settings_of(action, request), **chosen_part(request)}, request, given)


def on_sides(action: str, request: Request, given: Given) -> Value:
    """Ask whether one system may take the place of another."""
    from nofluke.align.join import as_side

    scores = scores_of(request["data"], given.files, given.progress, given.limits)
    settings = {**settings_of(action, request), **chosen_part(request)}
    # As in a comparison, the one named first is the new one.
    first, second = (*scores.systems, "", "")[:2]
    candidate = str(settings.pop("candidate", None) or first)
    baseline = str(settings.pop("baseline", None) or second)
    if candidate == baseline or not baseline:
        raise InputError("a gate judges one system against another.", fix="choose two systems.")
    sides = (as_side(scores, "baseline", baseline), as_side(scores, "candidate", candidate))
    return _answer(_verb(action), sides, {**settings, "name": f"{candidate} for {baseline}"}, request, given)


def score(action: str, request: Request, given: Given) -> Value:
    """Say what each system scores, and keep what it scores on each item."""
    from nofluke.readers.writing import scores_csv
    from nofluke.verbs.score import scored

    scores = scores_of(request["data"], given.files, given.progress, given.limits)
    result = scored(scores, **settings_of(action, request), **chosen_part(request))
    if given.items is not None:
        given.items.write_text(scores_csv(scores), encoding="utf-8", newline="")
    return result


def on_datasets(action: str, request: Request, given: Given) -> Value:
    """Ask about many datasets: from published or given p-values, or from scores."""
    import nofluke as nf

    settings = settings_of(action, request)
    systems = {name: request[name] for name in ("a", "b") if request.get(name) is not None}
    reading = {name: request[name] for name in READING_P if request.get(name) is not None}
    if reading and not request.get("p_table"):
        raise InputError(
            f"{listing(reading)}: this says how a table of p-values is read, and none was given.",
            fix="leave it out, or say it in data, for scores.",
        )
    source: Any
    if request.get("data"):
        source = scores_of(request["data"], given.files, given.progress, given.limits)
        settings |= systems | chosen_part(request)
    else:
        _refuse_unused_by_p_values(action, request)
        del settings["method"]  # that of the tests, which were made elsewhere
        if request.get("published"):
            source = nf.example(str(request["published"]))
        elif request.get("p_values"):
            source = request["p_values"]
        elif request.get("p_table"):
            source = nf.read_p_values(_path(request["p_table"], given), **systems, **reading)
        else:
            raise InputError(
                "no data were given.", fix="paste a table of p-values, or give scores on several datasets."
            )
    return _answer(nf.replicate, (source,), settings, request, given)


def _refuse_unused_by_p_values(action: str, request: Request) -> None:
    fields = BY_ACTION[action].model_fields
    given = [name for name in ONLY_OF_SCORES if request.get(name, fields[name].default) != fields[name].default]
    if given:
        raise InputError(
            f"{listing(given)}: this says how scores are matched and tested, and p-values were given.",
            fix="leave it out, or give scores.",
        )


def on_ratings(action: str, request: Request, given: Given) -> Value:
    """Ask about annotators."""
    import nofluke as nf

    path = _path(request["ratings"], given)
    reading = {option.name: request[option.name] for option in READING_RATINGS if option.name in request}
    ratings = nf.read_ratings(path, **reading)
    return _answer(nf.agree, (ratings,), settings_of(action, request), request, given)


def on_p_values(action: str, request: Request, given: Given) -> Value:
    """Ask about p-values alone."""
    return _answer(_verb(action), (request["p_values"],), settings_of(action, request), request, given)


def on_numbers(action: str, request: Request, _given: Given) -> Value:
    """Ask before there are data."""
    found: Value = _verb(action)(**settings_of(action, request))
    return found


def _answer(
    verb: Callable[..., Any], what: tuple[Any, ...], settings: Mapping[str, Any], request: Request, given: Given
) -> Value:
    options = own_options(request.get("options") or {}, verb)
    watched = {"progress": given.progress} if "progress" in inspect.signature(verb).parameters else {}
    found = verb(*what, **settings, **options, **watched)
    return found if isinstance(found, Value) else Number(float(found))


def _verb(action: str) -> Callable[..., Any]:
    """The function behind an action; where the public one gives bare numbers, the one that says what they rest on."""
    import nofluke as nf
    from nofluke.verbs.correct import correct_named
    from nofluke.verbs.detectable_effect import detected
    from nofluke.verbs.power import planned

    telling: dict[str, Callable[..., Any]] = {
        "correct": correct_named,
        "detectable_effect": detected,
        "power": planned,
    }
    return telling.get(action) or getattr(nf, action)


def is_unpaired(method: str) -> bool:
    """Whether a test takes its systems as independent groups."""
    from nofluke.registry import TESTS

    return method != "auto" and TESTS[method].facts["needs"] == "unpaired"


def _path(entry: Mapping[str, Any], given: Given) -> str:
    identifier = entry.get("upload") or ""
    if identifier not in given.files:
        raise InputError("no file was given.", fix="choose a file, or paste a table.")
    return given.files[identifier][0]
