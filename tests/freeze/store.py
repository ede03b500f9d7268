"""The stored numbers: one compressed file of cases, the same bytes from the same numbers."""

from __future__ import annotations

import gzip
import json
import math
import platform
import re
from collections.abc import Iterator
from functools import cache
from itertools import count, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "numbers.json.gz"
# Elsewhere the last digits are those of another compiler; a wrong formula shows in the first ones.
NEAR, TINY = 1e-6, 1e-9
_ROW = re.compile(r"(?P<rows>(.*\.)?rows\.)(?P<place>\d+)")
_METHOD_OF_ROW = re.compile(_ROW.pattern + r"\.method")


@cache
def stored() -> dict[str, Any]:
    return json.loads(gzip.decompress(FILE.read_bytes()))


def store(cases: dict[str, dict[str, str]], sources: dict[str, str]) -> None:
    kept = {"machine": machine(), "cases": cases, "sources": sources}
    text = json.dumps(kept, sort_keys=True, ensure_ascii=False, indent=0)
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def machine() -> str:
    """What decides over last digits: libraries, the processor by whose model BLAS chooses its kernels, and sum()."""
    import numpy as np
    import scipy
    from numpy._core._multiarray_umath import __cpu_features__

    features = ",".join(name for name, found in sorted(__cpu_features__.items()) if found)
    # From Python 3.12 on sums carry what rounding leaves.
    sums = "compensated sums, " if sum([0.1] * 10) == 1 else ""
    return f"{sums}numpy {np.__version__}, scipy {scipy.__version__}, {platform.machine()} {_processor()}: {features}"


def _processor() -> str:
    """Vendor, family and model: two processors of the same instructions get other kernels from OpenBLAS."""
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        return platform.processor()
    told = dict(line.partition(":")[::2] for line in lines)
    facts = {name.strip(): value.strip() for name, value in told.items()}
    return " ".join(facts.get(name, "") for name in ("vendor_id", "cpu family", "model"))


def differences(before: dict[str, str], now: dict[str, str], *, here: bool = True) -> list[str]:
    """Say which stored numbers are gone or other ones now; numbers that are new are welcome."""
    now = _without_new_rows(before, now)
    same = _same if here else _near
    return [
        f"{path}: was {value}, is {now.get(path, 'gone')}"
        for path, value in before.items()
        if path not in now or not same(value, now[path])
    ]


def _without_new_rows(before: dict[str, str], now: dict[str, str]) -> dict[str, str]:
    """Number the rows of methods as if those of methods that came since were not there.

    Every comparison lists all tests by verdict, so a new test moves the others down.
    """
    known = {(rows, name) for rows, _, name in _methods_of_rows(before)}
    moved: dict[str, str] = {}
    for rows, group in groupby(sorted(_methods_of_rows(now)), key=itemgetter(0)):
        places = count()
        if any(rows == one for one, _ in known):
            for _, place, name in group:
                moved[f"{rows}{place}"] = f"{rows}{next(places)}" if (rows, name) in known else ""
    renamed = {}
    for path, value in now.items():
        row = found[0] if (found := _ROW.match(path)) else ""
        if moved.get(row) != "":
            renamed[moved.get(row, row) + path[len(row) :]] = value
    return renamed


def _methods_of_rows(numbers: dict[str, str]) -> Iterator[tuple[str, int, str]]:
    for path, name in numbers.items():
        if found := _METHOD_OF_ROW.fullmatch(path):
            yield found["rows"], int(found["place"]), name


def _same(before: str, now: str) -> bool:
    return before == now


def _near(before: str, now: str) -> bool:
    """Another machine: names and whole numbers are the same, other numbers and sums of rows nearly so."""
    if before == now:
        return True
    if " sum " in before and " sum " in now:
        (shape, rest), (new_shape, new_rest) = before.split(" sum "), now.split(" sum ")
        return shape == new_shape and _near(rest.split()[0], new_rest.split()[0])
    try:
        return math.isclose(float(before), float(now), rel_tol=NEAR, abs_tol=TINY)
    except ValueError:
        return False
