"""The charts of a report as a page draws them: specifications, words for those who cannot see, and the script."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from nofluke.errors import MissingExtra, NoflukeError
from nofluke.types import Report, Value
from nofluke.words import pictures as words


@dataclass(frozen=True, slots=True)
class Picture:
    """One chart: its name, its Vega-Lite specification in light colours, what it shows; `caption` is printed."""

    name: str
    specification: Mapping[str, Any]
    description: str
    caption: str


@dataclass(frozen=True, slots=True)
class Pictures:
    """All charts of a report by name, the dark colour of every light one, and why some are missing."""

    by_name: Mapping[str, Picture] = field(default_factory=dict)
    dark: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def pictures_of(result: Value, report: Report) -> Pictures:
    """Draw what the report's sections ask for, then whatever else can be drawn of the result."""
    if isinstance(result, Report):
        return Pictures()
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401

        from nofluke.charts import chart_names, draw
        from nofluke.charts.theme import PALETTES
    except (ImportError, MissingExtra):
        return Pictures(note=words.NOT_INSTALLED if any(section.chart for section in report.sections) else "")
    asked = [section.chart for section in report.sections if section.chart]
    drawn: dict[str, Picture] = {}
    missing: list[str] = []
    for name in dict.fromkeys([*asked, *chart_names(result)]):
        try:
            chart = draw(result, name)
        except NoflukeError:
            # A chart that does not apply to this result (no interval, say) is told, not fatal.
            missing.append(name)
            continue
        # Our own charts are valid (tests check it); validating them again would cost a tenth of a second.
        specification = dict(chart.to_dict(validate=False))
        spoken = str(specification.get("description", ""))
        drawn[name] = Picture(name, specification, spoken, _caption(spoken, report.headline))
    note = words.not_drawn(missing) if missing else ""
    dark = {colour: PALETTES["dark"][role] for role, colour in PALETTES["light"].items()}
    return Pictures(drawn, dark, note)


def _caption(spoken: str, verdict: str) -> str:
    """What is printed below a chart: who listens to a chart alone is told the verdict too, a page has it already."""
    rest = spoken.replace(verdict, "").strip().rstrip(";:")
    return rest if not rest or rest.endswith(".") else f"{rest}."


# What of the bundle a page needs; modules keep everything else to themselves.
_SNIPPET = "window.vegaEmbed = vegaEmbed;"


@cache
def vega_bundle() -> str:
    """Give Vega, Vega-Lite and Vega-Embed as one script; making it takes seconds, so it is made once and kept."""
    import vl_convert

    from nofluke.readers.cache_folder import cache_folder

    folder = cache_folder()
    path = None if folder is None else folder / f"vega-{metadata.version('vl-convert-python')}.js"
    if path is not None:
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            pass
    # An end tag inside a string of the script would end the script.
    script = str(vl_convert.javascript_bundle(_SNIPPET)).replace("</script", "<\\/script")
    if path is not None:
        _keep(path, script)
    return script


def _keep(path: Path, script: str) -> None:
    """Write the file whole or not at all: another process may read it at the same time. No cache is no error."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(script)
        os.replace(name, path)
    except OSError:
        return
