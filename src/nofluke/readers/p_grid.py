"""The cells of a pasted table: CSV, TSV, Markdown, LaTeX, columns between spaces, or p-values in one line."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

from nofluke.readers.numbers import parse_number
from nofluke.readers.p_cells import bare, parse_p, parse_score
from nofluke.readers.sniff import split_line

# Names with dots, hyphens, spaces and underscores taken out.
P_NAMES = frozenset({"p", "pvalue", "pval", "pvalues", "pvals", "pvalueonesided", "pvaluetwosided"})
# Names that other columns may have as well: they count where no column is called p.
P_NAMES_TOO = frozenset({"sig", "significance", "signif"})
_QUALIFIED = re.compile(r"\(\s*(?:one|two|1|2)[\s-]*(?:sided|tailed|side|tail)\s*\)", re.IGNORECASE)
_R_NAME = re.compile(r"p(?:r|rob)?\(?[<>]=?\|?[a-z0-9]*\|?\)?")
_DELIMITERS = ("\t", "|", ";", ",")
_RULE = re.compile(r"[\s|:+=-]*-[\s|:+=-]*")
_LATEX_NOISE = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|centering|small|footnotesize)\b|\\c(?:line|midrule)(?:\([^)]*\))?\{[^}]*\}"
    r"|\\(?:begin|end)\{[^}]*\}(?:\[[^\]]*\])?(?:\{[^}]*\})*|\\(?:caption|label)\{.*\}"
)
_LATEX_END = re.compile(r"\\\\(?:\[[^\]]*\])?\s*$|\\tabularnewline\s*$")
# Between spaces, what belongs together is put together before a line is split.
_TOGETHER = (
    (re.compile(r"(?<!\S)(?:p\s*)?([<>≤≥=])\s*(?=\.?[0-9])", re.IGNORECASE), r"\1"),
    (re.compile(r"\s*(±|\\pm|\+/-)\s*"), "±"),
    (re.compile(r"(?<=[0-9])\s*([·×⋅])\s*(?=10\s*\^)"), r"\1"),
    (re.compile(r"(?<=[0-9)%])\s+([*†‡§]+)(?=\s|$)"), r"\1"),
    (re.compile(r"(?<=[0-9])\s+%"), "%"),
)
_HEADINGS_TOGETHER = (
    (re.compile(r"(?<!\S)p val(ue)?(?!\S)", re.IGNORECASE), r"p-val\1"),
    (re.compile(r"\s+\(\s*(one|two|1|2)[\s-]*(sided|tailed)\s*\)", re.IGNORECASE), r"(\1-\2)"),
)


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a table with their lines; the header is None where there is none."""

    header: list[str] | None
    rows: list[list[str]]
    lines: list[int]


def is_p_name(name: str) -> bool:
    """Whether a column's name says that it holds p-values.

    >>> [is_p_name(one) for one in ("p.value", "Pr(>|t|)", "p (two-sided)", "P", "Sig.", "p_adj")]
    [True, True, True, True, False, False]
    """
    folded = _folded(name)
    return folded in P_NAMES or _R_NAME.fullmatch(folded) is not None


def is_perhaps_p_name(name: str) -> bool:
    """Whether a column's name may say so, such as Sig. in the tables of SPSS."""
    return is_p_name(name) or _folded(name) in P_NAMES_TOO


def says_two_sided(name: str) -> bool:
    """Whether a column's name says that its p-values are two-sided.

    >>> [says_two_sided(one) for one in ("p (two-sided)", "Sig. (2-tailed)", "Pr(>|t|)", "p", "p (one-sided)")]
    [True, True, True, False, False]
    """
    plain = bare(name).casefold()
    return re.search(r"(?:two|2)[\s-]*(?:sided|tailed)|>\s*\|", plain) is not None


def _folded(name: str) -> str:
    plain = _QUALIFIED.sub("", bare(name).strip(" ()") if name.count("(") != name.count(")") else bare(name))
    return re.sub(r"[\s._\-*$]+", "", plain.strip()).casefold().removeprefix("(").removesuffix(")") if plain else ""


def grid_of(text: str) -> Grid:
    """Split a text into cells, by the first delimiter that most lines have; rules of tables are left out."""
    kept = [
        (number, line.strip("\r\n"))
        for number, line in enumerate(io.StringIO(text), 1)
        if line.strip() and not _RULE.fullmatch(line.strip())
    ]
    latex = _is_latex([line for _, line in kept])
    if latex:
        plain = ((number, _LATEX_END.sub("", _LATEX_NOISE.sub("", line).strip())) for number, line in kept)
        kept = [(number, line) for number, line in plain if line.strip()]
    lines = [line for _, line in kept]
    delimiter = (
        "&" if latex else next((one for one in _DELIMITERS if lines and one in lines[0] and _usual(one, lines)), None)
    )
    rows = [_cells(line, delimiter, first=at == 0) for at, line in enumerate(lines)]
    return headed(rows, [number for number, _ in kept], joined=delimiter is None)


def headed(rows: list[list[str]], numbers: list[int], *, joined: bool = False) -> Grid:
    """Find out whether the first row names the columns; p-values in one line stand below each other."""
    if len(rows) == 1 and len(rows[0]) > 1 and all(parse_p(cell) for cell in rows[0]):
        return Grid(None, [[cell] for cell in rows[0]], numbers * len(rows[0]))
    names = bool(rows) and not any(parse_p(cell) for cell in rows[0]) and any(map(is_perhaps_p_name, rows[0]))
    if joined:
        rows = _joined_names(rows, len(rows[0]) if names else None)
    if names:
        return Grid([bare(cell) or cell.strip() for cell in rows[0]], rows[1:], numbers[1:])
    return Grid(None, rows, numbers)


def _is_latex(lines: list[str]) -> bool:
    """Whether rows are parted by & and end in a double backslash."""
    rows = [line for line in lines if "&" in line.replace("\\&", "")]
    return bool(rows) and any(_LATEX_END.search(_LATEX_NOISE.sub("", line).rstrip()) for line in rows)


def _usual(delimiter: str, lines: list[str]) -> bool:
    """Whether most lines have a delimiter; one that lacks it is a mistake to be named."""
    return 2 * sum(delimiter in line for line in lines) > len(lines)


def _cells(line: str, delimiter: str | None, *, first: bool) -> list[str]:
    if delimiter is None:
        for pattern, together in (*_TOGETHER, *(_HEADINGS_TOGETHER if first else ())):
            line = pattern.sub(together, line)
        return line.split()
    if delimiter == "&":
        return [cell.strip().replace("\\&", "&").replace("\\_", "_") for cell in re.split(r"(?<!\\)&", line)]
    if delimiter == "|":
        return [cell.strip() for cell in line.strip().strip("|").split("|")]
    return [cell.strip() for cell in split_line(line, delimiter)]


def _joined_names(rows: list[list[str]], width: int | None) -> list[list[str]]:
    """Between spaces, a name may have several words: what is left of the numbers at the end of a line is one name."""
    if width is None:
        width = 1 + min((_numbers_at_end(row) for row in rows), default=0)
        if all(len(row) < width for row in rows):
            return rows
    joined = []
    for row in rows:
        extra = len(row) - width
        joined.append([" ".join(row[: extra + 1]), *row[extra + 1 :]] if extra > 0 else row)
    return joined


def _numbers_at_end(row: list[str]) -> int:
    count = 0
    for cell in reversed(row[1:]):
        if parse_number(cell) is None and parse_p(cell) is None and parse_score(cell) is None:
            break
        count += 1
    return count
