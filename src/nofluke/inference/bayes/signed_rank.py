"""The Bayesian signed-rank test over datasets, by weights drawn from a Dirichlet distribution."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from nofluke.align.exact_sums import largest, summable
from nofluke.engine.randomness import DIRICHLET, Stream, chunks
from nofluke.errors import InputError
from nofluke.inference.bayes.imagined_dataset import (
    PriorPlace,
    PriorStrength,
    Steps,
    in_whole_steps,
    other_place,
    place_of,
    prior_of,
    sensitivity_note,
    unit_note,
)
from nofluke.inference.bayes.region import CredibleLevel, Draws, Region, Rope, check_positive
from nofluke.inference.bayes.result import CREDIBLE, Setting, make, refuse_clusters
from nofluke.inference.p_values import Progress, Seed
from nofluke.registry import POSTERIORS
from nofluke.types import FloatArray, IntArray, Interval, Posterior, Sample

# Numbers held at a time.
_ROOM = 2_000_000


@POSTERIORS.register(
    "signed_rank",
    label="Bayesian signed-rank test",
    needs="datasets",
    about="share of pairs of datasets whose average favours A",
    cite="Benavoli et al. 2014; Benavoli et al. 2017",
)
def signed_rank(
    sample: Sample,
    *,
    rope: Rope = None,
    prior_strength: PriorStrength = 0.5,
    prior_place: PriorPlace = "auto",
    draws: Draws = 50_000,
    seed: Seed = 0,
    confidence_level: CredibleLevel = 0.95,
    progress: Progress = None,
) -> Posterior:
    """On datasets like these, does A typically win, counting by how much?

    One difference for each dataset. The distribution of differences gets a Dirichlet-process prior of one imagined
    dataset; each draw gives the datasets random weights. Take two datasets at random by these weights and average their
    differences: the average is above the region, inside it, or below. P(better) is the share of draws in which "above"
    is the commonest of the three; without a region, in which it is commoner than "below".

    The Bayesian relative of Wilcoxon's test. Assumes that the datasets are a sample of those one cares for. Not for
    items of one test set, where the mean is the question (use dirichlet or correlated_t).
    """
    refuse_clusters(sample, "signed_rank")
    strength = check_positive(prior_strength, "prior_strength")
    settings = _Settings(strength, prior_place, draws, seed, confidence_level)
    if settings.draws < 100:
        raise InputError(f"draws = {settings.draws} is too few.", fix="give at least 100; 50000 is the default.")
    place = place_of(settings.place, rope)
    steps = in_whole_steps(sample, rope)
    found = _probabilities(steps, rope, settings, place, progress)
    against, leader = other_place(found.p)
    # A remark needs fewer draws.
    fewer = replace(settings, draws=max(100, settings.draws // 5))
    changed = _probabilities(steps, rope, fewer, against, None).p[leader]
    prior = prior_of(sample, settings.strength, place)
    setting = Setting(sample, rope, prior, settings.level, about="dataset_pairs")
    notes = (sensitivity_note(sample, against, leader, changed, fewer.draws), *unit_note(sample))
    tail = (1 - settings.level) / 2
    low, high = (float(limit) for limit in np.quantile(found.above, [tail, 1 - tail]))
    return make(
        setting,
        found.p,
        float(found.above.mean()),
        Interval(low, high, settings.level, CREDIBLE),
        notes,
        draws=settings.draws,
        seed=settings.seed,
    )


@dataclass(frozen=True, slots=True)
class _Settings:
    """The options of the model."""

    strength: float
    place: str
    draws: int
    seed: int
    level: float


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    p: tuple[float, float, float]
    above: FloatArray


def _probabilities(steps: Steps, region: Region | None, settings: _Settings, place: str, progress: Progress) -> _Found:
    values, shapes, lead = _points(steps, settings.strength, place)
    # Seen from the leading side, above is z_i + z_j > 2 high and below is z_i + z_j < 2 low. Which j these are for each
    # i is the same in every draw.
    low, high = (steps.low, steps.high) if lead > 0 else (-steps.high, -steps.low)
    # Limits beyond every sum of two points might leave 64 bits, and say no more than the next one beyond.
    beyond = 2 * largest(values) + 1
    above, below = (max(-beyond, min(beyond, limit)) for limit in (math.floor(2 * high), math.ceil(2 * low)))
    first_above = np.searchsorted(values, above - values, side="right")
    first_inside = np.searchsorted(values, below - values, side="left")
    ahead, behind = np.empty(settings.draws), np.empty(settings.draws)
    done = 0
    for weights in drawn_weights(shapes, settings.draws, settings.seed):
        sums = np.zeros((len(weights), len(values) + 1))
        np.cumsum(weights, axis=1, out=sums[:, 1:])
        total = sums[:, -1]
        part = slice(done, done + len(weights))
        ahead[part] = 1 - np.einsum("ij,ij->i", weights, np.take(sums, first_above, axis=1)) / total**2
        behind[part] = np.einsum("ij,ij->i", weights, np.take(sums, first_inside, axis=1)) / total**2
        done += len(weights)
        if progress is not None:
            progress(done, settings.draws)
    for_a, for_b = (ahead, behind) if lead > 0 else (behind, ahead)
    better, equal, worse = _commonest(for_a, for_b, region)
    if place in ("zero", "split") and not _leading_side(steps):
        # Its own mirror image: what chance favoured one side by is taken off.
        better = worse = (better + worse) / 2
    return _Found((better, equal, worse), for_a)


def _commonest(above: FloatArray, below: FloatArray, region: Region | None) -> tuple[float, float, float]:
    if region is None or region[0] == region[1]:
        # Weights add up to 1 within rounding only: what is as near as that is a tie, and ties are shared.
        tied = np.abs(above - below) < 1e-12
        better = float(np.mean((above > below) & ~tied) + np.mean(tied) / 2)
        return better, math.nan if region is None else 0.0, 1 - better
    inside = 1 - above - below
    better = float(np.mean((above > inside) & (above > below)))
    worse = float(np.mean((below > inside) & (below > above)))
    return better, 1 - better - worse, worse


def _points(steps: Steps, strength: float, place: str) -> tuple[IntArray, FloatArray, int]:
    """The differences and the imagined ones, sorted as the leading side sees them; their shapes; the leading side.

    Far away means beyond anything that a real difference could balance. Points meet the random weights in this order,
    which depends neither on the order of the datasets nor on who is called A: shuffled datasets give the same answer,
    and swapped systems its mirror image.
    """
    d, lead = steps.differences, _leading_side(steps) or 1
    far = 4 * (int(np.abs(d).max()) + math.ceil(abs(steps.low)) + math.ceil(abs(steps.high)) + 1)
    added = {"zero": [(0, 1.0)], "split": [(far, 0.5), (-far, 0.5)], "better": [(far, 1.0)], "worse": [(-far, 1.0)]}
    points = [lead * value for value in (*d.tolist(), *(value for value, _ in added[place]))]
    shapes = np.concatenate([np.ones(len(d)), [strength * share for _, share in added[place]]])
    # Where an imagined tie meets real ones it comes first.
    order = sorted(range(len(points)), key=lambda i: (points[i], shapes[i] == 1))
    return summable(np.array([points[i] for i in order], dtype=object)), shapes[order], lead


def _leading_side(steps: Steps) -> int:
    """Give 1 or -1, the other one when A and B are swapped; 0 where data and region are their own mirror image."""
    d = steps.differences
    uneven = np.sign(np.sort(d) - np.sort(-d))
    return int(next((side for side in uneven if side), 0)) or (steps.high > -steps.low) - (steps.high < -steps.low)


def drawn_weights(shapes: FloatArray, draws: int, seed: int) -> Iterator[FloatArray]:
    """Give blocks of rows of independent gamma variables with these shapes; over their row sum they are Dirichlet."""
    from scipy.special import gammaincinv

    ones = shapes == 1
    at_a_time = max(1, _ROOM // len(shapes))
    for chunk, number in chunks(draws):
        stream = Stream(seed, DIRICHLET, chunk)
        for start in range(0, number, at_a_time):
            rows = min(at_a_time, number - start)
            uniform = _uniform(stream, rows * len(shapes)).reshape(rows, len(shapes))
            weights = -np.log(uniform)
            weights[:, ~ones] = gammaincinv(shapes[~ones], uniform[:, ~ones])
            yield weights


def _uniform(stream: Stream, count: int) -> FloatArray:
    """Give numbers inside (0, 1), each from 53 random bits."""
    words = stream.words(2 * count).astype(np.uint64)
    bits = (words[0::2] | (words[1::2] << np.uint64(32))) >> np.uint64(11)
    uniform: FloatArray = (bits.astype(np.float64) + 0.5) * 2.0**-53
    return uniform
