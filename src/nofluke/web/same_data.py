"""Other tests of the same data: what the app remembers, a report must not keep to itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from nofluke.errors import NoflukeError
from nofluke.option_groups import Reading
from nofluke.options import options_of
from nofluke.types import Comparison, TestResult
from nofluke.types.load import from_dict
from nofluke.verbs.compare import with_other_tests
from nofluke.web.requests import ALIGNING
from nofluke.web.store import Job, Store
from nofluke.web.uploads import uploads_of

# What a comparison itself says of its data: whoever chose the same by other words looked at the same.
_RESOLVED = ("systems", "metric", "dataset", "higher_is_better", "scores", "n", "unit_size", "clusters", "alignment")
_READING = tuple(option.name for option in options_of(Reading))
_UPLOAD = re.compile(r'"upload": "([^"]*)"')
_NAMES = ("a", "b", "dataset", "metric")


def with_all_tests(comparison: Comparison, job: Job, store: Store) -> Comparison:
    """Give a comparison with every other test that finished on the same data, in the order they were asked for."""
    return with_other_tests(comparison, _other_tests(comparison, job, store))


def _other_tests(comparison: Comparison, job: Job, store: Store) -> Iterator[TestResult]:
    contents = {twin: upload.sha256 for upload in uploads_of(store, job.request) for twin in store.alike(upload.id)}
    text = _by_content(json.dumps(dict(job.request)), contents)
    own, facts, seen = json.loads(text), comparison.to_dict(), {text}
    files, example = own["data"].get("files") or (), own["data"].get("example")
    first = str(files[0].get("upload") or "") if files else ""
    for identifier, action, request in store.tests_on(first, str(example or "")):
        asked_text = _by_content(request, contents)
        if asked_text in seen:
            continue
        seen.add(asked_text)
        asked = json.loads(asked_text)
        if not _same_source(asked, own):
            continue
        found = json.loads(store.result(identifier) or "{}")
        if action == "compare":
            same = all(found.get(name) == facts[name] for name in _RESOLVED)
            tests = [found.get("test"), found.get("margin_test")]
        else:
            same, tests = _same_choice(asked, own, facts), [found]
        yield from _loaded(tests if same else [], found.get("schema"))


def _by_content(request: str, contents: Mapping[str, str]) -> str:
    """The text of a request with files known by what they hold: who uploads a file again looks at the same data."""
    return _UPLOAD.sub(lambda found: f'"upload": "{contents.get(found[1], found[1])}"', request)


def _same_source(asked: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Whether the same files, scored alike, were matched alike; how columns were read shows in what was found."""

    def source(request: Mapping[str, Any]) -> tuple[Any, ...]:
        data = {name: value for name, value in request["data"].items() if name not in _READING}
        return data, *(request.get(name) for name in ALIGNING if name not in _NAMES)

    return source(asked) == source(own)


def _same_choice(asked: Mapping[str, Any], own: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    """Whether a lone test, which does not say what it was chosen from, was asked of the same systems and columns."""
    resolved = {"a": facts["systems"][0], "b": facts["systems"][1], **{name: facts[name] for name in _NAMES[2:]}}
    if any(asked["data"].get(name) != own["data"].get(name) for name in _READING):
        return False
    return all(asked.get(name) in (own.get(name), resolved[name]) for name in _NAMES)


def _loaded(tests: list[Any], schema: Any) -> Iterator[TestResult]:
    for one in tests:
        try:
            value = from_dict({"type": "TestResult", "schema": schema, **one}) if isinstance(one, Mapping) else None
        except NoflukeError:  # written by a version that knew other fields
            continue
        if isinstance(value, TestResult):
            yield value
