"""P-values as papers print them: 0.032, .032, < 0.001, 1.2e-08, 2·10^-4, in brackets or with stars."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nofluke.errors import InputError
from nofluke.readers.numbers import shown

_PLAIN = re.compile(r"(?:[0-9]+\.?([0-9]*)|\.([0-9]+))")
_SCIENTIFIC = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+")
_POWER = re.compile(r"(?:([0-9.]+)\s*(?:[·*x×⋅]|\\cdot|\\times)\s*)?10\s*\^\s*\{?\s*(-?[0-9]+)\s*\}?")
_AROUND = re.compile(r"^[\s$(\[]+|[\s$)\]*†‡§]+$")
_LEAD = re.compile(r"^p(?:[-_ ]?val(?:ue)?)?\.?\s*(?=[=<≤])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PCell:
    """A p-value, the decimals it was printed with (None in powers of ten), and whether it is only an upper bound."""

    value: float
    decimals: int | None = None
    bound: bool = False


def parse_p(text: str) -> PCell | None:
    """Read a printed p-value; None when it is none.

    >>> parse_p("0.0320"), parse_p("(2·10^-4)").value, parse_p("p < .001*").bound, parse_p("n.s.")
    (PCell(value=0.032, decimals=4, bound=False), 0.0002, True, None)
    """
    cell = _LEAD.sub("", _AROUND.sub("", text.replace("−", "-")))
    bound = cell.startswith(("<", "≤"))
    cell = cell.lstrip("<≤=").strip()
    if plain := _PLAIN.fullmatch(cell):
        return _inside(PCell(float(cell), len(plain[1] or plain[2] or ""), bound))
    if _SCIENTIFIC.fullmatch(cell):
        return _inside(PCell(float(cell), None, bound))
    if power := _POWER.fullmatch(cell):
        try:
            factor = float(power[1] or 1)
        except ValueError:
            return None
        return _inside(PCell(float(f"{factor!r}e{power[2]}") if "e" not in repr(factor) else factor, None, bound))
    return None


def _inside(cell: PCell) -> PCell | None:
    return cell if 0 <= cell.value <= 1 else None


def p_cell(text: str, where: str) -> PCell:
    """Read a printed p-value, or say what is wrong with it."""
    found = parse_p(text)
    if found is not None:
        return found
    if re.fullmatch(r"\s*0?,[0-9]+\s*", text):
        fix = f"use a decimal point: {text.strip().replace(',', '.')!r}."
    else:
        fix = "a p-value lies between 0 and 1, such as 0.032, < 0.001 or 1.2e-08."
    raise InputError(f"{shown(text)} is not a p-value.", where=where, fix=fix)
