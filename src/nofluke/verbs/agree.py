"""agree: is the gold standard itself any good?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from nofluke.errors import InputError, unknown
from nofluke.inference.agreement import detail, interpret
from nofluke.inference.agreement.by_name import (
    call_of,
    chosen_options,
    coefficient_named,
    computed,
    estimate_of,
    fitting_options,
    item_disagreement,
    label_of,
    pair_table,
    plain_form,
    settings_of,
    signed,
    words_of,
)
from nofluke.inference.agreement.cautions import cautions, hint_of_a_scale
from nofluke.inference.agreement.chance_test import with_chance_test
from nofluke.inference.agreement.measured import items_for_half, items_for_width
from nofluke.inference.agreement.tally import Tally, tally, with_annotators
from nofluke.noting import called
from nofluke.options import ADVANCED, Bounds, Opt, listed
from nofluke.readers.rating_labels import with_categories
from nofluke.readers.ratings import as_ratings
from nofluke.registry import AGREEMENT, Method
from nofluke.types import Agreement, Coefficient, Estimate, Note, Ratings, frozen, note

_MOST_IN_TABLE = 200


@called("agree", "ratings", "ratings", methods=AGREEMENT)
def agree(
    ratings: Any,
    name: Annotated[str, Opt("The coefficient.", registry="agreement")] = "krippendorff_alpha",
    *,
    others: Annotated[Sequence[str], Opt("Further coefficients to show beside it.", most=20)] = (),
    annotators: Annotated[Sequence[str] | None, Opt("Only these annotators: A,B,C.", most=1_000)] = None,
    categories: Annotated[
        Sequence[Any] | None, Opt("All labels from lowest to highest: low,medium,high.", most=1_000)
    ] = None,
    rules: Annotated[str, Opt("Whose words: landis_koch, krippendorff or none.", ADVANCED)] = "landis_koch",
    width: Annotated[
        float | None,
        Opt("Say how many items would make the interval this wide.", ADVANCED, Bounds(above=0, at_most=2)),
    ] = None,
    disputed: Annotated[
        int, Opt("How many of the most disputed items to list.", web=Bounds(at_least=0, at_most=1_000))
    ] = 10,
    progress: Callable[[int, int], None] | None = None,
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
        Whose words name the size: landis_koch, krippendorff or none.
    width
        Say how many items would make the interval this wide.
    disputed
        How many of the most disputed items to list.

    >>> import nofluke as nf
    >>> found = nf.agree([[1, 1], [2, 2], [1, 1], [2, 1], [1, 1], [2, 2]], "cohen_kappa")
    >>> round(found.value, 3), found.words[0]
    (0.667, 'substantial')
    """
    if rules != "none" and rules not in interpret.RULES:
        raise unknown("rule", str(rules), ["none", *interpret.RULES])
    chosen = {} if annotators is None else {"annotators": listed(annotators)}
    data = as_ratings(ratings, tuple(map(str, chosen.get("annotators", ()))))
    if annotators is not None:
        data = with_annotators(data, tuple(map(str, chosen["annotators"])))
    if categories is not None:
        chosen["categories"] = listed(categories, data.categories)
        data = with_categories(data, chosen["categories"])
    method, *rest = (coefficient_named(one) for one in (name, *listed(others)))
    rest = list({one.name: one for one in rest if one.name != method.name}.values())
    settings = settings_of(method, rest, options)
    t = tally(data)
    found = _tested(method, data, settings, computed(method, data, settings, progress), options)
    level = settings.get("confidence_level", 0.95)
    wished = None if width is None else items_for_width(found, width, level)
    half = items_for_half(found, level)
    # Chance agreement of some coefficients counts items with one rating; people ask how many were compared.
    found = replace(found, items=int(t.pairable.sum()))
    further = {other.name: _beside(other, data, fitting_options(other, options), chosen, progress) for other in rest}
    return _assembled(
        data,
        t,
        method,
        settings,
        chosen,
        found,
        further,
        rules if method.name != "observed_agreement" else "none",
        None if wished is None or width is None else (width, wished),
        half,
        disputed,
        (
            *hint_of_a_scale(data.categories, {option.name: option.default for option in method.options}, options),
            *((note("agree.multi_kappa"),) if name == "multi_kappa" else ()),
        ),
    )


