"""Settings of the whole suite."""

from __future__ import annotations

import os

# Tests of the cache name their own folder; all others must not touch the user's.
os.environ["NOFLUKE_CACHE"] = "off"
