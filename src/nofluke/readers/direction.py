"""Whether higher is better, known by the name of a metric."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# "per" (phoneme error rate) is a word of other names too, such as tokens_per_second: it counts only at the end.
_LOWER_NAMES = (
    "wer|cer|ter|per$|perplexity|ppl|bpb|bits per byte|bits per character|nll|loss|errors?|err|error rate|mae|mse|rmse"
    "|eer|aer|latency|distance|edit distance|brier|ece"
)
_HIGHER_NAMES = (
    "accuracy|acc|f1|precision|recall|correct|em|bleu|chrf|rouge|rouge1|rouge2|rougel|meteor|comet|bleurt|bertscore|auc"
    "|ap|map|mrr|ndcg|uas|las|upos|mcc|reward|win|reduction|improvement"
)
_LOWER = re.compile(rf"\b({_LOWER_NAMES})\b")
_HIGHER = re.compile(rf"\b({_HIGHER_NAMES})\b")
_MODIFIER = "is|sentence|corpus|macro|micro|weighted|mean|avg|average|score|rate|l|lsum|[0-9]+"
_WHOLE = re.compile(rf"(?:(?:{_MODIFIER}) )*(?:{_LOWER_NAMES}|{_HIGHER_NAMES})(?: (?:{_MODIFIER}))*")


def lower_by_name(metric: str) -> str | None:
    """Give the word by which a metric is known as better when lower, or None.

    >>> lower_by_name("test-WER"), lower_by_name("error detection F1"), lower_by_name("tokens_per_second")
    ('wer', None, None)
    """
    words = _words(metric)
    found = None if _HIGHER.search(words) else _LOWER.search(words)
    return found[1] if found else None


def is_metric_name(name: str) -> bool:
    """Whether a column's name is that of a known metric, and of nothing else: "rouge_l" is, "sys1_rouge_l" is not."""
    return _WHOLE.fullmatch(_words(name)) is not None


def orient(metrics: Iterable[str], given: bool | None) -> tuple[Mapping[str, bool], tuple[str, ...]]:
    """Give the direction of every metric, with a note for each that is known by its name only."""
    if given is not None:
        return dict.fromkeys(metrics, given), ()
    directions: dict[str, bool] = {}
    notes: list[str] = []
    for metric in metrics:
        word = lower_by_name(metric)
        directions[metric] = word is None
        if word is not None:
            of = "" if metric.casefold() == word else f"metric {metric!r}: "
            notes.append(f"{of}lower is better, known by the name {word!r}.")
    return directions, tuple(notes)


def _words(metric: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", metric.casefold()))
