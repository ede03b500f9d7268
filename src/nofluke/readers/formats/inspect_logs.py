"""Logs of Inspect: .eval (a zip with a header and summaries of all samples) and its JSON form."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import field_of, is_number, load_json, within
from nofluke.readers.logs.record import (
    ERROR,
    INVALID,
    SCORED,
    Log,
    Measured,
    PassedOverError,
    check_of,
    judged_by,
    measured,
    setting,
)
from nofluke.readers.logs.zips import MARK, Archive
from nofluke.readers.numbers import parse_number
from nofluke.registry import FORMATS
from nofluke.types import Note, frozen, note
from nofluke.types.bounds import Bounds

# How Inspect reads the marks that its scorers give; N is no answer, which counts 0.
_MARKS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_NO_ANSWER = "N"
_NAME = "Inspect"
_AGAIN = "write the log again (inspect log convert LOG --to json --output-dir DIR), or copy it again."
_HEADER, _SUMMARIES, _START, _JOURNAL = "header.json", "summaries.json", "_journal/start.json", "_journal/summaries/"
_SAMPLES = "samples/"
_WHOLE_SAMPLE = re.compile(r"_epoch_\d+(?:\.json|/sample\.json)$")
# Workers that share a task write a log each, NAME.shards/WORKER/LOG.eval beside what will be NAME.eval.
_SHARDS = ".shards"
# Summaries hold the beginnings of long texts: what an item asks is known by as much.
_TEXT = 1000
# How much of a value is shown that is no score.
_SHOWN = 40
# What the averages of a scorer are called that are means over all items.
_MEANS = ("accuracy", "mean", "all")


def _is_log(head: bytes) -> bool:
    """Whether a zip archive or a JSON object begins as a log does: the journal comes first, or the header is near."""
    if head.startswith(MARK):
        return b"_journal/start.json" in head[:4096] or b"header.json" in head[:4096]
    start = decode_head(head).lstrip()[:2000]
    return start.startswith("{") and all(f'"{key}"' in start for key in ("version", "status", "eval"))


def _refuse_larger(path: Path, name: str, bounds: Bounds) -> None:
    archive = Archive(path.read_bytes(), name, _NAME, _AGAIN, bounds)
    archive.refuse_declared([member for member in (_HEADER, _SUMMARIES) if member in archive])


@FORMATS.register(
    "inspect",
    label=_NAME,
    cite="UK AI Security Institute, Inspect: log file format",
    sniff=_is_log,
    begins=("PK", "{"),
    told_by="mark",
    holds=("scores",),
    measure=_refuse_larger,
    gives="logs",
    asks="input",
    ending=".eval",
)
def read_inspect(given: Given, cluster: str = "") -> list[Log]:
    """Read the samples of one task: an epoch is a run, and what failed or was not judged has no score."""
    data = given.load()
    if data.startswith(MARK):
        header, samples = _from_zip(Archive(data, given.name, _NAME, _AGAIN), given.name, whole_samples=bool(cluster))
    else:
        header = load_json(decode(data, given.name), given.name)
        _pass_over_list(header, given.name)
        samples = header.get("samples") or [] if isinstance(header, dict) else []
    _refuse_gaps(header, samples, given.name)
    if not samples:
        fix = "run the task again (inspect eval-retry LOG)."
        raise PassedOverError("the log holds no samples: the run ended before any.", where=given.name, fix=fix)
    about = header["eval"]
    found, notes = _all_measured(samples, header)
    key = cluster or _cluster_key(header)
    epochs = tuple(str(sample.get("epoch", 1)) for sample in samples)
    expected = within(about, "dataset").get("samples")
    return [
        Log(
            format="inspect",
            version=str(within(about, "packages").get("inspect_ai") or ""),
            file=given.name,
            model=str(about["model"]),
            dataset=str(about["task"]),
            items=tuple(str(sample["id"]) for sample in samples),
            measured=found,
            primary=judged_by(found),
            settings=_settings(header),
            differing={"version": str(about.get("task_version", ""))},
            date=str(about.get("created") or ""),
            commit=str(within(about, "revision").get("commit") or ""),
            task_id=str(about.get("task_id") or ""),
            expected=expected if isinstance(expected, int) else 0,
            ended="" if header.get("status") in (None, "success") else str(header["status"]),
            checks=frozen([_check(sample) for sample in samples], np.int64),
            runs=epochs if len(set(epochs)) > 1 else None,
            clusters=_clusters(samples, key, given.name, asked=bool(cluster)),
            notes=notes,
            shard=_shard(given.name),
        )
    ]


def _shard(file: str) -> str:
    """The folder of a worker where the file lies in one."""
    folder = PurePath(file).parent
    return str(folder) if folder.parent.name.endswith(_SHARDS) else ""


def _pass_over_list(whole: Any, name: str) -> None:
    """Pass over logs.json, which an eval set or a bundle keeps beside its logs: their headers by file."""
    if isinstance(whole, dict) and whole and all("eval" in within(one) for one in whole.values()):
        raise PassedOverError("this lists logs of Inspect, without their samples.", where=name, fix="give the logs.")


def _refuse_gaps(header: Any, samples: Any, name: str) -> None:
    """Refuse a log that lacks what everything else hangs on, by its name."""
    about = within(header, "eval")
    lacking = [f"eval.{key}" for key in ("task", "model") if key not in about]
    if not isinstance(samples, list) or not all(isinstance(one, dict) and "id" in one for one in samples):
        lacking.append("id of a sample")
    if lacking:
        raise InputError(f"the log of {_NAME} is not whole (no {lacking[0]}).", where=name, fix=_AGAIN)


def _from_zip(archive: Archive, name: str, *, whole_samples: bool) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Read header and summaries; of a run that was killed the journal, and samples where summaries lack something.

    Which samples were invalidated, and metadata in old logs, only the samples themselves say.
    """

    def load(member: str) -> Any:
        return load_json(decode(archive.read(member), f"{name}/{member}"), f"{name}/{member}")

    def rows(member: str) -> list[Any]:
        found = load(member)
        return found if isinstance(found, list) else [found]

    if _HEADER not in archive and _START not in archive:
        raise InputError(f"the log of {_NAME} is not whole (no {_HEADER}).", where=name, fix=_AGAIN)
    header = load(_HEADER if _HEADER in archive else _START)
    header = header if isinstance(header, dict) else {}
    if _HEADER not in archive:
        header |= {"status": "started"}
    if _SUMMARIES in archive:
        samples = rows(_SUMMARIES)
    else:
        samples = _last_of_each([one for part in archive.names(_JOURNAL) for one in rows(part)])
    key = _cluster_key(header).removeprefix("metadata.")
    lacking = any(
        not isinstance(one, dict)
        or ("scores" not in one and not one.get("error"))
        or (key and key not in (one.get("metadata") or {}))
        for one in samples
    )
    if header.get("invalidated") or whole_samples or not samples or lacking:
        members = [member for member in archive.names(_SAMPLES) if _WHOLE_SAMPLE.search(member)]
        archive.refuse_declared(members)
        samples = [load(member) for member in members] or samples
        for sample, member in zip(samples, members, strict=False):
            # A large sample is cut into several members, one of which has what else is known of it.
            about = member.removesuffix("sample.json") + "metadata.json"
            if member.endswith("/sample.json") and about in archive and isinstance(sample, dict):
                sample.setdefault("metadata", load(about))
    return header, samples


