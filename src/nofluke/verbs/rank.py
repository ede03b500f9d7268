"""rank: which of many systems are really better than which?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np

from nofluke.errors import Fix, InputError, MethodError, Option, unknown
from nofluke.inference.ranking.family import Claims, check_adjust, check_claims
from nofluke.inference.ranking.panel import Settings, reordered
from nofluke.inference.ranking.standings import score_order
from nofluke.registry import TESTS, Method
from nofluke.types import Ranking, Sample
from nofluke.verbs.ranking.assemble import Case, assembled
from nofluke.verbs.ranking.choosing import method_for_all
from nofluke.verbs.ranking.inputs import Selection, over_datasets, systems_of
from nofluke.verbs.ranking.testing import run_pairs, run_pairs_apart
from nofluke.verbs.test import check_level


def rank(
    scores: Any,
    *,
    systems: Sequence[str] | None = None,
    method: str = "auto",
    unit: int = 1,
    adjust: str = "holm",
    alpha: float = 0.05,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    family: Literal["directions", "pairs"] = "directions",
    baseline: str | None = None,
    dataset: str | None = None,
    metric: str | None = None,
    run: str | None = None,
    missing: Literal["refuse", "drop", "pairwise"] = "refuse",
    clusters: bool = True,
    unit_statistic: Literal["mean", "median"] = "mean",
    shuffle_seed: int | None = None,
    exact: Literal["near", "all"] = "near",
    n_resamples: int = 9_999,
    seed: int = 0,
    higher_is_better: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Ranking:
    """Which of these systems are really better than which, and which ranks do the data leave open?

    Takes Scores, or {name: scores of the same items} (`higher_is_better` is for these; a table says it itself). All
    pairs are tested, by default with the test that `compare` would take, and corrected for their number. Several
    datasets (and no `dataset` named) are compared dataset by dataset, with Friedman's test and mean ranks. `systems`
    names those to compare. missing="pairwise" tests every pair on the items that both have; the order of systems then
    comes from the items that all have.

    family="directions" makes two one-sided claims a pair, so that directions and rank ranges hold together; "pairs"
    makes one two-sided test a pair, as other tools do; with alternative="greater" it is one-sided for the better score
    (only to reproduce published figures). adjust: holm, bonferroni, max_t (shared sign flips, n_resamples of them, with
    simultaneous intervals), bh, by or none. `baseline` tests only pairs with that system, fixed beforehand. Near the
    verdict p-values are exact; exact="all" makes all so. Options of the test go by name.

    >>> import nofluke as nf
    >>> scores = {"A": [3, 4, 5, 4, 4, 5, 3, 5, 4, 4, 5, 4], "B": [1, 2, 1, 0, 2, 1, 1, 2, 0, 1, 2, 1], "C": [1, 1] * 6}
    >>> nf.rank(scores).rank_ranges
    ((1, 1), (2, 3), (2, 3))
    """
    check_level(alpha, "alpha")
    check_claims(family, alternative, baseline)
    check_adjust(adjust, all_pairs=baseline is None)
    if exact not in ("near", "all"):
        raise unknown("value of exact", str(exact), ("near", "all"))
    _check_seed(seed)
    selection = Selection(
        dataset,
        metric,
        run,
        "drop" if missing == "pairwise" else missing,
        unit,
        unit_statistic,
        shuffle_seed,
        clusters,
        higher_is_better,
        None if systems is None else tuple(map(str, systems)),
        pairwise=missing == "pairwise",
    )
    several = over_datasets(scores, selection)
    unpaired = method != "auto" and TESTS[method].facts["needs"] == "unpaired"
    if several and unpaired:
        raise MethodError(
            f"several datasets are compared dataset by dataset, which pairs the scores, and {method} is unpaired.",
            fix="use a paired test (method 'wilcoxon' or 'permutation'), or choose one dataset.",
        )
    sample = systems_of(scores, selection, unpaired=unpaired)
    sample = reordered(sample, score_order(sample))
    chosen = TESTS[method_for_all(sample, method, several=several)]
    claims = Claims(len(sample.systems), family, alternative, _position(sample, baseline))
    settings = Settings(exact, seed, alpha, claims.one_sided_size, _own_options(chosen, options), progress)
    if selection.pairwise:
        found = run_pairs_apart(sample, chosen, settings, claims, adjust, partial(_pair, scores, selection))
    else:
        found = run_pairs(sample, chosen, settings, claims, adjust, n_resamples)
    return assembled(Case(sample, chosen, claims, adjust, alpha, settings, several), found)


def _pair(scores: Any, selection: Selection, first: str, second: str) -> Sample:
    """The items that both systems have."""
    return systems_of(scores, replace(selection, systems=(first, second), pairwise=False), unpaired=False)


def _check_seed(seed: object) -> None:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed = {seed!r} is not a whole number of at least 0.", fix="give a number such as 0.")


def _position(sample: Sample, baseline: str | None) -> int:
    if baseline is None:
        return -1
    if baseline not in sample.systems:
        raise unknown("system", baseline, sample.systems)
    return sample.systems.index(baseline)


def _own_options(method: Method, options: dict[str, Any]) -> dict[str, Any]:
    """Check the options of the test; those that decide the claims belong to rank."""
    for name in ("delta", "confidence_level"):
        if name in options:
            raise InputError(f"{name} has no meaning for many systems.", fix=f"leave {name} out.")
    if options.get("stop") == "decision":
        raise MethodError(
            "draws that stop at a yes or no give no p-value, and there is none to correct for the number of pairs.",
            fix=Fix("leave ", Option("stop"), " out, or use ", Option("stop", "p_value"), "."),
        )
    return {name: value for name, value in method.check_options(options).items() if value is not None}
