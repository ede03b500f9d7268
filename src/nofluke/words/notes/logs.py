"""What logs of harnesses hold beside scores: errors, parts of datasets, older logs, averages that deviate."""

from __future__ import annotations

from nofluke.errors import Option, listing
from nofluke.types.base import counted
from nofluke.words.notes import Sayings

_SHOWN = 3
_STATUS = {"error": "in error", "unscored": "not scored", "skipped": "skipped", "invalid": "invalidated"}

_LEFT_OUT = {
    "no_score": "{value!r} is no score",
    "extra": "it needs pip install 'nofluke[{value}]'",
    "": "its values are neither scores nor complete parts of one",
}


def _not_scored(systems: tuple[tuple[str, tuple[tuple[str, int], ...]], ...], uneven: bool) -> str:
    text = f"Not scored, and so missing: {_by_system(systems)}."
    if uneven:
        text += f" Systems differ in failures, which may hang on the items; {Option('on_error', 'zero')} counts 0."
    return text


def _by_system(systems: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]) -> str:
    told = [f"{name}: {', '.join(f'{count:,} {_STATUS[what]}' for what, count in own)}" for name, own in systems]
    return "; ".join(told[:_SHOWN]) + (f"; {len(told) - _SHOWN:,} more systems" if len(told) > _SHOWN else "")


def _superseded(logs: tuple[tuple[str, str, str, int, int], ...]) -> str:
    told = []
    for system, dataset, _, items, expected in logs[:_SHOWN]:
        part = f" ({items:,} of {expected:,} items)" if items < expected else ""
        told.append(f"{system} on {dataset}{part}")
    more = f", ... ({len(logs):,} in all)" if len(logs) > _SHOWN else ""
    what = "log does" if len(logs) == 1 else "logs do"
    return (
        f"{len(logs):,} {what} not count, as there is a newer or more complete one: {', '.join(told)}{more}. "
        f"{Option('logs', 'all')} takes them as runs."
    )


def _partial(logs: tuple[tuple[str, str, int, int], ...]) -> str:
    told = [f"{system} on {dataset} ({items:,} of {expected:,})" for system, dataset, items, expected in logs]
    return f"Only a part of the items was run: {listing(told, _SHOWN)}."


def _ended(logs: tuple[tuple[str, str, str], ...]) -> str:
    told = [f"{system} on {dataset} ({status})" for system, dataset, status in logs]
    return f"The run did not end well: {listing(told, _SHOWN)}."


def _deviates(scores: tuple[tuple[str, str, str, float, float], ...]) -> str:
    system, dataset, metric, reported, found = scores[0]
    more = f" {len(scores) - 1:,} more scores are like this." if len(scores) > 1 else ""
    return (
        f"The log reports {metric} {reported:.6g} for {system} on {dataset}, and its items give {found:.6g}, which "
        f"counts here.{more}"
    )


def _no_answer(metrics: tuple[tuple[str, int], ...]) -> str:
    told = [f"{number:,} by {metric}" for metric, number in metrics]
    return f"The mark N (no answer) counts 0: {listing(told, _SHOWN)}."


def _passed_over(files: tuple[str, ...]) -> str:
    hold = "holds" if len(files) == 1 else "hold"
    return (
        f"{counted(len(files), 'file')} {hold} no scores of items, or the same in a poorer form: {listing(files, 2)}."
    )


def _metric_left_out(metric: str, dataset: str, why: str, value: str = "") -> str:
    return f"{metric} of {dataset} is left out: {_LEFT_OUT[why].format(value=value)}."


LOGS: Sayings = {
    "not_scored": _not_scored,
    "counted_zero": lambda systems: f"Not scored, and counted 0 as asked: {_by_system(systems)}.",
    "superseded": _superseded,
    "partial": _partial,
    "ended": _ended,
    "deviates": _deviates,
    "differs": "The systems were not run alike: {what} differs on {datasets}.",
    "no_answer": _no_answer,
    "reruns": "{n:attempt} of tests on {dataset} that were run again do not count: the last one does, so a pass may "
    "be the best of several.",
    "passed_over": _passed_over,
    "other_files": "{files:other file} in the folder are no logs, and were passed over.",
    "metric_left_out": _metric_left_out,
}
