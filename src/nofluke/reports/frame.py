"""The rows of a result as a data frame of the user's own library."""

from __future__ import annotations

from typing import Any, Literal

import narwhals as nw

from nofluke.errors import MissingExtra, unknown
from nofluke.reports.build import build
from nofluke.types import Value

LIBRARIES: tuple[Literal["pandas", "polars", "pyarrow"], ...] = ("pandas", "polars", "pyarrow")


def frame_of(result: Value, library: str = "pandas") -> Any:
    """The records that CSV holds, unrounded: one row a system, dataset, pair or quantity; unknown is missing."""
    backend = next((known for known in LIBRARIES if known == library), None)
    if backend is None:
        raise unknown("library of data frames", library, LIBRARIES)
    records = build(result).records
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = {name: [_known(record.get(name)) for record in records] for name in names}
    try:
        return nw.from_dict(columns, backend=backend).to_native()
    except ImportError:
        raise MissingExtra(f"{library} is not installed.", fix=f"pip install {library}") from None


def _known(value: Any) -> Any:
    return None if value is None or value != value else value
