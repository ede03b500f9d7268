"""Brackets counted as evalb counts them: worked trees, an evalb-like matcher written out, and evalb's own table."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.errors import InputError
from nofluke.metrics.constituency import bracket_f1, bracket_precision, bracket_recall
from nofluke.metrics.statistics import ItemStatistics

stable = settings(deadline=None, derandomize=True, max_examples=80)


def score(statistics: ItemStatistics) -> float:
    return float(statistics.aggregate(statistics.values.sum(axis=0), float(len(statistics.values))))


def counts(test: str, gold: str, **options: Any) -> list[float]:
    """(matched, test, gold) brackets of one sentence."""
    row: list[float] = bracket_f1([test], [gold], **options).values[0].tolist()
    return row


def test_worked_attachment() -> None:
    """The man with eyes saw me: with attached high instead of low.

    Words The0 man1 with2 eyes3 saw4 me5. Gold brackets (TOP removed): S 0-6, NP 0-4, NP 0-2, PP 2-4, NP 3-4, VP 4-6,
    NP 5-6: 7. Test: S 0-6, NP 0-2, PP 2-4, NP 3-4, VP 4-6, NP 5-6: 6, all of them in gold; NP 0-4 is missed.
    """
    gold = "(TOP (S (NP (NP (DT The) (NN man)) (PP (IN with) (NP (NNS eyes)))) (VP (VBD saw) (NP (PRP me)))))"
    test = "(TOP (S (NP (DT The) (NN man)) (PP (IN with) (NP (NNS eyes))) (VP (VBD saw) (NP (PRP me)))))"
    assert counts(test, gold) == [6, 6, 7]
    assert score(bracket_precision([test], [gold])) == 1.0
    assert score(bracket_recall([test], [gold])) == 6 / 7
    assert score(bracket_f1([test], [gold])) == 12 / 13


def test_worked_function_tags_traces_and_punctuation() -> None:
    """Gold holds a trace, an empty NP, function tags and punctuation; the parser has none but the comma.

    Gold words without the trace: Yes0 ,1 he2 left3 .4; without punctuation: Yes0 he1 left2. Brackets: S 0-3, INTJ
    0-1, NP-SBJ-1 1-2 -> NP, VP 2-3, S 2-2 and NP 2-2 (over the trace alone) are empty and removed: 4. Test: S 0-3,
    NP 0-1 (wrong label), NP 1-2, VP 2-3: 4 with 3 matched. Counting punctuation, S is 0-5 and all others move alike.
    """
    gold = "( (S (INTJ (UH Yes)) (, ,) (NP-SBJ-1 (PRP he)) (VP (VBD left) (S=2 (NP (-NONE- *-1)))) (. .)) )"
    test = "(ROOT (S (NP (UH Yes)) (, ,) (NP (PRP he)) (VP (VBD left)) (. .)))"
    assert counts(test, gold) == [3, 4, 4]
    assert counts(test, gold, punctuation="keep") == [3, 4, 4]
    # A full stop outside S moves S only where punctuation counts as a word.
    low = "(S1 (S (NP (UH Yes)) (, ,) (NP (PRP he)) (VP (VBD left) (. .))))"
    assert counts(low, gold) == [3, 4, 4]
    assert counts(low, gold, punctuation="keep") == [2, 4, 4]


def test_worked_unary_chains_are_a_multiset() -> None:
    """NP over NP over one word are two equal brackets: a test tree with one of them matches one."""
    twice, once = "(S (NP (NP (NN tea))))", "(S (NP (NN tea)))"
    assert counts(once, twice) == [2, 2, 3]
    assert counts(twice, once) == [2, 3, 2]
    assert counts(twice, twice) == [3, 3, 3]
    # Order in the chain does not matter to evalb: S over VP or VP over S have the same two brackets.
    assert counts("(S (VP (VB go)))", "(VP (S (VB go)))") == [2, 2, 2]


def test_worked_particles_and_labels() -> None:
    gold, test = "(VP (VB give) (PRT (RP up)))", "(VP (VB give) (ADVP (RB up)))"
    assert counts(test, gold) == [2, 2, 2]
    assert counts(test, gold, prt_as_advp=False) == [1, 2, 2]
    assert counts(test, gold, prt_as_advp=False, labelled=False) == [2, 2, 2]


def test_sentences_without_a_parse() -> None:
    gold = ["(S (NP (NN tea)))", "(S (VP (VB go)))"]
    test = ["(())", "(S (VP (VB go)))"]
    skipped = bracket_f1(test, gold)
    assert skipped.values.tolist() == [[0, 0, 0], [2, 2, 2]]
    assert skipped.unscored is not None
    assert skipped.unscored.items == (0,)
    assert bracket_f1(["", test[1]], gold, failed="wrong").values.tolist() == [[0, 0, 2], [2, 2, 2]]


def test_gold_says_which_words_are_punctuation() -> None:
    """evalb deletes words by each tree's own tags and gives up where the lengths then differ."""
    gold, test = "(S (NP (NNS dogs) (POS '))  (VP (VB go)))", "(S (NP (NNS dogs) ('' '))  (VP (VB go)))"
    found = bracket_f1([test], [gold])
    assert found.values.tolist() == [[3, 3, 3]]
    assert str(found.notes[0]).startswith("In 1 sentence the parser tags other words as punctuation than gold")


