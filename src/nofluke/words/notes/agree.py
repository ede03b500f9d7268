"""Remarks on the agreement of annotators, and how it was tested."""

from __future__ import annotations

from collections.abc import Callable

from nofluke.errors import Fix, Option, listing
from nofluke.types import Note, note
from nofluke.types.base import counted
from nofluke.words.notes import Sayings
from nofluke.words.numbers import percent


def _strangers(annotators: tuple[str, ...]) -> str:
    share, hold = ("shares", "it holds") if len(annotators) == 1 else ("share", "they hold")
    return (
        f"{listing(map(repr, annotators), 3)} {share} no label with any other annotator. If {hold} no ratings, choose "
        f"the annotators: {Option('annotators')}."
    )


def _few_others(label: str, items: int) -> str:
    return (
        f"Only {counted(items, 'item')} {'has' if items == 1 else 'have'} a label other than {label!r}: the interval "
        "is probably too narrow (95% intervals held in 60% to 90% of simulations)."
    )


def _habit(annotator: str, other: str | None, label: str, share: float, other_share: float, same_items: bool) -> str:
    others = "the others" if other is None else repr(other)
    partly = "" if same_items else " (of different items)"
    return (
        f"Annotators use labels differently: {annotator!r} gives {label!r} in {percent(share)} of ratings, {others} in "
        f"{percent(other_share)}{partly}. Cohen's and Conger's kappa allow for this, other coefficients do not."
    )


def _scale(option: str, labels: int, low: float, high: float) -> str:
    choice = "ordinal or interval" if option == "level" else "linear or quadratic"
    return (
        f"The labels are {labels} numbers from {low:g} to {high:g}, and any two differ alike here. For a scale, state "
        f"{Option(option)}: {choice}."
    )


# How ratings look that agree by chance only, by the model of chance of the coefficient.
_BY_CHANCE = {
    "pooled": "all ratings shuffled over all items",
    "own": "each annotator's ratings shuffled over their items",
    "even": "every label guessed with equal chance",
}


def how_tested(test: Note, *, chance_model: bool = True) -> str:
    """Say in half a sentence how the test against chance was done, with or without what chance was taken to be."""
    facts = dict(test.facts)
    scheme = facts.pop("scheme", "")
    said = _TESTS[test.code](**facts) if test.code in _TESTS else str(test)
    return f"{said}, {_BY_CHANCE[scheme]}" if scheme and chance_model else said


def _by_spread(draws: int, items: int | None, seed: int) -> str:
    part = "" if items is None else f" of {counted(items, 'item')}"
    return f"Student's t with the standard deviation of {draws:,} draws{part}, seed {seed}, approximate"


_TESTS: dict[str, Callable[..., str]] = {
    "agree.test_all": lambda tables: f"exact, all {counted(tables, 'possible table')}",
    "agree.test_draws": lambda draws, seed, as_far: f"{draws:,} draws, seed {seed}",  # noqa: ARG005
    "agree.test_spread": _by_spread,
}
AGREE: Sayings = {
    "draws_left_out": "{left} of {draws} bootstrap draws held one label only and were left out.",
    "too_few_draws": "Too few bootstrap draws are left for an interval.",
    "one_label": "All ratings carry one label, so chance alone would give complete agreement too.",
    "single_item": "A single item gives no standard error and no interval.",
    "no_spread": "Every item contributes the same amount, so there is no standard error and no interval.",
    "perfect": "Annotators agree on every item: there is no standard error, and the lower limit comes from "
    "Clopper-Pearson for {items} of {items}.",
    "unequal_ratings": "Items have {least} to {most} ratings; Fleiss' kappa is generalised as in Gwet (2014).",
    "pairs_apart": "Left out of the mean: {pairs} of {of} pairs of annotators, who share no item.",
    "pairs_one_label": "Left out of the mean: {pairs} of {of} pairs of annotators, who used one label only.",
    "many_labels": Fix(
        "{ratings:rating} hold {labels:different label}. If the labels are numbers, use krippendorff_alpha with ",
        Option("level", "interval"),
        ".",
    ),
    "neighbours": Fix(
        "Weights count steps between the labels that occur, so {low} and {high} are neighbours. If labels between "
        "them were possible, list all of them: ",
        Option("categories"),
        ".",
    ),
    "unrated": "Left out: {items:item} without any rating.",
    "single_ratings": "Left out: {items:item} with a single rating; Gwet's, Fleiss' and Conger's chance agreement "
    "still counts it.",
    "few_items": "With {items:item}, the standard error and the interval are rough.",
    "strangers": _strangers,
    "common_label": lambda label, share: (
        f"{percent(share)} of ratings are {label!r}: kappas and alpha can be low although annotators nearly always "
        "agree. Look at each label."
    ),
    "few_others": _few_others,
    "habit": _habit,
    "busiest_only": "Pairs are compared only for the {annotators} annotators with most ratings.",
    "labels_only": "Single labels are shown only for the {labels} most used.",
    "multi_kappa": "This is Conger's kappa (1980). Lecture slides call it multi-kappa and cite Fleiss 1971, whose "
    "kappa pools the annotators.",
    "scale": _scale,
    # How the test against chance was done, in half a sentence.
    "test_all": lambda **facts: how_tested(note("agree.test_all", **facts)),
    "test_draws": lambda **facts: how_tested(note("agree.test_draws", **facts)),
    "test_spread": lambda **facts: how_tested(note("agree.test_spread", **facts)),
    "test_normal": "normal approximation with the standard error under chance",
    "test_student": "Student's t with the standard error of the coefficient, approximate",
}
