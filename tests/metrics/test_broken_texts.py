"""Files that are no UTF-8 text, and options and answers that cannot be meant, are told for what they are."""

from __future__ import annotations

import bz2
import lzma
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError, MethodError


@pytest.mark.parametrize(
    ("data", "told", "fix"),
    [
        ("a\nb\n".encode("utf-16"), "the file is UTF-16 text", "iconv -f UTF-16"),
        ("a\nb\n".encode("utf-16-be"), "the file is UTF-16 text", "iconv -f UTF-16BE"),
        (lzma.compress(b"a\nb\n"), "the file is packed with xz", "unpack it; files packed with gzip are read"),
        (bz2.compress(b"a\nb\n"), "the file is packed with bzip2", "unpack it"),
        (b"PK\x03\x04....", "the file is a zip archive", "unpack it"),
        (b"PAR1\x15\x04", "the Parquet file cannot be read", "write or copy the file again"),
        (b"\x00\x01\x02", "the file is binary, not text", "give UTF-8 text"),
        ("gut\nsch\xf6n\n".encode("latin-1"), "line 2: byte 0xf6 is not UTF-8 text", "iconv -f LATIN1"),
    ],
)
def test_what_is_no_text(data: bytes, told: str, fix: str, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        nf.score("accuracy", {"A": path}, ["a", "b"])
    assert told in str(caught.value)
    assert fix in str(caught.value)


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ('["the cat", "a dog"', "gold.txt line 1: this is not a JSON list: "),
        ('{"a": 1}', "gold.txt line 1: this is not a JSON list of texts"),
        ("[1, 2]", "gold.txt line 1: this is not a JSON list of texts"),
    ],
)
def test_a_first_line_of_broken_answers(first: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "gold.txt"
    path.write_text(f'{first}\n["42"]\n["43", "44"]\n')
    with pytest.raises(InputError) as caught:
        nf.score("exact_match", {"A": ["the cat", "42", "44"]}, path)
    assert told in str(caught.value)


def test_answers_that_are_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "gold.txt"
    path.write_text('[]\n["42"]\n')
    assert nf.score("exact_match", {"A": ["", "42"]}, path).statistics[:, 0].tolist() == [1.0, 1.0]
    path.write_text("[sic\nyes\nno\n")
    assert nf.score("exact_match", {"A": ["[sic", "yes", "yes"]}, path).statistics[:, 0].tolist() == [1.0, 1.0, 0.0]


def test_values_of_smoothing() -> None:
    lines = {"A": ["a b c d e"]}
    with pytest.raises(InputError, match="smooth_value = -3 is not 0 or more"):
        nf.score("bleu", lines, lines["A"], smooth_method="floor", smooth_value=-3.0)
    with pytest.raises(MethodError, match="smooth_value = 1 is for smooth_method floor and add-k, not exp"):
        nf.score("bleu", lines, lines["A"], smooth_value=1.0)


def test_alignments_read_differently_have_different_signatures() -> None:
    signatures = {
        nf.score("aer", {"A": ["1-1"]}, ["1-1"], **options).signatures["aer"]
        for options in ({}, {"reverse": True}, {"base": 1}, {"gold_base": 1})
    }
    assert signatures == {
        "aer|base:auto|gold_base:auto|reverse:false",
        "aer|base:auto|gold_base:auto|reverse:true",
        "aer|base:1|gold_base:auto|reverse:false",
        "aer|base:auto|gold_base:1|reverse:false",
    }
