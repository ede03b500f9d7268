"""Crowd labels of Snow et al. 2008 and classic rater tables: figures of krippendorff, statsmodels, scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.types import Agreement

NAME = "iaa_snow2008"
Folder = Callable[[str], Path]
Facts = Callable[[str], dict[str, Any]]


def found(data: Folder, file: str, name: str = "krippendorff_alpha", **options: Any) -> Agreement:
    return nf.agree(nf.read_ratings(data(NAME) / file), name, **options)


def test_rte(data: Folder, expected: Facts) -> None:
    facts = expected(NAME)["tasks"]["rte"]
    alpha = found(data, "rte.csv")
    assert alpha.value == pytest.approx(facts["krippendorff_alpha_nominal"], rel=1e-12)
    assert (alpha.items, alpha.annotations, len(alpha.annotators)) == (800, 8000, 164)
    assert alpha.categories == ("0", "1")
    totals = facts["category_totals"]
    assert (alpha.marginals * 8000).tolist() == pytest.approx([totals["0"], totals["1"]])
    assert found(data, "rte.csv", "fleiss_kappa").value == pytest.approx(facts["fleiss_kappa"], rel=1e-12)
    assert found(data, "rte.csv", "randolph_kappa").value == pytest.approx(facts["fleiss_randolph"], rel=1e-12)


def test_a_pair_of_workers(data: Folder, expected: Facts) -> None:
    pair = expected(NAME)["tasks"]["rte"]["pair"]
    kappa = found(data, "rte.csv", "cohen_kappa", annotators=pair["workers"])
    assert kappa.items == pair["n_common"]
    assert kappa.value == pytest.approx(pair["cohen_kappa_sklearn"], rel=1e-9)
    assert kappa.standard_error == pytest.approx(pair["se_statsmodels"], rel=1e-9)
    assert kappa.null_standard_error == pytest.approx(pair["se0_statsmodels"], rel=1e-9)
    from_counts = nf.agree(nf.ratings_from_matrix(pair["table"], [0, 1]), "cohen_kappa")
    assert from_counts.value == pytest.approx(kappa.value, rel=1e-12)


def test_majority_against_gold(data: Folder, expected: Facts) -> None:
    facts = expected(NAME)["tasks"]["rte"]
    ratings = nf.read_ratings(data(NAME) / "rte.csv")
    gold = nf.read_ratings(data(NAME) / "rte.csv", label="gold")
    codes = ratings.codes
    votes = ((codes == 1).sum(axis=1) > (codes == 0).sum(axis=1)).astype(int)
    truth = gold.codes.max(axis=1)
    both = list(zip(votes.tolist(), truth.tolist(), strict=True))
    kappa = nf.agree(both, "cohen_kappa")
    assert kappa.value == pytest.approx(facts["cohen_kappa_majority_gold"], rel=1e-12)
    accuracy = facts["majority_vote_accuracy_vs_gold (ties to the smaller label)"]
    assert kappa.observed == pytest.approx(accuracy, rel=1e-12)


@pytest.mark.parametrize("level", ["interval", "ordinal"])
def test_word_similarity(data: Folder, expected: Facts, level: str) -> None:
    facts = expected(NAME)["tasks"]["wordsim"]
    alpha = found(data, "wordsim.csv", level=level)
    assert alpha.value == pytest.approx(facts[f"krippendorff_alpha_{level}"], rel=1e-12)
    assert (alpha.items, alpha.annotations) == (30, 300)


def test_diagnoses(data: Folder, expected: Facts) -> None:
    facts = expected(NAME)["irr_diagnoses"]
    fleiss = found(data, "irr_diagnoses.csv", "fleiss_kappa")
    assert fleiss.value == pytest.approx(facts["fleiss_kappa_statsmodels"], rel=1e-12)
    assert (fleiss.items, len(fleiss.annotators)) == (30, 6)
    assert found(data, "irr_diagnoses.csv").value == pytest.approx(facts["krippendorff_alpha_nominal"], rel=1e-12)
    pairs = found(data, "irr_diagnoses.csv", "light_kappa").pairwise
    assert pairs[0, 1] == pytest.approx(facts["cohen_kappa_rater1_rater2"], rel=1e-12)
    assert pairs[1, 2] == pytest.approx(facts["cohen_kappa_rater2_rater3"], rel=1e-12)


def test_anxiety(data: Folder, expected: Facts) -> None:
    facts = expected(NAME)["irr_anxiety"]
    for level in ("ordinal", "interval"):
        value = found(data, "irr_anxiety.csv", level=level).value
        assert value == pytest.approx(facts[f"krippendorff_alpha_{level}"], rel=1e-12)
    # The recorded weights count the labels that the two raters in question used.
    for weights, other in (("linear", 2), ("quadratic", 2), ("quadratic", 3)):
        ratings = nf.read_ratings(data(NAME) / "irr_anxiety.csv", annotator=["rater1", f"rater{other}"])
        value = nf.agree(ratings, "cohen_kappa", weights=weights).value
        assert value == pytest.approx(facts[f"weighted_kappa_{weights}_r1_r{other}"], rel=1e-12)
