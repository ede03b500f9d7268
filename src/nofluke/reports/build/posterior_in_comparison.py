"""The Bayesian answer where it stands beside a test: section, cells and sentences of a comparison."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nofluke.reports.build.posterior import posterior_record, probability_table
from nofluke.types import Posterior, Section
from nofluke.words import posterior as words


def posterior_section(result: Posterior | None) -> tuple[Section, ...]:
    """The same as one section below a comparison; none where it was not asked for."""
    if result is None:
        return ()
    return (
        Section(
            f"The Bayesian answer ({result.label})",
            paragraphs=(words.headline(result), *words.sentences(result)),
            table=replace(probability_table(result), caption=""),
            chart="posterior" if result.known else "",
            bullets=(*words.notes(result), f"to get it again: {result.signature}"),
        ),
    )


def posterior_cells(result: Posterior | None) -> tuple[str, ...]:
    """How probable it is that A and that B is better, one cell for the row of each; none where nobody can say."""
    if result is None or not result.known:
        return ()
    return tuple(words.probability(p, result.draws) for p in (result.p_better, result.p_worse))


def posterior_in_caption(result: Posterior | None) -> str:
    """What the column P(better) of a comparison holds."""
    if result is None or not result.known:
        return ""
    return words.in_caption_of_comparison(result)


def posterior_in_short(result: Posterior | None) -> str:
    """The probabilities, for the short sentence of a comparison."""
    return "" if result is None or not result.known else f"; {words.with_region(result)}, {result.label}"


def posterior_in_long(result: Posterior | None) -> str:
    """The whole Bayesian answer, for the long sentence of a comparison."""
    return "" if result is None else words.for_a_paper(result)


def posterior_columns(result: Posterior | None) -> dict[str, Any]:
    """What the row of a comparison says of its posterior; nothing where there is none."""
    if result is None:
        return {}
    wanted = ("model", "p_better", "p_equal", "p_worse", "rope_low", "rope_high")
    return {f"bayes_{name}": value for name, value in posterior_record(result).items() if name in wanted}
