"""What a file offers before anything is tested: its columns, what they were taken for, and how the items match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nofluke.errors import NoflukeError
from nofluke.types import Scores, Value
from nofluke.web.data import Files, Progress, sample_of, scores_of
from nofluke.web.readable import refuse_unreadable
from nofluke.web.safety import Limits

_MOST = 500


@dataclass(frozen=True, slots=True)
class Inspection(Value):
    """Columns by name, the role each was given, what can be chosen from, and what would be compared.

    `pair` is A and B as they would be matched, `alignment` how; both are empty, and `problem` says why, where the
    choice is not clear yet. Where a file is not `readable`, no choice can help.
    """

    columns: tuple[str, ...]
    mapping: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    items: int = 0
    pair: tuple[str, ...] = ()
    dataset: str = ""
    metric: str = ""
    higher_is_better: bool | None = None
    alignment: str = ""
    problem: Mapping[str, str] = field(default_factory=dict)
    readable: bool = True


def inspect(request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Inspection:
    """Look at the data; where they cannot be read or matched yet, what is known still helps to say how."""
    data = request["data"]
    named = [files[entry["upload"]][0] for entry in data.get("files") or () if entry.get("upload") in files]
    found = Inspection(())
    try:
        for path, _name in files.values():
            refuse_unreadable(Path(path), path)
    except NoflukeError as error:
        return replace(found, problem=error.to_dict("page"), readable=False)
    try:
        found = Inspection(() if data.get("score_by") or len(named) != 1 else _header(Path(named[0])))
        scores = scores_of(data, files, progress, limits)
        found = _offered(found, scores)
        sample = sample_of(request, scores)
    except NoflukeError as error:
        return replace(found, problem=error.to_dict("page"))
    return replace(
        found,
        pair=sample.systems,
        dataset=sample.dataset,
        metric=sample.metric,
        higher_is_better=sample.higher_is_better,
        alignment=str(sample.alignment),
    )


def _offered(found: Inspection, scores: Scores) -> Inspection:
    return replace(
        found,
        mapping=dict(scores.sources[0].mapping) if scores.sources else {},
        systems=scores.systems[:_MOST],
        datasets=scores.datasets[:_MOST],
        metrics=scores.metrics[:_MOST],
        items=len(scores.item.labels),
    )


def _header(path: Path) -> tuple[str, ...]:
    from nofluke.readers.given import Given
    from nofluke.readers.sniff import header_of
    from nofluke.registry import FORMATS

    given = Given(str(path), path=path)
    is_text = FORMATS[given.format()].facts["told_by"] == "text"
    return tuple(header_of(given.head()))[:_MOST] if is_text else ()
