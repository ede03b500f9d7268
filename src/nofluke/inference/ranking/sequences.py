"""Scores that are given as {name: scores}, matched item by item or side by side as independent groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.align import as_sample
from nofluke.align.choose import check_missing
from nofluke.align.decimals import FLOAT_DIGITS, find_grid
from nofluke.align.sequences import note_on_left_out, numbers_of
from nofluke.errors import Fix, InputError, Option
from nofluke.types import Alignment, FloatArray, Sample, frozen
from nofluke.types.base import counted


def of_sequences(
    scores: Mapping[str, Sequence[float]], *, missing: str, unpaired: bool, higher_is_better: bool
) -> Sample:
    """Make a sample of {name: scores}, item i of one against item i of the others unless the test is unpaired."""
    check_missing(missing)
    if len(scores) < 2:
        raise InputError(f"systems are compared, and there is {len(scores)}.", fix="give two or more sequences.")
    columns = {str(name): numbers_of(values, str(name)) for name, values in scores.items()}
    if len(columns) < len(scores):
        raise InputError("two systems have the same name.", fix="give every system its own name.")
    if unpaired:
        return replace(side_by_side(columns, missing=missing, where=""), higher_is_better=higher_is_better)
    _refuse_unmatched(scores, columns)
    table = np.column_stack(list(columns.values()))
    usable = ~np.isnan(table)
    lacking = {name: int(count) for name, count in zip(columns, (~usable).sum(axis=0), strict=True)}
    if missing == "refuse" and any(lacking.values()):
        raise InputError(
            f"scores are missing (nan or None): {', '.join(f'{n:,} of {name!r}' for name, n in lacking.items() if n)}.",
            fix=Fix("a missing score is not 0; leave such items out for all systems: ", Option("missing", "drop"), "."),
        )
    complete = usable.all(axis=1)
    if not complete.any():
        raise InputError("no item has a score for all systems.", fix="leave out the systems that lack scores.")
    kept = table[complete]
    return replace(
        as_sample(kept[:, 0], kept[:, 1], higher_is_better=higher_is_better),
        statistics=frozen(kept[:, :, None]),
        systems=tuple(columns),
        grid=find_grid(kept, FLOAT_DIGITS),
        alignment=Alignment(len(kept), lacking, int((~complete).sum()), by="position"),
        lengths=(len(kept),) * len(columns),
        incomplete=frozen(table[~complete][:, :, None]),
    )


def _refuse_unmatched(scores: Mapping[str, Any], columns: Mapping[str, FloatArray]) -> None:
    """Scores are matched by position: all need as many, and Series the same labels."""
    (first, values), *others = columns.items()
    for name, other in others:
        if len(other) != len(values):
            raise InputError(
                f"{first!r} has {counted(len(values), 'score')} and {name!r} has {len(other):,}; matched scores need "
                "one of every system for every item.",
                fix=Fix(
                    "score all systems on the same items, or use an unpaired test: ", Option("method", "welch_t"), "."
                ),
            )
    labelled = [(name, list(s.index)) for name, s in scores.items() if hasattr(s, "index") and not callable(s.index)]
    for name, labels in labelled[1:]:
        if labels != labelled[0][1]:
            raise InputError(
                f"{str(labelled[0][0])!r} and {str(name)!r} are Series with different indexes, and scores are matched "
                "by position.",
                fix="put them into one frame and use nf.read(frame), or give arrays: series.to_numpy().",
            )


def side_by_side(columns: Mapping[str, FloatArray], *, missing: str, where: str) -> Sample:
    """Put each system's own scores side by side, for tests that do not match items; missing ones are left out."""
    groups, left_out = [], {}
    for name, values in columns.items():
        lacking = int(np.isnan(values).sum())
        if lacking and missing == "refuse":
            raise InputError(
                f"{counted(lacking, 'score')} of {name!r} {'is' if lacking == 1 else 'are'} missing.",
                where=where,
                fix=Fix("a missing score is not 0; leave such items out: ", Option("missing", "drop"), "."),
            )
        if lacking:
            left_out[name] = lacking
        if lacking == values.size:
            raise InputError(f"system {name!r} has no scores here.", where=where, fix="leave the system out.")
        groups.append(values[~np.isnan(values)])
    lengths = tuple(len(group) for group in groups)
    table = np.full((max(lengths), len(groups), 1), np.nan)
    for index, group in enumerate(groups):
        table[: len(group), index, 0] = group
    return replace(
        as_sample(groups[0], groups[1], paired=False),
        statistics=frozen(table),
        systems=tuple(columns),
        grid=find_grid(table, FLOAT_DIGITS),
        alignment=Alignment(min(lengths), left_out, sum(left_out.values()), by="position"),
        lengths=lengths,
        notes=note_on_left_out(left_out),
    )
