"""What a chart is made of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from nofluke.charts import draw, rendered
from nofluke.types import Study


def rows_drawn(study: Study, name: str) -> list[dict[str, Any]]:
    """Every row of data in a chart, wherever its specification holds it."""
    specification = json.loads(str(rendered(draw(study, name), "json")))
    named = [row for rows in specification.get("datasets", {}).values() for row in rows]
    return [*named, *_values(specification)]


def _values(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict) and isinstance(node.get("data"), dict):
        yield from node["data"].get("values", [])
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _values(part)
