"""ROUGE: every text has the score of rouge-score, with and without stems, with one or several references."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer, _backtrack_norec, _lcs_table

from nofluke.errors import InputError
from nofluke.metrics import porter
from nofluke.metrics.summarisation import common_length, common_places, rouge_1, rouge_2, rouge_l, rouge_lsum, tokens_of

TYPES = {"rouge1": rouge_1, "rouge2": rouge_2, "rougeL": rouge_l, "rougeLsum": rouge_lsum}
WORDS = [
    "running",
    "runs",
    "the",
    "nationally",
    "flies",
    "dying",
    "cat",
    "cats",
    "U.S.",
    "1990s",
    "Élan",
    "happily",
    "-",
]


def texts(seed: int, n: int) -> list[str]:
    draw = random.Random(seed)

    def sentence() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randrange(9)))

    return ["\n".join(sentence() for _ in range(draw.randrange(4))) for _ in range(n)]


@pytest.mark.parametrize("stem", [False, True])
@pytest.mark.parametrize("name", TYPES)
def test_every_text_has_the_score_of_rouge_score(name: str, stem: bool) -> None:
    # Texts must not end in a line break, which is not part of a line.
    output, gold = ([text.rstrip("\n") for text in texts(seed, 150)] for seed in (1, 2))
    scorer = RougeScorer([name], use_stemmer=stem)
    theirs = [scorer.score(one, other)[name] for one, other in zip(gold, output, strict=True)]
    for measure in ("fmeasure", "precision", "recall"):
        found = TYPES[name](output, gold, stem=stem, measure=measure)
        assert found.values[:, 0] == pytest.approx([getattr(one, measure) for one in theirs], rel=1e-14, abs=0)
        assert found.aggregate.linear
    # The test sees all kinds of overlap.
    assert {one.fmeasure == 0 for one in theirs} == {True, False}


@pytest.mark.parametrize("name", TYPES)
def test_several_references(name: str) -> None:
    output, *golds = ([text.rstrip("\n") for text in texts(seed, 80)] for seed in (1, 2, 3, 4))
    scorer = RougeScorer([name])
    best = TYPES[name](output, golds)
    multi = [scorer.score_multi(list(each), one)[name] for *each, one in zip(*golds, output, strict=True)]
    assert best.values[:, 0] == pytest.approx([one.fmeasure for one in multi], rel=1e-14, abs=0)
    single = np.mean([TYPES[name](output, gold).values for gold in golds], axis=0)
    average = TYPES[name](output, golds, references="average")
    assert average.values == pytest.approx(single, rel=1e-14)
    assert best.signature != average.signature


def test_the_reference_is_chosen_by_f() -> None:
    # F is 2/3 and 1/2, recall 2/3 and 1.
    found = rouge_1(["a b c"], [["a b d"], ["c"]], measure="recall")
    assert found.values.tolist() == [[2 / 3]]


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_common_subsequences(reference: str, candidate: str) -> None:
    table = _lcs_table(reference, candidate)
    assert common_length(reference, candidate) == table[-1][-1]
    assert common_places(reference, candidate)[::-1] == _backtrack_norec(table, reference, candidate)


def test_stems_are_those_of_nltk() -> None:
    draw, theirs = random.Random(5), PorterStemmer()
    endings = [ending for ending, _ in (*porter._STEP_1A, *porter._STEP_2, *porter._STEP_3)]
    endings += [*porter._STEP_4, "ed", "ing", "eed", "ied", "ies", "y", "logi", "ll", "e", ""]
    words = set(porter._IRREGULAR)
    for _ in range(40_000):
        start = "".join(draw.choices("aeioubcdlstzyxw1", k=draw.randrange(6)))
        words.add(start + draw.choice(endings) + draw.choice(["", draw.choice(endings)]))
    assert [word for word in sorted(words) if porter.stem(word) != theirs.stem(word)] == []


def test_only_words_of_more_than_three_letters_are_stemmed() -> None:
    assert tokens_of("Its cats' RUNNING, fly-by 100%", stem=True) == ["its", "cat", "run", "fly", "by", "100"]


def test_sentences_in_files(tmp_path: Path) -> None:
    path = tmp_path / "sum.txt"
    path.write_text("the cat sat<n>a dog ran\n")
    split = rouge_lsum(path, ["a dog ran<n>the cat sat"], separator="<n>")
    assert split.values.tolist() == [[1.0]]
    assert split.notes == ()
    assert split.signature == "rouge_lsum|stem:no|measure:fmeasure|nrefs:1|separator:<n>"
    whole = rouge_lsum(path, ["a dog ran<n>the cat sat"])
    assert whole.values[0, 0] < 1
    assert list(map(str, whole.notes)) == [r"No text holds the separator '\n': each was taken as one sentence."]
    with pytest.raises(InputError, match="separator of sentences is empty"):
        rouge_lsum(["a"], ["a"], separator="")


def test_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("x\ny\n")
    Path("b.txt").write_text("x\n")
    call: Any = rouge_1
    with pytest.raises(InputError) as caught:
        call("a.txt", [Path("a.txt"), Path("b.txt")])
    assert str(caught.value).startswith("a.txt: 2 lines, and b.txt has 1.")
