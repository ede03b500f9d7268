"""Any text as LaTeX: markup escaped, Latin script as commands that pdfLaTeX knows, other scripts kept as they are."""

from __future__ import annotations

import re
import unicodedata

_MARKUP = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": "'",
    "-": "-",
}
# What an accent is as a command; the base letter follows in braces.
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0323": "d",
    "\u0326": "textcommabelow",
    "\u0327": "c",
    "\u0328": "k",
    "\u0331": "b",
}
_LETTERS = {
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
    "đ": r"\dj{}",
    "Đ": r"\DJ{}",
    "ð": r"\dh{}",
    "Ð": r"\DH{}",
    "þ": r"\th{}",
    "Þ": r"\TH{}",
    "ŋ": r"\ng{}",
    "Ŋ": r"\NG{}",
}
_SIGNS = {
    "–": "--",
    "—": "---",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "…": r"\ldots{}",
    "·": r"$\cdot$",
    "•": r"\textbullet{}",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "−": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
    "→": r"$\to$",
    "°": r"$^\circ$",
    "²": r"\textsuperscript{2}",
    "³": r"\textsuperscript{3}",
    "§": r"\S{}",
    "¶": r"\P{}",
    "©": r"\textcopyright{}",
    "¡": r"\textexclamdown{}",
    "¿": r"\textquestiondown{}",
    "\u00a0": "~",
    "\u2011": "-",
}
_GREEK_LETTERS = "αβγδεζηθικλμνξπρστυφχψωΔΣΩΦΨΠΛΘΓ"
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Delta Sigma Omega Phi Psi Pi Lambda Theta Gamma"
)
_GREEK = dict(zip(_GREEK_LETTERS, _GREEK_NAMES.split(), strict=True))
# These letters and accents are only in the T1 encoding.
NEEDS_T1 = re.compile(r"\\(?:textquotedbl|k\{|d[jh]\{|D[JH]\{|th\{|TH\{|ng\{|NG\{)")
# Two of these in a row would be set as one other sign: a dash, a closing or an opening quotation mark.
_JOINED = "-',"
_BREAK_EVERY = 24


def escaped(text: str) -> str:
    r"""Keep user text from being read as LaTeX, on one line.

    >>> print(escaped("a_b & 5%"), escaped("Łódź"), escaped("κ = 0.4"), escaped("--fast"))
    a\_b \& 5\% \L{}\'{o}d\'{z} $\kappa$ = 0.4 {-}{-}fast
    """
    flat = "".join(" " if character.isspace() and character != "\u00a0" else character for character in text)
    flat = "".join(character for character in flat if unicodedata.category(character) != "Cc")
    return "".join(_character(flat, at) for at in range(len(flat)))


def breakable(text: str) -> str:
    """Escape a text whose very long words may be broken anywhere, so that a name of 200 letters stays on the page."""
    return " ".join(
        r"\allowbreak{}".join(escaped(word[at : at + _BREAK_EVERY]) for at in range(0, len(word), _BREAK_EVERY))
        if len(word) > _BREAK_EVERY
        else escaped(word)
        for word in text.split()
    )


def foreign(text: str) -> str:
    """Give the characters that pdfLaTeX has no letter for, each once.

    >>> foreign("Łódź ễ κ 系统 Система")
    '系统Система'
    """
    return "".join(dict.fromkeys(character for at, character in enumerate(text) if not _known(text, at)))


def _known(text: str, at: int) -> bool:
    character = text[at]
    return character.isascii() or character.isspace() or _character(text, at) != character


def _character(text: str, at: int) -> str:
    character = text[at]
    if character in _JOINED and character in (text[at - 1 : at], text[at + 1 : at + 2]):
        return f"{{{character}}}"
    for table in (_MARKUP, _SIGNS, _LETTERS):
        if character in table:
            return table[character]
    if character in _GREEK and not _in_greek_word(text, at):
        return f"$\\{_GREEK[character]}$"
    if character.isascii() or not character.isprintable():
        return character
    return _accented(character)


def _in_greek_word(text: str, at: int) -> bool:
    """A lone Greek letter is a symbol; several make a word, which mathematics would set wrongly."""
    neighbours = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
    return any("\u0370" <= character <= "\u03ff" for character in neighbours)


def _accented(character: str) -> str:
    """Take a Latin letter apart into its base and accents; anything else stays as it is."""
    base, *accents = list(unicodedata.normalize("NFD", character))
    if not accents or any(accent not in _ACCENTS for accent in accents):
        return character
    if not base.isascii() and base not in _LETTERS:
        return character
    letter = _LETTERS.get(base, base)
    for accent in accents:
        letter = f"\\{_ACCENTS[accent]}{{{letter}}}"
    return letter
