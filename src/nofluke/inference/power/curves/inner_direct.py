"""Inner p-values by running the test itself on every drawn test set: slow, and right for any registered test."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from nofluke.inference.power.curves.inner import THE_TEST, THE_TEST_OR_SILENT, Inner, Setting
from nofluke.inference.power.curves.pilot import Pilot
from nofluke.registry import TESTS, Method
from nofluke.types import FloatArray, IntArray, Sample, frozen


def direct_inner(pilot: Pilot, method: Method, setting: Setting, seed: int) -> Inner:
    """Build each test set as a sample and test it."""
    run = log_p_by(method, setting, seed)

    def block(counts: FloatArray) -> FloatArray:
        return np.array([run(drawn_sample(pilot, row.astype(np.int64))) for row in counts])

    return Inner(block, THE_TEST_OR_SILENT if method.name == "bootstrap" and setting.delta else THE_TEST)


def log_p_by(method: Method, setting: Setting, seed: int, monte_carlo: int | None = None) -> Callable[[Sample], float]:
    """Give the log p-value of the registered test as a function of the sample.

    Undefined counts as no evidence; but the bootstrap, where it has none, names sign flips to be used instead. Those
    cannot stand in for a margin: about a delta they refuse ties and corpus metrics.
    """
    names = method.option_names()
    shared = {"alternative": setting.alternative, "delta": setting.delta, "seed": seed}
    settings = {name: value for name, value in shared.items() if name in names and (name != "delta" or value)}
    draws = {} if monte_carlo is None else {"monte_carlo": monte_carlo}
    checked = method.check_options({**settings, **setting.options, **draws})

    def run(sample: Sample) -> float:
        log_p = float(method.function(sample, **checked).log_p_value)
        if math.isnan(log_p) and method.name == "bootstrap" and not setting.delta:
            log_p = float(TESTS["permutation"].function(sample, **settings).log_p_value)
        return 0.0 if math.isnan(log_p) else log_p

    return run


def drawn_sample(pilot: Pilot, counts: IntArray) -> Sample:
    """Make the sample that holds each unit of an ungrouped pilot so many times."""
    sample = pilot.sample
    units = np.repeat(np.arange(pilot.units), counts)
    if sample.clusters is None:
        return replace(
            sample,
            statistics=frozen(sample.statistics[units]),
            ids=None,
            lengths=(len(units), len(units)),
            clusters=None,
        )
    members = [np.flatnonzero(sample.clusters == label) for label in np.unique(sample.clusters)]
    items = np.concatenate([members[unit] for unit in units])
    labels = np.repeat(np.arange(len(units)), [len(members[unit]) for unit in units])
    return replace(
        sample,
        statistics=frozen(sample.statistics[items]),
        ids=None,
        lengths=(len(items), len(items)),
        clusters=frozen(labels, np.int64),
        cluster_labels=tuple(str(label) for label in range(len(units))),
    )