LABELS = ("S", "NP", "VP", "NP-SBJ", "PRT", "ADVP", "TOP", "ROOT")


@st.composite
def trees(draw: st.DrawFn, words: list[tuple[str, str]]) -> str:
    """A random tree over the words, with unary chains and now and then a trace."""

    def build(low: int, high: int, depth: int) -> str:
        if high - low == 1 and (depth > 2 or draw(st.booleans())):
            return f"({words[low][1]} {words[low][0]})"
        label = draw(st.sampled_from(LABELS))
        # Without a cut the node is unary; deep down every node is cut, so that the tree ends.
        least = 0 if depth < 3 else 1
        cuts = draw(st.sets(st.integers(low + 1, high - 1), min_size=least, max_size=2)) if high - low > 1 else ()
        children = [build(a, b, depth + 1) for a, b in pairwise([low, *sorted(cuts), high])]
        trace = "(NP (-NONE- *T*)) " if draw(st.integers(0, 9)) == 0 else ""
        return f"({label} {trace}{' '.join(children)})"

    inner = build(0, len(words), 0)
    while inner.startswith(tuple(f"({tag} " for _, tag in words)):
        inner = f"(S {inner})"
    return inner


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    tags = draw(st.lists(st.sampled_from(["NN", "VB", ",", ".", "IN"]), min_size=1, max_size=6))
    words = [(f"w{i}", tag) for i, tag in enumerate(tags)]
    return draw(trees(words)), draw(trees(words))


