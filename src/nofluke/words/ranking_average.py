"""What a Ranking says of several datasets: that the scores are their average, what each counts, or that each is one."""

from __future__ import annotations

from nofluke.errors import Option
from nofluke.types import Ranking
from nofluke.types.base import counted
from nofluke.words.tasks import grouped

# Weights that cost fewer items than this are not worth a word.
_NEARLY_ALL = 0.95


def averaged_over(result: Ranking) -> str:
    """Say on what systems are compared, where there are several datasets: " on the average of 4 tasks"."""
    if not result.weighting:
        return ""
    several = counted(len(result.datasets), result.noun)
    if result.weighting == "items":
        return f" over all items of {several}"
    return f" on the {'weighted ' if result.weighting == 'given' else ''}average of {several}"


def weights_sentence(result: Ranking, *, brief: bool = False) -> str:
    """Say what each dataset counts, how many items that is worth (unless brief), and what the other way is."""
    if not result.weighting:
        return ""
    every = {
        "equal": f"Every {result.noun} counts the same",
        "items": "Every item counts the same",
        "given": grouped(result.notes) or f"The {result.noun}s count as stated",
    }[result.weighting]
    if not brief and result.weighting != "items" and result.effective_n < _NEARLY_ALL * result.n:
        every += f", so {result.n:,} items tell as much as {result.effective_n:,.0f} would"
    if result.weighting != "equal" or result.effective_n > result.n * (1 - 1e-9):
        return f"{every}."
    return f"{every}; {Option('weights', 'items')} pools all items."


def unit_sentence(result: Ranking) -> str:
    """Say that the dataset is the unit, where it is."""
    if not result.over_datasets:
        return ""
    return f"The {result.noun} is the unit: this is about {result.noun}s like these {result.n:,}."
