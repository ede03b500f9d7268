"""Programs of the system that some tests need: pdflatex and a browser (tests/system_packages.sh installs them)."""

from __future__ import annotations

import os
import shutil

import pytest


def program(*names: str) -> str:
    """Give the path of the first program that is there; without one skip, but fail under CI."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is not None:
        return found
    told = f"{names[0]} is not installed: run tests/system_packages.sh (make test does)"
    if os.environ.get("CI"):
        pytest.fail(told)
    pytest.skip(told)
