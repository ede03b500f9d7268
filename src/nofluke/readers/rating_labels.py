"""What annotators wrote becomes codes of labels: numbers where all are numbers, words otherwise, and gaps."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nofluke.errors import Fix, InputError, Option, did_you_mean, listing
from nofluke.readers.columns import ABSENT
from nofluke.readers.numbers import BLANKS, NUMBER_PATTERN, shown
from nofluke.types import FloatArray, IntArray, Note, Ratings, Source, frozen, note

SHAPE = "give items x annotators: one row for each item, one rating for each annotator, None where one is missing."
_is_number = re.compile(NUMBER_PATTERN).fullmatch
# What other programs write where a rating is missing; here a gap is an empty cell, None or nan.
_GAPS = frozenset({"na", "nan", "n/a", "null", "none", "-", "?", "missing"})
_WHOLE = 2.0**53
# A longer row of digits is a name.
_LONGEST_NUMBER = 100


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Codes of labels (-1 for a gap) with the labels in their order, as numbers too where they are numbers."""

    codes: IntArray
    categories: tuple[str, ...]
    values: FloatArray
    ordered: bool
    notes: tuple[Note, ...] = ()

    def ratings(
        self,
        items: Sequence[str],
        annotators: Sequence[str],
        places: tuple[IntArray, IntArray],
        source: Source | None = None,
        notes: tuple[Note, ...] = (),
    ) -> Ratings:
        """Make ratings of these labels, without the gaps; `places` are the item and the annotator of each, by number.

        Ratings that stand in a row, items x annotators, have `in_a_row` as their places.
        """
        there = self.codes >= 0
        if not there.any():
            raise InputError("there are no ratings.", where=source.name if source else "", fix=SHAPE)
        item, annotator, label = (frozen(one[there], np.int64) for one in (*places, self.codes))
        return Ratings(
            items=tuple(items),
            annotators=tuple(annotators),
            categories=self.categories,
            values=self.values,
            ordered=self.ordered,
            item=item,
            annotator=annotator,
            label=label,
            source=source,
            notes=(*notes, *self.notes),
        )


def in_a_row(items: int, annotators: int) -> tuple[IntArray, IntArray]:
    """Give the places of ratings that stand row by row, items x annotators."""
    return np.repeat(np.arange(items), annotators), np.tile(np.arange(annotators), items)


def code_labels(cells: Any, missing: Sequence[str] = (), where: str = "") -> Coded:
    """Give every cell the code of its label; `missing` are texts that stand for a gap besides the empty one.

    >>> coded = code_labels(["2", 1.0, None, "10"])
    >>> coded.categories, coded.codes.tolist(), coded.ordered
    (('1', '2', '10'), [1, 0, -1, 2], True)
    """
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "iuf":
        return _arranged(*_of_numbers(cells))
    flat = cells.tolist() if isinstance(cells, np.ndarray) else cells
    known: dict[Any, int] = {}
    try:
        # True and 1 are equal to Python, so where truth values occur the key says which of the two a cell is.
        typed = any(issubclass(kind, bool | np.bool_) for kind in set(map(type, flat)))
        keys: Iterable[Any] = ((isinstance(cell, bool | np.bool_), cell) for cell in flat) if typed else flat
        first = np.fromiter((known.setdefault(key, len(known)) for key in keys), np.int64, len(flat))
    except TypeError:
        wrong = next(cell for cell in flat if isinstance(cell, list | dict | set))
        fix = "a label is text, a number or a truth value."
        raise InputError(f"{shown(wrong)} is not a label.", where=where, fix=fix) from None
    distinct = [key[1] for key in known] if typed else list(known)
    labels, notes = _canonical(distinct, missing, where)
    names = list(dict.fromkeys(label for label in labels if label is not None))
    position = {name: code for code, name in enumerate(names)}
    renumber = np.array([-1 if label is None else position[label] for label in labels], dtype=np.int64)
    return _arranged(renumber[first] if len(first) else first, names, notes)


