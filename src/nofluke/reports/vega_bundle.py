"""The JavaScript that draws charts in a report: taken from vl-convert, kept in the cache by its version."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from importlib import metadata
from pathlib import Path

from nofluke.metrics.cache import cache_folder

# What of the bundle a page needs; modules keep everything else to themselves.
_SNIPPET = "window.vegaEmbed = vegaEmbed;"


@cache
def vega_bundle() -> str:
    """Give Vega, Vega-Lite and Vega-Embed as one script; making it takes seconds, so it is made once and kept."""
    import vl_convert

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
