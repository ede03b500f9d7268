"""Shared sign flips of many pairs of systems: step-down max-t tests with intervals, and p-values pair by pair.

One random sign per item is applied to all systems. The flipped sum of a pair is F_a - F_b, F the flipped sums of the
systems, and its sum of squares never changes, so r = (F_a - F_b) / sqrt(sum d^2) is all that is needed: the t statistic
is t = r sqrt((n - 1) / (n - r^2)), the same rising function for all pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.pairs.table import blocks, checked, totals
from nofluke.engine.randomness import CHUNK, FLIP_PAIRS, FLIP_TOGETHER, Stream, in_chunks
from nofluke.errors import InputError
from nofluke.executors import Progress
from nofluke.types import FloatArray, IntArray

# Items whose signs are drawn at a time: part of the definition of the numbers, never to be tuned.
_ITEMS = 2048
_ROWS = 32
# Sums of at most 2^53 are exact in floating point, in any order.
_EXACT_BITS = 52
_WORD_BITS = 32


@dataclass(frozen=True, slots=True, eq=False)
class MaxT:
    """Adjusted two-sided p-values of the pairs, (S, S), 1 for pairs that were not asked about; `statistic` is r.

    `maxima` are the resampled maxima of |r| for differences centred at their means, in ascending order.
    """

    p_value: FloatArray
    statistic: FloatArray
    maxima: FloatArray
    resamples: int
    items: int

    def critical_t(self, confidence_level: float = 0.95) -> float:
        """Give t* so that mean difference +- t* x standard error holds for all pairs at once; inf if n is too small."""
        rank = math.ceil(confidence_level * (self.resamples + 1))
        if not 0 < confidence_level < 1 or rank > self.resamples:
            needed = math.ceil(confidence_level / (1 - confidence_level)) if 0 < confidence_level < 1 else 0
            raise InputError(
                f"{self.resamples} resamples give no simultaneous {confidence_level:.4g} intervals.",
                fix=f"draw at least {needed}.",
            )
        r = float(self.maxima[rank - 1])
        return r * math.sqrt((self.items - 1) / (self.items - r * r)) if r * r < self.items else math.inf


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """What every chunk of draws needs: parts of the scores with their factors, the pairs from the largest |r| down."""

    parts: list[tuple[FloatArray, float]]
    first: IntArray
    second: IntArray
    observed: FloatArray
    scale: FloatArray
    means: FloatArray
    centred_scale: FloatArray
    sizes: FloatArray
    seed: int


def max_t(
    scores: npt.NDArray[Any],
    resamples: int,
    seed: int,
    *,
    sizes: IntArray | None = None,
    baseline: int | None = None,
    progress: Progress | None = None,
) -> MaxT:
    """Which of many pairs of systems differ, when the chance of any false claim is to stay below alpha?

    `scores` is (n, S), whole multiples of one step; the order of the items does not matter. `sizes` is what each row
    counts in the mean that intervals are about, where rows are weighed (they hold score times size). All pairs, or with
    `baseline` that system against each other one (fixed beforehand, not "the best"). Westfall and Young's step-down
    procedure: the k-th largest |r| is compared with the resampled maxima over itself and all smaller ones,
    (1 + exceedances) / (1 + resamples), made monotone.
    Null: the differences of all systems are jointly symmetric (whole items may be reflected); then the familywise error
    is controlled exactly. For "equal means" it is asymptotic. No p-value is below 1 / (1 + resamples), however many
    pairs there are: it is no substitute for exact tails where tiny p-values are to be reported.

    >>> import numpy as np
    >>> max_t(np.array([[3, 0, 0], [4, 1, 0], [5, 0, 1]] * 4), 999, 0).p_value[1, 2].item()
    1.0
    """
    systems = checked(scores)
    counted = np.ones(systems.shape[1]) if sizes is None else sizes.astype(np.float64)
    order = _order(systems, counted)
    systems, counted = systems[:, order], counted[order]
    plan = _plan(systems, counted, baseline, seed)
    counts = np.zeros(plan.first.size, dtype=np.int64)
    maxima, done = np.empty(resamples), 0
    for reaching, largest in in_chunks(_chunk, plan, resamples, progress):
        maxima[done : done + len(largest)] = largest
        counts += reaching
        done += len(largest)
    p = np.maximum.accumulate((1.0 + counts) / (1.0 + resamples))
    p_value, statistic = np.ones((len(systems),) * 2), np.zeros((len(systems),) * 2)
    p_value[plan.first, plan.second] = p_value[plan.second, plan.first] = p
    statistic[plan.first, plan.second], statistic[plan.second, plan.first] = plan.observed, -plan.observed
    return MaxT(p_value, statistic, np.sort(maxima), resamples, systems.shape[1])


def _order(systems: IntArray, sizes: FloatArray) -> IntArray:
    """Give the items an order of their own, so that the same seed gives the same draws however they came in.

    They are sorted by their scores, system by system from the smallest total up: the order of systems does not matter.
    """
    sums = totals(systems)
    ranked = systems[sorted(range(len(systems)), key=lambda s: (sums[s], np.sort(systems[s]).tolist()))]
    order: IntArray = np.lexsort((sizes, *(ranked - ranked[0])[::-1]))
    return order


def _plan(systems: IntArray, sizes: FloatArray, baseline: int | None, seed: int) -> _Plan:
    number, n = len(systems), float(sizes.sum())
    if baseline is not None and not 0 <= baseline < number:
        raise InputError(f"there is no system {baseline} for a baseline.", fix=f"give 0 to {number - 1}.")
    sums = totals(systems)
    first, second, squares, centred = [], [], [], []
    for block in blocks(systems):
        values = block.differences.astype(np.float64)
        means = np.array([(sums[block.first] - sums[j]) / n for j in block.others.tolist()])
        first += [block.first] * block.others.size
        second += block.others.tolist()
        squares += np.einsum("ij,ij->i", values, values).tolist()
        values -= means[:, None] * sizes
        centred += np.einsum("ij,ij->i", values, values).tolist()
    chosen = [k for k, pair in enumerate(zip(first, second, strict=True)) if baseline is None or baseline in pair]
    i, j = np.array(first)[chosen], np.array(second)[chosen]
    scale, centred_scale = (_inverse_root(np.array(values)[chosen]) for values in (squares, centred))
    leads = np.array([float(sums[a] - sums[b]) for a, b in zip(i.tolist(), j.tolist(), strict=True)])
    observed = leads * scale
    order = np.argsort(-np.abs(observed), kind="stable")
    shared = (systems - systems[0]).T
    return _Plan(
        _exact_parts(shared), i[order], j[order], observed[order], scale[order], leads[order] / n,
        centred_scale[order], sizes, seed,
    )  # fmt: skip


def _inverse_root(squares: FloatArray) -> FloatArray:
    """Give 1 / sqrt, and 0 for pairs without any difference, whose r is 0."""
    return np.where(squares > 0, 1.0 / np.sqrt(np.where(squares > 0, squares, 1.0)), 0.0)


def _exact_parts(items: IntArray) -> list[tuple[FloatArray, float]]:
    """Cut the scores into parts whose sums over all items are exact in floating point."""
    width = _EXACT_BITS - int(items.shape[0]).bit_length()
    parts, rest, factor = [], items, 1.0
    while int(np.abs(rest).max()) >= 1 << width:
        parts.append(((rest & ((1 << width) - 1)).astype(np.float64), factor))
        rest, factor = rest >> width, factor * 2.0**width
    parts.append((rest.astype(np.float64), factor))
    return parts


def _chunk(plan: _Plan, chunk: tuple[int, int]) -> tuple[IntArray, FloatArray]:
    """Count, for every pair, the replicates whose successive maximum reaches it; and give the centred maxima."""
    number = chunk[1]
    flipped, signs = _flipped_sums(plan, *chunk)
    counts = np.zeros(plan.first.size, dtype=np.int64)
    maxima = np.empty(number)
    # A hair below, so that the observed pattern of signs, if drawn, counts whatever the rounding.
    target = np.abs(plan.observed) * (1.0 - 1e-12)
    for start in range(0, number, _ROWS):
        part = slice(start, min(number, start + _ROWS))
        sums = flipped[part][:, plan.first] - flipped[part][:, plan.second]
        centred = sums - signs[part, None] * plan.means
        centred *= plan.centred_scale
        maxima[part] = np.abs(centred, out=centred).max(axis=1)
        sums *= plan.scale
        np.abs(sums, out=sums)
        successive = np.maximum.accumulate(sums[:, ::-1], axis=1)[:, ::-1]
        counts += np.count_nonzero(successive >= target, axis=0)
    return counts, maxima


def _flipped_sums(plan: _Plan, chunk: int, number: int) -> tuple[FloatArray, FloatArray]:
    """Give the (replicates, S) flipped sums and those of the signed sizes; bit 1 is a plus, low bits first."""
    stream = Stream(plan.seed, FLIP_TOGETHER, chunk)
    n, systems = plan.parts[0][0].shape
    totals_of_parts = [np.zeros((number, systems)) for _ in plan.parts]
    plus = np.zeros(number)
    for start in range(0, n, _ITEMS):
        stop = min(n, start + _ITEMS)
        # Whole chunks are drawn even when fewer replicates are wanted: more resamples continue the same run.
        words = stream.words(CHUNK * (_ITEMS // 32)).reshape(CHUNK, -1)[:number]
        bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, : stop - start]
        signs = 2.0 * bits - 1.0
        plus += signs @ plan.sizes[start:stop]
        for total, (part, _) in zip(totals_of_parts, plan.parts, strict=True):
            total += signs @ part[start:stop]
    flipped = sum(total * factor for total, (_, factor) in zip(totals_of_parts, plan.parts, strict=True))
    return np.asarray(flipped), plus


def shared_flip_p_values(
    units: IntArray, better: IntArray, worse: IntArray, *, draws: int, seed: int, chunk_seed: int = 0
) -> FloatArray:
    """Give (1 + draws that reach the lead of `better` over `worse`) / (1 + draws), the same flips for all pairs.

    `units` is (n, S). Flipping the difference of two systems on an item flips both of their scores, so a draw needs one
    product of matrices for all systems. `chunk_seed` keeps the draws of several test sets apart.

    >>> shared_flip_p_values(np.array([[1, 0]] * 30), np.array([0]), np.array([1]), draws=99, seed=0).tolist()
    [0.01]
    """
    # In an order of their own, so that the order in which items came does not matter.
    table = (units - units[:, :1]).astype(np.float64)
    table = table[np.lexsort(table.T[::-1])]
    sums = table.sum(axis=0)
    # A hair below, so that equal sums count as reached, whatever the rounding.
    target = (sums[better] - sums[worse]) - 1e-9 * np.abs(table).sum(axis=0).max(initial=0.0)
    reached = np.zeros(len(better), dtype=np.int64)
    for part in in_chunks(partial(_reached, seed, chunk_seed), (table, better, worse, target), draws):
        reached += part
    found: FloatArray = (1 + reached) / (1 + draws)
    return found


def _reached(
    seed: int, chunk_seed: int, shared: tuple[FloatArray, IntArray, IntArray, FloatArray], chunk: tuple[int, int]
) -> IntArray:
    table, better, worse, target = shared
    flipped = _signs(Stream(seed, FLIP_PAIRS, (chunk_seed << 20) + chunk[0]), chunk[1], len(table)) @ table
    reached: IntArray = np.count_nonzero(flipped[:, better] - flipped[:, worse] >= target, axis=0)
    return reached


def _signs(stream: Stream, rows: int, items: int) -> FloatArray:
    words = -(-items // _WORD_BITS)
    drawn = stream.words(rows * words).reshape(rows, words)
    bits = np.unpackbits(drawn.view(np.uint8), axis=1, bitorder="little")[:, :items]
    signs: FloatArray = bits.astype(np.float64) * 2.0 - 1.0
    return signs
