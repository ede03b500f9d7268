"""Logs of lm-evaluation-harness: samples_TASK_DATE.jsonl, with the results file of the same date beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.file_names import stem_of
from nofluke.readers.given import Given
from nofluke.readers.logs import corpus
from nofluke.readers.logs.reading import field_of, is_number, load_json, within
from nofluke.readers.logs.record import (
    Log,
    Measured,
    PassedOverError,
    check_of,
    first_share,
    setting,
)
from nofluke.registry import FORMATS
from nofluke.types import Group, Note, frozen

_SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?)\.jsonl(?:\.gz)?")
_RESULTS = re.compile(r'\s*\{\s*"results":\s*\{')
_MARKS_OF_RESULTS = ('"alias"', ',none"', '"group_subtasks"')
_FIRST = '{"doc_id": '
_FILTER = '"filter": "'
# What a line holds beside its metrics; older versions do not name these.
_NO_METRICS = (
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
)
_DECODE: Callable[[str], tuple[dict[str, Any], int]] = json.JSONDecoder().raw_decode
_NAMES_OF_MODELS = ("pretrained", "model", "engine", "path")
_AGAIN = "run the evaluation again with --log_samples, and give the folder of --output_path."


def _is_log(head: bytes) -> bool:
    start = decode_head(head).lstrip()
    return start.startswith('{"doc_id"') or _is_results(start)


def _is_results(start: str) -> bool:
    return _RESULTS.match(start) is not None and any(mark in start for mark in _MARKS_OF_RESULTS)


@dataclass(frozen=True, slots=True)
class _Run:
    """What the results file says of a task; all empty where there is none beside the samples."""

    results: Mapping[str, Any] = field(default_factory=dict)
    task: str = ""

    def of(self, part: str) -> Any:
        """What a part of the file says of the task."""
        return within(self.results, part).get(self.task)

    @property
    def config(self) -> Mapping[str, Any]:
        return within(self.results, "configs", self.task)

    @property
    def expected(self) -> int:
        """How many items the task has, 0 where that is not told."""
        found = within(self.results, "n-samples", self.task).get("original")
        return found if isinstance(found, int) else 0

    @property
    def metrics(self) -> dict[str, Mapping[str, Any]]:
        """The metrics as the task declares them, in its order."""
        return {str(one["metric"]): one for one in self._declared("metric_list") if "metric" in one}

    @property
    def filters(self) -> list[str]:
        return [str(one.get("name")) for one in self._declared("filter_list")]

    def _declared(self, part: str) -> list[Mapping[str, Any]]:
        found = self.config.get(part)
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


@FORMATS.register(
    "lm_eval",
    label="lm-evaluation-harness",
    cite="Gao et al. 2024 (lm-evaluation-harness)",
    sniff=_is_log,
    told_by="mark",
    holds=("scores",),
    gives="logs",
)
def read_lm_eval(given: Given, cluster: str = "") -> list[Log]:
    """Read the items of one task; averages are computed anew, and compared with those of the results file."""
    if _is_results(decode_head(given.head()).lstrip()):
        raise PassedOverError(
            "these are averages of lm-evaluation-harness, without the items.", where=given.name, fix=_AGAIN
        )
    task, date = _task_and_date(given)
    run = _Run(_results_beside(given, date), task)
    rows = list(_rows(given, full=bool(cluster)))
    blocks = _blocks(rows, run, given)
    first = next(iter(blocks.values()))
    place = {doc: at for at, doc in enumerate(dict.fromkeys(row.doc for block in blocks.values() for row in block))}
    known = {row.doc: row for block in reversed(blocks.values()) for row in block}
    ordered = [known[doc] for doc in place]
    found, left_out = _all_measured(blocks, place, run)
    if not found and not left_out:
        raise InputError(
            "the items were not scored (metrics: []).", where=given.name, fix="run without --predict_only."
        )
    return [
        Log(
            format="lm_eval",
            version=str(run.results.get("lm_eval_version") or ""),
            file=given.name,
            model=_model(run, given),
            dataset=task,
            items=tuple(str(doc) for doc in place),
            measured=found,
            primary=first_share(found, _order(found, run, first)),
            settings=_settings(run),
            differing=_differing(run) | _prompts(ordered, run),
            date=date,
            commit=str(run.results.get("git_hash") or ""),
            expected=run.expected,
            checks=frozen([row.check for row in ordered], np.int64),
            clusters=tuple(field_of(row.record, cluster, given.name, row.line) for row in ordered) if cluster else None,
            groups=_groups(run.results),
            notes=left_out,
        )
    ]


@dataclass(frozen=True, slots=True)
class _Row:
    doc: Any
    filter: str | None
    record: Mapping[str, Any]
    line: int

    @property
    def metrics(self) -> Sequence[str]:
        named = self.record.get("metrics")
        if isinstance(named, list):
            return [name for name in named if isinstance(name, str)]
        return [name for name in self.record if name not in _NO_METRICS]

    @property
    def check(self) -> int:
        """What the item asks; 0 where an old version does not say it."""
        document, target = self.record.get("doc_hash"), self.record.get("target_hash", "")
        return check_of(f"{document}{target}") if document else 0


def _rows(given: Given, *, full: bool) -> Iterator[_Row]:
    for number, line in enumerate(decode(given.load(), given.name).split("\n"), 1):
        if not line.strip():
            continue
        found = None if full else _end_of(line)
        if found is None:
            found = load_json(line, given.name, number)
        if not isinstance(found, dict) or not isinstance(found.get("doc_id"), int | str):
            raise InputError(
                "the line is no sample of lm-evaluation-harness (it has no doc_id).",
                where=f"{given.name} line {number}",
                fix="give the file as the harness wrote it.",
            )
        name = found.get("filter")
        yield _Row(found["doc_id"], name if name is None else str(name), found, number)


def _end_of(line: str) -> dict[str, Any] | None:
    """Read what follows the texts of a line, which are most of it; None where it is not written as usual.

    What begins within another object would not end the line: then it is no JSON.
    """
    at = line.rfind(_FILTER)
    if at < 0 or not line.startswith(_FIRST):
        return None
    text = "{" + line[at:].rstrip()
    try:
        found, end = _DECODE(text)
        found["doc_id"] = int(line[len(_FIRST) : line.index(",")])
    except (ValueError, RecursionError):
        return None
    return found if end == len(text) and "doc_hash" in found and "metrics" in found else None


def _blocks(rows: Sequence[_Row], run: _Run, given: Given) -> dict[str, list[_Row]]:
    """Give the rows by filter; before 0.4.5 blocks of all items stand in the order of the task's filters."""
    if not rows:
        raise InputError("the log holds no items.", where=given.name, fix=_AGAIN)
    blocks: dict[str, list[_Row]] = {}
    seen: dict[Any, int] = {}
    lines: dict[tuple[Any, str], int] = {}
    for row in rows:
        nth = seen[row.doc] = seen.get(row.doc, -1) + 1
        name = row.filter
        if name is None:
            names = run.filters or ["none"]
            if nth >= len(names):
                raise _twice(row, lines[row.doc, names[-1]], given)
            name = names[nth]
        if (row.doc, name) in lines:
            raise _twice(row, lines[row.doc, name], given)
        lines[row.doc, name] = row.line
        blocks.setdefault(name, []).append(row)
    return blocks


