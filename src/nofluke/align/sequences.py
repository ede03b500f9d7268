"""Two plain sequences (lists, arrays, Series) become a Sample."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from nofluke.align.decimals import FLOAT_DIGITS, find_grid
from nofluke.align.exact_sums import EXACT_DOUBLES
from nofluke.errors import Fix, InputError, Option
from nofluke.types import MEAN, Alignment, FloatArray, Note, Sample, Scores, frozen, note


def as_sample(
    a: Any,
    b: Any = None,
    *,
    paired: bool = True,
    names: tuple[str, str] = ("A", "B"),
    higher_is_better: bool = True,
    missing: Literal["refuse", "drop"] = "refuse",
    clusters: Sequence[Any] | None = None,
) -> Sample:
    """Give the Sample itself, or make one of two sequences of scores, item i against item i."""
    if isinstance(a, Sample):
        if b is not None:
            raise InputError("a Sample already holds both systems.", fix="give the Sample alone, or two sequences.")
        return a
    if b is None and (isinstance(a, Scores) or hasattr(a, "columns")):
        raise InputError(
            "a table of scores was given where two systems are compared.",
            fix="read it and choose two systems: nf.read(table).pair('A', 'B').",
        )
    if isinstance(a, str | os.PathLike):
        raise InputError(
            "a path was given where scores are expected.",
            fix="read it first: nf.read('scores.csv'), or nf.read(['new.csv', 'old.csv']).",
        )
    if b is None and isinstance(a, Mapping):
        raise InputError(
            "a mapping was given where two systems are compared.",
            fix="give the scores of both: scores['A'], scores['B'].",
        )
    if b is None:
        raise InputError("only one sequence of scores was given.", fix="give two: the scores of A and those of B.")
    _refuse_other_index(a, b, paired)
    first, second = numbers_of(a, names[0]), numbers_of(b, names[1])
    if paired and len(first) != len(second):
        raise InputError(
            f"{names[0]} has {len(first):,} scores and {names[1]} has {len(second):,}; "
            "paired scores need one of each for every item.",
            fix="score both systems on the same items, or use an unpaired test: nf.test(a, b, 'welch_t').",
        )
    keep_first, keep_second, lacking = _present(first, second, paired, missing, names)
    labels, codes = _cluster_codes(clusters, len(first), keep_first) if clusters is not None else ((), None)
    first, second = first[keep_first], second[keep_second]
    lengths = (len(first), len(second))
    if not min(lengths):
        raise InputError("there are no scores.", fix="give at least one score for each system.")
    table = np.full((max(lengths), 2, 1), np.nan)
    table[: lengths[0], 0, 0], table[: lengths[1], 1, 0] = first, second
    return Sample(
        statistics=frozen(table),
        systems=names,
        ids=None,
        clusters=codes,
        cluster_labels=labels,
        aggregate=MEAN,
        higher_is_better=higher_is_better,
        metric="score",
        dataset="",
        unit_size=1,
        unit_statistic="mean",
        grid=find_grid(table, FLOAT_DIGITS),
        alignment=Alignment(
            matched=min(lengths),
            missing=lacking,
            dropped=int((~keep_first).sum()) if paired else sum(lacking.values()),
            by="position",
        ),
        lengths=lengths,
        paired=paired,
        notes=() if paired else note_on_left_out(lacking),
    )


def note_on_left_out(lacking: Mapping[str, int]) -> tuple[Note, ...]:
    """Note how many scores of independent groups are missing and were left out."""
    counts = tuple((name, count) for name, count in lacking.items() if count)
    return (note("align.scores_missing", counts=counts),) if counts else ()


def _refuse_other_index(a: Any, b: Any, paired: bool) -> None:
    """Two pandas Series carry item labels; matching them by position would pair different items in silence."""
    if not paired or not hasattr(a, "index") or not hasattr(b, "index") or callable(a.index) or callable(b.index):
        return
    if len(a) == len(b) and list(a.index) != list(b.index):
        raise InputError(
            "A and B are Series with different indexes, and scores are matched by position.",
            fix="put them into one frame and use nf.read(frame), or give a.to_numpy() and b.to_numpy().",
        )


def numbers_of(values: Any, name: str) -> FloatArray:
    """Give a sequence of scores as numbers; what is missing (None) is nan."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan)
    raw = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values, dtype=_dtype_of(values))
    if raw.ndim != 1:
        what = f"have {raw.ndim} dimensions" if raw.ndim else f"are a {type(values).__name__}, not a sequence"
        raise InputError(
            f"the scores of {name} {what}.",
            where=name,
            fix="give a list, array or Series with one score for each item.",
        )
    if raw.dtype == np.float32 or raw.dtype == np.float16:
        # A float32 means its own shortest decimal: 0.1 is 0.1, not 0.10000000149.
        numbers = raw.astype(str).astype(np.float64)
    elif raw.dtype.kind in "biuf":
        numbers = raw.astype(np.float64)
        if raw.dtype.kind in "iu":
            for index in np.flatnonzero(np.abs(numbers) >= EXACT_DOUBLES).tolist():
                _number(int(raw[index]), index, name)
    else:
        numbers = np.array([_number(value, index, name) for index, value in enumerate(raw)], dtype=np.float64)
    infinite = np.flatnonzero(np.isinf(numbers))
    if infinite.size:
        raise InputError(
            f"score {numbers[infinite[0]]} is not finite ({infinite.size:,} like this).",
            where=f"{name}[{infinite[0]}]",
            fix="every score is a finite number.",
        )
    return numbers


