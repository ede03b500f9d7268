"""The Mann-Whitney count of two groups and its distribution when labels are dealt at random, with ties."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.types import FloatArray, IntArray

Values = IntArray | FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class RankSum:
    """Twice the number of pairs that A wins (a tie is half a win), the group sizes, and the sizes of the tie groups."""

    doubled: int
    n_a: int
    n_b: int
    ties: IntArray

    @property
    def pairs(self) -> int:
        """How many pairs of one score of A and one of B there are."""
        return self.n_a * self.n_b

    @property
    def tied(self) -> bool:
        """Whether any two scores are equal."""
        return bool(np.any(self.ties > 1))

    @property
    def variance(self) -> float:
        """The variance of the count under random labels, corrected for ties (Lehmann 1975)."""
        total = self.n_a + self.n_b
        sizes = [float(size) for size in self.ties[self.ties > 1]]
        lost = math.fsum(size**3 - size for size in sizes) / (total * (total - 1)) if total > 1 else 0.0
        return max(0.0, self.pairs / 12 * (total + 1 - lost))


def count_pairs(a: Values, b: Values) -> RankSum:
    """Count wins over all pairs in O(n log n), and the ties of both groups together."""
    ordered = np.sort(b)
    below, up_to = np.searchsorted(ordered, a, "left"), np.searchsorted(ordered, a, "right")
    _, ties = np.unique(np.concatenate([a, b]), return_counts=True)
    return RankSum(int(below.sum()) + int(up_to.sum()), len(a), len(b), ties.astype(np.int64))


def cost(n_a: int, n_b: int) -> float:
    """About how many additions the exact distribution takes."""
    return float(n_a + n_b) * min(n_a, n_b) * n_a * n_b


def distribution(ties: IntArray, chosen: int) -> tuple[FloatArray, int]:
    """Count, over all ways to choose `chosen` of the scores, the pairs they win against the rest.

    `ties` are the sizes of the groups of equal scores in rising order. Gives the counts by value and the number of
    values per whole win (1 without ties, 2 with). Taking k of a group of t when j of the c lower ones were taken adds
    k (c - j) wins and k (t - k) / 2 for ties. Only positive numbers are added: exact below 2^53, and to 1e-14 beyond.
    """
    per_win = 2 if np.any(ties > 1) else 1
    rest = int(ties.sum()) - chosen
    rows: dict[int, FloatArray] = {0: np.ones(1)}
    seen = 0
    for size in ties.tolist():
        choices = [float(math.comb(size, k)) for k in range(min(size, chosen) + 1)]
        after = {}
        for j in range(max(0, seen + size - rest), min(chosen, seen + size) + 1):
            row = np.zeros(per_win * j * (seen + size - j) + 1)
            for k in range(max(0, j - seen), min(size, j) + 1):
                before = rows.get(j - k)
                if before is not None:
                    shift = per_win * k * (2 * (seen - j + k) + size - k) // 2
                    row[shift : shift + len(before)] += choices[k] * before
            after[j] = row
        rows, seen = after, seen + size
    return rows[chosen], per_win


def exact_tails(found: RankSum) -> tuple[float, float]:
    """Give the logs of P(count >= observed) and P(count <= observed) under random labels."""
    if found.n_a <= found.n_b:
        counts, per_win = distribution(found.ties, found.n_a)
        at = found.doubled * per_win // 2
    else:
        counts, per_win = distribution(found.ties, found.n_b)
        # The wins of B; turning the counts round makes them those of A.
        counts = counts[::-1]
        at = found.doubled * per_win // 2
    log_total = math.log(float(counts.sum()))
    return math.log(float(counts[at:].sum())) - log_total, math.log(float(counts[: at + 1].sum())) - log_total


def normal_tails(found: RankSum, continuity: bool) -> tuple[float, float]:
    """Give both log tails by the normal approximation; log 1 when every score is the same."""
    from nofluke.laws.tails import log_normal_tail

    if not found.variance:
        return 0.0, 0.0
    half = 0.5 if continuity else 0.0
    gap, sd = (found.doubled - found.pairs) / 2, math.sqrt(found.variance)
    return log_normal_tail((gap - half) / sd), log_normal_tail((-gap - half) / sd)
