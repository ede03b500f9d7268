"""Corrected p-values as a report."""

from __future__ import annotations

from nofluke.inference.wording import p_in_figures
from nofluke.reports.build.calls import P_VALUES_FILE, printed, shell_options
from nofluke.reports.build.citing import cited
from nofluke.types import Corrected, Report, Table
from nofluke.types.base import counted


def build_corrected(result: Corrected) -> Report:
    """Say which p-values still stand, by which promise."""
    rows = tuple(
        (name, _p(p), _p(adjusted), "yes" if name in result.standing else "")
        for name, p, adjusted in zip(result.names, result.p_values, result.adjusted, strict=True)
    )
    given = {"method": result.method, "alpha": result.alpha}
    arguments = ", ".join(f"{name}={value!r}" for name, value in given.items())
    promise = f"{result.controls} at {result.alpha:g} under {result.under}"
    return Report(
        kind="Corrected",
        title=f"{counted(len(rows), 'p-value')} corrected{' for their number' if len(rows) > 1 else ''}",
        headline=result.headline,
        sentences=result.sentences,
        main=Table(
            columns=("name", "p", "adjusted p", "stands"),
            rows=rows,
            caption=f"P-values adjusted by {result.label}: controls the {promise}.",
            figures=("p", "adjusted p"),
            strong=tuple(place for place, row in enumerate(rows) if row[-1]),
            explain={"stands": f"the adjusted p-value is at most {result.alpha:g}"},
        ),
        sections=(),
        records=tuple(
            {"name": name, "p_value": float(p), "adjusted": float(adjusted), "stands": name in result.standing}
            for name, p, adjusted in zip(result.names, result.p_values, result.adjusted, strict=True)
        ),
        short=f"P-values were corrected by {result.label} ({promise}).",
        long=_long(result, promise),
        notes=result.notes,
        citations=cited(("correction", result.method)),
        calls={
            "Python": printed("correct_named", f"nf.read_p_values({P_VALUES_FILE!r}), {arguments}"),
            "shell": f"nofluke correct {P_VALUES_FILE}{shell_options(given)}",
        },
        settings={"alpha": result.alpha, "correction": result.method},
        signature=result.signature,
    )


def _long(result: Corrected, promise: str) -> str:
    size, standing = len(result.names), len(result.standing)
    if size == 1:
        ends = "it stands" if standing else "it does not stand"
        return f"The p-value was corrected by {result.label}, which controls the {promise}; {ends}."
    return (
        f"The {size:,} p-values were corrected for their number by {result.label}, which controls the {promise}; "
        f"{standing:,} of them {'stands' if standing == 1 else 'stand'}."
    )


def _p(value: float) -> str:
    return p_in_figures(float(value)).removeprefix("p = ").removeprefix("p ")
