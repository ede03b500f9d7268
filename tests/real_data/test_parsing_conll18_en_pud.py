"""CoNLL 2018 parsers on English-PUD: attachment scores of 8 systems, sentence by sentence."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nofluke.metrics.dependency import la, las, uas
from nofluke.metrics.statistics import ItemStatistics
from nofluke.registry import METRICS
from nofluke.types import note
from support.thinned import thinned

NAME = "parsing_conll18_en_pud"
SYSTEMS = (
    "Stanford-18",
    "TurkuNLP-18",
    "UDPipe-Future",
    "ICS-PAS",
    "LATTICE-18",
    "HIT-SCIR-18",
    "Uppsala-18",
    "conll18-baseline",
)


def score(statistics: ItemStatistics) -> float:
    return float(statistics.aggregate(statistics.values.sum(axis=0), float(len(statistics.values))))


@pytest.mark.parametrize("system", thinned(SYSTEMS, always=3))
def test_scores(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]], system: str) -> None:
    folder, facts = data(NAME), expected(NAME)
    files = folder / "systems" / f"{system}.conllu.gz", folder / "gold.conllu.gz"
    heads, labelled = uas(*files), las(*files)
    tags = METRICS["upos"].function(*files)
    assert heads.ids is not None
    assert heads.ids[0] == "en_pud-1"
    assert labelled.values.shape == (facts["sentences_kept"], 2)
    assert labelled.values[:, 1].sum() == facts["tokens_kept"]
    scores = [round(100 * score(statistics), 4) for statistics in (heads, labelled, tags)]
    assert scores == facts["uas_las_upos_percent"][system]
    with gzip.open(folder / "per_sentence_counts.tsv.gz", "rt") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    for name, statistics in (("uas", heads), ("las", labelled), ("upos", tags)):
        wanted = [(float(row[f"{system}:{name}"]), float(row["n_tokens"])) for row in rows]
        assert [tuple(row) for row in statistics.values.tolist()] == wanted


def test_whole_relations_are_harder_and_relations_alone_easier(data: Callable[[str], Path]) -> None:
    folder = data(NAME)
    files = folder / "systems" / "Uppsala-18.conllu.gz", folder / "gold.conllu.gz"
    assert score(las(*files, subtypes="keep")) < score(las(*files)) < score(la(*files))


def test_punctuation_is_left_out_by_the_gold_tag(data: Callable[[str], Path]) -> None:
    folder = data(NAME)
    gold = folder / "gold.conllu.gz"
    with gzip.open(gold, "rt", encoding="utf-8") as lines:
        rows = [line.split("\t") for line in lines if "\t" in line]
    words = sum(row[3] != "PUNCT" for row in rows)
    found = uas(folder / "systems" / "LATTICE-18.conllu.gz", gold, punctuation="skip_upos")
    assert found.values[:, 1].sum() == words < len(rows)
    assert found.notes == (note("metric.punctuation", words=len(rows) - words, of=len(rows)),)
    assert found.signature == "uas|punctuation:skip_upos"
