"""Records of all logs become one Scores: systems named, logs that count chosen, what is not scored left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nofluke.errors import Fix, InputError, Option, named_as, without_effect
from nofluke.option_groups import OF_LOGS, Reading
from nofluke.options import listed, options_of
from nofluke.readers.direction import orient, range_by_name
from nofluke.readers.logs.corpus import LABELS, aggregate_of, with_labels
from nofluke.readers.logs.gather import Manner, gathered
from nofluke.readers.logs.name import Named, named, refuse_two_models
from nofluke.readers.logs.record import ERROR, UNSCORED, Measured, by_content
from nofluke.readers.logs.remarks import remarks, superseded_note
from nofluke.types import Aggregate, Axis, FloatArray, Group, IntArray, Note, Scores, Source, note, sealed


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One metric of one log: the rows that stand together in the table of scores."""

    named: Named
    metric: str
    measured: Measured

    def __len__(self) -> int:
        return len(self.measured.status)


def read_logs(source: Any, how: Reading, asked: Mapping[str, Any], manner: Manner) -> Scores | None:
    """Read what is a log; None where nothing is one, so that it is read as a table.

    `asked` are columns that the user names: a log says itself what is what, but for clusters.
    """
    found = gathered(source, how.format, str(asked.get("cluster") or ""), manner)
    if found is None:
        refuse_options_of_logs(how)
        return None
    refuse_columns(asked)
    refuse_two_models(found.logs)
    kept, superseded = named(found.logs, keep=how.logs, system_by=listed(how.system_by) if how.system_by else ())
    by_check = _places_apart(kept) if how.match_by == "id" else {one.log.dataset for one in kept}
    kept = [replace(one, log=by_content(one.log)) if one.log.dataset in by_check else one for one in kept]
    notes = (*superseded_note(superseded), *found.notes)
    notes += (note("logs.other_files", files=found.beside),) if found.beside > found.files else ()
    return assembled(kept, how, notes)


def _places_apart(logs: Sequence[Named]) -> set[str]:
    """Name the datasets whose items have no ids but places, and do not stand at the same places in all logs."""
    asked: dict[tuple[str, str], int] = {}
    found = set()
    for log in (one.log for one in logs if one.log.places and one.log.checks is not None):
        pairs = zip(log.items, log.checks.tolist(), strict=True)  # type: ignore[union-attr]  # not None, see above
        if any(asked.setdefault((log.dataset, item), check) != check for item, check in pairs):
            found.add(log.dataset)
    known = {one.log.dataset for one in logs if one.log.checks is None}
    return found - known


def refuse_options_of_logs(how: Reading) -> None:
    """Refuse what only logs can be told, where there are none."""
    given = [one.name for one in options_of(Reading) if one.name in OF_LOGS and getattr(how, one.name) != one.default]
    if given:
        raise without_effect(given, "no log of an evaluation harness was given", Fix("leave it out."))


def refuse_columns(asked: Mapping[str, Any]) -> None:
    """Refuse columns of logs, which have none; but fields that are clusters can be named."""
    given = [role for role, name in asked.items() if name is not None and role != "cluster"]
    if given:
        raise InputError(
            "a log has no columns to ignore." if given[0] == "ignore" else f"a log says itself what the {given[0]} is.",
            fix=Fix("leave it out; clusters can be named: ", named_as(cluster="doc.passage"), "."),
        )


def assembled(logs: Sequence[Named], how: Reading, notes: tuple[Note, ...] = ()) -> Scores:
    """Put the logs together, metric by metric within each of them."""
    blocks = _blocks(logs)
    if not blocks:
        raise InputError(
            "no metric of these logs can be compared.",
            where=logs[0].log.file,
            fix="; ".join(dict.fromkeys(str(told) for one in logs for told in one.log.notes)) or "check the logs.",
        )
    if how.higher_is_better is None:
        _refuse_impossible(blocks)
    parts, aggregates = _all_parts(blocks)
    axes = _axes(blocks)
    directions, by_name = _directions(blocks, how)
    statistics = _as_asked(_joined(parts), blocks, axes, aggregates, directions, how)
    zeros = _zeros(how)
    # A log without any metric that can be compared has to be told of, too.
    unmeasured = [told for one in logs if not one.log.measured for told in one.log.notes]
    told = (*notes, *unmeasured, *remarks(blocks, parts, aggregates, zeros))
    of_logs = tuple(one for one in told if one.code.startswith("logs."))
    return Scores(
        statistics=sealed(statistics),
        item=axes["item"],
        system=axes["system"],
        dataset=axes["dataset"],
        metric=axes["metric"],
        run=axes.get("run"),
        cluster=axes.get("cluster"),
        higher_is_better=directions,
        aggregates=aggregates,
        ids_given=any(one.log.ids_given for one in logs),
        digits=min(one.log.digits for one in logs),
        lines=None,
        sources=_sources(logs, of_logs),
        # Scores that were kept say what was said of them then.
        notes=tuple(dict.fromkeys((*by_name, *(one for one in told if one not in of_logs)))),
        signatures=_signatures(blocks),
        primary=_primary(logs, axes["metric"].labels),
        groups=_groups(logs),
        checks=_checks(blocks),
        status=sealed(np.concatenate([block.measured.status for block in blocks])),
    )


