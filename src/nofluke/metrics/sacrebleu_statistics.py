"""Per-sentence statistics of sacrebleu's metrics, with the reference prepared once for all systems."""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any

import numpy as np

from nofluke.errors import MethodError, MissingExtra
from nofluke.metrics.references import References, read_pairs
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Lines, Texts
from nofluke.types import Aggregate, FloatArray, Note, note

Options = tuple[tuple[str, Any], ...]
# sacrebleu warns from this many lines on that look tokenised (metrics/base.py).
_TOKENISED_LINES = 100


def sacrebleu_module(name: str) -> Any:
    """Import a module of sacrebleu, or say how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtra(
            "this metric needs sacrebleu, which is not installed.", fix="pip install nofluke[metrics]"
        ) from error


def sacrebleu_version() -> str:
    """Give the version of the installed sacrebleu."""
    return str(sacrebleu_module("sacrebleu").__version__)


@lru_cache(maxsize=1)
def _prepared(kind: str, options: Options, references: tuple[tuple[str, ...], ...]) -> Any:
    """Make sacrebleu's metric with the n-grams of the references: half the work, shared by all systems."""
    make = getattr(sacrebleu_module("sacrebleu.metrics"), kind)
    given = dict(options)
    try:
        return make(**given, references=[list(reference) for reference in references])
    except Exception as error:  # sacrebleu loads tokenisers here: other packages, or models from the network
        if "tokenize" not in given:
            raise
        raise MissingExtra(
            f"sacrebleu cannot load the tokeniser {given['tokenize']!r}: {error}".strip(),
            fix="install what sacrebleu asks for (pip install sacrebleu[ja] or [ko]; spm and flores need the network).",
        ) from error


def read_statistics(
    kind: str, output: Texts, gold: References, options: dict[str, Any]
) -> tuple[Any, list[list[float]], Lines, int]:
    """Give sacrebleu's metric, its statistics per line, the lines, and the number of references."""
    sacrebleu_module("sacrebleu")
    lines, references = read_pairs(output, gold, as_is=True)
    metric = _prepared(kind, tuple(sorted(options.items())), tuple(reference.lines for reference in references))
    try:
        statistics = metric._extract_corpus_statistics(list(lines.lines), None)
    except AttributeError as error:
        raise _other_version(kind) from error
    return metric, statistics, lines, len(references)


def checked(
    kind: str, metric: Any, statistics: list[list[float]], values: FloatArray, aggregate: Aggregate
) -> FloatArray:
    """Make sure that our formula on the sums gives what the installed sacrebleu makes of its statistics."""
    ours = float(aggregate(values.sum(axis=0), float(len(values))))
    theirs = float(metric._aggregate_and_compute(statistics).score)
    if not np.isnan(ours) and abs(ours - theirs) > 1e-9 * max(1.0, abs(theirs)):
        raise _other_version(kind)
    return values


def item_statistics(
    kind: str,
    parts: tuple[Any, list[list[float]], Lines, int],
    names: tuple[str, ...],
    aggregate: Aggregate,
    *,
    label: str,
    more: str = "",
) -> ItemStatistics:
    """Give integer statistics with sacrebleu's own signature."""
    metric, statistics, lines, _ = parts
    values = checked(kind, metric, statistics, np.array(statistics, dtype=np.float64), aggregate)
    return ItemStatistics(
        values=values,
        names=names,
        aggregate=aggregate,
        signature=f"{label}|{metric.get_signature().format()}{more}",
        notes=_notes(kind, lines),
    )


def _notes(kind: str, lines: Lines) -> tuple[Note, ...]:
    tokenised = sum(line.endswith(" .") for line in lines.lines)
    if kind != "BLEU" or tokenised < _TOKENISED_LINES:
        return ()
    return (note("metric.tokenised", lines=tokenised),)


def _other_version(kind: str) -> MethodError:
    return MethodError(
        f"sacrebleu {sacrebleu_version()} computes {kind} in a way this version of nofluke does not know.",
        fix="pip install 'sacrebleu==2.6.*', or update nofluke.",
    )
