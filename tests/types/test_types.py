"""Values are frozen, JSON-safe, and describe themselves."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

import nofluke as nf
from nofluke import types
from nofluke.types import Interval, Value, frozen

ALL = [
    value
    for value in vars(types).values()
    if isinstance(value, type) and issubclass(value, Value) and value is not Value
]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_every_value_is_a_frozen_slotted_dataclass(kind: type) -> None:
    assert dataclasses.is_dataclass(kind)
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert "__slots__" in vars(kind)
    assert kind.__doc__


def test_every_result_with_a_signature_says_how_it_was_called() -> None:
    fields = {kind.__name__: {field.name for field in dataclasses.fields(kind)} for kind in ALL}
    signed = {name for name, own in fields.items() if "signature" in own}
    assert {name for name in signed if "call" not in fields[name]} == {"Report"}


def test_results_are_json_safe() -> None:
    comparison = nf.compare([0.5, 0.7, 0.9, 0.4], [0.5, 0.6, 0.2, 0.4])
    plain = comparison.to_dict()
    again = json.loads(json.dumps(plain, allow_nan=False))
    assert again == plain
    assert plain["type"] == "Comparison"
    assert plain["schema"] == types.SCHEMA_VERSION


def test_unknown_is_null_and_infinity_is_a_word() -> None:
    plain = Interval(-math.inf, math.inf, 0.95, "none").to_dict()
    assert (plain["low"], plain["high"], plain["achieved"]) == ("-Infinity", "Infinity", None)


def test_results_cannot_be_changed() -> None:
    result = nf.test([1, 2, 4], [1, 1, 1], "paired_t")
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.p_value = 0.0  # type: ignore[misc]


def test_frozen_arrays_belong_to_nobody_else() -> None:
    source = np.array([1.0, 2.0])
    copy = frozen(source)
    source[0] = 5
    assert copy[0] == 1
    assert not copy.flags.writeable
    assert frozen(copy) is copy
    view = frozen(source[:1])
    source[0] = 6
    assert view[0] == 5


def test_notebooks_show_escaped_text() -> None:
    html = Interval(0, 1, 0.95, "<script>")._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html


def test_short_answers() -> None:
    result = nf.compare([1, 1, 1, 0, 1, 1, 1, 1, 1, 0], [0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
    assert str(result).startswith("A is better than B: +0.60 (95% CI 0.16 to 0.83), p = 0.031.")
    assert str(result.test).startswith("A is better than B: difference in accuracy +0.60 (95% CI 0.16 to 0.83),")


def test_values_with_unknowns_are_equal_in_every_python() -> None:
    """From Python 3.13 on dataclasses compare field by field, and a nan is not equal to itself."""
    from nofluke.types.base import _equal

    one, two = (nf.test([0.3, 0.1, 0.9, 0.4] * 3, [0.2, 0.4, 0.1, 0.3] * 3, "paired_t") for _ in range(2))
    assert one == two
    assert one != dataclasses.replace(two, delta=1.0)
    assert one != 1
    assert type(one).__eq__ is _equal
