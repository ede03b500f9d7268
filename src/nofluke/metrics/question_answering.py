"""Question answering: exact match and token F1 against the best of several gold answers."""

from __future__ import annotations

import json
import os
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Annotated, Literal, TypeAlias

import numpy as np

from nofluke.errors import InputError
from nofluke.metrics.references import read_references
from nofluke.metrics.statistics import ItemStatistics, mean_aggregate
from nofluke.metrics.texts import Lines, Texts, read_lines, require_same_length
from nofluke.registry import METRICS

# A file of answers, several such files, or one answer or list of answers per question.
Answers: TypeAlias = Texts | Sequence[str | Sequence[str]] | Sequence[os.PathLike[str]]
Format = Literal["auto", "single", "tab", "json"]
AnswerOption = Annotated[Format, "how a gold line holds several answers: JSON lists, between TABs, or just one"]
Normalise = Annotated[Literal["squad", "none"], "squad: ignore case, punctuation, articles and extra blanks"]

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(answer: str) -> str:
    """Lower-case, drop ASCII punctuation and English articles, and join words by one blank (SQuAD's script).

    >>> normalised("The  Eiffel-Tower, (Paris)!")
    'eiffeltower paris'
    """
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split())


def exactly(answer: str, gold: str) -> float:
    """Give 1 when the answers are equal, else 0."""
    return float(answer == gold)


def token_overlap(answer: str, gold: str) -> float:
    """Give F1 of the answers' words; an empty answer agrees only with an empty one (SQuAD 2.0)."""
    own, wanted = answer.split(), gold.split()
    if not own or not wanted:
        return float(own == wanted)
    return 2 * (Counter(own) & Counter(wanted)).total() / (len(own) + len(wanted))


def _scored(
    name: str,
    score: Callable[[str, str], float],
    texts: tuple[Texts, Answers],
    answers: Format,
    normalise: Literal["squad", "none"],
) -> ItemStatistics:
    output = read_lines(texts[0], "output")
    gold = _gold_answers(texts[1], output, answers)
    clean = normalised if normalise == "squad" else str.strip
    values = np.empty((len(output), 1))
    for index, line in enumerate(output.lines):
        own = clean(line)
        # No answer at all means that the question cannot be answered: the empty answer is right.
        values[index] = max(score(own, clean(one)) for one in gold[index] or [""])
    return ItemStatistics(values, (name,), mean_aggregate(), f"{name}|normalise:{normalise}")


@METRICS.register(
    "exact_match",
    label="exact match",
    cite="Rajpurkar et al. 2016",
    task="question answering",
    higher_is_better=True,
)
def exact_match(
    output: Texts, gold: Answers, *, answers: AnswerOption = "auto", normalise: Normalise = "squad"
) -> ItemStatistics:
    """How many answers are the same as one of the gold answers?

    1 or 0 per question and their mean. Gold: one line per question, a JSON list of answers or answers between TABs; an
    empty list or line means that the question has no answer, and an empty output is then right.
    """
    return _scored("exact_match", exactly, (output, gold), answers, normalise)


@METRICS.register(
    "token_f1",
    label="token F1",
    cite="Rajpurkar et al. 2016, 2018",
    task="question answering",
    higher_is_better=True,
)
def token_f1(
    output: Texts, gold: Answers, *, answers: AnswerOption = "auto", normalise: Normalise = "squad"
) -> ItemStatistics:
    """How many words do the answers share with the nearest gold answer?

    F1 per question against the gold answer with the highest F1, and the mean. Gold as for exact_match. Two answers that
    are both empty after normalisation agree (SQuAD 2.0; the script of SQuAD 1.1 gives 0).
    """
    return _scored("token_f1", token_overlap, (output, gold), answers, normalise)


def _gold_answers(gold: Answers, output: Lines, answers: Format) -> list[list[str]]:
    if isinstance(gold, str | os.PathLike | Lines) or all(isinstance(one, str) for one in gold):
        return _split(read_references(gold)[0], output, answers)
    if all(isinstance(one, os.PathLike | Lines) for one in gold):
        files = [_split(lines, output, answers) for lines in read_references(gold)]
        return [[answer for file in files for answer in file[index]] for index in range(len(output))]
    lists = [[one] if isinstance(one, str) else [str(answer) for answer in one] for one in gold]  # type: ignore[union-attr]
    require_same_length(output, Lines("gold", tuple("" for _ in lists)))
    return lists


def _split(gold: Lines, output: Lines, answers: Format) -> list[list[str]]:
    require_same_length(output, gold)
    if answers == "auto":
        answers = "json" if _is_json(gold) else "tab"
    if answers == "json":
        return [_json_answers(line, gold.where(index)) for index, line in enumerate(gold.lines)]
    return [line.split("\t") if answers == "tab" else [line] for line in gold.lines]


def _is_json(gold: Lines) -> bool:
    """Whether the first line is a JSON list, or most lines begin like one or like an object.

    Then a line that is none is an error, and not an answer with brackets.
    """
    filled = [line.strip() for line in gold.lines if line.strip()]
    alike = sum(line.startswith(("[", "{")) for line in filled)
    return 2 * alike > len(filled) or (filled[:1] != [] and filled[0].startswith("[") and filled[0].endswith("]"))


def _json_answers(line: str, where: str) -> list[str]:
    try:
        found = json.loads(line) if line.strip() else []
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is not a JSON list: {error.msg} at character {error.pos + 1}.",
            where=where,
            fix='write a list of answers such as ["Paris", "the city of Paris"], or use answers=tab.',
        ) from None
    if isinstance(found, list) and all(isinstance(one, str) for one in found):
        return found
    raise InputError(
        "this is not a JSON list of texts.",
        where=where,
        fix='write a list of answers such as ["Paris", "the city of Paris"], or use answers=tab.',
    )
