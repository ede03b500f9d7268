"""Tables as newcomers have them: which way is better, how much was read, and advice that can be typed as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.words.sources import scores_lines


def said_of(source: object, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        nf.read(source, **options)
    return caught.value.said("shell")


def written(folder: Path, name: str, *lines: str) -> Path:
    file = folder / name
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.mark.parametrize("word", ["wer", "WER", "latency", "time", "cost", "rmse", "loss", "perplexity", "error"])
@pytest.mark.parametrize(
    "form", ["{w}_v{n}_test", "{w}_ms_v{n}", "v{n}_{w}_s", "sys{n}_{w}", "{w}{n}", "v{n} ({w}, usd)"]
)
def test_a_word_in_the_names_of_all_systems_says_which_way_is_better(tmp_path: Path, word: str, form: str) -> None:
    """Wherever it stands, lower is better, and that is said."""
    names = [form.format(w=word, n=number) for number in (1, 2)]
    quoted = [f'"{name}"' for name in names]
    rows = [f"q{n},{20 + n % 3},{12 + n % 5}" for n in range(9)]
    scores = nf.read(written(tmp_path, "t.csv", ",".join(["id", *quoted]), *rows))
    assert scores.systems == tuple(names)
    assert list(scores.higher_is_better.values()) == [False]
    assert [dict(one.facts)["word"] for one in scores.notes if one.code == "read.lower_is_better"] == [word.casefold()]


@pytest.mark.parametrize(
    "names", ["A,wer_b", "error_f1_old_x,error_f1_new_x", "cost_saved_a_x,cost_saved_b_x", "timely,lossless"]
)
def test_a_word_of_some_names_or_beside_a_better_one_turns_nothing(tmp_path: Path, names: str) -> None:
    scores = nf.read(written(tmp_path, "t.csv", f"id,{names}", *(f"q{n},0.{n},0.5" for n in range(9))))
    assert list(scores.higher_is_better.values()) == [True]


@pytest.mark.parametrize("first", [1, 4])
def test_items_of_datasets_that_number_them_alike_are_counted_each(tmp_path: Path, first: int) -> None:
    """Three datasets of ten items are thirty items, whether their numbers repeat or go on."""
    rows = [f"{d},{n if first == 1 else 10 * k + n},0.{n},0.5" for k, d in enumerate("xyz") for n in range(10)]
    scores = nf.read(written(tmp_path, "t.csv", "dataset,item,a,b", *rows))
    assert "30 items, 2 systems, 3 datasets" in scores_lines(scores)[0]


@pytest.mark.parametrize("name", ["gone.parquet", "gone*.json", "B=gone.csv"])
def test_a_file_that_is_not_there_is_named_beside_logs(name: str) -> None:
    logs = Path(__file__).parents[2] / "docs" / "examples" / "lm-eval" / "tuned"
    said = said_of([str(logs), name])
    assert "does not exist" in said
    assert said.startswith(name.rpartition("=")[2])


JUDGED = [f"{n},{model},Explain {n},{'ab'[n % 2]},{n % 5},1.{n}" for n in range(12) for model in ("x", "y")]


def test_a_column_that_differs_for_every_item_groups_nothing(tmp_path: Path) -> None:
    """The prompt of an item comes with every system; its category is worth a word."""
    scores = nf.read(written(tmp_path, "t.csv", "id,model,prompt,category,score,latency", *JUDGED))
    (told,) = (one for one in scores.sources[0].notes if one.code == "read.perhaps_groups")
    assert told["column"] == "category"


def test_a_metric_that_is_a_column_not_used_is_named_as_such(tmp_path: Path) -> None:
    file = written(tmp_path, "t.csv", "id,model,prompt,category,score,latency", *JUDGED)
    with pytest.raises(InputError) as caught:
        nf.read(file).pair(metric="latency")
    assert "--columns score=latency;" in caught.value.said("shell")
    assert nf.read(file, columns={"score": "latency"}).metrics == ("latency",)
    with pytest.raises(InputError) as caught:
        nf.read(file).pair(metric="bleu")
    assert "--columns" not in caught.value.said("shell")


@pytest.mark.parametrize("title", [["Results of experiment 3,,", ",,"], ["Results", ""], ["Results", "of May", ""]])
def test_a_title_above_the_names_of_columns_is_told_with_what_to_type(tmp_path: Path, title: list[str]) -> None:
    rows = [f"{n},0.{n},0.5" for n in range(8)]
    said = said_of(written(tmp_path, "t.csv", *title, "item,old,new", *rows))
    assert "title ('Results" in said
    assert f"tail -n +{len(title) + 1} FILE" in said


def test_scores_within_objects_can_be_named(tmp_path: Path) -> None:
    """The advice for no score and for a whole object can be typed as it stands."""
    rows = [
        f'{{"id": {n}, "model": "{model}", "usage": {{"tokens": 7}}, "judge": {{"score": {n % 4}, "why": "ok"}}}}'
        for n in range(9)
        for model in "xy"
    ]
    file = written(tmp_path, "t.jsonl", *rows)
    assert "--columns score=judge.score." in said_of(file)
    assert "--columns score=judge.score." in said_of(file, columns={"score": "judge"})
    scores = nf.read(file, columns={"score": "judge.score"})
    assert scores.statistics[:, 0].tolist() == [float(n % 4) for n in range(9) for _ in "xy"]
    assert "there is no column 'judge.grade'" in said_of(file, columns={"score": "judge.grade"})
