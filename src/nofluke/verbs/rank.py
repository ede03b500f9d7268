"""rank: which of many systems are really better than which?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from nofluke.check import check_level, check_seed
from nofluke.errors import Fix, InputError, MethodError, Option, unknown, without_effect
from nofluke.forms import OF_ALL_PAIRS, OF_CORPUS_PAIRS
from nofluke.inference.ranking.all_pairs import method_for_all, run_pairs, run_pairs_apart
from nofluke.inference.ranking.assemble import Case, assembled
from nofluke.inference.ranking.family import ADJUST, NONE, Claims, check_adjust, check_claims
from nofluke.inference.ranking.panel import Settings, reordered
from nofluke.inference.ranking.standings import score_order
from nofluke.inference.ranking.stored import is_beyond_memory, method_for_items, rank_items, tallied_in_order
from nofluke.inference.ranking.systems import Selection, over_datasets, several_datasets, systems_of
from nofluke.noting import called
from nofluke.option_groups import Aligning
from nofluke.options import ADVANCED, INPUT, LEVEL, Bounds, Opt, Seed, Sides, listed, parted, stating
from nofluke.registry import TESTS, Method
from nofluke.types import Ranking, Sample, Scores, Stored, Wanted

_FLIPS = 9_999


@called("rank", "scores", "scores", methods=TESTS, from_disk=True, settled=lambda result: {"method": result.method})
@stating(Aligning)
def rank(
    scores: Any,
    *,
    systems: Annotated[Sequence[str] | None, Opt("Rank only these systems: A,B,C.")] = None,
    method: Annotated[
        str, Opt("The test of each pair; auto takes the one that compare would take.", label="test")
    ] = "auto",
    adjust: Annotated[
        str, Opt(f"Correction for the number of pairs: {', '.join(ADJUST)} or {NONE}.", label="correction")
    ] = "holm",
    alpha: Annotated[float, Opt("Significance level: how often any claim may be false.", bounds=LEVEL)] = 0.05,
    alternative: Annotated[
        Sides,
        Opt(
            "two-sided; greater with `family` pairs (one-sided for the better score, to reproduce published figures) "
            "or with `baseline` (better than it)."
        ),
    ] = "two-sided",
    family: Annotated[
        Literal["directions", "pairs"],
        Opt(
            "directions: two one-sided claims per pair, so that rank ranges hold; pairs: one test per pair, as other "
            "tools do.",
            ADVANCED,
        ),
    ] = "directions",
    baseline: Annotated[str | None, Opt("Test only pairs with this system, which was fixed beforehand.")] = None,
    missing: Annotated[
        Literal["refuse", "drop", "pairwise"],
        Opt("Items that not all systems have: refuse, drop, or pairwise (each pair on its own items).", INPUT),
    ] = "refuse",
    exact: Annotated[
        Literal["near", "all"], Opt("P-values computed exactly: near a verdict, or all.", label="exact p-values")
    ] = "near",
    n_resamples: Annotated[
        int,
        Opt("Shared sign flips of max_t.", ADVANCED, label="number of flips", web=Bounds(at_least=1, at_most=10**7)),
    ] = _FLIPS,
    seed: Seed = 0,
    higher_is_better: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Ranking:
    """Which of these systems are really better than which, and which ranks do the data leave open?

    Takes Scores, or {name: scores of the same items} (`higher_is_better` is for these; a table says it itself). All
    pairs are tested, by default with the test that `compare` would take, and corrected for their number. Several
    datasets (and no `dataset` named) make one average, of `weights` equal, items (every item counts the same) or
    {dataset: weight}; over="datasets" takes each of them as one observation, with Friedman's test and mean ranks, and
    speaks of others like them. `systems` names those to compare. missing="pairwise" tests every pair on the items that
    both have; the order of systems then comes from the items that all have. runs="crossed" makes the claims about
    training: every pair is tested over items and training runs (`crossed_runs`).

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
    check_seed(seed)
    _refuse_unused(method, adjust, exact, n_resamples)
    chosen_part, options = parted(Aligning, options)

    def claims_and_settings(chosen: Method, names: tuple[str, ...]) -> tuple[Claims, Settings]:
        claims = Claims(len(names), family, alternative, _position(names, baseline))
        own = _own_options(chosen, options)
        return claims, Settings(exact, seed, alpha, claims.one_sided_size, own, progress)

    selection = Selection(
        **vars(chosen_part) | {"missing": "drop" if missing == "pairwise" else missing},
        pairwise=missing == "pairwise",
        higher_is_better=higher_is_better,
        systems=None if systems is None else tuple(map(str, listed(systems, _names_in(scores)))),
    )
    if isinstance(scores, Stored):
        wanted = Wanted(selection.systems, selection.dataset, selection.metric)
        if is_beyond_memory(scores, wanted):
            items, tallies = tallied_in_order(scores, selection, progress)
            chosen = TESTS[method_for_items(items, method)]
            claims, settings = claims_and_settings(chosen, items.systems)
            return rank_items(items, tallies, chosen, settings, claims, adjust)
        scores = scores.load(wanted)
    unpaired = method != "auto" and TESTS[method].facts["needs"] == "unpaired"
    if unpaired and several_datasets(scores, selection):
        raise MethodError(
            f"an average of several datasets is compared on the same items, and {method} is unpaired.",
            fix="use a paired test (method 'permutation'), or choose one dataset.",
        )
    sample = systems_of(scores, selection, unpaired=unpaired)
    several = over_datasets(sample)
    sample = reordered(sample, score_order(sample))
    chosen = TESTS[method_for_all(sample, method)]
    claims, settings = claims_and_settings(chosen, sample.systems)
    if selection.pairwise:
        found = run_pairs_apart(sample, chosen, settings, claims, adjust, partial(_pair, scores, selection))
    else:
        found = run_pairs(sample, chosen, settings, claims, adjust, n_resamples)
    return assembled(Case(sample, chosen, claims, adjust, alpha, settings, several), found)


def _refuse_unused(method: str, adjust: str, exact: str, n_resamples: int) -> None:
    leave_out = Fix("leave it out.")
    if adjust != "max_t" and n_resamples != _FLIPS:
        raise without_effect(["n_resamples"], "only the correction max_t draws flips", leave_out)
    if exact != "near" and not _approximates(method):
        raise without_effect(["exact"], f"{method} has one way to its p-values", leave_out)


def _approximates(method: str) -> bool:
    """Whether p-values of a test may be approximate far from the verdict."""
    if method == "auto":
        return True
    forms = (kind.of(TESTS[method].name) for kind in (OF_ALL_PAIRS, OF_CORPUS_PAIRS))
    return any(form is not None and form.facts["approximates"] for form in forms)


def _names_in(scores: Any) -> tuple[str, ...]:
    return (
        scores.systems
        if isinstance(scores, Scores | Stored)
        else tuple(map(str, scores))
        if isinstance(scores, dict)
        else ()
    )


def _pair(scores: Any, selection: Selection, first: str, second: str) -> Sample:
    """The items that both systems have."""
    return systems_of(scores, replace(selection, systems=(first, second), pairwise=False), unpaired=False)


def _position(systems: tuple[str, ...], baseline: str | None) -> int:
    if baseline is None:
        return -1
    if baseline not in systems:
        raise unknown("system", baseline, systems)
    return systems.index(baseline)


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
