"""Corrected p-values as a report."""

from __future__ import annotations

from nofluke.call import calls
from nofluke.reports.build.citing import cited
from nofluke.types import Corrected, Report, Table
from nofluke.words import corrected as words
from nofluke.words.numbers import given_digits, p_digits


def build_corrected(result: Corrected) -> Report:
    """Say which p-values are still significant, and what that promises."""
    rows = tuple(
        (
            name,
            given_digits(float(p)),
            p_digits(float(adjusted), result.alpha),
            "yes" if name in result.standing else "",
        )
        for name, p, adjusted in zip(result.names, result.p_values, result.adjusted, strict=True)
    )
    return Report(
        kind="Corrected",
        title=words.title(result),
        headline=words.headline(result),
        sentences=words.sentences(result),
        main=Table(
            columns=("name", "p", "adjusted p", "significant"),
            rows=rows,
            caption=words.caption(result),
            figures=("p", "adjusted p"),
            strong=tuple(place for place, row in enumerate(rows) if row[-1]),
            explain=words.explanations(result),
        ),
        sections=(),
        records=tuple(
            {"name": name, "p_value": float(p), "adjusted": float(adjusted), "stands": name in result.standing}
            for name, p, adjusted in zip(result.names, result.p_values, result.adjusted, strict=True)
        ),
        short=words.paper_sentence(result),
        long=words.paper_paragraph(result),
        notes=tuple(map(str, result.notes)),
        citations=cited(("correction", result.method)),
        calls=calls(result.call),
        settings={"alpha": result.alpha, "correction": result.method},
        signature=result.signature,
    )
