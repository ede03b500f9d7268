"""Records of openai/evals (oaieval): a line of JSON for the run, for every event, and for the final report."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import field_of, is_number, load_json, within
from nofluke.readers.logs.record import (
    ERROR,
    SCORED,
    UNSCORED,
    Log,
    Measured,
    check_of,
    first_share,
    measured,
    numbered_runs,
    setting,
)
from nofluke.registry import FORMATS
from nofluke.types import frozen

_START = re.compile(r'\{\s*"spec"\s*:\s*\{')
_CORRECT = "correct"
_AGAIN = "give the file of --record_path as oaieval wrote it."


def _is_log(head: bytes) -> bool:
    first = decode_head(head).lstrip().partition("\n")[0]
    return _START.match(first) is not None and '"completion_fns"' in first and '"eval_name"' in first


@dataclass(frozen=True, slots=True)
class _Event:
    """One event of a sample: its type and data, and the line it stands in."""

    sample: str
    type: str
    data: Mapping[str, Any]
    order: float
    line: int


@dataclass(frozen=True, slots=True)
class _Row:
    """One scoring of a sample: the n-th match and the n-th set of metrics that were recorded for it."""

    sample: str
    values: Mapping[str, Any]
    status: int
    event: _Event


@FORMATS.register(
    "openai_evals",
    label="openai/evals",
    cite="OpenAI: evals, record.py",
    sniff=_is_log,
    begins=("{",),
    told_by="mark",
    holds=("scores",),
    gives="logs",
)
def read_openai_evals(given: Given, cluster: str = "") -> list[Log]:
    """Read matches and metrics of every sample; several of one sample are its runs, and an error is no score."""
    spec, report, events = _read(given)
    rows = [row for own in _by_sample(events).values() for row in _rows_of(own)]
    found = _measured(rows, report or {})
    if not found:
        raise InputError(
            "no sample was scored (no match and no metrics).", where=given.name, fix="run oaieval to its end."
        )
    models = spec.get("completion_fns")
    arguments = within(spec, "run_config", "eval_spec").get("args")
    items = [row.sample for row in rows]
    return [
        Log(
            format="openai_evals",
            version="",
            file=given.name,
            model=",".join(map(str, models)) if isinstance(models, list) else str(models),
            dataset=str(spec.get("eval_name")),
            items=tuple(items),
            measured=found,
            primary=first_share(found, [_CORRECT]),
            differing={"args": setting(arguments)} if arguments else {},
            date=str(spec.get("created_at") or ""),
            task_id=str(spec.get("run_id") or ""),
            ended="" if report is not None else "no final report",
            checks=_checks(rows),
            runs=numbered_runs(items),
            clusters=tuple(field_of(_fields(row), cluster, given.name, row.event.line) for row in rows)
            if cluster
            else None,
        )
    ]


def _read(given: Given) -> tuple[Mapping[str, Any], Mapping[str, Any] | None, list[_Event]]:
    """Give what was run, the final report if there is one, and the events, which may stand in any order."""
    spec: Mapping[str, Any] = {}
    report: Mapping[str, Any] | None = None
    events: list[_Event] = []
    for number, line in enumerate(decode(given.load(), given.name).split("\n"), 1):
        if not line.strip():
            continue
        found = load_json(line, given.name, number)
        if not isinstance(found, dict):
            raise InputError("the line is no event.", where=f"{given.name} line {number}", fix=_AGAIN)
        if "final_report" in found:
            report = within(found, "final_report")
        elif "spec" in found and not events and not spec:
            spec = within(found, "spec")
        else:
            events.append(_event(found, given.name, number))
    if not spec.get("completion_fns") or not spec.get("eval_name"):
        raise InputError("the run is not described (spec.completion_fns, eval_name).", where=given.name, fix=_AGAIN)
    return spec, report, sorted(events, key=lambda event: event.order)


def _event(found: Mapping[str, Any], name: str, line: int) -> _Event:
    sample, kind, order = found.get("sample_id"), found.get("type"), found.get("event_id")
    if not isinstance(sample, str | int) or not isinstance(kind, str):
        raise InputError("the event has no sample_id or no type.", where=f"{name} line {line}", fix=_AGAIN)
    at = float(order) if order is not None and is_number(order) else float(line)
    return _Event(str(sample), kind, within(found, "data"), at, line)


def _by_sample(events: Sequence[_Event]) -> dict[str, list[_Event]]:
    found: dict[str, list[_Event]] = defaultdict(list)
    for event in events:
        found[event.sample].append(event)
    return found


def _rows_of(events: Sequence[_Event]) -> list[_Row]:
    """Give the scorings of one sample; without any it is in error, or was not scored."""
    matches = [event for event in events if event.type == "match"]
    metrics = [event for event in events if event.type == "metrics"]
    rows = []
    for at in range(max(len(matches), len(metrics))):
        values: dict[str, Any] = {_CORRECT: matches[at].data.get(_CORRECT)} if at < len(matches) else {}
        if at < len(metrics):
            values |= {name if name != _CORRECT else "metrics.correct": one for name, one in metrics[at].data.items()}
        rows.append(_Row(events[0].sample, values, SCORED, matches[at] if at < len(matches) else metrics[at]))
    failed = any(event.type == "error" for event in events)
    return rows or [_Row(events[0].sample, {}, ERROR if failed else UNSCORED, events[0])]


def _measured(rows: Sequence[_Row], report: Mapping[str, Any]) -> dict[str, Measured]:
    status = [row.status for row in rows]
    found = {}
    for name in dict.fromkeys(name for row in rows for name in row.values):
        values = [value if is_number(value := row.values.get(name)) else None for row in rows]
        if any(value is not None for value in values):
            reported: Any = report.get("accuracy" if name == _CORRECT else name)
            higher = True if name == _CORRECT else None
            mean = float(reported) if is_number(reported) else math.nan
            found[name] = measured(values, status, higher_is_better=higher, reported=mean)
    return found


def _checks(rows: Sequence[_Row]) -> Any:
    """What samples ask, as far as matches tell: the answers that were expected, however often."""
    expected: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.event.data.get("expected") is not None:
            expected[row.sample].add(json.dumps(row.event.data["expected"], sort_keys=True))
    known = {sample: check_of(*sorted(own)) for sample, own in expected.items()}
    return frozen([known.get(row.sample, 0) for row in rows], np.int64)


def _fields(row: _Row) -> Mapping[str, Any]:
    return {"sample_id": row.sample, "data": row.event.data}
