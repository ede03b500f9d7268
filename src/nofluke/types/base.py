"""What all values share: JSON-safe dictionaries, a notebook view, read-only arrays."""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nofluke.types.labels import Labels

SCHEMA_VERSION = 2
# The smallest p-value: below it a float is 0, and a p-value never is.
SMALLEST = sys.float_info.min * sys.float_info.epsilon

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


class Value:
    """Mixin of every frozen value."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        # A dataclass with slots is made twice: the second time it has all that makes it one.
        made = cls.__dict__.get("__dataclass_params__")
        if made is not None and made.eq:
            cls.__eq__ = _equal  # type: ignore[method-assign]

    def to_dict(self) -> dict[str, Any]:
        """Give a JSON-safe dictionary (see json_safe)."""
        plain = json_safe(self)
        return {"type": type(self).__name__, "schema": SCHEMA_VERSION, **plain}

    def __str__(self) -> str:
        from nofluke.words import short

        return short(self)

    def _repr_html_(self) -> str:
        from nofluke.reports.notebook import as_html

        return as_html(self)

    def _repr_mimebundle_(self, **_wanted: Any) -> dict[str, str]:
        """What IPython shows: the short answer, not all fields, also where it shows no HTML."""
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def to_frame(self, library: str = "pandas") -> Any:
        """Give the rows of a result, unrounded, as a data frame of pandas, polars or pyarrow."""
        from nofluke.reports.frame import frame_of

        return frame_of(self, library)


def _equal(one: Any, other: object) -> Any:
    """Whether all fields are equal; what is unknown (the same nan) is. Dataclasses do so until Python 3.12 only."""
    if other.__class__ is not one.__class__:
        return NotImplemented
    return _compared(one) == _compared(other)


def _compared(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, field.name) for field in dataclasses.fields(value) if field.compare)


class Drawable(Value):
    """Mixin of results that have pictures."""

    __slots__ = ()

    def chart(self, name: str = "", **options: Any) -> Any:
        """Draw this result: an Altair chart to look at, restyle or save; without a name the most telling one."""
        from nofluke.charts import draw

        return draw(self, name, **options)


def json_safe(value: Any) -> Any:
    """Give what JSON can hold: nan is null, infinities are the strings Infinity and -Infinity."""
    if hasattr(value, "__plain__"):
        return json_safe(value.__plain__())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: json_safe(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if not callable(getattr(value, field.name))
        }
    if isinstance(value, np.ndarray):
        return json_safe(value.tolist())
    if isinstance(value, np.generic):
        return json_safe(value.item())
    if isinstance(value, Mapping):
        return {str(key): json_safe(item) for key, item in value.items()}
    if isinstance(value, list | tuple | Labels):
        return [json_safe(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def counted(number: int, noun: str) -> str:
    """Give "1 item" or "2,000 items"."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def sealed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Make an array read-only that was made here and is held by nobody else: nothing is copied."""
    array.flags.writeable = False
    return array


def frozen(array: npt.ArrayLike, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """Give a read-only array that nobody else can write to."""
    result = np.asarray(array, dtype=dtype)
    if result.flags.writeable:
        result = result.copy() if result is array or result.base is not None else result
        result.flags.writeable = False
    return result
