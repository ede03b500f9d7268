"""Columns of CoNLL-U on gold tokens: heads and relations of dependency parsing, tags, lemmas and features."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from nofluke.errors import Fix, InputError, Option
from nofluke.metrics.family import register_each
from nofluke.metrics.formats.conllu import Treebank, Word, read_treebank, require_same_words
from nofluke.metrics.statistics import ItemStatistics, ratio_aggregate
from nofluke.metrics.texts import Texts
from nofluke.options import stating
from nofluke.registry import METRICS
from nofluke.types import frozen, note

Punctuation: TypeAlias = Annotated[
    Literal["keep", "skip_upos", "skip_ptb", "skip_unicode"],
    "count all words, or leave out gold's UPOS PUNCT, its Penn tags `` '' : , . or forms of punctuation only",
]
Subtypes: TypeAlias = Annotated[
    Literal["strip", "keep"], "compare relations up to the colon (nsubj of nsubj:pass), or whole"
]

Words: TypeAlias = Annotated[
    Literal["spelling", "position"],
    "all words must be spelled as in gold, or those inside the same multiword token only be as many",
]


@dataclass(frozen=True)
class CountingRelations:
    """Which words count, and when two relations are the same."""

    punctuation: Punctuation = "keep"
    subtypes: Subtypes = "strip"
    words: Words = "spelling"


_PENN = frozenset({"``", "''", ":", ",", "."})
CONLL18 = "Zeman et al. 2018 (CoNLL 2018 shared task)"


def _is_punctuation(word: Word, policy: str) -> bool:
    if policy == "skip_upos":
        return word.upos == "PUNCT"
    if policy == "skip_ptb":
        # CoNLL-X files often hold the Penn tag in the coarse column only.
        return (word.xpos if word.xpos != "_" else word.upos) in _PENN
    # eval.pl of CoNLL-X: every character of the form is Unicode punctuation.
    return policy == "skip_unicode" and all(unicodedata.category(character)[0] == "P" for character in word.form)


def _require_tags(gold: Treebank, policy: str) -> None:
    words = [word for sentence in gold.sentences for word in sentence.words]
    tagged = any(word.upos != "_" or (policy == "skip_ptb" and word.xpos != "_") for word in words)
    if policy in ("skip_upos", "skip_ptb") and not tagged:
        raise InputError(
            f"no word has a tag, so punctuation = {policy!r} cannot be told.",
            where=gold.source.name,
            fix=Fix(
                "use ",
                Option("metric_option", "punctuation=keep"),
                " or ",
                Option("metric_option", "punctuation=skip_unicode"),
                ", or a gold file with tags.",
            ),
        )


def word_statistics(
    name: str,
    output: Texts,
    gold: Texts,
    right: Callable[[Word, Word], bool],
    *,
    punctuation: str,
    words: str,
    **more: str,
) -> ItemStatistics:
    """Count right and all words of every sentence; `more` are further options, for the signature."""
    ours, truth = read_treebank(output, "output"), read_treebank(gold, "gold")
    require_same_words(ours, truth, by_position=words == "position")
    _require_tags(truth, punctuation)
    values = []
    for mine, theirs in zip(ours.sentences, truth.sentences, strict=True):
        pairs = [
            right(word, other)
            for word, other in zip(mine.words, theirs.words, strict=True)
            if not _is_punctuation(other, punctuation)
        ]
        values.append((sum(pairs), len(pairs)))
    total = sum(len(sentence.words) for sentence in truth.sentences)
    left_out = total - sum(count for _, count in values)
    notes = (note("metric.punctuation", words=left_out, of=total),) if punctuation != "keep" else ()
    more |= {"words": words} if words != "spelling" else {}
    signature = "|".join([name, f"punctuation:{punctuation}", *(f"{key}:{value}" for key, value in more.items())])
    aggregate = ratio_aggregate(name, (1, 0), (0, 1))
    return ItemStatistics(
        frozen(values), ("correct", "words"), aggregate, signature, truth.ids(), notes, truth.documents()
    )


def _same_relation(word: Word, gold: Word, subtypes: str) -> bool:
    if subtypes == "strip":
        return word.relation.split(":", 1)[0] == gold.relation.split(":", 1)[0]
    return word.relation == gold.relation


@METRICS.register(
    "uas",
    label="Unlabelled attachment score",
    task="dependency parsing",
    higher_is_better=True,
    cite="Buchholz and Marsi 2006; " + CONLL18,
)
def uas(output: Texts, gold: Texts, *, punctuation: Punctuation = "keep", words: Words = "spelling") -> ItemStatistics:
    """What share of the words has the right head?

    Items are sentences; statistics: correct, words. Empty nodes are skipped, and multiword tokens but for their words.
    Outputs must have the gold sentences and words; parses of raw text, where they differ, need the shared task's
    alignment first. words="position" also takes words that are spelled differently inside the same multiword token.
    """

    def right(word: Word, other: Word) -> bool:
        return word.head == other.head

    return word_statistics("uas", output, gold, right, punctuation=punctuation, words=words)


@METRICS.register(
    "las",
    label="Labelled attachment score",
    task="dependency parsing",
    higher_is_better=True,
    cite="Buchholz and Marsi 2006; " + CONLL18,
)
@stating(CountingRelations)
def las(output: Texts, gold: Texts, **stated: Any) -> ItemStatistics:
    """What share of the words has the right head and the right relation?

    Items and statistics as for uas. The default counts as the CoNLL 2018 script does: punctuation is kept, subtypes
    are stripped; the CoNLL-X script skips punctuation (skip_unicode) and compares whole relations (keep).
    """
    how = CountingRelations(**stated)

    def right(word: Word, other: Word) -> bool:
        return word.head == other.head and _same_relation(word, other, how.subtypes)

    return word_statistics("las", output, gold, right, **vars(how))


@METRICS.register(
    "la",
    label="Label accuracy",
    task="dependency parsing",
    higher_is_better=True,
    cite="Buchholz and Marsi 2006",
)
@stating(CountingRelations)
def la(output: Texts, gold: Texts, **stated: Any) -> ItemStatistics:
    """What share of the words has the right relation, whatever its head?

    Items, statistics and options as for las.
    """
    how = CountingRelations(**stated)

    def right(word: Word, other: Word) -> bool:
        return _same_relation(word, other, how.subtypes)

    return word_statistics("la", output, gold, right, **vars(how))


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

    def features_of(word: Word) -> list[str]:
        found = word.feats.split("|")
        return sorted(one for one in found if features == "all" or one.partition("=")[0] in _UNIVERSAL)

    def right(word: Word, other: Word) -> bool:
        return features_of(word) == features_of(other)

    return word_statistics("feats", output, gold, right, punctuation=punctuation, words=words, features=features)
