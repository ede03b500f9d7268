"""All pairs of many systems: the gain of the better one, its p-value, and how alike the two are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nofluke.align.decimals import rounding_of_sums
from nofluke.engine.flips import flip_tail
from nofluke.engine.pairs.flips import POOR, all_pairs_flips
from nofluke.engine.pairs.quick_bootstrap import quick_bootstrap
from nofluke.engine.pairs.table import Progress
from nofluke.errors import InputError, MethodError, unknown
from nofluke.forms import OF_ALL_PAIRS
from nofluke.inference.ranking.all_pairs import form_for_all
from nofluke.inference.ranking.panel import Settings, oriented, oriented_floats, units_of
from nofluke.registry import TESTS
from nofluke.studies.leads import Leads, leads, oriented_scores
from nofluke.studies.pairs.linearised import Linearised, corrected_p_values, linearised, on_grid
from nofluke.studies.recording import unit_of
from nofluke.types import FloatArray, IntArray, Sample, Series, frozen

BOOTSTRAP = "bootstrap"
# The draws that correct a smooth metric's tangent; one set serves all pairs (Berg-Kirkpatrick et al. 2012, footnote 5).
DRAWS = 9_999
# Spreads below these shares of what they are computed from are rounding.
_ROUNDING_OF_SYSTEM, _ROUNDING_OF_PAIR = 1e-24, 1e-13
# Below this a p-value that is rough by some tens of percent is still far from any window of interest.
_TINY = 1e-4


def methods() -> tuple[str, ...]:
    """The tests of pairs of systems on the same items that are there for all of them at once."""
    return tuple(name for name in OF_ALL_PAIRS.names() if TESTS[name].facts["needs"] != "unpaired")


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Every pair of systems that differs, `better` ahead of `worse` by `gain` >= 0, one-sided p in that direction.

    `correlation` is that of the two systems' item scores (for corpus metrics, of the items' shares in the score);
    `standard_error` that of the pair's difference. `identical` pairs and pairs `without_p` are left out; in `by_flips`
    of them the p-value is that of swaps. `corrected` says that draws correct a tangent (`resamples` of them, or none).
    """

    systems: tuple[str, ...]
    better: IntArray
    worse: IntArray
    gain: FloatArray
    p_value: FloatArray
    correlation: FloatArray
    standard_error: FloatArray
    metric: str
    n: int
    units: int
    unit: str
    method: str
    corrected: bool
    resamples: int
    identical: int
    without_p: int
    by_flips: int

    @property
    def size(self) -> int:
        """How many comparisons there are."""
        return int(self.gain.size)

    @property
    def varies(self) -> bool:
        """Whether the difference of some pair varies from item to item."""
        return bool((self.standard_error > 0).any())


def compare_all(
    sample: Sample, method: str = BOOTSTRAP, *, draws: int = DRAWS, seed: int = 0, progress: Progress | None = None
) -> Comparisons:
    """Compare all pairs. method "bootstrap" is P(gain* > 2 gain) of Berg-Kirkpatrick et al. (2012, Figure 1).

    Means need no draws. Metrics of sums (F1, BLEU), and means of clustered items, take the tail of their tangent
    without draws and correct it by `draws` shared ones (0: no correction). Others are the one-sided tests of `rank`.
    """
    if method not in methods():
        raise unknown("test for all pairs", method, methods())
    if draws < 0:
        raise InputError(f"draws = {draws} cannot be made.", fix="give a number such as 9999, or 0.")
    plain = sample.aggregate.linear and sample.clusters is None
    line = Linearised.of_means(oriented_floats(sample)) if plain else linearised(sample)
    pairs = leads(oriented_scores(sample))
    same = _same(sample, pairs)
    corrected = method == BOOTSTRAP and not plain
    beyond = np.zeros(same.size, dtype=bool)
    if method != BOOTSTRAP:
        p, resamples = _by_test(sample, method, seed, pairs, progress)
    else:
        if plain:
            p, resamples = _bootstrapped(oriented(sample), pairs, progress), 0
        else:
            p, resamples = corrected_p_values(line, pairs, same, draws=draws, seed=seed, progress=progress), draws
        beyond = ~same & np.isnan(p)
        if beyond.any():
            units = oriented(sample) if plain else on_grid(line.values)
            slack = rounding_of_sums(sample) if plain else 0
            p[beyond] = _by_flips(units, slack, pairs.only(beyond), progress)
    kept = ~same & ~np.isnan(p)
    correlation, standard_error = _likeness(line, pairs)
    return Comparisons(
        systems=sample.systems,
        better=pairs.better[kept],
        worse=pairs.worse[kept],
        gain=pairs.gain[kept],
        p_value=p[kept],
        correlation=correlation[kept],
        standard_error=standard_error[kept],
        metric=sample.metric or "score",
        n=sample.n,
        units=units_of(sample),
        unit=unit_of(sample),
        method=method,
        corrected=corrected,
        resamples=resamples,
        identical=int(same.sum()),
        without_p=int((~same & np.isnan(p)).sum()),
        by_flips=int(beyond.sum()),
    )


