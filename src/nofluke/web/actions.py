"""What the app can do: each action is one call of the library, run in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nofluke.types import Value
from nofluke.web.asking import (
    Given,
    on_datasets,
    on_numbers,
    on_p_values,
    on_pair,
    on_ratings,
    on_scores,
    score,
)
from nofluke.web.data import Files, Progress
from nofluke.web.expansion import check_expansion
from nofluke.web.inspecting import inspect
from nofluke.web.safety import Limits

Action = Callable[[str, Mapping[str, Any], Given], Value]

ACTIONS: dict[str, Action] = {
    "compare": on_pair,
    "test": on_pair,
    "describe": on_pair,
    "recommend": on_pair,
    "effect": on_pair,
    "bayes": on_pair,
    "power_curve": on_pair,
    "rank": on_scores,
    "omnibus": on_scores,
    "score": score,
    "replicate": on_datasets,
    "agree": on_ratings,
    "correct": on_p_values,
    "combine": on_p_values,
    "sample_size": on_numbers,
    "power": on_numbers,
    "detectable_effect": on_numbers,
    "inspect": lambda _action, request, given: inspect(request, given.files, given.progress, given.limits),
}


def perform(
    action: str,
    request: Mapping[str, Any],
    files: Files,
    progress: Progress,
    limits: Limits | None = None,
    items: Path | None = None,
) -> Value:
    """Do it. Scores of items go to `items`, if there is one."""
    allowed = limits or Limits()
    for path, _name in files.values():
        check_expansion(Path(path), allowed)
    return ACTIONS[action](action, request, Given(files, progress, allowed, items))
