"""P-values as a user gives them (numbers, text, logarithms, with names, scores or signs) to PValues."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.errors import InputError, listing
from nofluke.inference.replicating.directions import signs_of
from nofluke.inference.significance.sides import SMALLEST
from nofluke.readers.p_cells import PCell, p_cell
from nofluke.types import FloatArray, PValues, frozen

_SIGNS = {"+": 1.0, "-": -1.0, "−": -1.0, "0": 0.0, "=": 0.0, "a": 1.0, "b": -1.0, "+1": 1.0, "1": 1.0, "-1": -1.0}


def from_cells(
    cells: Sequence[str],
    *,
    names: Sequence[str] = (),
    scores: Any = None,
    signs: Sequence[Any] | None = None,
    systems: tuple[str, str] = ("A", "B"),
    printed: int | None = None,
    where: Sequence[str] = (),
    **facts: Any,
) -> PValues:
    """Make PValues from p-values as text; a printed 0 becomes its upper rounding bound."""
    places = where or [f"p-value {row}" for row in range(1, len(cells) + 1)]
    parsed = [p_cell(str(cell), place) for cell, place in zip(cells, places, strict=True)]
    values, notes = settle_zeros(parsed, printed)
    bounds = sum(cell.bound for cell in parsed)
    if bounds:
        notes += (f"{bounds:,} p-values are printed as bounds (<); the bound is taken as the p-value.",)
    return assemble(values, np.log(values), names, scores, signs, systems, notes=notes, **facts)


def settle_zeros(cells: Sequence[PCell], printed: int | None) -> tuple[FloatArray, tuple[str, ...]]:
    """Replace every 0: by its upper rounding bound where the number of printed decimals is known, else by a floor."""
    values = np.array([cell.value for cell in cells], dtype=np.float64)
    zero = values == 0
    if not zero.any():
        return values, ()
    count = f"{int(zero.sum()):,} p-value{'s are' if zero.sum() > 1 else ' is'} given as 0, which no p-value is"
    decimals = printed if printed is not None else max((cell.decimals or 0 for cell in cells), default=0)
    if decimals < 1:
        values[zero] = SMALLEST
        note = (
            f"{count}; taken as {SMALLEST:.1g}. If it was rounded, say to how many decimals (printed=4, --printed 4)."
        )
        return values, (note,)
    bound = 0.5 * 10.0**-decimals
    values[zero] = bound
    how = "as stated" if printed is not None else "as the other p-values show"
    return values, (
        f"{count}; taken as {bound:g}, the largest number that rounds to 0 at {decimals} decimals ({how}).",
    )


def from_numbers(
    p_values: Any,
    *,
    names: Sequence[str] | None,
    scores: Any,
    signs: Sequence[Any] | None,
    systems: tuple[str, str],
    printed: int | None,
    logs: bool,
    **facts: Any,
) -> PValues:
    """Make PValues from a sequence or a mapping of numbers (or text, as printed)."""
    if isinstance(p_values, Mapping):
        if names is not None:
            raise InputError("names were given twice.", fix="give a mapping name -> p, or a list with names=.")
        names, p_values = [str(name) for name in p_values], list(p_values.values())
    given = list(p_values)
    if any(isinstance(value, str) for value in given):
        return from_cells(
            [str(value) for value in given],
            names=names or (),
            scores=scores,
            signs=signs,
            systems=systems,
            printed=printed,
            **facts,
        )
    numbers = checked(given, logs=logs)
    if logs:
        p = np.maximum(np.exp(numbers), SMALLEST)
        return assemble(p, numbers, names or (), scores, signs, systems, **facts)
    values, notes = settle_zeros([PCell(float(value)) for value in numbers], printed)
    return assemble(values, np.log(values), names or (), scores, signs, systems, notes=notes, **facts)


def checked(p_values: Any, *, logs: bool = False) -> FloatArray:
    """Give p-values as numbers; what lies outside 0..1 (or above 0 for logarithms) is refused by its place."""
    try:
        numbers = np.asarray(p_values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"{str(p_values)[:60]!r} are not p-values.", fix="give a list of numbers between 0 and 1."
        ) from None
    if numbers.ndim != 1 or not numbers.size:
        raise InputError(
            "no p-values were given."
            if not numbers.size
            else f"p-values come in {numbers.ndim} dimensions, not in one.",
            fix="give a list of numbers between 0 and 1.",
        )
    bad = np.flatnonzero(~(numbers <= 0)) if logs else np.flatnonzero(~((numbers >= 0) & (numbers <= 1)))
    if bad.size:
        fix = "the logarithm of a p-value is at most 0." if logs else "a p-value lies between 0 and 1."
        raise InputError(
            f"{float(numbers[bad[0]])!r} is not a {'log ' if logs else ''}p-value.",
            where=f"p-value {bad[0] + 1}",
            fix=fix,
        )
    return numbers


def assemble(
    p: FloatArray,
    log_p: FloatArray,
    names: Sequence[str],
    scores: Any,
    signs: Sequence[Any] | None,
    systems: tuple[str, str],
    *,
    notes: tuple[str, ...] = (),
    higher_is_better: bool = True,
    **facts: Any,
) -> PValues:
    """Put p-values, names, scores and signs together; lengths must agree and names must differ."""
    size = len(log_p)
    labels = tuple(str(name) for name in names) or tuple(f"dataset {number}" for number in range(1, size + 1))
    _same_length("names", len(labels), size)
    twice = [name for name, count in Counter(labels).items() if count > 1]
    if twice:
        raise InputError(f"two datasets are called {listing(twice, 3)}.", fix="give every dataset its own name.")
    table = np.full((size, 2), np.nan) if scores is None else np.asarray(scores, dtype=np.float64)
    _same_length("scores", len(table), size)
    found = signs_of(table, higher_is_better=higher_is_better)
    if signs is not None:
        _same_length("signs", len(signs), size)
        found = _with_signs(found, [_sign(value) for value in signs], labels)
    return PValues(
        labels,
        frozen(p),
        frozen(log_p),
        systems,
        frozen(table),
        frozen(found),
        notes=notes,
        higher_is_better=higher_is_better,
        **facts,
    )


def _with_signs(by_scores: FloatArray, signs: list[float], labels: tuple[str, ...]) -> FloatArray:
    stated = np.array(signs)
    clash = [name for name, a, b in zip(labels, by_scores, stated, strict=True) if not math.isnan(a) and a != b]
    if clash:
        raise InputError(
            f"the signs contradict the scores on {listing(clash, 5)}.",
            fix="a sign is 1 where A is better; leave the signs out, or say higher_is_better=False.",
        )
    return stated


def _sign(value: Any) -> float:
    if isinstance(value, str):
        found = _SIGNS.get(value.strip().casefold())
        if found is None:
            raise InputError(f"{value!r} is not a sign.", fix="write + where A is better, - where B is, 0 where equal.")
        return found
    return float(np.sign(value))


def _same_length(what: str, length: int, size: int) -> None:
    if length != size:
        raise InputError(f"{length:,} {what} for {size:,} p-values.", fix=f"give as many {what} as p-values.")
