"""Several datasets and one average of them: items side by side, the weight of each dataset, items that occur twice.

A benchmark average is sum_j w_j mean_j. With c = w_j / n_j for every item of dataset j it is a sum of c times score, so
that flips of the products c d are the exact test of it. Everything is done in whole numbers in the proportion of c.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.align.datasets import folds_of_each
from nofluke.align.exact_sums import summable
from nofluke.align.runs import of_rows
from nofluke.errors import Fix, InputError, Option, listing, unknown
from nofluke.types import Aggregate, Axis, FloatArray, Group, IntArray, Sample, Scores, Strata, frozen, note

WEIGHTINGS = ("equal", "items")
# Sums of multiplied differences stay within 64 bits where that leaves multipliers so many bits; else they grow longer.
_SUM_BITS = 60
_FEWEST_BITS = 40
# Of datasets that share so many of their numbers it may be asked whether these are the same items.
_NEARLY_ALL = 0.9
# Up to so many places a table of all items of all datasets is quicker than sorting.
_MOST_PLACES = 50_000_000


def side_by_side(scores: Scores) -> tuple[Scores, IntArray, IntArray]:
    """Give all datasets as one, whose items are those of each; and the dataset and the old item of every item."""
    width = len(scores.item.labels)
    key = scores.dataset.codes * width + scores.item.codes
    if width * len(scores.datasets) <= _MOST_PLACES:
        present = np.zeros(width * len(scores.datasets), bool)
        present[key] = True
        pairs, codes = np.flatnonzero(present), (np.cumsum(present) - 1)[key]
    else:
        pairs, codes = np.unique(key, return_inverse=True)
    datasets, items = pairs // width, pairs % width
    names, labels = scores.datasets, scores.item.labels
    together = tuple(f"{names[d]} / {labels[i]}" for d, i in zip(datasets.tolist(), items.tolist(), strict=True))
    nowhere = Axis(("",), frozen(np.zeros_like(scores.dataset.codes), np.int64))
    joined = replace(scores, item=Axis(together, frozen(codes, np.int64)), dataset=nowhere)
    return joined, datasets.astype(np.int64), items.astype(np.int64)


def are_row_numbers(ids: Collection[str]) -> bool:
    """Whether ids only number the rows: whole numbers from 0 or 1 with at most every tenth left out."""
    if not all(one.isdecimal() for one in ids):
        return False
    numbers = {int(one) for one in ids}
    return min(numbers, default=0) <= 1 and max(numbers, default=0) <= 1.1 * len(numbers) + 1


def linked(datasets: IntArray, items: IntArray | None, clusters: IntArray | None) -> tuple[IntArray | None, int]:
    """Give what is kept together, and how many of these occur in several datasets.

    Items with one id (`items`; None where ids say nothing), and items of one cluster. None where every item stands for
    itself.
    """
    units: IntArray | None = clusters
    if items is not None and len(np.unique(items)) < len(items):
        units = items if clusters is None else _joined(items, clusters)
    if units is None or len(np.unique(units)) == len(units):
        return None, 0
    _, codes = np.unique(units, return_inverse=True)
    homes = np.unique(codes * (int(datasets.max()) + 1) + datasets) // (int(datasets.max()) + 1)
    return codes.astype(np.int64), int((np.bincount(homes) > 1).sum())


def named_in_one_dataset(codes: IntArray, labels: Any, datasets: IntArray) -> IntArray:
    """Tell apart what only numbers the rows of its dataset: there 1 in one dataset is not 1 in another."""
    own = codes.copy()
    for dataset in range(int(datasets.max()) + 1):
        here = datasets == dataset
        if are_row_numbers({labels[code] for code in np.unique(codes[here]).tolist()}):
            own[here] += (dataset + 1) * len(labels)
    return own


def numbered_alike(codes: IntArray, labels: Any, datasets: IntArray) -> int:
    """Count the datasets that number their items alike, so that nobody can tell from ids whether items are the same."""
    numbered = []
    for dataset in range(int(datasets.max()) + 1):
        here = np.unique(codes[datasets == dataset])
        if len(here) > 1 and are_row_numbers({labels[code] for code in here.tolist()}):
            numbered.append(set(here.tolist()))
    return sum(any(_alike(one, other) for other in numbered if other is not one) for one in numbered)


def _alike(first: set[int], second: set[int]) -> bool:
    """Whether nearly all numbers of two datasets are the same; the first few always are."""
    return len(first & second) > _NEARLY_ALL * max(len(first), len(second))


def _joined(first: IntArray, second: IntArray) -> IntArray:
    """Give one number to all that is linked by either: the smallest place among them, passed on until all have it."""
    groups = [np.unique(codes, return_inverse=True)[1] for codes in (first, second)]
    place = np.arange(len(first))
    while True:
        before = place
        for codes in groups:
            smallest = np.full(int(codes.max()) + 1, len(first))
            np.minimum.at(smallest, codes, place)
            place = smallest[codes]
        if np.array_equal(before, place):
            return place.astype(np.int64)


def weights_of(
    weights: str | Mapping[str, float], names: tuple[str, ...], sizes: list[int], groups: Sequence[Group] = ()
) -> dict[str, Fraction]:
    """Give the weight of every dataset; they add up to 1. Of equal weights a group has one, shared as it says."""
    if isinstance(weights, str) and weights in WEIGHTINGS:
        size_of = dict(zip(names, map(Fraction, sizes), strict=True))
        given = [Fraction(1)] * len(names) if weights == "equal" else list(size_of.values())
        for group in groups if weights == "equal" else ():
            own = {name: size_of[name] if group.by_size else Fraction(1) for name in group.datasets if name in names}
            given = [
                own[name] / sum(own.values()) if name in own else weight
                for name, weight in zip(names, given, strict=True)
            ]
    else:
        stated = _stated(weights, names)
        given = [stated[name] for name in names]
    total = sum(given)
    return {name: weight / total for name, weight in zip(names, given, strict=True)}


def _stated(weights: str | Mapping[str, float], names: tuple[str, ...]) -> dict[str, Fraction]:
    """Read {dataset: weight}, or the same as text, dataset=weight with commas between them."""
    pairs = weights.items() if isinstance(weights, Mapping) else _pairs(weights, names)
    found: dict[str, Fraction] = {}
    for name, value in pairs:
        if name not in names:
            raise unknown("dataset", str(name), names)
        if name in found:
            raise InputError(f"two weights are stated for {name!r}.", fix="give every dataset one weight.")
        try:
            found[name] = Fraction(str(value))
        except (ValueError, ZeroDivisionError):
            found[name] = Fraction(0)
        if found[name] <= 0:
            raise InputError(
                f"the weight {value!r} of {name!r} is not a positive number.", fix="give one, such as 2 or 0.25."
            )
    lacking = [name for name in names if name not in found]
    if lacking:
        raise InputError(
            f"no weight is stated for {listing(lacking)}.",
            fix=Fix(
                "give every dataset a weight, or look at those alone that have one: ",
                Option("dataset", ",".join(found)),
                ".",
            ),
        )
    return found


def _pairs(text: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
    if "=" not in text:
        raise InputError(
            f"there is no weighting {text!r}.",
            fix=Fix("choose equal or items, or state weights: ", Option("weights", f"{names[0]}=2,{names[1]}=1"), "."),
        )
    found: list[tuple[str, str]] = []
    begun = ""
    for part in text.split(","):
        # A name may hold a comma itself: its parts are put together until they are a known one.
        name, equals, value = f"{begun}{part}".rpartition("=")
        begun = "" if equals and name.strip() in names else f"{begun}{part},"
        if not begun:
            found.append((name.strip(), value.strip()))
    named, equals, _ = begun.partition("=")
    if equals:
        raise unknown("dataset", named.strip(), names)
    if begun:
        raise InputError(
            f"the weights {text!r} cannot be read from {begun.rstrip(',')!r} on.",
            fix=f"write NAME=WEIGHT,NAME=WEIGHT; the datasets are {listing(names)}.",
        )
    return found


def multipliers_of(shares: list[Fraction], steps: float) -> tuple[tuple[int, ...], bool]:
    """Give whole numbers in the proportion of these shares of single items, and whether they are so exactly.

    `steps` bounds the sum of all differences in steps of their grid: what is multiplied is to stay short.
    """
    common = math.lcm(*(share.denominator for share in shares))
    whole = [int(share * common) for share in shares]
    divisor = math.gcd(*whole)
    whole = [one // divisor for one in whole]
    bits = max(_SUM_BITS - math.ceil(math.log2(max(steps, 1.0))), _FEWEST_BITS)
    if max(whole).bit_length() <= bits:
        return tuple(whole), True
    largest = max(shares)
    return tuple(round(share / largest * 2**bits) for share in shares), False


def averaged(
    sample: Sample,
    names: tuple[str, ...],
    datasets: IntArray,
    weights: str | Mapping[str, float],
    shared: int,
    noun: str = "dataset",
    groups: Sequence[Group] = (),
) -> Sample:
    """Make a sample of items from several datasets one about their weighted average."""
    sizes = np.bincount(datasets, minlength=len(names)).tolist()
    groups = [group for group in groups if len(set(group.datasets) & set(names)) > 1]
    stated = weights_of(weights, names, sizes, groups)
    shares = [stated[name] / size for name, size in zip(names, sizes, strict=True)]
    steps = 2.0 * float(np.nanmax(np.abs(sample.statistics), initial=0.0)) * sample.grid.per_unit * sample.n
    multipliers, exact = multipliers_of(shares, steps if sample.aggregate.linear else float(sample.n))
    strata = Strata(
        names=names,
        codes=frozen(datasets, np.int64),
        weights=tuple(float(stated[name]) for name in names),
        multipliers=multipliers,
        exact=exact,
        weighting=_weighting(weights, stated, sizes),
        each=sample.aggregate,
        shared=shared,
        noun=noun,
    )
    notes = folds_of_each(sample.notes, sizes)
    notes += (note("align.shared_items", n=shared, unit=sample.unit),) if shared else ()
    if groups and weights == "equal":
        told = tuple((group.name, len(set(group.datasets) & set(names)), group.by_size) for group in groups)
        notes = (*notes, note("align.groups", groups=told, alone=len(told) == 1 and told[0][1] == len(names)))
    sample = replace(sample, strata=strata, notes=notes)
    # Columns for every dataset of every system would fill the memory: of many, they are made for two at a time.
    return in_blocks(sample) if len(sample.systems) == 2 else sample


def _weighting(weights: str | Mapping[str, float], stated: Mapping[str, Fraction], sizes: Sequence[int]) -> str:
    """The word for the weights; those that groups make may be equal, or those of items, after all."""
    if not isinstance(weights, str) or weights not in WEIGHTINGS:
        return "given"
    if weights == "items" or len(set(stated.values())) == 1:
        return weights
    by_size = len({weight / size for weight, size in zip(stated.values(), sizes, strict=True)}) == 1
    return "items" if by_size else "given"


def is_to_block(sample: Sample) -> bool:
    """Whether a corpus metric is averaged over datasets that do not have columns of their own yet."""
    strata = sample.strata
    return strata is not None and not strata.pooled and not strata.each.linear and sample.aggregate is strata.each


def in_blocks(sample: Sample) -> Sample:
    """Give every dataset columns of its own, so that the average of corpus scores is a function of sums."""
    strata = sample.strata
    if strata is None or not is_to_block(sample):
        return sample
    aggregate = average_of(strata, sample.statistics.shape[2])
    return replace(sample, statistics=frozen(blocked(sample.statistics, strata)), aggregate=aggregate)


def blocked(statistics: FloatArray, strata: Strata) -> FloatArray:
    """Give (n, ..., k) statistics of items as (n, ..., datasets x k), 0 in the columns of other datasets."""
    n, *between, k = statistics.shape
    blocks = np.zeros((n, len(strata.names), *between, k))
    blocks[np.arange(n), strata.codes] = statistics
    return np.moveaxis(blocks, 1, -2).reshape(n, *between, -1)


def unblocked(sample: Sample) -> Sample:
    """Give the statistics of every item as its dataset has them, with the aggregate of one dataset and no average."""
    strata = sample.strata
    if strata is None:
        return sample
    plain = replace(sample, aggregate=strata.each, strata=None)
    if sample.aggregate.linear or sample.aggregate is strata.each:
        return plain
    n, systems, _ = sample.statistics.shape
    blocks = sample.statistics.reshape(n, systems, len(strata.names), -1)
    return replace(plain, statistics=frozen(blocks[np.arange(n), :, strata.codes]))


def average_of(strata: Strata, k: int) -> Aggregate:
    """Give the weighted average of the scores of datasets as a function of the sums of all of them."""
    each, sizes, weights = strata.each, strata.sizes, strata.weights

    def function(sums: FloatArray, n: float) -> FloatArray:  # noqa: ARG001 (every dataset has its own number of items)
        parts = sums.reshape(*sums.shape[:-1], len(sizes), k)
        scores = [
            weight * each(parts[..., place, :], float(size))
            for place, (weight, size) in enumerate(zip(weights, sizes, strict=True))
        ]
        return np.asarray(np.sum(scores, axis=0))

    return Aggregate(each.name, function, linear=False)


def tasks_of(sample: Sample) -> dict[str, Sample]:
    """Give every dataset of a benchmark as a sample of its own."""
    strata = sample.strata
    if strata is None:
        return {sample.dataset: sample}
    plain = unblocked(sample)
    found = {}
    for place, name in enumerate(strata.names):
        here = np.flatnonzero(strata.codes == place)
        found[name] = replace(
            plain,
            statistics=frozen(plain.statistics[here]),
            ids=None if sample.ids is None else tuple(sample.ids[at] for at in here.tolist()),
            clusters=_own_clusters(sample, here),
            dataset=name,
            lengths=(len(here),) * len(sample.systems),
            incomplete=frozen(np.empty((0, len(sample.systems), plain.statistics.shape[2]))),
            notes=(),
            runs=of_rows(sample.runs, here),
        )
    return found


def _own_clusters(sample: Sample, here: npt.NDArray[Any]) -> IntArray | None:
    """The clusters of one dataset; None where all that was kept together is in other datasets."""
    if sample.clusters is None:
        return None
    own = sample.clusters[here]
    return None if len(np.unique(own)) == len(own) else frozen(own, np.int64)


def item_multipliers(sample: Sample) -> IntArray | None:
    """Give what every item is multiplied by in the average; None where all count the same."""
    strata = sample.strata
    if strata is None or strata.pooled:
        return None
    each = np.array(strata.multipliers, dtype=object)
    return summable(each[strata.codes])
