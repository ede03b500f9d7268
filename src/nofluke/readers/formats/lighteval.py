"""Details of lighteval (--save-details): a Parquet file for each task, with the results file of the same date apart."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.given import Given
from nofluke.readers.logs import corpus
from nofluke.readers.logs.reading import field_of, is_number, load_json, within
from nofluke.readers.logs.record import Log, Measured, PassedOverError, check_of, first_share, measured, setting
from nofluke.readers.sql import connect, literal
from nofluke.registry import FORMATS
from nofluke.types import Note, frozen, note
from nofluke.types.bounds import Bounds

_MARK = b"PAR1"
# Names of columns and of their fields, which stand at the end of the file.
_NAMES = (b"doc", b"metric", b"model_response", b"gold_index", b"sampling_methods")
# Before 0.10 an item was no document of its own, and had no id.
_OLDER = (b"full_prompt", b"num_effective_few_shots", b"metrics", b"gold_index")
_DOCUMENT = {"query": "example", "choices": "choices", "gold_index": "gold_index", "specific": "specifics"}
_RESULTS = re.compile(r'\{\s*"config_general"\s*:\s*\{\s*"lighteval_sha"')
_FILE = re.compile(r"details_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?)\.parquet")
_WAY = re.compile(r"metric_type=(\w+)")
_FOLDERS = ("details", "results")
_NOT_TELLING = ("model_name", "cache_dir", "batch_size", "model_definition_file_path", "tokenizer")
_AGAIN = "run lighteval with --save-details, and give the folder of --output-dir."


def _is_log(head: bytes) -> bool:
    if not head.startswith(_MARK):
        return _RESULTS.match(decode_head(head).lstrip()) is not None
    length = int.from_bytes(head[-8:-4], "little")
    end = head[-8 - length : -8] if head.endswith(_MARK) else b""
    return any(all(name in end for name in names) for names in (_NAMES, _OLDER))


def _refuse_larger(path: Path, name: str, bounds: Bounds) -> None:
    from nofluke.readers.formats.parquet import refuse_declared

    refuse_declared(path, name, bounds)


@dataclass(frozen=True, slots=True)
class _Run:
    """What the results file says of a task; all empty where it is not found."""

    file: str = ""
    whole: Mapping[str, Any] = field(default_factory=dict)
    task: str = ""

    @property
    def config(self) -> Mapping[str, Any]:
        tasks = within(self.whole, "config_tasks")
        return within(tasks, self.task) or within(tasks, self.task.rpartition("|")[0])

    @property
    def model(self) -> Mapping[str, Any]:
        return within(self.whole, "config_general", "model_config")

    def metric(self, name: str) -> Mapping[str, Any]:
        listed = self.config.get("metrics") or self.config.get("metric")
        several = [within(one) for one in listed] if isinstance(listed, list) else []
        return next((one for one in several if one.get("metric_name") == name), {})

    def number(self, name: str) -> float:
        found: Any = within(self.whole, "results", self.task).get(name)
        return float(found) if found is not None and is_number(found) else math.nan


@FORMATS.register(
    "lighteval",
    label="lighteval",
    cite="Habib et al. 2023 (lighteval)",
    sniff=_is_log,
    begins=("PAR1", "{"),
    told_by="mark",
    holds=("scores",),
    measure=_refuse_larger,
    gives="logs",
)
def read_lighteval(given: Given, cluster: str = "") -> list[Log]:
    """Read the items of one task; averages are computed anew, as several of the results file are wrong."""
    if not given.head().startswith(_MARK):
        raise PassedOverError("these are averages of lighteval, without the items.", where=given.name, fix=_AGAIN)
    rows = _rows(given)
    named = _FILE.fullmatch(Path(given.name).name)
    task = named["task"] if named else str(rows[0]["doc"].get("task_name") or Path(given.name).stem)
    run = _results(given, task, named["date"] if named else "")
    found, notes = _all_measured(rows, run, task)
    expected = run.config.get("original_num_docs")
    return [
        Log(
            format="lighteval",
            version="",
            file=given.name,
            model=_model(run, given),
            dataset=task,
            items=tuple(str(row["doc"]["id"]) for row in rows),
            measured=found,
            primary=first_share(found),
            settings=_settings(run),
            differing={"version": setting(run.config["version"])} if "version" in run.config else {},
            date=named["date"] if named else "",
            expected=expected if isinstance(expected, int) else 0,
            checks=frozen([_check(row["doc"]) for row in rows], np.int64),
            clusters=tuple(field_of(row, cluster, given.name, 0) for row in rows) if cluster else None,
            notes=notes,
            beside=(run.file,) if run.file else (),
            places="task_name" not in rows[0]["doc"],
        )
    ]


def _rows(given: Given) -> list[dict[str, Any]]:
    # Formats that begin alike are tried in the order of their imports: plain Parquet comes after this one.
    from nofluke.readers.formats.parquet import as_pattern, refuse_declared, told_if_damaged

    if given.path is None:
        raise InputError("details of lighteval are read from a file.", where=given.name, fix="give the path.")
    refuse_declared(given.path, given.name)
    source = f"read_parquet({literal(as_pattern(given.path))}, file_row_number = true, hive_partitioning = false)"
    with told_if_damaged(given.name):
        database = connect()
        columns = [row[0] for row in database.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()]
        parts = "doc, metric, model_response.text" if "doc" in columns else _of_older(columns)
        found = database.execute(f"SELECT {parts} FROM {source} ORDER BY file_row_number").fetchall()
    rows = [{"doc": doc, "metric": metric, "text": text} for doc, metric, text in found]
    if not rows:
        raise InputError("there are no items.", where=given.name, fix=_AGAIN)
    for at, row in enumerate(rows, 1):
        if within(row, "doc").get("id") is None or not isinstance(row["metric"], dict):
            raise InputError(f"row {at} has no doc.id or no metrics.", where=given.name, fix=_AGAIN)
    return rows


def _of_older(columns: Sequence[str]) -> str:
    """Name what stands in columns of its own as the parts of a document; its place is all the id that there is."""
    known = [f"'{name}': {column}" for name, column in _DOCUMENT.items() if column in columns]
    document = ", ".join(["'id': CAST(file_row_number AS VARCHAR)", *known])
    return f"{{{document}}}, metrics, {'predictions' if 'predictions' in columns else 'NULL'}"


def _check(doc: Mapping[str, Any]) -> int:
    """What an item asks: the query, the choices, and which of them is right."""
    return check_of(*(setting(doc.get(key)) for key in ("query", "choices", "gold_index")))


def _all_measured(
    rows: Sequence[Mapping[str, Any]], run: _Run, task: str
) -> tuple[dict[str, Measured], tuple[Note, ...]]:
    found: dict[str, Measured] = {}
    notes: list[Note] = []
    samples = max(len(_texts(row)) for row in rows)
    for name in rows[0]["metric"]:
        values = [row["metric"].get(name) for row in rows]
        if samples > 1 and "@" not in name and all(value is None or is_number(value) for value in values):
            first = _of_first(rows, values)
            notes.append(note("logs.best_of", metric=name, dataset=task, n=samples, again=first is not None))
            facts = _facts(name, run)
            if first is None:
                found[f"{name} (best of {samples})"] = measured(values, **facts)
            else:
                found[name] = measured(first, higher_is_better=facts["higher_is_better"])
            continue
        column = corpus.read_or_told(name, task, partial(_measured, name, values, run))
        if isinstance(column, Note):
            notes.append(column)
        else:
            found[name] = column
    return found, tuple(notes)


def _texts(row: Mapping[str, Any]) -> list[str]:
    texts = row["text"]
    return [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []


def _of_first(rows: Sequence[Mapping[str, Any]], values: Sequence[Any]) -> list[float] | None:
    """Exact match of the first sample of every item; None where the log's own value is no best exact match of all."""
    first = []
    for row, value in zip(rows, values, strict=True):
        golds, texts = set(_golds(row["doc"])), _texts(row)
        exact = [float(text.strip() in golds) for text in texts]
        if not exact or max(exact) != value:
            return None
        first.append(exact[0])
    return first


