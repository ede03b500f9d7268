"""How outputs were scored: what a metric left out, what counts as wrong, and where outputs look odd."""

from __future__ import annotations

from nofluke.errors import Fix, Option, listing
from nofluke.types.base import counted
from nofluke.words.notes import Sayings

_BECAUSE = {
    "no_parse": "without a parse",
    "other_words": "with other words than gold",
    "evalb": "that evalb skipped or called errors",
}
_FAILED = Option("metric_option", "failed=wrong")
_INSTEAD = {
    "wrong": Fix("To count them as wrong: ", _FAILED, "."),
    "same_words": Fix("Give trees over the words of gold to count them."),
    "trees": Fix("To count them as wrong, score the trees themselves with ", _FAILED, "."),
}


def _left_out(
    items: int, of: int, systems: int, unscored: tuple[tuple[str, int, tuple[str, ...]], ...], instead: str
) -> str:
    each = ", ".join(f"{name}: {count:,} {' or '.join(_BECAUSE[one] for one in why)}" for name, count, why in unscored)
    whom = " for all systems" if systems > 1 else ""
    return f"Left out{whom}: {items:,} of {of:,} items ({each}). {_INSTEAD[instead]}"


def _invalid_tags(sentences: int, scheme: str, place: str) -> str:
    have = "sentence has" if sentences == 1 else "sentences have"
    return f"{sentences:,} {have} tags that make no valid {scheme} span and count as none: {place}."


def _never_predicted(labels: tuple[str, ...], zero: str) -> str:
    counts = "counts as 0" if zero == "0" else "is left out of the mean"
    return f"Never predicted, so that the precision is 0 / 0 and {counts}: {listing(labels, 5)}."


def _labels_not_in_gold(labels: tuple[str, ...], items: int) -> str:
    return f"Labels that gold never has count as wrong: {listing(labels, 5)} (on {counted(items, 'item')})."


def _alike(groups: tuple[tuple[str, ...], ...]) -> str:
    return listing([" and ".join(map(repr, names[:3])) for names in groups], 3)


METRIC: Sayings = {
    "spellings_folded": lambda groups: f"Labels written in different ways are one label: {_alike(groups)}.",
    "cases_apart": lambda groups: f"Labels that differ in upper and lower case only are kept apart: {_alike(groups)}.",
    "signature": lambda metric, signature: f"signature of {metric}: {signature}",
    "of_system": lambda system, note: f"{system}: {note}",
    "left_out": _left_out,
    # Trees.
    "no_parse": "{sentences:sentence} without a parse: all gold brackets in them count as missed.",
    "other_punctuation": "In {sentences:sentence} the parser tags other words as punctuation than gold. Gold decides "
    "here; evalb drops or repairs such sentences.",
    "evalb": "The brackets are evalb's own; how it counted them (its .prm file) is not in the table.",
    "punctuation": "{words} of {of} words are punctuation and not counted.",
    # Labels and spans.
    "labels_not_in_gold": _labels_not_in_gold,
    "one_label": "All items have one label, so the correlation is 0 / 0 and counts as 0.",
    "never_predicted": _never_predicted,
    "positive_never_predicted": "{label} is never predicted: its precision is 0 / 0, not a number.",
    "labels_of_both": Fix(
        "The mean runs over {labels} labels, {strange} of them in the outputs only. Other systems may have other "
        "labels; ",
        Option("metric_option", "labels=gold"),
        " takes those of gold for all.",
    ),
    "invalid_tags": _invalid_tags,
    "types_not_in_gold": lambda types: f"Types that gold never has are not in the average: {listing(types, 5)}.",
    # Word alignments.
    "repeated_links": "{file}: {links:link} given twice, counted once.",
    "empty_links": "{file}: {links:link} to the empty word (position 0) left out.",
    # Texts.
    "tokenised": Fix(
        "{lines} lines end in ' .': the output looks tokenised. BLEU expects detokenised text, or ",
        Option("metric_option", "tokenize=none"),
        " for text tokenised like its reference.",
    ),
    "no_separator": "No text holds the separator {separator!r}: each was taken as one sentence.",
}
