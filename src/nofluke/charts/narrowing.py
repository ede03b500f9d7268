"""The same chart for a phone: narrow enough that nothing must be shrunk, with its words on several lines."""

from __future__ import annotations

import json
import textwrap
from typing import Any

WIDTH = 250  # what a phone leaves for the picture itself, beside its axis
_OVERLAP = 0.5  # by which thin bars beside each other close the gap that rounding leaves
_TITLE, _SUBTITLE, _AXIS = 34, 46, 34  # letters of each that fit into a line


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
