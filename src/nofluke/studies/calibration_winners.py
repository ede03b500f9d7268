"""Who wins on a test set, for all pairs of systems, and with which p-value: the paper's p, on the winner's side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.pairs.max_t import shared_flip_p_values
from nofluke.errors import MethodError
from nofluke.inference.power.curves.choose import form_of_counts, rule_of
from nofluke.inference.power.curves.pilot import pilot_of
from nofluke.inference.power.curves.rule import Setting
from nofluke.inference.ranking.all_pairs import form_for_all, method_for_all
from nofluke.inference.ranking.panel import Settings, by_cluster, flipped_units, pair_of
from nofluke.inference.ranking.single_pairs import single_tests
from nofluke.registry import TESTS, Method
from nofluke.studies.block_p_values import block_p_values
from nofluke.studies.leads import lead, leads, oriented_scores
from nofluke.types import FloatArray, IntArray, Sample, frozen

# Approximations that may be off by more than this are replaced: exactly where they are few, else from shared draws.
_POOR = 0.02
_FEW = 100
DRAWS = 9_999
# Of a score that is computed anew for each of them, and for every pair of every test set.
DEAR_DRAWS = 199
# Where the tails are most precise: by the saddlepoint, elsewhere by Edgeworth's series.
_LEVEL = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Winners:
    """All pairs with a winner: who won, who lost, and the p-value.

    `tied` counts the pairs without a winner or a p-value, `from_draws` the p-values that were drawn.
    """

    winner: IntArray
    loser: IntArray
    p_value: FloatArray
    tied: int
    from_draws: int = 0


def method_for(sample: Sample, method: str) -> Method:
    """The named test, or the one that rank would take for all these systems; clusters must be kept together.

    Swaps of a metric that is no ratio of sums (BLEU) need draws of their own for every pair on every test set, which
    takes minutes where the bootstrap takes seconds: there it is the usual test, as in the paper. A score that only all
    items together have takes draws by either.
    """
    smooth = not sample.aggregate.linear and sample.aggregate.ratio is None and sample.aggregate.whole is None
    chosen = TESTS["bootstrap" if method == "auto" and smooth else method_for_all(sample, method)]
    if chosen.facts["needs"] == "unpaired":
        raise MethodError(f"{chosen.name} does not match items.", fix="use a paired test, such as 'permutation'.")
    if sample.clusters is not None and not chosen.facts["clusters"]:
        raise MethodError(
            f"{chosen.name} takes items as independent, and these come in clusters.",
            fix="use method 'permutation' or 'bootstrap', which keep clusters together.",
        )
    return chosen


def usual_options(sample: Sample, method: Method, options: Mapping[str, Any]) -> dict[str, Any]:
    """Give the options of the test that were stated; draws of a score of all items together are few unless stated."""
    own = {name: value for name, value in method.check_options(dict(options)).items() if value is not None}
    few = (
        {"monte_carlo": DEAR_DRAWS}
        if sample.aggregate.whole is not None and "monte_carlo" in method.option_names()
        else {}
    )
    return {**few, **own}


def winners(
    sample: Sample, method: Method, options: Mapping[str, Any], *, sides: str, seed: int, test_set: int = 0
) -> Winners:
    """Test all pairs; sides "one" is the p-value of "the winner is better", "two" that of "they differ"."""
    # One claim at a time is made here, so a handful of draws would be enough for any of them.
    # Rough tails are drawn together below, so none is inverted.
    # Few draws err: those of one test set must not err as those of another do.
    seed_of_test = seed if sample.aggregate.whole is None else seed + 1 + test_set
    settings = Settings("none", seed_of_test, 0.5, 1, options)
    form = form_for_all(method.name, sample, options)
    table = single_tests(method.name, sample, settings) if form is None else form.function(sample, settings)
    pairs = leads(oriented_scores(sample))
    log_p, behind = table.log_p[pairs.better, pairs.worse], table.log_p[pairs.worse, pairs.better]
    poor = np.flatnonzero((table.bound[pairs.better, pairs.worse] > _POOR) & (pairs.gain > 0))
    drawn_ones = 0
    if method.name == "permutation" and sample.aggregate.linear and poor.size > _FEW:
        units, drawn_ones = flipped_units(sample), poor.size
        p = shared_flip_p_values(
            units, pairs.better[poor], pairs.worse[poor], draws=DRAWS, seed=seed, chunk_seed=test_set
        )
        log_p[poor] = np.log(p)
    elif table.exact is not None:
        for row in poor.tolist():
            log_p[row] = table.exact(int(pairs.better[row]), int(pairs.worse[row]))[0]
    if sides == "two":
        log_p = np.minimum(0.0, math.log(2) + np.minimum(log_p, behind))
    kept = (pairs.gain > 0) & ~np.isnan(log_p)
    tied = int(kept.size - np.count_nonzero(kept))
    return Winners(pairs.better[kept], pairs.worse[kept], np.exp(log_p[kept]), tied, drawn_ones)


def members_of(sample: Sample) -> list[npt.NDArray[np.intp]] | None:
    """The items of every cluster; None where items are units of their own."""
    if sample.clusters is None:
        return None
    return [np.flatnonzero(sample.clusters == label) for label in np.unique(sample.clusters)]


def drawn_sample(sample: Sample, units: IntArray, members: list[npt.NDArray[np.intp]] | None) -> Sample:
    """The sample that holds these units, each as often as it is named; a cluster drawn twice counts as two."""
    if members is None:
        items: npt.NDArray[Any] = units
        labels = None
    else:
        items = np.concatenate([members[unit] for unit in units.tolist()])
        labels = np.repeat(np.arange(len(units)), [len(members[unit]) for unit in units.tolist()])
    return replace(
        sample,
        statistics=frozen(sample.statistics[items]),
        ids=None,
        lengths=(len(items),) * len(sample.systems),
        clusters=None if labels is None else frozen(labels, np.int64),
        cluster_labels=() if labels is None else tuple(str(unit) for unit in range(len(units))),
        incomplete=frozen(np.empty((0, len(sample.systems), sample.statistics.shape[2]))),
    )


def has_bootstrap_rule(sample: Sample, method: Method, options: Mapping[str, Any]) -> bool:
    """Whether this is a bootstrap whose p-values have a rule for whole blocks of test sets."""
    setting = Setting("two-sided", 2 * _LEVEL, 0.0, options)
    if sample.aggregate.whole is not None:
        return False
    return method.name == "bootstrap" and form_of_counts(pair_of(sample, 0, 1), method, setting) is not None


def bootstrap_winners(
    sample: Sample,
    test_sets: IntArray,
    method: Method,
    options: Mapping[str, Any],
    *,
    sides: str,
    progress: Callable[[int, int], None] | None,
) -> Iterator[Winners]:
    """Give the winners of every pair over all test sets at once, without resampling any of them again.

    `test_sets` holds the units of each, (test sets, size).
    """
    units = len(by_cluster(sample.statistics, sample.clusters))
    counts = np.stack([np.bincount(row, minlength=units) for row in test_sets]).astype(np.float64)
    scores = _scores(sample, counts)
    pairs = [(i, j) for i in range(len(sample.systems)) for j in range(i + 1, len(sample.systems))]
    setting = Setting("two-sided", 2 * _LEVEL, 0.0, options)
    for done, (i, j) in enumerate(pairs, start=1):
        pilot = pilot_of(pair_of(sample, i, j), grouped=False)
        inner = rule_of(pilot, method, setting, 0)
        two_sided = block_p_values(inner, counts, pilot, method, options)
        gain = lead(scores[:, i] - scores[:, j], scores)
        kept = (gain != 0) & ~np.isnan(two_sided)
        first = gain[kept] > 0
        yield Winners(
            np.where(first, i, j),
            np.where(first, j, i),
            two_sided[kept] if sides == "two" else two_sided[kept] / 2,
            int(np.count_nonzero(~kept)),
        )
        if progress is not None:
            progress(done, len(pairs))


def _scores(sample: Sample, counts: FloatArray) -> FloatArray:
    """The score of every system on every test set, higher = better."""
    sums = np.tensordot(counts, by_cluster(sample.statistics, sample.clusters), axes=1)
    sizes = counts @ by_cluster(np.ones((sample.n, 1)), sample.clusters)
    values = np.stack([sample.aggregate(sums[row], float(size)) for row, size in enumerate(sizes[:, 0].tolist())])
    return values if sample.higher_is_better else -values
