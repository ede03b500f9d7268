"""Results do not change, so each is made once, however many tests look at it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")


def made_once(makers: dict[str, Callable[Given, Made]]) -> dict[str, Callable[Given, Made]]:
    return {name: cache(make) for name, make in makers.items()}  # type: ignore[misc]
