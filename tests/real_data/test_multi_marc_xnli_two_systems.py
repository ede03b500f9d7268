"""Two multilingual models on nine test sets, from item predictions to the count of datasets."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.types import Note, Replication

NAME = "multi_marc_xnli_two_systems"
KEY = "replicability (one-sided exact McNemar, H1: mlpp better, alpha 0.05)"


@pytest.fixture
def right(data: Callable[[str], Path]) -> nf.Scores:
    """Right and wrong answers, item by item; two columns name the dataset."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["dataset", "language", "item", "mlpp", "mt5base"])
    with gzip.open(data(NAME) / "predictions.csv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            answers = (int(row[name] == row["gold"]) for name in ("mlpp", "mt5base"))
            writer.writerow([row["dataset"], row["language"], row["item"], *answers])
    out.seek(0)
    return nf.read(out, dataset="dataset,language")


def test_one_claim_end_to_end(right: nf.Scores, expected: Callable[[str], dict[str, Any]]) -> None:
    facts = expected(NAME)
    result = nf.replicate(right, alternative="greater")
    assert isinstance(result, Replication)
    recorded = facts[KEY]
    names = [name.replace(" / ", "-") for name in result.datasets]
    assert names == list(facts["per_dataset"])
    for place, fact in enumerate(facts["per_dataset"].values()):
        assert result.sizes[place] == fact["n"]
        assert result.scores[place].tolist() == pytest.approx([fact["acc_mlpp"], fact["acc_mt5base"]], rel=1e-12)
        assert result.p_values[place] == pytest.approx(fact["mcnemar_exact_greater_mlpp"], rel=1e-9)
        assert result.tests[place].method == "mcnemar"
    assert result.counts["count"] == recorded["k_count"]
    assert result.counts["bonferroni"] == result.count == recorded["k_Bonferroni"]
    assert result.counts["fisher"] == recorded["k_Fisher"]
    for method in ("Bonferroni", "Fisher"):
        found = result.partial_conjunction[method.lower()]
        assert found.tolist() == pytest.approx(recorded[f"partial_conjunction_p_{method}_u1..N"], rel=1e-9)
    assert dict(zip(names, result.adjusted["holm"], strict=True)) == pytest.approx(recorded["holm_adjusted"], rel=1e-9)
    assert nf.combine(result.p_values, "fisher") == pytest.approx(recorded["fisher_combined_p"], rel=1e-9)
    assert nf.combine(result.p_values, "stouffer") == pytest.approx(recorded["stouffer_combined_p"], rel=1e-9)
    assert result.identified == ("xnli / en", "xnli / es", "xnli / zh")
    assert result.against == ("marc / de", "marc / en", "marc / fr")
    assert (result.wins, result.ties, result.losses) == (6, 0, 3)


def test_both_claims_by_default(right: nf.Scores) -> None:
    result = nf.replicate(right)
    assert isinstance(result, Replication)
    assert result.opposite is not None
    assert (result.count, result.opposite.count) == (3, 0)
    # The simple count would call French reviews a win of the other system.
    assert result.opposite.counts["count"] == 1


def test_row_numbers_are_no_shared_items(right: nf.Scores) -> None:
    assert right.ids_given
    result = nf.replicate(right, alternative="greater", dependence="independent")
    assert isinstance(result, Replication)
    assert result.method == "fisher"
    assert "replicate.same_numbers" in {note.code for note in result.notes if isinstance(note, Note)}
    parallel = nf.true_discoveries(result, ["xnli / en", "xnli / es", "xnli / zh"])
    assert parallel == 3
    assert np.isfinite(result.log_p_values).all()