def _twice(row: _Row, before: int, given: Given) -> InputError:
    return InputError(
        f"doc_id {row.doc} stands in line {before} too, under the same filter.",
        where=f"{given.name} line {row.line}",
        fix="give every run its own file; where filters are not named, keep the results file beside the samples.",
    )


def _all_measured(
    blocks: Mapping[str, list[_Row]], place: Mapping[Any, int], run: _Run
) -> tuple[dict[str, Measured], tuple[Note, ...]]:
    found: dict[str, Measured] = {}
    left_out: list[Note] = []
    for kind, rows in blocks.items():
        for metric in dict.fromkeys(name for row in rows for name in row.metrics):
            values: list[Any] = [None] * len(place)
            for row in rows:
                values[place[row.doc]] = row.record.get(metric)
            name = metric if kind == "none" else f"{metric}/{kind}"
            column = corpus.read_or_told(name, run.task, partial(_measured, metric, values, run, kind))
            if isinstance(column, Note):
                left_out.append(column)
            else:
                found[name] = column
    return found, tuple(left_out)


def _measured(metric: str, values: Sequence[Any], run: _Run, filter: str) -> Measured | None:
    """Give the parts of one metric; None where its values cannot be read."""
    declared = run.metrics.get(metric, {})
    way = str(declared.get("aggregation") or corpus.USUAL.get(metric, metric))
    reported: Any = within(run.results, "results", run.task).get(f"{metric},{filter}")
    higher = within(run.results, "higher_is_better", run.task).get(metric, declared.get("higher_is_better"))
    facts: dict[str, Any] = {"higher_is_better": higher if isinstance(higher, bool) else None}
    if is_number(reported):
        facts["reported"] = float(reported)
    return corpus.of_logged(way, values, **facts)


