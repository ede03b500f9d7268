"""The details of a replicability analysis in words: what the count promises, why simple counting is no answer."""

from __future__ import annotations

import math

from nofluke.inference.replication.analysis import LIST_OF
from nofluke.types import Replication
from nofluke.types.base import counted
from nofluke.words.notes.replicate import false_claims
from nofluke.words.numbers import level_text, with_article
from nofluke.words.replication import LABELS, VALID, fdr_sentences, meaning, names, subset_sentences
from nofluke.words.replication_tables import LISTS, claims_of

OWNERS = {"bonferroni": "Bonferroni's", "simes": "Simes'", "fisher": "Fisher's"}
_ANY_SUBSET = "This holds for every choice of datasets at once, so they may be picked after looking."


def title(result: Replication) -> str:
    """What the report is about."""
    a, b = result.systems
    return f"{a} against {b} on {counted(len(result.datasets), 'dataset')}"


def sentences(result: Replication) -> tuple[str, ...]:
    """Say what the count promises, which datasets it is about, why simple counting is no answer, and what was run."""
    if result.contradicted:  # what these p-values count would be no claim
        return tuple(sentence for sentence in (_turned(result), _scores(result), _against(result)) if sentence)
    subsets = subset_sentences(result)
    found = (
        _promise(result),
        *(_identification(winner, claim) for winner, claim in claims_of(result)),
        _naive(result),
        *_others(result),
        _scores(result),
        _tests(result),
        meaning(result),
        _against(result),
        *([*subsets[:-1], f"{subsets[-1]} {_ANY_SUBSET}"] if subsets else []),
        *fdr_sentences(result),
    )
    return tuple(sentence for sentence in found if sentence)


def _turned(result: Replication) -> str:
    if result.turned_count is None:
        return ""
    return f"Datasets on which {result.winner} is better if p is read as two-sided: {names(result.turned)}."


def _promise(result: Replication) -> str:
    method, valid = OWNERS[result.method], VALID[result.dependence]
    share = level_text(result.alpha)
    if not any(claim.count for _, claim in claims_of(result)):
        return f"No dataset can be claimed ({LABELS[result.method]}; {valid})."
    if result.opposite is not None:
        return (
            f"The numbers are lower bounds by {method} partial conjunction test, each direction at {result.level:g}, "
            f"{valid}. In at most {share} of such studies is one of them too high."
        )
    return (
        f"The number is a lower bound by {method} partial conjunction test, {valid}. It is too high in at most {share} "
        "of such studies."
    )


def _identification(winner: str, claim: Replication) -> str:
    """Name the datasets that may be named beside the count; another test's list must not be joined to it."""
    own = LIST_OF[claim.method]
    listed, holm = claim.identified, claim.identified_by["holm"]
    text = f"Datasets on which {winner} is better ({LISTS[own]}): {names(listed)}."
    hidden = claim.count - len(listed)
    text += f" The other {hidden:,} cannot be named." if hidden > 0 else ""
    if own == "holm":
        return text
    text += f" Holm, valid under any dependence, names {names(holm)}"
    apart = not set(holm) <= set(listed)
    return f"{text}; claim the number with its own list, or Holm's list alone, not both." if apart else f"{text}."


def _naive(result: Replication) -> str:
    """What simple counting gives, and why it promises nothing."""
    claims, size = claims_of(result), len(result.datasets)
    counts = [f"{claim.counts['count']:,}" + (f" for {who}" if len(claims) > 1 else "") for who, claim in claims]
    return (
        f"Counting datasets with a one-sided p of at most {result.level:g} gives {' and '.join(counts)}. That promises "
        f"nothing: {false_claims(size, result.alpha)}."
    )


def _others(result: Replication) -> list[str]:
    """What other assumptions would give; the same count everywhere is said once."""
    told = []
    for winner, claim in claims_of(result):
        bonferroni, simes, fisher = (claim.counts[name] for name in ("bonferroni", "simes", "fisher"))
        who = f"{winner} better: " if result.opposite is not None else ""
        if bonferroni == simes == fisher:
            told += (
                [] if result.opposite is not None else ["Other assumptions about the datasets give the same number."]
            )
        elif result.dependence == "unknown":
            told.append(
                f"{who}Other assumptions would give {simes:,} (Simes, independent or positively dependent datasets) or "
                f"{fisher:,} (Fisher, independent datasets). Assume something only for a reason you had before looking."
            )
        elif result.dependence == "positive":
            rest = f"Fisher's {fisher:,} needs independent datasets"
            told.append(f"{who}Under any dependence the number is {bonferroni:,} (Bonferroni); {rest}.")
        else:
            rest = f"under positive dependence {simes:,} (Simes)"
            told.append(f"{who}Under any dependence the number is {bonferroni:,} (Bonferroni); {rest}.")
    return told


def _scores(result: Replication) -> str:
    """Count wins, losses and ties of the scores, and say what that is not."""
    signs = result.signs
    if not signs or all(map(math.isnan, signs)):
        return ""
    a, b = result.systems
    wins, losses, ties = (sum(sign == side for sign in signs) for side in (1, -1, 0))
    if result.wins is not None and result.losses is not None and result.ties is not None:
        wins, losses, ties = result.wins, result.losses, result.ties
    unknown = len(signs) - wins - losses - ties
    rest = f", unknown on {unknown:,}" if unknown else ""
    return (
        f"{a} scores better than {b} on {wins:,} of {counted(len(signs), 'dataset')}, worse on {losses:,}, the same on "
        f"{ties:,}{rest}. That counts scores, not evidence."
    )


def _tests(result: Replication) -> str:
    """Say which test was run on each dataset."""
    if not result.tests:
        return ""
    used = " or ".join(dict.fromkeys(with_article(test.label) for test in result.tests))
    sides = "one-sided in each direction" if result.opposite is not None else "one-sided"
    sizes = [test.n for test in result.tests]
    items = f"{min(sizes):,}" if min(sizes) == max(sizes) else f"{min(sizes):,} to {max(sizes):,}"
    return f"Each dataset was tested on its own items ({items} of them), {sides}, by {used}."


def _against(result: Replication) -> str:
    if not result.against or not result.signs:
        return ""
    return f"The scores point the other way ({result.loser} better) on {names(result.against)}."
