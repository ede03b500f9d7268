"""A value that a metric of this name cannot have is refused: it is another metric, with maybe another direction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke


def table(folder: Path, metric: str, values: list[float]) -> Path:
    rows = "".join(
        f"{item},{system},{value + shift}\n"
        for item, value in enumerate(values)
        for system, shift in (("A", 0), ("B", 0))
    )
    path = folder / "scores.csv"
    path.write_text(f"item,system,{metric}\n{rows}")
    return path


@pytest.mark.parametrize(
    ("metric", "fine", "wrong", "told"),
    [
        ("perplexity", [1, 12.5, 900], -3.5, "perplexity is never below 1, and item '1' has -3.5"),
        ("word_perplexity", [1, 2], 0.5, "never below 1"),
        ("ppl", [3], 0, "never below 1"),
        ("bits_per_byte", [0, 1.2], -0.1, "never below 0"),
        ("nll", [0, 7], -2, "never below 0"),
        ("accuracy", [0, 0.5, 1], 101, "never above 100"),
        ("acc", [0, 99.5], -0.5, "never below 0"),
        ("F1", [0.2, 1], -1, "never below 0"),
        ("macro-F1", [20, 100], 100.5, "never above 100"),
        ("WER", [0, 1.7, 220], -0.1, "never below 0"),
        ("ter", [0, 300], -1, "never below 0"),
        ("BLEU", [0, 100], 100.1, "never above 100"),
        ("sentence_bleu", [0, 1], -1, "never below 0"),
        ("chrf", [0, 100], 120, "never above 100"),
        ("ndcg", [0, 1], 200, "never above 100"),
        ("spearman", [-1, 1, 80.22], 100.5, "never above 100"),
        ("pearson", [-91.5, -1, 0.3], -101, "never below -100"),
        ("mcc", [-1, 0.4, 67], -101, "never below -100"),
    ],
)
def test_ranges(tmp_path: Path, metric: str, fine: list[float], wrong: float, told: str) -> None:
    assert len(nf.read(table(tmp_path, metric, fine), score=metric).statistics) == 2 * len(fine)
    path = table(tmp_path, metric, [fine[0], wrong])
    with pytest.raises(InputError) as caught:
        nf.read(path, score=metric)
    assert told in str(caught.value)
    assert "scores.csv line 4" in caught.value.where
    # Whoever says which direction is better knows what the scores are.
    assert nf.read(path, score=metric, higher_is_better=True).higher_is_better == {metric: True}


@pytest.mark.parametrize(
    "metric", ["log perplexity", "accuracy gain", "BLEU difference", "comet", "loss", "reward", "score"]
)
def test_other_names_promise_nothing(tmp_path: Path, metric: str) -> None:
    assert len(nf.read(table(tmp_path, metric, [-200, 500]), score=metric).statistics) == 4


def test_log_likelihoods_called_perplexity(tmp_path: Path) -> None:
    """The better model has the higher log-likelihoods; by the name alone it would lose."""
    rows = "".join(f"{item},good,{-3.0 - item % 3}\n{item},poor,{-4.0 - item % 4}\n" for item in range(40))
    path = tmp_path / "x.csv"
    path.write_text(f"item,system,perplexity\n{rows}")
    refused = nofluke("compare", str(path), "--columns", "score=perplexity")
    assert refused.code == 2
    assert "if they are log-likelihoods, say so: --higher-is-better;" in refused.err
    run = nofluke("compare", str(path), "--columns", "score=perplexity", "--higher-is-better", "--format", "json")
    assert json.loads(run.out)["verdict"] == "better"
