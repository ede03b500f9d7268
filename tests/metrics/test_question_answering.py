"""Exact match and token F1 by the published normalisation, with several gold answers."""

from __future__ import annotations

import re
import string
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.errors import InputError
from nofluke.metrics.question_answering import exact_match, normalised, token_f1, token_overlap


def published_normalisation(s: str) -> str:
    """The steps as SQuAD's evaluation script takes them: lower, punctuation, articles, white space."""
    s = "".join(ch for ch in s.lower() if ch not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", s).split())


def published_f1(prediction: str, truth: str) -> float:
    """SQuAD 2.0's compute_f1 on normalised words."""
    own, gold = published_normalisation(prediction).split(), published_normalisation(truth).split()
    if not own or not gold:
        return float(own == gold)
    same = sum((Counter(own) & Counter(gold)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(own), same / len(gold)
    return 2 * precision * recall / (precision + recall)


ANSWER = st.lists(st.sampled_from(["a", "The", "an", "anthem", "cat", "cat's", "U.S.", "-", "  ", "Ünder"]), max_size=6)


@settings(deadline=None, derandomize=True, max_examples=200)
@given(ANSWER, ANSWER)
def test_the_published_definitions(own: list[str], gold: list[str]) -> None:
    first, second = " ".join(own), " ".join(gold)
    assert normalised(first) == published_normalisation(first)
    assert token_overlap(normalised(first), normalised(second)) == pytest.approx(published_f1(first, second), rel=1e-14)


def values(found: Any) -> list[float]:
    return [float(value) for value in found.values[:, 0]]


def test_worked_by_hand() -> None:
    output = ["The cat sat", "Paris, France", "", "nothing", "in 1990"]
    gold = [["cat sat!"], ["Paris", "the city of Paris"], [], [""], ["1990", "the year 1990 a.d."]]
    assert values(exact_match(output, gold)) == [1, 0, 1, 0, 0]
    # 2 * 1 / (2 + 1); 2 * 1 / (2 + 1) against "1990", 2 * 1 / (2 + 3) against the longer one.
    assert values(token_f1(output, gold)) == [1, 2 / 3, 1, 0, 2 / 3]
    assert values(exact_match(["The cat"], ["cat"], normalise="none")) == [0]
    assert exact_match(["a"], ["a"]).signature == "exact_match|normalise:squad"
    assert token_f1(["a"], ["a"]).aggregate.linear


def test_formats_of_gold(tmp_path: Path) -> None:
    output = ["Paris", "a dog", ""]
    wanted = [1.0, 1.0, 1.0]
    tab, lists, one, two = (tmp_path / name for name in ("tab.txt", "lists.jsonl", "one.txt", "two.txt"))
    tab.write_text("Rome\tparis\ndog\n\n")
    lists.write_text('["Rome", "paris"]\n["dog"]\n[]\n')
    one.write_text("Rome\ndog\n\n")
    two.write_text("paris\ncat\nx\n")
    for gold in (tab, lists, [one, two], ["Rome\tParis", "dog", ""], [["Rome", "Paris"], "dog", []]):
        assert values(exact_match(output, gold)) == wanted
    assert values(exact_match(["Rome paris"], ["Rome\tparis"], answers="single")) == [1.0]
    assert values(exact_match(["[1]"], ["[1]"], answers="tab")) == [1.0]


def test_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.jsonl").write_text('["a"]\n["b"\n')
    Path("mixed.jsonl").write_text('["a"]\n["b", 3]\n')
    Path("short.txt").write_text("a\n")

    def message(gold: Any) -> str:
        with pytest.raises(InputError) as caught:
            exact_match(["a", "b"], gold)
        return str(caught.value)

    assert message("gold.jsonl") == (
        "gold.jsonl line 2: this is not a JSON list: Expecting ',' delimiter at character 5.\n"
        '  fix: write a list of answers such as ["Paris", "the city of Paris"], or use answers=tab.'
    )
    assert message("mixed.jsonl").startswith("mixed.jsonl line 2: this is not a JSON list of texts.")
    assert message("short.txt").startswith("output: 2 lines, and short.txt has 1.")
    assert message([["a"]]).startswith("output: 2 lines, and gold has 1.")