def _zeros(how: Reading) -> list[int]:
    """The statuses that count 0."""
    return [code for code, policy in ((ERROR, how.on_error), (UNSCORED, how.on_unscored)) if policy == "zero"]


def _signatures(blocks: Sequence[Block]) -> dict[str, str]:
    """How every metric was made, where logs say it; what was made in two ways is not compared."""
    found: dict[str, str] = {}
    for block in blocks:
        own = block.named.log.signatures.get(block.metric, "")
        other = found.setdefault(block.metric, own)
        if other != own:
            raise InputError(
                f"{block.metric} was made in two ways ({other or 'as logged'}; {own or 'as logged'}).",
                where=block.named.log.file,
                fix=Fix("score all systems alike; runs are reduced when logs are read: ", Option("reduce"), "."),
            )
    return {metric: signature for metric, signature in found.items() if signature}


def _blocks(logs: Sequence[Named]) -> list[Block]:
    """Give the metrics of all logs; one name for two ways of adding up is two metrics."""
    ways: dict[str, set[str]] = defaultdict(set)
    for one in logs:
        for metric, column in one.log.measured.items():
            ways[metric].add(column.kind)
    return [
        Block(one, metric if len(ways[metric]) == 1 or column.kind == "mean" else f"{metric}:{column.kind}", column)
        for one in logs
        for metric, column in one.log.measured.items()
    ]


def _all_parts(blocks: Sequence[Block]) -> tuple[list[FloatArray], dict[str, Aggregate]]:
    """Give the parts of every block, and how they add up for each metric."""
    parts = [block.measured.parts for block in blocks]
    aggregates: dict[str, Aggregate] = {}
    for at, block in enumerate(blocks):
        kind = block.measured.kind
        labels: Sequence[str] = block.measured.labels
        if block.metric in aggregates:
            continue
        if kind == LABELS:
            own = [place for place, other in enumerate(blocks) if other.metric == block.metric]
            counts, labels = with_labels([blocks[place].measured for place in own])
            for place, counted in zip(own, counts, strict=True):
                parts[place] = counted
        aggregates[block.metric] = aggregate_of(kind, parts[at].shape[1], labels)
    return parts, aggregates


def _joined(parts: Sequence[FloatArray]) -> FloatArray:
    """Put parts below each other; those of metrics with fewer of them are filled up with 0."""
    width = max(part.shape[1] for part in parts)
    joined = np.zeros((sum(map(len, parts)), width))
    start = 0
    for part in parts:
        joined[start : start + len(part), : part.shape[1]] = part
        start += len(part)
    return joined


def _axes(blocks: Sequence[Block]) -> dict[str, Axis]:
    """Give item, system, dataset and metric of every row, and run and cluster where any log has them."""
    sizes = [len(block) for block in blocks]
    axes = {
        "item": _by_row([block.named.log.items for block in blocks]),
        "system": _by_block([block.named.system for block in blocks], sizes),
        "dataset": _by_block([block.named.log.dataset for block in blocks], sizes),
        "metric": _by_block([block.metric for block in blocks], sizes),
    }
    if any(block.named.run or block.named.log.runs for block in blocks):
        axes["run"] = _by_row([_runs_of(block.named) for block in blocks])
    if any(block.named.log.clusters for block in blocks):
        axes["cluster"] = _by_row(_clusters_of(blocks))
    return axes


def _by_block(labels: Sequence[str], sizes: Sequence[int]) -> Axis:
    code = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return Axis(tuple(code), sealed(np.repeat([code[label] for label in labels], sizes).astype(np.int64)))


def _by_row(labels: Sequence[tuple[str, ...]]) -> Axis:
    """Number the labels of all rows; logs of one dataset mostly have the same ones, which are looked up once."""
    code: dict[str, int] = {}
    known: dict[tuple[str, ...], IntArray] = {}
    codes = []
    for own in labels:
        if own not in known:
            known[own] = np.fromiter((code.setdefault(label, len(code)) for label in own), np.int64, len(own))
        codes.append(known[own])
    return Axis(tuple(code), sealed(np.concatenate(codes)))


def _runs_of(one: Named) -> tuple[str, ...]:
    runs = one.log.runs
    if runs is None:
        return (one.run or "1",) * len(one.log.items)
    return tuple(f"{one.run}/{run}" for run in runs) if one.run else runs


def _clusters_of(blocks: Sequence[Block]) -> list[tuple[str, ...]]:
    """Give the cluster of every row, as any log of its dataset has it; an item without one is its own."""
    known: dict[str, dict[str, str]] = defaultdict(dict)
    for block in blocks:
        log = block.named.log
        known[log.dataset] |= dict(zip(log.items, log.clusters or (), strict=False))
    found: dict[int, tuple[str, ...]] = {}
    for block in blocks:
        log = block.named.log
        own = known[log.dataset]
        if id(log) not in found:
            found[id(log)] = log.clusters or tuple(own.get(item, f"{log.dataset} / {item}") for item in log.items)
    return [found[id(block.named.log)] for block in blocks]


