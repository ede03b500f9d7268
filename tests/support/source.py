"""The package as text and as syntax trees, read once per process."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import nofluke

PACKAGE = Path(nofluke.__file__).parent


@cache
def texts() -> Mapping[str, str]:
    """Every file of the package by its path below it, as in `words/numbers.py`."""
    return {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))
    }


@cache
def tree(name: str) -> ast.Module:
    """The syntax tree of one file; parsing all of them takes seconds, and several tests look at them."""
    return ast.parse(texts()[name])
