"""Porter's stemmer with the extensions of NLTK, which ROUGE implementations use."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

# A rule is (ending, replacement); the first ending that fits decides, whether or not its condition holds.
Rules = tuple[tuple[str, str], ...]

# Forms that Porter's rules get wrong, as collected by NLTK.
_IRREGULAR = {
    "sky": "sky",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}
_STEP_1A: Rules = (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", ""))
_STEP_2: Rules = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
)
_STEP_3: Rules = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion"),
    *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Give the stem of a lower-case word.

    >>> stem("relational"), stem("flies"), stem("dying")
    ('relat', 'fli', 'die')
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_step_1a, _step_1b, _step_1c, _step_2, _step_3, _step_4, _step_5a, _step_5b):
        word = step(word)
    return word


def _shape(word: str) -> str:
    """Give one c or v per letter; y is a vowel after a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """Count m in [C](VC)^m[V]."""
    return _shape(word).count("vc")


def _positive(word: str) -> bool:
    return _measure(word) > 0


def _ends_cvc(word: str) -> bool:
    """Condition *o: consonant, vowel, consonant other than w, x, y; NLTK adds two-letter words such as "at"."""
    shape = _shape(word)
    return (shape.endswith("cvc") and word[-1] not in "wxy") or shape == "vc"


def _first_fitting(word: str, rules: Rules, condition: Callable[[str], bool] | None = None) -> str:
    for ending, replacement in rules:
        if word.endswith(ending):
            rest = word[: len(word) - len(ending)]
            return rest + replacement if condition is None or condition(rest) else word
    return word


def _step_1a(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _first_fitting(word, _STEP_1A)


def _step_1b(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _positive(word[:-3]) else word
    for ending in ("ed", "ing"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and "v" in _shape(rest):
            return _mended(rest)
    return word


def _mended(rest: str) -> str:
    """Repair what is left after -ed or -ing: conflat(e), troubl(e), siz(e), hop(p), fil(e)."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) >= 2 and rest[-1] == rest[-2] and _shape(rest)[-1] == "c":
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _ends_cvc(rest) else rest


def _step_1c(word: str) -> str:
    # NLTK: only after a consonant that is not the whole stem (happy, not enjoy, not by).
    if word.endswith("y") and len(word) > 2 and _shape(word[:-1])[-1] == "c":
        return word[:-1] + "i"
    return word


def _step_2(word: str) -> str:
    # NLTK: -alli first, and its result goes through this step again (as in "nationalli").
    if word.endswith("alli") and _positive(word[:-4]):
        return _step_2(word[:-2])
    shorter = _first_fitting(word, _STEP_2, _positive)
    # NLTK: for -logi the l belongs to the stem, so that "geologi" behaves like "archaeologi".
    if shorter == word and word.endswith("logi") and _positive(word[:-3]):
        return word[:-1]
    return shorter


def _step_3(word: str) -> str:
    return _first_fitting(word, _STEP_3, _positive)


def _step_4(word: str) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            rest = word[: len(word) - len(ending)]
            fits = _measure(rest) > 1 and (ending != "ion" or rest[-1] in "st")
            return rest if fits else word
    return word


def _step_5a(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _ends_cvc(rest)):
            return rest
    return word


def _step_5b(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
