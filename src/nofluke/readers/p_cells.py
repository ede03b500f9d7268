"""P-values and scores as papers print them: 0.032, < 0.001, 2·10^-4, **91.2**, 91.2±0.3, with stars or in brackets."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from nofluke.errors import InputError
from nofluke.readers.numbers import complaint_about, parse_number, shown

_PLAIN = re.compile(r"(?:[0-9]+\.?([0-9]*)|\.([0-9]+))")
_SCIENTIFIC = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+")
_POWER = re.compile(r"(?:([0-9.]+)\s*(?:[·*x×⋅]|\\cdot|\\times)\s*)?10\s*\^\s*\{?\s*(-?[0-9]+)\s*\}?")
_AROUND = re.compile(r"^[\s(\[]+|[\s)\]]+$")
_LEAD = re.compile(r"^p(?:[-_ ]?val(?:ue)?)?\.?\s*(?=[=<≤>≥])", re.IGNORECASE)
_WRAPPED = re.compile(
    r"\\(?:textbf|textit|textsc|texttt|text|mathbf|mathit|mathrm|emph|underline|uline|bm|boldsymbol)\s*\{([^{}]*)\}"
)
_SWITCH = re.compile(r"\\(?:bfseries|itshape|bf|it|em)\b\s*")
_SAME = (
    *(("−", "-"), ("$", ""), ("\\*", "*"), ("\\%", "%"), ("\\,", " "), ("\\_", "_"), ("&lt;", "<"), ("&gt;", ">")),
    *(
        ("\\textless{}", "<"),
        ("\\textless", "<"),
        ("\\textgreater", ">"),
        ("\\leq", "≤"),
        ("\\le", "≤"),
        ("\\geq", "≥"),
    ),
    *(("\\pm", "±"), ("+/-", "±"), ("+-", "±"), ("\\ast", "*"), ("\\dagger", "†"), ("\\ddagger", "‡")),
)
_RAISED = re.compile(r"\s*\^\s*\{?\s*[*†‡§]+\s*\}?\s*$")
_MARKS = " \t*†‡§↑↓"
_SPREAD = re.compile(r"\s*(?:±.*|\([^()]*\)|_\{[^{}]*\})$")
_TINIEST = math.ulp(0.0)
_NOT_SHOWN = re.compile(r"(?:n\.?\s*s\.?|not\s+(?:sig|significant)\.?|ns)", re.IGNORECASE)
_MISSING = frozenset({"", "-", "--", "---", "–", "—", "na", "n/a", "nan", "null", "none", "?", "/"})


@dataclass(frozen=True, slots=True)
class PCell:
    """A p-value, the decimals it was printed with (None in powers of ten), and whether it is only an upper bound."""

    value: float
    decimals: int | None = None
    bound: bool = False


def bare(text: str) -> str:
    """Take bold, stars and other marks off a printed cell.

    >>> bare(r"\\textbf{50.1}$^{*}$"), bare("**0.003**"), bare("German")
    ('50.1', '0.003', 'German')
    """
    cell = text
    for mark, plain in _SAME:
        cell = cell.replace(mark, plain)
    before = ""
    while before != cell:
        before, cell = cell, _WRAPPED.sub(r"\1", cell)
    cell = _RAISED.sub("", _SWITCH.sub("", cell).strip().removeprefix("{").removesuffix("{}"))
    if cell.count("{") < cell.count("}"):
        cell = cell.removesuffix("}")
    cell = cell.strip(_MARKS)
    return cell[2:-2].strip(_MARKS) if len(cell) > 4 and cell.startswith("__") and cell.endswith("__") else cell


def parse_p(text: str) -> PCell | None:
    """Read a printed p-value; None when it is none.

    >>> parse_p("0.0320"), parse_p("(2·10^-4)").value, parse_p("p < .001*").bound, parse_p("n.s.")
    (PCell(value=0.032, decimals=4, bound=False), 0.0002, True, None)
    """
    cell = _LEAD.sub("", bare(_AROUND.sub("", bare(text))))
    bound = cell.startswith(("<", "≤"))
    cell = bare(cell.lstrip("<≤="))
    if plain := _PLAIN.fullmatch(cell):
        return _inside(cell, cell, len(plain[1] or plain[2] or ""), bound)
    if _SCIENTIFIC.fullmatch(cell):
        return _inside(cell, re.split("[eE]", cell)[0], None, bound)
    if power := _POWER.fullmatch(cell):
        factor = power[1] or "1"
        return _inside(f"{factor}e{power[2]}", factor, None, bound) if _PLAIN.fullmatch(factor) else None
    return None


def _inside(number: str, digits: str, decimals: int | None, bound: bool) -> PCell | None:
    """A p-value below the smallest float is that float: it was not printed as 0, and is not rounded."""
    value = float(number)
    if value == 0 and re.search("[1-9]", digits):
        value = _TINIEST
    return PCell(value, decimals, bound) if 0 <= value <= 1 else None


def p_cell(text: str, where: str) -> PCell:
    """Read a printed p-value, or say what is wrong with it."""
    found = parse_p(text)
    if found is not None:
        return found
    raise InputError(f"{shown(text)} is not a p-value.", where=where, fix=_fix(bare(text)))


def is_cut(row: Sequence[str]) -> bool:
    """Whether a row may end in a p-value with a decimal comma, 0,01, that was cut in two at it."""
    return len(row) > 1 and row[-2].strip() in ("0", "1") and row[-1].strip().isdecimal()


def decimal_comma(row: Sequence[str], where: str) -> InputError:
    """The error of such a row."""
    whole, decimals = row[-2].strip(), row[-1].strip()
    return InputError(
        f"'{whole},{decimals}' has a decimal comma, and commas separate columns.",
        where=where,
        fix=f"use a decimal point: {whole}.{decimals}.",
    )


def _fix(cell: str) -> str:
    if re.fullmatch(r"[<≤=]?\s*0?,[0-9]+", cell):
        return f"use a decimal point: {cell.replace(',', '.')!r}."
    if cell.casefold() in _MISSING:
        return "delete the row; enter 1 if a test was made whose p-value is not known."
    if re.fullmatch(r"[0-9.]+\s*%", cell):
        share = parse_number(cell.rstrip(" %"))
        if share is not None and share <= 100:
            return f"write it without the percent sign: {share / 100:g}."
    if _NOT_SHOWN.fullmatch(cell) or re.match(r"(?:p\s*)?[>≥]", cell, re.IGNORECASE):
        return "enter the p-value itself, or 1 to be safe: a p-value that is only known to be large is no evidence."
    return "a p-value lies between 0 and 1, such as 0.032, < 0.001 or 1.2e-08."


def meant_as_p(text: str) -> bool:
    """Whether a text was meant as a p-value, right or wrong.

    >>> [meant_as_p(one) for one in ("0.03", "1.3", "n.s.", "0,03", "5%", "p.csv")]
    [True, True, True, True, True, False]
    """
    cell = bare(text)
    return (
        parse_p(text) is not None
        or parse_number(cell) is not None
        or _NOT_SHOWN.fullmatch(cell) is not None
        or (cell.casefold() in _MISSING and text.strip() != "-")
        or re.fullmatch(r"(?:p\s*)?[<>≤≥=]?\s*[+-]?[0-9.,]*[0-9]\s*%?", cell, re.IGNORECASE) is not None
    )


def parse_score(text: str) -> float | None:
    """Read a printed score: stars, bold, a percent sign and a spread behind ± or in brackets do not belong to it.

    >>> parse_score("50.1*"), parse_score("91.2%"), parse_score("91.2 ± 0.3"), parse_score("n/a")
    (50.1, 91.2, 91.2, None)
    """
    cell = bare(text)
    if not cell:
        return math.nan if not text.strip() else None
    # The marks may stand before the spread as well as behind it: 91.2* ± 0.3.
    number = bare(bare(_SPREAD.sub("", cell)).removesuffix("%"))
    return parse_number(number) if number else None


def score_cell(text: str, where: str) -> float:
    """Read a printed score, or say what is wrong with it."""
    found = parse_score(text)
    if found is None:
        message, fix = complaint_about(text)
        raise InputError(message, where=where, fix=fix)
    return found
