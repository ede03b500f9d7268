"""What there is to say of logs: what was not scored, which averages deviate, what differs between the systems."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nofluke.readers.logs.name import Named
from nofluke.readers.logs.record import ERROR, SCORED, Log
from nofluke.registry import FORMATS
from nofluke.types import STATUSES, Aggregate, FloatArray, Note, note

if TYPE_CHECKING:
    from nofluke.readers.logs.scores import Block

# How far an average that is computed anew may be from the log's own before that is worth a word.
_SAME = 1e-6
# A standard error of another method is another number; one that is this many times too small or large is wrong.
_OTHER_METHOD = 2.0


def superseded_note(logs: Sequence[Named]) -> tuple[Note, ...]:
    """Name the logs that do not count: older ones, and parts of what another log has in full."""
    told = [(one.system, one.log.dataset, one.log.file, one.log.n_items, one.log.expected) for one in logs]
    return (note("logs.superseded", logs=tuple(told)),) if told else ()


def remarks(
    blocks: Sequence[Block], parts: Sequence[FloatArray], aggregates: Mapping[str, Aggregate], zeros: Sequence[int]
) -> tuple[Note, ...]:
    """Give all that is to be said of the logs that count; `zeros` are the statuses that count 0."""
    # One log may count for several systems.
    logs = list({(id(block.named.log), block.named.system): block.named for block in blocks}.values())
    of_logs = dict.fromkeys(told for one in logs for told in one.log.notes)
    found = (*_statuses(logs, zeros), *_partial(logs), *_deviations(blocks, parts, aggregates), *_differing(logs))
    found += tuple(_failed_metrics(blocks))
    found += tuple(_wrong_errors(blocks, parts, aggregates))
    # What was said when scores were kept may be found again.
    return tuple(dict.fromkeys((*found, *_silent(blocks), *of_logs)))


def _statuses(logs: Sequence[Named], zeros: Sequence[int]) -> Iterator[Note]:
    """Count by system what has no score; where systems differ in errors, these may hang on the items."""
    missing: dict[str, Counter[str]] = {one.system: Counter() for one in logs}
    as_zero: dict[str, Counter[str]] = {one.system: Counter() for one in logs}
    for one in logs:
        if one.log.measured:
            counts_zero = _count_zero(one.log, zeros)
            for counts, rows in ((missing, ~counts_zero), (as_zero, counts_zero)):
                numbers = np.bincount(one.log.status[rows], minlength=len(STATUSES))
                counts[one.system].update(dict(zip(STATUSES, numbers.tolist(), strict=True)))
    formats = dict.fromkeys(kind for one in logs for kind, _ in one.log.written_by)
    zero_in = tuple(str(place) for kind in formats if kind in FORMATS and (place := FORMATS[kind].facts["zero_in"]))
    for name, counts in (("logs.not_scored", missing), ("logs.counted_zero", as_zero)):
        lost = {system: {what: own[what] for what in STATUSES[1:] if own[what]} for system, own in counts.items()}
        told = tuple((system, tuple(own.items())) for system, own in lost.items() if own)
        if told:
            uneven = len({own.get("error", 0) for own in lost.values()}) > 1
            facts = {"uneven": uneven, **({"zero_in": zero_in} if zero_in else {})} if counts is missing else {}
            yield note(name, systems=told, **facts)


def _count_zero(log: Log, zeros: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Which rows count 0 though nothing scored them: as asked for now, or when scores were kept.

    A corpus score has no 0 for a single item: there it stays missing.
    """
    judged = [log.measured[log.primary]] if log.primary in log.measured else list(log.measured.values())
    known = np.stack([~np.isnan(one.parts).any(axis=1) for one in judged]).all(axis=0)
    single = all(one.kind == "mean" for one in judged)
    found: npt.NDArray[np.bool_] = (log.status != SCORED) & (known | (np.isin(log.status, zeros) & single))
    return found


