"""Scores that a user's own function gives to a whole list of outputs: computed anew for every resample."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.errors import InputError, MethodError
from nofluke.metrics.references import References, read_pairs
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Texts
from nofluke.types import Aggregate, FloatArray, frozen

CorpusFunction = Callable[[list[str], list[Any]], float]
# Counts held at a time where every item is left out once.
_CELLS = 1 << 20


@dataclass(frozen=True, slots=True)
class BlackBox:
    """A function of all outputs and all golds; rows are the numbers of (output, gold) pairs."""

    function: CorpusFunction
    pairs: tuple[tuple[str, Any], ...]
    workers: int = 1
    kind: str = "black box"

    def __call__(self, rows: FloatArray) -> Callable[[FloatArray], FloatArray]:
        numbers = rows[:, 0].astype(np.int64)

        def scores(counts: FloatArray) -> FloatArray:
            return np.array([self._score(np.repeat(numbers, row.astype(np.int64)).tolist()) for row in counts])

        return scores

    def _score(self, numbers: list[int]) -> float:
        drawn = [self.pairs[number] for number in numbers]
        try:
            found = self.function([output for output, _ in drawn], [gold for _, gold in drawn])
        except Exception as error:
            raise InputError(
                f"your function raised {type(error).__name__} on {len(drawn):,} items: {error}",
                fix="it must take any list of outputs and golds, items repeated or left out.",
            ) from error
        try:
            return float(found)
        except (TypeError, ValueError):
            raise InputError(f"your function gave {found!r}.", fix="let it give one number.") from None

    def shares(self, rows: FloatArray) -> FloatArray:
        """Give the jackknife's pseudo-values: n scores with all items, less n - 1 without the one."""
        n = len(rows)
        if n < 2:
            return self(rows)(np.ones((1, n)))
        scorer = self(rows)
        every = float(scorer(np.ones((1, n)))[0])
        step = max(1, _CELLS // n)
        items = np.arange(n)
        left_out = [
            scorer((items[first : first + step, None] != items).astype(np.float64)) for first in range(0, n, step)
        ]
        return n * every - (n - 1) * np.concatenate(left_out)

    def common_scale(self, rows: FloatArray) -> FloatArray:
        """Outputs are texts and may change places as they are."""
        return rows

    def sums(self, _rows: FloatArray) -> FloatArray | None:
        """No sums are known of a black box."""
        return None


def no_sums(_sums: FloatArray, _n: float) -> FloatArray:
    """Refuse sums: only the function itself knows the score."""
    raise MethodError(
        "the metric is a function of all outputs, so sums of statistics have no score.",
        fix="use method 'permutation' or 'bootstrap' on the sample itself.",
    )


def black_box_statistics(
    function: CorpusFunction, outputs: Mapping[str, Texts], gold: References, *, name: str = "", workers: int = 1
) -> dict[str, ItemStatistics]:
    """How good is the whole list of outputs by your own function?

    `function` gets a list of output lines and a list of gold lines (tuples of lines when there are several references)
    and gives one number. Tests call it once or twice for every resample; with more than one worker in processes, for
    which it must be defined at the top of a module. Equal outputs of two systems count as equal.
    """
    if workers > 1:
        _require_picklable(function)
    shown = name or getattr(function, "__qualname__", type(function).__name__)
    known: dict[tuple[str, Any], int] = {}
    rows: dict[str, FloatArray] = {}
    for system, output in outputs.items():
        lines, references = read_pairs(output, gold)
        golds = zip(*(reference.lines for reference in references), strict=True)
        pairs = [(line, one[0] if len(one) == 1 else one) for line, one in zip(lines.lines, golds, strict=True)]
        rows[system] = frozen([[known.setdefault(pair, len(known))] for pair in pairs])
    aggregate = Aggregate(shown, no_sums, linear=False, whole=BlackBox(function, tuple(known), workers))
    return {system: ItemStatistics(found, ("pair",), aggregate, f"corpus:{shown}") for system, found in rows.items()}


def _require_picklable(function: CorpusFunction) -> None:
    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"your function cannot be sent to worker processes: {error}.",
            fix="define it at the top of a module (not as a lambda or inside a function), or use workers=1.",
        ) from None