def _dtype_of(values: Any) -> Any:
    if isinstance(values, np.ndarray):
        return None
    return object if isinstance(values, list | tuple) else None


def _number(value: Any, index: int, name: str) -> float:
    if value is None:
        return float("nan")
    if isinstance(value, str | bytes) or not hasattr(value, "__float__"):
        raise InputError(
            f"score {value!r} is not a number.",
            where=f"{name}[{index}]",
            fix="give numbers; True and False are 1 and 0.",
        )
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError):
        raise InputError(
            f"score {str(value)[:30]} is not a number that a double can hold.",
            where=f"{name}[{index}]",
            fix="rescale it.",
        ) from None
    if isinstance(value, int) and int(number) != value:
        raise InputError(
            f"score {value} has more digits than a number in floating point holds; it would be read as {int(number)}.",
            where=f"{name}[{index}]",
            fix="subtract the same number from all scores, or round them to 15 digits.",
        )
    return number


def _present(
    first: FloatArray, second: FloatArray, paired: bool, missing: str, names: tuple[str, str]
) -> tuple[np.ndarray, np.ndarray, dict[str, int]]:
    has_first, has_second = ~np.isnan(first), ~np.isnan(second)
    lacking = {names[0]: int((~has_first).sum()), names[1]: int((~has_second).sum())}
    if not any(lacking.values()):
        return has_first, has_second, lacking
    if missing == "refuse":
        counts = " and ".join(f"{count:,} of {name}" for name, count in lacking.items() if count)
        name, mask = (names[0], has_first) if lacking[names[0]] else (names[1], has_second)
        raise InputError(
            f"scores are missing (nan or None): {counts}.",
            where=f"{name}[{int(np.flatnonzero(~mask)[0])}]",
            fix=Fix(
                "a missing score is not 0; leave such items out for both systems: ", Option("missing", "drop"), "."
            ),
        )
    if paired:
        return has_first & has_second, has_first & has_second, lacking
    return has_first, has_second, lacking


def _cluster_codes(clusters: Sequence[Any], n: int, keep: np.ndarray) -> tuple[tuple[str, ...], Any]:
    if len(clusters) != n:
        raise InputError(
            f"{len(clusters):,} cluster labels for {n:,} items.", where="clusters", fix="give one label for each item."
        )
    labels, codes = np.unique(np.asarray([str(label) for label in clusters])[keep], return_inverse=True)
    return tuple(str(label) for label in labels), frozen(codes, np.int64)
