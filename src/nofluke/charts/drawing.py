"""What all charts share: rows become a chart with a title, a description and names that fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias

from nofluke.charts.theme import theme
from nofluke.errors import MissingExtra

if TYPE_CHECKING:
    import altair

# Charts are layered or concatenated; altair has no common type for them that can be saved and configured.
Chart: TypeAlias = Any

# Altair keeps state that threads would share: two charts drawn at once may come out mixed.
ONE_AT_A_TIME = RLock()


def altair_or_hint() -> Any:
    """Give the altair module, or say how to install it."""
    try:
        import altair
    except ImportError:
        raise MissingExtra("charts need altair and vl-convert.", fix="pip install 'nofluke[charts]'") from None
    return altair


def data(rows: Sequence[Mapping[str, Any]]) -> altair.Data:
    """Put rows into a chart without a data frame."""
    return altair_or_hint().Data(values=[dict(row) for row in rows])  # type: ignore[no-any-return]


# Where an interval is a single value, no line is seen: the point on it speaks.
HAS_LENGTH = "datum.low < datum.high"


def told(unless: str = "") -> dict[str, Any]:
    """Encode what each row `says`, the same under the pointer and to a screen reader, unless another mark says it.

    All other marks have aria=False: each value is told once. The pointer is answered by silent marks too, if told to.
    """
    alt = altair_or_hint()
    aloud = alt.Description("says:N")
    if unless:
        aloud = alt.condition(unless, alt.value(alt.expr("null")), aloud)
    return {"tooltip": alt.Tooltip("says:N"), "description": aloud}


def finish(chart: Chart, *, title: str, subtitle: str | list[str] = "", description: str) -> Chart:
    """Give a chart its title, the description that a screen reader speaks, and the light theme."""
    alt = altair_or_hint()
    heading = alt.Title(title, subtitle=subtitle) if subtitle else alt.Title(title)
    return chart.properties(title=heading, description=description).configure(**theme())


def shortened(name: str, length: int = 40) -> str:
    """Keep a very long name from pushing the picture off the page; its end is often what tells systems apart.

    >>> shortened("a" * 50 + "-final", 20)
    'aaaaaaaaaaaaa…-final'
    """
    return name if len(name) <= length else f"{name[: length - 7]}…{name[-6:]}"


def distinct(names: Sequence[str], length: int = 40) -> list[str]:
    """Shorten names without making two of them equal."""
    short = [shortened(name, length) for name in names]
    seen: dict[str, int] = {}
    result = []
    for name in short:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return result


def whole_numbers(low: int, high: int, most: int = 12) -> list[int]:
    """Choose places for the ticks of an axis that counts: both ends, and round numbers between them.

    >>> whole_numbers(1, 5), whole_numbers(1, 81)
    ([1, 2, 3, 4, 5], [1, 10, 20, 30, 40, 50, 60, 70, 81])
    """
    steps = (digit * 10**power for power in count() for digit in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= most - 1)
    between = range(low - low % step + step, high, step)
    return sorted({low, *(at for at in between if low + step / 2 <= at <= high - step / 2), high})
