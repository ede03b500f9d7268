"""What systems, metrics, averages and effect sizes are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from nofluke.registry import EFFECTS
from nofluke.types import Comparison, Estimate, Ranking, Scored, SystemScore
from nofluke.types.base import counted
from nofluke.words.columns import wide

# Statistics of the user's own have no name but the one that the user gave the metric.
_NO_NAMES = ("table", "callable:")
_ROLES = "AB"
# A word too long for a line or a table, without the marks around it; "=" is in advice, "|" in signatures.
_LONG, _SHORTEST = r"(?<![^\s(\"'])[^\s=|(\"'][^\s=|]{%d,}?(?=[.,:;)\"']*(?:\s|$))", 38


def metric_in_full(metric: str, scored_by: str) -> str:
    """Name a metric with its settings, which its own signature records.

    >>> metric_in_full("bleu", "BLEU|nrefs:1|tok:13a"), metric_in_full("accuracy", "")
    ('BLEU (nrefs:1|tok:13a)', 'accuracy')
    """
    name, _, settings = scored_by.partition("|")
    return f"{metric if name.startswith(_NO_NAMES) else name} ({settings})" if settings else metric


def averaged_over(weighting: str, datasets: int, noun: str) -> str:
    """Say of what a verdict is, where there are several datasets: " on the average of 4 tasks".

    >>> averaged_over("equal", 4, "task"), averaged_over("items", 2, "dataset"), averaged_over("", 0, "dataset")
    (' on the average of 4 tasks', ' over all items of 2 datasets', '')
    """
    if not weighting:
        return ""
    several = counted(datasets, noun)
    if weighting == "items":
        return f" over all items of {several}"
    return f" on the {'weighted ' if weighting == 'given' else ''}average of {several}"


def better_scores(result: Comparison | Ranking | Scored | SystemScore) -> str:
    """Say which scores are better."""
    return f"{'higher' if result.higher_is_better else 'lower'} is better"


def effect_label(estimate: Estimate, metric: str = "") -> str:
    """Name an effect size; the difference of a corpus metric is no mean difference."""
    if metric and not estimate.signature:
        return f"difference in {metric}"
    return EFFECTS[estimate.name].label if estimate.name in EFFECTS else estimate.name.replace("_", " ")


def effect_meaning(estimate: Estimate, metric: str = "", systems: tuple[str, str] = ("A", "B")) -> str:
    """Say in half a line what an effect size is, and where there would be no difference."""
    first = systems[0]
    if estimate.name not in EFFECTS or (metric and not estimate.signature):
        return f"{effect_label(estimate, metric)}; positive means that {first} is better"
    method = EFFECTS[estimate.name]
    summary = by_name(method.summary, systems)
    return f"{summary} No difference is {float(method.facts['null']):g}; more is better for {first}."


def by_name(text: str, systems: Sequence[str]) -> str:
    """Speak of two systems by name in a text that everybody shares, which calls them A and B.

    >>> by_name("Histograms of A, B and A - B", ("new", "old"))
    'Histograms of new, old and new - old'
    """
    if len(systems) != len(_ROLES):
        return text
    return re.sub(r"\b[AB]\b", lambda found: systems[_ROLES.index(found[0])], text)


def short_names(
    texts: Iterable[str], too_long: int, longest: int, mark: str = "…", known: Iterable[str] = ()
) -> Callable[[str], str] | None:
    """Give what cuts the middle out of names that are too long, so that they stay distinct; None where none is.

    Names of one word are seen in the texts; those of several words are found where they are `known`.

    >>> first, second = (f"run-{'x' * 80}-seed{n}" for n in (1, 2))
    >>> cut = short_names((f"{first} and {second}",), 60, 16)
    >>> cut(f"better: {second}.")
    'better: run-xxxx…x-seed2.'
    """
    word = re.compile(_LONG % min(too_long, _SHORTEST))
    phrases = {name for name in known if " " in name and wide(name) > too_long}
    names = {name for text in texts for name in word.findall(text) if wide(name) > too_long}
    if not names | phrases:
        return None
    short = distinct_names(names | phrases, longest, mark)

    def cut(text: str) -> str:
        for phrase in phrases:
            text = text.replace(phrase, short[phrase])
        return word.sub(lambda found: short.get(found[0], found[0]), text)

    return cut


def distinct_names(given: Collection[str], longest: int, mark: str) -> dict[str, str]:
    """Cut the middle out of names that are longer than this, so that they stay distinct; others stay as they are."""
    names = sorted(name for name in given if wide(name) > longest)
    short = {name: _middle_cut(name, longest, mark) for name in names}
    if len(set(short.values())) < len(names):
        # Alike at both ends: what follows where they first differ comes between.
        at = next((at for at, letters in enumerate(zip(*names, strict=False)) if len(set(letters)) > 1), 0)
        short = {name: _middle_cut(name, longest, f"{mark}{name[at : at + longest // 4]}{mark}") for name in names}
    if len(set(short.values())) < len(names):
        short = {
            name: _middle_cut(name, longest, f"{mark}{number}{mark}") for number, name in enumerate(names, start=1)
        }
    return {name: short.get(name, name) for name in given}


def _middle_cut(name: str, longest: int, middle: str) -> str:
    """Both ends of a name, with this between them."""
    room = longest - wide(middle)
    head, tail = name[: room - room // 2], name[-(room // 2) :]
    while wide(head) + wide(tail) > room:  # wide letters
        head, tail = head[:-1], tail[1:]
    return f"{head}{middle}{tail}"
