"""Ratings of annotators, and how far they agree."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from nofluke.types.base import Drawable, FloatArray, IntArray, Value, frozen
from nofluke.types.call import Call
from nofluke.types.data import Source
from nofluke.types.notes import Note
from nofluke.types.results import Estimate, Interval


@dataclass(frozen=True, slots=True, eq=False)
class Ratings(Value):
    """Who gave which item which label: one entry of `item`, `annotator` and `label` for every rating that is there.

    The three are codes into `items`, `annotators` and `categories`, in the order of the items. `values` are the
    categories as numbers, nan where they are words; `ordered` says that the order of the categories has a meaning.
    """

    items: tuple[str, ...]
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    values: FloatArray
    ordered: bool
    item: IntArray
    annotator: IntArray
    label: IntArray
    source: Source | None = None
    notes: tuple[Note, ...] = ()

    @property
    def codes(self) -> IntArray:
        """The ratings as items x annotators, -1 where there is none."""
        table = np.full((len(self.items), len(self.annotators)), -1, dtype=np.int64)
        table[self.item, self.annotator] = self.label
        return frozen(table, np.int64)


@dataclass(frozen=True, slots=True)
class Coefficient(Value):
    """One coefficient as its function gives it; nofluke.agree adds names and tables.

    `observed` and `expected` are the agreement seen and the one chance would give. `z_score` and `p_value` test a
    coefficient of 0, by `null_standard_error` where that is known (else by `standard_error` and Student's t), which is
    right for many items only: nofluke.agree puts a test by shuffling in their place, and `test` notes how it was done.
    """

    value: float
    observed: float
    expected: float
    items: int
    interval: Interval | None = None
    standard_error: float = math.nan
    null_standard_error: float = math.nan
    z_score: float = math.nan
    p_value: float = math.nan
    log_p_value: float = math.nan
    notes: tuple[Note, ...] = ()
    test: Note | None = None


@dataclass(frozen=True, slots=True)
class DisputedItem(Value):
    """One item, the share of annotator pairs that agree on it, and how often each label was given."""

    item: str
    agreement: float
    labels: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Agreement(Drawable):
    """How far annotators agree beyond chance, and where they do not.

    `others` are further coefficients that were asked for. `pairwise` is annotators x annotators for those named in
    `pairwise_annotators` (nan where two share no item), `pairwise_name` says which coefficient; `shares` is how often
    each of them uses each label (no columns beyond 200 labels), `marginals` how often all do. `per_category` is the
    coefficient of each label against all others; `specific` how often a second annotator gives a label that a first
    has given; `with_others` how often an annotator gives what another gives to the item. `words` are what the named
    `rule` calls the value and both interval ends. `p_value` tests a coefficient of 0 and says nothing about quality;
    `test` notes how it was computed. `scale` (the level of measurement) and `weights` are how far apart labels count
    where the coefficient has a choice. `items_for_width` is (width of an interval that was asked for, items it takes),
    `items_for_half` the items that would halve the interval.
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
    pairwise_annotators: tuple[str, ...]
    shares: FloatArray
    per_category: Mapping[str, Estimate]
    specific: Mapping[str, float]
    with_others: Mapping[str, float]
    disputed: tuple[DisputedItem, ...]
    null_standard_error: float
    z_score: float
    p_value: float
    log_p_value: float
    words: tuple[str, str, str]
    rule: str
    items_for_width: tuple[float, int] | None
    notes: tuple[Note, ...]
    signature: str
    others: Mapping[str, Estimate] = field(default_factory=dict)
    test: Note | None = None
    scale: str = ""
    weights: str = ""
    items_for_half: int | None = None
    call: Call | None = None

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
