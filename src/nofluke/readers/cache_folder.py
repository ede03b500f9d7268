"""Where nofluke keeps what took long to compute."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path | None:
    """Give the folder of kept statistics; None when NOFLUKE_CACHE=off. NOFLUKE_CACHE may name another folder."""
    asked = os.environ.get("NOFLUKE_CACHE", "").strip()
    if asked.lower() in ("off", "0", "no", "false"):
        return None
    if asked:
        return Path(asked).expanduser()
    home = os.environ.get("XDG_CACHE_HOME", "").strip()
    try:
        return (Path(home) if home else Path.home() / ".cache") / "nofluke"
    except RuntimeError:  # no home folder
        return None