def _golds(doc: Mapping[str, Any]) -> Iterator[str]:
    places, choices = doc.get("gold_index"), doc.get("choices")
    for place in places if isinstance(places, list) else [places]:
        if isinstance(place, int) and isinstance(choices, list) and 0 <= place < len(choices):
            yield str(choices[place]).strip()


def _facts(name: str, run: _Run) -> dict[str, Any]:
    higher = run.metric(name).get("higher_is_better")
    return {
        "higher_is_better": higher if isinstance(higher, bool) else None,
        "reported": run.number(name),
        "reported_error": run.number(f"{name}_stderr"),
    }


def _measured(name: str, values: Sequence[Any], run: _Run) -> Measured | None:
    """Give the parts of one metric: numbers, or references and outputs, or labels, or log-likelihoods with lengths."""
    declared = _WAY.search(str(run.metric(name).get("corpus_level_fn")))
    way = declared[1] if declared else name
    pairs = [_pair(value) if isinstance(value, dict) else value for value in values]
    if way not in corpus.TEXTS and any(isinstance(pair, list) for pair in pairs):
        pairs = [[_first(one) for one in pair] if isinstance(pair, list) else pair for pair in pairs]
    return corpus.of_logged(corpus.USUAL.get(way, way), pairs, **_facts(name, run))


