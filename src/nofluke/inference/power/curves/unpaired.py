"""A pilot of two independent groups of scores: each is drawn from on its own, tilted in opposite directions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from nofluke.engine.randomness import POWER, Stream, chunks
from nofluke.errors import MethodError
from nofluke.inference.power.curves.draws import Alias, chunk_of
from nofluke.inference.power.curves.tilting import tilted
from nofluke.types import FloatArray, Sample, frozen


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The scores of A and of B; `sign` turns a metric where lower is better."""

    sample: Sample
    scores: FloatArray
    of_a: FloatArray
    sign: float

    @property
    def units(self) -> int:
        """The size of the smaller group."""
        return min(self.sample.lengths[:2])

    @property
    def unit(self) -> str:
        """What is counted by n."""
        return "items for each system"

    @property
    def varies(self) -> bool:
        """Whether any group has a spread."""
        return self.spread(self.equal_weights) > 0

    @property
    def halves(self) -> tuple[FloatArray, FloatArray]:
        """Equal weights within each group, half the total for each."""
        return self.of_a / self.of_a.sum(), (1 - self.of_a) / (1 - self.of_a).sum()

    def shown(self, weights: FloatArray) -> float:
        """The difference of the two weighted means, positive when A is better."""
        a, b = weights * self.of_a, weights * (1 - self.of_a)
        return self.sign * float(a @ self.scores / a.sum() - b @ self.scores / b.sum())

    @property
    def equal_weights(self) -> FloatArray:
        """The groups as they are."""
        return np.full(len(self.scores), 1 / len(self.scores))

    def weights_for(self, difference: float) -> FloatArray:
        """Push both groups apart (or together) by the same strength until they show this difference."""
        centre = np.where(self.of_a > 0, *(np.full_like(self.scores, half @ self.scores) for half in self.halves))
        pull = self.sign * (self.scores - centre) * np.where(self.of_a > 0, 1.0, -1.0)
        return tilted(pull, np.ones_like(pull), self.shown, difference)

    def spread(self, weights: FloatArray) -> float:
        """The standard deviation of the difference of one score of A and one of B."""
        total = 0.0
        for member in (self.of_a, 1 - self.of_a):
            share = weights * member / (weights * member).sum()
            total += float(share @ (self.scores - share @ self.scores) ** 2) * member.sum() / max(member.sum() - 1, 1)
        return math.sqrt(total)


def groups_of(sample: Sample) -> Groups:
    """Take the scores of both systems, paired or not, as two groups."""
    if not sample.aggregate.linear:
        raise MethodError(
            f"{sample.metric} is no mean over items, so unpaired tests cannot take it.", fix="use method 'permutation'."
        )
    a, b = sample.scores(0), sample.scores(1)
    members = np.concatenate((np.ones(len(a)), np.zeros(len(b))))
    return Groups(sample, np.concatenate((a, b)), members, 1.0 if sample.higher_is_better else -1.0)


def drawn_tests(
    groups: Groups, weights: FloatArray, run: Callable[[Sample], float], size: int, iterations: int, seed: int
) -> Iterator[FloatArray]:
    """Draw `size` scores of each system, `iterations` times, and give the log p-values."""
    split = int(groups.of_a.sum())
    tables = Alias(weights[:split]), Alias(weights[split:])
    parts = groups.scores[:split], groups.scores[split:]
    for chunk, number in chunks(iterations):
        stream = Stream(seed, POWER, chunk_of(size, chunk))
        for _ in range(number):
            drawn = [part[table.pick(stream.words(size))] for part, table in zip(parts, tables, strict=True)]
            yield np.array([run(_sample(groups.sample, np.stack(drawn, axis=1)[:, :, None]))])


def _sample(sample: Sample, statistics: FloatArray) -> Sample:
    size = len(statistics)
    return replace(sample, statistics=frozen(statistics), ids=None, clusters=None, lengths=(size, size), paired=False)
