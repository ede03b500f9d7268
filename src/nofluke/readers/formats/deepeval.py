"""Test runs of deepeval: test_run_DATE.json; an item is what a test case asks, a metric that failed is no score."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.file_names import stem_of
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import field_of, is_number, load_json, within
from nofluke.readers.logs.record import (
    ERROR,
    SCORED,
    Log,
    Measured,
    check_of,
    judged_by,
    measured,
    names_of_items,
    numbered_runs,
    setting,
)
from nofluke.registry import FORMATS
from nofluke.types import frozen

# The command line keeps its latest run within another object (.deepeval/.latest_test_run.json).
_LATEST = "testRunData"
_START = re.compile(rf'\{{\s*(?:"{_LATEST}"\s*:\s*\{{\s*)?"(testCases|testFile|conversationalTestCases)"\s*:')
_KINDS = ("testCases", "conversationalTestCases")
_SUCCESS = "success"
_UNNAMED = "deepeval"
# Names that deepeval and pytest give to test cases: places, which move when the cases do.
_PLACE = re.compile(r"(conversational_)?test_case_\d+|test_\w*(\[.*\])?")
_DATE = re.compile(r"\d{8}_\d{6}")
_AGAIN = "give the file as deepeval wrote it (DEEPEVAL_RESULTS_FOLDER)."


def _is_log(head: bytes) -> bool:
    start = decode_head(head).lstrip()
    return _START.match(start) is not None and ('"metricsData"' in start or '"metricsScores"' in start)


@FORMATS.register(
    "deepeval",
    label="deepeval",
    cite="Confident AI: deepeval, test runs",
    sniff=_is_log,
    begins=("{",),
    told_by="mark",
    holds=("scores",),
    gives="logs",
)
def read_deepeval(given: Given, cluster: str = "") -> list[Log]:
    """Read the metrics of every test case; names that are places do not name items, and repeated cases are runs."""
    whole = load_json(decode(given.load(), given.name), given.name)
    whole = within(whole, _LATEST) or whole
    cases = _cases(whole, given.name)
    checks = [_check(case) for case in cases]
    names = [str(case.get("name") or "") for case in cases]
    named = names_of_items(checks, ["" if _PLACE.fullmatch(name) else name for name in names])
    parameters = within(whole, "hyperparameters")
    identifier = str(whole.get("identifier") or "")
    model = str(parameters.get("model") or identifier or stem_of(Path(given.name).name))
    settings = {str(name): setting(value) for name, value in parameters.items() if name != "model"}
    date = _DATE.search(Path(given.name).name)
    found = _measured(cases, whole)
    return [
        Log(
            format="deepeval",
            version="",
            file=given.name,
            model=model,
            dataset=str(whole.get("testFile") or whole.get("datasetAlias") or _UNNAMED),
            items=tuple(named[check] for check in checks),
            measured=found,
            primary=judged_by(found),
            settings=settings | ({"identifier": identifier} if identifier not in ("", model) else {}),
            date=date[0] if date else "",
            checks=frozen(checks, np.int64),
            runs=numbered_runs(checks),
            clusters=tuple(field_of(case, cluster, given.name, 0) for case in cases) if cluster else None,
        )
    ]


def _cases(whole: Any, name: str) -> list[Mapping[str, Any]]:
    """Give all test cases in their order, with their metrics checked."""
    lists: list[Any] = [(whole.get(kind) or []) if isinstance(whole, dict) else None for kind in _KINDS]
    cases = [case for several in lists if isinstance(several, list) for case in several]
    if not cases:
        raise InputError("there are no test cases.", where=name, fix="run the evaluation to its end.")
    for at, case in enumerate(cases, 1):
        data = case.get("metricsData") or [] if isinstance(case, dict) else None
        if not isinstance(data, list) or not all(isinstance(one, dict) and one.get("name") for one in data):
            raise InputError(f"test case {at} has no list of metrics with names.", where=name, fix=_AGAIN)
    return sorted(cases, key=_place)


def _place(case: Mapping[str, Any]) -> float:
    order = case.get("order")
    return float(order) if is_number(order) and order is not None else math.inf


def _check(case: Mapping[str, Any]) -> int:
    """What a case asks: input and expected output; of a conversation its scenario, or what the user says."""
    if case.get("input") is not None:
        return check_of(_text(case.get("input")), _text(case.get("expectedOutput")))
    turns = case.get("turns")
    mappings = [within(turn) for turn in turns] if isinstance(turns, list) else []
    said = [turn.get("content") for turn in mappings if turn.get("role") == "user"]
    return check_of(_text(case.get("scenario") or said), _text(case.get("expectedOutcome")))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _measured(cases: Sequence[Mapping[str, Any]], whole: Mapping[str, Any]) -> dict[str, Measured]:
    """Give every metric, and whether the case passed, which nobody knows where a metric failed."""
    rows = [_by_name(case) for case in cases]
    found = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        own = [row.get(name, {}) for row in rows]
        failed = [ERROR if one.get("error") else SCORED for one in own]
        values = [score if is_number(score := one.get("score")) else None for one in own]
        found[name] = measured(values, failed, reported=_reported(name, whole), higher_is_better=_direction(own))
    unknown = [any(one.get("error") for one in row.values()) for row in rows]
    passed = [
        success if isinstance(success := case.get("success"), bool) and not lost else None
        for case, lost in zip(cases, unknown, strict=True)
    ]
    own_name = _SUCCESS if _SUCCESS not in found else f"{_SUCCESS} of the test case"
    return found | {own_name: measured(passed, higher_is_better=True)}


def _direction(own: Sequence[Mapping[str, Any]]) -> bool | None:
    """Whether higher is better, by what passes: at or above the threshold, or at or below; None where both fit."""
    judged = [
        (float(one["score"]), float(one["threshold"]), one["success"])
        for one in own
        if is_number(one.get("score")) and is_number(one.get("threshold")) and isinstance(one.get("success"), bool)
    ]
    higher = all(passed == (score >= threshold) for score, threshold, passed in judged)
    lower = all(passed == (score <= threshold) for score, threshold, passed in judged)
    return None if higher == lower else higher


def _by_name(case: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The metrics of a case by their names; a name that stands there twice gets a number."""
    seen: Counter[str] = Counter()
    found = {}
    for one in case.get("metricsData") or []:
        name = str(one["name"])
        seen[name] += 1
        found[name if seen[name] == 1 else f"{name} {seen[name]}"] = one
    return found


def _reported(name: str, whole: Mapping[str, Any]) -> float:
    """The mean of the scores that the run lists by metric: without those that failed, so their places say nothing."""
    listed = whole.get("metricsScores")
    for one in listed if isinstance(listed, list) else []:
        scores = within(one).get("scores")
        if within(one).get("metric") == name and isinstance(scores, list) and scores and all(map(is_number, scores)):
            return math.fsum(scores) / len(scores)
    return math.nan
