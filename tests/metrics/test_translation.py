"""BLEU, chrF and TER: sums of our statistics give sacrebleu's corpus score."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

from nofluke.errors import InputError, MethodError, MissingExtra
from nofluke.metrics import sacrebleu_statistics
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.translation import bleu, chrf, chrf_plus_plus, ter
from nofluke.metrics.translation_scores import bleu_score, chrf_score
from nofluke.registry import METRICS

WORDS = ["the", "The", "cat", "sat", "on", "a", "mat", "3.5", "U.S.", "e-mail", "(yes)", "Über", "!", "no,"]


def corpus(seed: int, n: int, longest: int = 12) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=draw.randrange(longest))) for _ in range(n)]


def score(found: ItemStatistics, rows: Any = slice(None)) -> float:
    values = found.values[rows]
    return float(found.aggregate(values.sum(axis=0), float(len(values))))


CASES: list[tuple[Any, Any, dict[str, Any]]] = [
    (bleu, BLEU, {}),
    (bleu, BLEU, {"tokenize": "none"}),
    (bleu, BLEU, {"tokenize": "intl", "lowercase": True}),
    (bleu, BLEU, {"tokenize": "char"}),
    (bleu, BLEU, {"tokenize": "zh"}),
    (bleu, BLEU, {"smooth_method": "floor"}),
    (bleu, BLEU, {"smooth_method": "floor", "smooth_value": 0.3}),
    (bleu, BLEU, {"smooth_method": "add-k"}),
    (bleu, BLEU, {"smooth_method": "none"}),
    (bleu, BLEU, {"effective_order": True}),
    (bleu, BLEU, {"max_ngram_order": 6}),
    (chrf, CHRF, {}),
    (chrf, CHRF, {"word_order": 2}),
    (chrf, CHRF, {"beta": 3, "char_order": 4, "lowercase": True}),
    (chrf, CHRF, {"whitespace": True}),
    (chrf, CHRF, {"eps_smoothing": True}),
    (ter, TER, {}),
    (ter, TER, {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True}),
]


@pytest.mark.parametrize("references", [1, 3])
@pytest.mark.parametrize(
    ("metric", "oracle", "options"), CASES, ids=lambda value: str(getattr(value, "__name__", value))
)
def test_sums_give_the_corpus_score_and_parts_of_the_corpus_too(
    metric: Any, oracle: Any, options: dict[str, Any], references: int
) -> None:
    output = corpus(1, 40)
    golds = [corpus(seed, 40) for seed in range(2, 2 + references)]
    found = metric(output, golds, **options)
    theirs = oracle(**options)
    assert score(found) == pytest.approx(theirs.corpus_score(output, golds).score, rel=1e-12, abs=1e-12)
    assert (found.values == np.rint(found.values)).all()
    assert len(found.names) == found.values.shape[1]
    assert found.signature.partition("|")[2].startswith(theirs.get_signature().format())
    for rows in ([0, 5, 6], list(range(20, 40)), [7]):
        part = theirs.corpus_score([output[i] for i in rows], [[gold[i] for i in rows] for gold in golds]).score
        if not (metric is ter and not found.values[rows, 1].sum()):
            assert score(found, rows) == pytest.approx(part, rel=1e-12, abs=1e-12), rows


def test_chrf_plus_plus_is_chrf_with_words() -> None:
    output, gold = corpus(1, 20), corpus(2, 20)
    found = chrf_plus_plus(output, gold)
    assert score(found) == pytest.approx(CHRF(word_order=2).corpus_score(output, [gold]).score, rel=1e-12)
    assert found.signature.startswith("chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:")
    assert METRICS["chrf++"].name == "chrf_plus_plus"


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    pairs=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=4, max_size=4),
    lengths=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    method=st.sampled_from(["exp", "floor", "add-k", "none"]),
    effective=st.booleans(),
)
def test_bleu_of_any_sums(pairs: list[tuple[int, int]], lengths: tuple[int, int], method: str, effective: bool) -> None:
    total = [max(pair) for pair in pairs]
    correct = [min(pair) for pair in pairs]
    sums = np.array([[*lengths, *correct, *total]] * 2, dtype=float)
    ours = bleu_score(
        sums[None], 1.0, smooth_method=method, smooth_value=None, max_ngram_order=4, effective_order=effective
    )
    theirs = BLEU.compute_bleu(list(correct), list(total), *lengths, smooth_method=method, effective_order=effective)
    assert ours.shape == (1, 2)
    assert ours[0] == pytest.approx([theirs.score] * 2, rel=1e-12, abs=1e-12)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(sums=st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=3, max_size=3), smoothing=st.booleans())
def test_chrf_of_any_sums(sums: list[tuple[int, int, int]], smoothing: bool) -> None:
    flat = [
        number for system, reference, match in sums for number in (system, reference, min(system, reference, match))
    ]
    ours = chrf_score(np.array([flat], dtype=float), 1.0, beta=2, eps_smoothing=smoothing)
    theirs = CHRF(char_order=3, eps_smoothing=smoothing)._compute_f_score(flat)
    assert float(ours[0]) == pytest.approx(theirs, rel=1e-12, abs=1e-12)


def test_ter_averages_the_length_of_references() -> None:
    # One edit against the nearer reference; lengths 2 and 4 make 3 words on average.
    found = ter(["a b"], [["a c"], ["x y z w"]])
    assert found.values.tolist() == [[1, 6]]
    assert score(found) == pytest.approx(100 / 3)
    assert found.aggregate.ratio is not None


def test_files_references_and_marks(tmp_path: Path) -> None:
    hypothesis, first, second = (tmp_path / name for name in ("hyp.txt", "ref1.txt", "ref2.txt"))
    hypothesis.write_bytes("\ufeffthe cat sat on the mat\n".encode())
    first.write_text("the cat sat on the mat\n")
    second.write_text("a cat was sitting there\n")
    assert bleu(hypothesis, [first, second]).signature.startswith("BLEU|nrefs:2|")
    # sacrebleu keeps the byte order mark as part of the first word, so the first word is wrong.
    assert bleu(hypothesis, first).values[0, 2] == 5
    assert bleu(["the cat sat on the mat"], first).values[0, 2] == 6


def test_tokenised_text_is_noted() -> None:
    lines = ["a cat sat ."] * 100
    assert "100 lines end in ' .'" in str(bleu(lines, lines).notes[0])
    assert bleu(lines[:99], lines[:99]).notes == ()


def message(call: Any) -> str:
    with pytest.raises((InputError, MissingExtra, MethodError)) as caught:
        call()
    return str(caught.value)


def test_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hyp.txt").write_text("a\nb\n")
    Path("ref.txt").write_text("a\n")
    Path("latin.txt").write_bytes(b"fine\ncaf\xe9\n")
    Path("empty.txt").write_text("")
    assert message(lambda: bleu("hyp.txt", "ref.txt")) == (
        "hyp.txt: 2 lines, and ref.txt has 1.\n"
        "  fix: line i of one file belongs to line i of the other: give files of the same length."
    )
    assert message(lambda: bleu("latin.txt", "hyp.txt")).startswith("latin.txt line 2: byte 0xe9 is not UTF-8 text.")
    assert message(lambda: bleu("empty.txt", "empty.txt")).startswith("empty.txt: there are no lines.")
    assert message(lambda: bleu(["a", "b"], ["ref.txt", "hyp.txt"])) == (
        "gold: a list of strings is the lines of one reference, but these name files: ref.txt, hyp.txt.\n"
        '  fix: for several reference files give paths: [Path("ref1.txt"), Path("ref2.txt")].'
    )
    assert message(lambda: bleu(["a"], [])).startswith("output: 1 line, and gold has 0.")
    assert message(lambda: chrf(["a"], ["a"], char_order=0)).startswith("char_order = 0 is not positive.")
    assert message(lambda: chrf(["a"], ["a"], word_order=-1)).startswith("word_order = -1 is negative.")


def test_without_sacrebleu(monkeypatch: pytest.MonkeyPatch) -> None:
    sacrebleu_statistics._prepared.cache_clear()
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    assert message(lambda: bleu(["a"], ["a"])) == (
        "this metric needs sacrebleu, which is not installed.\n  fix: pip install nofluke[metrics]"
    )


def test_a_tokeniser_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no network")

    sacrebleu_statistics._prepared.cache_clear()
    monkeypatch.setattr("sacrebleu.metrics.bleu._get_tokenizer", fail)
    assert message(lambda: bleu(["a"], ["a"], tokenize="flores200")).startswith(
        "sacrebleu cannot load the tokeniser 'flores200': no network"
    )


def test_another_definition_in_sacrebleu_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = BLEU.compute_bleu

    def other(*given: Any, **options: Any) -> Any:
        found = real(*given, **options)
        found.score *= 1.001
        return found

    monkeypatch.setattr(BLEU, "compute_bleu", staticmethod(other))
    assert "computes BLEU in a way this version of nofluke does not know" in message(
        lambda: bleu(["a b c d e"], ["a b c d e"])
    )
