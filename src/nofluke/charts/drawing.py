"""What all charts share: rows become a chart, and a chart becomes a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias

from nofluke.charts.narrowing import narrowed
from nofluke.charts.theme import darkened, theme
from nofluke.errors import InputError, MissingExtra, unknown

if TYPE_CHECKING:
    import altair

# Charts are layered or concatenated; altair has no common type for them that can be saved and configured.
Chart: TypeAlias = Any

# Altair keeps state that threads would share: two charts drawn at once may come out mixed.
ONE_AT_A_TIME = RLock()
FORMATS = ("svg", "png", "pdf", "html", "json")
_SHARP = 2.0  # pixels of a PNG per unit, so that it is sharp in print


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


def save(chart: Chart, path: str | Path) -> None:
    """Write a chart as SVG, PNG, PDF, HTML or JSON, by the ending of the file; without any network."""
    target = Path(path)
    content = rendered(chart, check_picture(path))
    try:
        target.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}.", where=str(path), fix="check the folder.") from None


def check_picture(path: str | Path) -> str:
    """Give the format that a file's ending names."""
    kind = Path(path).suffix.lstrip(".").casefold()
    if kind not in FORMATS:
        raise unknown("picture format", kind or str(path), FORMATS)
    return kind


def rendered(chart: Chart, kind: str, *, dark: bool = False, narrow: bool = False) -> str | bytes:
    """Give the chart in one of the formats, in light or dark colours; narrow is for a phone."""
    with ONE_AT_A_TIME:
        return _rendered(chart, kind, dark=dark, narrow=narrow)


def _rendered(chart: Chart, kind: str, *, dark: bool, narrow: bool) -> str | bytes:
    specification = chart.to_json(indent=None)
    if narrow:
        specification = narrowed(specification)
    if dark:
        specification = darkened(specification)
    if kind == "json":
        return str(specification)
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra("pictures need vl-convert.", fix="pip install 'nofluke[charts]'") from None
    if kind == "html":
        return str(vl_convert.vegalite_to_html(specification, bundle=True))
    if kind == "png":
        return bytes(vl_convert.vegalite_to_png(specification, scale=_SHARP))
    if kind == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(specification))
    return str(vl_convert.vegalite_to_svg(specification))
