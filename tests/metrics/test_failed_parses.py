"""Sentences that one parser fails on are left out for all, so that failing never pays."""

from __future__ import annotations

from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError

GOLD = [f"(S (NP (NN tea{number})) (VP (VB go)))" for number in range(40)]
# A is right where it answers and fails on three quarters; B parses all, with an error in every other sentence.
FAILING = [*GOLD[:10], *["(())"] * 30]
TRYING = [tree if number % 2 else tree.replace("NP", "XP") for number, tree in enumerate(GOLD)]
TABLE = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    8    0  100.00 100.00     5      5    5      0      6     5    83.33
   2    9    {status}   75.00  60.00     3      4    5      1      7     7   100.00
============================================================================
"""


def test_two_parsers_are_scored_on_what_both_parse() -> None:
    scores = nf.score("bracket_f1", {"A": FAILING, "B": TRYING}, GOLD)
    sample = scores.pair()
    assert sample.n == 10
    assert sample.ids == tuple(str(number + 1) for number in range(10))
    assert sample.score(1) == nf.score("bracket_f1", {"A": GOLD[:10], "B": TRYING[:10]}, GOLD[:10]).pair().score(1)
    assert (
        "Left out for all systems: 30 of 40 items (A: 30 without a parse). To count them as wrong: failed='wrong'."
    ) in map(str, nf.compare(sample).notes)


def test_failures_counted_as_wrong() -> None:
    compared = nf.compare(nf.score("bracket_f1", {"A": FAILING, "B": TRYING}, GOLD, failed="wrong").pair())
    assert (compared.n, compared.verdict) == (40, "worse")
    assert "A: 30 sentences without a parse: all gold brackets in them count as missed." in map(str, compared.notes)


def test_one_parser_alone_is_scored_as_evalb_does() -> None:
    scores = nf.score("bracket_f1", {"A": FAILING}, GOLD)
    assert len(scores.item.labels) == 40
    assert str(scores.notes[1]).startswith("Left out: 30 of 40 items (A: 30 without a parse). ")


def test_parsers_without_a_common_sentence() -> None:
    outputs = {"A": [*GOLD[:20], *["(())"] * 20], "B": [*["(())"] * 20, *GOLD[20:]]}
    with pytest.raises(InputError, match=r"no item is left .*A lacks 20, B lacks 20") as refused:
        nf.score("bracket_f1", outputs, GOLD)
    assert "failed='wrong'" in refused.value.advice()
    assert "--metric-option failed=wrong" in refused.value.advice("shell")


def test_errors_in_the_tables_of_evalb(tmp_path: Path) -> None:
    for name, status in (("a", "1"), ("b", "0")):
        (tmp_path / f"{name}.out").write_text(TABLE.format(status=status))
    files = {name: tmp_path / f"{name}.out" for name in "ab"}
    for _ in range(2):  # computed, and kept from before
        scores = nf.score("bracket_f1", files)
        assert scores.item.labels == ("1",)
        assert any("(a: 1 that evalb skipped or called errors). To count" in str(note) for note in scores.notes)


def test_sentences_with_other_words_are_skipped_by_name() -> None:
    """evalb calls them errors and leaves them out; several systems are scored on the others only."""
    strange = [tree.replace("go", "went") if number in (3, 7) else tree for number, tree in enumerate(GOLD)]
    with pytest.raises(InputError, match="word 2 is 'went', and 'go'") as refused:
        nf.score("bracket_f1", {"A": strange, "B": TRYING}, GOLD)
    assert "other_words='skip'" in str(refused.value)
    assert "--metric-option other_words=skip" in refused.value.advice("shell")
    scores = nf.score("bracket_f1", {"A": strange, "B": TRYING}, GOLD, other_words="skip")
    rest = [number for number in range(40) if number not in (3, 7)]
    expected = nf.score(
        "bracket_f1", {"A": [GOLD[n] for n in rest], "B": [TRYING[n] for n in rest]}, [GOLD[n] for n in rest]
    )
    assert [scores.pair().score(i) for i in (0, 1)] == [expected.pair().score(i) for i in (0, 1)]
    assert any("A: 2 with other words than gold" in str(note) for note in scores.notes)
    both = nf.score("bracket_f1", {"A": ["(())", *strange[1:]]}, GOLD, other_words="skip", failed="wrong")
    assert both.statistics[:, 2].sum() == 3 * 38
