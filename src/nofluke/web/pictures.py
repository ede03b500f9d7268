"""Pictures of stored results: drawn when somebody looks at them, one at a time, and kept."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from nofluke.registry import CHARTS
from nofluke.types import Comparison, Value
from nofluke.web.result_cache import cached
from nofluke.web.store import Store
from nofluke.words.names import by_name

# Charts are drawn one at a time anyway: those who wait for theirs must not hold the threads that pages need.
_PAINTER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="painter")


def labels_of(result: Value) -> dict[str, str]:
    """What each chart of a result shows, in words that need no drawing; the figures stand in the page's tables."""
    from nofluke.charts import chart_names

    systems = result.systems if isinstance(result, Comparison) else ()
    return {name: _of(CHARTS[name].label, systems) for name in chart_names(result)}


def _of(label: str, systems: tuple[str, ...]) -> str:
    """What a chart shows, with the names of the two systems somewhere in it."""
    named = by_name(label, systems)
    return named if not systems or named != label else f"{label}: {systems[0]} against {systems[1]}"


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture is wanted: SVG for a page, also in dark colours or narrow for a phone; PNG or PDF for paper."""

    kind: str
    dark: bool = False
    narrow: bool = False


async def picture(store: Store, identifier: str, result: Value, name: str, look: Look) -> bytes:
    """A chart, drawn when it is first asked for."""

    def found() -> bytes:
        return cached(store, identifier, ("picture", name, look), lambda: picture_bytes(result, name, look))

    return await asyncio.get_running_loop().run_in_executor(_PAINTER, found)


def picture_bytes(result: Value, name: str, look: Look) -> bytes:
    """Draw a chart now."""
    from nofluke.charts import draw, rendered

    # Only what stands in the page follows the reader's colours and screen; a picture to take away is for paper.
    on_page = look.kind == "svg"
    found = rendered(draw(result, name), look.kind, dark=look.dark and on_page, narrow=look.narrow and on_page)
    return found if isinstance(found, bytes) else found.encode("utf-8")
