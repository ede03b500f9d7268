"""What the study of similarity says: whether pairs that are more alike need smaller gains, and by how much."""

from __future__ import annotations

from nofluke.types import Study, Table
from nofluke.types.base import counted
from nofluke.words.studies import pairs
from nofluke.words.studies.pairs import CLEARLY, ENOUGH, FEW, PAPER, amount, level, limit_text, metric, near, subject

QUESTION = "Do systems whose outputs are more alike need a smaller gain to differ significantly?"
LIKE, ORDERED = pairs, True
# A rank correlation nearer to 0 than this is not called a relation.
_HARDLY = 0.3
_BY_CHANCE = "Chance alone makes equally similar pairs differ as much in their correlation."


def title(study: Study) -> str:
    """Name the metric."""
    return f"Do similar systems need a smaller gain in {metric(study)}?"


def headline(study: Study) -> str:
    """Answer with the gains that the least and the most similar pairs need."""
    usual = pairs.main_table(study)["needed by the usual pair"]
    low, high = float(usual[0]), float(usual[-1])
    figures = (
        f"To be significant at {level(study):g}, the least similar pairs need a gain of {amount(low)} in "
        f"{metric(study)}, the most similar {amount(high)}."
    )
    equally_alike = study.facts.get("equally_alike")
    if equally_alike is None:
        return figures
    if equally_alike:
        return f"All pairs are about equally alike, so whether similar systems need less cannot be judged. {figures}"
    if high < CLEARLY * low:
        return f"Similar systems need smaller gains. {figures}"
    return f"Similar systems do not need clearly smaller gains here. {figures}"


def sentences(study: Study) -> tuple[str, ...]:
    """Say how similarity and the needed gain go together, and what the paper's rule says at both ends."""
    first = _relation(study)
    return first if study.facts.get("equally_alike") and _can_conclude(study) else (*first, *_ends(study))


def _can_conclude(study: Study) -> bool:
    """Whether there is a rank correlation, of enough pairs."""
    return study.facts["rank_correlation"] is not None and study.facts["pairs"] >= FEW


def _relation(study: Study) -> tuple[str, ...]:
    facts = study.facts
    if "rank_correlation" not in facts:
        return ()
    together = facts["rank_correlation"]
    if together is None:
        return ("Similarity and needed gain cannot be related: one of them is the same for all pairs.",)
    of = f"Over {subject(study)}, the rank correlation of similarity and needed gain is {together:.2f}"
    if facts["pairs"] < FEW:
        return (f"{of}; {counted(facts['pairs'], 'pair')} are too few to conclude anything.",)
    if facts["equally_alike"]:
        return (f"{of}. Nothing follows from that. {_BY_CHANCE}",)
    return (f"{of}: {_finding(together)}.",)


def _finding(together: float) -> str:
    if together < -_HARDLY:
        return f"as in {PAPER}, similar systems need smaller gains"
    if together > _HARDLY:
        return f"unlike in {PAPER}, similar systems need larger gains here"
    return f"unlike in {PAPER}, similarity hardly changes the gain needed"


def _ends(study: Study) -> tuple[str, ...]:
    known = [(name, limit) for name, limit in pairs.limits(study).items() if limit.near]
    if len(known) < 2:
        return ()
    (low, first), (high, last) = known[0], known[-1]
    less = "smaller" if last.value < CLEARLY * first.value else "not clearly smaller"
    return (
        f"By the rule of {PAPER} the gain that is usually enough for the most similar pairs is {less}: "
        f"{limit_text(first)} for correlations of {low}, {limit_text(last)} for {high}{pairs.caution((first, last))}.",
    )


def remarks(study: Study) -> tuple[str, ...]:
    """Warn of thresholds that rest on little, and say what a threshold is not."""
    named = {f"correlation {name}": limit for name, limit in pairs.limits(study).items()}
    return (*pairs.few_remarks(study, named), *pairs.COMMON_REMARKS)


def shown(study: Study) -> Table:
    """The needed gain by similarity."""
    table = pairs.main_table(study)
    columns = zip(
        table["correlation"], table["comparisons"], table["needed by the usual pair"], table["just significant"],
        table["threshold"], strict=True,
    )  # fmt: skip
    headings = ("correlation", "pairs", "typically needed", near(study), ENOUGH)
    return Table(
        headings,
        tuple(
            (str(name), f"{all_:,}", amount(usual), f"{few:,}", amount(limit))
            for name, all_, usual, few, limit in columns
        ),
        figures=headings[1:],
    )


def points(study: Study) -> tuple[tuple[str, str], ...]:
    """How similarity and needed gain go together, and the test."""
    relation = (_BY_CHANCE,) if study.facts.get("equally_alike") else _relation(study)
    return (*(("Pairs", line) for line in relation), ("Test", pairs.how_tested(study)))


def captions(study: Study) -> dict[str, str]:
    """Say what the columns of the table are."""
    head = f"A{subject(study)[1:]} by the correlation of their item scores, gain in {metric(study)}."
    return {"bins": f"{head} {pairs.rule_text(study)}"}