def _last_of_each(samples: list[Any]) -> list[Any]:
    """A journal may name a sample again, when it was done again: the last time counts."""
    named = {}
    for at, one in enumerate(samples):
        about = within(one)
        named[str(about.get("id", f"no id {at}")), str(about.get("epoch"))] = one
    return list(named.values())


def _all_measured(
    samples: Sequence[Mapping[str, Any]], header: Mapping[str, Any]
) -> tuple[dict[str, Measured], tuple[Note, ...]]:
    """Give every scorer, or every key of one that gives several values, as a metric."""
    rows = [_values(sample, header) for sample in samples]
    lost = [_status(sample) for sample in samples]
    task = str(header["eval"]["task"])
    found: dict[str, Measured] = {}
    notes: list[Note] = []
    for metric in dict.fromkeys(name for row in rows for name in row):
        values = [_number(row.get(metric)) for row in rows]
        other = next((row[metric] for row, value in zip(rows, values, strict=True) if value is _TEXT_VALUE), None)
        if other is not None:
            seen = str(other)[:_SHOWN]
            notes.append(note("logs.metric_left_out", metric=metric, dataset=task, why="no_score", value=seen))
            continue
        silent = sum(row.get(metric) == _NO_ANSWER for row in rows)
        found[metric] = measured(values, lost, reported=_reported(metric, header), silent=silent)
    return found, tuple(notes)


