"""Alignment error rate: a direct count over link sets, both formats, and broken files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.errors import InputError
from nofluke.metrics.alignment import aer, alignment_precision, alignment_recall
from nofluke.metrics.statistics import ItemStatistics

stable = settings(deadline=None, derandomize=True, max_examples=60)
links = st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6)
# (system, sure, only possible) links of each sentence.
corpora = st.lists(st.tuples(links, links, links), min_size=1, max_size=6)
Corpus = list[tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]], frozenset[tuple[int, int]]]]


def score(statistics: ItemStatistics) -> float:
    return float(statistics.aggregate(statistics.values.sum(axis=0), float(len(statistics.values))))


def pharaoh(corpus: Corpus) -> tuple[list[str], list[str]]:
    output = [" ".join(f"{i}-{j}" for i, j in sorted(system)) for system, _, _ in corpus]
    gold = [
        " ".join([f"{i}-{j}" for i, j in sorted(sure)] + [f"{i}p{j}" for i, j in sorted(possible)])
        for _, sure, possible in corpus
    ]
    return output, gold


def naacl(corpus: Corpus) -> tuple[list[str], list[str]]:
    output, gold = [], []
    for number, (system, sure, possible) in enumerate(corpus, 1):
        output += [f"{number:04d} {i + 1} {j + 1}" for i, j in sorted(system)]
        gold += [f"{number} {i + 1} {j + 1} P" for i, j in sorted(possible)]
        gold += [f"{number} {i + 1} {j + 1} S 0.9" for i, j in sorted(sure)]
    return output, gold


@stable
@given(corpora, st.integers(0, 6))
def test_rates_are_those_of_link_sets(corpus: Corpus, cut: int) -> None:
    output, gold = pharaoh(corpus)
    rows = [(len(a & s), len(a & (s | p)), len(a), len(s)) for a, s, p in corpus]
    found = aer(output, gold)
    assert [tuple(row) for row in found.values.tolist()] == rows
    sure_hits, possible_hits, system, sure = np.array(rows).sum(axis=0).tolist()
    for metric, top, bottom in (
        (aer, system + sure - sure_hits - possible_hits, system + sure),
        (alignment_precision, possible_hits, system),
        (alignment_recall, sure_hits, sure),
    ):
        value = score(metric(output, gold))
        assert value == (top / bottom if bottom else pytest.approx(float("nan"), nan_ok=True))
    if system + sure:
        assert score(found) == pytest.approx(1 - (sure_hits + possible_hits) / (system + sure), rel=1e-12, abs=1e-15)
    parts = [part for part in (corpus[:cut], corpus[cut:]) if part]
    assert [row for part in parts for row in aer(*pharaoh(part)).values.tolist()] == found.values.tolist()


@stable
@given(corpora)
def test_both_formats_give_the_same(corpus: Corpus) -> None:
    wanted = aer(*pharaoh(corpus)).values.tolist()
    output, gold = naacl(corpus)
    if not output or not gold:
        return
    assert aer(output, pharaoh(corpus)[1]).values.tolist() == wanted
    assert aer(pharaoh(corpus)[0], gold).values.tolist() == wanted
    turned = [" ".join(f"{j}-{i}" for i, j in sorted(system)) for system, _, _ in corpus]
    assert aer(turned, gold, reverse=True).values.tolist() == wanted
    shifted = [" ".join(f"{i + 1}-{j + 1}" for i, j in sorted(system)) for system, _, _ in corpus]
    assert aer(shifted, gold, base=1).values.tolist() == wanted
    if all(sure | possible for _, sure, possible in corpus):
        assert aer(output, gold).values.tolist() == wanted


def test_sure_links_are_possible_links_too() -> None:
    found = aer(["0-0 1-1 2-2"], ["0-0 1p1"])
    assert found.values.tolist() == [[1, 2, 3, 1]]
    assert found.names == ("sure_hits", "possible_hits", "links", "sure")
    assert score(found) == 1 / 4
    assert found.aggregate.ratio is not None
    assert found.aggregate.ratio.denominator == (0, 0, 1, 1)
    assert aer(["0-0 1-1 2-2"], ["0-0 1?1"]).values.tolist() == found.values.tolist()


def test_links_given_twice_and_the_empty_word() -> None:
    found = aer(["1 1 1", "1 1 1", "1 0 2"], ["1 1 1 S"])
    assert found.values.tolist() == [[1, 1, 1, 1]]
    assert [str(note) for note in found.notes] == [
        "output: 1 link given twice, counted once.",
        "output: 1 link to the empty word (position 0) left out.",
    ]


def broken(tmp_path: Path, output: str, gold: str = "0-0 1-1\n0-0\n", **options: Any) -> str:
    for name, text in (("out.txt", output), ("gold.txt", gold), ("texts.txt", "a b ||| c d\na ||| b\n")):
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        aer(tmp_path / "out.txt", tmp_path / "gold.txt", **options)
    return str(caught.value).replace(f"{tmp_path}/", "")


def test_broken_files(tmp_path: Path) -> None:
    assert broken(tmp_path, "0-0\n0-0 1=1\n") == (
        "out.txt line 2: '1=1' is not a link.\n"
        "  fix: write links as 0-2, or 0p2 for possible ones (Pharaoh), or as rows 1 3 4 S (NAACL)."
    )
    assert broken(tmp_path, "0-0\n") == (
        "out.txt: 1 line, and gold.txt has 2.\n  fix: give one line per sentence, empty where nothing is aligned."
    )
    assert broken(tmp_path, "0-0\n1-0\n", base=1) == (
        "out.txt line 1: link 0-0 has position 0, where positions begin at 1.\n"
        "  fix: give base 0 (base for outputs, gold_base for gold)."
    )
    assert broken(tmp_path, "1 1 1 S\n1 x 2 S\n") == (
        "out.txt line 2: '1 x 2 S' is not a link.\n"
        "  fix: write rows of sentence, source and target position, each from 1, and S or P."
    )
    assert broken(tmp_path, "1 1 1 S\n3 1 2 S\n") == (
        "out.txt line 2: sentence 3 is not in gold.txt.\n  fix: give outputs and gold of the same sentences."
    )
    assert broken(tmp_path, "") == "out.txt: there are no alignments.\n  fix: give one line per sentence."
    assert broken(tmp_path, "0-0\n\n", base=2) == "positions cannot begin at 2.\n  fix: give base 0 or 1."


def test_links_out_of_range(tmp_path: Path) -> None:
    texts = {"sentences": str(tmp_path / "texts.txt")}
    where = "check whether positions begin at 0 or 1 (base, gold_base), and the direction (reverse)."
    assert broken(tmp_path, "0-0 1-1\n0-1\n", **texts) == (
        "out.txt line 2: link 0-1 (from 0) is out of range: sentence 2 has 1 source and 1 target words.\n"
        f"  fix: {where}"
    )
    assert broken(tmp_path, "0-0\n0-0\n", "0-0 2p1\n0-0\n", **texts) == (
        "gold.txt line 1: link 2-1 (from 0) is out of range: sentence 1 has 2 source and 2 target words.\n"
        f"  fix: {where}"
    )
    assert broken(tmp_path, "0-0\n\n\n", "0-0\n\n\n", **texts) == (
        "gold.txt: there is a sentence 3, and texts.txt has 2 lines.\n  fix: give the texts of these sentences."
    )
    (tmp_path / "bad.txt").write_text("a b\n")
    assert broken(tmp_path, "0-0\n\n", sentences=str(tmp_path / "bad.txt")) == (
        "bad.txt line 1: the line is not 'source ||| target'.\n  fix: put ||| between the two texts."
    )
