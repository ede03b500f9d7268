"""A replicability analysis in the sentences a paper prints, and what stands in and below the tables of its report."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from nofluke.inference.replication.analysis import LIST_OF
from nofluke.types import Replication
from nofluke.types.base import counted
from nofluke.words.numbers import with_article
from nofluke.words.replication import LABELS, VALID, headline, names
from nofluke.words.replication_details import OWNERS
from nofluke.words.replication_tables import LISTS, claims_of

# So many datasets are told one by one in a sentence; the table holds all of them.
_ALL_TOLD = 12
_WIDEST_NAME = 12  # of a system in the heading of a column
_CLOSED = {"bonferroni": "Bonferroni's test (Holm)", "simes": "Simes' test (Hommel)", "fisher": "Fisher's test"}


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
        f"{OWNERS[result.method]} combination (Benjamini and Heller 2008; Dror et al. 2017) at {result.level:g}"
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
    if len(known) <= _ALL_TOLD:
        told = [f"{name} {value:.3g}" + (f" (n = {sizes[name]:,})" if sizes else "") for name, value in known]
        return f"{what}: {', '.join(told)}."
    values = [float(value) for _, value in known]
    reach = f"from {min(values):.3g} to {max(values):.3g}, median {median(values):.3g}"
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
    said = [f"p{side}: {winner} is better" for side, winner in zip(sides(result), result.systems, strict=False)]
    who = f" ({'; '.join(said)})" if result.opposite is not None else ""
    how = f"{tests}, one-sided on each dataset" if tests else "one-sided for the claim, from the p-values given"
    return (
        f"{a} against {b}{by} on {counted(len(result.datasets), 'dataset')}. p: {how}{who}. Named: closed testing with "
        f"{_CLOSED[result.method]} at {result.level:g}{_sides(result)}, {VALID[result.dependence]}."
    )


def sides(result: Replication) -> tuple[str, ...]:
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