def _values(sample: Mapping[str, Any], header: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a sample by the names of scorers, or scorer/key; the first versions had one scorer alone."""
    found: dict[str, Any] = {}
    scores = within(sample, "scores")
    if "score" in sample and not scores:
        scores = {str(within(header, "results", "scorer").get("name") or "score"): sample["score"]}
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, Mapping) else score
        if isinstance(value, Mapping):
            found |= {f"{scorer}/{key}": one for key, one in value.items()}
        else:
            found[scorer] = value
    return found


# Stands for a text that is neither a mark nor a number: Inspect would count it as 0 without a word.
_TEXT_VALUE = object()


def _number(value: Any) -> Any:
    """Give the number of a mark; None where there is none or it is not a number, and a token of its own for texts."""
    if isinstance(value, str):
        known = _MARKS.get(value, _MARKS.get(value.casefold()))
        number = known if known is not None else parse_number(value)
        if number is None:
            return _TEXT_VALUE
        return None if math.isnan(number) else number
    if isinstance(value, bool | int | float):
        return float(value) if is_number(value) else None
    return None if value is None else _TEXT_VALUE


def _status(sample: Mapping[str, Any]) -> int:
    if sample.get("invalidation"):
        return INVALID
    return ERROR if sample.get("error") else SCORED


def _check(sample: Mapping[str, Any]) -> int:
    """What a sample asks: the beginnings of its input and target."""
    target = sample.get("target")
    return check_of(_text_of(sample.get("input"))[:_TEXT], _text_of(target)[:_TEXT])


def _text_of(value: Any) -> str:
    """The text of an input: itself, or those of its messages."""
    if isinstance(value, Mapping):
        return _text_of(value.get("content", value.get("text", "")))
    if isinstance(value, list):
        return "\n".join(map(_text_of, value))
    return str(value)


def _settings(header: Mapping[str, Any]) -> dict[str, str]:
    """What tells two runs of a model on a task apart: arguments, solver, and how the model generates."""
    about = header["eval"]
    told: dict[str, Any] = {}
    for part in ("task_args", "model_args", "solver_args", "model_generate_config"):
        told |= within(about, part)
    told |= {"solver": about.get("solver"), **within(within(header, "plan"), "config")}
    return {str(name): setting(value) for name, value in told.items() if value is not None and name not in _NOT_TELLING}


# How fast a run goes is no part of what it is.
_NOT_TELLING = ("max_connections", "max_retries", "timeout", "attempt_timeout", "batch", "cache_prompt")


def _scored(header: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    scores = within(header, "results").get("scores")
    return [one for one in scores if isinstance(one, Mapping)] if isinstance(scores, list) else []


def _reported(metric: str, header: Mapping[str, Any]) -> float:
    """The mean that the log reports of a metric; of several reducers of epochs that of the mean."""
    for entry in _scored(header):
        scorer, name = str(entry.get("scorer")), str(entry.get("name"))
        if metric not in (name if name == scorer else f"{scorer}/{name}", name) or entry.get("reducer") not in (
            None,
            "mean",
        ):
            continue
        for mean in _MEANS:
            value: Any = within(entry, "metrics", mean).get("value")
            if is_number(value):
                return float(value)
    return math.nan


def _cluster_key(header: Mapping[str, Any]) -> str:
    """The metadata by which the log's own standard error is clustered, if it is."""
    for entry in _scored(header):
        for one in within(entry, "metrics").values():
            key = within(one, "params").get("cluster")
            if key:
                return f"metadata.{key}"
    return ""


def _clusters(samples: Sequence[Mapping[str, Any]], key: str, name: str, *, asked: bool) -> tuple[str, ...] | None:
    if not key:
        return None
    field = key.removeprefix("metadata.")
    if not asked and not all(field in within(sample, "metadata") for sample in samples):
        return None
    # What a sample asks stands beside its metadata.
    path = field if key == "input" else f"metadata.{field}"
    return tuple(field_of(sample, path, name, 0) for sample in samples)
