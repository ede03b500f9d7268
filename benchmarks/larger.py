"""A table larger than memory is ranked from disk, beside what a data frame takes for a tenth of it.

Each is a process of its own, and says what it took: CPU seconds, and the largest resident memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from timing import Row

HERE = Path(__file__).parent
NOFLUKE = Path(sys.executable).parent / "nofluke"
SYSTEMS, ITEMS = 50, 2_000_000
_FILES = 10
_LONGEST = 3_000
# The t statistics of all pairs of the columns of a frame, the shortest way: no correction, no ranks.
_ALL_PAIRS = """
import numpy as np
n, size = table.shape
t = np.zeros((size, size))
for i in range(size):
    d = table[:, i:i + 1] - table
    t[i] = d.mean(axis=0) / np.maximum(d.std(axis=0, ddof=1), 1e-300) * n ** 0.5
"""
_PANDAS = """
import pandas as pd
table = pd.read_parquet({path!r}).pivot(index="item", columns="system", values="score").to_numpy()
"""
_POLARS = """
import polars as pl
long = pl.read_parquet({path!r} + "/*.parquet")
table = long.pivot(on="system", index="item", values="score").drop("item").to_numpy()
"""


def long_parquet(folder: Path, systems: int = SYSTEMS, items: int = ITEMS) -> None:
    """item, system, score rows in ten files: scores with two decimals, of systems that differ by little."""
    import duckdb

    folder.mkdir()
    connection = duckdb.connect()
    each = items // _FILES
    noise = "(hash(i * 2 + {at}) % 1000003 + 1) / 1000004.0"
    ease = f"0.15 * sqrt(-2 * ln({noise.format(at=1)})) * cos(2 * pi() * {noise.format(at=0)})"
    score = f"0.5 + 0.002 * s / {systems} + {ease} + 0.1 * ((hash(i * 64 + s) % 1000003) / 1000003.0 - 0.5)"
    for number in range(_FILES):
        connection.execute(
            f"COPY (SELECT 'item-' || i AS item, 'system-' || lpad(s::VARCHAR, 2, '0') AS system, "
            f"least(1.0, greatest(0.0, round({score}, 2))) AS score "
            f"FROM range({number * each}, {(number + 1) * each}) a(i), range({systems}) b(s)) "
            f"TO '{folder / f'part-{number}.parquet'}' (FORMAT parquet)"
        )


def ranked_from_disk() -> Iterator[Row]:
    """W10: 50 systems ranked from a folder of long Parquet, 2,000,000 items (100,000,000 rows) and a tenth of them."""
    with tempfile.TemporaryDirectory() as folder:
        whole, tenth = Path(folder, "whole"), Path(folder, "tenth")
        long_parquet(whole)
        yield _row("nofluke rank --memory 2GB, 100,000,000 rows", [str(NOFLUKE), "rank", "--memory", "2GB", str(whole)])
        long_parquet(tenth, items=ITEMS // 10)
        yield _row("nofluke rank --memory 300MB, a tenth", [str(NOFLUKE), "rank", "--memory", "300MB", str(tenth)])
        yield _row("nofluke rank, a tenth in memory", [str(NOFLUKE), "rank", str(tenth)])
        for name, read in (("pandas", _PANDAS), ("polars", _POLARS)):
            script = read.format(path=str(tenth)) + _ALL_PAIRS
            yield _row(f"{name}: pivot and t of all pairs, a tenth", [sys.executable, "-c", script])


def _row(name: str, command: list[str]) -> Row:
    """One run of a command as nobody's but a small process's child."""
    alone = [sys.executable, "-I", "-S", str(HERE / "alone.py"), str(_LONGEST), *command]
    told = os.environ | {"NOFLUKE_CACHE": "off"}
    ran = subprocess.run(alone, capture_output=True, check=True, env=told)
    wall, cpu, size, status = map(float, ran.stdout.split())
    return Row(name, cpu, "ranked" if status == 0 else f"ended with {status:.0f}", f"{wall:.0f} s, {size:.0f} MB")
