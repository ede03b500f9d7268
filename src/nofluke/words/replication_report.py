"""What the report of a Replication adds to its answer: details, captions, the sentences for a paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from nofluke.inference.replication.analysis import LIST_OF
from nofluke.types import Replication
from nofluke.types.base import counted
from nofluke.words.notes.replicate import false_claims
from nofluke.words.numbers import figure, level_text, with_article
from nofluke.words.replication import (
    LABELS,
    LISTS,
    VALID,
    claims_of,
    error_of,
    fdr_sentences,
    headline,
    meaning,
    names,
    of_owner,
    scale_of,
    subset_sentences,
)

_ANY_SUBSET = "This holds for every choice of datasets at once, so they may be picked after looking."

# So many datasets are told one by one in a sentence; the table holds all of them.
_ALL_TOLD = 12
_WIDEST_NAME = 12  # of a system in the heading of a column
_CLOSED = {"bonferroni": "Bonferroni's test (Holm)", "simes": "Simes' test (Hommel)", "fisher": "Fisher's test"}


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
    method, valid = of_owner(result.method), VALID[result.dependence]
    share = level_text(result.alpha)
    if not any(claim.count for _, claim in claims_of(result)):
        return f"No dataset can be claimed ({LABELS[result.method]}; {valid})."
    if result.opposite is not None:
        return (
            f"The numbers are lower bounds by {method} partial conjunction test, each direction at {result.level:g}, "
            f"{valid}. One of them is too high in at most {share} of such studies."
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
    if not result.against or not result.signs or result.opposite is not None:
        return ""
    return f"The scores point the other way ({result.loser} better) on {names(result.against)}."


def _sides(result: Replication) -> str:
    """Say that both directions were tested, where they were."""
    return f" in each direction (alpha = {result.alpha:g})" if result.opposite is not None else ""


def _how(result: Replication) -> str:
    sides = ", both directions" if result.opposite is not None else ""
    return f"partial conjunction, {LABELS[result.method]}, alpha = {result.alpha:g}{sides}"


def paper_sentence(result: Replication, said: str = "") -> str:
    """The answer in one sentence for a paper; `said` is that of several metrics, which share the rest."""
    return f"{(said or headline(result)).rstrip('.')} [{_how(result)}]."


def method_sentence(result: Replication) -> str:
    """Which test was run on each dataset, and where the number comes from."""
    tests = " or ".join(dict.fromkeys(with_article(test.label) for test in result.tests))
    tested = f"Each dataset was tested one-sided by {tests}. " if tests else ""
    return (
        f"{tested}The number of datasets is the lower confidence bound of partial conjunction testing with "
        f"{of_owner(result.method)} combination (Benjamini and Heller 2008; Dror et al. 2017) at {result.level:g}"
        f"{_sides(result)}, {VALID[result.dependence]}."
    )


def paper_paragraph(result: Replication, *, contradicted: bool) -> str:
    """The answer for a paper: method, names, differences and power; a warning where the p-values contradict scores."""
    if contradicted:
        return (
            f"{headline(result)} No claim should rest on the p-values as given; test every dataset for one claim fixed "
            "beforehand."
        )
    named = [
        f"{winner} is better on {names(claim.identified)}" for winner, claim in claims_of(result) if claim.identified
    ]
    lists = f" By closed testing with {_CLOSED[result.method]}, {'; '.join(named)}." if named else ""
    told = " ".join(part for part in (differences(result), power(result)) if part)
    return f"{headline(result)} {method_sentence(result)}{lists} {told}"


def differences(result: Replication) -> str:
    """Give n and difference of every dataset, or how far they reach where there are many."""
    a, b = result.systems if result.higher_is_better else result.systems[::-1]
    known = [(name, value) for name, value in zip(result.datasets, result.estimates, strict=True) if value == value]
    if not known:
        return ""
    sizes = dict(zip(result.datasets, result.sizes, strict=True)) if result.sizes else {}
    what = f"Differences {a} - {b}"
    scale = scale_of(result)
    if len(known) <= _ALL_TOLD:
        # Every dataset has the digits of its own standard error.
        errors = dict(zip(result.datasets, map(error_of, result.tests), strict=True)) if result.tests else {}
        told = [
            f"{name} {figure(float(value), errors.get(name) or scale)}" + (f" (n = {sizes[name]:,})" if sizes else "")
            for name, value in known
        ]
        return f"{what}: {', '.join(told)}."
    low, middle, high = (figure(end([float(value) for _, value in known]), scale) for end in (min, median, max))
    reach = f"from {low} to {high}, median {middle}"
    return f"{what}: {reach}{f' (n = {min(sizes.values()):,} to {max(sizes.values()):,} items)' if sizes else ''}."


def power(result: Replication) -> str:
    """Say which difference single datasets could have shown, or that nobody knows from p-values alone."""
    if not result.tests:
        return "What differences the datasets could have shown is not known from p-values."
    known = [value for value in result.detectable if value == value]
    if not known:
        return "What differences the datasets could have shown cannot be said: they are too few or do not vary."
    low, high = f"{min(known):.3g}", f"{max(known):.3g}"
    by = "" if all(test.about == "mean" for test in result.tests) else " by a test of the mean"
    return (
        f"A true difference of {low if low == high else f'{low} to {high}'} on a dataset would be named by Holm{by} in "
        f"at least 80% of such studies, whatever the other datasets show (one-sided at {result.level:g} / "
        f"{len(result.datasets):,}, standard deviation of these data)."
    )


def caption(result: Replication) -> str:
    """What stands below the table of datasets."""
    a, b = result.systems
    by = f" by {result.metric}" if result.metric else ""
    tests = ", ".join(dict.fromkeys(test.label for test in result.tests))
    who = f" ({_whose(result)})" if result.opposite is not None else ""
    how = f"{tests}, one-sided on each dataset" if tests else "one-sided for the claim, from the p-values given"
    return (
        f"{a} against {b}{by} on {counted(len(result.datasets), 'dataset')}. p: {how}{who}. Named: closed testing with "
        f"{_CLOSED[result.method]} at {result.level:g}{_sides(result)}, {VALID[result.dependence]}."
    )


def legend(result: Replication) -> str:
    """The same below the sentences on it: whose p-values they are."""
    return f"{_whose(result)}." if result.opposite is not None else ""


def _whose(result: Replication) -> str:
    sides = zip(suffixes(result), result.systems, strict=False)
    return "; ".join(f"p{side}: {winner} is better" for side, winner in sides)


def suffixes(result: Replication) -> tuple[str, ...]:
    """What follows p in the heading of its column: the system it speaks for, where both directions were tested."""
    if result.opposite is None:
        return ("",)
    short = max(map(len, result.systems)) <= _WIDEST_NAME
    return tuple(f" {name}" for name in (result.systems if short else ("first", "second")))


def explanations(result: Replication, columns: Sequence[str]) -> dict[str, str]:
    """What the columns of the table of datasets are."""
    found = {
        "named": f"the claim that holds for the dataset by closed testing with {_CLOSED[result.method]}",
        **{system: f"the score of {system} on the dataset" for system in result.systems},
    }
    for name in columns:
        if name.startswith("Holm p"):
            found[name] = "adjusted p-value, valid under any dependence of the datasets"
        elif name.startswith(f"{LISTS[LIST_OF[result.method]]} p"):
            found[name] = f"p-value adjusted by closed testing with {_CLOSED[result.method]}"
    return found


def why(result: Replication, method: str) -> str:
    """Why the count of a method is the answer, or is not."""
    reason = result.reasons.get(method)
    if reason is not None and reason.code == "replicate.each_alone":
        # Both directions are counted in one row, and either may be false.
        size, sides = len(result.datasets), "in each direction " if result.opposite is not None else ""
        return f"tests each dataset alone {sides}at {result.level:g}: {false_claims(size, result.alpha)}"
    if reason is None and result.contradicted:
        return "no answer: the p-values are not one-sided"
    return f"the answer: {VALID[result.dependence]}" if reason is None else str(reason)


def conjunction_caption(result: Replication, last: int) -> str:
    """What stands below the partial-conjunction p-values."""
    rest = f" u above {last:,} left out." if last < len(result.datasets) else ""
    claim = f"{result.winner} is better than {result.loser}"
    return (
        f'P-values against "{claim} on fewer than u datasets", made monotone; the count is the last u with p at most '
        f"{result.level:g}.{rest}"
    )
