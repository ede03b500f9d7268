"""Attachment scores: a direct count, the policies for punctuation and subtypes, and broken CoNLL files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import InputError
from nofluke.metrics.dependency import la, las, uas
from nofluke.metrics.statistics import ItemStatistics
from nofluke.types import note

stable = settings(deadline=None, derandomize=True, max_examples=40)
GOLD = """# newdoc id = d
# sent_id = s1
1-2\tIl\t_\t_\t_\t_\t_\t_\t_\t_
1\tIl\til\tPRON\tPRP\t_\t2\tnsubj:pass\t_\t_
2\tva\taller\tVERB\tVB\t_\t0\troot\t_\t_
2.1\tva\taller\tVERB\tVB\t_\t_\t_\t_\t_
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = s2
1\tOui\toui\tINTJ\tUH\t_\t0\troot\t_\t_
2\t…\t…\tSYM\t:\t_\t1\tpunct\t_\t_
"""
OUTPUT = (
    GOLD.replace("nsubj:pass", "nsubj")
    .replace("PUNCT", "NOUN")
    .replace("2\tpunct\t", "1\tdep\t")
    .replace("1\tpunct\t", "1\tobj\t")
)


def score(statistics: ItemStatistics) -> float:
    return float(statistics.aggregate(statistics.values.sum(axis=0), float(len(statistics.values))))


def files(tmp_path: Path, output: str, gold: str = GOLD) -> tuple[Path, Path]:
    for name, text in (("out.conllu", output), ("gold.conllu", gold)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "out.conllu", tmp_path / "gold.conllu"


def test_worked_example(tmp_path: Path) -> None:
    """In OUTPUT word 3 of s1 hangs on 1 instead of 2 and both punct relations are wrong; nsubj lacks its subtype."""
    paths = files(tmp_path, OUTPUT)
    assert uas(*paths).values.tolist() == [[2, 3], [2, 2]]
    assert uas(*paths).ids == ("s1", "s2")
    assert las(*paths).values.tolist() == [[2, 3], [1, 2]]
    assert las(*paths, subtypes="keep").values.tolist() == [[1, 3], [1, 2]]
    assert la(*paths).values.tolist() == [[2, 3], [1, 2]]
    assert score(las(*paths)) == 3 / 5
    assert las(*paths).signature == "las|punctuation:keep|subtypes:strip"


def test_punctuation_is_told_by_gold(tmp_path: Path) -> None:
    """The full stop has UPOS PUNCT; the dots have Penn tag : but UPOS SYM; both are punctuation characters."""
    paths = files(tmp_path, OUTPUT)
    assert uas(*paths, punctuation="skip_upos").values.tolist() == [[2, 2], [2, 2]]
    assert uas(*paths, punctuation="skip_ptb").values.tolist() == [[2, 2], [1, 1]]
    assert uas(*paths, punctuation="skip_unicode").values.tolist() == [[2, 2], [1, 1]]
    assert uas(*paths, punctuation="skip_ptb").notes == (note("metric.punctuation", words=2, of=5),)


def test_conll_x_with_a_coarse_penn_column(tmp_path: Path) -> None:
    gold = "1\tGo\t_\tVB\t_\t_\t0\tROOT\t_\t_\n2\t!\t_\t.\t_\t_\t1\tP\t_\t_\n"
    output = "1\tGo\t_\tVB\t_\t_\t2\tROOT\n2\t!\t_\t.\t_\t_\t0\tP\n"
    paths = files(tmp_path, output, gold)
    assert uas(*paths).values.tolist() == [[0, 2]]
    assert la(*paths, punctuation="skip_ptb").values.tolist() == [[1, 1]]
    assert uas(*paths).ids is None


words = st.tuples(st.integers(0, 3), st.sampled_from(["a", "b", "b:x"]), st.integers(0, 3), st.sampled_from(["a", "b"]))
corpora = st.lists(st.lists(words, min_size=3, max_size=6), min_size=1, max_size=6)


def conll(corpus: list[list[tuple[int, str, int, str]]], first: int) -> list[str]:
    lines = []
    for sentence in corpus:
        lines += [f"{i}\tw\t_\tX\t_\t_\t{word[first]}\t{word[first + 1]}\t_\t_" for i, word in enumerate(sentence, 1)]
        lines.append("")
    return lines


@stable
@given(corpora, st.integers(0, 6))
def test_counts_are_those_of_a_direct_comparison(corpus: list[list[tuple[int, str, int, str]]], cut: int) -> None:
    output, gold = conll(corpus, 0), conll(corpus, 2)
    rows = [word for sentence in corpus for word in sentence]
    assert score(uas(output, gold)) == sum(h == g for h, _, g, _ in rows) / len(rows)
    assert score(las(output, gold)) == sum((h, r[0]) == (g, s) for h, r, g, s in rows) / len(rows)
    assert score(la(output, gold, subtypes="keep")) == sum(r == s for _, r, _, s in rows) / len(rows)
    parts = [part for part in (corpus[:cut], corpus[cut:]) if part]
    values = [row for part in parts for row in las(conll(part, 0), conll(part, 2)).values.tolist()]
    assert values == las(output, gold).values.tolist()


def broken(tmp_path: Path, output: str, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        uas(*files(tmp_path, output), **options)
    return str(caught.value).replace(f"{tmp_path}/", "")


def test_broken_files(tmp_path: Path) -> None:
    same = "  fix: score outputs parsed from gold tokens and sentences, or align them first."
    assert broken(tmp_path, GOLD.replace("\tOui\t", "\tNon\t")) == (
        f"out.conllu line 10: the word is 'Non', and 'Oui' in gold.conllu (line 10).\n{same}"
    )
    assert broken(tmp_path, GOLD.replace("3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n", "")) == (
        f"out.conllu line 4: sentence 1 has 2 words, and 3 in gold.conllu (line 4).\n{same}"
    )
    assert broken(tmp_path, GOLD.partition("\n\n")[0]) == (f"out.conllu: 1 sentence, and gold.conllu has 2.\n{same}")
    assert broken(tmp_path, GOLD.replace("\t2\tpunct", "\t9\tpunct")) == (
        "out.conllu line 7: the head 9 is outside the sentence of 3 words.\n"
        "  fix: give the number of a word of the same sentence, or 0 for the root."
    )
    assert broken(tmp_path, GOLD.replace("\t2\tpunct", "\t_\tpunct")) == (
        "out.conllu line 7: the head '_' is not a word number.\n  fix: give every word a head, or 0."
    )
    assert broken(tmp_path, GOLD.replace("3\t.\t.", "4\t.\t.")) == (
        "out.conllu line 7: word '4' follows word 2.\n"
        "  fix: number the words of a sentence from 1, and put a blank line after each sentence."
    )
    assert broken(tmp_path, GOLD.replace("2\tva\taller\tVERB\tVB\t_\t0\t", "2 va aller VERB VB _ 0 ")) == (
        "out.conllu line 5: 3 columns between tabs, where CoNLL-U and CoNLL-X have 10.\n"
        "  fix: separate the columns with tabs, and put a blank line after each sentence."
    )
    assert broken(tmp_path, "\n") == ("out.conllu: there are no sentences.\n  fix: give a CoNLL-U or CoNLL-X file.")


def test_punctuation_cannot_be_told_without_tags() -> None:
    bare = ["1\tGo\t_\t_\t_\t_\t0\troot\t_\t_"]
    with pytest.raises(InputError, match="no word has a tag, so punctuation = 'skip_upos' cannot be told"):
        uas(bare, bare, punctuation="skip_upos")
    assert uas(bare, bare, punctuation="skip_unicode").values.tolist() == [[1, 1]]


def test_documents_are_clusters(tmp_path: Path) -> None:
    sentence = "1\tMia\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "gold").write_text(("# newdoc id = same\n" + sentence * 2) * 3)
    (tmp_path / "plain").write_text(sentence * 6)
    outputs = {"A": tmp_path / "gold", "B": tmp_path / "plain"}
    sample = nf.score("las", outputs, tmp_path / "gold", cache=False).pair()
    assert sample.clusters is not None
    # Two documents of one name stay two.
    assert sample.clusters.tolist() == [0, 0, 1, 1, 2, 2]
    assert nf.score("las", outputs, tmp_path / "plain", cache=False).cluster is None


TAGGED = """# sent_id = s1
1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\tP\t_\t3\tcase\t_\t_
2\tle\tle\tDET\tD\tGender=Masc|Number=Sing|Odd=Yes\t3\tdet\t_\t_
3\tpain\tpain\tNOUN\tN\tGender=Masc|Number=Sing\t0\troot\t_\t_
4\t.\t_\tPUNCT\t.\t_\t3\tpunct\t_\t_
"""


def test_every_column_of_words_is_a_metric(tmp_path: Path) -> None:
    """Counted by hand, as conll18_ud_eval compares: a gold lemma _ is right, Odd is no universal feature."""
    output = (
        TAGGED.replace("pain\tNOUN\tN\tGender=Masc|Number=Sing", "pains\tVERB\tN\tNumber=Sing|Gender=Masc")
        .replace("|Odd=Yes", "")
        .replace(".\t_\tPUNCT\t.", ".\t.\tPUNCT\tP")
    )
    paths = files(tmp_path, output, TAGGED)
    right = {name: nf.score(name, {"s": paths[0]}, paths[1]).statistics[0, 0] for name in ("upos", "xpos", "lemma")}
    assert right == {"upos": 3, "xpos": 3, "lemma": 3}
    assert nf.score("feats", {"s": paths[0]}, paths[1]).statistics.tolist() == [[4, 4]]
    assert nf.score("feats", {"s": paths[0]}, paths[1], features="all").statistics.tolist() == [[3, 4]]
    assert nf.score("upos", {"s": paths[0]}, paths[1], punctuation="skip_upos").statistics.tolist() == [[2, 3]]


def test_words_inside_a_multiword_token_by_position(tmp_path: Path) -> None:
    paths = files(tmp_path, TAGGED.replace("1\tde\t", "1\td'\t"), TAGGED)
    with pytest.raises(InputError, match="the word is \"d'\", and 'de'") as refused:
        uas(*paths)
    assert "words='position'" in str(refused.value)
    assert uas(*paths, words="position").values.tolist() == [[4, 4]]
    assert uas(*paths, words="position").signature == "uas|punctuation:keep|words:position"


@pytest.mark.parametrize(
    "change",
    [("3\tpain\t", "3\tpains\t"), ("1-2\tdu", "1-2\tdes"), ("1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n", "")],
    ids=["outside", "another token", "no token"],
)
def test_position_is_no_licence_for_other_words(tmp_path: Path, change: tuple[str, str]) -> None:
    paths = files(tmp_path, TAGGED.replace("1\tde\t", "1\td'\t").replace(*change), TAGGED)
    with pytest.raises(InputError, match="the word is"):
        uas(*paths, words="position")
