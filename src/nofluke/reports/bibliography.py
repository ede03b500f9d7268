"""The literature behind a result: from the citations of the registries to BibTeX and to readable references."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import resources

_YEAR = re.compile(r"\b(1[6-9]\d\d|20\d\d)\b")
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)
_ACCENT = re.compile(r"\{?\\([`'^\"~=.uvHck])\{?(\\?[A-Za-z])\}?\}?")
_COMBINING = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "H": "\u030b",
    "v": "\u030c",
    "c": "\u0327",
    "k": "\u0328",
}


def keys(citations: Iterable[str]) -> tuple[str, ...]:
    """Give the BibTeX keys of citations as the registries write them: first author and year.

    >>> keys(["Fisher 1935; Yeh 2000", "Rajpurkar et al. 2016, 2018", "Tjong Kim Sang and De Meulder 2003 (conlleval)"])
    ('fisher1935', 'yeh2000', 'rajpurkar2016', 'rajpurkar2018', 'tjongkimsang2003')
    """
    found = (key for citation in citations for part in citation.split(";") for key in _keys_of(part))
    return tuple(dict.fromkeys(found))


def _keys_of(part: str) -> list[str]:
    text = re.sub(r"\([^)]*[^\d)][^)]*\)", "", part)  # a remark in brackets, but not a year
    years = _YEAR.findall(text)
    if not years:
        return []
    names = _YEAR.split(text)[0]
    first = re.split(r",| and | & | et al", names)[0]
    folded = unicodedata.normalize("NFKD", first)
    return [re.sub(r"[^a-z]", "", folded.lower()) + year for year in years]


@cache
def entries() -> dict[str, str]:
    """All BibTeX entries by key."""
    text = resources.files("nofluke.reports").joinpath("references.bib").read_text(encoding="utf-8")
    found = {}
    for entry in text.strip().split("\n\n"):
        head = re.match(r"@\w+\{([^,]+),", entry)
        if head:
            found[head[1]] = entry.strip()
    return found


def bibtex(citations: Iterable[str]) -> str:
    """Give the BibTeX entries of citations; one that is not known is named in a comment, never invented."""
    known = entries()
    return "\n\n".join(known.get(key, f"% no entry for {key}") for key in keys(citations))


def references(citations: Iterable[str]) -> list[str]:
    """Give readable references, sorted by author and year."""
    known = entries()
    return sorted(_readable(known[key]) for key in keys(citations) if key in known)


def _readable(entry: str) -> str:
    fields = {name: _plain(value) for name, value in _FIELD.findall(entry)}
    where = fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or ""
    where = where or fields.get("howpublished") or fields.get("school") or fields.get("institution", "")
    if "journal" in fields and "volume" in fields:
        where += f" {fields['volume']}" + (f"({fields['number']})" if "number" in fields else "")
    if "pages" in fields:
        where += f", {fields['pages']}"
    return f"{_authors(fields['author'])} ({fields['year']}). {fields['title']}. {where}.".replace("..", ".")


def _authors(text: str) -> str:
    names = [name.strip() for name in text.split(" and ")]
    if len(names) > 4:
        return f"{names[0]} et al."
    return names[0] if len(names) == 1 else f"{'; '.join(names[:-1])}; {names[-1]}"


def _plain(value: str) -> str:
    """Read the little LaTeX that the entries use."""
    text = value
    for old, new in (("$\\times$", "×"), ("$\\chi^2$", "χ²"), ("$\\kappa_{free}$", "κ-free"), ("\\&", "&")):
        text = text.replace(old, new)
    text = _ACCENT.sub(lambda match: match[2].lstrip("\\") + _COMBINING[match[1]], text)
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”")
    return unicodedata.normalize("NFC", text.replace("{", "").replace("}", ""))
