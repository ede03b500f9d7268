"""Every Eval Ever: NAME_samples.jsonl, a line for each sample and metric, with the averages in NAME.json beside it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.given import Given
from nofluke.readers.logs import corpus
from nofluke.readers.logs.reading import field_of, is_number, load_json, within
from nofluke.readers.logs.record import (
    ERROR,
    SCORED,
    Log,
    Measured,
    PassedOverError,
    check_of,
    first_share,
    setting,
)
from nofluke.registry import FORMATS
from nofluke.types import Note, frozen

_SAMPLES = ("evaluation_id", "model_id", "sample_id", "evaluation")
_AVERAGES = ("evaluation_id", "evaluation_results", "model_info")
_FROM_LM_EVAL = "lm_eval_metrics"
_LABEL = "Every Eval Ever"
_AGAIN = "convert the logs again (every_eval_ever convert ... --include_samples), or give the logs themselves."


def _is_log(head: bytes) -> bool:
    start = decode_head(head).lstrip()
    if not re.match(r'\{\s*"schema_version"\s*:\s*"', start):
        return False
    first = start.partition("\n")[0]
    return any(all(f'"{key}"' in text for key in keys) for keys, text in ((_SAMPLES, first), (_AVERAGES, start)))


@dataclass(frozen=True, slots=True)
class _Averages:
    """What the file beside the samples says of their metrics; all empty where there is none."""

    file: str = ""
    whole: Mapping[str, Any] = field(default_factory=dict)

    def of(self, metric: str) -> Mapping[str, Any]:
        listed = self.whole.get("evaluation_results")
        several = [within(one) for one in listed] if isinstance(listed, list) else []
        return next((one for one in several if one.get("evaluation_result_id") == metric), {})

    def facts(self, metric: str) -> dict[str, Any]:
        """Which way is better, and the average."""
        found = self.of(metric)
        lower: Any = within(found, "metric_config").get("lower_is_better")
        score: Any = within(found, "score_details").get("score")
        return {
            "higher_is_better": not lower if isinstance(lower, bool) else None,
            "reported": float(score) if score is not None and is_number(score) else math.nan,
        }

    def samples(self, metrics: Sequence[str]) -> int:
        """How many samples the averages are of."""
        numbers = [within(self.of(one), "score_details", "uncertainty").get("num_samples") for one in metrics]
        return max((one for one in numbers if isinstance(one, int)), default=0)


class _Metric(NamedTuple):
    """A metric: its name, its id in the averages, and how its values add up."""

    name: str
    id: str
    way: str


@dataclass(frozen=True, slots=True)
class _Row:
    """One line: a sample by one metric, or by all of a filter where a converter kept them together."""

    record: Mapping[str, Any]
    line: int
    name: str

    @property
    def where(self) -> str:
        return f"{self.name} line {self.line}"

    @property
    def key(self) -> tuple[str, str]:
        """Which sample it is, and in which run."""
        return str(self.record["sample_id"]), str(within(self.record, "metadata").get("epoch", 1))

    @property
    def filter(self) -> str:
        return str(within(self.record, "metadata").get("filter") or "none")

    @property
    def task(self) -> tuple[str, str]:
        """Model and dataset; filters of one task are metrics of it."""
        name = str(self.record.get("evaluation_name"))
        return str(self.record["model_id"]), name.removesuffix(f"/{self.filter}")

    def values(self) -> dict[_Metric, Any]:
        """The values of metrics: those of lm-eval as lm-eval logged them, and called as in its own logs."""
        logged = within(self.record, "metadata").get(_FROM_LM_EVAL)
        if isinstance(logged, str):
            found = load_json(logged, self.where)
            if not isinstance(found, dict):
                raise InputError(f"metadata.{_FROM_LM_EVAL} holds no metrics.", where=self.where, fix=_AGAIN)
            kind = "" if self.filter == "none" else self.filter
            return {
                _Metric(f"{name}/{kind}" if kind else name, f"{name}:{kind}" if kind else name, name): value
                for name, value in found.items()
            }
        metric = self.record.get("evaluation_result_id")
        if not metric:
            raise InputError(
                "the line does not say by which metric it is scored (evaluation_result_id is null), and such scores "
                "are often 0 for all.",
                where=self.where,
                fix="give the logs of the harness itself.",
            )
        score = within(self.record, "evaluation").get("score")
        return {_Metric(str(metric), str(metric), "mean"): score if is_number(score) else None}


@FORMATS.register(
    "every_eval_ever",
    label=_LABEL,
    cite="EvalEval Coalition: Every Eval Ever, schema",
    sniff=_is_log,
    begins=("{",),
    told_by="mark",
    holds=("scores",),
    gives="logs",
)
def read_every_eval_ever(given: Given, cluster: str = "") -> list[Log]:
    """Read samples by their metrics; what lm-eval logged is added up as lm-eval does it."""
    first = decode_head(given.head()).lstrip().partition("\n")[0]
    if not all(f'"{key}"' in first for key in _SAMPLES):
        raise PassedOverError(f"these are averages of {_LABEL}, without the samples.", where=given.name, fix=_AGAIN)
    by_task: dict[tuple[str, str], list[_Row]] = {}
    for row in _rows(given):
        by_task.setdefault(row.task, []).append(row)
    averages = _beside(given)
    return [_log(rows, model, dataset, averages, given, cluster) for (model, dataset), rows in by_task.items()]


def _rows(given: Given) -> list[_Row]:
    rows = []
    for number, line in enumerate(decode(given.load(), given.name).split("\n"), 1):
        if not line.strip():
            continue
        found = load_json(line, given.name, number)
        if not isinstance(found, dict) or any(found.get(key) is None for key in _SAMPLES):
            raise InputError(
                f"the line is no sample of {_LABEL} (it lacks one of {', '.join(_SAMPLES)}).",
                where=f"{given.name} line {number}",
                fix=_AGAIN,
            )
        rows.append(_Row(found, number, given.name))
    return rows


def _beside(given: Given) -> _Averages:
    path = given.path
    if path is None or "_samples" not in path.name:
        return _Averages()
    other = path.with_name(path.name.partition("_samples")[0] + ".json")
    if not other.is_file():
        return _Averages()
    found = load_json(decode(Given(str(other), path=other).load(), str(other)), str(other))
    return _Averages(str(other), found if isinstance(found, dict) else {})


def _log(rows: Sequence[_Row], model: str, dataset: str, averages: _Averages, given: Given, cluster: str) -> Log:
    known = {row.key: row for row in reversed(rows)}
    place = {key: at for at, key in enumerate(dict.fromkeys(row.key for row in rows))}
    columns = _columns(rows, place)
    ordered = [known[key] for key in place]
    failed = [ERROR if row.record.get("error") else SCORED for row in ordered]
    found, left_out = _measured(columns, failed, averages, dataset)
    epochs = tuple(epoch for _, epoch in place)
    whole = averages.whole
    return Log(
        format="every_eval_ever",
        version=str(rows[0].record.get("schema_version") or ""),
        file=given.name,
        model=model,
        dataset=dataset,
        items=tuple(sample for sample, _ in place),
        measured=found,
        primary=first_share(found),
        settings=_settings(whole),
        date=str(whole.get("evaluation_timestamp") or ""),
        expected=averages.samples([metric.id for metric in columns]),
        checks=frozen([_check(row) for row in ordered], np.int64),
        runs=epochs if len(set(epochs)) > 1 else None,
        clusters=tuple(field_of(row.record, cluster, given.name, row.line) for row in ordered) if cluster else None,
        notes=left_out,
        beside=(averages.file,) if averages.file else (),
    )


def _columns(rows: Sequence[_Row], place: Mapping[tuple[str, str], int]) -> dict[_Metric, list[Any]]:
    """Give the values of every metric; a sample has one line for each, or several that all hold the same."""
    columns: dict[_Metric, list[Any]] = {}
    lines: dict[tuple[_Metric, tuple[str, str]], tuple[int, Any]] = {}
    for row in rows:
        for metric, value in row.values().items():
            before, other = lines.setdefault((metric, row.key), (row.line, value))
            if before != row.line and other != value:
                raise InputError(
                    f"sample {row.key[0]} has another {metric.name} in line {before}.",
                    where=row.where,
                    fix="give every run its own file.",
                )
            lost = row.record.get("error")
            columns.setdefault(metric, [None] * len(place))[place[row.key]] = None if lost else value
    return columns


def _measured(
    columns: Mapping[_Metric, Sequence[Any]], failed: Sequence[int], averages: _Averages, dataset: str
) -> tuple[dict[str, Measured], tuple[Note, ...]]:
    found: dict[str, Measured] = {}
    left_out = []
    for (name, own, way), values in columns.items():
        read = partial(corpus.of_logged, corpus.USUAL.get(way, way), values, **averages.facts(own))
        column = corpus.read_or_told(name, dataset, read)
        if isinstance(column, Note):
            left_out.append(column)
        else:
            status = np.where(np.asarray(failed) == ERROR, ERROR, column.status)
            found[name] = replace(column, status=frozen(status, np.int8))
    return found, tuple(left_out)


def _check(row: _Row) -> int:
    """What a sample asks; of lm-eval by the hashes of its own logs: the other is of the prompt in its template."""
    own = within(row.record, "metadata")
    if _FROM_LM_EVAL in own and own.get("doc_hash"):
        return check_of(f"{own['doc_hash']}{own.get('target_hash', '')}")
    told = row.record.get("sample_hash")
    return check_of(str(told)) if told else check_of(json.dumps(row.record.get("input"), sort_keys=True, default=str))


def _settings(whole: Mapping[str, Any]) -> dict[str, str]:
    """What tells two runs of a model apart: its arguments, and how it generates."""
    details = within(whole, "model_info", "additional_details").get("model_args")
    results = whole.get("evaluation_results")
    first = within(results[0]) if isinstance(results, list) and results else {}
    told = {"model_args": details, **within(first, "generation_config", "generation_args")}
    return {str(name): setting(value) for name, value in told.items() if value is not None}
