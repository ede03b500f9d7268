"""A chart as a notebook shows it: a picture, without network, unless a renderer of Altair's was chosen.

Altair's own default fetches scripts from elsewhere: without network there is an error in place of the picture.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint
from nofluke.charts.picture_files import SHARP, rendered
from nofluke.errors import MissingExtra

# Where the header of a PNG says how wide it is.
_PNG_WIDTH = slice(16, 20)


def shown(chart: Chart) -> Chart:
    """Let a chart show itself so, and what is made of it by its own methods."""
    # Altair takes an attribute that is set for a part of the picture.
    kind: Any = type(chart)
    object.__setattr__(chart, "__class__", _showing(kind))
    return chart


@cache
def _showing(kind: Any) -> Any:
    """The same kind of chart, but for what a notebook asks it for."""

    def bundle(chart: Chart, *asked: Any, **wanted: Any) -> Any:
        if altair_or_hint().renderers.active != "default":
            return kind._repr_mimebundle_(chart, *asked, **wanted)
        return _pictures(chart)

    def reduced(chart: Chart, _protocol: int) -> Any:
        return _again, (kind, chart.__dict__)

    named = {"__module__": kind.__module__, "__doc__": kind.__doc__, "__qualname__": kind.__qualname__}
    return type(kind.__name__, (kind,), {**named, "_repr_mimebundle_": bundle, "__reduce_ex__": reduced})


def _again(kind: type, held: dict[str, Any]) -> Chart:
    """A chart out of what its copy or pickle holds: the class made above is nowhere to be imported from."""
    chart: Any = object.__new__(kind)
    chart.__dict__.update(held)
    return shown(chart)


def _pictures(chart: Chart) -> tuple[dict[str, str], dict[str, Any]]:
    """SVG, and PNG for notebooks of others, in which SVG is not trusted; in words where no picture is shown."""
    words = {"text/plain": str(chart.to_dict().get("description", chart))}
    try:
        svg: Any = rendered(chart, "svg")
        png: Any = rendered(chart, "png")
    except MissingExtra as lacking:
        return {"text/plain": f"{words['text/plain']}\n{lacking}"}, {}
    width = round(int.from_bytes(png[_PNG_WIDTH]) / SHARP)
    found = {"image/svg+xml": svg, "image/png": b64encode(png).decode()}
    return {**found, **words}, {"image/png": {"width": width}}
