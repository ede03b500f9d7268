"""Colours and type of all charts: A is always blue, B always orange, both safe for colour-blind readers.

Every colour in a chart is one of the light palette, so a page can show the same chart dark by exchanging palettes.
"""

from __future__ import annotations

from typing import Any

FONT = 'system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif'

PALETTES = {
    "light": {
        "ink": "#1c2024",
        "soft": "#5b646e",
        "line": "#d9d5ca",
        "paper": "#ffffff",
        "a": "#0072b2",
        "b": "#d55e00",
        "yes": "#0b7a5c",
        "open": "#9a6700",
        "no": "#b42318",
        "wash": "#e9e6dd",
    },
    "dark": {
        "ink": "#e8e6e1",
        "soft": "#9aa4ae",
        "line": "#3a424b",
        "paper": "#1c2024",
        "a": "#56b4e9",
        "b": "#f0894d",
        "yes": "#3fc79a",
        "open": "#e2b13c",
        "no": "#ff7b72",
        "wash": "#2d333a",
    },
}

COLOURS = PALETTES["light"]


def theme() -> dict[str, Any]:
    """Give the Vega-Lite configuration."""
    colour = COLOURS
    text = {"labelColor": colour["soft"], "titleColor": colour["ink"]}
    return {
        "background": colour["paper"],
        "font": FONT,
        "view": {"stroke": None},
        # A mark without a colour of its own gets one of the palette, so that it is seen on dark paper too.
        "mark": {"color": colour["a"]},
        "rule": {"color": colour["ink"]},
        "text": {"color": colour["ink"]},
        "axis": {
            **text,
            "gridColor": colour["line"],
            "gridOpacity": 0.6,
            "domainColor": colour["line"],
            "tickColor": colour["line"],
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "labelLimit": 220,
            "titlePadding": 8,
            # Labels stay under their ticks: pushed inwards, the last ones would touch their neighbours.
            "labelFlush": False,
        },
        "legend": {**text, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 260},
        "header": {**text, "labelFontSize": 12},
        "title": {
            "color": colour["ink"],
            "subtitleColor": colour["soft"],
            "fontSize": 15,
            "subtitleFontSize": 12,
            "fontWeight": 600,
            "anchor": "start",
            "offset": 12,
        },
        "range": {
            "category": [colour["a"], colour["b"], colour["soft"], colour["yes"], colour["open"], colour["no"]],
            "ordinal": [colour["yes"], colour["open"], colour["no"], colour["wash"]],
            "diverging": [colour["b"], colour["wash"], colour["a"]],
            "heatmap": [colour["wash"], colour["a"]],
            "ramp": [colour["wash"], colour["a"]],
        },
    }


def look(role: str) -> dict[str, Any]:
    """Give the properties of a mark by its role: a bar of A, the line at zero, a limit.

    Lines, bands, limits and labels have no values of their own to tell, so a screen reader passes over them.
    """
    colour, _, kind = role.partition("-")
    if kind == "bar":
        return {"color": COLOURS[colour], "stroke": COLOURS["paper"], "strokeWidth": 0.5, "opacity": 0.85}
    if kind == "line":
        return {"color": COLOURS[colour], "strokeWidth": 2, "aria": False}
    if kind == "band":
        return {"color": COLOURS[colour], "opacity": 0.18, "aria": False}
    return _LOOKS.get(role) or {"color": COLOURS[role]}


def darkened(specification: str) -> str:
    """Exchange the colours of a chart's JSON for those of the dark palette."""
    for role, light in COLOURS.items():
        specification = specification.replace(f'"{light}"', f'"{PALETTES["dark"][role]}"')
    return specification


_LOOKS: dict[str, dict[str, Any]] = {
    "zero": {"color": COLOURS["ink"], "strokeWidth": 1, "strokeDash": [4, 3], "opacity": 0.7, "aria": False},
    "limit": {"color": COLOURS["no"], "strokeWidth": 1, "strokeDash": [2, 2], "aria": False},
    "label": {"color": COLOURS["ink"], "fontSize": 12, "font": FONT, "aria": False},
}
