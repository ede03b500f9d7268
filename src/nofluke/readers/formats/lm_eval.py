"""Logs of lm-evaluation-harness: samples_TASK_DATE.jsonl, with the results file of the same date beside it.

Before 0.4.3 they are JSON arrays, ARGUMENTS_TASK.jsonl beside results.json; before 0.4 TASK_write_out_info.json.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.given import Given
from nofluke.readers.logs import corpus
from nofluke.readers.logs.lm_eval_run import Run, differing_of, groups_of, model_of, run_of, settings_of
from nofluke.readers.logs.reading import field_of, is_number, load_json, within
from nofluke.readers.logs.record import (
    Log,
    Measured,
    PassedOverError,
    check_of,
    first_share,
)
from nofluke.readers.numbers import parse_number
from nofluke.registry import FORMATS
from nofluke.types import Note, frozen

_START = re.compile(r'(?:\[\s*)?\{\s*"doc_id"\s*:')
_RESULTS = re.compile(r'\s*\{\s*"results":\s*\{')
_MARKS_OF_RESULTS = ('"alias"', ',none"', '"group_subtasks"')
_FIRST = '{"doc_id": '
_FILTER = '"filter": "'
# Stands for a score where the outputs were only written (--predict_only).
_UNSCORED = "bypass"
# What a line holds beside its metrics; older versions do not name these.
_NO_METRICS = (
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash", "truth", _UNSCORED),
)
# What was asked and answered, numbered, before 0.4.
_TEXTS = re.compile(r"(prompt|logit)_\d+")
_WRITTEN = {"True": 1.0, "False": 0.0}
_DECODE: Callable[[str], tuple[dict[str, Any], int]] = json.JSONDecoder().raw_decode
_AGAIN = "run the evaluation again with --log_samples, and give the folder of --output_path."


def _is_log(head: bytes) -> bool:
    start = decode_head(head).lstrip()
    return _START.match(start) is not None or _is_results(start)


def _is_results(start: str) -> bool:
    return _RESULTS.match(start) is not None and any(mark in start for mark in _MARKS_OF_RESULTS)


@FORMATS.register(
    "lm_eval",
    label="lm-evaluation-harness",
    cite="Gao et al. 2024 (lm-evaluation-harness)",
    sniff=_is_log,
    begins=("[", "{"),
    told_by="mark",
    holds=("scores",),
    gives="logs",
    asks="doc",
)
def read_lm_eval(given: Given, cluster: str = "") -> list[Log]:
    """Read the items of one task; averages are computed anew, and compared with those of the results file."""
    if _is_results(decode_head(given.head()).lstrip()):
        raise PassedOverError(
            "these are averages of lm-evaluation-harness, without the items.", where=given.name, fix=_AGAIN
        )
    run = run_of(given)
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
            model=model_of(run, given),
            dataset=run.task,
            items=tuple(str(doc) for doc in place),
            measured=found,
            primary=first_share(found, _order(found, run, first)),
            settings=settings_of(run),
            differing=differing_of(run) | _prompts(ordered, run),
            date=run.date,
            commit=str(run.results.get("git_hash") or ""),
            expected=run.expected,
            checks=frozen([row.check for row in ordered], np.int64),
            clusters=tuple(field_of(row.record, cluster, given.name, row.line) for row in ordered) if cluster else None,
            groups=groups_of(run.results),
            notes=left_out,
            beside=(run.file,) if run.file else (),
        )
    ]


@dataclass(frozen=True, slots=True)
class _Row:
    doc: Any
    filter: str | None
    record: Mapping[str, Any]
    line: int
    name: str

    @property
    def metrics(self) -> Sequence[str]:
        named = self.record.get("metrics")
        if isinstance(named, list):
            return [name for name in named if isinstance(name, str) and name != _UNSCORED]
        return [name for name in self.record if name not in _NO_METRICS and not _TEXTS.fullmatch(name)]

    @property
    def check(self) -> int:
        """What the item asks, by the harness's own hashes; 0 where the log does not say it.

        Before 0.4.5 there were none: they are made as the harness makes them, so that old and new logs match.
        """
        document, target = self.record.get("doc_hash"), self.record.get("target_hash", "")
        if not document and "doc" in self.record:
            document = _hash(json.dumps(self.record["doc"], indent=2, ensure_ascii=False))
            target = _hash(str(self.record.get("target")))
        return check_of(f"{document}{target}") if document else 0

    @property
    def where(self) -> str:
        return f"{self.name} line {self.line}" if self.line else self.name

    def value(self, metric: str) -> Any:
        """The value of a metric, which was written as text before 0.4."""
        found = self.record.get(metric)
        if not isinstance(found, str):
            return found
        number = _WRITTEN.get(found, parse_number(found))
        return found if number is None else number


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _rows(given: Given, *, full: bool) -> Iterator[_Row]:
    for found, number in _samples(decode(given.load(), given.name), given.name, full=full):
        if not isinstance(found, dict) or not isinstance(found.get("doc_id"), int | str):
            raise InputError(
                "what stands there is no sample of lm-evaluation-harness (it has no doc_id).",
                where=f"{given.name} line {number}" if number else given.name,
                fix="give the file as the harness wrote it.",
            )
        name = found.get("filter")
        yield _Row(found["doc_id"], name if name is None else str(name), found, number, given.name)


def _samples(text: str, name: str, *, full: bool) -> Iterator[tuple[Any, int]]:
    """Give the samples with their lines, 0 in an array."""
    if text.lstrip().startswith("["):
        yield from ((found, 0) for found in load_json(text, name))
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            found = None if full else _end_of(line)
            yield (load_json(line, name, number) if found is None else found), number


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


def _blocks(rows: Sequence[_Row], run: Run, given: Given) -> dict[str, list[_Row]]:
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
                raise _twice(row, lines[row.doc, names[-1]])
            name = names[nth]
        if (row.doc, name) in lines:
            raise _twice(row, lines[row.doc, name])
        lines[row.doc, name] = row.line
        blocks.setdefault(name, []).append(row)
    return blocks


def _twice(row: _Row, before: int) -> InputError:
    return InputError(
        f"doc_id {row.doc} stands {f'in line {before} too' if before else 'there twice'}, under the same filter.",
        where=row.where,
        fix="give every run its own file; where filters are not named, keep the results file beside the samples.",
    )


def _all_measured(
    blocks: Mapping[str, list[_Row]], place: Mapping[Any, int], run: Run
) -> tuple[dict[str, Measured], tuple[Note, ...]]:
    found: dict[str, Measured] = {}
    left_out: list[Note] = []
    for kind, rows in blocks.items():
        for metric in dict.fromkeys(name for row in rows for name in row.metrics):
            values: list[Any] = [None] * len(place)
            for row in rows:
                values[place[row.doc]] = row.value(metric)
            name = metric if kind == "none" else f"{metric}/{kind}"
            column = corpus.read_or_told(name, run.task, partial(_measured, metric, values, run, kind))
            if isinstance(column, Note):
                left_out.append(column)
            else:
                found[name] = column
    return found, tuple(left_out)


def _measured(metric: str, values: Sequence[Any], run: Run, filter: str) -> Measured | None:
    """Give the parts of one metric; None where its values cannot be read."""
    declared = run.metrics.get(metric, {})
    way = str(declared.get("aggregation") or corpus.USUAL.get(metric, metric))
    reported: Any = within(run.results, "results", run.task).get(f"{metric},{filter}")
    higher = within(run.results, "higher_is_better", run.task).get(metric, declared.get("higher_is_better"))
    facts: dict[str, Any] = {"higher_is_better": higher if isinstance(higher, bool) else None}
    if is_number(reported):
        facts["reported"] = float(reported)
    return corpus.of_logged(way, values, **facts)


def _order(found: Mapping[str, Measured], run: Run, first: Sequence[_Row]) -> list[str]:
    """The metrics in the order in which the task declares them, those of all filters together."""
    return [name for metric in (*run.metrics, *first[0].metrics) for name in found if name.split("/")[0] == metric]


def _prompts(rows: Sequence[_Row], run: Run) -> dict[str, str]:
    """One number for all prompts, where all items of the task are there: of parts it would always differ."""
    hashes = {str(row.doc): str(row.record.get("prompt_hash") or "") for row in rows}
    if "" in hashes.values() or len(hashes) != run.expected:
        return {}
    return {"prompt": f"{check_of(*(text for _, text in sorted(hashes.items()))):x}"}
