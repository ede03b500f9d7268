"""Scores as `nofluke read -o` keeps them: every record in a Parquet file, without any text of the items.

A row is item, run, cluster, check, metric and parts of one system on one dataset. What holds for all rows stands in the
metadata. Small enough to be committed as a baseline, and read back to the same scores.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.errors import By, Fix, InputError, listing
from nofluke.readers.given import Given
from nofluke.readers.logs.corpus import FORMULAS, LABELS, TEXTS
from nofluke.readers.logs.record import SCORED, UNSCORED, Log, Measured
from nofluke.readers.sql import connect, literal
from nofluke.registry import FORMATS
from nofluke.types import Axis, FloatArray, Group, IntArray, Scores, Source, frozen, note

# Every row begins with this text, so that the file is known by its first bytes.
_MARK = "nofluke scores 1"
_KEY = "nofluke"
_KINDS = ("mean", "pooled", "f1", *FORMULAS, *TEXTS.values())
# What is said of all rows, and of each metric.
_ABOUT = {
    "digits": int,
    "metrics": dict,
    "primary": dict,
    "groups": list,
    "notes": list,
    "signatures": dict,
    "ids_given": bool,
    "made_of": list,
}
_OF = {"kind": str, "higher_is_better": bool, "width": int}
# What the statuses of rows say, which are kept themselves: how they count may be chosen anew.
_FOUND_ANEW = ("logs.not_scored", "logs.counted_zero", "logs.failed_metrics")
_AGAIN = "write it again: nofluke read LOGS -o scores.parquet."


def keep(scores: Scores, path: str | os.PathLike[str]) -> None:
    """Write the scores of all items as Parquet, without any text, for `read` to give back the same scores.

    A metric whose formula could not be found again is refused.

    >>> import io, tempfile, nofluke as nf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     keep(nf.read(io.StringIO("item,A,B\\nq1,1,0\\nq2,0,0\\n")), f"{folder}/kept.parquet")
    ...     nf.read(f"{folder}/kept.parquet").systems
    ('A', 'B')
    """
    import duckdb

    strange = [name for name, one in scores.aggregates.items() if not _is_known(one.name)]
    if strange:
        raise InputError(
            f"{listing(strange)} cannot be kept: its formula is not one that nofluke has by name.",
            fix=Fix(
                "keep the files themselves, or the scores of single items",
                By("", " (nofluke score ... --items scores.csv)", ""),
                ".",
            ),
        )
    columns: dict[str, Any] = {"nofluke": np.full(len(scores.statistics), _MARK, object)}
    for name in ("system", "dataset", "metric", "item", "run", "cluster"):
        axis: Axis | None = getattr(scores, name)
        if axis is not None:
            columns[name] = np.array(list(axis.labels), object)[axis.codes]
    columns["check"] = np.zeros(len(scores.statistics), np.int64) if scores.checks is None else scores.checks
    columns["status"] = _status(scores)
    columns |= {f"part_{at + 1}": scores.statistics[:, at] for at in range(scores.statistics.shape[1])}
    connection = connect()
    connection.register("records", columns)
    about = literal(json.dumps(_about(scores)))
    target = literal(os.fsdecode(path))
    how = f"FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{_KEY}: {about}}}"
    try:
        connection.execute(f"COPY (SELECT * FROM records) TO {target} ({how})")
    except duckdb.Error as error:
        raise InputError(
            f"the file cannot be written: {error}.", where=os.fsdecode(path), fix="check the path."
        ) from None


def _is_known(kind: str) -> bool:
    name, _, _ = kind.partition(":")
    return name in _KINDS or name == LABELS


def _status(scores: Scores) -> npt.NDArray[np.int8]:
    if scores.status is not None:
        return np.asarray(scores.status, np.int8)
    return np.where(np.isnan(scores.statistics).any(axis=1), UNSCORED, SCORED).astype(np.int8)


def _about(scores: Scores) -> dict[str, Any]:
    told = dict.fromkeys(one for source in scores.sources for one in source.notes)
    of_logs = [one for one in told if one.code.startswith("logs.") and one.code not in _FOUND_ANEW]
    return {
        "digits": scores.digits,
        "metrics": {
            name: {
                "kind": scores.aggregates[name].name,
                "higher_is_better": scores.higher_is_better[name],
                "width": scores.aggregates[name].width or scores.statistics.shape[1],
            }
            for name in scores.metrics
        },
        "primary": dict(scores.primary),
        "groups": [[group.name, list(group.datasets), group.by_size] for group in scores.groups],
        "signatures": dict(scores.signatures),
        "ids_given": scores.ids_given,
        # When, and of which commit, so that the age of a baseline is known.
        **_dated(scores),
        "made_of": list(dict.fromkeys(one for source in scores.sources for one in _made_of(source))),
        # What is said of columns is said of a file that is no longer there.
        "notes": [[one.code, dict(one.facts)] for one in (*of_logs, *scores.notes)],
    }


def _dated(scores: Scores) -> dict[str, str]:
    newest = max(scores.sources, key=lambda source: source.date)
    return {"date": newest.date, "commit": newest.commit} if newest.date else {}


def _made_of(source: Source) -> tuple[tuple[str, str], ...]:
    return source.made_by or ((source.format, ""),)


def _is_kept(head: bytes) -> bool:
    return head.startswith(b"PAR1") and _MARK.encode() in head[:4096]


@FORMATS.register(
    "kept",
    label="scores kept by nofluke read",
    cite="nofluke read -o",
    sniff=_is_kept,
    begins=("PAR1",),
    told_by="mark",
    holds=("scores",),
    gives="logs",
)
def read_kept(given: Given, cluster: str = "") -> list[Log]:
    """Read what `nofluke read -o` wrote."""
    import duckdb

    from nofluke.readers.formats.parquet import as_pattern, refuse_declared

    if cluster:
        raise InputError("clusters are kept as they were read.", where=given.name, fix="name them when keeping scores.")
    if given.path is None:
        raise InputError("kept scores are read from a file.", where=given.name, fix="give the path.")
    refuse_declared(given.path, given.name)
    path = literal(as_pattern(given.path))
    try:
        connection = connect()
        written = dict(connection.execute(f"SELECT key, value FROM parquet_kv_metadata({path})").fetchall())
        about = json.loads(bytes(written.get(_KEY.encode(), b"")))
        rows: Mapping[str, Any] = connection.execute(f"SELECT * FROM read_parquet({path})").fetchnumpy()
    except (duckdb.Error, ValueError) as error:
        raise _not_whole(f"{type(error).__name__}: {error}", given.name) from None
    _refuse_gaps(rows, about, given.name)
    return _logs(rows, about, given.name)


def _not_whole(why: str, name: str) -> InputError:
    return InputError(f"the kept scores are not whole ({why}).", where=name, fix=_AGAIN)


def _refuse_gaps(rows: Mapping[str, Any], about: Any, name: str) -> None:
    """Refuse a file that lacks something of what `keep` writes, by its name."""
    lacking = [key for key, kind in _ABOUT.items() if not isinstance(about, dict) or not _is_of(about.get(key), kind)]
    if lacking:
        raise _not_whole(f"no {lacking[0]}", name)
    metrics = set(rows["metric"].tolist()) if "metric" in rows else set()
    for metric in sorted(metrics):
        of_metric = about["metrics"].get(metric)
        if not isinstance(of_metric, dict) or not all(_is_of(of_metric.get(key), kind) for key, kind in _OF.items()):
            raise _not_whole(f"nothing is said of {metric}", name)
    wide = max((about["metrics"][metric]["width"] for metric in metrics), default=1)
    columns = ("system", "dataset", "metric", "item", "check", "status", *(f"part_{at + 1}" for at in range(wide)))
    absent = [column for column in columns if column not in rows]
    if absent or not len(rows["item"]):
        raise _not_whole(f"no column {absent[0]}" if absent else "no rows", name)


def _is_of(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _logs(rows: Mapping[str, Any], about: Mapping[str, Any], name: str) -> list[Log]:
    """Give the records of every system on every dataset, in the order in which they were written."""
    axes = {role: _axis(rows[role]) for role in ("system", "dataset", "metric")}
    datasets, metrics = axes["dataset"], axes["metric"]
    of_log = axes["system"].codes * len(datasets.labels) + datasets.codes
    blocks = _blocks(of_log * len(metrics.labels) + metrics.codes)
    checks = np.asarray(rows["check"], np.int64)
    groups = tuple(Group(group, tuple(own), by_size=by) for group, own, by in about["groups"])
    notes = tuple(note(code, **facts) for code, facts in about["notes"])
    made_of = tuple((str(kind), str(version)) for kind, version in about["made_of"])
    found: list[Log] = []
    for one in dict.fromkeys(int(of_log[block[0]]) for block in blocks):
        mine = {metrics.labels[metrics.codes[block[0]]]: block for block in blocks if of_log[block[0]] == one}
        for alike in _of_the_same_items(rows, mine):
            first = next(iter(alike.values()))
            system, dataset = (str(rows[role][first[0]]) for role in ("system", "dataset"))
            found.append(
                Log(
                    format="kept",
                    version="",
                    file=name,
                    model=system,
                    system=system,
                    dataset=dataset,
                    part="" if len(alike) == len(mine) else next(iter(alike)),
                    items=tuple(rows["item"][first].tolist()),
                    measured={metric: _measured(rows, own, about["metrics"][metric]) for metric, own in alike.items()},
                    primary=str(about["primary"].get(dataset, "")),
                    checks=frozen(checks[first], np.int64) if checks.any() else None,
                    runs=tuple(rows["run"][first].tolist()) if "run" in rows else None,
                    clusters=tuple(rows["cluster"][first].tolist()) if "cluster" in rows else None,
                    groups=groups,
                    notes=() if found else notes,
                    digits=about["digits"],
                    signatures=about["signatures"],
                    ids_given=about["ids_given"],
                    made_of=made_of,
                    date=str(about.get("date", "")),
                    commit=str(about.get("commit", "")),
                )
            )
    return found


def _axis(labels: npt.NDArray[Any]) -> Axis:
    known: dict[str, int] = {}
    codes = np.fromiter((known.setdefault(label, len(known)) for label in labels.tolist()), np.int64, len(labels))
    return Axis(tuple(known), codes)


def _blocks(key: IntArray) -> list[IntArray]:
    """Give the rows of every key, in the order in which keys come first."""
    order = np.argsort(key, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(key[order])) + 1)
    return sorted(parts, key=lambda rows: int(rows[0]))


def _of_the_same_items(rows: Mapping[str, Any], blocks: Mapping[str, IntArray]) -> list[dict[str, IntArray]]:
    """Put metrics together that have the same items and runs: what another one lacks is no item of it."""
    found: dict[tuple[Any, ...], dict[str, IntArray]] = {}
    for metric, own in blocks.items():
        items = rows["item"][own].tolist()
        ids = items if "run" not in rows else zip(items, rows["run"][own].tolist(), strict=True)
        found.setdefault(tuple(ids), {})[metric] = own
    return list(found.values())


def _measured(rows: Mapping[str, Any], own: IntArray, about: Mapping[str, Any]) -> Measured:
    parts = np.column_stack([_numbers(rows[f"part_{at + 1}"])[own] for at in range(about["width"])])
    kind = str(about["kind"])
    labels: list[str] = []
    if kind.startswith(f"{LABELS}:"):
        parts, labels = _labelled(parts, json.loads(kind.partition(":")[2]))
        kind = LABELS
    status = frozen(np.asarray(rows["status"], np.int8)[own], np.int8)
    return Measured(frozen(parts), status, kind, about["higher_is_better"], tuple(labels))


def _numbers(column: npt.NDArray[Any]) -> FloatArray:
    """DuckDB keeps nan as an empty cell, and gives a mask for these."""
    found: FloatArray = np.ma.filled(np.ma.asarray(column).astype(np.float64), np.nan)
    return found


def _labelled(counts: FloatArray, labels: list[str]) -> tuple[FloatArray, list[str]]:
    """Give gold and predicted label of every item from its counts: correct, predicted by class and other, gold."""
    size = len(labels)
    missing = np.isnan(counts).any(axis=1)
    known = np.nan_to_num(counts)
    guess, gold = known[:, 1 : size + 2].argmax(axis=1), known[:, size + 2 :].argmax(axis=1)
    pairs = np.column_stack([gold, guess]).astype(np.float64)
    pairs[missing] = np.nan
    return pairs, [*labels, "(other)"]
