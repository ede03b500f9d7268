"""What files hold, as a report: every count, and all notes."""

from __future__ import annotations

from collections.abc import Iterator

from nofluke.types import Contents, Report, Table
from nofluke.words import contents as words


def build_contents(result: Contents) -> Report:
    """Say what was read; nothing is compared."""
    rows = words.points(result)
    sentence = words.headline(result)
    return Report(
        kind="Contents",
        title=words.TITLE,
        headline=sentence,
        sentences=(),
        main=Table(columns=words.COLUMNS, rows=rows),
        sections=(),
        records=tuple({"what": what, "of": of, "number": number} for what, of, number in _counts(result)),
        short="",
        long="",
        notes=tuple(map(str, result.notes)),
        citations=(),
        calls={},
        settings={},
        signature="",
    )


def _counts(result: Contents) -> Iterator[tuple[str, str, int]]:
    """Every number, and what it is of, for those who go on computing."""
    yield "systems", "", len(result.systems)
    yield "datasets", "", len(result.datasets)
    yield "items", "", result.items
    yield "runs", "", max(result.runs, 1)
    yield "clusters", "", result.clusters
    yield "superseded", "", len(result.superseded)
    for metric, number in result.metrics.items():
        yield "datasets", metric, number
    for system, own in result.not_scored.items():
        for status, number in own.items():
            yield status, system, number
    for dataset, lacking in result.missing.items():
        for system, (lost, _) in lacking.items():
            yield f"missing on {dataset}" if dataset else "missing", system, lost
    for dataset, (wrong, _) in result.mismatched.items():
        yield "mismatched", dataset, wrong
