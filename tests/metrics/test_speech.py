"""Word and character error rate: per line and in all what jiwer gives."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.errors import InputError
from nofluke.metrics.speech import cer, edits, wer

WORDS = ["yes", "no", "Maybe", "maybe,", "so", "it's", "—", "über", "so-so"]


def corpus(seed: int, n: int) -> list[str]:
    draw = random.Random(seed)
    return ["  ".join(draw.choices(WORDS, k=draw.randrange(10))) for _ in range(n)]


def score(found: Any, rows: Any = slice(None)) -> float:
    return float(found.aggregate(found.values[rows].sum(axis=0), 1.0))


@pytest.mark.parametrize(("ours", "theirs"), [(wer, jiwer.process_words), (cer, jiwer.process_characters)])
def test_rates_are_those_of_jiwer(ours: Any, theirs: Any) -> None:
    output, gold = corpus(1, 600), corpus(2, 600)
    found = ours(output, gold)
    whole = theirs(gold, output)
    assert score(found) == pytest.approx(getattr(whole, ours.__name__), rel=1e-15)
    for rows in ([3], [4, 99, 100], range(200)):
        part = theirs([gold[i] for i in rows], [output[i] for i in rows])
        assert found.values[list(rows), :3].sum() == part.substitutions + part.deletions + part.insertions
    assert found.values[:, 3].sum() == whole.hits + whole.substitutions + whole.deletions
    # Deletions minus insertions is a difference of lengths, so it is the same for every shortest edit.
    assert (found.values[:, 1] - found.values[:, 2]).sum() == whole.deletions - whole.insertions


def test_options_are_those_of_jiwers_transforms() -> None:
    output, gold = corpus(1, 200), corpus(2, 200)
    clean = jiwer.Compose([jiwer.ToLowerCase(), jiwer.RemovePunctuation()])
    words = jiwer.Compose([clean, jiwer.RemoveMultipleSpaces(), jiwer.Strip(), jiwer.ReduceToListOfListOfWords()])
    expected = jiwer.wer(gold, output, reference_transform=words, hypothesis_transform=words)
    assert score(wer(output, gold, lowercase=True, remove_punctuation=True)) == pytest.approx(expected, rel=1e-15)
    characters = jiwer.Compose([jiwer.RemoveWhiteSpace(), jiwer.ReduceToListOfListOfChars()])
    expected = jiwer.cer(gold, output, reference_transform=characters, hypothesis_transform=characters)
    assert score(cer(output, gold, blanks=False)) == pytest.approx(expected, rel=1e-15)
    assert score(wer(["Yes"], ["yes"])) == 1
    assert wer(["Yes"], ["yes"], lowercase=True).signature == "wer|lowercase:yes|remove_punctuation:no"


def brute(gold: str, output: str) -> list[int]:
    """Try every edit: fewest edits, then fewest gaps."""

    @cache
    def best(i: int, j: int) -> tuple[int, int, int, int, int]:
        if i == len(gold) or j == len(output):
            gaps = len(gold) - i + len(output) - j
            return gaps, gaps, 0, len(gold) - i, len(output) - j
        found = []
        for di, dj in ((1, 1), (1, 0), (0, 1)):
            edit, gap, s, d, n = best(i + di, j + dj)
            change = di == dj and gold[i] != output[j]
            lone = di != dj
            found.append((edit + change + lone, gap + lone, s + change, d + (di > dj), n + (dj > di)))
        return min(found)

    return list(best(0, 0)[2:])


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.tuples(st.text("ab", max_size=6), st.text("ab", max_size=6)), min_size=1, max_size=8))
def test_edits_by_trying_all(pairs: list[tuple[str, str]]) -> None:
    gold, output = zip(*pairs, strict=True)
    assert edits(gold, output).tolist() == [brute(*pair) for pair in pairs]


def test_batches_do_not_matter() -> None:
    gold, output = ([line.split() for line in corpus(seed, 700)] for seed in (1, 2))
    together = edits(gold, output)
    alone = np.concatenate([edits([one], [other]) for one, other in zip(gold, output, strict=True)])
    assert (together == alone).all()


def test_an_empty_reference_adds_insertions() -> None:
    found = wer(["so it goes", "yes"], ["", "yes"])
    assert found.values.tolist() == [[0, 0, 3, 0], [0, 0, 0, 1]]
    assert score(found) == 3
    assert np.isnan(score(found, [0]))
    assert found.aggregate.ratio is not None


def test_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hyp.txt").write_text("a\nb\n")
    Path("ref.txt").write_text("a\n")
    with pytest.raises(InputError) as caught:
        wer("hyp.txt", "ref.txt")
    assert str(caught.value).startswith("hyp.txt: 2 lines, and ref.txt has 1.")
