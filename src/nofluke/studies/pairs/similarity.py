"""similarity: do similar systems need a smaller gain? (Berg-Kirkpatrick et al. 2012, sections 3.1 and 3.2)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from nofluke.check import check_count
from nofluke.engine.correlation import average_ranks
from nofluke.errors import InputError
from nofluke.noting import called
from nofluke.options import Opt, stating
from nofluke.studies.pairs.comparisons import Comparisons, series_of
from nofluke.studies.pairs.looking import Look, check_varies
from nofluke.studies.pairs.thresholds import Rule, Threshold
from nofluke.types import FloatArray, IntArray, Series, Study, frozen

USUAL_BINS = 4
# Correlations this many times as far apart as chance makes those of equally similar pairs are not chance alone.
_CHANCE = 1.25


@called("studies.similarity", "scores", "scores")
@stating(Look)
def similarity(
    scores: Any,
    *,
    bins: Annotated[
        int | None, Opt("Number of bins of pairs, from least to most alike. Default: 4, or as many as there are pairs.")
    ] = None,
    progress: Callable[[int, int], None] | None = None,
    **stated: Any,
) -> Study:
    """Do systems whose outputs are more alike need a smaller gain to be told apart?

    For every pair the correlation of the two systems' item scores (for corpus metrics, of the items' shares in the
    score) is set against the gain the pair would need to be just significant, 1.645 standard errors of its difference.
    Pairs in `bins` of equal size by correlation (default: 4, or fewer where there are fewer pairs) get thresholds as in
    `gains`. For scores of equal spread the needed gain falls like sqrt(1 - correlation), the curve in the picture.

    >>> from nofluke.studies import simulate_scores
    >>> scores = simulate_scores({f"s{i}": i / 40 for i in range(12)}, n=400, kind="continuous", seed=1)
    >>> len(similarity(scores, bins=3).tables["bins"]["threshold"])
    3
    """
    look = Look(**stated)
    sample = look.sample(scores)
    found = look.compare(sample, progress)
    check_varies([found])
    needed = look.rule.errors * found.standard_error
    parts = _bins(found, needed, bins, look.rule)
    return look.recorded(
        "similarity",
        [sample],
        {"": found},
        found,
        own={"bins": len(parts)},
        tables={"bins": _table(parts)},
        series={"comparisons": _points(found, needed, parts), "law": _law(found.correlation, needed)},
        charts=("similarity_curve",),
        facts=_likeness(found, needed),
    )


def _likeness(found: Comparisons, needed: FloatArray) -> dict[str, Any]:
    """How likeness and the needed gain go together, over how many pairs, and whether likeness differs at all."""
    usable = np.isfinite(found.correlation)
    together = rank_correlation(found.correlation[usable], needed[usable])
    return {
        "rank_correlation": None if math.isnan(together) else together,
        "pairs": int(usable.sum()),
        "equally_alike": by_chance(found),
        "unit": found.unit,
        "units": found.units,
    }


def by_chance(found: Comparisons) -> bool:
    """Whether the correlations of pairs differ no more than those of equally similar pairs do by chance.

    Among such pairs the ones that look more alike need less all the same: one draw of items decides both.
    """
    known = found.correlation[np.isfinite(found.correlation)]
    return bool(np.std(known) < _CHANCE * (1.0 - float(np.mean(known)) ** 2) / math.sqrt(found.units))


def rank_correlation(x: FloatArray, y: FloatArray) -> float:
    """Spearman's, as a description: pairs share systems, so no test of it is made.

    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([9.0, 4.0, 1.0]))
    -1.0
    """
    ranks = [average_ranks(values) for values in (x, y)]
    if any(one.size < 2 or np.ptp(one) == 0 for one in ranks):
        return math.nan
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


@dataclass(frozen=True, slots=True, eq=False)
class _Bin:
    """The pairs of about the same likeness."""

    pairs: IntArray
    limit: Threshold
    usual: float


def _bins(found: Comparisons, needed: FloatArray, bins: int | None, rule: Rule) -> dict[str, _Bin]:
    """Cut the pairs, from least to most alike, into bins of equal size, named by their correlations."""
    usable = np.flatnonzero(np.isfinite(found.correlation))
    if usable.size < 2:
        raise InputError(
            "fewer than two pairs have a correlation: the scores of the other systems do not vary from item to item.",
            fix="give item scores that vary; constant scores may be averages.",
        )
    most = min(50, usable.size)
    number = min(USUAL_BINS, most) if bins is None else check_count(bins, "bins", 2, most)
    order = usable[np.argsort(found.correlation[usable], kind="stable")]
    parts: dict[str, _Bin] = {}
    for pairs in np.array_split(order, number):
        name = _range(found.correlation[pairs])
        # Bins of nearly equal likeness may print alike; each keeps a name of its own.
        twin = sum(other == name or other.startswith(f"{name} (") for other in parts)
        limit = rule.threshold(found.gain[pairs], found.p_value[pairs])
        parts[f"{name} ({twin + 1})" if twin else name] = _Bin(pairs, limit, float(np.median(needed[pairs])))
    return parts


def _range(correlation: FloatArray) -> str:
    return f"{correlation.min():.2f} to {correlation.max():.2f}"


def _table(parts: dict[str, _Bin]) -> dict[str, tuple[Any, ...]]:
    return {
        "correlation": tuple(parts),
        "comparisons": tuple(int(part.pairs.size) for part in parts.values()),
        "needed by the usual pair": tuple(part.usual for part in parts.values()),
        "just significant": tuple(part.limit.near for part in parts.values()),
        "threshold": tuple(part.limit.value for part in parts.values()),
    }


def _points(found: Comparisons, needed: FloatArray, parts: dict[str, _Bin]) -> Series:
    labels = np.full(found.size, "no correlation", dtype=object)
    for name, part in parts.items():
        labels[part.pairs] = name
    plain = series_of(found, [str(label) for label in labels])
    return Series(plain.name, {**plain.columns, "needed": frozen(needed)}, plain.labels)


def _law(correlation: FloatArray, needed: FloatArray) -> Series:
    """The gain needed by two systems of the usual spread: it falls like sqrt(1 - correlation)."""
    varying = np.isfinite(correlation) & (correlation < 1)
    if not varying.any():
        return Series("law", {"correlation": frozen([]), "needed": frozen([])}, {})
    # The factor that fits the pairs best, in the middle.
    factor = float(np.median(needed[varying] / np.sqrt(1.0 - correlation[varying])))
    known = correlation[np.isfinite(correlation)]
    # Even steps of the needed gain, so that the curve stays round where it falls steeply.
    root = np.linspace(math.sqrt(1.0 - float(known.min())), math.sqrt(1.0 - float(known.max())), 60)
    return Series("law", {"correlation": frozen(1.0 - root**2), "needed": frozen(factor * root)}, {})
