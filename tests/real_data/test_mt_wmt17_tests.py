"""Published p-values of BLEU differences: Moses and sacrebleu by their own form, multeval by swaps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from support.notes import codes
from support.thinned import thinned

BASELINE = "LIUM-NMT.4900"
# A published p of 0 is none of 2,000 draws.
NAMES = ("FBK.4870", "LMU-nmt-reranked.4934", "online-B.0", "xmu.4910", "C-3MA.4959")


@pytest.fixture
def scores(data: Callable[[str], Path]) -> nf.Scores:
    folder = data("mt_wmt17_ende")
    outputs = {name: folder / "systems" / f"{name}.de.gz" for name in (BASELINE, *NAMES)}
    return nf.score("bleu", outputs, folder / "ref.de.gz", tokenize="none")


@pytest.mark.parametrize("name", thinned(NAMES, always=2))
def test_moses_and_sacrebleu_print_this(
    name: str, scores: nf.Scores, expected: Callable[[str], dict[str, Any]]
) -> None:
    facts = expected("mt_wmt17_ende")
    sample = scores.pair(name, BASELINE)
    ours = nf.test(sample, "bootstrap", form="moses", monte_carlo=20_000)
    assert ours.p_value == pytest.approx(facts["published_moses_bootstrap_p_vs_LIUM"]["p"][name], abs=0.01)
    drawn = facts["paired_bs_n2000_seed12345_tok_none"]["rows"][name]["p_value"]
    assert ours.p_value == pytest.approx(drawn, abs=0.01 + 4 * (drawn / 2_000) ** 0.5)
    assert sample.score(0) == pytest.approx(facts["corpus_bleu_tok_none"][name], abs=5e-5)
    assert "test.moses" in codes(ours)


@pytest.mark.parametrize("name", thinned(NAMES, always=2))
def test_swaps_agree_with_multeval_and_sacrebleu(
    name: str, scores: nf.Scores, expected: Callable[[str], dict[str, Any]]
) -> None:
    facts = expected("mt_wmt17_ende")
    ours = nf.test(scores.pair(name, BASELINE), "permutation")
    assert ours.computed.how == "linear+correction"
    published = facts["published_multeval_ar_p_vs_LIUM"]["p"][name][0]
    drawn = facts["paired_ar_n10000_seed12345_tok_none"]["rows"][name]["p_value"]
    assert ours.p_value == pytest.approx(published, abs=0.01 + 4 * (published / 10_000) ** 0.5)
    assert ours.p_value == pytest.approx(drawn, abs=4 * (drawn / 10_000) ** 0.5 + 1e-3)
