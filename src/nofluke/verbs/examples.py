"""The published tables that come with nofluke: scores and p-values of Dror et al. (2017), Tables 2 to 5."""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.errors import unknown
from nofluke.readers.p_values import to_p_values
from nofluke.types import Note, PValues, note

_PAPER = "Dror, Baumer, Bogomolov and Reichart 2017"


@dataclass(frozen=True, slots=True)
class _Published:
    """One table; a row is name, score of A, score of B, p-value, as printed (decimals written out)."""

    table: int
    about: str
    systems: tuple[str, str]
    metric: str
    dependence: str
    shared: Note | None
    rows: str


_PARSING = """BC 90.73 {} {}
BN 90.82 {} {}
MZ 91.92 {} {}
NW 91.68 {} {}
PT 96.64 {} {}
TC 89.87 {} {}
WB 89.89 {} {}"""

_PUBLISHED = {
    "parsing-spacy": _Published(
        2,
        "dependency parsing of seven domains",
        ("Mate", "SpaCy"),
        "UAS",
        "independent",
        None,
        _PARSING.format(
            *("89.05", "0.0001", "89.31", "0.0001", "89.29", "0.0", "89.52", "0.0"),
            *("95.27", "0.0002", "87.65", "0.0009", "87.40", "0.0"),
        ),
    ),
    "parsing-redshift": _Published(
        2,
        "dependency parsing of seven domains",
        ("Mate", "Redshift"),
        "UAS",
        "independent",
        None,
        _PARSING.format(
            *("90.19", "0.0979", "90.46", "0.1662", "90.90", "0.0046", "90.99", "0.0376"),
            *("96.22", "0.0969", "88.99", "0.0912", "89.31", "0.0823"),
        ),
    ),
    "pos-tagging": _Published(
        3,
        "part-of-speech tagging of 23 languages",
        ("MIMICK", "Char→Tag"),
        "accuracy",
        "independent",
        None,
        """Kazakh 83.95 83.64 0.0944
Tamil 81.55 84.97 0.0001
Latvian 84.32 84.49 0.0623
Vietnamese 84.22 84.85 0.0359
Hungarian 88.93 85.83 1.12e-08
Turkish 85.60 84.23 0.1461
Greek 93.63 94.05 0.0104
Bulgarian 93.16 93.03 0.1957
Swedish 92.30 92.27 0.0939
Basque 84.44 86.01 3.87e-10
Russian 89.72 88.65 0.0081
Danish 90.13 89.96 0.1016
Indonesian 89.34 89.81 0.0008
Chinese 85.69 81.84 0
Persian 93.58 93.53 0.4450
Hebrew 91.69 91.93 0.1025
Romanian 89.18 88.96 0.2198
English 88.45 88.89 0.0208
Arabic 90.58 90.49 0.0731
Hindi 87.77 87.92 0.0288
Italian 92.50 92.45 0.4812
Spanish 91.41 91.71 0.1176
Czech 90.81 90.17 2.91e-05""",
    ),
    "sentiment": _Published(
        4,
        "cross-domain sentiment classification, 12 setups",
        ("AE-SCL-SR", "MSDA"),
        "accuracy",
        "unknown",
        note("p_values.reused_test_sets", times=3, setups=12),
        """B→K 0.8005 0.788 0.0268
B→D 0.8105 0.783 0.0011
B→E 0.7675 0.7455 0.0119
K→B 0.7295 0.7 0.0038
K→D 0.763 0.714 1.9e-06
K→E 0.84 0.824 0.018
D→B 0.773 0.7605 0.0186
D→K 0.8025 0.774 0.0014
D→E 0.781 0.75 0.0011
E→B 0.7115 0.7185 0.4823
E→K 0.8455 0.845 0.9507
E→D 0.745 0.71 0.0003""",
    ),
    "word-similarity": _Published(
        5,
        "word similarity on 12 datasets",
        ("W2V", "GLOVE"),
        "Spearman's rho",
        "unknown",
        note("p_values.union", whole="WS353", parts=("WS353-SIM", "WS353-REL")),
        """WS353 0.7362 0.629 2e-5
WS353-SIM 0.7805 0.6979 0.0
WS353-REL 0.6814 0.5706 0.2123
MC-30 0.8221 0.7773 0.0001
RG-65 0.8348 0.8117 0.3053
RW 0.4819 0.4144 0.2426
MEN 0.796 0.7362 0.0021
MTurk-287 0.671 0.6475 0.2076
MTurk-771 0.7116 0.6842 0.0425
YP-130 0.504 0.5315 0.0
SimLex999 0.4621 0.3725 0.0015
Verb-143 0.4479 0.3275 0.0431""",
    ),
}

EXAMPLES = tuple(_PUBLISHED)


def example(name: str) -> PValues:
    """What does a published table of scores and p-values look like?

    Gives one of the tables of Dror et al. (2017), for nf.replicate, nf.correct and nf.combine: parsing-spacy,
    parsing-redshift, pos-tagging, sentiment, word-similarity. A p-value printed as 0
    stands as its upper rounding bound.

    >>> import nofluke as nf
    >>> nf.replicate(nf.example("sentiment")).counts["bonferroni"]
    6
    """
    if name not in _PUBLISHED:
        raise unknown("example", str(name), EXAMPLES)
    published = _PUBLISHED[name]
    rows = [line.split() for line in published.rows.splitlines()]
    return to_p_values(
        [row[3] for row in rows],
        names=[row[0] for row in rows],
        scores=[(float(row[1]), float(row[2])) for row in rows],
        systems=published.systems,
        metric=published.metric,
        dependence=published.dependence,
        shared=published.shared,
        source=f"{_PAPER}, Table {published.table}: {published.about}",
    )


def published() -> list[tuple[str, str]]:
    """Give the name of every example, and what it is about."""
    return [(name, f"{' against '.join(one.systems)}: {one.about}") for name, one in _PUBLISHED.items()]
