"""What files hold, in ten lines: what was found, what is missing, and what does not match."""

from __future__ import annotations

from pathlib import PurePath

from nofluke.errors import listing
from nofluke.types import Answer, Contents
from nofluke.types.base import counted
from nofluke.words.sources import origin

TITLE = "What the files hold"
COLUMNS = ("what", "found")
_MOST_NAMES, _MOST_METRICS, _MOST_NOTES = 6, 4, 3
_LABELS = {"unscored": "Unscored", "error": "Errors", "skipped": "Skipped", "invalid": "Invalid"}


def answer(result: Contents) -> Answer:
    """Give the counts, a line for each thing that a user may want to check."""
    return Answer(headline(result), points=points(result), notes=tuple(map(str, result.notes))[:_MOST_NOTES])


def headline(result: Contents) -> str:
    """What was read, and how much of it."""
    several = [counted(len(result.systems), "system")]
    several += [counted(len(result.datasets), result.noun)] if result.datasets else []
    several += [counted(result.items, "item")]
    return f"{origin(result.formats, result.made_by)}: {', '.join(several)}."


def points(result: Contents) -> tuple[tuple[str, str], ...]:
    """Everything that was counted; what there is none of is said where it would matter."""
    noun = result.noun
    found = [("Systems", f"{listing(result.systems, _MOST_NAMES)}.")]
    if result.datasets:
        found.append((f"{noun.capitalize()}s", f"{listing(result.datasets, _MOST_NAMES)}."))
    found.append(("Metrics", f"{_metrics(result)}."))
    span = f"{result.fewest:,}" if result.fewest == result.most else f"{result.fewest:,} to {result.most:,}"
    found.append(("Items", f"{result.items:,}{f', {span} per {noun}' if len(result.datasets) > 1 else ''}."))
    found.append(("Runs", f"up to {result.runs:,} per item." if result.runs > 1 else "one per item."))
    if result.clusters:
        found.append(("Clusters", f"{result.clusters:,}."))
    found += [(label, _by_system(result, status)) for status, label in _LABELS.items() if _told(result, status)]
    if result.of_logs:
        if len(result.systems) > 1:
            found.append(("Missing", _missing(result)))
        found += [("Superseded", _superseded(result)), ("Mismatched", _mismatched(result))]
    return tuple(found)


def _metrics(result: Contents) -> str:
    judging = set(result.primary.values())
    several = len(result.datasets) > 1
    order = sorted(result.metrics, key=lambda name: (name not in judging, -result.metrics[name]))
    told = [f"{name} ({counted(result.metrics[name], result.noun)})" if several else name for name in order]
    judged = [name for name in order if name in judging]
    by = "" if not judged or len(order) == 1 else f"; judged by {listing(judged, _MOST_METRICS)}"
    return f"{listing(told, _MOST_METRICS)}{by}"


def _told(result: Contents, status: str) -> bool:
    return (result.of_logs and status in ("error", "unscored")) or any(
        status in own for own in result.not_scored.values()
    )


def _by_system(result: Contents, status: str) -> str:
    told = [f"{own[status]:,} of {name}" for name, own in result.not_scored.items() if own.get(status)]
    return f"{listing(told, _MOST_NAMES)}." if told else "none."


def _missing(result: Contents) -> str:
    told = []
    for dataset, own in result.missing.items():
        at = f" on {dataset}" if result.datasets else ""
        for system, (lost, of) in own.items():
            part = "all" if lost == of else f"{lost:,} of"
            told.append(f"{system}{at} ({part} {counted(of, 'item')})")
    return f"{listing(told, 3)}." if told else "none."


def _superseded(result: Contents) -> str:
    if not result.superseded:
        return "none."
    names = [PurePath(file).name for file in result.superseded]
    return f"{counted(len(names), 'log')}: {listing(names, 2)}."


def _mismatched(result: Contents) -> str:
    told = [f"{wrong:,} of {shared:,} items of {name}" for name, (wrong, shared) in result.mismatched.items()]
    return f"{listing(told, 3)} share an id but not the question." if told else "none."
