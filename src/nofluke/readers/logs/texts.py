"""What items ask, read again from the logs where somebody wants to see it: scores are kept without any text."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Any

from nofluke.errors import InputError, listing
from nofluke.readers.logs.find import candidates, logs_among
from nofluke.readers.logs.record import by_content
from nofluke.registry import FORMATS
from nofluke.types import Scores

# Of a record of several fields the first of these is shown; else all of them.
_QUESTIONS = ("question", "query", "prompt", "input", "problem", "instruction", "text", "sentence", "goal")
_LONGEST = 300

Item = tuple[str, str]


def texts_of(given: Iterable[Any], wanted: Collection[Item], format: str, *, content: bool) -> dict[Item, str]:
    """Give the texts of items, known by task and id; where no log says what its items ask, that is refused."""
    found: dict[Item, str] = {}
    kinds: set[str] = set()
    for source in given:
        logs = [] if isinstance(source, Scores) else logs_among(candidates(source), format)
        for one, kind in logs:
            asks = FORMATS[kind].facts["asks"]
            if not asks:
                continue
            kinds.add(kind)
            with suppress(InputError):  # a file beside the logs that was passed over before
                # Readers give this field as they give a field of clusters.
                for log in FORMATS[kind].function(one.given, asks):
                    named = by_content(log) if content else log
                    texts = zip(named.items, log.clusters or (), strict=False)
                    found |= {
                        (log.dataset, item): _short(text) for item, text in texts if (log.dataset, item) in wanted
                    }
            one.given.forget()
    if not kinds:
        labels = [one.label for one in FORMATS if one.facts["asks"]]
        raise InputError(
            "nothing here says what items ask.",
            fix=f"leave it out; texts are shown of logs of {listing(labels)}.",
        )
    return found


def _short(text: str) -> str:
    """Take the question out of a record, on one line."""
    value: Any = text
    with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
        value = ast.literal_eval(text) if text.startswith(("{", "[")) else text
    if isinstance(value, dict):
        texts = {str(key).casefold(): one for key, one in value.items() if isinstance(one, str) and one.strip()}
        value = next((texts[key] for key in _QUESTIONS if key in texts), "; ".join(texts.values()) or text)
    elif isinstance(value, list):
        # A conversation: what was said last.
        last = value[-1] if value and isinstance(value[-1], dict) else {}
        value = last.get("content") or text
    flat = " ".join(str(value).split())
    return flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 1]}…"
