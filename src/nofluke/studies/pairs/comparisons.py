"""All pairs of many systems: the gain of the better one, its p-value, and how alike the two are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.pairs.flips import all_pairs_flips
from nofluke.engine.pairs.quick_bootstrap import quick_bootstrap
from nofluke.engine.pairs.table import Progress
from nofluke.errors import InputError, MethodError, unknown
from nofluke.inference.ranking.bulk import BULK, bulk_test
from nofluke.inference.ranking.panel import Settings, oriented, oriented_floats, units_of
from nofluke.studies.leads import leads, oriented_scores
from nofluke.studies.pairs.linearised import Linearised, corrected_p_values, linearised, on_grid
from nofluke.types import FloatArray, IntArray, Sample, Scores
from nofluke.verbs.ranking.inputs import Selection, over_datasets, systems_of

METHODS = ("bootstrap", *(name for name in BULK if name != "bootstrap"))
# The draws that correct a smooth metric's tangent; one set serves all pairs (Berg-Kirkpatrick et al. 2012, footnote 5).
DRAWS = 9_999
# The one-sided 0.05 quantile of a normal law, in standard errors.
JUST_SIGNIFICANT = 1.6448536269514722


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Every pair of systems that differs, `better` ahead of `worse` by `gain` >= 0, one-sided p in that direction.

    `correlation` is that of the two systems' item scores (for corpus metrics, of the items' shares in the score);
    `needed` is the gain at which this pair would be just significant, 1.645 standard errors of its difference.
    """

    systems: tuple[str, ...]
    better: IntArray
    worse: IntArray
    gain: FloatArray
    p_value: FloatArray
    correlation: FloatArray
    needed: FloatArray
    scores: FloatArray
    metric: str
    higher_is_better: bool
    n: int
    units: int
    method: str
    computed: str
    resamples: int
    identical: int
    by_flips: int

    @property
    def size(self) -> int:
        """How many comparisons there are."""
        return int(self.gain.size)


def sample_of(scores: Any, selection: Selection) -> Sample:
    """Give one sample of all systems; of several datasets one has to be named."""
    if over_datasets(scores, selection):
        names: Scores = scores
        raise InputError(
            f"the scores hold {len(names.datasets)} datasets, and a gain belongs to one test set.",
            fix="choose one with --dataset NAME (dataset=... in Python), or look at all with `nofluke study domain`.",
        )
    sample = systems_of(scores, selection, unpaired=False)
    if sample.aggregate.whole is not None:
        raise MethodError(
            f"{sample.metric} is a score of all items together, which is not compared for all pairs here.",
            fix="use a metric with a score or counts for every item.",
        )
    if len(sample.systems) < 3:
        raise InputError(
            f"a study of gains needs many systems, and there are {len(sample.systems)}.",
            fix="give three or more; for two systems use nofluke compare.",
        )
    return sample


def compare_all(
    sample: Sample, method: str = "bootstrap", *, draws: int = DRAWS, seed: int = 0, progress: Progress | None = None
) -> Comparisons:
    """Compare all pairs. method "bootstrap" is P(gain* > 2 gain) of Berg-Kirkpatrick et al. (2012, Figure 1).

    Means need no draws. Metrics of sums (F1, BLEU), and means of clustered items, take the tail of their tangent
    without draws and correct it by `draws` shared ones (0: no correction). Others are the one-sided tests of `rank`.
    """
    if method not in METHODS:
        raise unknown("test for all pairs", method, METHODS)
    if draws < 0:
        raise InputError(f"draws = {draws} cannot be made.", fix="give a number such as 9999, or 0.")
    plain = sample.aggregate.linear and sample.clusters is None
    line = Linearised.of_means(oriented_floats(sample)) if plain else linearised(sample)
    scores = oriented_scores(sample)
    ahead = leads(scores)
    better, worse, gain = ahead.better, ahead.worse, ahead.gain
    same = _same(sample, better, worse)
    resamples = 0
    if method != "bootstrap":
        p, how = _by_test(sample, method, seed, better, worse, progress)
    elif plain:
        p, how = _bootstrapped(oriented(sample), better, worse, progress), "without draws"
    else:
        p = corrected_p_values(line, better, worse, gain, same, draws=draws, seed=seed, progress=progress)
        resamples, how = draws, "tangent and correction" if draws else "tangent only"
    beyond = ~same & np.isnan(p) if method == "bootstrap" else np.zeros(same.size, dtype=bool)
    if beyond.any():
        # No resample can show more than twice the gain; swaps of the two systems give a p-value all the same.
        flips = all_pairs_flips(on_grid(line.values) if not plain else oriented(sample), exact="none")
        p[beyond] = np.exp(flips.log_p[better[beyond], worse[beyond]])
    kept = ~same & ~np.isnan(p)
    correlation, needed = _likeness(line, better, worse)
    return Comparisons(
        systems=sample.systems,
        better=better[kept],
        worse=worse[kept],
        gain=gain[kept],
        p_value=p[kept],
        correlation=correlation[kept],
        needed=needed[kept],
        scores=scores if sample.higher_is_better else -scores,
        metric=sample.metric or "score",
        higher_is_better=sample.higher_is_better,
        n=sample.n,
        units=units_of(sample),
        method=method,
        computed=how,
        resamples=resamples,
        identical=int(same.sum()),
        by_flips=int(beyond.sum()),
    )


def _same(sample: Sample, better: IntArray, worse: IntArray) -> npt.NDArray[np.bool_]:
    """Which pairs have the same statistics on every item; most are told apart by their sums."""
    sums = sample.statistics.sum(axis=0)
    same: npt.NDArray[np.bool_] = (sums[better] == sums[worse]).all(axis=1)
    for row in np.flatnonzero(same).tolist():
        same[row] = np.array_equal(sample.statistics[:, better[row]], sample.statistics[:, worse[row]])
    return same


def _bootstrapped(integers: IntArray, better: IntArray, worse: IntArray, progress: Progress | None) -> FloatArray:
    tails = quick_bootstrap(integers, progress=progress)
    table = np.full((integers.shape[1],) * 2, np.nan)
    # A tied pair may stand in either order: both are then equally far ahead, by nothing.
    table[tails.ahead, tails.behind] = table[tails.behind, tails.ahead] = tails.p
    found: FloatArray = table[better, worse]
    return found


def _by_test(
    sample: Sample, method: str, seed: int, better: IntArray, worse: IntArray, progress: Progress | None
) -> tuple[FloatArray, str]:
    test = bulk_test(method, sample, {})
    if test is None:
        raise MethodError(
            f"{method} is not there for all pairs of these data (clusters, or a corpus metric).",
            fix="use method 'bootstrap' or 'permutation'.",
        )
    table = test(sample, Settings("near", seed, 0.05, 1, {}, progress))
    p: FloatArray = np.exp(table.log_p[better, worse])
    return p, "draws" if table.resamples else "without draws"


def _likeness(line: Linearised, better: IntArray, worse: IntArray) -> tuple[FloatArray, FloatArray]:
    centred = line.values - line.values.mean(axis=0)
    products = centred.T @ centred
    own = np.diag(products)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = products[better, worse] / np.sqrt(own[better] * own[worse])
    squares = np.maximum(own[better] + own[worse] - 2.0 * products[better, worse], 0.0)
    needed: FloatArray = JUST_SIGNIFICANT * np.sqrt(squares) / len(centred)
    return np.clip(correlation, -1.0, 1.0), needed
