"""Which columns of a table stand side by side in a window, and how wide each is: no figure is ever cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

GAP = 2
_COMFORTABLE, _NARROW = 24, 12  # cells in which running text reads well, and still reads
_NARROWEST = 8
_SMALL = 8  # cells that a heading or a name may want in addition
_BAR, _SMALLEST_BAR = 28, 16


@dataclass(frozen=True, slots=True)
class Block:
    """Columns printed side by side with their widths, and the width of the picture after them (0: none)."""

    columns: tuple[int, ...]
    widths: tuple[int, ...]
    bar: int = 0

    @property
    def width(self) -> int:
        """All cells of a line."""
        return _total(self.widths) + (self.bar + GAP if self.bar else 0)


def blocks(cells: Sequence[Sequence[str]], figures: Sequence[bool], width: int, *, bars: bool) -> list[Block]:
    """Share the width out: text wraps; then the picture goes; text wraps more; columns move to a further block.

    `cells` are the headings and the rows. The first columns name the row and are repeated in every block. The others
    stand in the order of their importance, so the last ones move.

    >>> cells = [("system", "score", "ranks"), ("atlas", "0.650", "1 to 2")]
    >>> [block.columns for block in blocks(cells, (False, True, True), 18, bars=True)]
    [(0, 1), (0, 2)]
    """
    columns = list(zip(*cells, strict=True))
    natural = [max(map(cell_width, column)) for column in columns]
    least = _narrowest(columns, figures, width, _COMFORTABLE)
    bar = min(_BAR, width - _total(least) - GAP)
    if bars and bar >= _SMALLEST_BAR:
        return [Block(tuple(range(len(columns))), tuple(_grown(least, natural, width - bar - GAP)), bar)]
    if _total(least) > width:
        least = _narrowest(columns, figures, width, _NARROW)
    return [
        Block(tuple(some), _fitted(_grown([least[at] for at in some], [natural[at] for at in some], width), width))
        for some in _side_by_side(least, _keys(columns, least, width), width)
    ]


def cell_width(text: str) -> int:
    """Count the terminal cells of a text as rich does, which will print it."""
    from rich.cells import cell_len

    return cell_len(text)


def longest_word(text: str) -> int:
    """Count the cells of the longest part that cannot be wrapped at a space."""
    return max(map(cell_width, text.split()), default=0)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _narrowest(columns: Sequence[Sequence[str]], figures: Sequence[bool], width: int, text: int) -> list[int]:
    """The narrowest that all columns may become, where running text gets `text` cells."""
    least = [_least(column, figure, text) for column, figure in zip(columns, figures, strict=True)]
    if len(columns) > 1 and not figures[0]:
        least[0] = _width_of_names(columns[0], least[0], width // 2)
    return least


def _least(column: Sequence[str], figure: bool, text: int) -> int:
    """The narrowest that a column may become: figures stay whole, headings and text wrap at spaces."""
    heading, *body = column
    if figure:
        return max([longest_word(heading), *map(cell_width, body)])
    return max(*map(_in_one_piece, column), min(text, max(map(cell_width, column))))


def _in_one_piece(cell: str) -> int:
    """Count the cells of what must not be broken: the longest word, or an interval such as 0.46 to 0.67."""
    a_figure = cell.lstrip("-")[:1].isdigit() and cell_width(cell) <= _COMFORTABLE
    return cell_width(cell) if a_figure else longest_word(cell)


def _width_of_names(names: Sequence[str], least: int, limit: int) -> int:
    """The width of the first column; names of one word beyond the limit get lines of their own."""
    if least <= limit:
        return least
    return max([_NARROWEST, *(word for word in map(longest_word, names) if word <= limit)])


def _keys(columns: Sequence[Sequence[str]], least: Sequence[int], width: int) -> list[int]:
    """The first columns that together name a row, as far as they leave half of the width to the others."""
    keys = 1
    while (
        len(set(zip(*(column[1:] for column in columns[:keys]), strict=True))) < len(columns[0]) - 1
        and keys < len(columns) - 1
        and _total(least[: keys + 1]) <= width // 2
    ):
        keys += 1
    return list(range(keys))


def _side_by_side(least: Sequence[int], keys: Sequence[int], width: int) -> Iterator[list[int]]:
    """The columns of each block: the keys and as many others as fit, at least one."""
    chosen = list(keys)
    for at in range(len(keys), len(least)):
        if len(chosen) > len(keys) and _total([least[one] for one in [*chosen, at]]) > width:
            yield chosen
            chosen = list(keys)
        chosen.append(at)
    yield chosen


def _grown(least: Sequence[int], natural: Sequence[int], width: int) -> list[int]:
    """Give the cells left over to the columns that want more: first those that want little, then the longest text."""
    wanted = [most - now for most, now in zip(natural, least, strict=True)]
    widths = list(least)
    for at in sorted(range(len(widths)), key=lambda at: (wanted[at] > _SMALL, -wanted[at])):
        widths[at] += max(0, min(natural[at] - least[at], width - _total(widths)))
    return widths


def _fitted(widths: list[int], width: int) -> tuple[int, ...]:
    """Where one column beside the names is too wide for the window, the names give way, then the column folds."""
    for at in (0, len(widths) - 1):
        widths[at] = max(min(widths[at], _NARROWEST), widths[at] - max(0, _total(widths) - width))
    return tuple(widths)
