"""What a replicability analysis says, in sentences that can be read aloud."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nofluke.errors import listing
from nofluke.inference.replicating.analysis import LIST_OF, Analysis
from nofluke.inference.replicating.dependence import ASSUMED, LABELS, false_claims
from nofluke.inference.wording import chance, with_article
from nofluke.types import FloatArray, TestResult
from nofluke.types.base import counted

_LISTS = {"holm": "Holm", "hommel": "Hommel", "fisher": "closed testing with Fisher's test"}
_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Claim:
    """Who is claimed to be better than whom, on how many datasets, at which level, assuming what."""

    winner: str
    loser: str
    size: int
    level: float
    dependence: str

    def __str__(self) -> str:
        return f"{self.winner} is better than {self.loser}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def headline(claim: Claim, found: Analysis, reversed_names: tuple[str, ...]) -> str:
    """Say the answer in one sentence, or why it must not be given."""
    if reversed_names:
        return (
            f"Taken as they stand, the p-values say: {_answer(claim, found)}. But they cannot be p-values for this "
            f"claim: {claim.winner} scores worse than {claim.loser} on {names(reversed_names)}, which they count as "
            f"{'wins' if len(reversed_names) > 1 else 'a win'} of {claim.winner}."
        )
    return f"{_opening(_answer(claim, found))} ({_confidence(claim.level)})."


def headline_both(claim: Claim, found: Analysis, other: Analysis, alpha: float) -> str:
    """Say the answer for both directions in one sentence."""
    if not found.count and not other.count:
        return (
            f"{claim.winner} and {claim.loser} are not separated on any of {counted(claim.size, 'dataset')} "
            f"({_confidence(alpha)})."
        )
    reverse = Claim(claim.loser, claim.winner, claim.size, claim.level, claim.dependence)
    answers = f"{_opening(_answer(claim, found))}; {_answer(reverse, other)}"
    return f"{answers} ({_confidence(alpha)} for both together)."


def _opening(answer: str) -> str:
    """Begin a sentence; a system's name stays as it is written."""
    return _capital(answer) if answer.startswith("it is not shown") else answer


def _answer(claim: Claim, found: Analysis) -> str:
    if not found.count:
        return f"it is not shown that {claim} on any of {counted(claim.size, 'dataset')}"
    return f"{claim} on {_at_least(found.count, claim.size)}"


def _at_least(count: int, size: int) -> str:
    if count == size:
        return {1: "the one dataset", 2: "both datasets"}.get(size, f"all {size:,} datasets")
    return f"at least {count:,} of {size:,} datasets"


def _confidence(level: float) -> str:
    return f"{100 * (1 - level):g}% confidence"


def sentences(claim: Claim, found: Analysis) -> list[str]:
    """Say what the count promises, which datasets it is about, and why simple counting is no answer."""
    return [
        f"The count of {found.count:,} is a lower bound by {LABELS[found.method]}'s partial conjunction test: it is "
        f"too high in at most {chance(claim.level)} such studies, {ASSUMED[claim.dependence]}."
        if found.count
        else f"Not even a count of 1 passes {LABELS[found.method]}'s partial conjunction test at {claim.level:g}, "
        f"{ASSUMED[claim.dependence]}.",
        _capital(identification(found)),
        _naive(claim, found),
        _others(claim, found),
    ]


def sentences_both(claims: tuple[Claim, Claim], found: tuple[Analysis, Analysis], alpha: float) -> list[str]:
    """Say the same for both directions, each of them at half the level."""
    claim = claims[0]
    counts = " and ".join(f"{one.counts['count']:,} for {who.winner}" for who, one in zip(claims, found, strict=True))
    nothing = not any(one.count for one in found)
    return [
        f"Not even a count of 1 passes {LABELS[found[0].method]}'s partial conjunction test at {claim.level:g} in "
        f"either direction, {ASSUMED[claim.dependence]}."
        if nothing
        else f"The numbers are lower bounds by {LABELS[found[0].method]}'s partial conjunction test, each "
        f"direction at {claim.level:g}: one of them is too high in at most {chance(alpha)} such studies, "
        f"{ASSUMED[claim.dependence]}.",
        *(f"{who.winner} better: {identification(one)}" for who, one in zip(claims, found, strict=True)),
        f"Counting datasets with a one-sided p of at most {claim.level:g} gives {counts}. These counts promise "
        f"nothing: testing each dataset two-sided at {alpha:g}, {false_claims(claim.size, alpha)}.",
        *(f"{who.winner} better: {_others(who, one)}" for who, one in zip(claims, found, strict=True) if _differ(one)),
    ]


def _differ(found: Analysis) -> bool:
    """Whether other assumptions would give another count; saying so twice for nothing would only tire."""
    return len({found.counts[name] for name in ("bonferroni", "simes", "fisher")}) > 1


def identification(found: Analysis) -> str:
    """Name the datasets that may be named beside the count; another test's list must not be joined to it."""
    own = LIST_OF[found.method]
    listed, holm = found.identified, found.identified_by["holm"]
    text = f"by name, by the same test as the count ({_LISTS[own]}): {names(listed)}."
    hidden = found.count - len(listed)
    if hidden > 0:
        text += f" The other {hidden:,} cannot be named."
    if own == "holm":
        return text
    text += f" Holm, which assumes nothing about the datasets, names {names(holm)}"
    apart = not set(holm) <= set(listed)
    return f"{text}; claim the count with its own list, or Holm's list alone, not both." if apart else f"{text}."