def evalb_brackets(tree: str, roots: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """Read character by character with a stack, as evalb does, deleting words by their tags on the way."""
    deleted = ("-NONE-", ",", ":", "``", "''", ".")
    found: list[list[Any]] = []
    stack: list[int] = []
    word = at = 0
    while at < len(tree):
        if tree[at] == "(":
            at += 1
            label = ""
            while tree[at] not in " ()":
                label += tree[at]
                at += 1
            ahead = at
            while tree[ahead] not in "()":
                ahead += 1
            if tree[ahead] == ")":
                word += label not in deleted
                at = ahead + 1
            else:
                stack.append(len(found))
                found.append([label, word, None])
        elif tree[at] == ")":
            found[stack.pop()][2] = word
            at += 1
        else:
            at += 1
    kept = [(label.split("-")[0], start, end) for label, start, end in found if start != end]
    return [bracket for bracket in kept if bracket[0] not in roots]


def evalb_match(test: list[tuple[str, int, int]], gold: list[tuple[str, int, int]]) -> int:
    """Pair each gold bracket with the first free test bracket of the same span and an equal label."""
    free = list(test)
    matched = 0
    for label, start, end in gold:
        for other in free:
            same = label == other[0] or {label, other[0]} == {"ADVP", "PRT"}
            if same and (start, end) == other[1:]:
                free.remove(other)
                matched += 1
                break
    return matched


@stable
@given(st.lists(pairs(), min_size=1, max_size=4), st.integers(1, 3))
def test_counts_are_those_of_evalbs_procedure(corpus: list[tuple[str, str]], cut: int) -> None:
    found = bracket_f1([test for test, _ in corpus], [gold for _, gold in corpus])
    wanted = []
    for test, gold in corpus:
        mine, truth = (evalb_brackets(tree, ("TOP", "ROOT")) for tree in (test, gold))
        wanted.append([evalb_match(mine, truth), len(mine), len(truth)])
    assert found.values.tolist() == wanted
    total = np.array(wanted).sum(axis=0)
    if total[1] and total[2] and total[0]:
        precision, recall = total[0] / total[1], total[0] / total[2]
        assert score(found) == pytest.approx(2 * precision * recall / (precision + recall), rel=1e-14)
    parts = [part for part in (corpus[:cut], corpus[cut:]) if part]
    rows = [row for part in parts for row in bracket_f1([t for t, _ in part], [g for _, g in part]).values.tolist()]
    assert rows == found.values.tolist()


TABLE = """  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    8    0   100.00 100.00     5      5    5      0      6     6   100.00
   2   12    0    75.00  66.67     6      8    9      1     11    10    90.91
   3    4    1     0.00   0.00     2      3    3      0      0     0     0.00
   4    4    2     0.00   0.00     0      0    0      0      0     0     0.00
============================================================================
                 84.62  78.57     11    13    14      1     17    16    94.12
=== Summary ===
"""


def test_the_table_evalb_prints(tmp_path: Path) -> None:
    """Sentences 1 and 2 make 11 matched of 13 gold and 14 test brackets, as the table's own total says."""
    path = tmp_path / "evalb.out"
    path.write_text(TABLE)
    found = bracket_f1(path)
    assert found.values.tolist() == [[5, 5, 5], [6, 9, 8], [0, 0, 0], [0, 0, 0]]
    assert score(bracket_recall(path)) == 11 / 13
    assert score(bracket_precision(path)) == 11 / 14
    assert score(found) == 22 / 27
    assert found.ids == ("1", "2", "3", "4")
    assert found.signature == "bracket_f1|evalb"
    assert found.unscored is not None
    assert found.unscored.items == (2, 3)


def broken(tmp_path: Path, output: str, gold: str | None = "(S (NP (NN tea)) (VP (VB is)))\n") -> str:
    (tmp_path / "test.txt").write_text(output)
    (tmp_path / "gold.txt").write_text(gold or "")
    with pytest.raises(InputError) as caught:
        bracket_f1(tmp_path / "test.txt", tmp_path / "gold.txt" if gold is not None else None)
    return str(caught.value).replace(f"{tmp_path}/", "")


def test_broken_trees(tmp_path: Path) -> None:
    good = "(S (NP (NN tea)) (VP (VB is)))\n"
    assert broken(tmp_path, good + "(S (NP (NN tea)) (VP (VB is)\n", good * 2) == (
        "test.txt line 2: the tree does not close: 2 brackets are still open at the end.\n"
        "  fix: give one whole tree per line."
    )
    assert broken(tmp_path, good, "(S (NP (NN tea)) (VP (VB is))\n") == (
        "gold.txt line 1: the tree does not close: 1 bracket is still open at the end.\n"
        "  fix: give one whole tree per line."
    )
    assert broken(tmp_path, "(S (NP (NN tea))))\n") == (
        "test.txt line 1: a ) closes nothing.\n  fix: remove it, or add the missing (."
    )
    assert broken(tmp_path, good.strip() + good) == (
        "test.txt line 1: a second tree begins after the first has closed.\n  fix: give one tree per line."
    )
    assert broken(tmp_path, "(S (NP green tea))\n") == (
        "test.txt line 1: 'green' has no tag.\n  fix: write every word as (TAG word); a ( in text is -LRB-."
    )
    assert broken(tmp_path, "(S (NN tea) (VB was))\n") == (
        "test.txt line 1: word 2 is 'was', and 'is' in gold.txt line 1.\n"
        "  fix: give trees over the same words (traces do not count), or leave such sentences out, as evalb does: "
        "other_words='skip'."
    )
    assert broken(tmp_path, "(S (NN tea))\n") == (
        "test.txt line 1: 1 words, and 2 in gold.txt line 1.\n"
        "  fix: give trees over the same words (traces do not count), or leave such sentences out, as evalb does: "
        "other_words='skip'."
    )
    assert broken(tmp_path, good * 2) == (
        "test.txt: 2 lines, and gold.txt has 1.\n"
        "  fix: line i of one file belongs to line i of the other: give files of the same length."
    )
    assert broken(tmp_path, good, "(())\n").startswith("gold.txt line 1: the gold tree has no words.")
    assert broken(tmp_path, good, None).startswith("test.txt: trees need gold trees.")


def test_broken_tables(tmp_path: Path) -> None:
    assert broken(tmp_path, TABLE.partition("   4    4")[0]) == (
        "test.txt line 6: the table has no second line of = signs, so it is not whole.\n"
        "  fix: give all that evalb printed."
    )
    assert broken(tmp_path, TABLE.replace("   2   12    0  ", "-<1>---(wn1=  0")).startswith(
        "test.txt line 5: this is not a row of evalb's table, which has 12 numbers."
    )
    assert broken(tmp_path, TABLE.replace("   6      8 ", "   9      8 ")).startswith(
        "test.txt line 5: 9 matched brackets are more than gold (8) or test (9) has."
    )