def _order(found: Mapping[str, Measured], run: _Run, first: Sequence[_Row]) -> list[str]:
    """The metrics in the order in which the task declares them, those of all filters together."""
    return [name for metric in (*run.metrics, *first[0].metrics) for name in found if name.split("/")[0] == metric]


def _task_and_date(given: Given) -> tuple[str, str]:
    name = Path(given.name).name
    found = _SAMPLES.fullmatch(name)
    return (found["task"], found["date"]) if found else (stem_of(name).removeprefix("samples_"), "")


def _results_beside(given: Given, date: str) -> Mapping[str, Any]:
    """Read the results file of the same date: results_DATE.json, or NAME_DATE.json where a file was asked for."""
    if given.path is None or not date:
        return {}
    usual = given.path.parent / f"results_{date}.json"
    beside = usual if usual.is_file() else next(iter(sorted(given.path.parent.glob(f"*_{date}.json"))), None)
    return {} if beside is None else _results(beside, beside.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _results(path: Path, _changed: int) -> Mapping[str, Any]:
    """Read a results file once for all tasks of its run."""
    found = load_json(decode(Given(str(path), path=path).load(), str(path)), str(path))
    return found if isinstance(found, dict) else {}


def _model(run: _Run, given: Given) -> str:
    named = run.results.get("model_name")
    if named:
        return str(named)
    folder = Path(given.name).parent.name
    return folder.replace("__", "/") if folder else stem_of(given.name)


def _settings(run: _Run) -> dict[str, str]:
    """What tells two runs of a model apart."""
    config = within(run.results, "config")
    typed = config.get("model_args")
    arguments: Mapping[str, Any] = within(config, "model_args")
    if isinstance(typed, str):
        arguments = dict(pair.split("=", 1) for pair in typed.split(",") if "=" in pair)
    told = {str(name): value for name, value in arguments.items() if name not in _NAMES_OF_MODELS}
    told |= {"gen_kwargs": config.get("gen_kwargs") or None, "n-shot": run.of("n-shot")}
    told |= {name: str(run.results.get(f"{name}_sha") or "")[:8] for name in ("chat_template", "system_instruction")}
    return {name: setting(value) for name, value in told.items() if value not in (None, "")}


def _differing(run: _Run) -> dict[str, str]:
    """What should be the same where systems are compared."""
    settings = _settings(run)
    told = {"version": run.of("versions")}
    told |= {name: settings.get(name) for name in ("n-shot", "chat_template", "system_instruction")}
    return {name: str(value) for name, value in told.items() if value is not None} if run.results else {}


def _prompts(rows: Sequence[_Row], run: _Run) -> dict[str, str]:
    """One number for all prompts, where all items of the task are there: of parts it would always differ."""
    hashes = {str(row.doc): str(row.record.get("prompt_hash") or "") for row in rows}
    if "" in hashes.values() or len(hashes) != run.expected:
        return {}
    return {"prompt": f"{check_of(*(text for _, text in sorted(hashes.items()))):x}"}


def _groups(whole: Mapping[str, Any]) -> tuple[Group, ...]:
    """Give the outermost groups with their tasks, and whether their mean is weighted by size: as it was computed."""
    subtasks = {
        name: list(dict.fromkeys(map(str, tasks)))
        for name, tasks in within(whole, "group_subtasks").items()
        if isinstance(tasks, list) and tasks
    }
    within_groups = {task for tasks in subtasks.values() for task in tasks}
    found = []
    for name in subtasks:
        if name not in within_groups:
            tasks = _leaves(name, subtasks, frozenset())
            found.append(Group(name, tuple(dict.fromkeys(tasks)), by_size=_by_size(name, tasks, whole)))
    return tuple(found)


def _leaves(name: str, subtasks: Mapping[str, list[str]], above: frozenset[str]) -> list[str]:
    if name not in subtasks or name in above:
        return [name]
    return [leaf for one in subtasks[name] for leaf in _leaves(one, subtasks, above | {name})]


def _by_size(name: str, tasks: Sequence[str], whole: Mapping[str, Any]) -> bool:
    """Whether the group's mean is that of all items; where nothing tells, it is: that is the harness's default."""
    group = within(whole, "groups", name) or within(whole, "results", name)
    for metric, value in group.items():
        parts: list[Any] = [within(whole, "results", task).get(metric) for task in tasks]
        counts: list[Any] = [within(whole, "n-samples", task).get("effective") for task in tasks]
        if not is_number(value) or not all(map(is_number, (*parts, *counts))) or not sum(counts):
            continue
        weighted = sum(part * count for part, count in zip(parts, counts, strict=True)) / sum(counts)
        return bool(abs(weighted - value) <= abs(sum(parts) / len(parts) - value))
    return True
