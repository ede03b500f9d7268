"""What the study of test sizes says: thresholds or needed gains, the square-root law, and what size does not do."""

from __future__ import annotations

import math
from itertools import pairwise

from nofluke.studies.pairs.comparisons import Comparisons
from nofluke.studies.pairs.parts import Part, Parts
from nofluke.studies.pairs.segments import Take
from nofluke.studies.pairs.thresholds import Rule
from nofluke.studies.pairs.words import amount, caution, no_firm_thresholds, rule_text
from nofluke.types.base import counted

# The usual needed gain so many times off the square-root law is not due to size alone.
_FAR_OFF = 1.2
# Fewer items say little about the spread of scores.
_VERY_FEW = 20


def headline_of(parts: Parts, rule: Rule) -> str:
    """Answer with the thresholds of the smallest and the largest size; where they rest on few, with needed gains."""
    firm = [part for part in parts.values() if part.limit.firm]
    metric = next(iter(parts.values())).found.metric
    if len(firm) > 1:
        low, high = firm[0], firm[-1]
        return (
            f"On {low.found.n:,} items a gain of {amount(low.limit.value)} in {metric} is usually significant at "
            f"{rule.level:g}, on {high.found.n:,} items one of {amount(high.limit.value)}."
        )
    known = _known(parts)
    few = no_firm_thresholds(rule)
    if len(known) < 2:
        one = known[0]
        return (
            f"On {counted(one.found.n, 'item')} the usual pair needs a gain of {amount(one.usual)} in {metric}; {few}."
        )
    return (
        f"The gain in {metric} that the usual pair needs goes from {amount(known[0].usual)} on {known[0].found.n:,} "
        f"items to {amount(known[-1].usual)} on {known[-1].found.n:,}; {few}."
    )


def sentences_of(parts: Parts, take: Take, rule: Rule) -> tuple[str, ...]:
    """Say how the needed gain follows the law, whether thresholds fall, and what the gain alone decides."""
    if len(parts) < 2:
        return ()
    known, last = _known(parts), list(parts.values())[-1].found
    return (*_law(known, take), *_falling(parts), _leftover(last, rule))


def _known(parts: Parts) -> list[Part]:
    """The sizes at which some pair varies."""
    return [part for part in parts.values() if math.isfinite(part.usual)]


def _law(known: list[Part], take: Take) -> tuple[str, ...]:
    if len(known) < 2:
        return ("How the needed gain shrinks cannot be said: scores vary at one size only.",)
    first, end = known[0], known[-1]
    seen, law = end.usual / first.usual, math.sqrt(first.found.n / end.found.n)
    said = (
        f"With {end.found.n / first.found.n:.3g} times the items the usual pair needs {seen:.2f} times the gain; the "
        f"square-root law says {law:.2f}"
    )
    if abs(math.log(seen / law)) < math.log(_FAR_OFF):
        return (f"{said}: returns diminish, and to halve the gain takes four times the items.",)
    return (f"{said}. That is far from the law: {_why(first.found, take)}.",)


def _why(smallest: Comparisons, take: Take) -> str:
    """Say what may move the needed gain beside the size of the test set."""
    if smallest.n < _VERY_FEW:
        return f"{counted(smallest.n, 'item')} hardly show how much scores vary"
    if take == "first":
        return (
            "the first items seem to be of another kind than the later ones; random items (--take random) show size "
            "alone"
        )
    return "random items of another seed may give another figure"


def _falling(parts: Parts) -> tuple[str, ...]:
    """Say whether thresholds fall as in the paper, and of how many sizes that is said."""
    known = [part.limit for part in parts.values() if part.limit.near]
    if len(known) < 2:
        return ()
    falls = all(later.value < earlier.value for earlier, later in pairwise(known))
    which = "" if len(known) == len(parts) else f" that has one ({len(known)} of {len(parts)})"
    does = "As in the paper, the threshold falls" if falls else "Unlike in the paper, the threshold does not fall"
    return (f"{does} with every larger size{which}{caution(known)}.",)


def _leftover(last: Comparisons, rule: Rule) -> str:
    """Say how far the gain alone decides on the largest set."""
    significant, where = last.p_value <= rule.level, f"{last.n:,} items"
    if not significant.any() or significant.all():
        which = "all comparisons are" if significant.any() else "no comparison is"
        return f"On {where} {which} significant at {rule.level:g}: what the gain alone decides cannot be said."
    low, high = float(last.gain[significant].min()), float(last.gain[~significant].max())
    if low > high:
        return f"On {where} the gain alone separates significant comparisons from the others."
    between = int(((last.gain >= low) & (last.gain <= high)).sum())
    return (
        f"Even on {where} gains from {amount(low)} to {amount(high)} are significant for some pairs and not for others "
        f"({between:,} of {counted(last.size, 'comparison')}): a large test set does not replace the test."
    )


def caption_of(last: Comparisons, all_items: int, take: Take, rule: Rule) -> str:
    """Say what the columns of the table are."""
    which = "the first items" if take == "first" else "random items (one draw; larger sets hold the smaller ones)"
    return (
        f"All pairs of {len(last.systems):,} systems on {which} of {all_items:,}, gain in {last.metric}. "
        f"{rule_text(last, rule)}"
    )
