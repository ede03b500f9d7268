"""Data frames of pandas, polars or pyarrow, through narwhals."""

from __future__ import annotations

import sys
from typing import Any

from nofluke.align.decimals import FLOAT_DIGITS
from nofluke.errors import InputError
from nofluke.readers.columns import ArrayColumn, ValueColumn
from nofluke.readers.table import Column, Place, Table
from nofluke.types.bounds import refuse_columns

_LIBRARIES = ("pandas", "polars", "pyarrow", "modin", "cudf")
_UNIQUE = "give every column its own name."


def is_frame(source: object) -> bool:
    """Whether a value is a data frame of a known library; decided without importing any."""
    library = type(source).__module__.partition(".")[0]
    return library in _LIBRARIES and library in sys.modules and hasattr(type(source), "columns")


def read_frame(frame: Any) -> Table:
    """Read a frame; a pandas index that carries names or ids becomes a column."""
    import narwhals as nw

    if hasattr(frame, "collect"):
        frame = frame.collect()
    refuse_columns(len(frame.columns), "frame")
    if hasattr(frame, "reset_index") and type(frame.index).__name__ != "RangeIndex":
        try:
            frame = frame.reset_index()
        except ValueError as error:
            raise InputError(f"the index cannot become a column: {error}.", where="frame") from None
    if hasattr(frame, "set_axis"):
        # pandas allows numbers and tuples as column names; here names are text.
        names = ["/".join(map(str, name)) if isinstance(name, tuple) else str(name) for name in frame.columns]
        frame = frame.set_axis(names, axis="columns")
    try:
        table = nw.from_native(frame, eager_only=True)
    except (TypeError, ValueError) as error:
        raise InputError(f"the frame cannot be read: {error}.", where="frame", fix=_UNIQUE) from None
    if not len(table):
        raise InputError("the frame has no rows.", where="frame", fix="give a frame with scores.")
    place = Place("frame", None)
    columns = {str(name): _column(table[name], str(name), place) for name in table.columns}
    if len(columns) != len(table.columns):
        raise InputError("the frame has columns of the same name.", where="frame", fix=_UNIQUE)
    return Table("frame", columns, len(table), place, FLOAT_DIGITS, pandas="frame")


def _column(series: Any, name: str, place: Place) -> Column:
    kind = series.dtype
    if not kind.is_numeric() or kind.is_decimal():
        return ValueColumn(series.to_list(), name, place)
    missing = series.is_null().to_numpy() if series.null_count() else None
    filled = series if missing is None else series.fill_null(0)
    return ArrayColumn(filled.to_numpy(), missing, name, place)
