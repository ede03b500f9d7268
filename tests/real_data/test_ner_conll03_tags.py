"""CoNLL-2003 named entities of two taggers: the counts and F1 of the origin."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nofluke.metrics.sequence_labelling import span_f1, span_precision, span_recall, token_accuracy
from nofluke.metrics.statistics import ItemStatistics

NAME = "ner_conll03_tags"


def score(statistics: ItemStatistics) -> float:
    return float(statistics.aggregate(statistics.values.sum(axis=0), float(len(statistics.values))))


@pytest.fixture
def tagged(data: Callable[[str], Path], tmp_path: Path) -> Path:
    """The tags as a CoNLL file: token number, gold, elmo, flair, and a blank line after each sentence."""
    rows = gzip.decompress((data(NAME) / "tags.tsv.gz").read_bytes()).decode().splitlines()[1:]
    lines = []
    for row in rows:
        _, *rest = row.split("\t")
        if rest[0] == "1" and lines:
            lines.append("")
        lines.append(" ".join(rest))
    path = tmp_path / "tags.conll"
    path.write_text("\n".join(lines) + "\n\n")
    return path


@pytest.mark.parametrize(("system", "column"), [("elmo", 3), ("flair", 4)])
def test_scores(tagged: Path, expected: Callable[[str], dict[str, Any]], system: str, column: int) -> None:
    facts = expected(NAME)
    columns = {"column": column, "gold_column": 2}
    spans = span_f1(tagged, tagged, **columns)
    predicted, matched = facts["sufficient_statistics"][system]
    assert spans.values.shape == (facts["n_sentences"], 3)
    assert spans.values.sum(axis=0).tolist() == [matched, predicted, facts["gold_entities"]]
    assert score(spans) == pytest.approx(facts["entity_f1"][system], rel=1e-14)
    precision, recall = facts["precision_recall"][system]
    assert score(span_precision(tagged, tagged, **columns)) == pytest.approx(precision, rel=1e-14)
    assert score(span_recall(tagged, tagged, **columns)) == pytest.approx(recall, rel=1e-14)
    tokens = token_accuracy(tagged, tagged, **columns)
    assert tokens.values[:, 1].sum() == facts["n_tokens"]
    assert score(tokens) == pytest.approx(facts["token_accuracy"][system], rel=1e-14)