def _checks(blocks: Sequence[Block]) -> IntArray | None:
    if all(block.named.log.checks is None for block in blocks):
        return None
    checks = [block.named.log.checks for block in blocks]
    known = [np.zeros(len(block), np.int64) if own is None else own for block, own in zip(blocks, checks, strict=True)]
    return sealed(np.concatenate(known))


def _as_asked(
    statistics: FloatArray,
    blocks: Sequence[Block],
    axes: Mapping[str, Axis],
    aggregates: Mapping[str, Aggregate],
    directions: Mapping[str, bool],
    how: Reading,
) -> FloatArray:
    """Count errors and what is not scored as 0 where the user says so; leave out items that lack a run if asked to."""
    status = np.concatenate([block.measured.status for block in blocks])
    failed = np.isin(status, _zeros(how))
    if failed.any():
        names = enumerate(axes["metric"].labels)
        # A corpus score has no 0 for a single item, and where lower is better 0 is the best: the item stays missing.
        wrong = [number for number, name in names if aggregates[name].linear and directions.get(name, True)]
        statistics[failed & np.isin(axes["metric"].codes, wrong)] = 0.0
    if how.missing_runs == "drop" and "run" in axes:
        key = axes["system"].codes
        for role in ("dataset", "metric", "item"):
            key = key * len(axes[role].labels) + axes[role].codes
        statistics[np.isin(key, key[np.isnan(statistics).any(axis=1)])] = np.nan
    return statistics


def _directions(blocks: Sequence[Block], how: Reading) -> tuple[Mapping[str, bool], tuple[Note, ...]]:
    """Whether higher is better: as the user says, as the logs say, or as the metric's name does."""
    metrics = dict.fromkeys(block.metric for block in blocks)
    if how.higher_is_better is not None:
        return orient(metrics, how.higher_is_better)
    told: dict[str, bool] = {}
    for block in blocks:
        higher = block.measured.higher_is_better
        if higher is not None and told.setdefault(block.metric, higher) != higher:
            raise InputError(
                f"the logs do not agree whether higher {block.metric} is better.",
                where=block.named.log.file,
                fix=Fix("say it: ", Option("higher_is_better"), "."),
            )
    directions, notes = orient([metric for metric in metrics if metric not in told], None)
    return {metric: told[metric] if metric in told else directions[metric] for metric in metrics}, notes


def _refuse_impossible(blocks: Sequence[Block]) -> None:
    """Refuse values that a metric of this name cannot have: then it is another, and maybe better when higher."""
    for block in blocks:
        facts = range_by_name(block.metric.partition("/")[0])
        if facts is None or block.measured.kind != "mean":
            continue
        values = block.measured.parts[:, 0]
        with np.errstate(invalid="ignore"):
            wrong = np.flatnonzero((values < facts.lowest) | (values > facts.highest))
        if wrong.size:
            log, row = block.named.log, int(wrong[0])
            limit = f"below {facts.lowest:g}" if values[row] < facts.lowest else f"above {facts.highest:g}"
            raise InputError(
                f"{block.metric} is never {limit}, and item {log.items[row]!r} of {log.dataset} has {values[row]:g}.",
                where=log.file,
                fix=Fix("if the log is right, say which way is better: ", Option("higher_is_better"), "."),
            )


def _primary(logs: Sequence[Named], metrics: Sequence[str]) -> dict[str, str]:
    """Give the metric that every dataset is judged by: the first that its logs put first."""
    found: dict[str, str] = {}
    for one in logs:
        primary = one.log.primary
        if primary and primary in metrics:
            found.setdefault(one.log.dataset, primary)
    return found


def _groups(logs: Sequence[Named]) -> tuple[Group, ...]:
    """Give the groups that any log declares, with those of their datasets that are there."""
    there = {one.log.dataset for one in logs}
    found = {group.name: group for one in reversed(logs) for group in one.log.groups}
    kept = [
        replace(group, datasets=tuple(name for name in group.datasets if name in there)) for group in found.values()
    ]
    return tuple(group for group in reversed(kept) if len(group.datasets) > 1)


def _sources(logs: Sequence[Named], notes: tuple[Note, ...]) -> tuple[Source, ...]:
    """One source for each of the things that were given, with what is to be said of all under the first."""
    places: dict[int, list[Named]] = defaultdict(list)
    for one in logs:
        places[one.place].append(one)
    found: list[Source] = []
    for place in sorted(places):
        own = places[place]
        made_by = tuple(dict.fromkeys(kind for one in own for kind in one.log.written_by))
        rows = sum(len(one.log.items) for one in own)
        told = () if found else notes
        newest = max(own, key=lambda one: one.log.date).log
        dated = {"date": newest.date, "commit": newest.commit}
        found.append(Source(own[0].origin, own[0].log.format, rows, {"dataset": "task"}, told, made_by, **dated))
    return tuple(found)
