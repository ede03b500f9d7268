"""Machine translation: BLEU, chrF, chrF++ and TER on sacrebleu's tokenisers and per-sentence statistics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from nofluke.errors import InputError
from nofluke.metrics.references import References
from nofluke.metrics.sacrebleu_statistics import checked, item_statistics, read_statistics
from nofluke.metrics.statistics import ItemStatistics, ratio_aggregate, smooth_aggregate
from nofluke.metrics.texts import Texts
from nofluke.metrics.translation_scores import bleu_score, check_smoothing, chrf_score
from nofluke.options import stating
from nofluke.registry import METRICS

BleuTokenizer = Literal[
    "13a", "none", "intl", "char", "zh", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K"
]
Lowercase = Annotated[bool, "ignore case"]


@dataclass(frozen=True)
class CharacterGrams:
    """How character n-grams are counted and weighed."""

    char_order: Annotated[int, "longest character n-gram"] = 6
    beta: Annotated[int, "weight of recall against precision"] = 2
    lowercase: Lowercase = False
    whitespace: Annotated[bool, "count blanks as characters"] = False
    eps_smoothing: Annotated[bool, "average F over orders with a tiny floor, as chrF++.py and Moses do"] = False


@METRICS.register(
    "bleu",
    label="BLEU",
    cite="Papineni et al. 2002; Post 2018",
    task="translation",
    higher_is_better=True,
    extra="metrics",
)
def bleu(
    output: Texts,
    gold: References,
    *,
    tokenize: Annotated[BleuTokenizer, "sacrebleu's tokeniser"] = "13a",
    lowercase: Lowercase = False,
    smooth_method: Annotated[Literal["exp", "floor", "add-k", "none"], "what replaces a precision of 0"] = "exp",
    smooth_value: Annotated[float | None, "value of floor (0.1) and add-k (1)"] = None,
    max_ngram_order: Annotated[int, "longest n-gram"] = 4,
    effective_order: Annotated[bool, "leave out orders longer than the text (for single sentences)"] = False,
) -> ItemStatistics:
    """How many n-grams of the translations are in the references?

    Statistics per sentence: system length, length of the closest reference, correct and total n-grams per order, all
    whole numbers; the score of their sums is sacrebleu's corpus BLEU (0 to 100). The mean of sentence BLEU is another
    quantity. Output and references must be detokenised text unless tokenize=none. The signature is sacrebleu's.
    """
    _at_least_one(max_ngram_order=max_ngram_order)
    check_smoothing(smooth_method, smooth_value)
    shared: dict[str, Any] = {
        "smooth_method": smooth_method,
        "smooth_value": smooth_value,
        "max_ngram_order": max_ngram_order,
        "effective_order": effective_order,
    }
    # force: sacrebleu's warning about tokenised text would go to the log; ours is a note.
    parts = read_statistics(
        "BLEU", output, gold, {**shared, "tokenize": tokenize, "lowercase": lowercase, "force": True}
    )
    aggregate = smooth_aggregate("bleu", partial(bleu_score, **shared))
    orders = range(1, max_ngram_order + 1)
    names = (
        "system length",
        "reference length",
        *(f"correct {order}-grams" for order in orders),
        *(f"total {order}-grams" for order in orders),
    )
    # sacrebleu's signature does not tell the order.
    more = f"|order:{max_ngram_order}" if max_ngram_order != 4 else ""
    return item_statistics("BLEU", parts, names, aggregate, label="BLEU", more=more)


@METRICS.register(
    "chrf",
    label="chrF",
    cite="Popović 2015",
    task="translation",
    higher_is_better=True,
    extra="metrics",
)
@stating(CharacterGrams)
def chrf(
    output: Texts,
    gold: References,
    *,
    word_order: Annotated[int, "longest word n-gram; 2 makes chrF++"] = 0,
    **stated: Any,
) -> ItemStatistics:
    """How many character n-grams do translations and references share?

    Statistics per sentence: n-grams of the system, of the reference, and matches, for every order; the score of their
    sums is sacrebleu's corpus chrF (0 to 100). With several references, each sentence uses the one with the best F.
    """
    how = CharacterGrams(**stated)
    _at_least_one(char_order=how.char_order, beta=how.beta)
    if word_order < 0:
        raise InputError(f"word_order = {word_order} is negative.", fix="give 0 (chrF) or 2 (chrF++).")
    parts = read_statistics("CHRF", output, gold, {**vars(how), "word_order": word_order})
    aggregate = smooth_aggregate("chrf", partial(chrf_score, beta=how.beta, eps_smoothing=how.eps_smoothing))
    grams = [f"character {order}-grams" for order in range(1, how.char_order + 1)]
    grams += [f"word {order}-grams" for order in range(1, word_order + 1)]
    names = tuple(f"{gram} {whose}" for gram in grams for whose in ("of the system", "of the reference", "matched"))
    return item_statistics("CHRF", parts, names, aggregate, label=f"chrF{how.beta}{'+' * word_order}")


@METRICS.register(
    "chrf_plus_plus",
    label="chrF++",
    cite="Popović 2017",
    task="translation",
    higher_is_better=True,
    extra="metrics",
    aliases=("chrf++",),
)
@stating(CharacterGrams)
def chrf_plus_plus(output: Texts, gold: References, **stated: Any) -> ItemStatistics:
    """How many character n-grams, words and word pairs do translations and references share?

    chrF with words and pairs of words (word_order = 2).
    """
    return chrf(output, gold, word_order=2, **stated)


@METRICS.register(
    "ter",
    label="TER",
    cite="Snover et al. 2006",
    task="translation",
    higher_is_better=False,
    extra="metrics",
)
def ter(
    output: Texts,
    gold: References,
    *,
    normalized: Annotated[bool, "tercom's normalisation of punctuation and entities"] = False,
    no_punct: Annotated[bool, "remove punctuation"] = False,
    asian_support: Annotated[bool, "split Chinese, Japanese and Korean characters"] = False,
    case_sensitive: Annotated[bool, "respect case"] = False,
) -> ItemStatistics:
    """How many words must be edited or moved to turn the translations into the references?

    Statistics per sentence: edits to the nearest reference, and the words of all R references; TER is 100 R edits /
    words, that is edits per word of the average reference, in per cent as sacrebleu prints it. nan when all references
    are empty.
    """
    options = {
        "normalized": normalized,
        "no_punct": no_punct,
        "asian_support": asian_support,
        "case_sensitive": case_sensitive,
    }
    parts = read_statistics("TER", output, gold, options)
    metric, statistics, _, references = parts
    aggregate = ratio_aggregate("ter", (100 * references, 0), (0, 1))
    values = np.array(statistics, dtype=np.float64)
    # sacrebleu averages the lengths of the references; their sum is a whole number.
    values[:, 1] = np.rint(values[:, 1] * references)
    checked("TER", metric, statistics, values, aggregate)
    signature = f"TER|{metric.get_signature().format()}"
    return ItemStatistics(values, ("edits", "reference words"), aggregate, signature)


def _at_least_one(**options: int) -> None:
    for name, value in options.items():
        if value < 1:
            raise InputError(f"{name} = {value} is not positive.", fix="give a whole number of at least 1.")