def _same(sample: Sample, pairs: Leads) -> npt.NDArray[np.bool_]:
    """Which pairs have the same statistics on every item; most are told apart by their sums."""
    sums = sample.statistics.sum(axis=0)
    same: npt.NDArray[np.bool_] = (sums[pairs.better] == sums[pairs.worse]).all(axis=1)
    for row in np.flatnonzero(same).tolist():
        same[row] = np.array_equal(sample.statistics[:, pairs.better[row]], sample.statistics[:, pairs.worse[row]])
    return same


def _bootstrapped(integers: IntArray, pairs: Leads, progress: Progress | None) -> FloatArray:
    tails = quick_bootstrap(integers, progress=progress)
    table = np.full((integers.shape[1],) * 2, np.nan)
    # A tied pair may stand in either order: both are then equally far ahead, by nothing.
    table[tails.ahead, tails.behind] = table[tails.behind, tails.ahead] = tails.p
    found: FloatArray = table[pairs.better, pairs.worse]
    return found


def _by_flips(units: IntArray, slack: int, pairs: Leads, progress: Progress | None) -> FloatArray:
    """Where no resample can show more than twice the gain, swaps of the two systems give a p-value all the same."""
    # They are few, and so are their systems: those that are far behind or far ahead.
    involved, place = np.unique(np.concatenate((pairs.better, pairs.worse)), return_inverse=True)
    units = units[:, involved]
    pairs = replace(pairs, better=place[: pairs.gain.size], worse=place[pairs.gain.size :])
    tails = all_pairs_flips(units, exact="none", slack=slack, progress=progress)

    def exact(i: int, j: int) -> float:
        differences = units[:, i] - units[:, j]
        return flip_tail(differences, sum(differences.tolist()) - slack).log_p

    return _refined(tails.log_p, tails.bound, exact, pairs, progress)


def _by_test(sample: Sample, method: str, seed: int, pairs: Leads, progress: Progress | None) -> tuple[FloatArray, int]:
    form = form_for_all(method, sample, {})
    if form is None:
        raise MethodError(
            f"{method} is not there for all pairs of these data (clusters, or a corpus metric).",
            fix="use method 'bootstrap' or 'permutation'.",
        )
    table = form.function(sample, Settings("near", seed, 0.05, 1, {}, progress))
    if table.exact is None:
        return np.exp(table.log_p[pairs.better, pairs.worse]), table.resamples
    exact = table.exact
    return _refined(table.log_p, table.bound, lambda i, j: exact(i, j)[0], pairs, progress), table.resamples


def _refined(
    log_p: FloatArray,
    bound: FloatArray,
    exact: Callable[[int, int], float],
    pairs: Leads,
    progress: Progress | None,
) -> FloatArray:
    """Give the p-values of pairs, those exactly that an approximation may miss: scores of few sizes make rough sums."""
    found = log_p[pairs.better, pairs.worse]
    rough = np.flatnonzero((bound[pairs.better, pairs.worse] > POOR) & (found > math.log(_TINY)))
    for done, row in enumerate(rough.tolist(), start=1):
        found[row] = exact(int(pairs.better[row]), int(pairs.worse[row]))
        if progress is not None:
            progress(done, rough.size)
    p: FloatArray = np.exp(found)
    return p


def _likeness(line: Linearised, pairs: Leads) -> tuple[FloatArray, FloatArray]:
    """Give the correlation of every pair and the standard error of its difference, 0 where nothing varies."""
    centred = line.values - line.values.mean(axis=0)
    products = centred.T @ centred
    own = np.diag(products)
    own = np.where(own > _ROUNDING_OF_SYSTEM * (line.values**2).sum(axis=0), own, 0.0)
    first, second, together = own[pairs.better], own[pairs.worse], products[pairs.better, pairs.worse]
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = np.where((first > 0) & (second > 0), together / np.sqrt(first * second), np.nan)
    squares = first + second - 2.0 * together
    squares = np.where(squares > _ROUNDING_OF_PAIR * (first + second), squares, 0.0)
    standard_error: FloatArray = np.sqrt(squares) / len(centred)
    return np.clip(correlation, -1.0, 1.0), standard_error


def series_of(found: Comparisons, labels: Sequence[str], name: str = "comparisons") -> Series:
    """Give every comparison as a point."""
    return Series(
        name,
        {
            "gain": frozen(found.gain),
            "confidence": frozen(1.0 - found.p_value),
            "p_value": frozen(found.p_value),
            "correlation": frozen(found.correlation),
        },
        {
            "label": tuple(labels),
            "better": tuple(found.systems[i] for i in found.better.tolist()),
            "worse": tuple(found.systems[i] for i in found.worse.tolist()),
        },
    )


def given_points(name: str, gain: FloatArray, p: FloatArray, where: str = "") -> Series:
    """Give points of which only gain and p-value are known; anything else than such is refused."""
    right = gain.shape == p.shape and gain.size and np.isfinite(gain).all() and (gain >= 0).all()
    if not right or not ((p >= 0) & (p <= 1)).all():
        raise InputError(
            f"the comparisons {name!r} are none: gains are not negative, p-values lie between 0 and 1, and every "
            "comparison has both.",
            where=where,
            fix="check the table.",
        )
    columns = {"gain": frozen(gain), "confidence": frozen(1.0 - p), "p_value": frozen(p)}
    return Series(name, columns, {"label": (name,) * len(p)})