def _of_numbers(cells: np.ndarray) -> tuple[IntArray, list[Any], tuple[Note, ...]]:
    flat = cells.ravel()
    if flat.dtype.kind == "f":
        if np.isinf(flat).any():
            raise InputError("an infinite number is no rating.", fix="leave out what is not known: None or nan.")
        # A float16 or float32 means its own shortest decimal.
        flat = flat if flat.dtype == np.float64 else flat.astype(str).astype(np.float64)
    there = ~np.isnan(flat) if flat.dtype.kind == "f" else np.ones(len(flat), bool)
    numbers, inverse = np.unique(flat[there], return_inverse=True)
    codes = np.full(len(flat), -1, dtype=np.int64)
    codes[there] = inverse
    return codes, [_plain(number) for number in numbers.tolist()], ()


def _canonical(distinct: list[Any], missing: Sequence[str], where: str) -> tuple[list[Any], tuple[Note, ...]]:
    """Give every distinct cell its label, a number or a text; None for a gap."""
    gaps = {text.strip(BLANKS) for text in missing}
    read: list[Any] = [None if _is_gap(cell, gaps) else _read(cell) for cell in distinct]
    there = [label for label in read if label is not None]
    truths = [label for label in there if isinstance(label, bool)]
    if len(truths) == len(there):
        return read, ()
    words = [label for label in there if isinstance(label, str) and _number(label) is None]
    if not words:
        numbers = [
            label if label is None else int(label) if isinstance(label, bool) else _number(label) for label in read
        ]
        among = (note("read.truth_values"),) if truths else ()
        return numbers, (*among, *_same_number(distinct, numbers))
    gap_words = [word for word in words if word.casefold() in _GAPS]
    if len(gap_words) == len(words) < len(there):
        raise InputError(
            f"{gap_words[0]!r} stands among numbers: is it a label or a gap?",
            where=where,
            fix=Fix("leave the cell empty, or say that it means missing: ", Option("missing", gap_words[0]), "."),
        )
    mixed = any(not isinstance(label, str) for label in there)
    texts = [None if label is None else _as_text(_as_number(label) if mixed else label) for label in read]
    both = (note("read.mixed_labels"),) if mixed else ()
    return texts, (*both, *_suspicious(texts, gap_words))


def _is_gap(cell: Any, gaps: set[str]) -> bool:
    if cell is None or cell is ABSENT or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(cell, str):
        text = cell.strip(BLANKS)
        return not text or text in gaps
    return isinstance(cell, float | np.floating) and math.isnan(cell)


def _read(cell: Any) -> Any:
    """Give a cell as text, truth value or plain number."""
    if isinstance(cell, str):
        return str(cell).strip(BLANKS)
    if isinstance(cell, bool | np.bool_):
        return bool(cell)
    if isinstance(cell, bytes | tuple | frozenset):
        raise InputError(f"{shown(cell)} is not a label.", fix="a label is text, a number or a truth value.")
    if hasattr(cell, "__float__"):
        return _plain(cell.item() if isinstance(cell, np.generic) else cell)
    return str(cell)


def _plain(number: Any) -> int | float:
    """Give a whole number as int, anything else as float; infinity is refused."""
    if isinstance(number, int):
        return number
    value = float(number)
    if math.isinf(value):
        raise InputError("an infinite number is no rating.", fix="leave out what is not known: None or nan.")
    return int(value) if value.is_integer() and abs(value) < _WHOLE else value


def _number(label: Any) -> int | float | None:
    """Give the number a label stands for; truth values and words are none."""
    if isinstance(label, bool):
        return None
    if isinstance(label, str):
        if not _is_number(label) or len(label) > _LONGEST_NUMBER:
            return None
        return int(label) if re.fullmatch(r"[+-]?[0-9]+", label) else _plain(float(label))
    return label  # type: ignore[no-any-return]


def _as_number(label: Any) -> Any:
    """Give a text that reads as a number as that number, anything else as it is."""
    number = _number(label)
    return label if number is None else number


def _as_text(label: Any) -> str:
    if isinstance(label, bool):
        return str(label).lower()
    return label if isinstance(label, str) else repr(label)


