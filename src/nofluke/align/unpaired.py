"""Two systems as independent groups: nothing is matched, averaged or put together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.align.choose import check_missing, choose, two_systems, where
from nofluke.align.match import cluster_notes, selected
from nofluke.align.sequences import as_sample
from nofluke.errors import Fix, MethodError, Option
from nofluke.option_groups import Part
from nofluke.options import stating
from nofluke.types import Alignment, Note, Sample, Scores, note


@stating(Part)
def select_unpaired(scores: Scores, a: str | None = None, b: str | None = None, **stated: Any) -> Sample:
    """Give the scores of two systems as two independent groups, for tests that do not match items."""
    how = Part(**stated)
    check_missing(how.missing)
    set_aside = check_unpaired_clusters(scores, how.clusters)
    names = two_systems(scores, a, b)
    part = choose(scores, how.dataset, how.metric, how.run)
    rows = [part.rows & (scores.system.codes == scores.system.code_of(name)) for name in names]
    rows, left_out = _of_items_of_both(scores, rows, names) if how.missing == "drop" else (rows, None)
    groups = [scores.statistics[chosen, 0] for chosen in rows]
    most = max((int(np.bincount(scores.item.codes[chosen]).max()) for chosen in rows if chosen.any()), default=1)
    repeated = (note("align.repeats_pooled", n=most),) if most > 1 else ()
    higher = scores.higher_is_better[part.metric]
    sample = as_sample(*groups, paired=False, names=names, higher_is_better=higher, missing=how.missing)
    return replace(
        sample,
        metric=part.metric,
        dataset=part.dataset,
        alignment=sample.alignment if left_out is None else left_out[0],
        notes=(*part.notes, *set_aside, *repeated, *(() if left_out is None else (left_out[1],))),
        metric_signature=scores.signatures.get(part.metric, ""),
        selected=selected(names, vars(how)),
    )


def _of_items_of_both(
    scores: Scores, rows: list[npt.NDArray[np.bool_]], names: tuple[str, str]
) -> tuple[list[npt.NDArray[np.bool_]], tuple[Alignment, Note] | None]:
    """Leave out items that only one system has a score of; systems that share no item are groups of their own.

    Gives the rows that stay and, if any went, what the sample is to say of it.
    """
    scored = ~np.isnan(scores.statistics).any(axis=1)
    here = [set(scores.item.codes[chosen].tolist()) for chosen in rows]
    unscored = [set(scores.item.codes[chosen & ~scored].tolist()) for chosen in rows]
    whole = [own - gaps for own, gaps in zip(here, unscored, strict=True)]
    if not here[0] & here[1]:
        kept = [chosen & scored for chosen in rows]
        matched, lacking, dropped = min(int(chosen.sum()) for chosen in kept), unscored, unscored[0] | unscored[1]
    else:
        both, either = whole[0] & whole[1], here[0] | here[1]
        shared: npt.NDArray[np.bool_] = np.isin(scores.item.codes, list(both))
        kept = [chosen & shared for chosen in rows]
        matched, lacking, dropped = len(both), [either - own for own in whole], either - both
    if not dropped:
        return kept, None
    missing = {name: len(items) for name, items in zip(names, lacking, strict=True)}
    alignment = Alignment(matched, missing, len(dropped), by="id" if scores.ids_given else "row")
    lacking_any = tuple((name, count) for name, count in missing.items() if count)
    return kept, (alignment, note("align.left_out", n=len(dropped), missing=lacking_any))


def check_unpaired_clusters(scores: Scores, clusters: bool) -> tuple[Note, ...]:
    """Refuse clusters where scores are not matched, unless they are set aside; then give the note that says so."""
    if scores.cluster is not None and clusters:
        raise MethodError(
            "an unpaired test takes scores as independent, and these come in clusters.",
            where=where(scores),
            fix=Fix(
                "use a test that keeps clusters together: ",
                Option("method", "permutation"),
                " or ",
                Option("method", "bootstrap"),
                "; or set the clusters aside: ",
                Option("clusters", "False"),
                ".",
            ),
        )
    return cluster_notes(scores, clusters)
