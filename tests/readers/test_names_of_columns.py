"""Names of columns as other programs write them stand for the same roles."""

from __future__ import annotations

from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError


def written(folder: Path, *lines: str) -> Path:
    file = folder / "t.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def rated(item: int, worker: int) -> str:
    return "pos" if (item + worker * (item % 5 == 0)) % 2 else "neg"


def test_an_export_of_mechanical_turk_is_a_long_table(tmp_path: Path) -> None:
    """Its ids and texts are no annotators; what workers filled differently for one item is the label."""
    rows = [f"H{n},W{k},text {n},{rated(n, k)}" for n in range(20) for k in range(3)]
    ratings = nf.read_ratings(written(tmp_path, "HITId,WorkerId,Input.text,Answer.sentiment", *rows))
    assert ratings.annotators == ("W0", "W1", "W2")
    wide = [f"H{n},{','.join(rated(n, k) for k in range(3))}" for n in range(20)]
    same = nf.read_ratings(written(tmp_path, "item,W0,W1,W2", *wide))
    assert nf.agree(ratings).value == nf.agree(same).value


def test_a_judge_beside_another_annotator_is_an_annotator(tmp_path: Path) -> None:
    rows = [f"q{n},{'ab'[n % 2]},{'ab'[n % 3 > 0]}" for n in range(12)]
    assert nf.read_ratings(written(tmp_path, "item,human,judge", *rows)).annotators == ("human", "judge")


@pytest.mark.parametrize("name", ["true_label", "TrueLabel", "true.label", "Actual", "gold class", "expectedAnswer"])
def test_gold_is_known_by_its_name_and_the_advice_works(tmp_path: Path, name: str) -> None:
    rows = [f"{n},{'ab'[n % 2]},{'ab'[n % 3 > 0]},{'ab'[n % 2]}" for n in range(12)]
    file = written(tmp_path, f"id,{name},bert,roberta", *rows)
    with pytest.raises(InputError) as caught:
        nf.read(file)
    assert "--metric accuracy" in caught.value.said("shell")
    assert nf.score("accuracy", file).systems == ("bert", "roberta")


def test_one_score_of_each_metric_on_each_task_makes_tasks_items(tmp_path: Path) -> None:
    rows = [f"{m},t{n},{k},0.{n}{i}" for i, m in enumerate("PQ") for n in range(8) for k in ("f1", "em")]
    sample = nf.read(written(tmp_path, "model,task,metric,value", *rows)).pair(metric="f1")
    assert (sample.n, sample.systems) == (8, ("P", "Q"))


def test_a_name_may_be_typed_without_its_capitals(tmp_path: Path) -> None:
    rows = [f"{n},{s},0.{n}" for n in range(8) for s in "xy"]
    file = written(tmp_path, "PassageNo,modelName,F", *rows)
    assert nf.read(file, columns={"item": "passageno", "score": "F"}).systems == ("x", "y")
