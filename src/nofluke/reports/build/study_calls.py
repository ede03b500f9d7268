"""The call in Python that gives a study again, from the settings that it records."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from nofluke.reports.build.calls import FILE
from nofluke.types import Study

# Names of studies that are no names of their functions.
_FUNCTIONS = {"test-size": "by_test_size", "sample-size": "sample_size_study"}
# What a study is told first, by the name of its function's first parameter; the others simulate.
_DATA = {"scores": f"nf.read({FILE!r})", "a": f"nf.read({FILE!r}).pair()"}
# Facts about the data, which are no options.
_FACTS = frozenset({"n", "systems"})
# Tables of the user's own, of which a study records only that there were some.
_TABLES = frozenset({"groups", "overlay", "domains"})
_DESIGN = re.compile(r"(.+) vs (.+) \((\w+)\)")


def study_calls(result: Study) -> dict[str, str]:
    """Give the call; none where a setting cannot be written down, such as a table of groups."""
    from nofluke import studies

    name = _FUNCTIONS.get(result.name, result.name)
    function: Callable[..., Any] | None = getattr(studies, name, None)
    if function is None or result.name == "synthesize":
        return {}
    parameters = inspect.signature(function).parameters
    settings = {key: _argument(value) for key, value in result.settings.items() if key not in _FACTS}
    if not settings.keys() <= parameters.keys() - _TABLES:
        return {}
    given = [f"{key}={value!r}" for key, value in settings.items() if _plain(value) != _plain(parameters[key].default)]
    data = _DATA.get(next(iter(parameters)))
    arguments = ", ".join([*([data] if data else []), *given])
    return {"Python": f"import nofluke as nf\nprint(nf.studies.{name}({arguments}))"}


def _argument(value: Any) -> Any:
    """A setting as its function takes it: designs of simulations are recorded as people read them."""
    if not isinstance(value, list | tuple):
        return value
    designs = [_DESIGN.fullmatch(part) if isinstance(part, str) else None for part in value]
    return [match.groups() if match else part for match, part in zip(designs, value, strict=True)]


def _plain(value: Any) -> Any:
    """Lists and tuples say the same."""
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
