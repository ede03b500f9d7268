"""Simulated systems for demonstrations and teaching: items differ in difficulty, systems in ability."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

import numpy as np

from nofluke.errors import InputError
from nofluke.types import MEAN, Axis, FloatArray, Scores, Source, frozen, note

Kind = Literal["binary", "ratings", "continuous"]


def simulate_scores(
    abilities: Mapping[str, float],
    *,
    n: int = 500,
    kind: Kind = "binary",
    correlation: float = 0.6,
    clusters: int = 0,
    cluster_share: float = 0.3,
    seed: int = 0,
) -> Scores:
    """What would scores of systems with these abilities look like?

    An item's difficulty and a system's luck on it are normal; `correlation` is the share of the variance that all
    systems have in common on an item (its difficulty), `cluster_share` how much of that comes from the item's
    cluster. A system scores well where ability minus difficulty is high. Draws come from a raw random stream
    through the normal quantile, so the same seed gives the same scores with any version of NumPy.

    >>> simulate_scores({"A": 0.5, "B": 0.0}, n=4, seed=1).systems
    ('A', 'B')
    """
    _check(abilities, n, correlation, clusters, cluster_share)
    names = tuple(abilities)
    draws = _normals(seed, n * (len(names) + 1) + clusters)
    difficulty = draws[:n]
    luck = draws[n : n * (len(names) + 1)].reshape(n, len(names))
    cluster_of = np.arange(n) * clusters // n if clusters else np.zeros(n, np.int64)
    if clusters:
        shared = draws[n * (len(names) + 1) :][cluster_of]
        difficulty = math.sqrt(cluster_share) * shared + math.sqrt(1 - cluster_share) * difficulty
    latent = (
        np.array([abilities[name] for name in names])
        - math.sqrt(correlation) * difficulty[:, None]
        + math.sqrt(1 - correlation) * luck
    )
    return _as_scores(_observed(latent, kind), names, cluster_of if clusters else None, clusters, seed)


def _check(abilities: Mapping[str, float], n: int, correlation: float, clusters: int, share: float) -> None:
    if len(abilities) < 2 or n < 2:
        raise InputError("a simulation needs at least two systems and two items.", fix="name more systems or items.")
    if not 0 <= correlation <= 1 or not 0 <= share <= 1:
        raise InputError("correlation and cluster_share lie between 0 and 1.", fix="give numbers such as 0.6 and 0.3.")
    if not 0 <= clusters <= n:
        raise InputError(f"{clusters} clusters cannot be made of {n} items.", fix="use at most as many as items.")


def _normals(seed: int, count: int) -> FloatArray:
    from scipy.special import ndtri

    raw = np.random.SFC64(np.random.SeedSequence((seed, 0x51)))
    uniform = (raw.random_raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53 + 2.0**-54
    normals: FloatArray = ndtri(uniform)
    return normals


def _observed(latent: FloatArray, kind: Kind) -> FloatArray:
    from scipy.special import ndtr

    if kind == "binary":
        return (latent > 0).astype(np.float64)
    if kind == "ratings":
        return np.clip(np.rint(3 + latent), 1, 5)
    rounded: FloatArray = np.rint(ndtr(latent) * 1e4) / 1e4
    return rounded


def _as_scores(
    values: FloatArray, names: tuple[str, ...], cluster_of: np.ndarray | None, clusters: int, seed: int
) -> Scores:
    n, systems = values.shape
    item = np.repeat(np.arange(n), systems)
    zeros = np.zeros(n * systems, np.int64)
    return Scores(
        statistics=frozen(values.reshape(-1, 1)),
        item=Axis(tuple(f"item {i + 1}" for i in range(n)), frozen(item, np.int64)),
        system=Axis(names, frozen(np.tile(np.arange(systems), n), np.int64)),
        dataset=Axis(("simulated",), frozen(zeros, np.int64)),
        metric=Axis(("score",), frozen(zeros, np.int64)),
        run=None,
        cluster=None
        if cluster_of is None
        else Axis(tuple(f"document {i + 1}" for i in range(clusters)), frozen(cluster_of[item], np.int64)),
        higher_is_better={"score": True},
        aggregates={"score": MEAN},
        ids_given=True,
        digits=15,
        lines=None,
        sources=(Source("simulated data", f"simulation, seed {seed}", n * systems),),
        notes=(note("study.simulated"),),
    )
