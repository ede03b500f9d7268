"""Tables that were read as something they are not, and advice that led nowhere."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError

TREE = """# sent_id = {number}
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\tNN\t_\t{head}\tnsubj\t_\t_
3\tbarks\tbark\tVERB\tVBZ\t_\t0\troot\t_\t_

"""
ENGINES = """,engine,rating,latency
0,gpt-4,3,1.75
1,claude,4,2.1
2,gpt-4,5,0.4
3,claude,2,2.6
4,gpt-4,4,2.6
5,claude,4,2.5
6,gpt-4,5,1.7
7,claude,4,1.6
"""


def said_of(source: object, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        nf.read(source, **options)
    return caught.value.said("shell")


@pytest.mark.parametrize("comments", [True, False])
@pytest.mark.parametrize("packed", [True, False])
def test_trees_without_gold_are_called_trees(tmp_path: Path, comments: bool, packed: bool) -> None:
    """One file or two, as they are or with grep -v '^#': never token ids against heads, always gold and a metric."""
    text = "".join(TREE.format(number=number, head=number % 3 + 1) for number in range(6))
    if not comments:
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
    files = [tmp_path / f"{name}.conllu{'.gz' if packed else ''}" for name in ("one", "two")]
    for file in files:
        file.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    for source in (files[0], files):
        said = said_of(source)
        assert "CoNLL-U" in said
        assert "--gold" in said
        assert "las" in said


@pytest.mark.parametrize("index", [True, False])
def test_an_unknown_column_of_systems_is_not_passed_over(tmp_path: Path, index: bool) -> None:
    """rating and latency are no systems: engine names two, and each row holds one of them."""
    lines = ENGINES.splitlines()
    text = "\n".join(lines if index else [line.partition(",")[2] for line in lines]) + "\n"
    (tmp_path / "eng.csv").write_text(text)
    assert "--columns system=engine" in said_of(tmp_path / "eng.csv")


def test_an_unknown_column_of_systems_beside_items_is_offered_as_one(tmp_path: Path) -> None:
    rows = [f"{item},{name},{rating}" for item in range(6) for name, rating in (("gpt-4", item % 5), ("claude", 3))]
    (tmp_path / "eng.csv").write_text("\n".join(["item,engine,rating", *rows]) + "\n")
    with pytest.raises(InputError) as caught:
        nf.read(tmp_path / "eng.csv").pair()
    assert "system=engine" in caught.value.said("shell")


@pytest.mark.parametrize("header", ["{x},{y}", "[red]x\t[red]y", "[A];[B]", "{null},{none}"])
def test_a_header_that_begins_with_a_bracket_is_a_header(tmp_path: Path, header: str) -> None:
    separator = next(mark for mark in "\t;," if mark in header)
    rows = [f"0.{number}{separator}0.{9 - number}" for number in range(1, 9)]
    (tmp_path / "a.csv").write_text("\n".join([header, *rows]) + "\n")
    assert nf.read(tmp_path / "a.csv").systems == tuple(header.split(separator))


def test_what_was_meant_as_json_is_told_what_is_wrong_with_it(tmp_path: Path) -> None:
    for text in ("{'A': [1, 2], 'B': [0, 1]}\n", "{A: 1,\n B: 2}\n", "[0.5,\n 0.25\n"):
        (tmp_path / "a.json").write_text(text)
        assert "JSON" in said_of(tmp_path / "a.json")


def test_a_leading_zero_is_no_thousand(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("A;B\n0,364;0,371\n0,402;0,388\n0,511;0,467\n")
    said = said_of(tmp_path / "a.csv")
    assert "0364" not in said
    assert "0.364" in said


def test_a_leading_zero_with_a_spread_is_no_thousand_either(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("A;B\n0,364 ± 0,01;0,371 ± 0,02\n0,402 ± 0,01;0,388 ± 0,02\n")
    assert "'0.364'" in said_of(tmp_path / "a.csv")


def test_trees_and_tables_of_ten_columns_are_told_apart(tmp_path: Path) -> None:
    """Ten systems without a header are no trees; trees without heads are scored by their tags."""
    rows = ["\t".join(str((row * column) % 7) for column in range(1, 11)) for row in range(1, 9)]
    (tmp_path / "ten.tsv").write_text("\n".join(rows) + "\n")
    assert len(nf.read(tmp_path / "ten.tsv").systems) > 8
    (tmp_path / "tags.conllu").write_text("1\tdog\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tbarks\t_\tVERB\t_\t_\t_\t_\t_\t_\n")
    assert "--metric upos" in said_of(tmp_path / "tags.conllu")


def test_the_columns_named_are_taken(tmp_path: Path) -> None:
    """What the refusal offers works: the columns of scores as they are, or the systems where items repeat."""
    (tmp_path / "eng.csv").write_text(ENGINES)
    assert nf.read(tmp_path / "eng.csv", score="rating,latency").systems == ("rating", "latency")
    lines = [f"{int(line[0]) // 2}{line[1:]}" if line[0] != "," else f"item{line}" for line in ENGINES.splitlines()]
    (tmp_path / "long.csv").write_text("\n".join(lines) + "\n")
    assert "--columns system=engine" in said_of(tmp_path / "long.csv")
    scores = nf.read(tmp_path / "long.csv", system="engine", score="rating")
    assert scores.systems == ("gpt-4", "claude")


def test_systems_beside_groups_stay_systems(tmp_path: Path) -> None:
    """Two columns that may be systems are, whatever is measured beside them and however items are grouped."""
    rows = [f"q{row},{'ab'[row % 2]},{row % 3},{row % 2},{row % 5}" for row in range(8)]
    (tmp_path / "wide.csv").write_text("\n".join(["item,chapter,old,new,latency", *rows]) + "\n")
    assert {"old", "new"} <= set(nf.read(tmp_path / "wide.csv").systems)


@pytest.mark.parametrize(("tags", "named"), [(("B-PER", "O"), True), (("NN", "VB"), False)])
def test_tokens_of_sentences_are_scored_by_sentence(tmp_path: Path, tags: tuple[str, str], named: bool) -> None:
    rows = [f"{row // 4}\t{row % 4}\t{tags[row % 2]}\t{tags[row % 3 % 2]}\t{tags[0]}" for row in range(24)]
    (tmp_path / "tags.tsv").write_text("\n".join(["sentence\ttoken\tgold\told\tnew", *rows]) + "\n")
    with pytest.raises(InputError) as caught:
        nf.score("accuracy", tmp_path / "tags.tsv")
    said = caught.value.said("shell")
    assert "--metric token_accuracy" in said
    assert ("span_f1" in said) == named
    assert nf.score("token_accuracy", tmp_path / "tags.tsv").systems == ("old", "new")
