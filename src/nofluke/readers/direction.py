"""What the name of a metric says: whether higher is better, and which values it cannot have."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nofluke.types import Note, note


@dataclass(frozen=True, slots=True)
class MetricFacts:
    """Names of metrics with one direction and one range; shares may be written from 0 to 1 or from 0 to 100."""

    names: str
    higher_is_better: bool
    lowest: float = -math.inf
    highest: float = math.inf


# One row per kind. A range holds for single items too, or it is left open: a sentence's WER can exceed 1.
# "per" (phoneme error rate) is a word of other names too, such as tokens_per_second: it counts only at the end.
FACTS = (
    MetricFacts("perplexity|ppl", False, lowest=1),
    MetricFacts("bpb|bits per byte|bits per character|nll", False, lowest=0),
    MetricFacts("wer|cer|ter|per$|error rate|mae|mse|rmse|latency|distance|edit distance|brier", False, lowest=0),
    MetricFacts("eer|aer|ece", False, lowest=0, highest=100),
    MetricFacts("loss|errors?|err", False),
    MetricFacts(
        "accuracy|acc|f1|precision|recall|em|exact match|bleu|chrf|rouge|rouge1|rouge2|rougel|meteor|auc|ap|map|mrr"
        "|ndcg|uas|las|upos",
        True,
        lowest=0,
        highest=100,
    ),
    MetricFacts("mcc|pearson|spearman|kendall|correlation", True, lowest=-100, highest=100),
    MetricFacts("correct|comet|bleurt|bertscore|reward|win|reduction|improvement", True),
)
_LOWER_NAMES, _HIGHER_NAMES = (
    "|".join(facts.names for facts in FACTS if facts.higher_is_better is higher) for higher in (False, True)
)
# Beside these, words that say which way is better, and are names of columns that hold no metric too.
_LOWER = re.compile(rf"\b({_LOWER_NAMES}|time|runtime|seconds|cost)\b")
_HIGHER = re.compile(rf"\b({_HIGHER_NAMES}|saved|savings)\b")
_WITHIN = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
_MODIFIER = (
    "is|word|byte|token|sentence|corpus|macro|micro|weighted|mean|avg|average|score|rate|norm|none|l|lsum|[0-9]+"
)


def _whole(names: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{_MODIFIER}) )*(?:{names})(?: (?:{_MODIFIER}))*")


_WHOLE = _whole(f"{_LOWER_NAMES}|{_HIGHER_NAMES}")
_RANGED = tuple((_whole(facts.names), facts) for facts in FACTS if facts.lowest > -math.inf)


def lower_by_name(metric: str) -> str | None:
    """Give the word by which a metric is known as better when lower, or None.

    >>> lower_by_name("test-WER"), lower_by_name("error detection F1"), lower_by_name("tokens_per_second")
    ('wer', None, None)
    """
    words = _words(metric)
    found = None if _HIGHER.search(words) else _LOWER.search(words)
    return found[1] if found else None


def lower_in_all(names: Iterable[str]) -> str | None:
    """Give the one word that says of all columns of systems that lower is better, wherever it stands in them, or None.

    >>> lower_in_all(["wer_v1_test", "wer_v2_test"]), lower_in_all(["timeOld", "timeNew"]), lower_in_all(["A", "WER"])
    ('wer', 'time', None)
    """
    loose = [(name, " ".join(_WITHIN.findall(name))) for name in names]
    found = {None if _HIGHER.search(_words(name)) else lower_by_name(name) or lower_by_name(own) for name, own in loose}
    return found.pop() if len(found) == 1 else None


def is_metric_name(name: str) -> bool:
    """Whether a column's name is that of a known metric, and of nothing else: "rouge_l" is, "sys1_rouge_l" is not."""
    return _WHOLE.fullmatch(_words(name)) is not None


def range_by_name(metric: str) -> MetricFacts | None:
    """Give the facts of a metric whose whole name says which values it can have, or None.

    >>> range_by_name("word_perplexity").lowest, range_by_name("log perplexity"), range_by_name("accuracy gain")
    (1, None, None)
    """
    words = _words(metric)
    return next((facts for names, facts in _RANGED if names.fullmatch(words)), None)


def orient(metrics: Iterable[str], given: bool | None) -> tuple[Mapping[str, bool], tuple[Note, ...]]:
    """Give the direction of every metric, with a note for each that is known by its name only."""
    if given is not None:
        return dict.fromkeys(metrics, given), ()
    directions: dict[str, bool] = {}
    notes: list[Note] = []
    for metric in metrics:
        word = lower_by_name(metric)
        directions[metric] = word is None
        if word is not None:
            notes.append(note("read.lower_is_better", metric=metric, word=word))
    return directions, tuple(notes)


def _words(metric: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", metric.casefold()))
