"""What counts as a number in a file, and what to say about a cell that is none."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from nofluke.align.exact_sums import EXACT_DOUBLES

# Shared with SQL (RE2): both engines must accept the same texts.
NUMBER_PATTERN = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
# What was meant as a number, right or wrong; decides whether a column holds scores at all.
_MEANT_COMMA = r"[0-9]+(?:[.][0-9]{3})*,[0-9]+(?: ?%)?"
MEANT_PATTERN = rf"(?i:{NUMBER_PATTERN}(?: ?%)?|[+-]?(?:{_MEANT_COMMA}|nan|inf|infinity)|true|false)"
# Only these are trimmed around a cell; no other white space is dropped silently.
BLANKS = " \t"

_is_number = re.compile(NUMBER_PATTERN).fullmatch
_is_meant = re.compile(MEANT_PATTERN, re.ASCII).fullmatch
_TRUTH = {"true": 1.0, "false": 0.0}
_SHOWN = 40


def parse_number(cell: str) -> float | None:
    """Give the number a cell holds, nan for an empty cell, None for anything else.

    >>> parse_number(" 0.50 "), parse_number("True"), parse_number("1_000")
    (0.5, 1.0, None)
    """
    text = cell.strip(BLANKS)
    if not text:
        return math.nan
    if _is_number(text):
        value = float(text)
        return value if math.isfinite(value) and not loses_digits(text, value) else None
    return _TRUTH.get(text.lower())


def loses_digits(written: str | int, value: float) -> bool:
    """Whether a whole number is none that a double holds: 9007199254740993 would be read as 9007199254740992.

    Not so 12345678901234567000, which is how some programs print a double.
    """
    if abs(value) < EXACT_DOUBLES or (isinstance(written, str) and not written.lstrip("+-").isdigit()):
        return False
    number = Decimal(written)
    return number != Decimal(value) and number != Decimal(repr(value))


def meant_as_number(cell: str) -> bool:
    """Whether a cell was meant as a number, NaN, infinities and decimal commas included."""
    return _is_meant(cell.strip(BLANKS)) is not None


def shown(value: object) -> str:
    """Quote a value for a message, cut when it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 4] + "..." + text[-1]


def has_decimal_comma(cell: str) -> bool:
    """Whether the comma of a number cannot set thousands apart.

    >>> [has_decimal_comma(cell) for cell in ("0,543", "12,5", "1,000", "1,234,567", "0.5")]
    [True, True, False, False, False]
    """
    return re.fullmatch(r"[+-]?(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))(?: ?%)?", cell.strip(BLANKS)) is not None


def complaint_about(value: object) -> tuple[str, str]:
    """Say what is wrong with a cell in a column of scores, and the fix.

    >>> complaint_about("0,5")
    ("'0,5' is not a number.", "use a decimal point: '0.5'; between ; or tabs: sed 's/,/./g' FILE > NEW.")
    """
    text = value.strip(BLANKS) if isinstance(value, str) else str(value)
    quoted = shown(text if isinstance(value, str) else value)
    word = text.lower().lstrip("+-")
    if word in ("nan", "na", "n/a", "null", "none", "-", "", "?"):
        return f"{quoted} is not a number.", "leave the cell empty where a score is missing (null in JSON)."
    if _is_number(text) and math.isfinite(float(text)):
        return (
            f"{quoted} has more digits than a number in floating point holds; it would be read as {int(float(text))}.",
            "subtract the same number from all scores, or round them to 15 digits.",
        )
    if word in ("inf", "infinity") or _is_number(text):
        return f"{quoted} is not a finite number.", "every score is a finite number; leave missing scores empty."
    if re.fullmatch(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?", text):
        plain = text.replace(",", "")
        fix = f"write {plain!r} without separators"
        return f"{quoted} is not a number.", fix + (
            f", or {text.replace(',', '.')!r} if a decimal was meant."
            if text.count(",") == 1 and "." not in text
            else "."
        )
    if re.fullmatch(r"[+-]?\d+(\.\d{3})+,\d+", text):
        plain = text.replace(".", "").replace(",", ".")
        fix = f"write {plain!r}; between ; or tabs, if no other cell has a point: sed 's/\\.//g; s/,/./g' FILE > NEW."
        return f"{quoted} is not a number.", fix
    if re.fullmatch(r"[+-]?\d+,\d+", text):
        # Where a comma separates cells, the command would join numbers.
        fix = f"use a decimal point: {text.replace(',', '.')!r}; between ; or tabs: sed 's/,/./g' FILE > NEW."
        return f"{quoted} is not a number.", fix
    if re.fullmatch(r"[+-]?(\d+[.,]?\d*|\.\d+) ?%", text):
        plain = text.rstrip(" %").replace(",", ".")
        return f"{quoted} is not a number.", f"leave the percent sign out: {plain!r}."
    return f"{quoted} is not a number.", "write a number, or leave the cell empty where a score is missing."