def _naive(claim: Claim, found: Analysis) -> str:
    count = found.counts["count"]
    return (
        f"Counting datasets with a one-sided p of at most {claim.level:g} gives {count:,}. That promises nothing: "
        f"{false_claims(claim.size, claim.level)}."
    )


def _others(claim: Claim, found: Analysis) -> str:
    if not _differ(found):
        return "Other assumptions about the datasets would give the same count."
    bonferroni, simes, fisher = (found.counts[name] for name in ("bonferroni", "simes", "fisher"))
    if claim.dependence == "unknown":
        return (
            f"Under other assumptions the count would be {simes:,} (Simes: datasets independent, or rising and falling "
            f"together) or {fisher:,} (Fisher: datasets independent). Make an assumption only for a reason "
            "you had before looking at the counts."
        )
    if claim.dependence == "positive":
        return (
            f"Assuming nothing the count is {bonferroni:,} (Bonferroni); Fisher's {fisher:,} would need independent "
            "datasets."
        )
    return (
        f"Assuming nothing the count is {bonferroni:,} (Bonferroni); assuming that datasets rise and fall together, "
        f"{simes:,} (Simes)."
    )


def scores_sentence(a: str, b: str, signs: FloatArray) -> str:
    """Count wins, losses and ties of the scores, and say what that is not."""
    wins, losses, ties = (int((signs == side).sum()) for side in (1, -1, 0))
    unknown = int(np.isnan(signs).sum())
    rest = f", unknown on {unknown:,}" if unknown else ""
    return (
        f"{a} scores better than {b} on {wins:,} of {counted(len(signs), 'dataset')}, worse on {losses:,}, the same on "
        f"{ties:,}{rest}. That counts scores, not evidence."
    )


def against_sentence(claim: Claim, against: tuple[str, ...]) -> str:
    """Name the datasets where the effect points away from the claim."""
    return f"The scores point the other way ({claim.loser} better) on {names(against)}."


def contradiction_note(claim: Claim, wrong: tuple[str, ...]) -> str:
    """Say which p-values speak for a claim that the scores speak against."""
    return (
        f'p-values below 0.5 for "{claim}" although {claim.winner} scores worse there: {names(wrong)}. A one-sided '
        "p-value for this claim would be above 0.5 there, so these are two-sided, or one-sided towards whoever was "
        "better; such p-values must not be counted for one claim."
    )


def turned_sentence(claim: Claim, turned: Analysis) -> str:
    """Say what comes out when the p-values are read as two-sided, with the direction of the scores."""
    return (
        "Some p-values contradict the scores (a note says which), so this is what they say when they are read as "
        f"two-sided p-values, with the direction of the scores (sided two): {_answer(claim, turned)} "
        f"({_confidence(claim.level)}); by name: {names(turned.identified)}."
    )


def fdr_sentence(claim: Claim, found: Analysis) -> str:
    """Give the lists that allow a share of false claims."""
    return (
        f"If {100 * claim.level:g}% of the named datasets may be wrong on average (false discovery rate), {claim} on "
        f"{names(found.identified_by['bh'])} by Benjamini-Hochberg, for datasets that are independent or rise and fall "
        f"together, and on {names(found.identified_by['by'])} by Benjamini-Yekutieli, whatever the dependence."
    )


def subset_sentence(claim: Claim, subset: tuple[str, ...], count: int) -> str:
    """Say how many of the datasets the user picked are true at least."""
    if len(subset) == 1:
        answer = f"{claim.winner} is better" if count else f"it is not shown that {claim.winner} is better"
    elif count:
        answer = f"{claim.winner} is better on at least {count:,} of these {len(subset):,}"
    else:
        answer = f"it is not shown that {claim.winner} is better on any of them"
    return (
        f"{'On' if len(subset) == 1 else 'Among'} {names(subset)}: {answer}. This holds for every choice of datasets "
        "at once, so they may be picked after looking."
    )


def tests_sentence(tests: tuple[TestResult, ...], *, both: bool) -> str:
    """Say which test was run on each dataset."""
    used = dict.fromkeys(with_article(test.label) for test in tests)
    sides = "one-sided in each direction" if both else "one-sided"
    sizes = [test.n for test in tests]
    items = f"{min(sizes):,}" if min(sizes) == max(sizes) else f"{min(sizes):,} to {max(sizes):,}"
    return f"Each dataset was tested on its own items ({items} of them), {sides}, by {' or '.join(used)}."


def names(datasets: tuple[str, ...]) -> str:
    """List datasets; none is said, not left blank."""
    return listing(datasets, _SHOWN) if datasets else "none"


def headline_metrics(systems: tuple[str, str], size: int, metrics: tuple[str, ...], each: int, together: int) -> str:
    """Say both readings of several metrics in one sentence."""
    winner, loser = systems
    of_them = counted(len(metrics), "metric")
    if not each and not together:
        nowhere = f"on any of {counted(size, 'dataset')} by every metric"
        return f"It is not shown that {winner} is better than {loser} {nowhere}."
    first = f"{winner} is better than {loser} on {_at_least(each, size)} by each of {of_them} taken alone"
    if not each:
        first = f"It is not shown that {winner} is better than {loser} anywhere by each of {of_them}"
    second = f"on {_at_least(together, size)} by all of them at once" if together else "by all of them at once on none"
    return f"{first}, and {second}."
