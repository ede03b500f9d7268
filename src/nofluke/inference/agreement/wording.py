"""A coefficient of agreement in sentences that can be read aloud."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from nofluke.inference.agreement.chance_test import NONE_AS_FAR
from nofluke.inference.agreement.interpret import RULES
from nofluke.inference.wording import chance, figure, interval_in_figures, p_in_figures
from nofluke.types import Coefficient
from nofluke.types.base import counted

MULTI_KAPPA = (
    "the multi-kappa of lecture slides, cited there as Fleiss 1971, is Conger's kappa (1980): each annotator keeps a "
    "bias of their own. Fleiss' kappa pools the annotators and is another coefficient (fleiss_kappa)."
)


# From so many different numbers on, labels are probably a scale.
_SCALE = 5


def hint_of_a_scale(
    categories: Sequence[object], defaults: Mapping[str, object], given: Collection[str]
) -> tuple[str, ...]:
    """Say how a scale is rated where labels look like one and every difference counts the same."""
    numbers = [number for number in map(_number, categories) if number is not None]
    flat = {"level": "nominal", "weights": "none"}
    option = next((name for name, value in flat.items() if defaults.get(name) == value), None)
    if option is None or option in given or len(numbers) < max(_SCALE, len(categories)):
        return ()
    low, high = min(numbers), max(numbers)
    choice = "ordinal or interval" if option == "level" else "linear or quadratic"
    return (
        f"The labels are {len(numbers)} different numbers from {low:g} to {high:g}, and here {low:g} is as far from "
        f"the next as from {high:g}. If they are a scale, use --{option} {choice} ({option}=... in Python).",
    )


def _number(label: object) -> float | None:
    try:
        value = float(str(label))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def headline(label: str, found: Coefficient, words: tuple[str, str, str], rules: str, annotators: int) -> str:
    """Say the coefficient with its interval, and what its words are."""
    from_whom = f"{counted(annotators, 'annotator')}, {counted(found.items, 'item')}"
    if math.isnan(found.value):
        return f"{label} is undefined ({from_whom}): {found.notes[0]}"
    value = f"{label} = {figure(found.value, found.standard_error)}"
    if found.interval is not None:
        value += f", {interval_in_figures(found.interval, found.standard_error)}"
    word, low, high = words
    if not word:
        return f"{value} ({from_whom})."
    said = f"{word} agreement" if rules == "landis_koch" else word
    if low and (low != word or high != word):
        said += f", anything from {low} to {high} by the interval" if low != high else f", {low} by the interval"
    return f"{value}: {said}, in the words of {RULES[rules].said} ({from_whom})."


def sentences(
    name: str, options: Mapping[str, object], found: Coefficient, rules: str, wished: tuple[float, int] | None
) -> tuple[str, ...]:
    """Explain the coefficient: what was seen, what chance gives, what the words mean, and what the test says."""
    said = [_seen(name, options, found)]
    if rules != "none" and not math.isnan(found.value) and name != "observed_agreement":
        said.append(RULES[rules].caution)
    if not math.isnan(found.p_value):
        said.append(_tested(found))
    if wished is not None:
        width, items = wished
        said.append(
            f"An interval {width:g} wide would take about {counted(items, 'item')} like these with as many annotators."
        )
    return tuple(said)


def _seen(name: str, options: Mapping[str, object], found: Coefficient) -> str:
    level = options.get("level", "nominal")
    if level in ("ordinal", "interval", "ratio"):
        if math.isnan(found.value):
            return "There is no disagreement to compare with chance."
        return (
            f"Ratings of one item differ, by the {level} distance, {figure(1 - found.value, found.standard_error)} "
            "times as much as ratings paired at random."
        )
    same = f"Two annotators give an item the same label in {_of_100(found.observed)}"
    if options.get("weights", "none") != "none":
        same = f"With {options['weights']} credit for close labels, two annotators agree in {_of_100(found.observed)}"
    if name == "observed_agreement" or math.isnan(found.expected):
        return f"{same}. This takes no account of agreement by chance."
    return f"{same}; by chance, as this coefficient reckons it, they would in {_of_100(found.expected)}."


def _of_100(share: float) -> str:
    """Say a share in cases of 100, with decimals where it is near an end.

    >>> _of_100(0.634), _of_100(0.9991), _of_100(1.0)
    ('63 of 100 cases', '99.91 of 100 cases', 'all cases')
    """
    if share == 1:
        return "all cases"
    digits = 0 if 0.01 <= share <= 0.99 or share == 0 else 2
    return f"{share * 100:.{digits}f} of 100 cases"


def _tested(found: Coefficient) -> str:
    how = f", {found.test}" if found.test else ""
    # Where no draw came as far, p is only the least that their number allows.
    at_most = "at most " if found.test.endswith(NONE_AS_FAR) else ""
    return (
        "If annotators agreed by chance only, a coefficient this far from 0 would come up in "
        f"{at_most}{chance(found.p_value)} such sets of items ({p_in_figures(found.p_value)}{how}). Agreement "
        "above chance is no evidence that agreement is good."
    )
