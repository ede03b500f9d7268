"""What docs/decisions says of other tools, on the logs that these wrote: every figure is computed anew."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sacrebleu

import nofluke as nf

Folder = Callable[[str], Path]
PAGES = Path(__file__).parent.parent.parent / "docs" / "decisions"


def says(page: str, text: str) -> None:
    """The page quotes the figure, wherever its line breaks."""
    assert text in " ".join((PAGES / f"{page}.md").read_text(encoding="utf-8").split())


def lighteval(folder: Path, task: str, columns: str) -> list[tuple[Any, ...]]:
    file = next(folder.glob(f"logs/details/acme/toy-small/*/details_{task}|0_*.parquet"))
    return duckdb.execute(f"SELECT {columns} FROM read_parquet(?)", [str(file)]).fetchall()


@pytest.fixture
def reported(data: Folder) -> dict[str, Any]:
    """The results file of lighteval."""
    file = next(data("logs/lighteval").glob("logs/results/acme/toy-small/results_*.json"))
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["results"]
    return found


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_lighteval_scores_the_first_sentence_alone(metric: str, data: Folder, reported: dict[str, Any]) -> None:
    rows = lighteval(data("logs/lighteval"), "le_mt", f"metric.{metric}.golds, metric.{metric}.preds[1]")
    golds, outputs = [list(gold) for gold, _ in rows], [output for _, output in rows]
    score = getattr(sacrebleu, f"corpus_{metric}")
    as_reported, right = score(outputs, golds).score, score(outputs, [[gold[0] for gold in golds]]).score
    assert as_reported == pytest.approx(reported["le_mt|0"][metric], rel=1e-12)
    assert abs(right - as_reported) > 5
    if metric == "chrf":
        says("corpus-scores", f"({as_reported:.1f} for {right:.1f} on one log)")


def test_lighteval_divides_the_standard_error_again(data: Folder, reported: dict[str, Any]) -> None:
    rows = lighteval(data("logs/lighteval"), "le_mt", "metric.bleu.golds[1], metric.bleu.preds[1]")
    scores = nf.score("bleu", {"model": [output for _, output in rows]}, [gold for gold, _ in rows])
    estimate = nf.estimate(scores, "model")
    assert estimate.value == pytest.approx(reported["le_mt|0"]["bleu"])
    assert reported["le_mt|0"]["bleu_stderr"] * 1000**0.5 == pytest.approx(estimate.standard_error, rel=0.1)
    says("corpus-scores", f"({reported['le_mt|0']['bleu_stderr']:.3f} for a BLEU with 3.83 on one log)")


def test_exact_match_of_lighteval_is_the_best_of_four(data: Folder, reported: dict[str, Any]) -> None:
    rows = lighteval(data("logs/lighteval"), "le_math", "doc.choices[1], model_response.text")
    best = sum(any(text.strip() == gold for text in texts) for gold, texts in rows) / len(rows)
    first = sum(texts[0].strip() == gold for gold, texts in rows) / len(rows)
    assert {len(texts) for _, texts in rows} == {4}
    assert best == pytest.approx(reported["le_math|0"]["em"])
    says("epochs-are-runs", f"{best:.2f} on one log, where the first answers have {first:.2f}")


def test_every_eval_ever_has_no_corpus_scores_and_a_third_of_a_group(data: Folder) -> None:
    folder = data("logs/every_eval_ever") / "logs"
    rows: dict[str, list[Any]] = {}
    for task in ("toy_translate", "toy_know"):
        text = next((folder / task).glob("acme/toy-large/*_samples.jsonl")).read_text(encoding="utf-8")
        rows[task] = [json.loads(line) for line in text.splitlines()]
    assert {row["evaluation"]["score"] for row in rows["toy_translate"]} == {0.0}
    whole = json.loads(next(data("logs/lm_eval").glob("logs/*large/results_*.json")).read_text(encoding="utf-8"))
    says("corpus-scores", f"BLEU is {whole['results']['toy_translate']['bleu,none']:.1f}, and the mean")
    kept = len({row["sample_id"] for row in rows["toy_know"]})
    says("corpus-scores", f"{kept} items of {whole['groups']['toy_know']['sample_len']} on one log")
