"""Stored texts: wording is reviewed like code. NOFLUKE_UPDATE_SNAPSHOTS=1 rewrites them."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "snapshots"


def check_snapshot(name: str, text: str) -> None:
    path = FOLDER / f"{name}.txt"
    if os.environ.get("NOFLUKE_UPDATE_SNAPSHOTS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"no snapshot {name}; run with NOFLUKE_UPDATE_SNAPSHOTS=1 and read what it wrote"
    assert text == path.read_text(encoding="utf-8"), f"the wording of {name} changed"