def _same_number(cells: list[Any], numbers: list[Any]) -> tuple[Note, ...]:
    """Say which spellings of one number were taken together."""
    spelled: dict[Any, list[str]] = {}
    for cell, number in zip(cells, numbers, strict=True):
        if number is not None and not isinstance(cell, bool | np.bool_):
            spelled.setdefault(number, []).append(repr(cell.strip(BLANKS) if isinstance(cell, str) else cell))
    several = tuple(tuple(dict.fromkeys(names))[:3] for names in spelled.values() if len(set(names)) > 1)
    if several:
        return (note("read.spellings_joined", numbers=len(several), examples=several[:3]),)
    kinds = {isinstance(cell, str) for cell, number in zip(cells, numbers, strict=True) if number is not None}
    return (note("read.numbers_and_text"),) if len(kinds) > 1 else ()


def _suspicious(texts: list[str | None], gap_words: list[str]) -> tuple[Note, ...]:
    """Point at labels that may be slips: gaps written as words, and spellings that differ in case only."""
    words = [text for text in dict.fromkeys(texts) if text is not None]
    notes = [note("read.gap_word", word=gap_words[0])] if gap_words else []
    if spelled := _alike([text for text in words if _number(text) is not None], _number):
        notes.append(note("read.spellings_apart", numbers=len(spelled), examples=spelled[:3]))
    if alike := _alike(words, str.casefold):
        notes.append(note("read.cases_apart", labels=len(alike), examples=alike[:3]))
    return tuple(notes)


def _alike(labels: Sequence[str], key: Callable[[str], Any]) -> tuple[tuple[str, ...], ...]:
    """Give the labels that have a key in common with others."""
    found: dict[Any, list[str]] = {}
    for label in labels:
        found.setdefault(key(label), []).append(label)
    return tuple(tuple(names) for names in found.values() if len(names) > 1)


def _arranged(codes: IntArray, names: list[Any], notes: tuple[Note, ...]) -> Coded:
    """Put labels into the order of numbers, else that of the alphabet."""
    order = sorted(range(len(names)), key=names.__getitem__)
    back = np.empty(len(names) + 1, dtype=np.int64)
    back[order], back[-1] = np.arange(len(names)), -1
    arranged = [names[position] for position in order]
    values = np.array([math.nan if isinstance(name, str) else float(name) for name in arranged], dtype=np.float64)
    ordered = not any(isinstance(name, str) for name in arranged)
    return Coded(frozen(back[codes], np.int64), tuple(map(_as_text, arranged)), frozen(values), ordered, notes)


def _gap_hint(label: str) -> Fix:
    """Say how to call a label missing where it looks like that."""
    if label.casefold() not in _GAPS:
        return Fix()
    return Fix("if it means a missing rating, say so when reading: ", Option("missing", label), "; ")


def with_categories(ratings: Ratings, categories: Sequence[Any]) -> Ratings:
    """Put labels into the order given, which may name labels that nobody used."""
    wanted = [_as_text(_read(label)) for label in categories]
    if len(set(wanted)) < len(wanted):
        raise InputError("categories name a label twice.", fix="name every label once, from lowest to highest.")
    position = {name: code for code, name in enumerate(wanted)}
    strange = [label for label in ratings.categories if label not in position]
    if strange:
        raise InputError(
            f"the label {strange[0]!r} was given, and categories do not name it.",
            fix=Fix(
                _gap_hint(strange[0]), f"{did_you_mean(strange[0], wanted)}categories named: {listing(wanted, 20)}."
            ),
        )
    numbers = [_number(label) for label in wanted]
    words = None in numbers or bool(np.isnan(ratings.values).any())
    values = [math.nan if words or number is None else float(number) for number in numbers]
    renumber = np.array([position[label] for label in ratings.categories], dtype=np.int64)
    return replace(
        ratings,
        categories=tuple(wanted),
        values=frozen(np.array(values, dtype=np.float64)),
        ordered=True,
        label=frozen(renumber[ratings.label], np.int64),
    )
