"""Word alignments of the Hansards: 13 systems, 12 of them with published error rates."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nofluke.metrics.alignment import aer, alignment_precision, alignment_recall
from nofluke.metrics.statistics import ItemStatistics

NAME = "alignment_enfr"


def score(statistics: ItemStatistics) -> float:
    return float(statistics.aggregate(statistics.values.sum(axis=0), float(len(statistics.values))))


def test_published_and_computed_rates(data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    folder, facts = data(NAME), expected(NAME)
    published = facts["published_results_lilt"]
    assert len(published) == 12
    same_links = 0
    texts = str(folder / "en-fr.txt.gz")
    for system, (rate, precision, recall, links) in facts["aer_precision_recall_links"].items():
        files = folder / "systems" / f"{system}.txt", folder / "gold.txt"
        errors = aer(*files, sentences=texts)
        sure_hits, possible_hits, system_links, sure = errors.values.sum(axis=0)
        found = [score(errors), possible_hits / system_links, sure_hits / sure]
        if system == "awesome-align":
            assert [score(alignment_precision(*files)), score(alignment_recall(*files))] == found[1:]
        assert found == pytest.approx([rate, precision, recall], rel=1e-12), system
        assert errors.values[:, 2].sum() == links
        assert errors.values[:, 3].sum() == facts["sure_links"]
        assert len(errors.values) == facts["n_sentences"]
        if system in published:
            # Published to one decimal: within half a unit of it.
            within = {"abs": 0.05 + 1e-9}
            assert 100 * found[0] == pytest.approx(published[system]["aer%"], **within), system
            if published[system]["links"] == links:
                # Link counts of the other files differ from the published ones, and with them some printed precisions.
                printed = [published[system][name] for name in ("precision%", "recall%")]
                assert [100 * value for value in found[1:]] == pytest.approx(printed, **within), system
                same_links += 1
    assert same_links == 7


def test_counts_of_every_sentence(data: Callable[[str], Path]) -> None:
    folder = data(NAME)
    wanted: dict[str, list[tuple[float, ...]]] = {}
    with gzip.open(folder / "per_sentence_counts.tsv.gz", "rt") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            counts = tuple(float(row[name]) for name in ("hit_sure", "hit_possible", "n_system", "n_sure"))
            wanted.setdefault(row["system"], []).append(counts)
    assert len(wanted) == 13
    for system, counts in wanted.items():
        found = aer(folder / "systems" / f"{system}.txt", folder / "gold.txt")
        assert [tuple(row) for row in found.values.tolist()] == counts


def test_links_beyond_a_sentence_are_found(data: Callable[[str], Path], tmp_path: Path) -> None:
    folder = data(NAME)
    lines = (folder / "systems" / "giza.union.txt").read_text().splitlines()
    lines[2] += " 4-0"
    (tmp_path / "bad.txt").write_text("\n".join(lines) + "\n")
    with pytest.raises(ValueError, match=r"bad\.txt line 3: link 4-0 \(from 0\) is out of range: sentence 3 has 4 "):
        aer(tmp_path / "bad.txt", folder / "gold.txt", sentences=str(folder / "en-fr.txt.gz"))