def _partial(logs: Sequence[Named]) -> Iterator[Note]:
    """Name the logs that do not hold all items of their dataset, or that did not end well."""
    part = [(one.system, one.log.dataset, one.log.n_items, one.log.expected) for one in logs if _is_part(one.log)]
    if part:
        yield note("logs.partial", logs=tuple(part))
    ended = [(one.system, one.log.dataset, one.log.ended) for one in logs if one.log.ended]
    if ended:
        yield note("logs.ended", logs=tuple(ended))


def _failed_metrics(blocks: Sequence[Block]) -> Iterator[Note]:
    """Count by metric and system the items that failed for it alone, not for the one that the log is judged by."""
    counts: Counter[tuple[str, str]] = Counter()
    for block in blocks:
        alone = (block.measured.status == ERROR) & (block.named.log.status != ERROR)
        counts[block.metric, block.named.system] += int(alone.sum())
    told = tuple((metric, system, number) for (metric, system), number in counts.items() if number)
    if told:
        yield note("logs.failed_metrics", failed=told)


def _silent(blocks: Sequence[Block]) -> Iterator[Note]:
    """Count by metric the items that got 0 because there was no answer."""
    counts: Counter[str] = Counter()
    for block in blocks:
        counts[block.metric] += block.measured.silent
    told = tuple((metric, number) for metric, number in counts.items() if number)
    if told:
        yield note("logs.no_answer", metrics=told)


def _is_part(log: Log) -> bool:
    return log.n_items < log.expected


def _deviations(
    blocks: Sequence[Block], parts: Sequence[FloatArray], aggregates: Mapping[str, Aggregate]
) -> Iterator[Note]:
    """Compare every average that a log reports with that of its items."""
    far = []
    for block, own in zip(blocks, parts, strict=True):
        reported = block.measured.reported
        aggregate = aggregates[block.metric]
        if math.isnan(reported) or (block.named.log.runs is not None and not aggregate.linear):
            continue
        score = _score(block, own, aggregate)
        # Nothing is compared where nothing was scored: what is missing is told by itself.
        if abs(score - reported) > _SAME * max(1.0, abs(reported)):
            far.append((block.named.system, block.named.log.dataset, block.metric, reported, score))
    if far:
        yield note("logs.deviates", scores=tuple(far))


def _wrong_errors(
    blocks: Sequence[Block], parts: Sequence[FloatArray], aggregates: Mapping[str, Aggregate]
) -> Iterator[Note]:
    """Compare every standard error that a log reports with the jackknife's of its items."""
    wrong = []
    for block, own in zip(blocks, parts, strict=True):
        reported, log = block.measured.reported_error, block.named.log
        rows = own[block.measured.status == SCORED]
        if math.isnan(reported) or log.runs is not None or len(rows) < 3:
            continue
        without = aggregates[block.metric](rows.sum(axis=0) - rows, float(len(rows) - 1))
        error = math.sqrt((len(rows) - 1) * float(np.var(without)))
        if reported * _OTHER_METHOD < error or reported > error * _OTHER_METHOD:
            wrong.append((block.named.system, log.dataset, block.metric, reported, error))
    if wrong:
        yield note("logs.wrong_errors", errors=tuple(wrong))


def _score(block: Block, parts: FloatArray, aggregate: Aggregate) -> float:
    """The score of a log's items, each the mean of its runs."""
    scored = block.measured.status == SCORED
    rows = parts[scored]
    if not len(rows):
        return math.nan
    if block.named.log.runs is not None:
        items = np.array(block.named.log.items, object)[scored]
        _, codes = np.unique(items.astype(str), return_inverse=True)
        rows = (np.bincount(codes, rows[:, 0]) / np.bincount(codes))[:, None]
    return aggregate.score(rows)


def _differing(logs: Sequence[Named]) -> Iterator[Note]:
    """Say what should be the same for all systems on a dataset and is not."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in logs:
        for key, value in one.log.differing.items():
            values[key, one.log.dataset].add(value)
    found: dict[str, list[str]] = defaultdict(list)
    for (key, dataset), several in values.items():
        if len(several) > 1:
            found[key].append(dataset)
    for key, datasets in found.items():
        yield note("logs.differs", what=key, datasets=tuple(datasets))
