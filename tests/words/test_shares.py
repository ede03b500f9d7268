"""Figures as words print them."""

from __future__ import annotations

import pytest

from nofluke.words.numbers import hundredths


@pytest.mark.parametrize(
    ("share", "digits", "text"),
    [
        (0.9981, 0, "99.8"),
        (0.9996, 1, "99.96"),
        (1.0, 1, "100"),
        (0.0, 1, "0"),
        (0.0004, 0, "0.04"),
        (0.925, 1, "92.5"),
        (0.5, 0, "50"),
    ],
)
def test_only_all_is_100_and_only_nothing_is_0(share: float, digits: int, text: str) -> None:
    assert hundredths(share, digits) == text


def test_a_share_just_below_one_ends() -> None:
    assert hundredths(1 - 2**-53) in ("100", "100.000000000000")
