"""Two columns that could be the item: one rule for scores, outputs, statistics and ratings."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.types import Source

ROWS = range(12)
Cell = Callable[[int], object]
UNIQUE, OTHER, REPEATS, WITHIN = (
    lambda i: f"u{i}",
    lambda i: f"v{i}",
    lambda i: f"d{i // 3}",
    lambda i: i % 3,
)
NAMES = [("id", "uid"), ("doc_id", "sentence_id"), ("question_id", "sample_id")]


def table(names: str, *cells: Cell) -> io.StringIO:
    return io.StringIO(names + "\n" + "".join(",".join(str(cell(i)) for cell in cells) + "\n" for i in ROWS))


def scores(names: str, *ids: Cell, **asked: str) -> Source:
    return nf.read(table(f"{names},A,B", *ids, lambda i: i / 12, lambda i: i / 13), **asked).sources[0]


def long_scores(names: str, *ids: Cell, **asked: str) -> Source:
    rows = [[*(cell(i) for cell in ids), system, i / 12] for system in "AB" for i in ROWS]
    text = f"{names},system,score\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    return nf.read(io.StringIO(text), **asked).sources[0]


def outputs(names: str, *ids: Cell, **asked: str) -> Source:
    text = table(f"{names},gold,A,B", *ids, lambda i: i % 2, lambda i: i % 2, lambda i: i % 3)
    return nf.score("accuracy", text, columns=asked).sources[0]


def statistics(names: str, *ids: Cell, **asked: str) -> Source:
    text = table(f"{names},hit,all", *ids, lambda i: i % 2, lambda _: 1)
    return nf.from_statistics(text, "hit/all", columns=asked).sources[0]


def ratings(names: str, *ids: Cell, **asked: str) -> Source:
    source = nf.read_ratings(table(f"{names},ann,bob", *ids, lambda i: i % 2, lambda _: 1), columns=asked).source
    assert source is not None
    return source


KINDS = [scores, long_scores, outputs, statistics, ratings]


@pytest.mark.parametrize("read", KINDS)
@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("last", [False, True])
def test_the_id_that_names_every_row_wins(read: Callable[..., Source], names: tuple[str, str], last: bool) -> None:
    cells = (REPEATS, UNIQUE) if last else (UNIQUE, REPEATS)
    source = read(",".join(names), *cells)
    assert source.mapping["item"] == names[last]
    told = [dict(note.facts)["column"] for note in source.notes if note.code == "read.perhaps_groups"]
    # Items may belong together by what was passed over; ratings have no clusters.
    assert told == ([] if read is ratings else [names[not last]])


@pytest.mark.parametrize("read", KINDS)
@pytest.mark.parametrize("names", NAMES)
def test_two_ids_of_every_row_are_refused_with_what_to_say(read: Callable[..., Source], names: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="2 columns could be the item") as refused:
        read(",".join(names), UNIQUE, OTHER)
    assert refused.value.advice("shell") == f"name one: --columns item={names[0]}."
    assert read(",".join(names), UNIQUE, OTHER, item=names[0]).mapping["item"] == names[0]


@pytest.mark.parametrize("read", KINDS)
def test_ids_that_name_rows_only_together_are_to_be_joined(read: Callable[..., Source]) -> None:
    with pytest.raises(InputError, match="only together they name every row") as refused:
        read("doc_id,sentence_id", REPEATS, WITHIN)
    assert refused.value.advice() == "name them together: columns={'item': 'doc_id,sentence_id'}."
    assert read("doc_id,sentence_id", REPEATS, WITHIN, item="doc_id,sentence_id").rows


@pytest.mark.parametrize("read", KINDS)
def test_a_better_name_wins_unless_it_repeats(read: Callable[..., Source]) -> None:
    assert read("id,question_id", UNIQUE, OTHER).mapping["item"] == "id"
    assert read("id,question_id", REPEATS, UNIQUE).mapping["item"] == "question_id"


def test_the_number_of_a_row_is_no_id_of_systems_below_each_other() -> None:
    rows = [f"{n},q{n % 6},{'AB'[n // 6]},{n / 12}\n" for n in range(12)]
    assert nf.read(io.StringIO("id,uid,system,score\n" + "".join(rows))).sources[0].mapping["item"] == "uid"


def test_an_id_that_has_gaps_names_no_row() -> None:
    text = "uid,id,A,B\n" + "".join(f"{'' if i == 3 else f'u{i}'},v{i},{i},{i + 1}\n" for i in ROWS)
    assert nf.read(io.StringIO(text)).sources[0].mapping["item"] == "id"


def test_outputs_of_another_system_are_no_datasets() -> None:
    text = "id,gold,A,B\n" + "".join(f"{i // 2},{'xy'[i % 2]},y,{'xy'[i % 2]}\n" for i in range(8))
    with pytest.raises(InputError, match="was already given") as refused:
        nf.score("accuracy", io.StringIO(text))
    assert "dataset=B" not in refused.value.advice("shell")


@pytest.mark.parametrize("names", ["model,method", "run,seed", "document,group"])
def test_two_columns_of_one_role_are_refused_in_statistics_as_in_scores(names: str) -> None:
    first = names.split(",")[0]
    cells = [f"q{i // 2},{'ab'[i % 2]},{'xy'[i % 2]},{i % 3},1\n" for i in ROWS]
    with pytest.raises(InputError, match="2 columns could be the") as refused:
        nf.from_statistics(io.StringIO(f"item,{names},hit,all\n" + "".join(cells)), "hit/all")
    assert f"={first}" in refused.value.advice("shell")


def test_a_column_of_ids_is_no_annotator() -> None:
    text = "item,uid,question_id,ann,bob\n" + "".join(f"{i},u{i},v{i},{i % 2},1\n" for i in ROWS)
    assert nf.read_ratings(io.StringIO(text)).annotators == ("ann", "bob")
