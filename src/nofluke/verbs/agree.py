"""agree: is the gold standard itself any good?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from nofluke.check import check_count
from nofluke.errors import unknown
from nofluke.inference.agreement import detail, interpret
from nofluke.inference.agreement.by_name import Chosen, chosen_coefficients
from nofluke.inference.agreement.cautions import cautions, hint_of_a_scale
from nofluke.inference.agreement.measured import items_for_half, items_for_width
from nofluke.inference.agreement.tally import Tally, tally, with_annotators
from nofluke.inference.p_values import Progress
from nofluke.noting import called
from nofluke.options import ADVANCED, Bounds, Opt, listed
from nofluke.readers.rating_labels import with_categories
from nofluke.readers.ratings import as_ratings
from nofluke.registry import AGREEMENT
from nofluke.types import Agreement, Note, Ratings, frozen, note

_MOST_IN_TABLE = 200


@called("agree", "ratings", "ratings", methods=AGREEMENT)
def agree(
    ratings: Any,
    name: Annotated[str, Opt("The coefficient.", registry="agreement")] = "krippendorff_alpha",
    *,
    others: Annotated[Sequence[str], Opt("Further coefficients to show beside it.", most=20)] = (),
    annotators: Annotated[Sequence[str] | None, Opt("Only these annotators: A,B,C.", most=1_000)] = None,
    categories: Annotated[
        Sequence[Any] | None,
        Opt("All labels from lowest to highest: low,medium,high.", label="labels from lowest to highest", most=1_000),
    ] = None,
    rules: Annotated[
        str, Opt(f"Rule that names the size: {', '.join(interpret.RULES)} or none.", ADVANCED)
    ] = "landis_koch",
    width: Annotated[
        float | None,
        Opt("Say how many items would make the interval this wide.", ADVANCED, Bounds(above=0, at_most=2)),
    ] = None,
    disputed: Annotated[
        int, Opt("How many of the most disputed items to list.", web=Bounds(at_least=0, at_most=1_000))
    ] = 10,
    progress: Progress = None,
    **options: Any,
) -> Agreement:
    """How far do annotators agree beyond chance, and where do they not?

    Parameters
    ----------
    ratings
        Items x annotators: lists, an array or a frame, None or nan where a rating is missing; {annotator: labels};
        or what `read_ratings` gives.
    name, others
        The coefficient, and further ones to show beside it (see `methods`). Options go to all that take them.
    annotators, categories
        Only these annotators; all labels from lowest to highest, used or not (needed to order words).
    rules
        The rule that names the size: landis_koch, krippendorff or none.
    width
        Say how many items would make the interval this wide.
    disputed
        How many of the most disputed items to list.

    >>> import nofluke as nf
    >>> found = nf.agree([[1, 1], [2, 2], [1, 1], [2, 1], [1, 1], [2, 2]], "cohen_kappa")
    >>> round(found.value, 3), found.words[0]
    (0.667, 'substantial')
    """
    _check(rules, disputed)
    data, named = _selected(ratings, annotators, categories)
    chosen, rest = chosen_coefficients((name, *listed(others)), options)
    found = chosen.tested_on(data, int(options.get("seed", 0)), progress)
    level = chosen.options["confidence_level"]
    enough = None if width is None else items_for_width(found, width, level)
    half = items_for_half(found, level)
    t = tally(data)
    # Chance agreement of some coefficients counts items with one rating; people ask how many were compared.
    found = replace(found, items=int(t.pairable.sum()))
    beside = {}
    for other in rest:
        further = other.on(data, progress)
        beside[other.method.name] = other.estimate(further, "none", other.signature(data, further, named))
    notes = hint_of_a_scale(data.categories, chosen.usual, options)
    if name == "multi_kappa":
        notes += (note("agree.multi_kappa"),)
    if chosen.method.facts["chance"] == "none":
        rules = "none"
    signed = chosen.signature(data, found, named)
    return Agreement(
        estimate=chosen.estimate(found, rules, signed),
        label=chosen.label,
        observed=found.observed,
        expected=found.expected,
        items=found.items,
        annotators=data.annotators,
        annotations=len(data.label),
        missing=len(data.items) * len(data.annotators) - len(data.label),
        categories=data.categories,
        null_standard_error=found.null_standard_error,
        z_score=found.z_score,
        p_value=found.p_value,
        log_p_value=found.log_p_value,
        test=found.test,
        words=interpret.words_for(found, rules),
        rule="" if rules == "none" else rules,
        items_for_width=None if enough is None or width is None else (width, enough),
        items_for_half=half,
        others=beside,
        notes=(*notes, *data.notes, *found.notes, *_remarks(data, t, chosen)),
        signature=signed,
        scale=chosen.scale,
        weights=chosen.weights,
        **_tables(data, t, chosen, disputed),
    )


def _check(rules: object, disputed: object) -> None:
    if rules != "none" and rules not in interpret.RULES:
        raise unknown("rule", str(rules), ["none", *interpret.RULES])
    check_count(disputed, "disputed", least=0)


def _selected(
    ratings: Any, annotators: Sequence[str] | None, categories: Sequence[Any] | None
) -> tuple[Ratings, dict[str, list[Any]]]:
    """Give the ratings of the annotators asked for, with all labels in their order, and what was named."""
    named = {} if annotators is None else {"annotators": listed(annotators)}
    data = as_ratings(ratings, tuple(map(str, named.get("annotators", ()))))
    if annotators is not None:
        data = with_annotators(data, tuple(map(str, named["annotators"])))
    if categories is not None:
        named["categories"] = listed(categories, data.categories)
        data = with_categories(data, named["categories"])
    return data, named


def _tables(data: Ratings, t: Tally, chosen: Chosen, disputed: int) -> dict[str, Any]:
    """Give where annotators agree and where not: by label, by pair of annotators, by annotator, by item."""
    names = data.annotators if len(data.annotators) <= _MOST_IN_TABLE else detail.busiest(data)
    counts = np.bincount(t.cell_label, t.cell_count, t.k)
    by_label = not chosen.numbers and t.k > 1
    return {
        "marginals": frozen(counts / counts.sum()),
        "pairwise": detail.pairwise(data, chosen.value_on, names),
        "pairwise_name": chosen.label,
        "pairwise_annotators": names,
        "shares": detail.label_shares(data, names),
        "per_category": detail.per_category(data, t, chosen.plain.on, chosen.method.name) if by_label else {},
        "specific": {} if chosen.numbers else detail.specific_agreement(data, t),
        "with_others": detail.with_others(data, t),
        "disputed": detail.disputed_items(data, t, disputed, chosen.item_disagreement(data, t)),
    }


def _remarks(data: Ratings, t: Tally, chosen: Chosen) -> tuple[Note, ...]:
    notes = cautions(data, t, numbers=chosen.numbers, weighted=chosen.weighted)
    if len(data.annotators) > detail.MOST_ANNOTATORS:
        notes += (note("agree.busiest_only", annotators=detail.MOST_ANNOTATORS),)
    if t.k > detail.MOST_LABELS and not chosen.numbers:
        notes += (note("agree.labels_only", labels=detail.MOST_LABELS),)
    return notes