def _pair(value: Mapping[str, Any]) -> list[Any]:
    return list(value.values()) if set(value) in ({"golds", "preds"}, {"logprobs", "weights"}) else [value]


def _first(value: Any) -> Any:
    """The one entry of a list; log-likelihoods of several texts are added up."""
    if not isinstance(value, list):
        return value
    if len(value) > 1 and all(isinstance(one, float) for one in value):
        return math.fsum(value)
    return value[0] if len(value) == 1 else value


def _results(given: Given, task: str, date: str) -> _Run:
    """Read the results file of the same date: where lighteval writes it, or beside the folder of the date."""
    if given.path is None or not date:
        return _Run(task=task)
    name = f"results_{date}.json"
    parts = given.path.parent.parts[:-1]
    places = [Path(*parts, name)]
    for at in range(len(parts) - 1, -1, -1):
        if parts[at] == _FOLDERS[0]:
            places.insert(0, Path(*parts[:at], _FOLDERS[1], *parts[at + 1 :], name))
            break
    for path in places:
        if path.is_file():
            whole = load_json(decode(Given(str(path), path=path).load(), str(path)), str(path))
            return _Run(str(path), whole if isinstance(whole, dict) else {}, task)
    return _Run(task=task)


def _model(run: _Run, given: Given) -> str:
    """The name of the model; else that of the folders between details and the date."""
    told = within(run.whole, "config_general").get("model_name") or run.model.get("model_name")
    if told:
        return str(told)
    parts = Path(given.name).parent.parts[:-1]
    own = parts[parts.index(_FOLDERS[0]) + 1 :] if _FOLDERS[0] in parts else parts[-1:]
    return "/".join(own) or Path(given.name).stem


def _settings(run: _Run) -> dict[str, str]:
    """What tells two runs of a model apart."""
    told = {name: value for name, value in run.model.items() if name not in (*_NOT_TELLING, "generation_parameters")}
    told |= within(run.model, "generation_parameters")
    told["max_samples"] = within(run.whole, "config_general").get("max_samples")
    return {str(name): setting(value) for name, value in told.items() if value not in (None, "", [], {})}