def _tested(
    method: Method, data: Ratings, settings: Mapping[str, Any], found: Coefficient, options: Mapping[str, Any]
) -> Coefficient:
    chosen = chosen_options(method, settings)
    kind = str(chosen.get("level") or chosen.get("weights") or "none")
    return with_chance_test(method.name, data, kind, found, int(options.get("seed", 0)))


def _beside(
    method: Method,
    data: Ratings,
    settings: Mapping[str, Any],
    chosen: Mapping[str, Sequence[Any]],
    progress: Callable[[int, int], None] | None,
) -> Estimate:
    found = computed(method, data, settings, progress)
    return estimate_of(
        method.name, found, "none", signed(method, settings, data, found, chosen), call_of(method, settings)
    )


def _assembled(
    data: Ratings,
    t: Tally,
    method: Method,
    settings: Mapping[str, Any],
    chosen: Mapping[str, Sequence[Any]],
    found: Coefficient,
    others: Mapping[str, Estimate],
    rules: str,
    wished: tuple[float, int] | None,
    half: int | None,
    disputed: int,
    notes: tuple[Note, ...],
) -> Agreement:
    options = chosen_options(method, settings)
    numbers = settings.get("level") in ("interval", "ratio")
    label = label_of(method, settings)
    words = words_of(found, rules)
    names = data.annotators if len(data.annotators) <= _MOST_IN_TABLE else detail.busiest(data)
    counts = np.bincount(t.cell_label, t.cell_count, t.k)
    plain = plain_form(method, settings)
    by_label = {} if numbers or t.k < 2 else detail.per_category(data, t, plain, method.name)
    signature = signed(method, settings, data, found, chosen)
    return Agreement(
        estimate=estimate_of(method.name, found, rules, signature, call_of(method, settings)),
        label=label,
        observed=found.observed,
        expected=found.expected,
        items=found.items,
        annotators=data.annotators,
        annotations=len(data.label),
        missing=len(data.items) * len(data.annotators) - len(data.label),
        categories=data.categories,
        marginals=frozen(counts / counts.sum()),
        pairwise=pair_table(data, method, settings, names),
        pairwise_name=label,
        pairwise_annotators=names,
        shares=detail.label_shares(data, names),
        per_category=by_label,
        specific={} if numbers else detail.specific_agreement(data, t),
        with_others=detail.with_others(data, t),
        disputed=detail.disputed_items(data, t, _whole(disputed), item_disagreement(data, t, method, settings)),
        null_standard_error=found.null_standard_error,
        z_score=found.z_score,
        p_value=found.p_value,
        log_p_value=found.log_p_value,
        words=words,
        rule="" if rules == "none" else rules,
        items_for_width=wished,
        notes=(*notes, *data.notes, *found.notes, *_remarks(data, t, method, settings)),
        signature=signature,
        others=others,
        test=found.test,
        scale=str(options.get("level", "")),
        weights=str(options.get("weights", "")),
        items_for_half=half,
    )


def _remarks(data: Ratings, t: Tally, method: Method, settings: Mapping[str, Any]) -> tuple[Note, ...]:
    chosen = chosen_options(method, settings)
    weighted = chosen.get("weights", "none") != "none"
    numbers = chosen.get("level") in ("interval", "ratio")
    notes = cautions(data, t, numbers=numbers, weighted=weighted)
    if len(data.annotators) > detail.MOST_ANNOTATORS:
        notes += (note("agree.busiest_only", annotators=detail.MOST_ANNOTATORS),)
    if t.k > detail.MOST_LABELS and not numbers:
        notes += (note("agree.labels_only", labels=detail.MOST_LABELS),)
    return notes


def _whole(disputed: object) -> int:
    if isinstance(disputed, bool) or not isinstance(disputed, int) or disputed < 0:
        raise InputError(f"disputed = {disputed!r} is no number of items.", fix="give 0 or more, such as 10.")
    return disputed
