"""A chart becomes a file: in light or dark colours, narrow for a phone; and which of its letters no font here has."""

from __future__ import annotations

import json
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from nofluke.charts.drawing import ONE_AT_A_TIME, Chart
from nofluke.charts.theme import FONT, darkened
from nofluke.errors import InputError, MissingExtra, unknown

FORMATS = ("svg", "png", "pdf", "html", "json")
SHARP = 2.0  # pixels of a PNG per unit, so that it is sharp in print
WIDTH = 250  # what a phone leaves for the picture itself, beside its axis
_OVERLAP = 0.5  # by which thin bars beside each other close the gap that rounding leaves
_TITLE, _SUBTITLE, _AXIS = 34, 46, 34  # letters of each that fit into a line
# Kinds of files that hold drawn letters; the others keep the text, and the reader's own fonts show it.
DRAWN_LETTERS = ("png", "pdf")
_MOST = 200  # characters looked up: some three thousandths of a second each
_PRIVATE = "\U0010fffd"  # a private character at the end of Unicode, which no font has
_UNSEEN = ("C", "M", "Z")  # control characters, marks on other letters, spaces


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
        return bytes(vl_convert.vegalite_to_png(specification, scale=SHARP))
    if kind == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(specification))
    return str(vl_convert.vegalite_to_svg(specification))


def narrowed(specification: str) -> str:
    """Give the specification of the chart as a phone shows it: panels below each other, legends below the picture."""
    found = _narrow(json.loads(specification))
    legend = {**found.get("config", {}).get("legend", {}), "orient": "bottom", "direction": "vertical", "columns": 1}
    found["config"] = {**found.get("config", {}), "legend": legend}
    return json.dumps(found)


def _narrow(view: dict[str, Any], share: float = 1.0) -> dict[str, Any]:
    """One view, or several in layers or beside each other; `share` is how much of the width around it was left."""
    found = dict(view)
    wide = found.get("width")
    if isinstance(wide, int | float) and wide > WIDTH:
        found["width"], share = WIDTH, WIDTH / wide
    _thin_bars(found, share)
    if "hconcat" in found:
        found["vconcat"] = found.pop("hconcat")
    if "spec" in found:  # one panel for each value of a column
        found["columns"], found["spec"] = 1, _narrow(found["spec"], share)
    for parts in ("layer", "vconcat"):
        if parts in found:
            found[parts] = [_narrow(part, share) for part in found[parts]]
    if isinstance(found.get("title"), dict):
        found["title"] = _wrapped(_wrapped(found["title"], "text", _TITLE), "subtitle", _SUBTITLE)
    if "encoding" in found:
        found["encoding"] = {name: _channel(channel) for name, channel in found["encoding"].items()}
    return found


def _thin_bars(view: dict[str, Any], share: float) -> None:
    """Bars with a width of their own become narrow with the picture."""
    mark = view.get("mark")
    if share < 1 and isinstance(mark, dict) and mark.get("type") == "bar" and "size" in mark:
        view["mark"] = {**mark, "size": mark["size"] * share + _OVERLAP}


def _channel(channel: Any) -> Any:
    if not isinstance(channel, dict):
        return channel
    found = _wrapped(channel, "title", _AXIS)
    if isinstance(found.get("legend"), dict):
        found["legend"] = {key: value for key, value in found["legend"].items() if key not in ("orient", "columns")}
    return found


def _wrapped(given: dict[str, Any], key: str, letters: int) -> dict[str, Any]:
    """The same with one of its texts on as many lines as it needs."""
    text = given.get(key)
    if not text:
        return given
    lines = [part for line in ([text] if isinstance(text, str) else text) for part in textwrap.wrap(line, letters)]
    return {**given, key: lines}


def missing_characters(chart: Chart) -> str:
    """Give the characters in a chart's texts that would be drawn as empty boxes here."""
    texts = _texts(chart.to_dict(validate=False))
    letters = dict.fromkeys(letter for text in texts for letter in text if not letter.isascii())
    seen = [letter for letter in letters if not unicodedata.category(letter).startswith(_UNSEEN)]
    if not seen:
        return ""
    box = _drawn(_PRIVATE)
    return "".join(letter for letter in seen[:_MOST] if _drawn(letter) == box)


def _texts(part: Any) -> Iterator[str]:
    """All strings of a specification, at any depth."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from (text for value in part.values() for text in _texts(value))
    elif isinstance(part, Iterable):
        yield from (text for value in part for text in _texts(value))


def _drawn(letter: str) -> bytes:
    import vl_convert

    text = f'<text x="2" y="18" font-size="16" font-family="{escape(FONT)}">{escape(letter)}</text>'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">{text}</svg>'
    return bytes(vl_convert.svg_to_png(picture))
