"""Results of MTEB: a file for every task and model, with one main score for each split and subset, and no items."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nofluke.align.decimals import FLOAT_DIGITS, TEXT_DIGITS
from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import is_number, load_json, within
from nofluke.readers.logs.record import Log, PassedOverError, measured
from nofluke.registry import FORMATS
from nofluke.types import Note, note

_RESULT = re.compile(r'\{\s*"dataset_revision"\s*:')
_NAMES = ("task_name", "mteb_dataset_name")
_PREDICTIONS = re.compile(r'\{\s*"mteb_model_meta"\s*:')
_METRIC = "main_score"
# Where a task has results on several splits, this one is what it is judged by.
_JUDGED = "test"
_META = "model_meta.json"
_LAST_DATE = 2**37
_AGAIN = "run the task again with a current mteb (mteb.evaluate), and give the folder of its results."


def _is_log(head: bytes) -> bool:
    start = decode_head(head).lstrip()
    return _PREDICTIONS.match(start) is not None or (
        _RESULT.match(start) is not None and any(f'"{name}"' in start for name in _NAMES) and '"mteb_version"' in start
    )


@FORMATS.register(
    "mteb",
    label="MTEB",
    cite="Muennighoff et al. 2023 (MTEB)",
    sniff=_is_log,
    begins=("{",),
    told_by="mark",
    holds=("scores",),
    gives="logs",
)
def read_mteb(given: Given, cluster: str = "") -> list[Log]:
    """Read the score of one task, which is one observation: subsets, such as languages, are averaged as MTEB does."""
    whole = load_json(decode(given.load(), given.name), given.name)
    if within(whole, "mteb_model_meta"):
        raise PassedOverError(
            "these are predictions of MTEB, which have scores only together with the labels of the task.",
            where=given.name,
            fix="give the folder of results beside them.",
        )
    if cluster:
        raise InputError(f"there is no field {cluster!r}.", where=given.name, fix="results of MTEB have no items.")
    task = str(within(whole).get("task_name") or "")
    if not task and "mteb_dataset_name" in within(whole):
        raise InputError(
            "this result of MTEB is of an old version, without a main score.", where=given.name, fix=_AGAIN
        )
    splits = {name: _main_scores(rows, name, given.name) for name, rows in within(whole, "scores").items()}
    if not task or not splits:
        raise _not_whole("no task_name or no scores", given.name)
    judged = {_JUDGED: splits[_JUDGED]} if _JUDGED in splits else splits
    values = [value for own in judged.values() for value in own]
    model, revision = _model(given)
    date = whole.get("date")
    return [
        Log(
            format="mteb",
            version=str(whole.get("mteb_version") or ""),
            file=given.name,
            model=model,
            dataset=task,
            items=(_METRIC,),
            # A task is not scored unless all of its subsets are.
            measured={_METRIC: measured([math.fsum(values) / len(values)], higher_is_better=True)},
            primary=_METRIC,
            digits=FLOAT_DIGITS if len(values) > 1 else TEXT_DIGITS,
            settings={"revision": revision} if revision else {},
            differing={"dataset_revision": str(whole.get("dataset_revision") or "")},
            date=datetime.fromtimestamp(date, UTC).isoformat() if is_number(date) and 0 <= date < _LAST_DATE else "",
            notes=_notes(task, list(splits)),
        )
    ]


def _notes(task: str, splits: Sequence[str]) -> tuple[Note, ...]:
    if len(splits) == 1:
        return ()
    return (note("logs.splits", dataset=task, splits=tuple(splits), judged=_JUDGED if _JUDGED in splits else ""),)


def _main_scores(rows: Any, split: str, name: str) -> list[float]:
    """Give the main score of every subset."""
    if not isinstance(rows, list) or not rows:
        raise _not_whole(f"no subsets of {split}", name)
    values = [within(row).get(_METRIC, "") for row in rows]
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float | None):
            raise _not_whole(f"a subset of {split} has no {_METRIC}", name)
    return [float(value) if is_number(value) else math.nan for value in values]


def _model(given: Given) -> tuple[str, str]:
    """Give model and revision: those of model_meta.json beside the results, or the folders ORG__NAME/REVISION."""
    folders = Path(given.name).parts[:-1]
    if given.path is not None and (beside := given.path.parent / _META).is_file():
        about = within(load_json(decode(Given(str(beside), path=beside).load(), str(beside)), str(beside)))
        if isinstance(about.get("name"), str) and about["name"]:
            return about["name"], str(about.get("revision") or "")
    if len(folders) > 1 and "__" in folders[-2]:
        return folders[-2].replace("__", "/", 1), folders[-1]
    return (folders[-1].replace("__", "/", 1), "") if folders else ("MTEB", "")


def _not_whole(why: str, name: str) -> InputError:
    return InputError(f"the result of MTEB is not whole ({why}).", where=name, fix=_AGAIN)
