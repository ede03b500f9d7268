"""Output of sacrebleu: scores of sentences (-sl) are read; its JSON has scores of whole files alone, and is refused."""

from __future__ import annotations

import re
from pathlib import Path

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.file_names import stem_of
from nofluke.readers.given import Given
from nofluke.readers.logs.record import Log, PassedOverError, measured
from nofluke.readers.numbers import parse_number
from nofluke.registry import FORMATS
from nofluke.types import note

_METRIC = r"(?:BLEU|chrF\d?\+*|TER)"
_SENTENCE = re.compile(rf"(?P<signature>(?P<metric>{_METRIC})\|\S+) = (?P<score>\S+)(?: .*)?")
_ONE = re.compile(rf'(?:\[\s*)?\{{\s*"name"\s*:\s*"{_METRIC}"\s*,\s*"score"\s*:[^,]*,\s*"signature"\s*:')
_SEVERAL = re.compile(
    rf'\[\s*\{{\s*"system"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"{_METRIC}"\s*:\s*(?:"[-\d.]+"|\{{\s*"score"\s*:)'
)
_VERSION = re.compile(r"\|version:([^|\s]+)")
_TEXTS = "compare the texts: nofluke compare A.txt B.txt --gold REFERENCE --metric bleu"


def _is_log(head: bytes) -> bool:
    start = decode_head(head).lstrip()
    if _ONE.match(start) or _SEVERAL.match(start):
        return True
    first = next((line for line in start.split("\n") if line.strip()), "")
    return _SENTENCE.fullmatch(first.rstrip()) is not None


@FORMATS.register(
    "sacrebleu",
    label="sacrebleu",
    cite="Post 2018 (sacrebleu)",
    sniff=_is_log,
    told_by="mark",
    holds=("scores",),
    gives="logs",
)
def read_sacrebleu(given: Given, cluster: str = "") -> list[Log]:
    """Read the scores of sentences that sacrebleu -sl printed for one system; the file names it."""
    text = decode(given.load(), given.name)
    if text.lstrip()[:1] in ("{", "["):
        raise PassedOverError(
            "these are scores of sacrebleu on whole files, without the sentences.",
            where=given.name,
            fix=f"{_TEXTS}; or score single sentences: sacrebleu REFERENCE -i A.txt -sl > A.scores.",
        )
    if cluster:
        raise InputError(f"there is no field {cluster!r}.", where=given.name, fix="sentences have no other field.")
    scores: list[float] = []
    signatures: dict[str, int] = {}
    for number, line in enumerate(text.rstrip().split("\n"), 1):
        found = _SENTENCE.fullmatch(line.rstrip())
        value = parse_number(found["score"]) if found else None
        if found is None or value is None:
            raise InputError(
                "the line is no score of a sentence.",
                where=f"{given.name} line {number}",
                fix="give the output of sacrebleu REFERENCE -i FILE -sl as it was printed.",
            )
        scores.append(value)
        signatures.setdefault(found["signature"], number)
    signature, *others = signatures
    if others:
        raise InputError(
            f"the sentences were scored in several ways ({signature}; {others[0]}).",
            where=f"{given.name} line {signatures[others[0]]}",
            fix="score all sentences of a file alike, with one metric.",
        )
    version = _VERSION.search(signature)
    metric = f"sentence {signature.partition('|')[0]}"
    return [
        Log(
            format="sacrebleu",
            version=version[1] if version else "",
            file=given.name,
            model=stem_of(Path(given.name).name),
            dataset="sentences",
            items=tuple(str(at + 1) for at in range(len(scores))),
            measured={metric: measured(scores, higher_is_better=not metric.endswith("TER"))},
            primary=metric,
            places=True,
            signatures={metric: signature},
            notes=(note("logs.sentence_scores", metric=signature.partition("|")[0]),),
        )
    ]
