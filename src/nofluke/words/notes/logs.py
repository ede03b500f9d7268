"""What logs of harnesses hold beside scores: errors, parts of datasets, older logs, averages that deviate."""

from __future__ import annotations

from pathlib import PurePath

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


def _not_scored(
    systems: tuple[tuple[str, tuple[tuple[str, int], ...]], ...], uneven: bool, zero_in: tuple[str, ...] = ()
) -> str:
    text = f"Not scored, and so missing: {_by_system(systems)}."
    kinds = {what for _, own in systems for what, _ in own}
    zero = " and ".join(str(Option(f"on_{one}", "zero")) for one in ("error", "unscored") if one in kinds)
    there = f", as {listing(zero_in)} does" if zero_in else ""
    if uneven:
        way = zero if zero_in else Option("on_error", "zero")
        text += f" Failures differ between systems and may depend on the items; {way} counts them as 0{there}."
    elif zero_in and zero:
        text += f" {zero} counts them as 0{there}."
    return text


def _by_system(systems: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]) -> str:
    told = [f"{name}: {', '.join(f'{count:,} {_STATUS[what]}' for what, count in own)}" for name, own in systems]
    return "; ".join(told[:_SHOWN]) + (f"; {len(told) - _SHOWN:,} more systems" if len(told) > _SHOWN else "")


def _superseded(logs: tuple[tuple[str, str, str, int, int], ...]) -> str:
    by_file: dict[str, list[str]] = {}
    for system, dataset, file, items, expected in logs:
        part = f" ({items:,} of {expected:,} items)" if items < expected else ""
        by_file.setdefault(file, []).append(f"{system} on {dataset}{part}")
    # A file may hold many systems and tasks: it is then told by its name.
    told = [own[0] if len(own) == 1 else PurePath(file).name for file, own in by_file.items()]
    them = "it as a run" if len(told) == 1 else "them as runs"
    return (
        f"Not used: {counted(len(told), 'log')} with a newer or more complete one ({listing(told, _SHOWN)}). "
        f"{Option('logs', 'all')} takes {them}."
    )


def _partial(logs: tuple[tuple[str, str, int, int], ...]) -> str:
    told = [f"{system} on {dataset} ({items:,} of {expected:,})" for system, dataset, items, expected in logs]
    return f"Only a part of the items was run: {listing(told, _SHOWN)}."


def _ended(logs: tuple[tuple[str, str, str], ...]) -> str:
    told = [f"{system} on {dataset} ({status})" for system, dataset, status in logs]
    return f"Runs that did not finish: {listing(told, _SHOWN)}."


def _deviates(scores: tuple[tuple[str, str, str, float, float], ...]) -> str:
    system, dataset, metric, reported, found = scores[0]
    more = _like_this(len(scores) - 1, "score")
    return (
        f"The log reports {metric} {reported:.6g} for {system} on {dataset}, but its items give {found:.6g}, which is "
        f"used here.{more}"
    )


def _like_this(number: int, what: str) -> str:
    if not number:
        return ""
    return f" {counted(number, f'more {what}')} {'is' if number == 1 else 'are'} like this."


def _wrong_errors(errors: tuple[tuple[str, str, str, float, float], ...]) -> str:
    system, dataset, metric, reported, found = errors[0]
    more = _like_this(len(errors) - 1, "standard error")
    return (
        f"The log reports a standard error of {reported:.2g} for {metric} of {system} on {dataset}, and its items give "
        f"{found:.2g}; intervals are made from the items.{more}"
    )


def _failed_metrics(failed: tuple[tuple[str, str, int], ...]) -> str:
    told = [f"{metric} of {system} on {counted(number, 'item')}" for metric, system, number in failed]
    return f"Metrics that failed, and so have no score: {listing(told, _SHOWN)}."


def _no_answer(metrics: tuple[tuple[str, int], ...]) -> str:
    told = [f"{number:,} by {metric}" for metric, number in metrics]
    return f"The mark N (no answer) counts 0: {listing(told, _SHOWN)}."


def _passed_over(files: tuple[str, ...]) -> str:
    hold = "holds" if len(files) == 1 else "hold"
    return f"{counted(len(files), 'file')} {hold} no item scores, or none that other files lack: {listing(files, 2)}."


def _empty_files(files: tuple[str, ...]) -> str:
    logs = "log is" if len(files) == 1 else "logs are"
    return f"{len(files):,} {logs} empty, and so missing: {listing(files, 3)}."


def _links_out(files: tuple[str, ...]) -> str:
    lead = "leads out of its folder and was" if len(files) == 1 else "lead out of their folder and were"
    return f"{counted(len(files), 'link')} {lead} not followed: {listing(files, 2)}. Give what is linked as well."


def _metric_left_out(metric: str, dataset: str, why: str, value: str = "") -> str:
    return f"{metric} of {dataset} is left out: {_LEFT_OUT[why].format(value=value)}."


def _best_of(metric: str, dataset: str, n: int, again: bool) -> str:
    text = f"{metric} of {dataset} is logged as the best of {n} samples"
    return text + ("; here it is that of the first sample." if again else f", and called so: {metric} (best of {n}).")


def _splits(dataset: str, splits: tuple[str, ...], judged: str) -> str:
    what = f"{judged} counts" if judged else "their mean counts"
    return f"{dataset} was run on {listing(splits)}: {what}."


LOGS: Sayings = {
    "not_scored": _not_scored,
    "counted_zero": lambda systems: f"Not scored, and counted as 0: {_by_system(systems)}.",
    "superseded": _superseded,
    "partial": _partial,
    "ended": _ended,
    "deviates": _deviates,
    "failed_metrics": _failed_metrics,
    "wrong_errors": _wrong_errors,
    "differs": "The systems were not run alike: {what} differs on {datasets}.",
    "no_answer": _no_answer,
    "reruns": "{n:attempt} of tests on {dataset} that were run again do not count: the last one does, so a pass may "
    "be the best of several.",
    "passed_over": _passed_over,
    "empty_files": _empty_files,
    "links_out": _links_out,
    "other_files": "Skipped: {files:other file} in the folder that hold no logs.",
    "metric_left_out": _metric_left_out,
    "averages_alone": "Only averages of {metrics} on {dataset} are logged, not scores of items: left out.",
    "best_of": _best_of,
    "splits": _splits,
    "rated": "{rated:segment} of {size:,} have a score of {metric}; the others are no part of its evaluation.",
    "sentence_scores": "The mean of sentence {metric} is not the {metric} of the whole text, which is compared from "
    "the texts themselves.",
}
