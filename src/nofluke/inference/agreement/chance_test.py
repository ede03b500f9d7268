"""The test of agreement by chance: shuffled ratings where that is quick, a standard error under chance otherwise."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from nofluke.engine.randomness import SHUFFLED_RATINGS, Stream
from nofluke.inference.agreement.chance_draws import arrangements, can_be_drawn, shuffled_labels
from nofluke.inference.agreement.chance_values import SCHEMES, Values, pair_count, values_of
from nofluke.inference.agreement.tally import Tally, tally, with_items
from nofluke.inference.p_values import p_of
from nofluke.laws.tails import log_t_tail
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient, FloatArray, IntArray, Ratings, frozen, note

DRAWS = 9_999
# Ratings and their pairs up to this number are shuffled 9,999 times, which takes about a second.
MOST_SHUFFLED = 6_000
# Beyond, shuffles give the standard error under chance only, from items with so many ratings and pairs.
_DRAWS_OF_SPREAD, _MOST_OF_SPREAD = 200, 60_000
# Items with more pairs than this for each rating are not taken apart into pairs.
_MANY = 20
_TOGETHER = frozenset({"cohen_kappa", "scott_pi"})
_NORMAL, _STUDENT = note("agree.test_normal"), note("agree.test_student")


def with_chance_test(
    name: str, ratings: Ratings, option: str, found: Coefficient, seed: int, *, draws: int = DRAWS
) -> Coefficient:
    """Test whether the coefficient is further from 0 than its own model of chance makes it, and note how."""
    if math.isnan(found.value) or not AGREEMENT[name].facts["beyond_chance"]:
        return found
    scheme = SCHEMES.get(name)
    if scheme is None:  # nobody said how chance would arrange these ratings
        return replace(found, test=None if math.isnan(found.p_value) else _STUDENT)
    t = _compared(name, ratings)
    work, published = len(t.label) + pair_count(t), math.isfinite(found.null_standard_error)
    if work > MOST_SHUFFLED and published:
        return replace(found, test=_NORMAL)
    if t.n < 2 or t.k < 2 or not can_be_drawn(t, scheme):
        return replace(found, test=None if math.isnan(found.p_value) else _STUDENT)
    if work > MOST_SHUFFLED:
        return _by_spread(name, ratings, option, found, t, seed)
    values = values_of(name, t, ratings, option)
    table = arrangements(t, scheme)
    size = abs(float(values(t.label[None])[0]))
    if table is not None:
        # The observed table is one of them, so at least one is as far from 0.
        hits, of = max(1, _hits(values, table, size)), len(table)
        how = note("agree.test_all", tables=of, scheme=scheme)
    else:
        hits = 1 + sum(_hits(values, labels, size) for labels in shuffled_labels(t, scheme, draws, seed))
        of = draws + 1
        how = note("agree.test_draws", draws=draws, as_far=hits - 1, seed=seed, scheme=scheme)
    p = min(1.0, hits / of)
    z = found.z_score if published else math.nan
    return replace(found, p_value=p, log_p_value=math.log(p), z_score=z, test=how)


def _by_spread(name: str, ratings: Ratings, option: str, found: Coefficient, t: Tally, seed: int) -> Coefficient:
    """Compare with the spread of shuffled tables: if they are normal around 0, the ratio has Student's t."""
    part, scheme = t, SCHEMES[name]
    many = pair_count(t) > _MANY * len(t.label)
    if many and (name == "light_kappa" or len(t.label) > _MOST_OF_SPREAD):
        return replace(found, test=_STUDENT)
    share = 1.0 if many else _MOST_OF_SPREAD / (len(t.label) + pair_count(t))
    if share < 1:
        kept = Stream(seed, SHUFFLED_RATINGS, 1 << 20).words(len(ratings.items)) < share * 2.0**32
        part = _compared(name, with_items(ratings, kept))
    values = _one_by_one(name, ratings, option) if many else values_of(name, part, ratings, option)
    shuffled = np.concatenate([values(labels) for labels in shuffled_labels(part, scheme, _DRAWS_OF_SPREAD, seed)])
    # The variance of a mean over items falls with their number.
    error = math.sqrt(float(np.mean(shuffled**2)) * part.n / t.n)
    if not error > 0:
        return replace(found, test=_STUDENT)
    z = found.value / error
    log_p = min(0.0, math.log(2) + log_t_tail(abs(z), _DRAWS_OF_SPREAD))
    items = None if part is t else part.n
    how = note("agree.test_spread", draws=_DRAWS_OF_SPREAD, items=items, seed=seed, scheme=scheme)
    return replace(found, p_value=p_of(log_p), log_p_value=log_p, z_score=z, test=how)


def _one_by_one(name: str, ratings: Ratings, option: str) -> Values:
    """Give the coefficient of each table by itself, for items with so many ratings that their pairs are too many."""
    kept, compute = _kept(name, ratings), AGREEMENT[name].function
    kind = {"level": option} if name == "krippendorff_alpha" else {"weights": option} if option != "none" else {}

    def values(labels: IntArray) -> FloatArray:
        return np.array([compute(replace(kept, label=frozen(row, np.int64)), **kind).value for row in labels])

    return values


def _hits(values: Values, labels: np.ndarray, size: float) -> int:
    """Count tables at least as far from 0; one on which the coefficient is undefined counts, to be on the safe side."""
    found = np.abs(values(labels))
    return int(np.sum(~(found < size - 1e-10)))


def _compared(name: str, ratings: Ratings) -> Tally:
    """Count what the coefficient itself looks at."""
    return tally(_kept(name, ratings), together=name in _TOGETHER)


def _kept(name: str, ratings: Ratings) -> Ratings:
    if name != "krippendorff_alpha":
        return ratings
    return with_items(ratings, np.bincount(ratings.item, minlength=len(ratings.items)) > 1)
