"""No value holds a sentence: strings are codes, facts of a registry, names of the user or signatures."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.reports.kinds import NAMES, RESULTS, type_of

import nofluke as nf
from nofluke.inference.power.designs import DESIGNS
from nofluke.registry import REGISTRIES
from nofluke.types import Note
from nofluke.types.load import from_dict
from nofluke.words import ANSWERS, short

_CODE = re.compile(r"[A-Za-z0-9_.:+\-/ ]{1,40}")
# A name or a noun phrase of a few words is no sentence; a registry fact may be longer.
_MOST_WORDS = 4


def registry_facts() -> set[str]:
    found: set[str] = set()
    for registry in REGISTRIES.values():
        for method in registry:
            found |= {method.label, method.summary, method.cite}
            found |= {value for value in method.facts.values() if isinstance(value, str)}
    # Tests as they are planned have a list of their own.
    return found | {fact for design in DESIGNS.values() for fact in (design.label, design.cite)}


def strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Note):
        yield from strings(dict(value.facts), f"{path}.{value.code}")
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):  # type: ignore[arg-type]
            if field.name != "signature":
                yield from strings(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from strings(part, f"{path}.{name}")
    elif isinstance(value, tuple | list):
        for part in value:
            yield from strings(part, path)


@pytest.mark.parametrize("kind", sorted(RESULTS))
def test_every_string_is_a_fact(kind: str) -> None:
    facts = registry_facts()
    for path, text in strings(RESULTS[kind](NAMES)):
        known = text in facts or text in NAMES or any(fact and fact in text for fact in facts if len(fact) > 20)
        short_enough = len(text.split()) <= _MOST_WORDS and _CODE.fullmatch(text) is not None
        assert not text or known or short_enough, f"{kind}{path} holds the sentence {text!r}"


@pytest.mark.parametrize("kind", sorted(RESULTS))
def test_words_are_a_function_of_the_value(kind: str) -> None:
    result = RESULTS[kind](NAMES)
    again = from_dict(result.to_dict())
    assert short(again) == short(result)
    for form in ("text", "markdown", "latex", "csv"):
        assert nf.report(again, form) == nf.report(result, form)


def test_every_kind_has_an_answer() -> None:
    assert set(ANSWERS) >= set(map(type_of, RESULTS))


@pytest.mark.parametrize("kind", sorted(RESULTS))
def test_an_answer_is_short_and_narrow(kind: str) -> None:
    lines = short(RESULTS[kind](NAMES)).splitlines()
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 80
