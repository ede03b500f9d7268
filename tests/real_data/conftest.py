"""Tests on real outputs; the data lie beside the repository and are never copied into it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"


@pytest.fixture(autouse=True)
def scored_once(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs that several tests score are scored once for all workers, by nofluke's own cache of statistics."""
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    monkeypatch.setenv("NOFLUKE_CACHE", str(shared / "statistics"))


@pytest.fixture
def data() -> Callable[[str], Path]:
    """Give the folder of a data set, or skip and say so."""

    def folder(name: str) -> Path:
        if not (DATA / name).is_dir():
            pytest.skip(f"real data not found: shared/data/{name} does not lie beside the repository")
        return DATA / name

    return folder


@pytest.fixture
def expected(data: Callable[[str], Path]) -> Callable[[str], dict[str, Any]]:
    """Give the recorded facts of a data set."""

    def facts(name: str) -> dict[str, Any]:
        return json.loads((data(name) / "expected.json").read_text(encoding="utf-8"))

    return facts
