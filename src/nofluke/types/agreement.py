"""Agreement of annotators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nofluke.types.base import FloatArray, Value
from nofluke.types.results import Estimate, Interval


@dataclass(frozen=True, slots=True)
class DisputedItem(Value):
    """One item, the share of annotator pairs that agree on it, and how often each label was given."""

    item: str
    agreement: float
    labels: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Agreement(Value):
    """How far annotators agree beyond chance, and where they do not.

    `pairwise` is annotators x annotators (`pairwise_name` says which coefficient, nan where two share no item);
    `per_category` the coefficient of each label against all others; `words` the named rule's words for the value and
    both interval ends. `p_value` tests a coefficient of 0 and says nothing about quality.
    """

    estimate: Estimate
    label: str
    observed: float
    expected: float
    items: int
    annotators: tuple[str, ...]
    annotations: int
    missing: int
    categories: tuple[str, ...]
    marginals: FloatArray
    pairwise: FloatArray
    pairwise_name: str
    per_category: Mapping[str, Estimate]
    disputed: tuple[DisputedItem, ...]
    p_value: float
    words: tuple[str, str, str]
    rule: str
    items_for_width: tuple[float, int] | None
    headline: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    signature: str

    @property
    def value(self) -> float:
        """The coefficient."""
        return self.estimate.value

    @property
    def interval(self) -> Interval | None:
        """Its confidence interval."""
        return self.estimate.interval

    @property
    def standard_error(self) -> float:
        """Its standard error."""
        return self.estimate.standard_error

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])
