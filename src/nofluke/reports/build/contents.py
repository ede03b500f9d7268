"""What files hold, as a report: every count, and all notes."""

from __future__ import annotations

from nofluke.types import Contents, Report, Table
from nofluke.words import contents as words


def build_contents(result: Contents) -> Report:
    """Say what was read; nothing is compared."""
    rows = words.points(result)
    sentence = words.headline(result)
    return Report(
        kind="Contents",
        title="What the files hold",
        headline=sentence,
        sentences=(),
        main=Table(columns=("what", "found"), rows=rows),
        sections=(),
        records=tuple({"what": label, "found": text} for label, text in rows),
        short="",
        long="",
        notes=tuple(map(str, result.notes)),
        citations=(),
        calls={},
        settings={},
        signature="",
    )
