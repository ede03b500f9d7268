"""What is asked: name of the case -> a function without arguments that gives the answer of a public verb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Case = Callable[[], Any]
Cases = dict[str, Case]
