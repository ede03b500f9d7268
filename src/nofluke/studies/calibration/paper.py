"""What Berg-Kirkpatrick et al. (2012, section 4.2) found near 0.05, beside what came out here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nofluke.studies.recording import rate
from nofluke.types.base import counted
from nofluke.words.numbers import hundredths

# Fewer comparisons make no share.
FEW = 30
_NEAR = (0.04, 0.06)
# Parsers on test sets drawn from one corpus.
_BETTER, _COMPARISONS = 869, 942


def beside_paper(near: Mapping[str, tuple[Any, ...]], settings: Mapping[str, Any], *, across: bool) -> tuple[str, ...]:
    """Say whether the share is what the paper found; nothing where it was asked for other p-values."""
    if settings["sides"] != "one" or tuple(settings["near"]) != _NEAR:
        return ()
    return (_elsewhere(near) if across else _at_home(near["better"][0], near["comparisons"][0]),)


def _at_home(better: int, comparisons: int) -> str:
    expected = _BETTER / _COMPARISONS
    paper = f"In the paper the better parser won in {hundredths(expected)}% (of {_COMPARISONS} comparisons near 0.05)"
    if comparisons < FEW:
        return f"{paper}; whether that holds here cannot be said from {counted(comparisons, 'comparison')}."
    band = rate(better, comparisons)
    if band.low <= expected <= band.high:
        return f"{paper}; as far as {comparisons:,} comparisons can tell, that holds here too."
    finding = f"here it is {'higher' if better / comparisons > expected else 'lower'}"
    return (
        f"{paper}; {finding}, and not by chance alone if comparisons were independent. Other systems make another mix "
        "of pairs."
    )


def _elsewhere(near: Mapping[str, tuple[Any, ...]]) -> str:
    paper = (
        "In the paper the winner won again in 83% and 71% of 58 pairs of parsers on neighbouring texts and in 48% on "
        "another kind of text, against 92% on the corpus that test sets were drawn from"
    )
    known = [share for share, count in zip(near["share"], near["comparisons"], strict=True) if count >= FEW]
    if not known:
        return f"{paper}; here there are too few pairs to compare."
    low, high = hundredths(min(known)), hundredths(max(known))
    here = f"{low}%" if low == high else f"{low}% to {high}%"
    return f"{paper}; here it is {here}. What it is at home on these systems shows without --across."
