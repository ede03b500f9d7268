"""Tags, lemmas and features of words: the columns of CoNLL-U beside heads and relations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

from nofluke.metrics.dependency import CONLL18, Punctuation, Words, word_statistics
from nofluke.metrics.family import register_each
from nofluke.metrics.formats.conllu import Word
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Texts
from nofluke.registry import METRICS

Features: TypeAlias = Annotated[Literal["universal", "all"], "the 21 universal features (CoNLL 2018), or all of them"]

# What a column holds -> label, question, and whether a word has it right; as conll18_ud_eval compares them.
_COLUMNS: dict[str, tuple[str, str, Callable[[Word, Word], bool]]] = {
    "upos": ("UPOS accuracy", "What share of the words has the right universal tag?", lambda w, g: w.upos == g.upos),
    "xpos": ("XPOS accuracy", "What share of the words has the right treebank tag?", lambda w, g: w.xpos == g.xpos),
    "lemma": (
        "Lemma accuracy",
        "What share of the words has the right lemma (or none in gold)?",
        lambda w, g: g.lemma in ("_", w.lemma),
    ),
}
# CoNLL 2018 compares these features only.
_UNIVERSAL = frozenset({
    "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case", "Definite",
    "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person", "Polite",
})  # fmt: skip


def _column(
    name: str, output: Texts, gold: Texts, *, punctuation: Punctuation = "keep", words: Words = "spelling"
) -> ItemStatistics:
    return word_statistics(name, output, gold, _COLUMNS[name][2], punctuation=punctuation, words=words)


upos, xpos, lemma = register_each(
    METRICS.register,
    _column,
    {
        name: (name, label, f"{question}\n\n    Items, statistics and options as for uas.\n    ")
        for name, (label, question, _) in _COLUMNS.items()
    },
    task="morphology",
    cite=CONLL18,
)


@METRICS.register(
    "feats",
    label="Accuracy of morphological features",
    task="morphology",
    higher_is_better=True,
    cite=CONLL18,
)
def feats(
    output: Texts,
    gold: Texts,
    *,
    punctuation: Punctuation = "keep",
    features: Features = "universal",
    words: Words = "spelling",
) -> ItemStatistics:
    """What share of the words has all morphological features right?

    Items, statistics and options as for uas; the order of features does not matter.
    """

    def kept(word: Word) -> list[str]:
        found = word.feats.split("|")
        return sorted(one for one in found if features == "all" or one.partition("=")[0] in _UNIVERSAL)

    def right(word: Word, other: Word) -> bool:
        return kept(word) == kept(other)

    return word_statistics("feats", output, gold, right, punctuation=punctuation, words=words, features=features)
