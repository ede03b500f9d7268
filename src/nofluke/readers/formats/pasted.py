"""Tables of p-values as they are pasted: CSV, TSV, Markdown, LaTeX, columns between spaces, a square, or one line."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

import numpy as np

from nofluke.align.decimals import TEXT_DIGITS
from nofluke.errors import InputError
from nofluke.readers.columns import TextColumn
from nofluke.readers.decode import decode
from nofluke.readers.formats.delimited import column_names, first_is_comment
from nofluke.readers.given import Given
from nofluke.readers.numbers import parse_number
from nofluke.readers.p_cells import bare, decimal_comma, is_cut, parse_p, parse_score
from nofluke.readers.sniff import split_line
from nofluke.readers.table import Place, Table
from nofluke.registry import FORMATS
from nofluke.types import frozen
from nofluke.types.base import counted
from nofluke.types.bounds import refuse_columns

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


# The format of tables as they are printed, and of a square table, which has a p-value for each pair of systems.
PASTED, SQUARE = "pasted", "square"


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a table with their lines; the header is None where there is none."""

    header: list[str] | None
    rows: list[list[str]]
    lines: list[int]
    format: str = PASTED

    def table(self, name: str) -> Table:
        """Make a table of it; rows of another width than the first line are refused."""
        if not self.rows:
            raise InputError(
                "there are no p-values.",
                where=name,
                fix="give p-values: one a line, all of them in one line, or a table with a column called p.",
            )
        if self.header is None and self.rows[0][0].startswith("#") and len(self.rows) > 1:
            raise first_is_comment(self.rows[0][0], f"{name} line {self.lines[0]}")
        if self.header is None and _are_cut(self.rows):
            raise decimal_comma(self.rows[0], f"{name} line {self.lines[0]}")
        width = len(self.header) if self.header is not None else len(self.rows[0])
        odd = next((at for at, row in enumerate(self.rows) if len(row) != width), None)
        if odd is not None:
            where = f"{name} line {self.lines[odd]}"
            if len(self.rows[odd]) == width + 1 and is_cut(self.rows[odd]):
                raise decimal_comma(self.rows[odd], where)
            raise InputError(
                f"{counted(len(self.rows[odd]), 'field')}, and the first line has {width}.",
                where=where,
                fix="give every row the same fields; separate them with tabs or commas where names have spaces.",
            )
        place = Place(name, frozen(self.lines, np.int64))
        names, unnamed = column_names(self.header, width, f"{name} line 1")
        cells = zip(names, zip(*self.rows, strict=True), strict=True)
        columns = {column: TextColumn(texts, column, place) for column, texts in cells}
        return Table(self.format, columns, len(self.rows), place, TEXT_DIGITS, self.header is not None, unnamed)


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


@FORMATS.register(
    PASTED,
    label="a table as it is printed",
    cite="GitHub Flavored Markdown; R: print.data.frame",
    sniff=lambda _: True,
    told_by="text",
    holds=("p_values",),
)
def read_pasted(given: Given, *, named: bool = False) -> Table:
    """Read p-values as they are pasted; where columns are `named` by the user, the first line is a header."""
    text = decode(given.load(), given.name)
    first, _, others = text.strip().partition("\n")
    if others:  # a single line is a list of p-values, however long
        refuse_columns(1 + max(map(first.count, "\t|;,& ")), given.name)
    return grid_of(text, named=named).table(given.name)


def grid_of(text: str, named: bool = False) -> Grid:
    """Split a text into cells, by the first delimiter that most lines have; rules of tables are left out.

    Where columns are `named` by the user, the first line is a header unless it holds p-values.
    """
    kept = [
        (number, line.strip("\r\n"))
        for number, line in enumerate(io.StringIO(text, newline=None), 1)
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
    grid = _headed(rows, [number for number, _ in kept], named=named, joined=delimiter is None)
    return _pairs_of_square(grid) or grid


def _headed(rows: list[list[str]], numbers: list[int], *, named: bool, joined: bool) -> Grid:
    """Find out whether the first row names the columns; p-values in one line stand below each other."""
    if len(rows) == 1 and len(rows[0]) > 1 and all(parse_p(cell) for cell in rows[0]) and not _are_cut(rows):
        return Grid(None, [[cell] for cell in rows[0]], numbers * len(rows[0]))
    names = bool(rows) and not any(map(parse_p, rows[0])) and (named or any(map(is_perhaps_p_name, rows[0])))
    if joined:
        rows = _joined_names(rows, len(rows[0]) if names else None)
    if names:
        return Grid([bare(cell) or cell.strip() for cell in rows[0]], rows[1:], numbers[1:])
    return Grid(None, rows, numbers)


def _are_cut(rows: list[list[str]]) -> bool:
    """Whether the rows of a table without names end in p-values that were cut at a decimal comma.

    A row number before a p-value of 0 or 1 looks so too, and 0,1 may be two p-values.
    """
    if not all(len(row) in (2, 3) and is_cut(row) for row in rows):
        return False
    decimals = {row[-1].strip() for row in rows}
    if len(rows[0]) == 2 and len({row[0] for row in rows}) > 1:
        return any(len(one) > 1 for one in decimals)
    return not decimals <= {"0", "1"}


def _pairs_of_square(grid: Grid) -> Grid | None:
    """Read a square table, whose rows and columns are the same systems, as one p-value for each pair of them.

    A cell and its mirror image are two claims, named row / column, unless the table is symmetric or holds one of them;
    the diagonal says nothing.
    """
    if grid.header is not None or len(grid.rows) < 3:
        return None
    names, body = [bare(cell) or cell.strip() for cell in grid.rows[0]], grid.rows[1:]
    if len(names) == len(body):
        names = ["", *names]
    own = [bare(row[0]) or row[0].strip() for row in body]
    if own != names[1:] or len(set(own)) < len(own) or any(len(row) != len(names) for row in body):
        return None
    cells = [row[1:] for row in body]
    mirrored = [(cells[i][j].strip(), cells[j][i].strip()) for i in range(len(own)) for j in range(i)]
    symmetric = all(one == other for one, other in mirrored)
    word = "/" if any(one and other and one != other for one, other in mirrored) else "and"
    rows, lines = [], []
    for i, j in ((i, j) for i in range(len(own)) for j in range(len(own)) if i != j):
        if (symmetric and j < i) or (not cells[i][j].strip() and cells[j][i].strip()):
            continue
        rows.append([f"{own[i]} {word} {own[j]}", cells[i][j]])
        lines.append(grid.lines[i + 1])
    return Grid(["name", "p"], rows, lines, SQUARE)


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
