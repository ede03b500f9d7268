"""WMT17 English-German: corpus BLEU and chrF of 16 systems as sacrebleu gives them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics import TER

import nofluke.metrics.speech
import nofluke.metrics.translation  # noqa: F401 (registers)
from nofluke.metrics.extract import extract
from nofluke.metrics.speech import wer
from nofluke.metrics.texts import read_lines
from nofluke.metrics.translation import chrf, ter

NAME = "mt_wmt17_ende"


@pytest.fixture
def facts(expected: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    return expected(NAME)


@pytest.fixture
def outputs(data: Callable[[str], Path], facts: dict[str, Any]) -> dict[str, Path]:
    return {system: data(NAME) / "systems" / f"{system}.de.gz" for system in facts["corpus_bleu_13a"]}


@pytest.fixture
def reference(data: Callable[[str], Path]) -> Path:
    return data(NAME) / "ref.de.gz"


def scores(found: dict[str, Any]) -> dict[str, float]:
    return {name: float(one.aggregate(one.values.sum(axis=0), len(one.values))) for name, one in found.items()}


def test_bleu_of_16_systems(outputs: dict[str, Path], reference: Path, facts: dict[str, Any]) -> None:
    found = extract("bleu", outputs, reference, cache=False)
    assert {one.values.shape for one in found.values()} == {(facts["n_segments"], 10)}
    assert {one.signature for one in found.values()} == {f"BLEU|{facts['corpus_bleu_13a_signature']}"}
    assert scores(found) == pytest.approx(facts["corpus_bleu_13a"], abs=5.1e-5)
    rows = facts["paired_bs_n1000_seed12345_tok_13a"]["rows"]
    assert scores(found) == pytest.approx({name: row["score"] for name, row in rows.items()}, rel=1e-12)


def test_bleu_of_blank_separated_words(outputs: dict[str, Path], reference: Path, facts: dict[str, Any]) -> None:
    some = {name: outputs[name] for name in list(outputs)[:7]}
    found = scores(extract("bleu", some, reference, {"tokenize": "none"}, cache=False))
    assert found == pytest.approx({name: facts["corpus_bleu_tok_none"][name] for name in some}, abs=5.1e-5)


@pytest.mark.parametrize("system", ["LIUM-NMT.4900", "online-A.0"])
def test_chrf(system: str, outputs: dict[str, Path], reference: Path, facts: dict[str, Any]) -> None:
    found = scores({system: chrf(outputs[system], reference)})
    assert found[system] == pytest.approx(facts["corpus_chrf2"][system], abs=5.1e-5)


def test_ter_and_wer_of_some_sentences(outputs: dict[str, Path], reference: Path) -> None:
    import jiwer

    output, gold = (list(read_lines(path).lines[:150]) for path in (outputs["xmu.4910"], reference))
    found = scores({"ter": ter(output, gold), "wer": wer(output, gold)})
    assert found["ter"] == pytest.approx(TER().corpus_score(output, [gold]).score, rel=1e-12)
    assert found["wer"] == pytest.approx(jiwer.wer(gold, output), rel=1e-12)


@pytest.mark.slow
def test_chrf_of_16_systems(outputs: dict[str, Path], reference: Path, facts: dict[str, Any]) -> None:
    found = scores(extract("chrf", outputs, reference, cache=False))
    assert found == pytest.approx(facts["corpus_chrf2"], abs=5.1e-5)
