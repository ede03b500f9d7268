"""Results of promptfoo: its JSON and JSON lines; a repeat of a test is a run, and a call that failed is no score."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import field_of, is_number, load_json, within
from nofluke.readers.logs.record import (
    ERROR,
    SCORED,
    Log,
    Measured,
    PassedOverError,
    check_of,
    measured,
    names_of_items,
    numbered_runs,
)
from nofluke.registry import FORMATS
from nofluke.types import frozen

_CSV = ",Status,Score,Named Scores,"
# The reason of a failure: 0 none, 1 an assertion, 2 the call itself.
_CALL_FAILED = 2
# What counts as wrong though nothing was graded: the call went well.
_NO_OUTPUT = "No output"
# Older versions begin with the results.
_OLDER = re.compile(r'\{\s*"results"\s*:\s*\{\s*"version"\s*:\s*\d')
_LONGEST_LABEL = 40
_UNNAMED = "promptfoo"
# What a provider adds to the variables of a test.
_NOT_ASKED = ("sessionId",)


def _is_log(head: bytes) -> bool:
    start = decode_head(head).lstrip()
    if start.startswith("{"):
        whole = '"evalId"' in start[:500] and re.search(r'"results"\s*:\s*\{', start[:2000]) is not None
        return whole or ('"promptIdx"' in start and '"testIdx"' in start) or _OLDER.match(start) is not None
    return _CSV in start.partition("\n")[0]


@FORMATS.register(
    "promptfoo",
    label="promptfoo",
    cite="promptfoo: output formats",
    sniff=_is_log,
    told_by="mark",
    holds=("scores",),
    gives="logs",
    asks="vars",
)
def read_promptfoo(given: Given, cluster: str = "") -> list[Log]:
    """Read the results of every provider and prompt; items are known by the variables of their tests."""
    if not decode_head(given.head()).lstrip().startswith("{"):
        raise PassedOverError(
            "the CSV of promptfoo rounds scores and does not tell failed calls.",
            where=given.name,
            fix="write JSON: promptfoo export eval latest -o eval.json, or promptfoo eval -o eval.json.",
        )
    whole, rows = _rows(given)
    if not rows:
        raise InputError("there are no results.", where=given.name, fix="run promptfoo eval to its end.")
    by_system: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_system[_provider(row), _prompt(row)].append(row)
    described = [str(within(row, "testCase").get("description") or "") for row in rows]
    named = names_of_items([_check(row) for row in rows], described)
    about = within(whole, "config")
    return [
        _log(own, provider, prompt, named, given.name, cluster, whole, str(about.get("description") or _UNNAMED))
        for (provider, prompt), own in by_system.items()
    ]


def _rows(given: Given) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    """Give the whole file, where it is one object, and the results within it."""
    text = decode(given.load(), given.name)
    first = text.lstrip().partition("\n")[0]
    if '"testIdx"' in first and '"evalId"' not in first[:500]:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        return {}, [_checked(load_json(line, given.name, number), given.name, number) for number, line in lines]
    whole = load_json(text, given.name)
    results = whole.get("results") if isinstance(whole, dict) else None
    rows = results.get("results") if isinstance(results, dict) else results
    if not isinstance(rows, list):
        raise InputError("there are no results.", where=given.name, fix="give the file as promptfoo wrote it.")
    return whole, [_checked(row, given.name, 0) for row in rows]


def _checked(row: Any, name: str, line: int) -> Mapping[str, Any]:
    if isinstance(row, dict) and isinstance(row.get("vars"), dict) and "score" in row:
        return row
    where = f"{name} line {line}" if line else name
    raise InputError("a result has no vars or no score.", where=where, fix="give the file as promptfoo wrote it.")


def _log(
    rows: list[Mapping[str, Any]],
    provider: str,
    prompt: str,
    named: Mapping[int, str],
    file: str,
    cluster: str,
    whole: Mapping[str, Any],
    dataset: str,
) -> Log:
    rows = sorted(rows, key=_place)
    checks = [_check(row) for row in rows]
    return Log(
        format="promptfoo",
        version=str(within(whole, "metadata").get("promptfooVersion") or ""),
        file=file,
        model=provider,
        dataset=dataset,
        items=tuple(named[check] for check in checks),
        measured=_measured(rows),
        primary="score",
        settings={"prompt": prompt},
        date=str(within(whole, "results").get("timestamp") or ""),
        # The same results may stand there as JSON and as JSON lines.
        task_id=f"{rows[0]['id']} {provider} {prompt}" if rows[0].get("id") else "",
        checks=frozen(checks, np.int64),
        runs=numbered_runs(checks),
        clusters=tuple(field_of(row, cluster, file, 0) for row in rows) if cluster else None,
    )


def _place(row: Mapping[str, Any]) -> int:
    place = row.get("testIdx")
    return place if isinstance(place, int) else 0


def _measured(rows: Sequence[Mapping[str, Any]]) -> dict[str, Measured]:
    own = dict.fromkeys(name for row in rows for name in within(row, "namedScores"))
    found = {"score": [row.get("score") for row in rows], "success": [row.get("success") for row in rows]}
    found |= {
        name if name not in found else f"namedScores.{name}": [within(row, "namedScores").get(name) for row in rows]
        for name in own
    }
    failed = [ERROR if _call_failed(row) else SCORED for row in rows]
    columns = {}
    for name, values in found.items():
        known = [value if is_number(value) else None for value in values]
        columns[name] = measured(known, failed, higher_is_better=True)
    return columns


def _call_failed(row: Mapping[str, Any]) -> bool:
    """Whether the call failed; before there were reasons, an error without a grade says so."""
    if "failureReason" in row:
        return bool(row["failureReason"] == _CALL_FAILED)
    return bool(row.get("error")) and not row.get("gradingResult") and row["error"] != _NO_OUTPUT


def _provider(row: Mapping[str, Any]) -> str:
    told = within(row, "provider")
    return str(told.get("label") or told.get("id") or (row.get("provider") if not told else None) or "provider")


def _prompt(row: Mapping[str, Any]) -> str:
    """The label of a prompt, or its number where the label is the prompt itself."""
    prompt = within(row, "prompt")
    label = str(prompt.get("label") or "")
    short = label and len(label) <= _LONGEST_LABEL and "\n" not in label and label != prompt.get("raw")
    return label if short else str(row.get("promptIdx", 0))


def _check(row: Mapping[str, Any]) -> int:
    """What a test asks: its variables and assertions."""
    asked = {name: value for name, value in within(row, "vars").items() if name not in _NOT_ASKED and name[:1] != "_"}
    asserts = within(row, "testCase").get("assert")
    return check_of(json.dumps(asked, sort_keys=True, default=str), json.dumps(asserts, sort_keys=True, default=str))
