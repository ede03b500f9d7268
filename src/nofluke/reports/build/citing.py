"""What a result rests on: the literature of the methods that were really used, and what they were told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nofluke.registry import REGISTRIES
from nofluke.types import Call, TestResult

Used = tuple[str, str] | tuple[str, str, Call | None]


def cited(*methods: Used) -> tuple[str, ...]:
    """Give the citations of (kind, name) or (kind, name, call), each once, in the order of use.

    The call says which options were used, and with them which literature. Unknown names are passed over.

    >>> cited(("test", "mcnemar"), ("test", "mcnemar", Call("test", {"mode": "midp"})))
    ('McNemar 1947', 'McNemar 1947; Fagerland, Lydersen and Laake 2013')
    """
    found = (
        REGISTRIES[kind][name].cited(*(one.options for one in call if one is not None))
        for kind, name, *call in methods
        if kind in REGISTRIES and name in REGISTRIES[kind]
    )
    return tuple(dict.fromkeys(found))


def used_in(tests: Iterable[TestResult]) -> tuple[Used, ...]:
    """Give the methods of tests, as (kind, name, call)."""
    return tuple((test.kind, test.method, test.call) for test in tests)


def call_settings(call: Call | None, *but: str) -> dict[str, Any]:
    """Give the options of a call and how its items were put together, for the settings of a report.

    Which systems and which part of the scores were looked at, a report says everywhere.

    >>> call_settings(Call("test", {"method": "sign", "alternative": "less"}, "pair", {"unit": 5}), "method")
    {'alternative': 'less', 'unit': 5}
    """
    if call is None:
        return {}
    whom = ("a", "b", "dataset", "metric", "run")
    chosen = {name: value for name, value in call.selection.items() if name not in whom}
    found = {name: value for name, value in {**call.options, **chosen}.items() if name not in but}
    return {name: ", ".join(map(str, value)) if isinstance(value, tuple) else value for name, value in found.items()}
